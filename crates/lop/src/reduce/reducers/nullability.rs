//! Which nodes are looked at: those that can go, and of a chain of them only the highest.
//!
//! G. Gharachorlu and N. Sumner, "Pardis: Priority Aware Test Case Reduction", FASE 2019, Section 3.2:
//!
//! ```text
//! TagNullable(n)      the children of lists and of optional nodes are nullable, and so are these themselves
//! PruneNullable(n)    of a chain of nodes, each the only child of the one before, only the highest that
//!                     is nullable stays so: to remove any of them is to remove the same tokens
//! ```
//!
//! What may go is asked of the content model; so may a list, if all of its elements may. That a node is
//! an only child is told by its text, which is that of its parent.

use crate::tree::{Role, View, ViewId};

/// Which nodes are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Filter {
    /// All.
    All,
    /// What is below lists and optional nodes: what Perses tries to remove.
    Elements,
    /// Those that can go: `TagNullable`, and `filterEmptyPhiNodes` in the papers on hoisting, since what
    /// stands in for them is empty.
    Nullable,
    /// Those that can go, without those below that are the same: `PruneNullable`.
    HighestNullable,
}

impl Filter {
    /// Says of each node of a view, by its number, whether it is looked at.
    pub fn tags(self, view: &View<'_>) -> Vec<bool> {
        match self {
            Filter::All => view.ids().map(|_| true).collect(),
            Filter::Nullable => tag_nullable(view),
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
    // Whether the chain down to a node has a nullable one.
    let mut found = vec![false; nullable.len()];
    for node in view.ids() {
        let above = view.parent(node).filter(|parent| view.range(*parent) == view.range(node));
        let is_redundant = above.is_some_and(|parent: ViewId| found[parent.index()]);
        found[node.index()] = is_redundant || nullable[node.index()];
        nullable[node.index()] &= !is_redundant;
    }
    nullable
}
