//! The seam between algorithms and the world.
//!
//! An algorithm is sequential code that asks one question: which of these candidates, in this
//! order, is the first interesting one? Who answers, with how many processes and from which
//! cache, is below the seam. The candidates are pulled lazily and possibly further than the
//! answer, so the iterator must be what the algorithm *would* try next if everything before
//! failed. That is all a pool needs to keep its workers busy.
//!
//! Invariant: with a deterministic oracle the answer depends on the candidates only, not on who
//! answers or how many workers there are.

mod subset;

pub use subset::Subset;

/// Finds the first interesting candidate.
pub trait Search<C> {
    /// The first interesting candidate in the order given, and its index; `None` if there is none
    /// or if the run is to stop.
    fn first(&mut self, candidates: &mut dyn Iterator<Item = C>) -> Option<(usize, C)>;
}

/// Asks a predicate in process, one candidate at a time.
pub struct Inline<F>(pub F);

impl<C, F: FnMut(&C) -> bool> Search<C> for Inline<F> {
    fn first(&mut self, candidates: &mut dyn Iterator<Item = C>) -> Option<(usize, C)> {
        candidates.enumerate().find(|(_, candidate)| (self.0)(candidate))
    }
}
