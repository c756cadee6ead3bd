//! Changes to a tree, and the candidate that they make.
//!
//! Every change comes down to ranges of the text that go, or that something stands in for: to hoist
//! a node is to cut what is around it. So changes can be nested, and a candidate shares everything
//! else with the text.
//!
//! Layout follows what goes: a cut that leaves nothing on its lines takes the lines, one at the end
//! of a line takes the blanks before it, and of the blanks on both sides of a cut one side goes. A blank
//! is put in only where two tokens would become one.

use std::cmp::Reverse;
use std::ops::Range;

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

/// A change to the text, before it is tidied up.
struct Draft {
    edit: Edit,
    /// Whether layout follows it: not if it is about layout itself.
    takes_layout: bool,
}

impl Draft {
    fn cut(range: Range<usize>) -> Draft {
        Draft { edit: Edit::cut(range), takes_layout: true }
    }

    fn exact(edit: Edit) -> Draft {
        Draft { edit, takes_layout: false }
    }
}

impl Tree {
    /// The text with these changes made, in any order. What is below something that goes is not
    /// asked for.
    pub fn candidate(&self, changes: &[Change]) -> Candidate {
        let mut drafts: Vec<Draft> = Vec::new();
        for change in changes {
            match change {
                Change::Cut(first, last) => {
                    drafts.push(Draft::cut(self.range(*first).start..self.range(*last).end));
                }
                Change::Replace(node, with) => {
                    let edit = Edit { range: self.range(*node), with: with.clone() };
                    drafts.push(Draft::exact(edit));
                }
                Change::Layout(range) => drafts.push(Draft::exact(Edit::cut(range.clone()))),
                Change::Keep { place, first, last } => {
                    self.keep(*place, *first, *last, &mut drafts)
                }
            }
        }
        // The outer before the inner, so that those inside of another are seen as such.
        drafts.sort_by_key(|Draft { edit, .. }| (edit.range.start, Reverse(edit.range.end)));
        let mut disjoint: Vec<Draft> = Vec::new();
        for draft in drafts {
            let range = &draft.edit.range;
            match disjoint.last_mut() {
                Some(last) if range.end <= last.edit.range.end => {}
                // Cuts that have nothing but layout between them are one.
                Some(last)
                    if last.takes_layout
                        && draft.takes_layout
                        && self.is_layout(last.edit.range.end..range.start) =>
                {
                    last.edit.range.end = range.end;
                }
                _ => disjoint.push(draft),
            }
        }
        let mut edits = self.with_layout(disjoint);
        self.keep_apart(&mut edits);
        Candidate::new(&self.text, edits)
    }

    /// Cuts what is around some siblings; where indentation matters, they move to the left.
    fn keep(&self, place: NodeId, first: NodeId, last: NodeId, drafts: &mut Vec<Draft>) {
        let place = self.range(place);
        let kept = self.range(first).start..self.range(last).end;
        if self.is_indented(first) {
            let column = |at: usize| at - line_start(&self.text, at);
            let indent = column(kept.start).saturating_sub(column(place.start));
            let line_ends = (kept.start..kept.end).filter(|at| self.text[*at] == b'\n');
            for line in line_ends.map(|at| at + 1) {
                let blanks = blanks_after(&self.text, line).min(kept.end) - line;
                if blanks > 0 && indent > 0 {
                    drafts.push(Draft::exact(Edit::cut(line..line + blanks.min(indent))));
                }
            }
        }
        for around in [place.start..kept.start, kept.end..place.end] {
            if !around.is_empty() {
                drafts.push(Draft::cut(around));
            }
        }
    }

    fn is_layout(&self, range: Range<usize>) -> bool {
        self.text.get(range).is_none_or(|gap| gap.iter().all(u8::is_ascii_whitespace))
    }

    /// Lets layout follow the cuts.
    fn with_layout(&self, drafts: Vec<Draft>) -> Vec<Edit> {
        let mut edits: Vec<Edit> = Vec::with_capacity(drafts.len());
        for index in 0..drafts.len() {
            let Draft { edit, takes_layout } = &drafts[index];
            let least = edits.last().map_or(0, |last| last.range.end);
            let most = drafts.get(index + 1).map_or(self.text.len(), |next| next.edit.range.start);
            let range = match takes_layout {
                true => with_layout(&self.text, &edit.range, least, most),
                false => edit.range.clone(),
            };
            edits.push(Edit { range, with: edit.with.clone() });
        }
        edits
    }

    /// Puts blanks where tokens would become one.
    fn keep_apart(&self, edits: &mut [Edit]) {
        let text = &self.text;
        for index in 0..edits.len() {
            let kept_from = if index == 0 { 0 } else { edits[index - 1].range.end };
            let before = match &text[kept_from..edits[index].range.start] {
                [] if index > 0 => edits[index - 1].with.last(),
                kept => kept.last(),
            }
            .copied();
            // Where the next edit follows at once, it looks back at this one.
            let kept_to = edits.get(index + 1).map_or(text.len(), |next| next.range.start);
            let after = text[edits[index].range.end..kept_to].first();
            let edit = &mut edits[index];
            let left = lexer::tokens_would_glue(before.as_ref(), edit.with.first().or(after));
            let right = !edit.with.is_empty() && lexer::tokens_would_glue(edit.with.last(), after);
            if left || right {
                let blank = |wanted: bool| if wanted { &b" "[..] } else { b"" };
                edit.with = [blank(left), &edit.with, blank(right)].concat().into();
            }
        }
    }
}

/// A cut with the layout that goes along with it, between what is edited before and after it.
fn with_layout(text: &[u8], cut: &Range<usize>, least: usize, most: usize) -> Range<usize> {
    let first = blanks_before(text, cut.start).max(least);
    let after = blanks_after(text, cut.end).min(most);
    let begins_line = first == 0 || text[first - 1] == b'\n';
    if begins_line && text[..cut.end].ends_with(b"\n") {
        return first..cut.end;
    }
    if after == most && most < text.len() {
        return cut.clone();
    }
    let line_end = match &text[after..most] {
        [b'\r', b'\n', ..] => Some(2),
        [b'\n', ..] => Some(1),
        [] => Some(0),
        _ => None,
    };
    let is_in = |byte: Option<&u8>, set: &[u8]| byte.is_some_and(|byte| set.contains(byte));
    match line_end {
        Some(length) if begins_line => first..after + length,
        Some(_) => first..after,
        // Blanks on both sides are one too many, and none is needed inside of brackets.
        None if begins_line || first < cut.start && after > cut.end => cut.start..after,
        None if is_in(text[..first].last(), b"([") => first..after,
        None if is_in(text.get(after), b")],;>") => first..after,
        None => cut.clone(),
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
