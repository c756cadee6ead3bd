//! A session: the limits, counts, files and events of a run.
//!
//! It has the limits, the counts, the cancellation token, the journal, the best on disk, phases, improvements and
//! events. Every run reports to a session, whether it reduces a text, several files or the choices of a generator. A
//! session knows no text, only sizes.
//!
//! Invariant: everything is counted when its turn comes, in the order of the search. So neither the counts nor the
//! place where a limit stops a run depend on the number of workers.

mod best;
mod control;
mod event;
mod executed;
mod journal;
mod pace;
mod phases;
mod report;
mod rounds;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::oracle::{Finding, Oracle, Reason, Verdict};
use crate::search::Cancel;
use crate::text::size::Size;
use crate::text::{Key, Measured, Text};

pub use best::{BestFile, Place, WriteError, replace};
pub use control::{Control, Testing};
pub(crate) use event::Borrowed;
pub use event::{Counts, Event, Improvement, Observer, Saved};
pub(crate) use executed::Executed;
pub use executed::TestTimes;
pub use journal::Journal;
pub(crate) use journal::Past;
pub use pace::Pace;
pub use phases::Phase;
pub use report::{ChoiceCounts, NodeCounts, Report};
pub(crate) use rounds::Rounds;

/// Events of mere progress are sent at most this often.
const PROGRESS: Duration = Duration::from_millis(100);

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum End {
    /// Everything was tried.
    Complete,
    /// Everything was tried except the rest of skipped phases.
    Skipped,
    /// The limit on tests is reached.
    MaxTests,
    /// The limit on time is reached.
    MaxTime,
    /// The run was cancelled.
    Interrupted,
}

/// Why a run could not continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The test could not be run.
    #[error("the test could not be run: {0}")]
    Broken(String),
    /// The generator could not be run.
    #[error(transparent)]
    Generator(Box<dyn std::error::Error + Send + Sync>),
    /// The test says that the input isn't interesting, so there is nothing to keep.
    #[error("the input is not interesting: the test must succeed on it")]
    NotInteresting,
    /// The test gave another verdict when it was asked again.
    #[error("the test is flaky: it did not say the same of the same input twice")]
    Flaky,
    /// The result or the journal could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    /// The most tests.
    pub(crate) tests: Option<u64>,
    /// The most time.
    pub(crate) time: Option<Duration>,
}

/// What is known of a content whose turn has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// This run has not asked for it, nor has an earlier one.
    New,
    /// This run has not asked for it, but an earlier run has its verdict.
    Past,
    /// This run has asked for it.
    Asked,
}

/// The limits, counts, files and events of a run.
pub(crate) struct Session<'o> {
    observer: Option<Box<dyn Observer + 'o>>,
    stop: Cancel,
    control: Control,
    max_tests: Option<u64>,
    deadline: Option<Instant>,
    started: Instant,
    last_progress: Instant,
    counts: Counts,
    executed: Arc<Executed>,
    /// How many contents were asked about, including those with a verdict from an earlier run.
    questions: u64,
    /// How many tests whose turn has come have timed out.
    timed_out: u64,
    /// How many retries in a row may time out, and how many of these remain.
    retries: Option<(u64, u64)>,
    /// The current budgets, the inner ones last.
    budgets: Vec<Budget>,
    /// The place in the run: how many phases have begun, and how many answers were committed.
    place: (u64, u64),
    /// Whether the running phase is skipped; `None` between phases.
    skips: Option<bool>,
    /// The phases that were skipped, each once.
    skipped: Vec<String>,
    journal: Option<Journal>,
    past: Past,
    best_files: Vec<BestFile>,
    /// The number of choices, if choices are reduced.
    choices: Option<usize>,
    phase: String,
    /// The names of the expected phases: as the user wrote them, with those of a default in its place.
    written: Vec<String>,
    expected: Vec<String>,
    phases: Vec<Phase>,
    improvements: Vec<Improvement>,
    end: Option<Result<End, Error>>,
}

/// How many tests may be in vain, and how many were. A removal makes up for some.
struct Budget {
    most: u64,
    in_vain: u64,
}

/// The removal of one of this many parts of the text makes up for a test in vain.
const PARTS: usize = 200;
/// The least number of tests in vain that any removal makes up for: a step continues while every second test removes
/// something, even if that is only a small part of a long text.
const LEAST_MADE_UP: u64 = 2;

/// The beginning of a phase.
pub(crate) struct PhaseStart {
    name: String,
    size: Size,
    counts: Counts,
}

/// The results of a finished session.
pub(crate) struct Finished {
    pub(crate) end: End,
    pub(crate) skipped: Vec<String>,
    pub(crate) counts: Counts,
    pub(crate) phases: Vec<Phase>,
    pub(crate) improvements: Vec<Improvement>,
    pub(crate) times: Vec<TestTimes>,
}

impl<'o> Session<'o> {
    /// Starts a session; its time begins.
    pub(crate) fn new(limits: Limits, stop: Cancel) -> Self {
        let started = Instant::now();
        Session {
            observer: None,
            stop,
            control: Control::default(),
            max_tests: limits.tests,
            deadline: limits.time.map(|time| started + time),
            started,
            last_progress: started,
            counts: Counts::default(),
            executed: Arc::default(),
            questions: 0,
            timed_out: 0,
            retries: None,
            budgets: Vec::new(),
            place: (0, 0),
            skips: None,
            skipped: Vec::new(),
            journal: None,
            past: Past::default(),
            best_files: Vec::new(),
            choices: None,
            phase: String::new(),
            written: Vec::new(),
            expected: Vec::new(),
            phases: Vec::new(),
            improvements: Vec::new(),
            end: None,
        }
    }

    /// Sends events to an observer.
    pub(crate) fn observed_by(self, observer: Option<Box<dyn Observer + 'o>>) -> Self {
        Session { observer, ..self }
    }

    /// Lets a control pause it and skip phases.
    pub(crate) fn controlled_by(self, control: Control) -> Self {
        let executed = Arc::new(Executed::new(control.clone()));
        Session { control, executed, ..self }
    }

    /// Writes verdicts to a journal, and the best to files: each file gets one of the texts that are handed over.
    pub(crate) fn kept_in(self, mut journal: Option<Journal>, best_files: Vec<BestFile>) -> Self {
        let past = journal.as_mut().map(Journal::take_past).unwrap_or_default();
        Session { journal, past, best_files, ..self }
    }

    /// Reports the beginning of the run. If choices are reduced, they are counted from here on.
    pub(crate) fn start(
        &mut self,
        input: &Measured,
        choices: Option<usize>,
        workers: usize,
        how: &str,
    ) {
        self.choices = choices;
        let (size, text) = (input.size, input.text.clone());
        self.tell(&Event::Started { size, choices, workers, strategy: how.into(), text });
    }

    /// Sends an event to the observer.
    pub(crate) fn tell(&mut self, event: &Event) {
        if let Some(observer) = &mut self.observer {
            observer.event(event);
        }
    }

    /// Reports the oracle's findings besides the property, and its notes.
    pub(crate) fn tell_findings(&mut self, oracle: &dyn Oracle) {
        for text in oracle.take_notes() {
            self.tell(&Event::Note { text });
        }
        for Finding { signature, text } in oracle.take_findings() {
            let bytes = text.len();
            self.tell(&Event::AlsoInteresting { signature, bytes, text });
        }
    }

    /// The token that stops the run.
    pub(crate) fn stop(&self) -> &Cancel {
        &self.stop
    }

    /// When the time is up.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The counts of tests that workers really run.
    pub(crate) fn executed(&self) -> Arc<Executed> {
        self.executed.clone()
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            executed: self.executed.tests(),
            timed_out: self.executed.timed_out(),
            testing: self.executed.testing(),
            elapsed: self.started.elapsed(),
            ..self.counts
        }
    }

    /// How many contents were asked about.
    pub(crate) fn questions(&self) -> u64 {
        self.questions
    }

    /// How many tests have timed out since the last call.
    pub(crate) fn take_timed_out(&mut self) -> u64 {
        std::mem::take(&mut self.timed_out)
    }

    /// Retries tests that timed out from now on: if this many in a row time out again, the run ends.
    pub(crate) fn begin_retries(&mut self, in_a_row: u64) {
        self.retries = Some((in_a_row, in_a_row));
    }

    /// Gives tests the usual limit again from now on.
    pub(crate) fn end_retries(&mut self) {
        self.retries = None;
    }

    /// Counts a test that timed out.
    fn count_timeout(&mut self) {
        self.timed_out += 1;
        if let Some((_, left)) = &mut self.retries {
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.end.get_or_insert(Ok(End::Complete));
            }
        }
    }

    /// Whether the run has to stop; notes the reason.
    pub(crate) fn is_over(&mut self) -> bool {
        if self.end.is_none() {
            if self.stop.is_cancelled() {
                self.end = Some(Ok(End::Interrupted));
            } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.end = Some(Ok(End::MaxTime));
            }
        }
        self.end.is_some()
    }

    /// Ends the run with an error, unless it is over.
    pub(crate) fn fail(&mut self, error: impl Into<Error>) {
        self.end.get_or_insert(Err(error.into()));
    }

    /// Whether the run could not continue.
    pub(crate) fn has_failed(&self) -> bool {
        matches!(self.end, Some(Err(_)))
    }

    /// Whether the phase has to make room for others: too many tests were in vain, or it is skipped.
    pub(crate) fn is_out_of_budget(&mut self) -> bool {
        self.is_skipped() || self.budgets.iter().any(|budget| budget.in_vain >= budget.most)
    }

    /// Whether the running phase is skipped; notes a new request.
    ///
    /// Where an answer was committed, and in which phase, does not depend on time or workers, so a repeated run skips
    /// the phase after the same answer.
    pub(crate) fn is_skipped(&mut self) -> bool {
        if self.skips != Some(false) {
            return self.skips.is_some();
        }
        let is_repeated = self.past.skips.contains(&self.place);
        if !is_repeated && !self.control.take_skip() {
            return false;
        }
        self.skips = Some(true);
        if !is_repeated {
            let place = self.place;
            self.write(|journal| journal.write_skip(place));
        }
        let (phase, counts) = (self.phase.clone(), self.counts());
        if !self.skipped.contains(&phase) {
            self.skipped.push(phase.clone());
        }
        self.tell(&Event::Skipped { phase, counts });
        true
    }

    /// Sets how many tests may be in vain from now on. Outer budgets still count.
    pub(crate) fn begin_budget(&mut self, most: u64) {
        self.budgets.push(Budget { most, in_vain: 0 });
    }

    /// Ends the innermost budget.
    pub(crate) fn end_budget(&mut self) {
        self.budgets.pop();
    }

    /// Notes that a text became smaller: the removal makes up for tests in vain.
    pub(crate) fn became_smaller(&mut self, from: Size, to: Size) {
        let parts = |from: usize, to: usize| PARTS * from.saturating_sub(to) / from.max(1);
        let removed = parts(from.tokens, to.tokens).max(parts(from.characters, to.characters));
        let made_up = (removed as u64).max(LEAST_MADE_UP);
        for budget in &mut self.budgets {
            budget.in_vain = budget.in_vain.saturating_sub(made_up);
        }
    }

    /// Counts an answer whose turn has come; `false` if the run has to stop instead. `unresolved` is the reason if
    /// there is no verdict.
    pub(crate) fn commit(&mut self, standing: Standing, unresolved: Option<&Reason>) -> bool {
        self.place.1 += 1;
        // The number of answers that are known already depends on the workers, so no further ones count.
        if matches!(self.retries, Some((_, 0))) {
            return false;
        }
        if standing != Standing::Asked {
            self.questions += 1;
            self.budgets.iter_mut().for_each(|budget| budget.in_vain += 1);
        }
        if standing != Standing::New {
            self.counts.hits += 1;
        } else if self.max_tests.is_some_and(|most| self.counts.tests >= most) {
            self.end.get_or_insert(Ok(End::MaxTests));
            return false;
        } else {
            self.counts.tests += 1;
            self.counts.unresolved += u64::from(unresolved.is_some());
        }
        match unresolved {
            Some(Reason::TimedOut) => self.count_timeout(),
            Some(Reason::Broken(why)) => self.fail(Error::Broken(why.clone())),
            None if standing != Standing::Asked => {
                // A verdict shows that the longer limit helps.
                self.retries = self.retries.map(|(in_a_row, _)| (in_a_row, in_a_row));
            }
            _ => {}
        }
        true
    }

    /// Writes a certain verdict to the journal.
    pub(crate) fn record(&mut self, key: Key, verdict: &Verdict) {
        self.write(|journal| journal.write(key, verdict));
    }

    /// Writes to the journal, if there is one.
    fn write(&mut self, write: impl FnOnce(&mut Journal) -> Result<(), WriteError>) {
        if let Some(Err(error)) = self.journal.as_mut().map(write) {
            self.fail(error);
        }
    }

    /// The verdicts of an earlier run.
    pub(crate) fn take_past_verdicts(&mut self) -> std::collections::HashMap<Key, bool> {
        std::mem::take(&mut self.past.verdicts)
    }

    /// Why an earlier run had no verdict on a content, when this run asks for it again.
    pub(crate) fn was_unresolved(&self, key: Key) -> Option<&Reason> {
        self.past.unresolved.get(&key).and_then(|reasons| reasons.front())
    }

    /// Marks the earlier run's unresolved answer as used.
    pub(crate) fn pass_unresolved(&mut self, key: Key) {
        if let Some(reasons) = self.past.unresolved.get_mut(&key) {
            reasons.pop_front();
        }
    }

    /// Keeps a new best on disk, one text for each file.
    pub(crate) fn keep(&mut self, best: &[&Text]) {
        let kept: Result<(), WriteError> =
            self.best_files.iter().zip(best).try_for_each(|(file, best)| file.keep(best));
        if let Err(error) = kept {
            self.fail(error);
        }
    }

    /// Notes a new best, and of how many choices it is made, if choices are reduced.
    pub(crate) fn improved(&mut self, best: &Measured, choices: Option<usize>) {
        // The longer limit is for the end of a run, when nothing else can be tried; now there is more to try.
        self.end_retries();
        let counts = self.counts();
        let Counts { tests, elapsed, .. } = counts;
        let size = best.size;
        self.improvements.push(Improvement { tests, elapsed, tokens: size.tokens, choices });
        let (phase, text) = (self.phase.clone(), best.text.clone());
        self.tell(&Event::Improved { size, choices, phase, text, counts });
    }

    /// Notes a time-out of something that isn't a test.
    pub(crate) fn note_timeout(&mut self) {
        self.count_timeout();
    }

    /// Reports progress now and then.
    pub(crate) fn progress(&mut self) {
        if self.last_progress.elapsed() >= PROGRESS {
            self.last_progress = Instant::now();
            let counts = self.counts();
            self.tell(&Event::Progress { counts });
        }
    }

    /// Sets which phases will come.
    pub(crate) fn expect(&mut self, phases: Vec<String>) {
        (self.written, self.expected) = (phases.clone(), phases);
    }

    /// Sets which phases will come instead of one that is written.
    pub(crate) fn expect_instead(&mut self, name: &str, phases: Vec<String>) {
        self.expected = self.written.clone();
        if let Some(index) = self.expected.iter().position(|each| each == name) {
            self.expected.splice(index..=index, phases);
        }
    }

    /// Begins a phase, which has a name in the statistics.
    pub(crate) fn begin_phase(&mut self, name: &str, size: Size) -> PhaseStart {
        self.phase = name.into();
        self.place.0 += 1;
        self.skips = Some(false);
        // The request to skip was meant for the phase before.
        self.control.take_skip();
        let counts = self.counts();
        let number = self.expected.iter().position(|each| each == name).map(|index| index + 1);
        let of = number.map(|_| self.expected.len());
        self.tell(&Event::Phase { name: name.into(), number, of, size, counts });
        PhaseStart { name: name.into(), size, counts }
    }

    /// Ends a phase; returns whether it was skipped.
    pub(crate) fn end_phase(&mut self, start: PhaseStart, size: Size) -> bool {
        let counts = self.counts().since(start.counts);
        phases::record(&mut self.phases, &start.name, counts, start.size, size);
        self.skips.take() == Some(true)
    }

    /// Ends the session: the best is on disk, and a complete run leaves no journal.
    pub(crate) fn finish(mut self) -> Result<Finished, Error> {
        let end = match self.end.take().unwrap_or(Ok(End::Complete))? {
            End::Complete if !self.skipped.is_empty() => End::Skipped,
            end => end,
        };
        if end == End::Skipped
            && let Some(journal) = &mut self.journal
        {
            journal.forget_skips()?;
        }
        for best_file in &self.best_files {
            best_file.flush()?;
        }
        let counts = self.counts();
        if end == End::Complete
            && let Some(journal) = self.journal
        {
            journal.remove()?;
        }
        let times = self.executed.times();
        let Session { skipped, phases, improvements, .. } = self;
        Ok(Finished { end, skipped, counts, phases, improvements, times })
    }
}
