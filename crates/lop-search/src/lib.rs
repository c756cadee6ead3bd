//! The seam between algorithms and the world.
//!
//! An algorithm is sequential code that asks one question: which of these candidates, in this order, is the first
//! interesting one? The search that answers, with its processes and caches, is below the seam. It pulls the candidates
//! lazily and possibly further than the answer, so the iterator must yield the candidates that the algorithm *would*
//! try next if all earlier ones failed. A pool needs no more to keep its workers busy.
//!
//! An algorithm that asks many short questions can announce its likely next questions. A search may judge those ahead
//! of time, or ignore them.
//!
//! The common parts of all searches are here as well: the [`pool`] of workers and the token that [`Cancel`]s them.
//!
//! Invariant: with a deterministic oracle the answer depends on the candidates only, not on the search, the number of
//! its workers, or later questions.

mod cancel;
pub mod pool;
mod subset;

pub use cancel::{Cancel, HookGuard, Until};
pub use subset::Subset;

/// The answer of a search. It identifies a candidate by its index: the algorithm has the recipe from which it made the
/// candidate, and makes it again. So no search stores candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Answer {
    /// The candidate of this index is interesting, and none before it is.
    Found(usize),
    /// None of them is interesting.
    Nothing,
    /// The run ends, or the budget for this question did. Every later question is immediately answered the same way, so
    /// the algorithm should return its current result.
    Stop,
}

impl Answer {
    /// The index of the candidate that was found.
    pub fn found(self) -> Option<usize> {
        match self {
            Answer::Found(index) => Some(index),
            Answer::Nothing | Answer::Stop => None,
        }
    }
}

/// Finds the first interesting candidate.
pub trait Search<C> {
    /// Finds the first interesting candidate in the given order, and accepts it.
    fn first(&mut self, candidates: &mut dyn Iterator<Item = C>) -> Answer {
        self.first_before(candidates, &mut std::iter::empty())
    }

    /// Like [`Search::first`], with a hint: candidates of likely next questions.
    fn first_before(
        &mut self,
        candidates: &mut dyn Iterator<Item = C>,
        next: &mut dyn Iterator<Item = C>,
    ) -> Answer;

    /// Finds out whether one candidate is interesting, and accepts it if so.
    fn accepts(&mut self, candidate: C) -> bool {
        self.first(&mut std::iter::once(candidate)).found().is_some()
    }
}

/// Judges many candidates that do not depend on each other.
///
/// If many candidates are interesting, [`Search::first`] makes all those after the first one stale; a survey keeps all
/// workers busy.
pub trait Survey<C>: Search<C> {
    /// Finds out for each candidate whether it is interesting, and accepts none of them. If the run ends meanwhile,
    /// those that were not judged count as boring.
    fn each(&mut self, candidates: Vec<C>) -> Vec<bool>;
}

/// Asks a predicate in process, one candidate at a time.
pub struct Inline<F>(pub F);

impl<C, F: FnMut(&C) -> bool> Search<C> for Inline<F> {
    fn first_before(
        &mut self,
        candidates: &mut dyn Iterator<Item = C>,
        _next: &mut dyn Iterator<Item = C>,
    ) -> Answer {
        let found = candidates.map(|candidate| (self.0)(&candidate)).position(|it| it);
        found.map_or(Answer::Nothing, Answer::Found)
    }
}

impl<C, F: FnMut(&C) -> bool> Survey<C> for Inline<F> {
    fn each(&mut self, candidates: Vec<C>) -> Vec<bool> {
        candidates.iter().map(|candidate| (self.0)(candidate)).collect()
    }
}

/// A search that translates its candidates for a search over others.
pub struct Translated<'s, K, T, N> {
    search: &'s mut dyn Search<K>,
    translate: T,
    next: N,
    stopped: bool,
}

impl<'s, K, T, N> Translated<'s, K, T, N> {
    /// Translates candidates for a search. `next` yields candidates of likely questions after those to this one.
    pub fn new(search: &'s mut dyn Search<K>, translate: T, next: N) -> Self {
        Translated { search, translate, next, stopped: false }
    }

    /// Whether the search answered [`Answer::Stop`].
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }
}

impl<C, K, I, T, N> Search<C> for Translated<'_, K, T, N>
where
    T: Fn(&C) -> K,
    I: Iterator<Item = K>,
    N: Fn() -> I,
{
    fn first_before(
        &mut self,
        candidates: &mut dyn Iterator<Item = C>,
        next: &mut dyn Iterator<Item = C>,
    ) -> Answer {
        let Translated { search, translate, next: later, stopped } = self;
        let mut translated = candidates.map(|candidate| translate(&candidate));
        let mut next = next.map(|candidate| translate(&candidate)).chain(later());
        let answer = search.first_before(&mut translated, &mut next);
        *stopped |= answer == Answer::Stop;
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    #[test]
    fn a_translated_search_keeps_no_candidate_and_knows_that_it_was_stopped() {
        /// Pulls two candidates only.
        struct Short;
        impl Search<usize> for Short {
            fn first_before(
                &mut self,
                candidates: &mut dyn Iterator<Item = usize>,
                _: &mut dyn Iterator<Item = usize>,
            ) -> Answer {
                candidates.take(2).position(|it| it == 1).map_or(Answer::Stop, Answer::Found)
            }
        }
        let alive = Rc::new(());
        let length = |list: &Vec<Rc<()>>| {
            // No other candidate is alive.
            assert_eq!(Rc::strong_count(&alive), 1 + list.len());
            list.len()
        };
        let mut short = Short;
        let mut search = Translated::new(&mut short, length, std::iter::empty);
        let list = |length: usize| vec![alive.clone(); length];
        assert_eq!(search.first(&mut [0, 1].into_iter().map(list)), Answer::Found(1));
        assert!(!search.is_stopped());
        assert_eq!(search.first(&mut [3, 4, 5].into_iter().map(list)), Answer::Stop);
        assert!(search.is_stopped());
    }
}
