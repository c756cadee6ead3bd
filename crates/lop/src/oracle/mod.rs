//! Who says whether a candidate is interesting.
//!
//! The pool asks an [`Oracle`] from several threads at the same time, each with a slot number of its own,
//! and may cancel a question whose answer no longer matters. [`command::CommandOracle`] runs a
//! command, on whatever machine its [executor](execute::Execute) uses; a closure is an oracle too.

pub mod command;
mod confirm;
pub mod execute;
mod property;
mod signature;

pub use confirm::{Confirm, Votes};
pub use property::{Outcome, Property, Requirement};
pub use signature::Signature;

use std::fmt;

use crate::candidate::Candidate;
use crate::search::Cancel;

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
