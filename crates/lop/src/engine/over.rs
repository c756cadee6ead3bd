//! The engine as a search over something that can be turned into candidates.

use crate::candidate::Candidate;
use crate::search::{Answer, Search, Survey};

use super::Engine;

/// A search over something that can be turned into candidates.
pub struct Over<'e, 'o, B> {
    pub(super) engine: &'e mut Engine<'o>,
    pub(super) build: B,
    /// Whether what is larger is left out.
    pub(super) rewrites: bool,
}

impl<K, B: Fn(&K) -> Option<Candidate>> Search<K> for Over<'_, '_, B> {
    fn first_before(
        &mut self,
        candidates: &mut dyn Iterator<Item = K>,
        next: &mut dyn Iterator<Item = K>,
    ) -> Answer {
        let Over { engine, build, rewrites } = self;
        let mut candidates = candidates.map(|candidate| build(&candidate));
        let mut next = next.map(|candidate| build(&candidate));
        engine.first(&mut candidates, &mut next, *rewrites)
    }
}

impl<K, B: Fn(&K) -> Option<Candidate>> Survey<K> for Over<'_, '_, B> {
    fn each(&mut self, candidates: Vec<K>) -> Vec<bool> {
        let Over { engine, build, rewrites } = self;
        engine.each(&mut candidates.iter().map(build), *rewrites)
    }
}
