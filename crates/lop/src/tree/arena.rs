//! The nodes of a tree.

use std::ops::Range;

use lop_grammar::RuleId;

use super::builder::Field;
use super::dialect::Kind;

/// A node's number. Numbers grow in pre-order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known about the children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Content {
    /// They are a word of this rule's content model.
    Rule(RuleId),
    /// They are a word of the model that overlays the grammar for the node's label.
    Overlaid,
    /// Nothing: only children that are allowed anywhere can be removed.
    Opaque,
    /// They follow no rule, so each of them can be removed.
    Free,
    /// They follow no rule, but are between two brackets, which must stay.
    Brackets,
    /// The child is the root of a text in another language.
    Island,
}

/// A node. A large input has millions of them, so it is kept small: 28 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) parent: u32,
    /// The first node after this one and its descendants.
    pub(super) next: u32,
    /// The states of the parent's model before this node, and those from which its right siblings are
    /// accepted.
    pub(super) before: u16,
    pub(super) after: u16,
    pub(super) kind: Kind,
    /// The field under which the parent holds it.
    pub(super) field: Field,
    /// The rule of [`Content::Rule`], kept apart so that the rest of the content takes one byte.
    rule: RuleId,
    content: Unruled,
    pub(super) flags: Flags,
}

/// A [`Content`] without its rule.
#[derive(Clone, Copy, Debug)]
enum Unruled {
    Rule,
    Overlaid,
    Opaque,
    Free,
    Brackets,
    Island,
}

/// Further attributes of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags(u8);

impl Flags {
    /// It is allowed anywhere, as comments are.
    pub(super) const EXTRA: Flags = Flags(1);
    /// It is text that the parser does not understand, or a token that it invented.
    pub(super) const ERROR: Flags = Flags(2);
    /// There is an error in its part of the text.
    pub(super) const NEAR_ERROR: Flags = Flags(4);

    /// These flags if a condition holds, else none.
    pub(super) fn when(self, condition: bool) -> Flags {
        if condition { self } else { Flags(0) }
    }

    pub(super) fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    pub(super) fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }
}

const _: () = assert!(size_of::<Node>() == 28);

impl Node {
    pub(super) fn is_extra(&self) -> bool {
        self.flags.has(Flags::EXTRA)
    }

    pub(super) fn is_error(&self) -> bool {
        self.flags.has(Flags::ERROR)
    }

    pub(super) fn new(kind: Kind, parent: u32, start: usize) -> Node {
        Node {
            start: start as u32,
            end: start as u32,
            parent,
            next: 0,
            before: 0,
            after: 0,
            kind,
            field: Field::default(),
            rule: RuleId(0),
            content: Unruled::Opaque,
            flags: Flags::default(),
        }
    }

    pub(super) fn content(&self) -> Content {
        match self.content {
            Unruled::Rule => Content::Rule(self.rule),
            Unruled::Overlaid => Content::Overlaid,
            Unruled::Opaque => Content::Opaque,
            Unruled::Free => Content::Free,
            Unruled::Brackets => Content::Brackets,
            Unruled::Island => Content::Island,
        }
    }

    pub(super) fn set_content(&mut self, content: Content) {
        self.content = match content {
            Content::Rule(rule) => {
                self.rule = rule;
                Unruled::Rule
            }
            Content::Overlaid => Unruled::Overlaid,
            Content::Opaque => Unruled::Opaque,
            Content::Free => Unruled::Free,
            Content::Brackets => Unruled::Brackets,
            Content::Island => Unruled::Island,
        };
    }
}

/// The topmost nodes of a range; `next` gives the first node after one and its descendants.
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
