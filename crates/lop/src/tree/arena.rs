//! The nodes of a tree, and how they are put down one after the other.

use std::ops::Range;

use lop_grammar::RuleId;

use super::dialect::Kind;

/// A node's number. Numbers grow in pre-order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

/// What is known about the children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// They are a word of this rule's content model.
    Rule(RuleId),
    /// Nothing: only what may stand anywhere may go.
    Opaque,
    /// They follow no rule, so each of them may go.
    Free,
    /// They follow no rule, but stand between two brackets, which must stay.
    Brackets,
    /// The child is the root of a text in another language.
    Island,
}

/// A node. A large input has millions of them, so it is kept small.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) parent: u32,
    /// The first node that is not below this one.
    pub(super) next: u32,
    /// The states of the parent's model before this node, and those from which what follows it is
    /// accepted.
    pub(super) before: u32,
    pub(super) after: u32,
    pub(super) kind: Kind,
    pub(super) content: Content,
    pub(super) is_extra: bool,
    pub(super) is_error: bool,
}

impl Node {
    pub(super) fn new(kind: Kind, start: usize) -> Node {
        Node {
            start: start as u32,
            end: start as u32,
            parent: 0,
            next: 0,
            before: 0,
            after: 0,
            kind,
            content: Content::Opaque,
            is_extra: false,
            is_error: false,
        }
    }
}

/// The nodes of a range that are not below others in it, if each knows the first one after it.
pub(super) fn siblings(
    range: Range<u32>,
    next: impl Fn(u32) -> u32 + Clone,
) -> impl Iterator<Item = u32> + Clone {
    let mut at = range.start;
    std::iter::repeat_with(move || {
        let this = at;
        if this < range.end {
            at = next(this);
        }
        (this < range.end).then_some(this)
    })
    .map_while(|node| node)
}

/// Puts nodes down in pre-order.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) nodes: Vec<Node>,
    open: Vec<u32>,
}

impl Builder {
    /// Begins a node below the one that is open.
    pub(super) fn open(&mut self, node: Node) {
        let id = self.nodes.len() as u32;
        let parent = self.open.last().copied().unwrap_or(0);
        self.nodes.push(Node { parent, ..node });
        self.open.push(id);
    }

    /// Ends the node that was opened last.
    pub(super) fn close(&mut self, end: usize) {
        let Some(id) = self.open.pop() else { return debug_assert!(false, "a node is open") };
        let next = self.nodes.len() as u32;
        let node = &mut self.nodes[id as usize];
        debug_assert!(node.start as usize <= end);
        (node.end, node.next) = (end as u32, next);
    }

    /// Says what is known about the children of the node that is open.
    pub(super) fn set_content(&mut self, content: Content) {
        if let Some(id) = self.open.last() {
            self.nodes[*id as usize].content = content;
        }
    }

    /// The kind of the node above the one that is open.
    pub(super) fn outer_kind(&self) -> Option<Kind> {
        let outer = self.open.len().checked_sub(2)?;
        Some(self.nodes[self.open[outer] as usize].kind)
    }

    /// A node without children.
    pub(super) fn leaf(&mut self, node: Node, end: usize) {
        self.open(node);
        self.close(end);
    }
}
