//! Which parts of a reduced case matter: a named value does not if the property fails in the same way whatever is drawn instead.
//!
//! The reducer has tried simpler values, and they were boring: so a value that is not the simplest one matters, whatever
//! others do. For a simplest value, some others are drawn. Nothing is said of a value for which the limits leave no time.

use crate::case::{Case, Cases, Limits};
use crate::failure::{CaseResult, TIME_LIMIT};
use crate::record::Record;
use crate::source::Note;

/// How often a value is drawn anew before it is said not to matter.
const TIMES: usize = 8;
/// How many cases that could not be run, since the generator rejected them or they became too long, are drawn in search of those.
const ATTEMPTS: u64 = 24;

/// The indices of the notes whose values do not matter for this kind of failure.
pub(crate) fn without_effect(
    cases: &mut dyn Cases,
    reduced: &Record,
    notes: &[Note],
    kind: &str,
    limits: &mut Limits,
) -> Vec<usize> {
    // Each such case takes the whole limit.
    if kind == TIME_LIMIT {
        return Vec::new();
    }
    let is_simplest = |span: usize| {
        let choices = reduced.spans.get(span).map(|span| &reduced.choices[span.range()]);
        choices.is_some_and(|it| !it.is_empty() && it.iter().all(|choice| choice.is_simplest()))
    };
    let spans = notes.iter().enumerate().filter_map(|(at, note)| Some((at, note.span?)));
    spans
        .filter(|(_, span)| is_simplest(*span))
        .filter(|(_, span)| is_without_effect(cases, reduced, *span, kind, limits))
        .map(|(at, _)| at)
        .collect()
}

fn is_without_effect(
    cases: &mut dyn Cases,
    reduced: &Record,
    span: usize,
    kind: &str,
    limits: &mut Limits,
) -> bool {
    let mut failed = 0;
    for seed in 0..ATTEMPTS {
        if !limits.take() {
            return false;
        }
        let (seen, end) = cases.run(Case::with_anew(reduced, span, seed));
        match end {
            // The same value again says nothing.
            CaseResult::Failed(failure) if failure.kind() == kind => {
                failed += usize::from(seen.record.values() != reduced.values());
            }
            CaseResult::Rejected | CaseResult::TooFew(_) => {}
            CaseResult::Failed(_) | CaseResult::Passed => return false,
        }
        if failed == TIMES {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::failure::Failure;
    use crate::source::{Seen, Source};

    /// Fails whatever the choices are.
    struct Failing(&'static str, usize);

    impl Cases for Failing {
        fn run(&mut self, case: Case) -> (Seen, CaseResult) {
            self.1 += 1;
            let mut source = case.source();
            source.named("number", |s| s.integer::<u8>(..));
            (source.seen(), CaseResult::Failed(Failure::new("it fails").of_kind(self.0)))
        }
    }

    #[test]
    fn a_case_that_takes_too_long_is_not_explained() {
        for (kind, explained) in [("other", vec![0]), (TIME_LIMIT, vec![])] {
            let mut source = Source::given([0]).with_notes();
            source.named("number", |s| s.integer::<u8>(..));
            let seen = source.seen();
            let mut cases = Failing(kind, 0);
            let until = Instant::now() + Duration::from_secs(3600);
            let mut limits = Limits { calls: 100, until };
            let any = without_effect(&mut cases, &seen.record, &seen.notes, kind, &mut limits);
            assert_eq!(any, explained, "{kind}");
            assert_eq!(cases.1 == 0, explained.is_empty(), "{kind}: {} runs", cases.1);
        }
    }
}
