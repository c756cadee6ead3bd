//! A candidate: a text with some ranges replaced.
//!
//! Reducers, passes and algorithms propose candidates; the engine has them judged. A candidate
//! shares its base with all others, so that a hundred of them over a large input cost little, and
//! it is hashed and written without being assembled in memory.
//!
//! Invariant: the edits are in ascending order and do not overlap.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use xxhash_rust::xxh3::Xxh3;

/// Shared, immutable bytes.
pub type Text = Arc<Vec<u8>>;

/// The identity of a candidate's content: equal keys, equal bytes.
pub type Key = u128;

/// A range of the base and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes of the base that are replaced.
    pub range: Range<usize>,
    /// The bytes that replace them; empty for a plain cut.
    pub with: Box<[u8]>,
}

impl Edit {
    /// Cuts a range out.
    pub fn cut(range: Range<usize>) -> Self {
        Edit { range, with: Box::default() }
    }
}

/// A text with some ranges replaced.
#[derive(Clone, Debug)]
pub struct Candidate {
    base: Text,
    edits: Vec<Edit>,
    /// The content, once it was assembled.
    text: OnceLock<Text>,
}

impl Candidate {
    /// The base with these edits.
    ///
    /// # Panics
    ///
    /// If the edits are not in ascending order, overlap, or are outside of the base.
    pub fn new(base: &Text, edits: Vec<Edit>) -> Self {
        let are_apart = edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start);
        assert!(are_apart, "edits are in ascending order and do not overlap");
        let are_inside = edits.last().is_none_or(|edit| edit.range.end <= base.len());
        assert!(are_inside, "edits are inside of the base");
        Candidate { base: base.clone(), edits, text: OnceLock::new() }
    }

    /// The base without these ranges, which must be ascending and disjoint; those that touch become
    /// one cut.
    pub fn without(base: &Text, ranges: impl Iterator<Item = Range<usize>>) -> Self {
        let mut edits: Vec<Edit> = Vec::new();
        for range in ranges {
            match edits.last_mut() {
                Some(last) if last.range.end == range.start => last.range.end = range.end,
                _ => edits.push(Edit::cut(range)),
            }
        }
        Candidate::new(base, edits)
    }

    /// A text without edits.
    pub fn whole(text: &Text) -> Self {
        Candidate::new(text, Vec::new())
    }

    /// The text that is edited.
    pub fn base(&self) -> &Text {
        &self.base
    }

    /// The edits, in ascending order.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The content, piece by piece.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let ends = self.edits.iter().map(|edit| edit.range.end);
        let starts = self.edits.iter().map(|edit| edit.range.start);
        let kept = std::iter::once(0).chain(ends).zip(starts.chain([self.base.len()]));
        let new = self.edits.iter().map(|edit| &*edit.with).chain([&b""[..]]);
        let pieces = kept.zip(new).flat_map(|((start, end), with)| [&self.base[start..end], with]);
        pieces.filter(|piece| !piece.is_empty())
    }

    /// The number of bytes of the content.
    pub fn len(&self) -> usize {
        self.pieces().map(<[u8]>::len).sum()
    }

    /// Whether the content is empty.
    pub fn is_empty(&self) -> bool {
        self.pieces().next().is_none()
    }

    /// The content's identity.
    pub fn key(&self) -> Key {
        let mut hash = Xxh3::new();
        self.pieces().for_each(|piece| hash.update(piece));
        hash.digest128()
    }

    /// The content, assembled when it is first needed and kept with the candidate.
    pub fn text(&self) -> &Text {
        self.text.get_or_init(|| match self.edits.is_empty() {
            true => self.base.clone(),
            false => Text::new(self.bytes()),
        })
    }

    /// The content, assembled.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len());
        self.pieces().for_each(|piece| bytes.extend_from_slice(piece));
        bytes
    }

    /// Writes the content. Small pieces are gathered, so that a fragmented candidate does not
    /// cost a system call for each piece.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        const GATHER: usize = 64 * 1024;
        let mut gathered: Vec<u8> = Vec::new();
        for piece in self.pieces() {
            if gathered.len() + piece.len() > GATHER {
                out.write_all(&gathered)?;
                gathered.clear();
            }
            if piece.len() >= GATHER {
                out.write_all(piece)?;
            } else {
                gathered.extend_from_slice(piece);
            }
        }
        out.write_all(&gathered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(base: &str, edits: &[(Range<usize>, &str)], expected: &str) {
        let base: Text = Arc::new(base.into());
        let edits = edits
            .iter()
            .map(|(range, with)| Edit { range: range.clone(), with: with.as_bytes().into() })
            .collect();
        let candidate = Candidate::new(&base, edits);
        assert_eq!(String::from_utf8(candidate.bytes()).unwrap(), expected);
        assert_eq!(candidate.len(), expected.len());
        assert_eq!(candidate.is_empty(), expected.is_empty());
        let mut written = Vec::new();
        candidate.write_to(&mut written).unwrap();
        assert_eq!(written, expected.as_bytes());
        assert_eq!(candidate.key(), Candidate::whole(&Arc::new(expected.into())).key());
    }

    #[test]
    fn edits_replace_ranges_and_keep_the_rest() {
        check("hello world", &[], "hello world");
        check("hello world", &[(0..6, "")], "world");
        check("hello world", &[(5..11, "")], "hello");
        check("hello world", &[(0..1, "j"), (5..6, ""), (6..7, "W")], "jelloWorld");
        check("hello world", &[(0..11, "")], "");
        check("ab", &[(1..1, "x")], "axb");
        check("", &[(0..0, "new")], "new");
    }

    #[test]
    fn cuts_that_touch_become_one() {
        let base: Text = Arc::new(b"abcdef".to_vec());
        let candidate = Candidate::without(&base, [0..1, 1..3, 4..5].into_iter());
        assert_eq!(candidate.edits, [Edit::cut(0..3), Edit::cut(4..5)]);
        assert_eq!(candidate.bytes(), b"df");
    }

    #[test]
    fn a_large_candidate_of_many_pieces_is_written_whole() {
        let base: Text = Arc::new((0..300_000u32).map(|i| i as u8).collect());
        let edits = (0..1000).map(|i| Edit::cut(i * 100..i * 100 + 50)).collect();
        let candidate = Candidate::new(&base, edits);
        let mut written = Vec::new();
        candidate.write_to(&mut written).unwrap();
        assert_eq!(written, candidate.bytes());
        assert_eq!(written.len(), 250_000);
    }
}
