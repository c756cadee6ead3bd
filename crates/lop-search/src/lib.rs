//! The seam between algorithms and the world.
//!
//! An algorithm is sequential code that asks one question: which of these candidates, in this
//! order, is the first interesting one? Who answers, with how many processes and from which
//! cache, is below the seam. The candidates are pulled lazily and possibly further than the
//! answer, so the iterator must be what the algorithm *would* try next if everything before
//! failed. That is all a pool needs to keep its workers busy.
//!
//! An algorithm that asks many short questions can say what it is likely to ask next. Whoever answers may look at
//! that ahead of time, or not at all.
//!
//! Invariant: with a deterministic oracle the answer depends on the candidates only, not on who
//! answers, how many workers there are, or what comes next.

mod subset;

pub use subset::Subset;

/// Finds the first interesting candidate.
pub trait Search<C> {
    /// The first interesting candidate in the order given, and its index; `None` if there is none
    /// or if the run is to stop.
    fn first(&mut self, candidates: &mut dyn Iterator<Item = C>) -> Option<(usize, C)>;

    /// The same, by someone who knows what is likely to be asked next.
    fn first_before(
        &mut self,
        candidates: &mut dyn Iterator<Item = C>,
        _next: &mut dyn Iterator<Item = C>,
    ) -> Option<(usize, C)> {
        self.first(candidates)
    }

    /// Which of some candidates are interesting, each by itself; none of them is taken. For whoever wants
    /// to take several that do not depend on each other: where many are interesting, this
    /// keeps all workers busy, while the first one alone would make the others stale.
    fn each(&mut self, candidates: Vec<C>) -> Vec<bool>;
}

/// Asks a predicate in process, one candidate at a time.
pub struct Inline<F>(pub F);

impl<C, F: FnMut(&C) -> bool> Search<C> for Inline<F> {
    fn first(&mut self, candidates: &mut dyn Iterator<Item = C>) -> Option<(usize, C)> {
        candidates.enumerate().find(|(_, candidate)| (self.0)(candidate))
    }

    fn each(&mut self, candidates: Vec<C>) -> Vec<bool> {
        candidates.iter().map(|candidate| (self.0)(candidate)).collect()
    }
}

/// Asks someone who thinks in other terms.
pub struct Translated<'s, K, T, N> {
    /// Who is asked.
    pub search: &'s mut dyn Search<K>,
    /// What a candidate is in those terms.
    pub translate: T,
    /// What is likely to be asked after all of this, in those terms.
    pub next: N,
}

impl<C, K, I, T, N> Search<C> for Translated<'_, K, T, N>
where
    T: Fn(&C) -> K,
    I: Iterator<Item = K>,
    N: Fn() -> I,
{
    fn first(&mut self, candidates: &mut dyn Iterator<Item = C>) -> Option<(usize, C)> {
        self.first_before(candidates, &mut std::iter::empty())
    }

    fn first_before(
        &mut self,
        candidates: &mut dyn Iterator<Item = C>,
        next: &mut dyn Iterator<Item = C>,
    ) -> Option<(usize, C)> {
        let Translated { search, translate, next: later } = self;
        let mut asked = Vec::new();
        let mut translated = candidates.map(|candidate| {
            let other = translate(&candidate);
            asked.push(candidate);
            other
        });
        let mut next = next.map(|candidate| translate(&candidate)).chain(later());
        let (index, _) = search.first_before(&mut translated, &mut next)?;
        Some((index, asked.swap_remove(index)))
    }

    fn each(&mut self, candidates: Vec<C>) -> Vec<bool> {
        self.search.each(candidates.iter().map(&self.translate).collect())
    }
}
