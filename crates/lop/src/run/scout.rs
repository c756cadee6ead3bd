//! The scout of a run: it runs the same strategy in a separate thread, with a judge that only reports what would be
//! asked.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, PoisonError};

use crate::judge::Scouting;
use crate::session::{Limits, Session};
use crate::text::Measured;

use super::engine::Engine;
use super::subject::Subject;

/// The run's side of its scout.
#[derive(Clone)]
pub(super) struct Scouts {
    pub(super) scouting: Arc<Scouting>,
    /// The subject as the run knows it now.
    subject: Arc<Mutex<Option<Subject>>>,
}

impl Scouts {
    pub(super) fn new(scouting: Arc<Scouting>) -> Self {
        Scouts { scouting, subject: Arc::default() }
    }

    /// Sends the scout out from a new best.
    pub(super) fn send_out(&self, subject: &Subject, from: &Arc<Measured>) {
        *self.subject.lock().unwrap_or_else(PoisonError::into_inner) = Some(subject.clone());
        self.scouting.send_out(from);
    }

    /// Runs a strategy from every best, until the run is over.
    pub(super) fn run(&self, seed: u64, run: &impl Fn(&mut Engine<'_, '_>)) {
        while let Some((scout, stop)) = self.scouting.errand() {
            let subject = self.subject.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some(subject) = subject else { continue };
            let session = Session::new(Limits::default(), stop);
            let mut engine = Engine::new(session, subject, Box::new(scout), None, seed);
            // Nothing depends on the scout. Whatever panics here will also panic in the run.
            let _ = panic::catch_unwind(AssertUnwindSafe(|| run(&mut engine)));
        }
    }
}

/// Calls the scout home when the run is over, also if the run panics.
pub(super) struct Home(pub(super) Arc<Scouting>);

impl Drop for Home {
    fn drop(&mut self) {
        self.0.close();
    }
}
