//! In which order the nodes of a tree are visited, and which of them together.

use crate::tree::ViewId;

use super::hierarchy::InputTree;

/// Where a walk through a tree is. It looks at the tree only when it goes on, so it sees what was
/// done to the nodes that it has visited; a clone goes on by itself.
#[derive(Clone)]
pub enum Traversal {
    /// Level by level, from the root to the leaves: line 3 and lines 7 to 8 of Figure 2(a).
    Levels {
        /// The level just visited.
        nodes: Option<Vec<ViewId>>,
    },
    /// The children of one node after the other: lines 2 to 5 and 8 of Figure 2(b). The figure does not
    /// say which end of its queue is popped; the last, as Picireny does: a use comes after what it uses,
    /// and can go first.
    Recursive {
        /// The node whose children were just visited.
        current: Option<ViewId>,
        /// The nodes whose children are still to be visited.
        queue: Vec<ViewId>,
    },
}

impl Traversal {
    /// Level by level.
    pub const LEVELS: Traversal = Traversal::Levels { nodes: None };
    /// The children of one node after the other.
    pub const RECURSIVE: Traversal = Traversal::Recursive { current: None, queue: Vec::new() };

    /// The nodes to be visited next: they are reduced together.
    pub(super) fn next(&mut self, tree: &InputTree<'_>) -> Option<Vec<ViewId>> {
        match self {
            Traversal::Levels { nodes } => {
                let next: Vec<ViewId> = match nodes.take() {
                    None => vec![tree.root()],
                    Some(level) => level.into_iter().flat_map(|node| tree.children(node)).collect(),
                };
                *nodes = Some(next.clone());
                Some(next).filter(|next| !next.is_empty())
            }
            Traversal::Recursive { current, queue } => {
                match current {
                    None => queue.push(tree.root()),
                    Some(current) => queue.extend(tree.children(*current)),
                }
                let node = queue.pop()?;
                *current = Some(node);
                Some(tree.children(node).collect())
            }
        }
    }
}
