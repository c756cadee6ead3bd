//! The supervisor of an executor: it sets the limits of each run, and repeats lost runs.

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use super::time::{TimeLimit, Timer};
use crate::oracle::Outcome;
use crate::oracle::execute::{Error, Execute, Request};
use crate::process::{Limits, Status};
use crate::search::Cancel;
use crate::text::Candidate;

/// The number of tries of a lost run. One worker that dies is common, two of them by chance are not; if a third dies,
/// the cause is most likely the candidate itself, which is then unresolved.
const TRIES: u32 = 3;
/// If one slot loses this many candidates while no slot completes a run, the executor is
/// broken. Losses are counted by slot, since an outage costs every slot its candidate, however many slots there are. The limit is more than one or two, since
/// candidates that kill their worker come in families.
const LOST_IN_A_ROW: u32 = 5;
/// The pause after the first loss. It doubles with each further loss, so that the run survives an outage of a minute or
/// two.
const PAUSE: Duration = Duration::from_millis(100);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Asks an executor to run its command on candidates, within limits.
pub struct Supervisor {
    executor: Arc<dyn Execute>,
    limits: Limits,
    timer: Arc<Timer>,
    losses: Losses,
    pause: Duration,
}

impl Supervisor {
    /// Supervises an executor. `time` sets the time limit, which is never longer than that of `limits`.
    pub fn new(executor: Arc<dyn Execute>, limits: Limits, time: TimeLimit) -> Self {
        Supervisor::sharing(executor, limits, Arc::new(Timer::new(time)))
    }

    /// Supervises an executor and shares its time limit with others.
    pub(crate) fn sharing(executor: Arc<dyn Execute>, limits: Limits, timer: Arc<Timer>) -> Self {
        Supervisor { executor, limits, timer, losses: Losses::default(), pause: PAUSE }
    }

    /// Runs the command on a candidate; its output is read only if wanted, and otherwise empty. A lost run is tried
    /// again; if all tries are lost, so is the candidate, and if many candidates are lost, the executor is broken.
    pub fn run(
        &self,
        slot: usize,
        candidate: &Candidate,
        wants_output: bool,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        self.ask(slot, Request { wants_output, ..self.request(candidate) }, cancel)
    }

    /// Like [`Supervisor::run`] with output, and notes when the command first opens the candidate.
    pub fn run_watched(
        &self,
        slot: usize,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        let request = self.request(candidate);
        self.ask(slot, Request { wants_output: true, wants_opening: true, ..request }, cancel)
    }

    /// A request within the current limits.
    pub(super) fn request<'a>(&self, candidate: &'a Candidate) -> Request<'a> {
        Request::new(
            candidate,
            Limits { time: self.timer.current().min(self.limits.time), ..self.limits },
        )
    }

    /// Asks the executor, and repeats lost runs.
    pub(super) fn ask(
        &self,
        slot: usize,
        mut request: Request<'_>,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        loop {
            let lost = match self.executor.execute(slot, &request, cancel) {
                Err(Error::Lost(why)) => why,
                // A cancelled run says nothing about the executor.
                Ok(outcome) if outcome.status != Status::Cancelled => {
                    self.losses.forget();
                    return Ok(outcome);
                }
                answer => return answer,
            };
            request.losses += 1;
            let in_a_row = self.losses.count(slot);
            if in_a_row >= LOST_IN_A_ROW * TRIES {
                let message = format!("the executor failed {in_a_row} times in a row: {lost}");
                return Err(Error::Broken(std::io::Error::other(message)));
            }
            // We also pause after the last try: the slot's next candidate would meet the same outage.
            if wait(self.pause_after(in_a_row), cancel) {
                return Ok(Outcome::new(Status::Cancelled, Duration::ZERO));
            }
            if request.losses == TRIES {
                return Err(Error::Lost(lost));
            }
        }
    }

    /// What the user should know about the executor.
    pub(super) fn take_notes(&self) -> Vec<String> {
        self.executor.take_notes()
    }

    /// Sets the time limit by the time that the original took.
    pub fn adapt(&self, original: Duration) {
        self.timer.adapt(original);
    }

    /// Shortens an adaptive time limit by the time that an interesting candidate took.
    pub(super) fn learn(&self, interesting: Duration) {
        self.timer.learn(interesting);
    }

    /// The usual time limit of a candidate.
    pub fn time_limit(&self) -> Duration {
        self.timer.usual()
    }

    /// Sets a longer time limit than usual, or the usual one again; says whether there is a longer one.
    pub(super) fn set_longer(&self, is_longer: bool) -> bool {
        self.timer.set_longer(is_longer)
    }

    fn pause_after(&self, losses: u32) -> Duration {
        self.pause.saturating_mul(1 << (losses - 1).min(16)).min(LONGEST_PAUSE)
    }
}

/// Waits until the pause is over or the run is cancelled; says whether it was cancelled.
fn wait(pause: Duration, cancel: &Cancel) -> bool {
    let (wake, woken) = mpsc::channel();
    let _hook = cancel.on_cancel(move || {
        let _ = wake.send(());
    });
    woken.recv_timeout(pause).is_ok()
}

/// The number of runs that each slot has lost since any slot completed one.
#[derive(Default)]
struct Losses(Mutex<Vec<u32>>);

impl Losses {
    /// Counts one more loss of a slot; returns the slot's losses.
    fn count(&self, slot: usize) -> u32 {
        let mut counts = self.0.lock().expect("nothing panics with this lock");
        if counts.len() <= slot {
            counts.resize(slot + 1, 0);
        }
        counts[slot] += 1;
        counts[slot]
    }

    fn forget(&self) {
        self.0.lock().expect("nothing panics with this lock").clear();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::Reduction;
    use crate::oracle::command::CommandOracle;
    use crate::oracle::{Oracle, Property, Reason, Requirement, Verdict};

    /// Loses the runs that `F` chooses.
    struct Unreliable<F> {
        runs: AtomicUsize,
        loses: F,
    }

    impl<F: Fn(usize, &Request<'_>) -> bool + Send + Sync> Execute for Unreliable<F> {
        fn execute(&self, _: usize, request: &Request<'_>, _: &Cancel) -> Result<Outcome, Error> {
            let run = self.runs.fetch_add(1, Ordering::SeqCst);
            if (self.loses)(run, request) {
                return Err(Error::Lost(format!("worker {run} died")));
            }
            Ok(Outcome::new(Status::Exit(0), Duration::ZERO))
        }
    }

    type Loses = fn(usize, &Request<'_>) -> bool;

    /// An oracle over an unreliable executor; every run that isn't lost is interesting.
    fn oracle(loses: Loses) -> (Arc<Unreliable<Loses>>, CommandOracle) {
        let executor = Arc::new(Unreliable { runs: AtomicUsize::new(0), loses });
        let mut supervisor =
            Supervisor::new(executor.clone(), Limits::default(), TimeLimit::Adaptive);
        supervisor.pause = Duration::ZERO;
        (executor, CommandOracle::new(supervisor, Property::new(vec![Requirement::Exit(0)])))
    }

    fn judge(oracle: &CommandOracle, slot: usize, text: &[u8]) -> Verdict {
        oracle.judge(slot, &Candidate::whole(&Arc::new(text.to_vec())), &Cancel::default())
    }

    #[test]
    fn a_lost_run_is_tried_again_and_the_executor_is_told_that_it_is() {
        let (executor, oracle) = oracle(|_, request| request.losses < TRIES - 1);
        assert_eq!(judge(&oracle, 0, b"x"), Verdict::Interesting);
        assert_eq!(executor.runs.load(Ordering::SeqCst), TRIES as usize);
    }

    #[test]
    fn a_candidate_that_kills_its_worker_is_unresolved_and_others_are_not() {
        let (executor, oracle) = oracle(|_, request| request.candidate.bytes() == b"poison");
        for _ in 0..10 {
            let Verdict::Unresolved(Reason::Lost(why)) = judge(&oracle, 0, b"poison") else {
                panic!("not lost");
            };
            assert!(why.starts_with("worker "), "{why}");
            assert_eq!(judge(&oracle, 0, b"x"), Verdict::Interesting);
        }
        assert_eq!(executor.runs.load(Ordering::SeqCst), 10 * (TRIES as usize + 1));
    }

    #[test]
    fn an_executor_that_loses_everything_is_broken() {
        let (executor, oracle) = oracle(|_, _| true);
        for _ in 1..LOST_IN_A_ROW {
            assert!(matches!(judge(&oracle, 0, b"x"), Verdict::Unresolved(Reason::Lost(_))));
        }
        let why = "the executor failed 15 times in a row: worker 14 died".into();
        assert_eq!(judge(&oracle, 0, b"x"), Verdict::Unresolved(Reason::Broken(why)));
        assert_eq!(executor.runs.load(Ordering::SeqCst), (LOST_IN_A_ROW * TRIES) as usize);
    }

    #[test]
    fn an_outage_that_costs_every_slot_a_candidate_is_survived() {
        let (_, oracle) = oracle(|run, _| run < 100 * TRIES as usize);
        for slot in 0..100 {
            assert!(matches!(judge(&oracle, slot, b"x"), Verdict::Unresolved(Reason::Lost(_))));
        }
        assert_eq!(judge(&oracle, 7, b"x"), Verdict::Interesting);
    }

    #[test]
    fn a_run_that_is_lost_because_it_was_cancelled_is_cancelled_at_once() {
        let (executor, oracle) = oracle(|_, _| true);
        let oracle = CommandOracle {
            supervisor: Supervisor { pause: Duration::MAX, ..oracle.supervisor },
            ..oracle
        };
        let cancel = Cancel::default();
        cancel.cancel();
        let verdict = oracle.judge(0, &Candidate::whole(&Arc::default()), &cancel);
        assert_eq!(verdict, Verdict::Unresolved(Reason::Cancelled));
        assert_eq!(executor.runs.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_reduction_over_an_executor_that_loses_everything_fails_with_its_last_error() {
        let (_, oracle) = oracle(|_, _| true);
        let text: String = (0..50).map(|line| format!("{line}\n")).collect();
        let reduction = Reduction::new(Arc::new(text.into_bytes()), &oracle);
        let Err(crate::Error::Broken(why)) = reduction.run() else {
            panic!("a reduction without a single answer succeeds");
        };
        // The number depends on how far the worker ran ahead.
        assert!(why.starts_with("the executor failed ") && why.ends_with(" died"), "{why}");
    }

    /// Loses all tries of a candidate when it is first judged.
    #[derive(Default)]
    struct Slow(Mutex<HashSet<Vec<u8>>>);

    impl Execute for Slow {
        fn execute(&self, _: usize, request: &Request<'_>, _: &Cancel) -> Result<Outcome, Error> {
            let text = request.candidate.bytes();
            let is_interesting = text.contains(&b'a');
            let mut lost = self.0.lock().unwrap();
            if request.losses == 0 && lost.contains(&text) {
                let code = i32::from(!is_interesting);
                return Ok(Outcome::new(Status::Exit(code), Duration::ZERO));
            }
            lost.insert(text);
            Err(Error::Lost("not yet".into()))
        }
    }

    #[test]
    fn a_lost_candidate_is_not_cached_and_can_still_be_found_interesting() {
        let mut supervisor =
            Supervisor::new(Arc::new(Slow::default()), Limits::default(), TimeLimit::Adaptive);
        supervisor.pause = Duration::ZERO;
        let oracle = CommandOracle::new(supervisor, Property::new(vec![Requirement::Exit(0)]));
        let mut reduction = Reduction::new(Arc::new(b"a\nb\n".to_vec()), &oracle);
        reduction.strategy = "ddmin:lines+ddmin:lines".parse().unwrap();
        assert_eq!(*reduction.run().unwrap().best.text, b"a\n");
    }

    #[test]
    fn pauses_double_up_to_ten_seconds() {
        let supervisor = Supervisor::new(
            Arc::new(Unreliable {
                runs: AtomicUsize::new(0),
                loses: |_: usize, _: &Request<'_>| true,
            }),
            Limits::default(),
            TimeLimit::Adaptive,
        );
        let millis: Vec<u128> =
            [1, 2, 3, 7, 8, 100].map(|n| supervisor.pause_after(n).as_millis()).into();
        assert_eq!(millis, [100, 200, 400, 6_400, 10_000, 10_000]);
    }
}
