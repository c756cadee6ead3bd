//! Changes to a tree, and the candidate that they make.
//!
//! Every change comes down to ranges of the text that go, or that something stands in for: to hoist
//! a node is to cut what is around it. So changes can be nested, and a candidate shares everything
//! else with the text.
//!
//! Layout follows what goes: a cut that leaves nothing on its lines takes the lines, one at the end
//! of a line takes the blanks before it, one in front of something takes the blanks after it. A blank
//! is put in only where two tokens would become one.

use std::ops::Range;

use lop_languages::Layout;

use crate::candidate::{Candidate, Edit};
use crate::lexer;

use super::{NodeId, Tree};

/// Something that happens to a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Siblings go, from the first to the last, with what is between them.
    Cut(NodeId, NodeId),
    /// A text stands in for a node.
    Replace(NodeId, Box<[u8]>),
    /// Some siblings below a node, from the first to the last, stand in its place.
    Keep {
        /// The node that goes.
        place: NodeId,
        /// The first of what stays of it.
        first: NodeId,
        /// The last of what stays of it.
        last: NodeId,
    },
    /// White space goes.
    Layout(Range<usize>),
}

impl Change {
    /// A node goes.
    pub fn cut(node: NodeId) -> Change {
        Change::Cut(node, node)
    }

    /// A descendant stands in for a node.
    pub fn hoist(place: NodeId, node: NodeId) -> Change {
        Change::Keep { place, first: node, last: node }
    }
}

impl Tree {
    /// The text with these changes made, in any order. What is below something that goes is not
    /// asked for.
    pub fn candidate(&self, changes: &[Change]) -> Candidate {
        let mut edits: Vec<Edit> = Vec::new();
        for change in changes {
            match change {
                Change::Cut(first, last) => {
                    edits.push(Edit::cut(self.range(*first).start..self.range(*last).end));
                }
                Change::Replace(node, with) => {
                    edits.push(Edit { range: self.range(*node), with: with.clone() });
                }
                Change::Layout(range) => edits.push(Edit::cut(range.clone())),
                Change::Keep { place, first, last } => self.keep(*place, *first, *last, &mut edits),
            }
        }
        // The outer before the inner, so that those inside of another are seen as such.
        edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
        let mut disjoint: Vec<Edit> = Vec::new();
        for edit in edits {
            match disjoint.last_mut() {
                Some(last) if edit.range.end <= last.range.end => {}
                // Cuts that touch, or that have nothing but layout between them, are one.
                Some(last)
                    if last.with.is_empty()
                        && edit.with.is_empty()
                        && self.is_layout(last.range.end..edit.range.start) =>
                {
                    last.range.end = edit.range.end;
                }
                _ => disjoint.push(edit),
            }
        }
        self.tidy(&mut disjoint);
        Candidate::new(&self.text, disjoint)
    }

    /// Cuts what is around some siblings; where indentation matters, they move to the left.
    fn keep(&self, place: NodeId, first: NodeId, last: NodeId, edits: &mut Vec<Edit>) {
        let place = self.range(place);
        let kept = self.range(first).start..self.range(last).end;
        let language = self.dialect(self.kind(first)).0.language();
        if language.is_some_and(|language| matches!(language.layout(), Layout::Indented(_))) {
            let column = |at: usize| at - line_start(&self.text, at);
            let indent = column(kept.start).saturating_sub(column(place.start));
            let line_ends = (kept.start..kept.end).filter(|at| self.text[*at] == b'\n');
            for line in line_ends.map(|at| at + 1) {
                let blanks = blanks_after(&self.text, line).min(kept.end) - line;
                if blanks > 0 && indent > 0 {
                    edits.push(Edit::cut(line..line + blanks.min(indent)));
                }
            }
        }
        edits.push(Edit::cut(place.start..kept.start));
        edits.push(Edit::cut(kept.end..place.end));
    }

    fn is_layout(&self, range: Range<usize>) -> bool {
        self.text.get(range).is_none_or(|gap| gap.iter().all(u8::is_ascii_whitespace))
    }

    /// Lets layout follow the cuts, and keeps tokens apart.
    fn tidy(&self, edits: &mut Vec<Edit>) {
        let text = &self.text;
        let mut limit = 0;
        for index in 0..edits.len() {
            let next = edits.get(index + 1).map_or(text.len(), |next| next.range.start);
            let edit = &mut edits[index];
            if edit.with.is_empty() && !edit.range.is_empty() {
                edit.range = with_layout(text, &edit.range, limit, next);
            }
            limit = edit.range.end;
        }
        edits.retain(|edit| !edit.range.is_empty() || !edit.with.is_empty());
        for index in 0..edits.len() {
            let kept_from = if index == 0 { 0 } else { edits[index - 1].range.end };
            let before = match &text[kept_from..edits[index].range.start] {
                [] if index > 0 => edits[index - 1].with.last(),
                kept => kept.last(),
            };
            // Where the next edit follows at once, it looks back at this one.
            let kept_to = edits.get(index + 1).map_or(text.len(), |next| next.range.start);
            let after = text[edits[index].range.end..kept_to].first();
            let edit = &edits[index];
            let left = lexer::would_glue(before, edit.with.first().or(after));
            let right = !edit.with.is_empty() && lexer::would_glue(edit.with.last(), after);
            if left || right {
                let mut with = Vec::with_capacity(edit.with.len() + 2);
                with.extend(left.then_some(b' '));
                with.extend_from_slice(&edit.with);
                with.extend(right.then_some(b' '));
                edits[index].with = with.into();
            }
        }
    }
}

/// A cut with the layout that goes along with it, between what is edited before and after it.
fn with_layout(text: &[u8], cut: &Range<usize>, least: usize, most: usize) -> Range<usize> {
    let first = blanks_before(text, cut.start).max(least);
    let after = blanks_after(text, cut.end).min(most);
    let at_line_start = first == 0 || text[first - 1] == b'\n';
    let ends_line = text[..cut.end].ends_with(b"\n");
    if at_line_start && ends_line {
        return first..cut.end;
    }
    match text.get(after) {
        _ if after == most && most < text.len() => cut.clone(),
        Some(b'\r') if text.get(after + 1) == Some(&b'\n') && after + 2 <= most => {
            if at_line_start { first..after + 2 } else { first..after }
        }
        Some(b'\n') if at_line_start => first..after + 1,
        None | Some(b'\n') => first..after,
        Some(_) if first < cut.start || at_line_start => cut.start..after,
        Some(_) => cut.clone(),
    }
}

fn line_start(text: &[u8], at: usize) -> usize {
    text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1)
}

fn blanks_before(text: &[u8], at: usize) -> usize {
    at - text[..at].iter().rev().take_while(|byte| is_blank(byte)).count()
}

fn blanks_after(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|byte| is_blank(byte)).count()
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
