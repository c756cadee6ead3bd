//! Protected text: regions between two marks, and matches of patterns.
//!
//! A candidate is tested only if it has all protected text, unchanged and in the same order.

use std::ops::Range;

use memchr::memmem;
use regex::bytes::Regex;

use crate::text::Bundle;

const BEGIN: &[u8] = b"lop-keep-begin";
const END: &[u8] = b"lop-keep-end";

/// The protected parts of an input.
#[derive(Clone, Debug, Default)]
pub struct Keep {
    /// In the order of the input.
    texts: Vec<Vec<u8>>,
}

impl Keep {
    /// The protected parts of a text: the lines from one with `lop-keep-begin` to the next one with `lop-keep-end`, and
    /// the matches of the patterns.
    pub fn of(text: &[u8], patterns: &[Regex]) -> Keep {
        let mut keep = Keep::default();
        keep.add(text, patterns);
        keep
    }

    /// The protected parts of several files: those of each file by itself, as [`Keep::of`] finds them.
    pub fn of_several(bundle: &Bundle, text: &[u8], patterns: &[Regex]) -> Keep {
        let mut keep = Keep::default();
        for member in bundle.members(text) {
            keep.add(&text[member.content], patterns);
        }
        keep
    }

    fn add(&mut self, text: &[u8], patterns: &[Regex]) {
        let mut ranges = regions(text);
        for pattern in patterns {
            ranges.extend(pattern.find_iter(text).map(|found| found.range()));
        }
        ranges.retain(|range| !range.is_empty());
        ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
        let mut merged: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                // Parts that overlap are merged.
                Some(last) if range.start < last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        self.texts.extend(merged.into_iter().map(|range| text[range].to_vec()));
    }

    /// Whether nothing is protected.
    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Whether a text has all protected parts.
    pub fn is_in(&self, text: &[u8]) -> bool {
        let mut rest = text;
        self.texts.iter().all(|text| {
            let found = memmem::find(rest, text);
            rest = found.map_or(rest, |at| &rest[at + text.len()..]);
            found.is_some()
        })
    }
}

/// The regions between marks, as whole lines; one without an end mark extends to the end of the text.
fn regions(text: &[u8]) -> Vec<Range<usize>> {
    let mut regions = Vec::new();
    let mut open = None;
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let has = |mark: &[u8]| memmem::find(line, mark).is_some();
        if open.is_none() && has(BEGIN) {
            open = Some(start);
        }
        start += line.len();
        if has(END) {
            regions.extend(open.take().map(|from| from..start));
        }
    }
    regions.extend(open.map(|from| from..text.len()));
    regions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(text: &str, patterns: &[&str], candidate: &str) -> bool {
        let patterns: Vec<Regex> = patterns.iter().map(|it| Regex::new(it).unwrap()).collect();
        Keep::of(text.as_bytes(), &patterns).is_in(candidate.as_bytes())
    }

    #[test]
    fn regions_and_matches_stay_in_their_order() {
        let text = "a\n// lop-keep-begin\nb\n// lop-keep-end\nc\n";
        assert!(allows(text, &[], "// lop-keep-begin\nb\n// lop-keep-end\n"));
        assert!(!allows(text, &[], "// lop-keep-begin\n// lop-keep-end\n"));
        assert!(!allows(text, &[], "a\nc\n"));
        assert!(allows("x1 y x2", &[r"x\d"], "x1x2"));
        assert!(!allows("x1 y x2", &[r"x\d"], "x2x1"));
        assert!(allows("abc", &["ab", "bc"], "abc"));
        assert!(!allows("abc", &["ab", "bc"], "ab"));
        assert!(!allows("abc", &["ab", "bc"], "ab c"), "neither of two that overlap is broken");
        assert!(allows("abc", &["z*"], ""));
    }

    #[test]
    fn a_region_that_does_not_end_goes_to_the_end() {
        assert!(!allows("a\n# lop-keep-begin\nb\nc\n", &[], "# lop-keep-begin\nb\n"));
    }
}
