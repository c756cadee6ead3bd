//! Filters of nodes: those that can be removed, and of a chain of them only the highest.
//!
//! G. Gharachorlu and N. Sumner, "Pardis: Priority Aware Test Case Reduction", FASE 2019, Section 3.2:
//!
//! ```text
//! TagNullable(n)      the children of lists and of optional nodes are nullable, and so are these themselves
//! PruneNullable(n)    of a chain of nodes, each the only child of the one before, only the highest that
//!                     is nullable stays so: to remove any of them is to remove the same tokens
//! ```
//!
//! The content model decides which nodes are nullable; a list is, if all of its elements are. A node is
//! an only child if its text is that of its parent.

use crate::tree::{Role, View, ViewId};

/// Which nodes a step applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Filter {
    /// All nodes.
    All,
    /// The children of lists and optional nodes, which Perses tries to remove.
    Elements,
    /// Nodes that can be removed: `TagNullable`, and `filterEmptyPhiNodes` for pruning in the papers on hoisting, since their
    /// replacement is empty.
    Nullable,
    /// Nodes whose own rule allows the empty text: `filterEmptyPhiNodes` for hoisting. In the papers' trees, a node
    /// that a quantifier makes removable is below a node for the quantifier. Only the latter has an empty replacement,
    /// but no label that another node could have.
    Empty,
    /// Nodes that can be removed, without those below them that have the same text: `PruneNullable`.
    HighestNullable,
}

impl Filter {
    /// For each node of a view, by its number, whether it passes.
    pub fn tags(self, view: &View<'_>) -> Vec<bool> {
        match self {
            Filter::All => view.ids().map(|_| true).collect(),
            Filter::Nullable => tag_nullable(view),
            Filter::Empty => view.ids().map(|node| view.may_be_empty(node)).collect(),
            Filter::Elements => {
                let quantified = |parent| view.role(parent) != Role::Regular;
                let is_element = |node| view.parent(node).is_some_and(quantified);
                view.ids().map(|node| is_element(node) && view.is_removable(node)).collect()
            }
            Filter::HighestNullable => prune_nullable(view, tag_nullable(view)),
        }
    }
}

fn tag_nullable(view: &View<'_>) -> Vec<bool> {
    view.ids().map(|node| view.is_removable(node)).collect()
}

fn prune_nullable(view: &View<'_>, mut nullable: Vec<bool>) -> Vec<bool> {
    // Whether the chain down to a node has a nullable node.
    let mut found = vec![false; nullable.len()];
    for node in view.ids() {
        let above = view.parent(node).filter(|parent| view.range(*parent) == view.range(node));
        let is_redundant = above.is_some_and(|parent: ViewId| found[parent.index()]);
        found[node.index()] = is_redundant || nullable[node.index()];
        nullable[node.index()] &= !is_redundant;
    }
    nullable
}
