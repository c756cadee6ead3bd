//! Finds the words whose last use was removed: a declaration can often be removed after its last use.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::rc::Rc;

use crate::text::lexer;

/// The most places of a word that is considered: a word with more is hardly a name whose uses will all be removed.
const MOST: usize = 100;

/// The words of a text, with their places.
pub(super) struct Uses {
    /// In the order of the text.
    words: Vec<(Range<usize>, u64)>,
    /// The places of each word, by their numbers.
    places: HashMap<u64, Vec<u32>>,
}

impl Uses {
    pub(super) fn new(text: &[u8]) -> Uses {
        let is_word = |range: &Range<usize>| {
            let first = text[range.start];
            lexer::is_word(first) && !first.is_ascii_digit()
        };
        let hash = |range: Range<usize>| {
            let mut hash = DefaultHasher::new();
            text[range.clone()].hash(&mut hash);
            (range, hash.finish())
        };
        let words: Vec<_> = lexer::tokens(text).filter(is_word).map(hash).collect();
        let mut places: HashMap<u64, Vec<u32>> = HashMap::new();
        for (number, (_, word)) in words.iter().enumerate() {
            places.entry(*word).or_default().push(number as u32);
        }
        Uses { words, places }
    }

    /// For each word of a removed range, the range of the text that contains all its remaining places.
    pub(super) fn lost_in(&self, range: Range<usize>, gone: &Gone) -> Vec<Range<usize>> {
        let first = self.words.partition_point(|(place, _)| place.start < range.start);
        let lost = self.words[first..].iter().take_while(|(place, _)| place.end <= range.end);
        let mut seen = HashSet::new();
        let hull = |(_, word): &(Range<usize>, u64)| {
            let places = &self.places[word];
            if !seen.insert(*word) || places.len() > MOST {
                return None;
            }
            let places = places.iter().map(|number| self.words[*number as usize].0.clone());
            let mut left = places.filter(|place| !gone.has(place.clone()));
            let first = left.next()?;
            let last = left.next_back().unwrap_or_else(|| first.clone());
            Some(first.start..last.end)
        };
        lost.filter_map(hull).collect()
    }
}

/// The removed ranges of a text: the end of each by its start. A clone costs next to nothing until it changes.
#[derive(Clone, Default)]
pub(super) struct Gone(Rc<BTreeMap<usize, usize>>);

impl Gone {
    pub(super) fn add(&mut self, range: Range<usize>) {
        let ranges = Rc::make_mut(&mut self.0);
        let inside = ranges.range(range.clone()).filter(|(_, end)| **end <= range.end);
        let inside: Vec<usize> = inside.map(|(start, _)| *start).collect();
        for start in inside {
            ranges.remove(&start);
        }
        ranges.entry(range.start).or_insert(range.end);
    }

    /// Whether the whole of a range is removed.
    pub(super) fn has(&self, range: Range<usize>) -> bool {
        self.0.range(..=range.start).next_back().is_some_and(|(_, end)| range.end <= *end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_word_is_told_when_some_of_it_is_gone() {
        let text = b"def f ; f ( ) ; g ( f ) ; h ;";
        let uses = Uses::new(text);
        let mut gone = Gone::default();
        gone.add(8..15);
        let lost = |range, gone: &Gone| {
            uses.lost_in(range, gone).iter().map(|it| (it.start, it.end)).collect::<Vec<_>>()
        };
        assert_eq!(lost(8..15, &gone), [(4, 21)]);
        gone.add(16..25);
        assert!(gone.has(20..21) && !gone.has(14..17) && !gone.has(26..27));
        assert_eq!(lost(16..25, &gone), [(4, 5)], "nothing is left of g");
        gone.add(0..29);
        assert!(gone.has(14..17));
        assert!(lost(0..29, &gone).is_empty());
    }
}
