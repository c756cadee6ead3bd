//! The tokens of a tree, and the gaps between them.

use std::ops::Range;

use crate::tree::{Kind, NodeId, Tree};

/// A leaf that isn't white space.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) leaf: NodeId,
    pub(super) range: Range<usize>,
}

/// The white space between two tokens.
#[derive(Clone, Debug)]
pub(super) struct Gap {
    /// The lowest node around both tokens.
    pub(super) parent: NodeId,
    /// Its children before and after the gap.
    pub(super) left: NodeId,
    pub(super) right: NodeId,
    /// The tokens before and after the gap.
    pub(super) before: NodeId,
    pub(super) after: NodeId,
    pub(super) range: Range<usize>,
}

impl Gap {
    /// The nodes around it: its parent, the siblings, and the tokens.
    pub(super) fn around(&self) -> [NodeId; 5] {
        [self.parent, self.left, self.right, self.before, self.after]
    }

    /// Whether there is a comment before or after it, or something else that is allowed anywhere.
    pub(super) fn is_beside_comment(&self, tree: &Tree) -> bool {
        tree.is_extra(self.left) || tree.is_extra(self.right)
    }
}

/// The present or wanted state of a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Nothing,
    Blank,
    Line,
}

impl Space {
    /// The kind of some white space. A line end after a backslash is a blank.
    pub(super) fn of(text: &[u8]) -> Space {
        let is_end =
            |at: &usize| text[*at] == b'\n' && !text[..*at].trim_ascii_end().ends_with(b"\\");
        match text {
            [] => Space::Nothing,
            _ if (0..text.len()).any(|at| is_end(&at)) => Space::Line,
            _ => Space::Blank,
        }
    }
}

/// The tokens of a tree, from left to right. Leaves that are white space are tokens unless their kind is layout.
pub(super) fn tokens(tree: &Tree, is_layout: impl Fn(Kind) -> bool) -> impl Iterator<Item = Token> {
    let leaves = tree.ids().filter(|node| tree.is_leaf(*node));
    let is_token = move |leaf: &NodeId| {
        let text = tree.text_of(*leaf);
        !(text.is_empty() || is_blank(text) && is_layout(tree.kind(*leaf)))
    };
    leaves.filter(is_token).map(|leaf| Token { leaf, range: tree.range(leaf) })
}

/// The gap between two neighbouring tokens.
pub(super) fn gap(tree: &Tree, before: &Token, after: &Token) -> Gap {
    // Nodes are in pre-order, so those around only the second token come after the first one.
    let above = |node: NodeId| std::iter::successors(Some(node), |node| tree.parent(*node));
    let right = above(after.leaf).take_while(|node| *node > before.leaf).last();
    let right = right.unwrap_or(after.leaf);
    let parent = tree.parent(right).unwrap_or_else(|| tree.root());
    let left = above(before.leaf).find(|node| tree.parent(*node) == Some(parent));
    let left = left.unwrap_or(before.leaf);
    let range = before.range.end..after.range.start;
    Gap { parent, left, right, before: before.leaf, after: after.leaf, range }
}

/// Whether a text is only white space.
pub(super) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_whitespace)
}
