//! The engine as a search over something that can be turned into candidates.

use crate::candidate::Candidate;
use crate::search::Search;

use super::Engine;

/// A search over something that can be turned into candidates.
pub struct Over<'e, 'o, B> {
    pub(super) engine: &'e mut Engine<'o>,
    pub(super) build: B,
    /// Whether what is larger is left out.
    pub(super) rewrites: bool,
}

impl<K, B: Fn(&K) -> Option<Candidate>> Search<K> for Over<'_, '_, B> {
    fn first(&mut self, candidates: &mut dyn Iterator<Item = K>) -> Option<(usize, K)> {
        self.first_before(candidates, &mut std::iter::empty())
    }

    fn first_before(
        &mut self,
        candidates: &mut dyn Iterator<Item = K>,
        next: &mut dyn Iterator<Item = K>,
    ) -> Option<(usize, K)> {
        self.engine.first(candidates, next, &self.build, self.rewrites)
    }

    fn each(&mut self, candidates: Vec<K>) -> Vec<bool> {
        self.engine.each(&candidates, &self.build, self.rewrites)
    }
}
