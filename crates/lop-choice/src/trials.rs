//! Below the seam: who tries choices, and what is remembered of it.
//!
//! The passes ask for the first [`Attempt`] that is interesting; here it is looked up, or run, and if it is interesting and
//! comes before the best in shortlex order, its record becomes the best. An attempt that failed may say how it
//! could be *repaired* in the light of what was drawn; the repaired one is tried right after it.

use std::sync::Arc;

use lop_search::Search;

use crate::choice::Kind;
use crate::known::{Known, Standing};
use crate::record::{Record, Values};

/// Choices to be tried.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The numbers.
    pub values: Values,
    /// What may be tried after it, if it fails.
    pub repair: Repair,
}

/// How choices could be changed if they are not interesting, once it is known what was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Not at all.
    None,
    /// Only what a span has drawn in place of what it was given.
    Redrawn {
        /// The number of the span.
        span: usize,
        /// Behind what it was given.
        end: usize,
    },
    /// Without the choices right behind a place, as many as were not asked for.
    Lost {
        /// The place.
        after: usize,
    },
    /// With as many more as there may be, all simplest, if there were too few.
    Padded {
        /// How many there may be in all.
        to: usize,
    },
}

/// A number that is taken for the simplest one of whatever is drawn.
pub const SIMPLEST: i128 = i128::MIN;

impl From<Values> for Attempt {
    fn from(values: Values) -> Attempt {
        Attempt { values, repair: Repair::None }
    }
}

impl Attempt {
    /// What may be tried instead, now that it is known what was drawn; nothing is known if there were too few.
    fn repaired(&self, drawn: Option<&Record>) -> Option<Values> {
        match (&self.repair, drawn) {
            (Repair::Redrawn { span, end }, Some(drawn)) => {
                let span = drawn.spans.get(*span).filter(|span| span.end < *end)?;
                let redrawn = drawn.choices.get(span.range())?.iter().map(|choice| choice.value);
                let (before, behind) = (&self.values[..span.start], &self.values[*end..]);
                Some(before.iter().copied().chain(redrawn).chain(behind.iter().copied()).collect())
            }
            (Repair::Lost { after }, Some(drawn)) => {
                let lost = self.values.len().checked_sub(drawn.choices.len()).filter(|lost| *lost > 0)?;
                let rest = self.values.get(after + lost..)?;
                Some([&self.values[..*after], rest].concat())
            }
            (Repair::Padded { to }, None) => {
                let missing = to.checked_sub(self.values.len()).filter(|missing| *missing > 0)?;
                Some([&self.values[..], &vec![SIMPLEST; missing]].concat())
            }
            _ => None,
        }
    }
}

/// What became of choices.
#[derive(Clone, Debug)]
pub struct Run {
    /// What was drawn.
    pub record: Record,
    /// How it ended.
    pub ending: Ending,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// It fails in the way that is looked for.
    Interesting,
    /// It does not.
    Boring,
    /// The choices make nothing of use.
    Rejected,
    /// There were too few of them; what was to be drawn next.
    TooFew(Kind),
}

/// Someone who tries choices and keeps the best.
pub trait Trials: Search<Attempt> {
    /// The best choices so far.
    fn best(&self) -> &Arc<Record>;
    /// How many were run.
    fn calls(&self) -> u64;
    /// Says how many may be run before it is someone else's turn.
    fn grant(&mut self, calls: u64);
    /// Whether no more may be run for now.
    fn is_spent(&self) -> bool;
    /// Whether no more may be run at all.
    fn is_over(&self) -> bool;
}

/// What all who try choices remember.
pub struct Memory {
    known: Known,
    /// The best choices so far.
    pub best: Arc<Record>,
    /// How many were run.
    pub calls: u64,
    /// How many may be run before it is someone else's turn.
    pub granted: u64,
    /// How many may be run at all.
    pub most: u64,
}

/// What is known of choices before they are run.
pub enum Look {
    /// Nothing: they have to be run.
    Unknown,
    /// That they are not better than the best, and perhaps what was drawn.
    Refused(Option<Arc<Record>>),
}

impl Memory {
    /// Starts with interesting choices; at most so many others may be run.
    pub fn new(best: Record, most: u64) -> Memory {
        let mut known = Known::default();
        let best = Arc::new(best);
        known.ended(best.clone());
        Memory { known, best, calls: 0, granted: most, most }
    }

    /// What is known of some choices.
    pub fn look(&self, values: &[i128]) -> Look {
        match self.known.of(values) {
            Standing::New => Look::Unknown,
            Standing::TooFew => Look::Refused(None),
            // All that is interesting was better than the best when it was found, or was no better.
            Standing::Ended(record) => Look::Refused(Some(record.clone())),
        }
    }

    /// Notes what became of choices; says whether they are the new best.
    pub fn learn(&mut self, run: Run) -> (bool, Option<Arc<Record>>) {
        let record = Arc::new(run.record);
        match run.ending {
            Ending::TooFew(kind) => self.known.draws(record.clone(), kind),
            _ => self.known.ended(record.clone()),
        }
        let is_better = run.ending == Ending::Interesting && record.order(&self.best).is_lt();
        if is_better {
            self.best = record.clone();
        }
        let is_whole = !matches!(run.ending, Ending::TooFew(_));
        (is_better, is_whole.then_some(record))
    }
}

/// Tries choices in process, one after the other.
pub struct Inline<F> {
    /// Runs choices.
    run: F,
    memory: Memory,
}

impl<F: FnMut(Values) -> Run> Inline<F> {
    /// Starts with interesting choices; runs at most so many others.
    pub fn new(best: Record, most: u64, run: F) -> Self {
        Inline { run, memory: Memory::new(best, most) }
    }

    /// Notes what is known from elsewhere.
    pub fn learn(&mut self, run: Run) {
        self.memory.learn(run);
    }

    /// Whether these choices are better than the best, and what was drawn.
    fn is_better(&mut self, values: Values) -> (bool, Option<Arc<Record>>) {
        match self.memory.look(&values) {
            Look::Refused(record) => (false, record),
            Look::Unknown if self.is_spent() => (false, None),
            Look::Unknown => {
                self.memory.calls += 1;
                let run = (self.run)(values);
                self.memory.learn(run)
            }
        }
    }
}

impl<F: FnMut(Values) -> Run> Search<Attempt> for Inline<F> {
    fn first(&mut self, candidates: &mut dyn Iterator<Item = Attempt>) -> Option<(usize, Attempt)> {
        for (index, attempt) in candidates.enumerate() {
            if self.is_spent() {
                return None;
            }
            let (is_better, drawn) = self.is_better(attempt.values.clone());
            let repaired = || attempt.repaired(drawn.as_deref());
            if is_better || repaired().is_some_and(|values| self.is_better(values).0) {
                return Some((index, attempt));
            }
        }
        None
    }

    fn each(&mut self, candidates: Vec<Attempt>) -> Vec<bool> {
        candidates.into_iter().map(|attempt| self.is_better(attempt.values).0).collect()
    }
}

impl<F: FnMut(Values) -> Run> Trials for Inline<F> {
    fn best(&self) -> &Arc<Record> {
        &self.memory.best
    }

    fn calls(&self) -> u64 {
        self.memory.calls
    }

    fn grant(&mut self, calls: u64) {
        self.memory.granted = self.memory.calls.saturating_add(calls);
    }

    fn is_spent(&self) -> bool {
        self.memory.calls >= self.memory.granted.min(self.memory.most)
    }

    fn is_over(&self) -> bool {
        self.memory.calls >= self.memory.most
    }
}
