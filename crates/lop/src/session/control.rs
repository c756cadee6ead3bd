//! What someone who watches a run may do to it, and see of its workers.
//!
//! Workers look here before each test, and note it. That is asked for and not told: thousands of tests a second would
//! flood an observer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::search::Cancel;
use crate::text::Candidate;

/// Pauses a run, skips its phases, and shows what its workers are doing. Clones share it.
///
/// A pause changes nothing but the time. A phase that is skipped ends as if it had nothing left to try until the text
/// changes: the journal notes where, so a run that is resumed is repeated with it, and the end of the run says that it
/// is not complete.
#[derive(Clone, Default)]
pub struct Control(Arc<Shared>);

#[derive(Default)]
struct Shared {
    paused: Mutex<bool>,
    /// Wakes up workers that wait for the end of a pause.
    changed: Condvar,
    skips: AtomicBool,
    /// The test of each worker.
    tests: Mutex<Vec<Option<Testing>>>,
}

/// A test that is running.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Testing {
    /// Since when.
    pub since: Instant,
    /// The length of the candidate.
    pub bytes: usize,
    /// Where the candidate first differs from the best when it was made; `None` if all of it is new.
    pub at: Option<usize>,
}

impl Control {
    /// Lets workers start no test from here on, or goes on. Tests that are running are not touched.
    pub fn pause(&self, paused: bool) {
        *self.paused() = paused;
        self.0.changed.notify_all();
    }

    /// Whether the run is paused.
    pub fn is_paused(&self) -> bool {
        *self.paused()
    }

    /// Skips the rest of the phase that is running.
    pub fn skip(&self) {
        self.0.skips.store(true, Ordering::SeqCst);
    }

    /// The test that each worker is running, if any.
    pub fn tests(&self) -> Vec<Option<Testing>> {
        self.lock_tests().clone()
    }

    /// Whether the phase is to be skipped; asks only once.
    pub(super) fn take_skip(&self) -> bool {
        self.0.skips.swap(false, Ordering::SeqCst)
    }

    /// Waits for the end of a pause, if there is one. A job that is cancelled waits no longer.
    pub(super) fn wait(&self, cancel: &Cancel) {
        if !self.is_paused() {
            return;
        }
        let shared = self.0.clone();
        let _wake = cancel.on_cancel(move || {
            // With the lock held, the wake-up cannot fall between a check and the wait.
            let _paused = shared.paused.lock().unwrap_or_else(PoisonError::into_inner);
            shared.changed.notify_all();
        });
        let mut paused = self.paused();
        while *paused && !cancel.is_cancelled() {
            paused = self.0.changed.wait(paused).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Notes the test of a worker until the result is dropped, also if the oracle panics.
    pub(super) fn begin_test(&self, slot: usize, candidate: &Candidate) -> impl Drop {
        let at = candidate.edits().first().map(|edit| edit.range.start);
        let test = Testing { since: Instant::now(), bytes: candidate.len(), at };
        let mut tests = self.lock_tests();
        if tests.len() <= slot {
            tests.resize(slot + 1, None);
        }
        tests[slot] = Some(test);
        Noted(self, slot)
    }

    fn paused(&self) -> MutexGuard<'_, bool> {
        self.0.paused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_tests(&self) -> MutexGuard<'_, Vec<Option<Testing>>> {
        self.0.tests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Noted<'c>(&'c Control, usize);

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        self.0.lock_tests()[self.1] = None;
    }
}
