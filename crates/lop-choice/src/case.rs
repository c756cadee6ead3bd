//! A case: the choices that it is made of, and what runs it.

use std::time::Instant;

use crate::choices::Choices;
use crate::failure::{self, CaseResult, Outcome};
use crate::record::{Record, Values};
use crate::source::{Seen, Source};

/// A case that is to be run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Case {
    pub(crate) choices: Choices,
    /// A span that is drawn anew after the given choices, and the choices that follow it.
    pub(crate) anew: Option<(usize, Values)>,
    /// The example that is run instead of a generated value.
    pub(crate) example: Option<usize>,
    /// Whether notes are recorded.
    pub(crate) has_notes: bool,
    /// Whether a panic is printed.
    pub(crate) is_loud: bool,
}

impl Case {
    /// The case of these choices.
    pub(crate) fn given(values: Values) -> Case {
        Case { choices: Choices { values, ..Choices::default() }, ..Case::default() }
    }

    /// The case of an explicit example; a panic is printed.
    pub(crate) fn example(at: usize) -> Case {
        Case { example: Some(at), is_loud: true, ..Case::default() }
    }

    /// A random case of this size with at most `most` choices.
    pub(crate) fn random(seed: u64, size: f64, most: usize) -> Case {
        let choices = Choices { fresh: Some((seed, size)), most: Some(most), ..Choices::default() };
        Case { choices, ..Case::default() }
    }

    /// The case of a record, with a span of it drawn anew.
    pub(crate) fn with_anew(record: &Record, span: usize, seed: u64) -> Case {
        let range = record.spans[span].range();
        let choices = Choices {
            values: record.values_of(0..range.start).collect(),
            fresh: Some((seed, 1.0)),
            most: Some(2 * record.choices.len() + 100),
            ..Choices::default()
        };
        let rest = record.values_of(range.end..record.choices.len()).collect();
        Case { choices, anew: Some((span, rest)), ..Case::default() }
    }

    /// The source of its choices.
    pub(crate) fn source(self) -> Source {
        let mut source = Source::of(self.choices);
        if let Some((span, rest)) = self.anew {
            source = source.with_anew(span, rest);
        }
        if let Some(at) = self.example {
            source = source.with_example(at);
        }
        if self.has_notes { source.with_notes() } else { source }
    }
}

/// What is left for the reduction of all failures.
pub(crate) struct Limits {
    pub(crate) calls: u64,
    pub(crate) until: Instant,
}

impl Limits {
    /// Takes a call, if there is one left, and time.
    pub(crate) fn take(&mut self) -> bool {
        let has_left = self.calls > 0 && Instant::now() < self.until;
        self.calls = self.calls.saturating_sub(1);
        has_left
    }
}

/// Runs the cases of a property.
pub(crate) trait Cases {
    fn run(&mut self, case: Case) -> (Seen, CaseResult);
}

/// Runs cases in this thread.
pub(crate) struct Here<F>(pub(crate) F);

impl<R: Outcome, F: FnMut(&mut Source) -> R> Cases for Here<F> {
    fn run(&mut self, case: Case) -> (Seen, CaseResult) {
        match case.is_loud {
            true => failure::run_aloud(case.source(), &mut self.0),
            false => failure::run(case.source(), &mut self.0),
        }
    }
}
