//! The tests that workers have really run.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::control::Control;
use super::event::seconds;
use crate::oracle::{Oracle, Reason, Verdict};
use crate::search::Cancel;
use crate::text::Candidate;

/// Counts the tests that workers run, and measures them.
#[derive(Default)]
pub(crate) struct Executed {
    control: Control,
    tests: AtomicU64,
    running: Mutex<Running>,
    /// The total time of tests that timed out, over all workers, in microseconds.
    timed_out: AtomicU64,
    /// The number of tests by the magnitude of their time: element n has those of 2ⁿ⁻¹ to 2ⁿ microseconds.
    times: [AtomicU64; MAGNITUDES],
}

/// The number of magnitudes: 2³¹ microseconds are more than half an hour.
const MAGNITUDES: usize = 32;

/// A magnitude of time, and the number of tests in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TestTimes {
    /// They took less than this, and at least half of it.
    #[serde(serialize_with = "seconds", rename = "seconds")]
    pub below: Duration,
    /// The number of tests.
    pub tests: u64,
}

impl Executed {
    /// Counts the tests of workers that are controlled by this.
    pub(super) fn new(control: Control) -> Self {
        Executed { control, ..Executed::default() }
    }

    /// Lets an oracle judge a candidate, after waiting for the end of a pause.
    pub(crate) fn judge(
        &self,
        oracle: &dyn Oracle,
        slot: usize,
        candidate: &Candidate,
        cancel: &Cancel,
    ) -> Verdict {
        self.control.wait(cancel);
        if cancel.is_cancelled() {
            return Verdict::Unresolved(Reason::Cancelled);
        }
        self.tests.fetch_add(1, Ordering::Relaxed);
        let started = Instant::now();
        let verdict = {
            let _noted = self.control.begin_test(slot, candidate);
            let _running = self.begin();
            oracle.judge(slot, candidate, cancel)
        };
        let time = started.elapsed().as_micros() as u64;
        let magnitude = (u64::BITS - time.leading_zeros()) as usize;
        self.times[magnitude.min(MAGNITUDES - 1)].fetch_add(1, Ordering::Relaxed);
        if verdict == Verdict::Unresolved(Reason::TimedOut) {
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

    /// The times of tests, from the shortest to the longest.
    pub(crate) fn times(&self) -> Vec<TestTimes> {
        let below = |magnitude: usize| Duration::from_micros(1 << magnitude);
        let counts = self.times.iter().map(|count| count.load(Ordering::Relaxed)).enumerate();
        let used = counts.filter(|(_, tests)| *tests > 0);
        used.map(|(magnitude, tests)| TestTimes { below: below(magnitude), tests }).collect()
    }

    /// The time in which at least one test was running.
    pub(crate) fn testing(&self) -> Duration {
        let running = self.running();
        running.before + running.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Counts a test as running until the result is dropped, also if the oracle panics.
    fn begin(&self) -> impl Drop {
        let mut running = self.running();
        running.tests += 1;
        running.since.get_or_insert_with(Instant::now);
        Ended(self)
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tests that are running now.
#[derive(Default)]
struct Running {
    tests: usize,
    /// When the present tests began: the first of those without a gap.
    since: Option<Instant>,
    /// For how long at least one test was running before that.
    before: Duration,
}

struct Ended<'e>(&'e Executed);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        let mut running = self.0.running();
        running.tests -= 1;
        if running.tests == 0
            && let Some(since) = running.since.take()
        {
            running.before += since.elapsed();
        }
    }
}
