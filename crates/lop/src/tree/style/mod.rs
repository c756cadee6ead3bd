//! Lays out texts in the style of another one.
//!
//! Reductions leave ragged texts: half of a line, the indentation of a removed block, two blanks where a token was. A
//! [`Style`] describes the layout of an original: where its lines end, how deep they are indented, and which tokens
//! have blanks between them, each by the kinds of the nodes around the gap (`habits.rs`). A result is laid out as the
//! original would have been (`write.rs`); if the original has no example, by a few rules that hold in most languages.
//!
//! Invariant: only white space changes. A layout is offered only if the parser finds the same tokens in it and, if
//! there are no errors, the same tree; so layout that has a meaning keeps it. Strings, comments and other tokens stay
//! unchanged.

mod gaps;
mod habits;
mod write;

use std::sync::Arc;

use super::{Format, NodeId, Tree};

use gaps::{is_blank, tokens};
use habits::Habits;
use write::{CARES, write};

/// The layout habits of a text.
pub struct Style {
    habits: Habits,
    /// Whether the last line ends.
    ends_line: bool,
}

impl Style {
    /// The style of a text.
    pub fn of(tree: &Tree) -> Style {
        Style { habits: Habits::of(tree), ends_line: tree.text().ends_with(b"\n") }
    }

    /// The text of a tree in this style, and then versions of it with fewer changes: each has the same tokens as the
    /// text, and differs from it and from the others.
    pub fn layouts(&self, tree: &Tree, format: &Format) -> Vec<Vec<u8>> {
        let mut layouts: Vec<Vec<u8>> = Vec::new();
        for care in CARES {
            let layout = write(tree, self, *care);
            let is_new = layout != **tree.text() && !layouts.contains(&layout);
            if is_new && self.is_same(tree, &layout, format) {
                layouts.push(layout);
            }
        }
        layouts
    }

    /// Whether a text has the same tokens as a tree, and the same tree unless there are errors in it.
    fn is_same(&self, tree: &Tree, text: &[u8], format: &Format) -> bool {
        let other = Tree::parse(&Arc::new(text.to_vec()), format);
        let texts = |tree: &Tree| -> Vec<Vec<u8>> {
            let tokens = tokens(tree, |kind| self.habits.is_layout(tree, kind));
            tokens.map(|token| tree.text()[token.range].to_vec()).collect()
        };
        // If the parser does not understand a text, its grouping of the tokens is a guess.
        let has_errors = tree.ids().any(|node| tree.is_error(node));
        texts(tree) == texts(&other) && (has_errors || nodes(tree).eq(nodes(&other)))
    }
}

/// The nodes of a tree that aren't white space: their labels, and how many of them are below each.
fn nodes(tree: &Tree) -> impl Iterator<Item = (&str, bool, usize)> {
    let mut before = vec![0];
    for node in tree.ids() {
        before.push(before[node.index()] + usize::from(is_solid(tree, node)));
    }
    let solid = tree.ids().filter(|node| is_solid(tree, *node));
    solid.map(move |node| {
        let last = tree.node(node).next as usize;
        (tree.name(node), tree.is_named(node), before[last] - before[node.index()])
    })
}

fn is_solid(tree: &Tree, node: NodeId) -> bool {
    !is_blank(tree.text_of(node))
}
