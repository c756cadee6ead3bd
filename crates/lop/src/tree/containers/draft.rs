//! The edits of a candidate while it is repaired.
//!
//! First, edits are clipped to the bytes that may change ([`Bounds`]). Then the rest of the repair reads and writes the
//! clipped edits, as a [`Draft`].

use std::collections::BTreeMap;
use std::ops::Range;

use crate::text::Edit;

/// Edits with those that touch joined, if they only cut.
pub(super) fn joined(edits: &[Edit]) -> Vec<Edit> {
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

/// The bytes that stay, in ascending order, each with the frame that they are removed with; and the contents.
#[derive(Default)]
pub(super) struct Bounds {
    pub(super) fixed: Vec<(Range<usize>, Range<usize>)>,
    pub(super) contents: Vec<Range<usize>>,
}

impl Bounds {
    /// An edit without the bytes that stay. A new text can only be put into content.
    pub(super) fn clip(&self, edit: &Edit) -> Vec<Edit> {
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
            // At the end of content, a new text could also belong to the next frame.
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
pub(super) struct Draft<'b> {
    pub(super) base: &'b [u8],
    pub(super) edits: BTreeMap<(usize, usize), Edit>,
}

impl Draft<'_> {
    /// Adds an edit, unless another one is partly in it or around it: no two edits overlap.
    pub(super) fn put(&mut self, edit: Edit) {
        let Range { start, end } = edit.range;
        if !self.is_apart(&edit.range) {
            return;
        }
        // The new edit replaces those within it.
        let inside: Vec<(usize, usize)> =
            self.edits.range((start, 0)..=(end, end)).map(|(key, _)| *key).collect();
        inside.iter().filter(|key| key.1 <= end).for_each(|key| drop(self.edits.remove(key)));
        self.edits.insert((start, end), edit);
    }

    /// Whether all of a range is removed.
    pub(super) fn is_cut(&self, range: &Range<usize>) -> bool {
        let before = self.edits.range(..=(range.start, usize::MAX)).next_back();
        before.is_some_and(|(key, _)| key.1 >= range.end && key.1 > range.start)
    }

    /// Whether anything in a range has changed.
    pub(super) fn touches(&self, range: &Range<usize>) -> bool {
        let before = self.edits.range(..(range.start, 0)).next_back();
        before.is_some_and(|(key, _)| key.1 > range.start) || self.within(range).next().is_some()
    }

    /// Whether every edit is either inside or outside of a range.
    pub(super) fn is_apart(&self, range: &Range<usize>) -> bool {
        [range.start, range.end].iter().all(|bound| {
            let before = self.edits.range(..(*bound, 0)).next_back();
            before.is_none_or(|(key, _)| key.1 <= *bound)
        })
    }

    /// Drops the edits in a range.
    pub(super) fn revert(&mut self, range: &Range<usize>) {
        let keys: Vec<(usize, usize)> =
            self.within(range).map(|edit| (edit.range.start, edit.range.end)).collect();
        keys.iter().for_each(|key| drop(self.edits.remove(key)));
    }

    pub(super) fn within(&self, range: &Range<usize>) -> impl Iterator<Item = &Edit> {
        let end = range.end;
        let starting = self.edits.range((range.start, 0)..=(end, end)).map(|(_, edit)| edit);
        starting.filter(move |edit| edit.range.end <= end)
    }

    /// The content of a range, piece by piece.
    pub(super) fn pieces(&self, range: &Range<usize>) -> Vec<&[u8]> {
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

    pub(super) fn length(&self, range: &Range<usize>) -> usize {
        self.pieces(range).iter().map(|piece| piece.len()).sum()
    }

    pub(super) fn write(&mut self, at: Range<usize>, bytes: &[u8]) {
        if self.base[at.clone()] != *bytes && self.is_apart(&at) {
            // A field that isn't there yet comes after the text that is inserted in its place.
            let before = self.edits.get(&(at.start, at.end)).filter(|_| at.is_empty());
            let with = [before.map_or(&b""[..], |edit| &edit.with), bytes].concat().into();
            self.edits.insert((at.start, at.end), Edit { range: at, with });
        }
    }

    /// For the end of each edit, how far it moves the text after it.
    pub(super) fn moves(&self) -> Vec<(usize, i64)> {
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

/// The new position of a place, given the moves of a draft.
pub(super) fn moved(moves: &[(usize, i64)], at: usize) -> usize {
    let index = moves.partition_point(|(end, _)| *end <= at);
    let by = index.checked_sub(1).map_or(0, |index| moves[index].1);
    (at as i64 + by) as usize
}
