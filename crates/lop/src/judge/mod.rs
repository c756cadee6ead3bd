//! Judges candidates: looks them up, hands the others to workers, and *commits* answers strictly in their order.
//!
//! Workers run ahead of the commit, never the other way round, so with a deterministic oracle neither the result nor the
//! number of tests depends on how many workers there are. Idle workers look at what is likely to be asked next; the
//! answers wait in the cache until their turn comes.
//!
//! Invariants: the best is interesting, and every new best is smaller than the one before in the total order of
//! [`Measured`]; what is interesting but not smaller is refused like what is boring, so no run can go in circles. A
//! verdict that is certain is asked for once.

mod bench;
mod cache;
mod judging;
mod refusals;

pub(crate) use bench::{Bench, ParserTerms, Proposal, Terms};
pub(crate) use cache::Cache;
pub(crate) use judging::Judge;
