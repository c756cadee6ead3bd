//! Who says whether a candidate is interesting.
//!
//! The pool asks an [`Oracle`] from several threads at once, each with a slot number of its own,
//! and may cancel a question whose answer no longer matters. [`command::CommandOracle`] runs a
//! process; a closure is an oracle too.

pub mod command;
mod confirm;
mod property;
mod scratch;
mod signature;

pub use confirm::{Confirm, Votes};
pub use property::{Outcome, Property, Requirement, parse_signal};
pub use signature::Signature;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::candidate::Candidate;

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// What must stay is there.
    Interesting,
    /// It is not.
    Boring,
    /// Nobody knows; never cached.
    Unresolved(Reason),
}

/// Why nobody knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The test took too long; with more time it may still answer.
    TimedOut,
    /// The test took too much memory.
    Memory,
    /// The test started too many processes.
    Processes,
    /// The answer is no longer wanted.
    Cancelled,
    /// The test could not be run at all; the run cannot go on.
    Broken(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::TimedOut => f.write_str("it ran out of time"),
            Reason::Memory => f.write_str("it took more memory than allowed"),
            Reason::Processes => f.write_str("it started more processes than allowed"),
            Reason::Cancelled => f.write_str("it was cancelled"),
            Reason::Broken(why) => f.write_str(why),
        }
    }
}

/// Judges candidates.
pub trait Oracle: Send + Sync {
    /// Judges one candidate. `slot` is the asking worker's number: no two questions of the same
    /// slot overlap.
    fn judge(&self, slot: usize, candidate: &Candidate, cancel: &Cancel) -> Verdict;

    /// Chooses between the usual patience with slow candidates and a greater one; says whether
    /// there is a difference.
    fn set_patient(&self, patient: bool) -> bool {
        let _ = patient;
        false
    }
}

impl<F: Fn(&[u8]) -> bool + Send + Sync> Oracle for F {
    fn judge(&self, _slot: usize, candidate: &Candidate, _cancel: &Cancel) -> Verdict {
        if self(&candidate.bytes()) { Verdict::Interesting } else { Verdict::Boring }
    }
}

/// A wish to stop that can be made from any thread. Clones share it.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Shared>);

#[derive(Default)]
struct Shared {
    wished: AtomicBool,
    hooks: Mutex<Vec<(usize, Hook)>>,
}

type Hook = Box<dyn Fn() + Send>;

impl Cancel {
    /// Wishes it and runs the hooks that are registered now.
    pub fn cancel(&self) {
        let hooks = self.0.hooks.lock().expect("no hook panics");
        self.0.wished.store(true, Ordering::SeqCst);
        hooks.iter().for_each(|(_, hook)| hook());
    }

    /// Whether it is wished.
    pub fn is_cancelled(&self) -> bool {
        self.0.wished.load(Ordering::SeqCst)
    }

    /// Runs a hook at the wish, or at once if it was made before. When the guard is dropped the
    /// hook is neither running nor will it ever run again.
    pub fn on_cancel(&self, hook: impl Fn() + Send + 'static) -> HookGuard<'_> {
        let mut hooks = self.0.hooks.lock().expect("no hook panics");
        if self.is_cancelled() {
            hook();
        }
        let id = hooks.iter().map(|(id, _)| id + 1).max().unwrap_or(0);
        hooks.push((id, Box::new(hook)));
        HookGuard { cancel: self, id }
    }
}

/// Keeps a hook registered.
#[must_use]
pub struct HookGuard<'a> {
    cancel: &'a Cancel,
    id: usize,
}

impl Drop for HookGuard<'_> {
    fn drop(&mut self) {
        let mut hooks = self.cancel.0.hooks.lock().expect("no hook panics");
        hooks.retain(|(id, _)| *id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn hooks_run_at_the_wish_or_at_once_and_not_after_their_guard_is_gone() {
        let ran = Arc::new(AtomicUsize::new(0));
        let count = |by: usize| {
            let ran = ran.clone();
            move || {
                ran.fetch_add(by, Ordering::SeqCst);
            }
        };
        let cancel = Cancel::default();
        drop(cancel.on_cancel(count(100)));
        let _early = cancel.on_cancel(count(1));
        assert_eq!(ran.load(Ordering::SeqCst), 0);
        cancel.cancel();
        assert_eq!(ran.load(Ordering::SeqCst), 1);
        let _late = cancel.on_cancel(count(10));
        assert_eq!(ran.load(Ordering::SeqCst), 11);
    }
}
