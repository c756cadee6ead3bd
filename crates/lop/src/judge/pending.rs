//! What is known of candidates whose turn has not come.

use crate::oracle::Reason;
use crate::search::pool::JobId;
use crate::text::{Key, Measured};

use super::bench::Job;
use super::refusals::Change;

/// The state of a candidate that may be asked for soon.
pub(super) enum Ahead {
    /// A worker tests it.
    Running(JobId),
    /// The test gave no answer.
    Unresolved(Reason),
    /// It isn't worth a test.
    Vetoed,
}

/// A candidate whose turn has not come yet.
pub(super) struct Pending {
    pub(super) content: Key,
    /// Its change, if refusals are remembered.
    pub(super) change: Option<Change>,
    pub(super) state: State,
}

pub(super) enum State {
    /// A worker tests it.
    Running(JobId),
    /// A worker tests its content for the scout, which may have other terms; the job is the question at hand.
    Scouted(JobId, Box<Job>),
    /// It is known to be boring; whether it is worth a test was not checked.
    Recalled(Box<Job>),
    /// It is the best itself, or not worth a test.
    Unchanged,
    /// The same content comes before it in the same question, as ddmin's halves do. That candidate is judged already,
    /// or will be when its answer comes.
    Repeated,
    /// It is boring, or interesting (then `true`) but not smaller than the best.
    Refused(bool),
    /// The test gave no answer; `true` if neither did that of an earlier run.
    Unresolved(Reason, bool),
    /// Interesting and smaller.
    Better(Measured),
}

impl Pending {
    pub(super) fn is_known(&self) -> bool {
        self.job().is_none()
    }

    /// The job for whose answer it waits.
    pub(super) fn job(&self) -> Option<JobId> {
        match self.state {
            State::Running(id) | State::Scouted(id, _) => Some(id),
            _ => None,
        }
    }

    pub(super) fn is_better(&self) -> bool {
        matches!(self.state, State::Better(_))
    }
}

impl State {
    /// The verdict, if it is certain.
    pub(super) fn verdict(&self) -> Option<bool> {
        match self {
            State::Refused(interesting) => Some(*interesting),
            State::Better(_) => Some(true),
            _ => None,
        }
    }
}

impl Ahead {
    pub(super) fn job(&self) -> Option<JobId> {
        match self {
            Ahead::Running(id) => Some(*id),
            Ahead::Unresolved(_) | Ahead::Vetoed => None,
        }
    }
}
