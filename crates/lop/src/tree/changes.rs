//! Changes to a tree, and the candidate that they make.
//!
//! Every change is a set of ranges of the text that are removed or replaced: hoisting a node means cutting the text
//! around it. So changes can be nested, and a candidate shares everything else with the text.
//!
//! Layout is removed with the nodes that it belongs to, hoisted nodes move to the left where indentation makes blocks, and a
//! blank is inserted only where two tokens would become one.

use std::cmp::Reverse;
use std::ops::Range;

use crate::text::{Candidate, Edit};

use super::{NodeId, Tree, layout};

/// A change to a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// Removes siblings, from the first to the last, with the text between them.
    Cut(NodeId, NodeId),
    /// Replaces a node by a text.
    Replace(NodeId, Box<[u8]>),
    /// Replaces a node by some siblings below it.
    Keep {
        /// The node that is replaced.
        place: NodeId,
        /// The first of the siblings that are kept.
        first: NodeId,
        /// The last of the siblings that are kept.
        last: NodeId,
    },
    /// Removes white space.
    Layout(Range<usize>),
}

impl Change {
    /// Removes a node.
    pub fn cut(node: NodeId) -> Change {
        Change::Cut(node, node)
    }

    /// Replaces a node by one of its descendants.
    pub fn hoist(place: NodeId, node: NodeId) -> Change {
        Change::Keep { place, first: node, last: node }
    }
}

/// An edit of the text, before layout is adjusted.
struct Draft {
    edit: Edit,
    kind: DraftKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DraftKind {
    /// A cut that takes layout with it.
    Cut,
    /// The cut before a hoisted node; it takes layout with it.
    Head,
    /// The cut after a hoisted node; it takes layout with it.
    Tail,
    /// Less indentation of a line.
    Dedent,
    /// An edit where there is no layout.
    Bare,
    /// An edit that does not change the layout.
    Exact,
}

impl DraftKind {
    fn takes_layout(self) -> bool {
        matches!(self, DraftKind::Cut | DraftKind::Head | DraftKind::Tail)
    }
}

impl Tree {
    /// The text with these changes, which may be in any order. Changes below a removed node have no
    /// effect.
    pub fn candidate(&self, changes: &[Change]) -> Candidate {
        let mut drafts: Vec<Draft> = Vec::with_capacity(changes.len());
        for change in changes {
            match change {
                Change::Cut(first, last) => {
                    let edit = Edit::cut(self.range(*first).start..self.range(*last).end);
                    drafts.push(Draft { edit, kind: self.kind_of(*first, DraftKind::Cut) });
                }
                Change::Replace(node, with) => {
                    let edit = Edit { range: self.range(*node), with: with.clone() };
                    drafts.push(Draft { edit, kind: self.kind_of(*node, DraftKind::Exact) });
                }
                Change::Layout(range) => {
                    let edit = Edit::cut(range.clone());
                    drafts.push(Draft { edit, kind: DraftKind::Exact });
                }
                Change::Keep { place, first, last } => {
                    self.keep(*place, *first, *last, &mut drafts);
                }
            }
        }
        let drafts = self.disjoint(drafts);
        let is_bare: Vec<bool> = drafts.iter().map(|draft| draft.kind == DraftKind::Bare).collect();
        let mut edits = self.with_layout(drafts);
        layout::keep_apart(&self.text, &mut edits, &is_bare, self.parser().joins());
        Candidate::new(&self.text, edits)
    }

    /// The kind of an edit at a node: `Bare` if there is no layout.
    fn kind_of(&self, node: NodeId, kind: DraftKind) -> DraftKind {
        let has_layout = self.dialect(self.kind(node)).0.parser().has_layout();
        if has_layout { kind } else { DraftKind::Bare }
    }

    /// Cuts the text around some siblings.
    fn keep(&self, place: NodeId, first: NodeId, last: NodeId, drafts: &mut Vec<Draft>) {
        let kind = |kind: DraftKind| self.kind_of(place, kind);
        let (head, tail) = (kind(DraftKind::Head), kind(DraftKind::Tail));
        let place = self.range(place);
        let kept = self.range(first).start..self.range(last).end;
        if self.is_indented(first) {
            self.dedent(&place, first, last, drafts);
        }
        if place.start < kept.start {
            let edit = Edit::cut(place.start..kept.start);
            drafts.push(Draft { edit, kind: head });
        }
        if kept.end < place.end {
            // A line comment needs the end of its line.
            let rest = &self.text[layout::blanks_after(&self.text, kept.end)..];
            let needs_end = self.ends_in_comment(last)
                && (rest.starts_with(b"\n") || rest.starts_with(b"\r\n"));
            let with = if needs_end { &b"\n"[..] } else { b"" };
            let edit = Edit { range: kept.end..place.end, with: with.into() };
            drafts.push(Draft { edit, kind: tail });
        }
    }

    /// Moves siblings to the column of the node that they replace.
    fn dedent(&self, place: &Range<usize>, first: NodeId, last: NodeId, drafts: &mut Vec<Draft>) {
        let text = &self.text;
        let kept = self.range(first).start..self.range(last).end;
        let column = |at: usize| at - layout::line_start(text, at);
        let indent = column(kept.start).saturating_sub(column(place.start));
        if indent == 0 {
            return;
        }
        // White space within a token, such as a string, isn't indentation.
        let nodes = (first.0..self.node(last).next).map(NodeId);
        let leaves = nodes.filter(|node| self.is_leaf(*node)).map(|leaf| self.range(leaf));
        let tokens: Vec<Range<usize>> =
            leaves.filter(|token| text[token.clone()].contains(&b'\n')).collect();
        let line_ends = kept.clone().filter(|at| text[*at] == b'\n');
        for line in line_ends.map(|at| at + 1) {
            let blanks = layout::blanks_after(text, line).min(kept.end) - line;
            if blanks > 0 && !tokens.iter().any(|token| token.start < line && line < token.end) {
                let edit = Edit::cut(line..line + blanks.min(indent));
                drafts.push(Draft { edit, kind: DraftKind::Dedent });
            }
        }
    }

    /// Whether the last token of a node is a comment.
    fn ends_in_comment(&self, node: NodeId) -> bool {
        let last = self.node(node).next - 1;
        let mut above = std::iter::successors(Some(NodeId(last)), |node| self.parent(*node));
        above
            .find(|each| self.is_extra(*each) || *each == node)
            .is_some_and(|each| self.is_extra(each))
    }

    /// Puts drafts in order and drops those within others.
    fn disjoint(&self, mut drafts: Vec<Draft>) -> Vec<Draft> {
        // The outer before the inner, so that a draft comes right after the one that contains it.
        drafts.sort_by_key(|Draft { edit, .. }| (edit.range.start, Reverse(edit.range.end)));
        let mut disjoint: Vec<Draft> = Vec::with_capacity(drafts.len());
        for draft in drafts {
            let range = &draft.edit.range;
            match disjoint.last_mut() {
                // A line that is dedented twice moves twice as far.
                Some(last)
                    if last.edit.range.start == range.start
                        && [last.kind, draft.kind] == [DraftKind::Dedent; 2] =>
                {
                    let most = layout::blanks_after(&self.text, range.start);
                    last.edit.range.end = most.min(last.edit.range.end + range.len());
                }
                Some(last) if range.end <= last.edit.range.end => {}
                // Two nodes, one within the other, are replaced by parts that exclude each other: neither stays.
                Some(last) if range.start < last.edit.range.end => {
                    last.edit.range.end = range.end;
                }
                // Cuts with only layout between them become one.
                Some(last) if self.are_one(last, &draft) => {
                    last.edit.range.end = range.end;
                    last.edit.with = draft.edit.with;
                    if draft.kind != DraftKind::Cut {
                        last.kind = draft.kind;
                    }
                }
                _ => disjoint.push(draft),
            }
        }
        disjoint
    }

    /// Whether only removable text is between two cuts.
    fn are_one(&self, left: &Draft, right: &Draft) -> bool {
        let gap = left.edit.range.end..right.edit.range.start;
        // The line end between two nodes that are both replaced by their descendants.
        let is_border = left.kind == DraftKind::Tail
            && right.kind == DraftKind::Head
            && self.text.get(gap.clone()).is_some_and(|gap| gap.contains(&b'\n'));
        left.kind.takes_layout()
            && right.kind.takes_layout()
            && left.edit.with.is_empty()
            && self.is_layout(gap)
            && !is_border
    }

    fn is_layout(&self, range: Range<usize>) -> bool {
        self.text.get(range).is_none_or(|gap| gap.iter().all(u8::is_ascii_whitespace))
    }

    /// Extends the cuts to the layout that belongs to them.
    fn with_layout(&self, drafts: Vec<Draft>) -> Vec<Edit> {
        let mut edits: Vec<Edit> = Vec::with_capacity(drafts.len());
        let mut drafts = drafts.into_iter().peekable();
        while let Some(Draft { mut edit, kind }) = drafts.next() {
            let least = edits.last().map_or(0, |last| last.range.end);
            let most = drafts.peek().map_or(self.text.len(), |next| next.edit.range.start);
            if kind.takes_layout() && edit.with.is_empty() {
                edit.range = layout::around(&self.text, &edit.range, least, most);
            }
            edits.push(edit);
        }
        edits
    }
}
