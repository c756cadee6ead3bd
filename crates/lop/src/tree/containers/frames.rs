//! The frames of a container, and the repair of candidates.
//!
//! A frame is a part of a file with a head, content, and maybe a tail: a chunk, a box, an entry. Some bytes of heads and tails
//! are derived from the rest of the file: lengths, check sums, offsets, counts. A candidate cuts what it likes; the repair
//! restores heads and tails of frames that are left, and writes the derived fields anew. So whatever an algorithm proposes,
//! the oracle sees a well-formed file.
//!
//! Invariant: a field comes after all fields that it depends on, those within its frame first.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use crate::text::Edit;

use super::deflate::{BLOCK_HEAD, LONGEST_BLOCK, block_head};
use super::sums;

/// The frames of a file, and its derived fields.
pub(in crate::tree) struct Frames {
    /// The file itself.
    pub(super) root: Frame,
    pub(super) fields: Vec<Field>,
    /// The blocks of each stored stream, and the frame that they are in.
    pub(super) streams: Vec<(Range<usize>, Vec<Range<usize>>)>,
    /// What is removed with a frame elsewhere, such as its entry in a directory.
    pub(super) ties: Vec<(Range<usize>, Range<usize>)>,
}

/// A part of a file.
pub(super) struct Frame {
    /// The name of its nodes.
    pub(super) label: &'static str,
    pub(super) range: Range<usize>,
    /// The number of bytes before its content.
    pub(super) head: usize,
    /// The number of bytes behind its content.
    pub(super) tail: usize,
    /// Whether head and tail are removed only with the frame around it.
    pub(super) stays: bool,
    pub(super) inside: Inside,
}

/// The content of a frame.
pub(super) enum Inside {
    /// Other frames, without gaps.
    Frames(Vec<Frame>),
    /// Bytes of any kind; the name says which, if there is one.
    Content(Option<PathBuf>),
    /// Bytes that stay as they are as long as the frame stays.
    Sealed,
}

/// Bytes that are derived from others.
pub(super) struct Field {
    /// Where it is.
    pub(super) at: Range<usize>,
    /// The frame that it is in, with which it is removed.
    pub(super) frame: Range<usize>,
    pub(super) rule: Rule,
    /// What it is derived from.
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
    /// The number of those that are left.
    Count(Number),
    /// The place where the first one begins.
    Place(Number),
}

/// How a number is written.
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
    /// The edits with which a candidate is a well-formed file: those that make it, without what they do to heads and tails,
    /// and those of derived fields.
    pub(super) fn repair(&self, base: &[u8], edits: &[Edit]) -> Vec<Edit> {
        let mut bounds = Bounds::default();
        bounds.add(&self.root, &self.root.range);
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
        // A place has a number of fixed width, so it moves nothing.
        let moves = draft.moves();
        for field in self.fields.iter().filter(is_place) {
            let Rule::Place(number) = field.rule else { continue };
            if !draft.is_cut(&field.frame) {
                let index = moves.partition_point(|(end, _)| *end <= field.of[0].start);
                let moved = index.checked_sub(1).map_or(0, |index| moves[index].1);
                let place = field.of[0].start as i64 + moved;
                draft.write(field.at.clone(), &number.written(place as u64));
            }
        }
        draft.edits.into_values().collect()
    }
}

/// Edits that touch, as one if they only cut.
fn joined(edits: &[Edit]) -> Vec<Edit> {
    let mut joined: Vec<Edit> = Vec::new();
    for edit in edits {
        match joined.last_mut() {
            Some(last)
                if last.range.end == edit.range.start
                    && last.with.is_empty()
                    && edit.with.is_empty() =>
            {
                last.range.end = edit.range.end;
            }
            _ => joined.push(edit.clone()),
        }
    }
    joined
}

/// The bytes that stay, in ascending order, each with the frame with which they are removed; and the contents.
#[derive(Default)]
struct Bounds {
    fixed: Vec<(Range<usize>, Range<usize>)>,
    contents: Vec<Range<usize>>,
}

impl Bounds {
    fn add(&mut self, frame: &Frame, outer: &Range<usize>) {
        let owner = if frame.stays { outer } else { &frame.range };
        let inner = frame.inner();
        self.fixed.push((frame.range.start..inner.start, owner.clone()));
        match &frame.inside {
            Inside::Sealed => self.fixed.push((inner.clone(), owner.clone())),
            Inside::Content(_) => self.contents.push(inner.clone()),
            Inside::Frames(frames) => frames.iter().for_each(|each| self.add(each, owner)),
        }
        // Also an empty tail divides an edit, so that no edit is in two frames of which one stays.
        self.fixed.push((inner.end..frame.range.end, owner.clone()));
    }

    /// An edit without the bytes that stay. A new text may only be put into content.
    fn clip(&self, edit: &Edit) -> Vec<Edit> {
        let Edit { range, with } = edit;
        let has_content = |part: &Range<usize>| {
            let at = self.contents.partition_point(|content| content.end < part.start);
            let content = self.contents.get(at);
            content.is_some_and(|content| content.start <= part.start && part.end <= content.end)
        };
        let first = self.fixed.partition_point(|(fixed, _)| fixed.end <= range.start);
        let fixed = self.fixed[first..].iter().take_while(|(fixed, _)| fixed.start < range.end);
        let staying = fixed.filter(|(_, owner)| owner.start < range.start || range.end < owner.end);
        let mut parts = Vec::new();
        let mut at = range.start;
        for (fixed, _) in staying {
            parts.push(at..fixed.start.max(at));
            at = fixed.end;
        }
        parts.push(at..range.end.max(at));
        let mut edits: Vec<Edit> =
            parts.into_iter().filter(|part| !part.is_empty()).map(Edit::cut).collect();
        match edits.iter_mut().find(|edit| has_content(&edit.range)) {
            Some(edit) => edit.with = with.clone(),
            // At the end of content a new text could belong to the next frame, too.
            None if range.is_empty()
                && has_content(&(range.start.saturating_sub(1)..range.end + 1)) =>
            {
                edits.push(edit.clone());
            }
            None => {}
        }
        edits
    }
}

/// The edits of a candidate while it is repaired, by their ranges.
struct Draft<'b> {
    base: &'b [u8],
    edits: BTreeMap<(usize, usize), Edit>,
}

impl Draft<'_> {
    fn put(&mut self, edit: Edit) {
        let Range { start, end } = edit.range;
        // What is within the new one is replaced by it.
        let inside: Vec<(usize, usize)> =
            self.edits.range((start, 0)..=(end, end)).map(|(key, _)| *key).collect();
        inside.iter().filter(|key| key.1 <= end).for_each(|key| drop(self.edits.remove(key)));
        self.edits.insert((start, end), edit);
    }

    /// Whether all of a range is removed.
    fn is_cut(&self, range: &Range<usize>) -> bool {
        let before = self.edits.range(..=(range.start, usize::MAX)).next_back();
        before.is_some_and(|(key, _)| key.1 >= range.end && key.1 > range.start)
    }

    /// Whether anything in a range has changed.
    fn touches(&self, range: &Range<usize>) -> bool {
        let before = self.edits.range(..(range.start, 0)).next_back();
        before.is_some_and(|(key, _)| key.1 > range.start) || self.within(range).next().is_some()
    }

    fn within(&self, range: &Range<usize>) -> impl Iterator<Item = &Edit> {
        let end = range.end;
        let starting = self.edits.range((range.start, 0)..=(end, end)).map(|(_, edit)| edit);
        starting.filter(move |edit| edit.range.end <= end)
    }

    /// The content of a range, piece by piece.
    fn pieces(&self, range: &Range<usize>) -> Vec<&[u8]> {
        if self.is_cut(range) && self.within(range).next().is_none() {
            return Vec::new();
        }
        let mut pieces = Vec::new();
        let mut at = range.start;
        for edit in self.within(range) {
            pieces.push(&self.base[at..edit.range.start]);
            pieces.push(&edit.with);
            at = edit.range.end;
        }
        pieces.push(&self.base[at..range.end]);
        pieces
    }

    fn length(&self, range: &Range<usize>) -> usize {
        self.pieces(range).iter().map(|piece| piece.len()).sum()
    }

    /// Joins stored blocks that fit into one, and writes the heads of those that are left.
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

    /// What a field is to be.
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

    fn write(&mut self, at: Range<usize>, bytes: &[u8]) {
        if self.base[at.clone()] != *bytes {
            // A field that isn't there yet comes behind what is inserted in its place.
            let before = self.edits.get(&(at.start, at.end)).filter(|_| at.is_empty());
            let with = [before.map_or(&b""[..], |edit| &edit.with), bytes].concat().into();
            self.edits.insert((at.start, at.end), Edit { range: at, with });
        }
    }

    /// For the end of each edit, how far it moves what is behind it.
    fn moves(&self) -> Vec<(usize, i64)> {
        let mut moved = 0;
        let edits = self.edits.values();
        edits
            .map(|edit| {
                moved += edit.with.len() as i64 - edit.range.len() as i64;
                (edit.range.end, moved)
            })
            .collect()
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
