//! Below the seam: who tries choices, and what is remembered of it.
//!
//! The passes ask for the first [`Attempt`] that is interesting; here it is looked up, or run, and if it is interesting and
//! comes before the best in shortlex order, its record becomes the best. An attempt that failed may say how it
//! could be *repaired* in the light of what was drawn; the repaired one is tried right after it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use lop_search::{Answer, Search};

use crate::choice::Kind;
use crate::known::{Foreseen, Known};
use crate::record::{Record, Values};

/// Choices to be tried.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Attempt {
    /// The numbers.
    pub values: Values,
    /// What may be tried after it, if it fails.
    pub repair: Repair,
}

/// How choices could be changed if they are not interesting, once it is known what was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
    pub(crate) fn repaired(&self, drawn: Option<&Record>) -> Option<Values> {
        match (&self.repair, drawn) {
            (Repair::Redrawn { span, end }, Some(drawn)) => {
                let span = drawn.spans.get(*span).filter(|span| span.end < *end)?;
                let redrawn = drawn.choices.get(span.range())?.iter().map(|choice| choice.value);
                let (before, behind) = (&self.values[..span.start], &self.values[*end..]);
                Some(before.iter().copied().chain(redrawn).chain(behind.iter().copied()).collect())
            }
            (Repair::Lost { after }, Some(drawn)) => {
                let lost =
                    self.values.len().checked_sub(drawn.choices.len()).filter(|lost| *lost > 0)?;
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

impl AsRef<Run> for Run {
    fn as_ref(&self) -> &Run {
        self
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Ending {
    /// It fails in the way that is looked for.
    Interesting,
    /// It does not.
    Boring,
    /// The choices make nothing of use.
    Rejected,
    /// There were too few of them; what was to be drawn next.
    TooFew(Kind),
    /// The test gave no answer, but may when it is asked again. Never remembered.
    Unresolved,
}

/// Someone who tries choices and keeps the best.
pub trait Trials: Search<Attempt> {
    /// The best choices so far.
    fn best(&self) -> &Arc<Record>;
    /// How many were run.
    fn calls(&self) -> u64;
    /// How many were looked at, also those of which it was known what would become of them.
    fn candidates(&self) -> u64;
    /// How many attempts of the last question were tried before its answer was known.
    fn tried(&self) -> usize;
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
    /// How many were looked at.
    pub candidates: u64,
    /// How many may be run before it is someone else's turn.
    pub granted: u64,
    /// How many may be run at all.
    pub most: u64,
    until: Option<Instant>,
    stopped: bool,
}

/// What is known of choices before they are run.
#[non_exhaustive]
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
        Memory {
            known,
            best,
            calls: 0,
            candidates: 0,
            granted: most,
            most,
            until: None,
            stopped: false,
        }
    }

    /// Whether no more may be run.
    pub fn is_over(&self) -> bool {
        self.calls >= self.most
            || self.stopped
            || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// What is known of some choices.
    pub fn look(&self, values: &[i128]) -> Look {
        match self.known.of(values) {
            Foreseen::New => Look::Unknown,
            Foreseen::TooFew => Look::Refused(None),
            // All that is interesting was better than the best when it was found, or was no better.
            Foreseen::Ended(record) => Look::Refused(Some(record.clone())),
        }
    }

    /// Notes how a record ended.
    pub fn note(&mut self, record: Arc<Record>, ending: Ending) {
        match ending {
            Ending::TooFew(kind) => self.known.draws(record, kind),
            Ending::Unresolved => {}
            Ending::Interesting | Ending::Boring | Ending::Rejected => self.known.ended(record),
        }
    }

    /// Notes what became of choices; says whether they are the new best.
    pub fn learn(&mut self, run: Run) -> (bool, Option<Arc<Record>>) {
        let record = Arc::new(run.record);
        self.note(record.clone(), run.ending);
        let is_better = run.ending == Ending::Interesting && record.order(&self.best).is_lt();
        if is_better {
            self.best = record.clone();
        }
        let is_whole = !matches!(run.ending, Ending::TooFew(_));
        (is_better, is_whole.then_some(record))
    }
}

/// Who runs choices.
pub trait Runner {
    /// How many attempts it wants to know ahead of their turn.
    fn ahead(&self) -> usize {
        0
    }

    /// Tells what is likely to be run next, in this order.
    fn prepare(&mut self, _memory: &Memory, _next: &VecDeque<Attempt>) {}

    /// Runs some choices.
    fn run(&mut self, values: Values) -> Run;

    /// What was told to be likely is no longer so.
    fn forget(&mut self) {}

    /// The choices that were run last are the new best.
    fn accept(&mut self, _best: &Record) {}

    /// Whether no more may be run, for a reason of its own.
    fn is_over(&mut self) -> bool {
        false
    }
}

impl<F: FnMut(Values) -> Run> Runner for F {
    fn run(&mut self, values: Values) -> Run {
        self(values)
    }
}

/// Judges attempts strictly in their order, whoever runs them.
pub struct Judge<R> {
    runner: R,
    memory: Memory,
    /// How many attempts of the last question were tried in vain.
    tried: usize,
}

impl<R: Runner> Judge<R> {
    /// Starts with interesting choices; runs at most so many others.
    pub fn new(best: Record, most: u64, runner: R) -> Self {
        Judge { runner, memory: Memory::new(best, most), tried: 0 }
    }

    /// Says when it is over.
    pub fn stop_at(&mut self, time: Instant) {
        self.memory.until = Some(time);
    }

    /// Goes on from choices that are known to be interesting.
    pub fn go_on_from(&mut self, best: Record) {
        let best = Arc::new(best);
        self.memory.note(best.clone(), Ending::Interesting);
        self.memory.best = best;
    }

    /// What runs choices.
    pub fn runner(&mut self) -> &mut R {
        &mut self.runner
    }

    /// What ran choices, when the judge is no longer needed.
    pub fn into_runner(self) -> R {
        self.runner
    }

    /// Notes what is known from elsewhere.
    pub fn note(&mut self, record: Arc<Record>, ending: Ending) {
        self.memory.note(record, ending);
    }

    /// Whether these choices are better than the best, and what was drawn.
    fn is_better(&mut self, values: &[i128]) -> (bool, Option<Arc<Record>>) {
        self.memory.candidates += 1;
        match self.memory.look(values) {
            Look::Refused(record) => (false, record),
            Look::Unknown if self.is_spent() => (false, None),
            Look::Unknown => {
                self.memory.calls += 1;
                let run = self.runner.run(values.to_vec());
                let (is_better, record) = self.memory.learn(run);
                if is_better {
                    self.runner.accept(&self.memory.best);
                }
                self.memory.stopped |= self.runner.is_over();
                (is_better, record)
            }
        }
    }
}

impl<R: Runner> Search<Attempt> for Judge<R> {
    fn first_before(
        &mut self,
        candidates: &mut dyn Iterator<Item = Attempt>,
        _next: &mut dyn Iterator<Item = Attempt>,
    ) -> Answer {
        let mut ahead = VecDeque::new();
        self.tried = 0;
        let answer = loop {
            let missing = (1 + self.runner.ahead()).saturating_sub(ahead.len());
            ahead.extend((0..missing).map_while(|_| candidates.next()));
            if ahead.is_empty() {
                break Answer::Nothing;
            }
            if self.is_spent() {
                break Answer::Stop;
            }
            self.runner.prepare(&self.memory, &ahead);
            let Some(attempt) = ahead.pop_front() else { break Answer::Nothing };
            let (is_better, drawn) = self.is_better(&attempt.values);
            let repaired = || attempt.repaired(drawn.as_deref());
            if is_better || repaired().is_some_and(|values| self.is_better(&values).0) {
                break Answer::Found(self.tried);
            }
            self.tried += 1;
        };
        self.runner.forget();
        answer
    }
}

impl<R: Runner> Trials for Judge<R> {
    fn best(&self) -> &Arc<Record> {
        &self.memory.best
    }

    fn calls(&self) -> u64 {
        self.memory.calls
    }

    fn candidates(&self) -> u64 {
        self.memory.candidates
    }

    fn tried(&self) -> usize {
        self.tried
    }

    fn grant(&mut self, calls: u64) {
        self.memory.granted = self.memory.calls.saturating_add(calls);
    }

    fn is_spent(&self) -> bool {
        self.memory.calls >= self.memory.granted || self.is_over()
    }

    fn is_over(&self) -> bool {
        self.memory.is_over()
    }
}

#[cfg(test)]
impl<R> Judge<'_, R> {
    /// Remembers at most this many bytes, and forgets what it knows so far.
    pub(crate) fn remember_at_most(&mut self, bytes: usize) {
        self.memory.known = Known::with_bound(bytes);
    }
}
