//! Judges candidates: looks them up, hands the others to workers, and *commits* answers strictly in their order.
//!
//! Workers run ahead of the commit, never the other way round, so with a deterministic oracle neither the result nor
//! the number of tests depends on how many workers there are. Idle workers test what is likely to be asked next; their
//! answers wait in the cache until their turn comes.
//!
//! Invariants: the best is interesting, and every new best is smaller than the one before in the total order of
//! [`Measured`]; a candidate that is interesting but not smaller is refused like a boring one, so no run can go in
//! circles. The oracle is asked only once for a certain verdict.
//!
//! Where there are more workers than a question has candidates, a [scout](scouting) predicts what else will be asked if
//! nothing is found.

mod bench;
mod cache;
mod judging;
mod pending;
mod refusals;
mod scouting;

use std::sync::Arc;

use crate::search::Answer;
use crate::session::Session;
use crate::text::{Key, Measured};

pub(crate) use bench::{Bench, ParserTerms, Proposal, Terms};
pub(crate) use cache::Cache;
pub(crate) use judging::Panel;
pub(crate) use scouting::Scouting;

/// Answers what a search asks, and keeps the best.
pub(crate) trait Judge {
    /// The smallest interesting text so far.
    fn best(&self) -> &Arc<Measured>;

    /// The identity of the best.
    fn best_key(&self) -> Key;

    /// Goes on with a text that is known to be interesting and smaller.
    fn set_best(&mut self, best: Arc<Measured>);

    /// Sets whether refused changes are left out from now on, or asked for again until something is found.
    fn leave_out_refused(&mut self, leave_out: bool);

    /// Gives tests a longer limit, until something is found; `false` if there is no difference.
    fn set_longer_limit(&mut self, longer: bool) -> bool;

    /// Drops the candidates ahead of the search: something else will be asked.
    fn forget_ahead(&mut self);

    /// The first candidate that is interesting and smaller than the best; it becomes the best.
    fn first(
        &mut self,
        session: &mut Session<'_>,
        terms: &Terms,
        proposals: &mut dyn Iterator<Item = Proposal>,
        next: &mut dyn Iterator<Item = Proposal>,
    ) -> Answer;

    /// Which candidates are interesting, each by itself. All of them are asked about, whatever the
    /// answers, so it does not matter when these come.
    fn each(
        &mut self,
        session: &mut Session<'_>,
        terms: &Terms,
        proposals: &mut dyn ExactSizeIterator<Item = Proposal>,
    ) -> Vec<bool>;
}
