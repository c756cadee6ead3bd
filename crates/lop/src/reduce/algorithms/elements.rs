//! The list that an algorithm minimises: its elements, their weights, and a seed.

use std::fmt;

use crate::search::Subset;

/// The elements `0..n` of a list, and the facts about them that an algorithm may use.
#[derive(Clone, Copy)]
pub struct Elements<'w> {
    n: usize,
    weight: &'w dyn Fn(usize) -> usize,
    seed: u64,
}

impl<'w> Elements<'w> {
    /// A list of `n` elements, all of the same weight.
    pub fn new(n: usize) -> Self {
        Elements { n, weight: &|_| 1, seed: 0 }
    }

    /// The same list with a weight for each element, its size. Only algorithms that use weights ask for them, since
    /// measuring the elements of a long list takes time.
    pub fn weighing(self, weight: &'w dyn Fn(usize) -> usize) -> Self {
        Elements { weight, ..self }
    }

    /// The same list with a seed, which breaks ties where an algorithm leaves a choice.
    pub fn seeded(self, seed: u64) -> Self {
        Elements { seed, ..self }
    }

    /// All elements.
    pub fn all(&self) -> Subset {
        Subset::all(self.n)
    }

    /// The weight of each element, at least 1: an element without weight would belong to no side of a split, and its removal
    /// would gain nothing.
    pub fn weights(&self) -> Vec<usize> {
        (0..self.n).map(|element| (self.weight)(element).max(1)).collect()
    }

    /// The seed. With 0, ties are broken from the last element to the first.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

impl fmt::Debug for Elements<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elements")
            .field("n", &self.n)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}
