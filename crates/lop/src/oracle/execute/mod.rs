//! Where a command runs: the trait below [`CommandOracle`](super::command::CommandOracle).
//!
//! An executor runs one command on candidates and reports how it ends; the oracle decides whether that is interesting, and
//! whether to ask again. [`Local`] runs it on this machine, each worker in a private directory. [`Served`] does so with a command that stays
//! and judges one candidate after the other. A
//! sandbox is a `Local` that [wraps](Local::wrapped) its launches. A remote executor holds the command in the form that its machines need,
//! and sends them the candidate's bytes: a [`Request`] names no file of this machine.
//!
//! Running commands needs a Unix. On Linux it needs version 5.3 (`pidfd_open`); with `/proc`, no process that a test
//! starts outlives it. Elsewhere, one that leaves its process group may: see [`Local::leaves_nothing_behind`].

mod beside;
mod helpers;
mod local;
mod scratch;
mod served;
mod server;

pub use crate::process::Launch;
pub use beside::Beside;
pub use helpers::write_helpers;
pub use local::{Local, OUTPUT, Setup};
pub use scratch::Scratch;
pub use served::Served;

use std::io;

use super::Outcome;
use crate::process::Limits;
use crate::search::Cancel;
use crate::text::Candidate;

/// Runs a command on candidates.
pub trait Execute: Send + Sync {
    /// Runs the command once. `slot` is the asking worker's number: no two requests of the same slot overlap. A request that is
    /// cancelled ends soon, with [`Status::Cancelled`](crate::Status::Cancelled) or with any error.
    fn execute(
        &self,
        slot: usize,
        request: &Request<'_>,
        cancel: &Cancel,
    ) -> Result<Outcome, Error>;

    /// What the user should know about the executor, since the last call.
    fn take_notes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A request for one run.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The candidate.
    pub candidate: &'a Candidate,
    /// Whether the output of the command is read; if not, the outcome has none.
    pub wants_output: bool,
    /// Whether the executor notes when the command first opens the candidate.
    pub wants_opening: bool,
    /// Which outcomes may come from a process that has judged other candidates before. Without it, and for all other
    /// outcomes, the command is started anew.
    pub may_be_served: Option<&'a (dyn Fn(&Outcome) -> bool + Sync)>,
    /// The resources it may use.
    pub limits: Limits,
    /// The number of times this run was lost before. An executor that caches outcomes must not answer a lost run from its cache.
    pub losses: u32,
}

impl<'a> Request<'a> {
    /// A first request, without output, for a run in a new process.
    pub fn new(candidate: &'a Candidate, limits: Limits) -> Self {
        let (wants_output, wants_opening, may_be_served) = (false, false, None);
        Request { candidate, wants_output, wants_opening, may_be_served, limits, losses: 0 }
    }
}

/// Why a run has no outcome. Neither reason is the fault of the test.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// This run was lost: its worker died, or the connection did. Another try may succeed.
    #[error("{0}")]
    Lost(String),
    /// No test can be run any more: the program is missing, or there is no disk space for candidates.
    #[error(transparent)]
    Broken(#[from] io::Error),
}

impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        match error {
            Error::Broken(error) => error,
            lost => io::Error::other(lost),
        }
    }
}
