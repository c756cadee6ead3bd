//! The frames of a container, and the repair of candidates.
//!
//! A frame is a part of a file with a head, content, and maybe a tail: a chunk, a box, an entry. Some bytes of heads
//! and tails are derived from the rest of the file: lengths, check sums, offsets, counts. A candidate may cut anything;
//! the repair restores heads and tails of the remaining frames, and writes the derived fields anew. So whatever an
//! algorithm proposes, the oracle sees a well-formed file.
//!
//! Invariant: a field comes after all fields that it depends on, those within its frame first.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use crate::text::Edit;

use super::deflate::{BLOCK_HEAD, LONGEST_BLOCK, block_head};
use super::draft::{Bounds, Draft, joined, moved};
use super::sums;

/// The frames of a file, and its derived fields.
pub(in crate::tree) struct Frames {
    /// The file itself.
    pub(super) root: Frame,
    pub(super) fields: Vec<Field>,
    /// The blocks of each stored stream, and the frame around them.
    pub(super) streams: Vec<(Range<usize>, Vec<Range<usize>>)>,
    /// Ranges that are removed with a frame elsewhere, such as its entry in a directory.
    pub(super) ties: Vec<(Range<usize>, Range<usize>)>,
}

/// A part of a file.
pub(super) struct Frame {
    /// The name of its nodes.
    pub(super) label: &'static str,
    pub(super) range: Range<usize>,
    /// The number of bytes before its content.
    pub(super) head: usize,
    /// The number of bytes after its content.
    pub(super) tail: usize,
    /// Whether head and tail are removed only with the frame around it.
    pub(super) stays: bool,
    pub(super) inside: Inside,
}

/// The content of a frame.
pub(super) enum Inside {
    /// Other frames, without gaps.
    Frames(Vec<Frame>),
    /// Bytes of any kind; the name, if there is one, shows which.
    Content(Option<PathBuf>),
    /// Bytes that do not change as long as the frame stays.
    Sealed,
}

/// Bytes that are derived from others.
pub(super) struct Field {
    /// Its range.
    pub(super) at: Range<usize>,
    /// The frame around it, with which it is removed.
    pub(super) frame: Range<usize>,
    pub(super) rule: Rule,
    /// The ranges that it is derived from.
    pub(super) of: Vec<Range<usize>>,
}

/// How a field is derived from ranges of the file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// Their length.
    Length(Number),
    Crc32(Number),
    Adler32(Number),
    /// A zero after an odd length.
    Padding,
    /// The number of the remaining ones.
    Count(Number),
    /// The place where the first one begins.
    Place(Number),
}

/// The notation of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    Little(usize),
    Big(usize),
    Leb128,
}

impl Frame {
    /// A frame of bytes of any kind.
    pub(super) fn content(label: &'static str, range: Range<usize>, head: usize) -> Frame {
        Frame { label, range, head, tail: 0, stays: false, inside: Inside::Content(None) }
    }

    /// The range of its content.
    pub(super) fn inner(&self) -> Range<usize> {
        self.range.start + self.head..self.range.end - self.tail
    }
}

impl Frames {
    /// The edits that turn a candidate into a well-formed file: those of the candidate, clipped at heads and tails, and
    /// those of derived fields.
    pub(super) fn repair(&self, base: &[u8], edits: &[Edit]) -> Vec<Edit> {
        let mut bounds = Bounds::default();
        bound(&mut bounds, &self.root, &self.root.range);
        let mut draft = Draft { base, edits: BTreeMap::new() };
        for edit in joined(edits) {
            bounds.clip(&edit).into_iter().for_each(|edit| draft.put(edit));
        }
        for (frame, tied) in &self.ties {
            if draft.is_cut(frame) && !draft.is_cut(tied) {
                draft.put(Edit::cut(tied.clone()));
            }
        }
        for (frame, blocks) in &self.streams {
            if !draft.is_cut(frame) && blocks.iter().any(|block| draft.touches(block)) {
                draft.join(blocks);
            }
        }
        let is_place = |field: &&Field| matches!(field.rule, Rule::Place(_));
        for field in self.fields.iter().filter(|field| !is_place(field)) {
            if !draft.is_cut(&field.frame) && field.of.iter().any(|range| draft.touches(range)) {
                draft.write(field.at.clone(), &draft.derive(field));
            }
        }
        // The number of a place has a fixed width, so it moves nothing.
        let moves = draft.moves();
        for field in self.fields.iter().filter(is_place) {
            let Rule::Place(number) = field.rule else { continue };
            if !draft.is_cut(&field.frame) {
                let place = moved(&moves, field.of[0].start);
                draft.write(field.at.clone(), &number.written(place as u64));
            }
        }
        draft.edits.into_values().collect()
    }
}

/// Collects the bytes of a frame that stay. `outer` is the frame around it.
fn bound(bounds: &mut Bounds, frame: &Frame, outer: &Range<usize>) {
    let owner = if frame.stays { outer } else { &frame.range };
    let inner = frame.inner();
    bounds.fixed.push((frame.range.start..inner.start, owner.clone()));
    match &frame.inside {
        Inside::Sealed => bounds.fixed.push((inner.clone(), owner.clone())),
        Inside::Content(_) => bounds.contents.push(inner.clone()),
        Inside::Frames(frames) => frames.iter().for_each(|each| bound(bounds, each, owner)),
    }
    // An empty tail also divides an edit, so that no edit is in two frames of which one stays.
    bounds.fixed.push((inner.end..frame.range.end, owner.clone()));
}

impl Draft<'_> {
    /// Joins stored blocks that fit into one, and writes the heads of the remaining ones.
    fn join(&mut self, blocks: &[Range<usize>]) {
        let head = |block: &Range<usize>| block.start..block.start + BLOCK_HEAD;
        let mut left: Vec<(&Range<usize>, usize)> = Vec::new();
        for block in blocks {
            let length = self.length(&(head(block).end..block.end));
            match left.last_mut() {
                Some((_, all)) if *all + length <= LONGEST_BLOCK => {
                    *all += length;
                    self.put(Edit::cut(head(block)));
                }
                _ => left.push((block, length)),
            }
        }
        for (index, (block, length)) in left.iter().enumerate() {
            let is_last = index + 1 == left.len();
            self.write(head(block), &block_head(*length, is_last));
        }
    }

    /// The new content of a field.
    fn derive(&self, field: &Field) -> Vec<u8> {
        let pieces = || field.of.iter().flat_map(|range| self.pieces(range));
        let length = || field.of.iter().map(|range| self.length(range)).sum::<usize>() as u64;
        match field.rule {
            Rule::Length(number) => number.written(length()),
            Rule::Crc32(number) => number.written(sums::crc32(pieces()).into()),
            Rule::Adler32(number) => number.written(sums::adler32(pieces()).into()),
            Rule::Padding => vec![0; (length() % 2) as usize],
            Rule::Count(number) => {
                number.written(field.of.iter().filter(|range| !self.is_cut(range)).count() as u64)
            }
            Rule::Place(_) => unreachable!("places are written last"),
        }
    }
}

impl Number {
    fn written(self, number: u64) -> Vec<u8> {
        match self {
            Number::Little(width) => number.to_le_bytes()[..width].to_vec(),
            Number::Big(width) => number.to_be_bytes()[8 - width..].to_vec(),
            Number::Leb128 => {
                let mut bytes = Vec::new();
                let mut rest = number;
                while rest > 0x7f {
                    bytes.push(rest as u8 | 0x80);
                    rest >>= 7;
                }
                bytes.push(rest as u8);
                bytes
            }
        }
    }

    /// The number at the start of some bytes, and its width.
    pub(super) fn read(self, bytes: &[u8]) -> Option<(u64, usize)> {
        let fold = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match self {
            Number::Little(width) => Some((bytes.get(..width)?.iter().rev().fold(0, fold), width)),
            Number::Big(width) => Some((bytes.get(..width)?.iter().fold(0, fold), width)),
            Number::Leb128 => {
                let width = bytes.iter().take(5).position(|byte| *byte < 0x80)? + 1;
                let number = bytes[..width].iter().rev();
                Some((number.fold(0, |all, byte| all << 7 | u64::from(*byte & 0x7f)), width))
            }
        }
    }
}
