//! Control of a run by a watching user: pause it, skip phases, and see what its workers are doing.
//!
//! Workers check for a pause before each test, and note the test. Observers have to ask for it: thousands of events a
//! second would flood them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::search::Cancel;
use crate::text::Candidate;

/// Pauses a run, skips its phases, and shows what its workers are doing. All clones control the same run.
///
/// A pause changes only the time. A phase that is skipped ends as if it had nothing left to try until the text changes:
/// the journal notes where, so a resumed run repeats the skip, and the end of the run reports that it is incomplete.
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
    /// When it began.
    pub since: Instant,
    /// The length of the candidate.
    pub bytes: usize,
    /// Where the candidate first differs from the best when it was made; `None` if all of it is new.
    pub at: Option<usize>,
}

impl Control {
    /// Stops workers from starting tests, or lets them continue. Running tests are not affected.
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

    /// Whether the phase has to be skipped; resets the request.
    pub(super) fn take_skip(&self) -> bool {
        self.0.skips.swap(false, Ordering::SeqCst)
    }

    /// Waits for the end of a pause, if there is one. A cancelled job stops waiting.
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
