//! The order in which the nodes of a tree are visited, and which of them are visited together.

use crate::tree::ViewId;

use super::hierarchy::InputTree;
use super::priority::{Priority, Queue};
use super::swaths::Swaths;

/// An order of nodes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Traversal {
    /// Level by level, from the root to the leaves: line 3 and lines 7 to 8 of Figure 2(a).
    Levels,
    /// The children of one node after the other: lines 2 to 5 and 8 of Figure 2(b). The figure does not
    /// say which end of its queue is popped; we pop the last node, as Picireny does: a use comes after its definition,
    /// and can be removed first.
    Recursive,
    /// The node of highest priority first: see `priority.rs`.
    By(&'static Priority),
    /// Swaths of about the same number of tokens, from the last to the first, and then of half as many: see `swaths.rs`.
    Swaths,
}

/// The state of a walk through a tree. It looks at the tree only when it moves on, so it sees the changes
/// to the nodes that it has visited; a fork continues independently.
#[derive(Clone)]
pub(super) enum Walk<'b> {
    /// The level just visited.
    Levels(Option<Vec<ViewId>>),
    /// The node whose children were just visited, and those whose children come next.
    Recursive(Option<ViewId>, Stack<'b>),
    /// The nodes just visited, and those that come next.
    By(Vec<ViewId>, Queue<'b>),
    /// The swath just visited, and the nodes that come next.
    Swaths(Swaths<'b>),
}

/// A stack of nodes, which can be forked: a fork keeps its own nodes on top of those of the original.
#[derive(Clone, Default)]
pub(super) struct Stack<'b> {
    base: &'b [ViewId],
    own: Vec<ViewId>,
}

impl Stack<'_> {
    pub(super) fn fork(&self) -> Stack<'_> {
        match self.base {
            [] => Stack { base: &self.own, own: Vec::new() },
            _ => self.clone(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.own.is_empty() && self.base.is_empty()
    }

    pub(super) fn push(&mut self, node: ViewId) {
        self.own.push(node);
    }

    pub(super) fn peek(&self) -> Option<ViewId> {
        self.own.last().or(self.base.last()).copied()
    }

    pub(super) fn pop(&mut self) -> Option<ViewId> {
        self.own.pop().or_else(|| {
            let (last, rest) = self.base.split_last()?;
            self.base = rest;
            Some(*last)
        })
    }
}

impl Traversal {
    /// The beginning of a walk.
    pub(super) fn start(self, tree: &InputTree<'_>) -> Walk<'static> {
        match self {
            Traversal::Levels => Walk::Levels(None),
            Traversal::Recursive => {
                Walk::Recursive(None, Stack { base: &[], own: vec![tree.root()] })
            }
            Traversal::By(priority) => {
                let mut queue = Queue::new(priority, tree.view);
                queue.push(tree.view, [tree.root()]);
                Walk::By(Vec::new(), queue)
            }
            Traversal::Swaths => Walk::Swaths(Swaths::new(tree)),
        }
    }
}

impl Walk<'_> {
    /// A fork of this walk, without a copy of the nodes that come next, except for a walk by levels: all of its nodes
    /// are visited next anyway.
    pub(super) fn fork(&self) -> Walk<'_> {
        match self {
            Walk::Levels(nodes) => Walk::Levels(nodes.clone()),
            Walk::Recursive(current, stack) => Walk::Recursive(*current, stack.fork()),
            Walk::By(current, queue) => Walk::By(current.clone(), queue.fork()),
            Walk::Swaths(swaths) => Walk::Swaths(swaths.fork()),
        }
    }

    /// The nodes to be visited next: they are reduced together.
    pub(super) fn next(&mut self, tree: &InputTree<'_>) -> Option<Vec<ViewId>> {
        match self {
            Walk::Levels(nodes) => {
                let next: Vec<ViewId> = match nodes.take() {
                    None => vec![tree.root()],
                    Some(level) => level.into_iter().flat_map(|node| tree.children(node)).collect(),
                };
                *nodes = Some(next.clone());
                Some(next).filter(|next| !next.is_empty())
            }
            Walk::Recursive(current, stack) => {
                stack.own.extend(current.iter().flat_map(|current| tree.children(*current)));
                let node = stack.pop()?;
                *current = Some(node);
                Some(tree.children(node).collect())
            }
            Walk::By(current, queue) => {
                let could = current.iter().filter(|node| tree.view.is_removable(**node));
                let did = could.clone().filter(|node| tree.shape.at(**node).is_none()).count();
                queue.learn(could.count(), did);
                let children = current.iter().flat_map(|node| tree.children(*node));
                queue.push(tree.view, children);
                *current = queue.pop(tree.view)?;
                Some(current.clone())
            }
            Walk::Swaths(swaths) => swaths.next(tree),
        }
    }
}
