//! Known verdicts, by content, shared by all phases.
//!
//! A test counts when the search *asks* for a content, that is, when its turn has come. A verdict that a worker found
//! ahead of that counts as a test when its turn comes, so the number of tests does not depend on the number of workers.
//! A verdict of an earlier run doesn't count as a test, but its turn comes once all the same: a strategy that learns
//! from the number of questions must see the same number when a run is repeated.
//!
//! Memory is bounded by two generations of contents that were asked for: when the young one is full it becomes the old
//! one, and a content that is asked for again moves back to the young one. So the order of the questions alone decides
//! which contents are forgotten. Verdicts found ahead of their turn are kept apart, and when there are too many they
//! are all forgotten: some tests run again, but no count changes. Only certain verdicts are kept.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::session::Standing;
use crate::text::Key;

/// A bounded memory of verdicts.
pub(crate) struct Cache {
    young: Map,
    old: Map,
    generation: usize,
    /// Verdicts found ahead of their turn.
    early: Map,
    /// Verdicts of an earlier run; needed until the end, since to resume is to repeat.
    past: Map,
}

type Map = HashMap<Key, bool, BuildHasherDefault<KeyHasher>>;

impl Cache {
    /// A cache of at most this many contents that were asked for, with the verdicts of an earlier run.
    pub(crate) fn new(capacity: usize, past: impl IntoIterator<Item = (Key, bool)>) -> Self {
        Cache {
            young: Map::default(),
            old: Map::default(),
            generation: capacity.div_ceil(2).max(1),
            early: Map::default(),
            past: past.into_iter().collect(),
        }
    }

    /// Whether a content is interesting, if that is known.
    pub(crate) fn get(&self, key: Key) -> Option<bool> {
        let known = [&self.young, &self.old, &self.early, &self.past];
        known.into_iter().find_map(|map| map.get(&key).copied())
    }

    /// Whether a content was asked for and isn't forgotten.
    pub(crate) fn was_asked(&self, key: Key) -> bool {
        self.young.contains_key(&key) || self.old.contains_key(&key)
    }

    /// Notes a verdict ahead of its turn.
    pub(crate) fn put(&mut self, key: Key, interesting: bool) {
        if self.early.len() >= self.generation {
            self.early.clear();
        }
        self.early.insert(key, interesting);
    }

    /// Forgets all verdicts found ahead of their turn.
    pub(crate) fn forget_early(&mut self) {
        self.early.clear();
    }

    /// Notes that the search asked for a content, and its verdict if it is certain; says what it was before.
    pub(crate) fn ask(&mut self, key: Key, verdict: Option<bool>) -> Standing {
        let early = self.early.remove(&key);
        let standing = match () {
            () if self.young.contains_key(&key) => return Standing::Asked,
            () if self.old.contains_key(&key) => Standing::Asked,
            () if self.past.contains_key(&key) => Standing::Past,
            () => Standing::New,
        };
        if let Some(interesting) = verdict.or(early) {
            if self.young.len() >= self.generation {
                self.old = std::mem::take(&mut self.young);
            }
            self.old.remove(&key);
            self.young.insert(key, interesting);
        }
        standing
    }
}

/// Keys are hashes already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_remembered_by_content() {
        let mut cache = Cache::new(10, [(4, true)]);
        cache.put(1, true);
        assert_eq!(cache.ask(2, Some(false)), Standing::New);
        let known = [1, 2, 3, 4].map(|key| cache.get(key));
        assert_eq!(known, [Some(true), Some(false), None, Some(true)]);
    }

    #[test]
    fn a_verdict_is_new_until_it_is_asked_for() {
        let mut cache = Cache::new(10, [(3, true)]);
        cache.put(1, false);
        let asked =
            [(1, Some(false)), (1, Some(false)), (2, None), (2, None), (3, Some(true)), (3, None)];
        use Standing::{Asked, New, Past};
        assert_eq!(
            asked.map(|(key, verdict)| cache.ask(key, verdict)),
            [New, Asked, New, New, Past, Asked]
        );
    }

    #[test]
    fn memory_is_bounded_and_what_is_asked_for_stays() {
        let mut cache = Cache::new(100, []);
        cache.ask(0, Some(true));
        for key in 1..10_000 {
            cache.put(key, false);
            cache.ask(key, Some(false));
            cache.put(key + 100_000, false);
            assert_eq!(cache.ask(0, Some(true)), Standing::Asked);
        }
        assert!(cache.young.len() + cache.old.len() <= 100);
        assert!(cache.early.len() <= 100);
        assert_eq!(cache.get(1), None);
    }

    #[test]
    fn looking_ahead_changes_nothing_about_what_is_forgotten() {
        let seed = lop_testing::seed();
        let asked = |looks_ahead: bool| {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut ahead = fastrand::Rng::with_seed(seed + 1);
            let mut cache = Cache::new(8, []);
            let ask = |_| {
                for _ in 0..if looks_ahead { ahead.usize(..6) } else { 0 } {
                    let key = ahead.u128(..30);
                    match cache.get(key) {
                        Some(_) => {}
                        None => cache.put(key, key.is_multiple_of(2)),
                    }
                }
                let key = random.u128(..30);
                cache.ask(key, Some(key.is_multiple_of(2)))
            };
            (0..2_000).map(ask).collect::<Vec<_>>()
        };
        assert_eq!(asked(true), asked(false));
    }
}
