//! Below the seam: the judge of attempts, and its memory.
//!
//! The passes ask for the first [`Attempt`] that is better than the best. The judge looks each attempt up, or runs it. If it is
//! interesting and comes before the best in shortlex order, its record becomes the best. An attempt may carry a *repair*: how to change
//! it, given what was drawn, if it fails (`repair.rs`). The judge tries the repaired attempts immediately after it.

use std::collections::VecDeque;
use std::ops::Range;
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
    /// The numbers of the choices.
    pub values: Values,
    /// How it is changed if it fails.
    pub repair: Repair,
}

/// How a failed attempt is changed, given what was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repair {
    /// It isn't changed.
    None,
    /// Replaces the choices that were given for a span by those that it drew, if these are fewer.
    Redrawn {
        /// The index of the span.
        span: usize,
        /// The index after the choices that were given for it.
        end: usize,
    },
    /// Replaces the choices that were given for a round of a loop without spans by those that it drew, if these are fewer.
    Round {
        /// The first choice of the round.
        start: usize,
        /// The index after the choices that were given for it.
        end: usize,
    },
    /// Removes choices after a place, as many as were not drawn.
    Lost {
        /// The index of the first one that is removed.
        after: usize,
    },
    /// Removes the first of what a number counts, which is what was drawn when it was lowered to 1.
    First {
        /// The index of the number.
        at: usize,
    },
    /// Removes one of what a number counts, of the length that was not drawn when it was lowered by one.
    Fewer {
        /// The index of the number.
        at: usize,
    },
    /// Removes one of these, if it is as long as what was not drawn.
    Parallel {
        /// Choices that may belong to what was removed.
        units: Vec<Range<usize>>,
    },
    /// Fits numbers to the ranges that they are drawn from, as for all that fails, even if there were too few choices: what is drawn for a number that does not fit may
    /// take more.
    Fitted,
    /// Adds simplest choices if there were too few.
    Padded {
        /// The number of choices with those that are added.
        to: usize,
    },
}

/// A number outside of every range but that of all `i128`, so that the source takes the simplest one instead.
pub const SIMPLEST: i128 = i128::MIN;

impl From<Values> for Attempt {
    fn from(values: Values) -> Attempt {
        Attempt { values, repair: Repair::None }
    }
}

/// The result of running some choices.
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
    /// It fails in the expected way.
    Interesting,
    /// It passes, or fails in another way.
    Boring,
    /// The generator rejected its choices.
    Rejected,
    /// There were too few choices; the kind of the first one that is missing.
    TooFew(Kind),
    /// The test gave no answer, but may when it is asked again. Never remembered.
    Unresolved,
}

impl Ending {
    /// What was drawn by a run that ended like this, given its record.
    pub(crate) fn drawn<R>(self, record: R) -> Drawn<R> {
        match self {
            Ending::TooFew(_) => Drawn::Begun(record),
            _ => Drawn::Whole(record),
        }
    }
}

/// Tries attempts and keeps the best.
pub trait Trials: Search<Attempt> {
    /// The best choices so far.
    fn best(&self) -> &Arc<Record>;
    /// The number of runs.
    fn calls(&self) -> u64;
    /// The number of attempts, including those that were known without a run.
    fn candidates(&self) -> u64;
    /// The number of attempts of the last question that failed.
    fn tried(&self) -> usize;
    /// Sets the budget: the number of runs until [`is_spent`](Trials::is_spent).
    fn grant(&mut self, calls: u64);
    /// Whether the budget is used up, the pass is skipped, or the reduction is over.
    fn is_spent(&self) -> bool;
    /// Whether the pass that runs is skipped.
    fn is_skipped(&self) -> bool;
    /// Whether the reduction is over: stopped, or out of runs or time.
    fn is_over(&self) -> bool;
    /// A pass begins.
    fn begin(&mut self, pass: &'static str);
    /// The pass that began last ends.
    fn end(&mut self);
}

/// What a judge remembers, and its limits.
pub struct Memory {
    known: Known,
    /// Whether runs are foreseen by what is known.
    foresees: bool,
    /// The best choices so far.
    pub best: Arc<Record>,
    /// The number of runs.
    pub calls: u64,
    /// The number of attempts, including those that were known without a run.
    pub candidates: u64,
    /// The number of runs at which the budget is used up.
    pub granted: u64,
    /// The number of runs at which the reduction is over.
    pub most: u64,
    until: Option<Instant>,
    stopped: bool,
}

/// What is known of choices without running them.
#[non_exhaustive]
pub enum Look {
    /// They have to be run.
    Unknown,
    /// They are not better than the best.
    Refused(Drawn),
}

/// What some choices draw.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Drawn<R = Arc<Record>> {
    /// Nobody knows.
    Unknown,
    /// This record.
    Whole(R),
    /// They are too few: this record begins with what they draw.
    Begun(R),
}

impl Drawn {
    /// The same, without a share in the record.
    pub(crate) fn as_deref(&self) -> Drawn<&Record> {
        match self {
            Drawn::Unknown => Drawn::Unknown,
            Drawn::Whole(record) => Drawn::Whole(record),
            Drawn::Begun(record) => Drawn::Begun(record),
        }
    }
}

impl Memory {
    /// Starts with interesting choices; `most` limits the number of runs.
    pub fn new(best: Record, most: u64) -> Memory {
        let mut known = Known::default();
        let best = Arc::new(best);
        known.ended(best.clone());
        Memory {
            known,
            foresees: true,
            best,
            calls: 0,
            candidates: 0,
            granted: most,
            most,
            until: None,
            stopped: false,
        }
    }

    /// Whether the reduction is over: stopped, or out of runs or time.
    pub fn is_over(&self) -> bool {
        self.calls >= self.most
            || self.stopped
            || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// What is known of some choices without running them.
    pub fn look(&self, values: &[i128]) -> Look {
        match self.known.of(values) {
            _ if !self.foresees => Look::Unknown,
            Foreseen::New => Look::Unknown,
            Foreseen::TooFew(record) => Look::Refused(Drawn::Begun(record.clone())),
            // Interesting choices either became the best when they were run, or were not better than it.
            Foreseen::Ended(record) => Look::Refused(Drawn::Whole(record.clone())),
        }
    }

    /// Notes how a record ended.
    pub fn note(&mut self, record: Arc<Record>, ending: Ending) {
        match ending {
            _ if !self.foresees => {}
            Ending::TooFew(kind) => self.known.draws(record, kind),
            Ending::Unresolved => {}
            Ending::Interesting | Ending::Boring | Ending::Rejected => self.known.ended(record),
        }
    }

    /// Notes a run. Returns whether its record is the new best, and what it drew.
    pub fn learn(&mut self, run: Run) -> (bool, Drawn) {
        let record = Arc::new(run.record);
        self.note(record.clone(), run.ending);
        let is_better = run.ending == Ending::Interesting && record.order(&self.best).is_lt();
        if is_better {
            self.best = record.clone();
        }
        (is_better, run.ending.drawn(record))
    }
}

/// Runs choices.
pub trait Runner {
    /// The number of attempts that it wants to see ahead of their turn.
    fn ahead(&self) -> usize {
        0
    }

    /// Announces the attempts that are likely to be run next, in this order.
    fn prepare(&mut self, _memory: &Memory, _next: &VecDeque<Attempt>) {}

    /// Runs some choices.
    fn run(&mut self, values: Values) -> Run;

    /// Withdraws the attempts that were announced.
    fn forget(&mut self) {}

    /// The choices that were run last are the new best.
    fn accept(&mut self, _best: &Record) {}

    /// A pass begins.
    fn begin(&mut self, _pass: &'static str) {}

    /// The pass that began last ends.
    fn end(&mut self) {}

    /// Whether no more may be run, for a reason of its own.
    fn is_over(&mut self) -> bool {
        false
    }

    /// Whether the pass that runs is to end, since someone wants that.
    fn is_skipped(&mut self) -> bool {
        false
    }
}

impl<F: FnMut(Values) -> Run> Runner for F {
    fn run(&mut self, values: Values) -> Run {
        self(values)
    }
}

/// Judges attempts strictly in their order, whatever runs them.
pub struct Judge<R> {
    runner: R,
    memory: Memory,
    /// The number of attempts of the last question that failed.
    tried: usize,
    /// Whether the pass that runs is skipped.
    is_skipped: bool,
}

impl<R: Runner> Judge<R> {
    /// Starts with interesting choices; `most` limits the number of runs.
    pub fn new(best: Record, most: u64, runner: R) -> Self {
        Judge { runner, memory: Memory::new(best, most), tried: 0, is_skipped: false }
    }

    /// Runs everything, even what seems to be known: for what draws as many choices as there are, so that the beginning of
    /// choices doesn't say whether others follow.
    pub fn without_foresight(mut self) -> Self {
        self.memory.foresees = false;
        self
    }

    /// Ends the reduction at this time.
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

    /// Notes a record that is known from elsewhere.
    pub fn note(&mut self, record: Arc<Record>, ending: Ending) {
        self.memory.note(record, ending);
    }

    /// Looks choices up, or runs them.
    fn judge(&mut self, values: &[i128]) -> Judged {
        self.memory.candidates += 1;
        // Also where everything is known, and nothing is run for a long time.
        self.memory.stopped |= self.runner.is_over();
        let refused = |drawn| Judged { is_better: false, drawn };
        match self.memory.look(values) {
            Look::Refused(record) => refused(record),
            Look::Unknown if self.is_spent() => refused(Drawn::Unknown),
            Look::Unknown => {
                self.memory.calls += 1;
                let run = self.runner.run(values.to_vec());
                let (is_better, drawn) = self.memory.learn(run);
                if is_better {
                    self.runner.accept(&self.memory.best);
                }
                self.memory.stopped |= self.runner.is_over();
                self.is_skipped |= self.runner.is_skipped();
                Judged { is_better, drawn }
            }
        }
    }
}

/// What the judge knows of choices.
struct Judged {
    /// Whether they are better than the best was.
    is_better: bool,
    drawn: Drawn,
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
            let Judged { is_better, drawn, .. } = self.judge(&attempt.values);
            if is_better {
                break Answer::Found(self.tried);
            }
            let repaired = attempt.repaired(drawn.as_deref(), &self.memory.best);
            if repaired.iter().any(|values| self.judge(values).is_better) {
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
        self.memory.calls >= self.memory.granted || self.is_skipped || self.is_over()
    }

    fn is_skipped(&self) -> bool {
        self.is_skipped
    }

    fn is_over(&self) -> bool {
        self.memory.is_over()
    }

    fn begin(&mut self, pass: &'static str) {
        self.is_skipped = false;
        self.runner.begin(pass);
    }

    fn end(&mut self) {
        self.runner.end();
    }
}

#[cfg(test)]
impl<R> Judge<R> {
    /// Remembers at most this many bytes, and forgets what it knows so far.
    pub(crate) fn remember_at_most(&mut self, bytes: usize) {
        self.memory.known = Known::with_bound(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Its time is up before the first run.
    struct Late;

    impl Runner for Late {
        fn run(&mut self, _: Values) -> Run {
            panic!("nothing may be run")
        }

        fn is_over(&mut self) -> bool {
            true
        }
    }

    #[test]
    fn a_time_limit_also_holds_while_all_attempts_are_known() {
        let mut judge = Judge::new(Record::default(), 10, Late);
        let known = || Attempt::from(Values::new());
        assert_eq!(judge.first(&mut std::iter::repeat_with(known).take(99)), Answer::Stop);
    }
}
