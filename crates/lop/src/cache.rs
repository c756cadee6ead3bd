//! Verdicts that are known already, by content, shared by all phases.
//!
//! Memory is bounded by two generations: when the young one is full it becomes the old one, and
//! what is still asked for moves back to the young one. Only certain verdicts are kept.
//!
//! An entry remembers whether the search has ever asked for it *in order*. What a worker found out
//! speculatively is in the cache too, but counts as a test when its turn comes, so that the number
//! of tests does not depend on the number of workers. What an earlier run found out is no test, but its turn comes once
//! all the same: whoever learns from the number of questions must see the same number when a run is repeated.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::candidate::Key;

/// A bounded memory of verdicts.
pub(crate) struct Cache {
    young: Map,
    old: Map,
    generation: usize,
}

type Map = HashMap<Key, Entry, BuildHasherDefault<KeyHasher>>;

#[derive(Clone, Copy)]
struct Entry {
    interesting: bool,
    standing: Standing,
}

/// What the search has to do with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It has not asked for it.
    New,
    /// Neither, but an earlier run has found it out.
    Past,
    /// It has asked for it.
    Asked,
}

impl Cache {
    /// A cache of at most so many entries.
    pub(crate) fn new(capacity: usize) -> Self {
        Cache {
            young: Map::default(),
            old: Map::default(),
            generation: capacity.div_ceil(2).max(1),
        }
    }

    /// Whether a content is interesting, if that is known.
    pub(crate) fn get(&mut self, key: Key) -> Option<bool> {
        self.entry(key).map(|entry| entry.interesting)
    }

    /// Notes a verdict.
    pub(crate) fn put(&mut self, key: Key, interesting: bool) {
        let standing = self.entry(key).map_or(Standing::New, |entry| entry.standing);
        self.insert(key, Entry { interesting, standing });
    }

    /// Notes a verdict of an earlier run.
    pub(crate) fn put_past(&mut self, key: Key, interesting: bool) {
        self.insert(key, Entry { interesting, standing: Standing::Past });
    }

    /// Notes that the search asked for a content in order; says what it was before.
    pub(crate) fn ask(&mut self, key: Key) -> Standing {
        let entry = self.entry(key);
        entry.map_or(Standing::New, |entry| std::mem::replace(&mut entry.standing, Standing::Asked))
    }

    fn entry(&mut self, key: Key) -> Option<&mut Entry> {
        if let Some(entry) = self.old.remove(&key) {
            self.insert(key, entry);
        }
        self.young.get_mut(&key)
    }

    fn insert(&mut self, key: Key, entry: Entry) {
        if self.young.len() >= self.generation && !self.young.contains_key(&key) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, entry);
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
        let mut cache = Cache::new(10);
        cache.put(1, true);
        cache.put(2, false);
        assert_eq!([cache.get(1), cache.get(2), cache.get(3)], [Some(true), Some(false), None]);
    }

    #[test]
    fn a_verdict_is_new_until_it_is_asked_for() {
        let mut cache = Cache::new(10);
        cache.put(1, false);
        cache.put_past(3, true);
        let asked = [1, 1, 2, 3, 3].map(|key| cache.ask(key));
        use Standing::{Asked, New, Past};
        assert_eq!(asked, [New, Asked, New, Past, Asked]);
    }

    #[test]
    fn memory_is_bounded_and_what_is_used_stays() {
        let mut cache = Cache::new(100);
        cache.put(0, true);
        for key in 1..10_000 {
            cache.put(key, false);
            assert_eq!(cache.get(0), Some(true));
        }
        assert!(cache.young.len() + cache.old.len() <= 100);
        assert_eq!(cache.get(1), None);
    }
}
