//! What workers have really run.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::oracle::{Oracle, Reason, Verdict};
use crate::search::Cancel;
use crate::text::Candidate;

/// Counts the tests that workers run, and measures those that time out.
#[derive(Default)]
pub(crate) struct Executed {
    tests: AtomicU64,
    /// The time of tests that timed out, of all workers together, in microseconds.
    timed_out: AtomicU64,
}

impl Executed {
    /// Lets an oracle judge a candidate.
    pub(crate) fn judge(
        &self,
        oracle: &dyn Oracle,
        slot: usize,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Verdict {
        self.tests.fetch_add(1, Ordering::Relaxed);
        let started = Instant::now();
        let verdict = oracle.judge(slot, candidate, cancel);
        if verdict == Verdict::Unresolved(Reason::TimedOut) {
            let time = started.elapsed().as_micros() as u64;
            self.timed_out.fetch_add(time, Ordering::Relaxed);
        }
        verdict
    }

    pub(crate) fn tests(&self) -> u64 {
        self.tests.load(Ordering::Relaxed)
    }

    pub(crate) fn timed_out(&self) -> Duration {
        Duration::from_micros(self.timed_out.load(Ordering::Relaxed))
    }
}
