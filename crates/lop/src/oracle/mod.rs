//! Oracles decide whether a candidate is interesting.
//!
//! The pool's workers ask an [`Oracle`] at the same time, each with a slot number of its own,
//! and a question whose answer no longer matters is cancelled. [`command::CommandOracle`] runs a
//! command, on the machine that its [executor](execute::Execute) uses; a closure is an oracle too.

mod aside;
mod clues;
pub mod command;
mod confirm;
pub mod execute;
mod property;
mod signature;
mod sources;

pub use aside::{Aside, Finding};
pub use clues::clues;
pub use confirm::{Confirm, InvalidVotes, Votes};
pub use property::{Outcome, Property, Requirement};
pub use signature::Signature;
pub use sources::Sources;

use std::fmt;

use crate::search::Cancel;
use crate::text::Candidate;

/// The oracle's answer on one candidate. There are always these three; only [`Reason`] may grow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The property holds.
    Interesting,
    /// It does not.
    Boring,
    /// The test gave no answer (timed out, out of memory …); never cached.
    Unresolved(Reason),
}

impl Verdict {
    /// Whether the candidate is interesting, if that is certain.
    pub(crate) fn certain(&self) -> Option<bool> {
        match self {
            Verdict::Interesting => Some(true),
            Verdict::Boring => Some(false),
            Verdict::Unresolved(_) => None,
        }
    }
}

/// Why a test gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The test took too long; with more time it may still answer.
    TimedOut,
    /// The test took too much memory.
    Memory,
    /// The test started too many processes.
    Processes,
    /// The test was cancelled, since its answer is no longer needed.
    Cancelled,
    /// The executor failed, not the test, and failed again when the run was repeated. It may still answer on other
    /// candidates.
    Lost(String),
    /// No test can be run any more; the reduction cannot go on.
    Broken(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::TimedOut => f.write_str("it ran out of time"),
            Reason::Memory => f.write_str("it took more memory than allowed"),
            Reason::Processes => f.write_str("it started more processes than allowed"),
            Reason::Cancelled => f.write_str("it was cancelled"),
            Reason::Lost(why) => write!(f, "its run was lost: {why}"),
            Reason::Broken(why) => f.write_str(why),
        }
    }
}

/// Judges candidates.
pub trait Oracle: Send + Sync {
    /// Judges one candidate. `slot` is the asking worker's number: no two questions of the same
    /// slot overlap.
    fn judge(&self, slot: usize, candidate: &Candidate, cancel: &Cancel) -> Verdict;

    /// Gives tests a longer time limit than usual, or the usual one again; returns whether that makes a difference.
    fn set_longer_limit(&self, longer: bool) -> bool {
        let _ = longer;
        false
    }

    /// Findings besides the property, since the last call.
    fn take_findings(&self) -> Vec<Finding> {
        Vec::new()
    }

    /// What the user should know about the oracle, since the last call.
    fn take_notes(&self) -> Vec<String> {
        Vec::new()
    }
}

impl<F: Fn(&[u8]) -> bool + Send + Sync> Oracle for F {
    fn judge(&self, _slot: usize, candidate: &Candidate, _cancel: &Cancel) -> Verdict {
        if self(candidate.text()) { Verdict::Interesting } else { Verdict::Boring }
    }
}
