//! An executor with the limits within which it runs.

use std::sync::Arc;
use std::time::Duration;

use super::time::{TimeLimit, Timer};
use crate::search::Cancel;
use crate::candidate::Candidate;
use crate::oracle::Outcome;
use crate::oracle::execute::{Error, Execute, Request};
use crate::process::Limits;

/// Asks an executor to run its command on candidates, within limits.
pub struct Runner {
    executor: Arc<dyn Execute>,
    limits: Limits,
    timer: Timer,
}

impl Runner {
    /// Runs what the executor runs; its time is limited by `time`, whatever `limits` says about it.
    pub fn new(executor: Arc<dyn Execute>, limits: Limits, time: TimeLimit) -> Self {
        Runner { executor, limits, timer: Timer::new(time) }
    }

    /// Runs the command on a candidate; its output is read if wanted, else it is empty.
    pub fn run(
        &self,
        slot: usize,
        candidate: &Candidate,
        wants_output: bool,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        let limits = Limits { time: self.timer.current(), ..self.limits };
        let request = Request { wants_output, ..Request::new(candidate, limits) };
        self.executor.execute(slot, &request, cancel)
    }

    /// Sets the time limit by the time that the original took.
    pub fn adapt(&self, original: Duration) {
        self.timer.adapt(original);
    }

    /// The time that a candidate may take at its first try.
    pub fn time_limit(&self) -> Duration {
        self.timer.usual()
    }

    /// Chooses between the usual time limit and a longer one; says whether there is a longer one.
    pub(super) fn set_longer(&self, is_longer: bool) -> bool {
        self.timer.set_longer(is_longer)
    }
}
