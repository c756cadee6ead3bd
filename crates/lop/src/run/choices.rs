//! A whole run over choices: from choices that make an interesting test case to the simplest ones found.
//!
//! ```text
//! choices ──passes──▶ attempt ──▶ judge: known ▸ workers ──▶ make ──▶ test case ──▶ oracle
//!    ▲                                │ commit, in order
//!    └──────────── best ◀─────────────┘
//! ```
//!
//! The passes and the judge are those of [`lop_choice`]; limits, counts, the journal, the best on disk and events are
//! those of every [`Session`]. A test is a question to the oracle: about a test case that was not made before. So
//! `max_tests` counts the same things as for a text, and test cases that timed out are retried with a longer limit when
//! nothing else can be tried.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lop_choice::engine::{
    Attempt, Choice, Choices, Ending, Judge, Kind, Memory, PASSES, Record, Run, Runner, Trials,
    Values, Workers, reduce,
};

use crate::generator::{Error as MakeError, Generator, Made, Unmade};
use crate::judge::Cache;
use crate::oracle::{Oracle, Reason, Verdict};
use crate::search::Cancel;
use crate::search::pool::{Work, message};
use crate::session::{
    BestFile, Borrowed, ChoiceCounts, Control, Error, Executed, Finished, Journal, Limits,
    Observer, Pace, PhaseStart, Report, Rounds, Session, Standing,
};
use crate::text::{Candidate, Key, Measured, Text};

use super::reduction::{REMEMBERED, still_interesting};

/// Makes test cases from choices.
pub trait Make: Send + Sync {
    /// Makes a test case. `slot` is the asking worker's number: no two requests of the same slot overlap.
    fn make(&self, slot: usize, values: &Values, cancel: &Cancel) -> Result<Made, MakeError>;

    /// The last test case of a slot is interesting: its time may shorten the limit of others.
    fn learn(&self, _slot: usize) {}

    /// Sets a longer time limit than usual, or the usual one again; says whether there is a longer one.
    fn set_longer_limit(&self, _longer: bool) -> bool {
        false
    }

    /// Whether each drawn value depends only on the choices before it, and not on the number of choices. Then many
    /// attempts are known without making them.
    fn is_foreseeable(&self) -> bool {
        true
    }
}

impl Make for Generator {
    fn make(&self, slot: usize, values: &Values, cancel: &Cancel) -> Result<Made, MakeError> {
        let choices = Choices { values: values.clone(), ..Choices::default() };
        Generator::make(self, slot, &choices, cancel)
    }

    fn learn(&self, slot: usize) {
        Generator::learn(self, slot);
    }

    fn set_longer_limit(&self, longer: bool) -> bool {
        Generator::set_longer_limit(self, longer)
    }
}

/// Uses bytes as choices: the test case is the bytes themselves, as for fuzz targets.
pub struct Bytes;

impl Bytes {
    fn kind() -> Kind {
        Kind::integer(0, 255, 0)
    }

    /// Bytes as choices; which of them belong together is unknown.
    pub fn record(bytes: &[u8]) -> Record {
        let choice = |byte: &u8| Choice { value: i128::from(*byte), kind: Self::kind() };
        Record { choices: bytes.iter().map(choice).collect(), spans: Vec::new() }
    }
}

impl Make for Bytes {
    fn is_foreseeable(&self) -> bool {
        false
    }

    fn make(&self, _: usize, values: &Values, _: &Cancel) -> Result<Made, MakeError> {
        let bytes: Vec<u8> = values.iter().map(|it| Self::kind().realised(*it) as u8).collect();
        Ok(Made { record: Bytes::record(&bytes), result: Ok(bytes) })
    }
}

/// A run over choices. The test case that they make must be interesting.
#[non_exhaustive]
pub struct ChoiceReduction<'r> {
    /// The choices, as they were drawn.
    pub record: Record,
    /// The test case that they make.
    pub case: Text,
    /// Makes test cases.
    pub maker: &'r dyn Make,
    /// Decides which test cases are interesting.
    pub oracle: &'r dyn Oracle,
    /// How many attempts are made at the same time.
    pub workers: usize,
    /// The most tests that are run.
    pub max_tests: Option<u64>,
    /// The most time that the run may take.
    pub max_time: Option<Duration>,
    /// Where the best choices are kept, as text.
    pub best_choices: Option<BestFile>,
    /// Where the best test case is kept.
    pub best_case: Option<BestFile>,
    /// Where verdicts are written, and those of an earlier run.
    pub journal: Option<Journal>,
    /// The best of an earlier run, known to be interesting: choices and their test case.
    pub reached: Option<(Record, Text)>,
    /// Ends the run when it is cancelled.
    pub stop: Cancel,
    /// Pauses the run, skips passes, and shows what workers are doing.
    pub control: Control,
    /// Receives the events of the run.
    pub observer: Option<Box<dyn Observer + 'r>>,
}

/// The simplest choices found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Simplest {
    /// The choices, as they were drawn.
    pub record: Record,
    /// The report of the run.
    pub report: Report,
    /// The test case that these choices made at the end of the run, if it is different: then the maker depends on more
    /// than its choices.
    pub again: Option<Vec<u8>>,
}

impl<'r> ChoiceReduction<'r> {
    /// A run with one worker and no limits, over choices that were drawn and the test case that they make.
    pub fn new(
        record: Record,
        case: impl Into<Text>,
        maker: &'r dyn Make,
        oracle: &'r dyn Oracle,
    ) -> Self {
        ChoiceReduction {
            record,
            case: case.into(),
            maker,
            oracle,
            workers: 1,
            max_tests: None,
            max_time: None,
            best_choices: None,
            best_case: None,
            journal: None,
            reached: None,
            stop: Cancel::default(),
            control: Control::default(),
            observer: None,
        }
    }

    /// Sends the events of the run to an observer.
    pub fn observed_by(self, observer: &'r mut dyn Observer) -> Self {
        ChoiceReduction { observer: Some(Box::new(Borrowed(observer))), ..self }
    }

    /// Runs it.
    pub fn run(self) -> Result<Simplest, Error> {
        let ChoiceReduction { record, maker, oracle, workers, stop, .. } = self;
        let keeps_choices = self.best_choices.is_some();
        let limits = Limits { tests: self.max_tests, time: self.max_time };
        let mut session = Session::new(limits, stop.clone())
            .observed_by(self.observer)
            .controlled_by(self.control)
            .kept_in(self.journal, self.best_choices.into_iter().chain(self.best_case).collect());
        let original = Measured::new(self.case);
        let before = record.choices.len();
        session.start(&original, Some(before), workers, "choices");
        let cache = Mutex::new(Cache::new(REMEMBERED, session.take_past_verdicts()));
        let executed = session.executed();
        let until = stop.until(session.deadline());
        let bench = Bench { maker, oracle, cache, stop: until.token(), executed };
        let size = original.size;
        let is_better = |reached: &Record| reached.order(&record).is_lt();
        let reached = self.reached.filter(|(reached, _)| is_better(reached));
        let (mut session, record, best, cases) = std::thread::scope(|scope| {
            let workers = Workers::start(scope, workers, &bench);
            let tests = Tests {
                session,
                bench: &bench,
                workers,
                case: None,
                best: original,
                keeps_choices,
                reached,
                has_longer_limit: false,
                phase: None,
            };
            let judge = Judge::new(record, u64::MAX, tests);
            let judge = if maker.is_foreseeable() { judge } else { judge.without_foresight() };
            let mut running = Running { judge };
            running.run_to_the_end();
            let Running { judge } = running;
            let (record, cases) = (judge.best().as_ref().clone(), judge.calls());
            let Tests { session, best, .. } = judge.into_runner();
            (session, record, best, cases)
        });
        session.tell_findings(oracle);
        let Finished { end, skipped, counts, phases, improvements, times } = session.finish()?;
        let made = match stop.is_cancelled() {
            true => None,
            false => maker.make(0, &record.values(), &stop).ok().and_then(|made| made.result.ok()),
        };
        let confirmed = made.as_ref().and_then(|made| {
            Some(*made == *best.text && still_interesting(oracle, &best.text, &stop)?)
        });
        let again = made.filter(|made| *made != *best.text);
        let nodes = None;
        let choices = Some(ChoiceCounts { before, after: record.choices.len(), cases });
        let pace = Pace::new(before, &improvements);
        let report = Report {
            best,
            original: size,
            nodes,
            choices,
            counts,
            phases,
            improvements,
            times,
            pace,
            skipped,
            end,
            confirmed,
        };
        Ok(Simplest { record, report, again })
    }
}

/// The place where workers make and judge test cases.
struct Bench<'b> {
    maker: &'b dyn Make,
    oracle: &'b dyn Oracle,
    cache: Mutex<Cache>,
    /// Cancelled when the run stops, also because its time is up.
    stop: &'b Cancel,
    executed: Arc<Executed>,
}

/// The outcome of an attempt.
struct Tested {
    run: Run,
    /// The test case that was made, and the verdict on it.
    test: Option<Test>,
    trouble: Option<Trouble>,
}

struct Test {
    key: Key,
    case: Text,
    verdict: Verdict,
}

/// Why there is no test case to judge.
enum Trouble {
    /// The generator timed out.
    TimedOut,
    /// The generator cannot be run.
    Failed(MakeError),
}

impl AsRef<Run> for Tested {
    fn as_ref(&self) -> &Run {
        &self.run
    }
}

impl From<Tested> for Run {
    fn from(tested: Tested) -> Run {
        tested.run
    }
}

impl Tested {
    /// Without a test case.
    fn without(record: Record, ending: Ending, trouble: Option<Trouble>) -> Self {
        Tested { run: Run { record, ending }, test: None, trouble }
    }
}

impl Bench<'_> {
    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn judge(&self, slot: usize, case: Vec<u8>, cancel: &Cancel) -> Test {
        let case = Candidate::whole(&Text::new(case));
        let key = case.key();
        let known = self.cache().get(key);
        let verdict = match known {
            Some(true) => Verdict::Interesting,
            Some(false) => Verdict::Boring,
            None => {
                let judge = || self.executed.judge(self.oracle, slot, &case, cancel);
                panic::catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|panic| {
                    let why = format!("the oracle panicked: {}", message(&*panic));
                    Verdict::Unresolved(Reason::Broken(why))
                })
            }
        };
        if let (None, Some(interesting)) = (known, verdict.certain()) {
            self.cache().put(key, interesting);
        }
        Test { key, case: case.text().clone(), verdict }
    }

    fn test(&self, slot: usize, values: &Values, cancel: &Cancel) -> Tested {
        let Made { record, result } = match self.maker.make(slot, values, cancel) {
            Ok(made) => made,
            Err(error) => {
                let trouble = Some(Trouble::Failed(error));
                return Tested::without(Record::default(), Ending::Unresolved, trouble);
            }
        };
        match result {
            Ok(case) => {
                let test = self.judge(slot, case, cancel);
                if test.verdict == Verdict::Interesting {
                    self.maker.learn(slot);
                }
                let ending = match test.verdict.certain() {
                    Some(true) => Ending::Interesting,
                    Some(false) => Ending::Boring,
                    None => Ending::Unresolved,
                };
                Tested { run: Run { record, ending }, test: Some(test), trouble: None }
            }
            Err(Unmade::TooFew(kind)) => Tested::without(record, Ending::TooFew(kind), None),
            Err(Unmade::Rejected(_)) => Tested::without(record, Ending::Rejected, None),
            Err(Unmade::TimedOut(_)) => {
                Tested::without(record, Ending::Unresolved, Some(Trouble::TimedOut))
            }
            Err(Unmade::Cancelled) => Tested::without(record, Ending::Unresolved, None),
        }
    }
}

impl Work<Values, Tested> for Bench<'_> {
    fn run(&self, slot: usize, values: &Values, cancel: &Cancel) -> Option<Tested> {
        let token = cancel.clone();
        let _at_stop = self.stop.on_cancel(move || token.cancel());
        let tested = self.test(slot, values, cancel);
        let is_cancelled = matches!(
            (&tested.test, tested.run.ending),
            (
                None | Some(Test { verdict: Verdict::Unresolved(Reason::Cancelled), .. }),
                Ending::Unresolved
            )
        ) && cancel.is_cancelled();
        // A judge that waits for an answer gets one when the run stops.
        (!is_cancelled || self.stop.is_cancelled()).then_some(tested)
    }
}

/// Runs choices for the judge, and reports a test to the session when its turn has come.
struct Tests<'o, 'b> {
    session: Session<'o>,
    bench: &'b Bench<'b>,
    workers: Workers<Tested>,
    /// The last test case, if it is interesting.
    case: Option<Text>,
    best: Measured,
    /// Whether choices are kept besides the test case.
    keeps_choices: bool,
    /// The best of an earlier run, which is on disk: only a better one replaces it there.
    reached: Option<(Record, Text)>,
    has_longer_limit: bool,
    /// The pass that runs.
    phase: Option<PhaseStart>,
}

impl Tests<'_, '_> {
    /// Counts a test whose turn has come; returns how it ends.
    fn commit(&mut self, test: Test) -> Ending {
        let Test { key, case, verdict } = test;
        let past = self.session.was_unresolved(key).cloned();
        let is_past = past.is_some();
        let verdict = past.map_or(verdict, Verdict::Unresolved);
        let reason = match &verdict {
            Verdict::Unresolved(reason) => Some(reason),
            _ => None,
        };
        let standing = match is_past {
            true => Standing::Past,
            false => self.bench.cache().ask(key, verdict.certain()),
        };
        if !self.session.commit(standing, reason) {
            return Ending::Unresolved;
        }
        match (is_past, standing) {
            (true, _) => self.session.pass_unresolved(key),
            (false, Standing::New) => self.session.record(key, &verdict),
            (false, _) => {}
        }
        match verdict.certain() {
            Some(true) => {
                self.case = Some(case);
                Ending::Interesting
            }
            Some(false) => Ending::Boring,
            None => Ending::Unresolved,
        }
    }

    fn set_longer_limit(&mut self, longer: bool) -> bool {
        let differs =
            self.bench.oracle.set_longer_limit(longer) | self.bench.maker.set_longer_limit(longer);
        self.has_longer_limit = longer && differs;
        // The tests that wait for their turn were judged with another limit.
        self.workers.forget_early();
        differs
    }
}

impl Runner for Tests<'_, '_> {
    fn ahead(&self) -> usize {
        self.workers.ahead()
    }

    fn prepare(&mut self, memory: &Memory, next: &VecDeque<Attempt>) {
        self.workers.prepare(memory, next);
    }

    fn run(&mut self, values: Values) -> Run {
        let Tested { mut run, test, trouble } = self.workers.answer(values);
        match trouble {
            Some(Trouble::TimedOut) => self.session.note_timeout(),
            Some(Trouble::Failed(error)) => self.session.fail(Error::Generator(error.into())),
            None => {}
        }
        // A test that was cancelled because the run stops has no turn.
        if self.session.is_over() {
            run.ending = Ending::Unresolved;
        } else if let Some(test) = test {
            run.ending = self.commit(test);
        }
        self.session.tell_findings(self.bench.oracle);
        self.session.progress();
        run
    }

    fn forget(&mut self) {
        self.workers.forget();
    }

    fn begin(&mut self, pass: &'static str) {
        self.phase = Some(self.session.begin_phase(pass, self.best.size));
    }

    fn end(&mut self) {
        if let Some(start) = self.phase.take() {
            self.session.end_phase(start, self.best.size);
        }
    }

    fn accept(&mut self, best: &Record) {
        let Some(case) = self.case.take() else { return };
        if self.has_longer_limit {
            // The longer limit is for the end of a run, when nothing else can be tried; now there is more to try.
            self.set_longer_limit(false);
        }
        if self.reached.as_ref().is_none_or(|(reached, _)| best.order(reached).is_lt()) {
            let choices = Choices { values: best.values(), ..Choices::default() };
            let choices = Text::new(choices.to_string().into_bytes());
            let texts = [&choices, &case];
            self.session.keep(&texts[usize::from(!self.keeps_choices)..]);
        }
        self.best = Measured::new(case);
        self.session.improved(&self.best, Some(best.choices.len()));
    }

    fn is_over(&mut self) -> bool {
        self.session.is_over()
    }

    fn is_skipped(&mut self) -> bool {
        self.session.is_skipped()
    }
}

/// A judge whose passes run in rounds.
struct Running<'o, 'b> {
    judge: Judge<Tests<'o, 'b>>,
}

impl<'o> Rounds<'o> for Running<'o, '_> {
    fn session(&mut self) -> &mut Session<'o> {
        &mut self.judge.runner().session
    }

    fn round(&mut self) {
        reduce(&mut self.judge, &PASSES.iter().collect::<Vec<_>>());
    }

    fn go_on_from_reached(&mut self) -> bool {
        let best = self.judge.best().clone();
        let tests = self.judge.runner();
        let is_better = |(reached, _): &(Record, Text)| reached.order(&best).is_lt();
        let Some((record, case)) = tests.reached.clone().filter(is_better) else { return false };
        tests.best = Measured::new(case);
        self.judge.go_on_from(record);
        true
    }

    fn best_key(&self) -> Key {
        let values = self.judge.best().values();
        let text = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Candidate::whole(&Text::new(text)).key()
    }

    fn set_longer_limit(&mut self, longer: bool) -> bool {
        self.judge.runner().set_longer_limit(longer)
    }
}
