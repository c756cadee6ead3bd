//! The view of a tree as an abstract one.
//!
//! S. Herfert, J. Patra and M. Pradel, "Automatically Reducing Tree-Structured Test Inputs", ASE 2017, Section III: a
//! tree has labels on its nodes and on its edges, and the label of a leaf is its text. The trees there are made by
//! tools that drop punctuation, and print a tree without a node as well as they can. Ours have every token of the text,
//! so this view leaves out the tokens that such tools drop:
//!
//! | in the tree | in the view |
//! |---|---|
//! | a node that a rule makes | a node, whose label is the name of the rule |
//! | a token under a field, such as an operator | a leaf, whose label is its text |
//! | a word that may be removed, such as `static` | the same: other trees have an attribute for it |
//! | any other token | part of the node that it is removed with: an element of a list or an optional part; else of its parent |
//! | a token of a rule, such as a name or a number | a node with a leaf below it, whose label is the text |
//!
//! The edge to a node is its field. Every node can be removed, with its separator, whether the grammar allows that or
//! not. The text of a leaf cannot: without it, the text of the tree would be the same as without the node above it.

use super::build::{Seed, ViewBuilder};
use super::{Origin, View, ViewId};
use crate::tree::{NodeId, Tree};

/// The edge to the text of a leaf.
const TEXT: &str = "text";

impl ViewBuilder<'_> {
    /// The children of a node in an abstract tree.
    pub(super) fn abstract_parts(&mut self, node: NodeId) -> Vec<Seed> {
        if self.tree.is_leaf(node) {
            let text = || Seed::new(Origin::Text, self.tree.range(node));
            return self.tree.has_label_below(node).then(text).into_iter().collect();
        }
        let parts = self.parts(node);
        parts.into_iter().flat_map(|part| self.visible(part)).collect()
    }

    /// The nodes of an abstract tree in one part of a rule: if there is only one, it is removed with the whole part.
    fn visible(&self, part: Seed) -> Vec<Seed> {
        let (first, last) = part.siblings();
        let is_visible = |node: &NodeId| self.tree.is_abstract(*node);
        let mut visible: Vec<Seed> = self
            .tree
            .siblings(first, last)
            .filter(is_visible)
            .map(|node| self.seed(node))
            .collect();
        if let [only] = &mut visible[..] {
            only.element = part.element;
        }
        visible
    }
}

impl Tree {
    /// The number of nodes of the abstract tree.
    pub fn abstract_size(&self) -> usize {
        let is_node = |node: &NodeId| *node == self.root() || self.is_abstract(*node);
        let nodes = self.ids().filter(is_node);
        nodes.map(|node| 1 + usize::from(self.has_label_below(node))).sum()
    }

    /// Whether a node is in the abstract tree.
    pub(in crate::tree) fn is_abstract(&self, node: NodeId) -> bool {
        let is_word = || self.text_of(node).first().is_some_and(u8::is_ascii_alphabetic);
        self.is_named(node)
            || self.is_error(node)
            || self.field(node).is_some()
            || is_word() && self.is_removable(node)
    }

    /// Whether there may be several nodes of its kind in the place of a node.
    pub(in crate::tree) fn may_be_several(&self, place: NodeId) -> bool {
        self.fits_sequence(place, [self.kind(place); 2])
    }

    /// Whether a node has its text as a leaf below it: it is a token of a rule that makes different texts.
    fn has_label_below(&self, node: NodeId) -> bool {
        self.is_leaf(node)
            && self.is_named(node)
            && !self.range(node).is_empty()
            && self.text_of(node) != self.name(node).as_bytes()
    }
}

impl View<'_> {
    /// The label of a node: the name of its rule; of a token, its text.
    pub fn label(&self, node: ViewId) -> &[u8] {
        match self.node(node) {
            Some(node) if self.tree.is_named(node) => self.tree.name(node).as_bytes(),
            _ => &self.tree.text()[self.range(node)],
        }
    }

    /// The label of the edge to a node: its field; empty if there is none.
    pub fn edge(&self, node: ViewId) -> &str {
        match self.entry(node).origin {
            Origin::Text => TEXT,
            _ => self.place(node).and_then(|place| self.tree.field(place)).unwrap_or_default(),
        }
    }

    /// The context of a node: the label of its parent, and that of the edge to it; the root has none.
    pub fn context(&self, node: ViewId) -> Option<(&[u8], &str)> {
        self.parent(node).map(|parent| (self.label(parent), self.edge(node)))
    }

    /// The number of nodes in the subtree of a node.
    pub fn size(&self, node: ViewId) -> usize {
        self.next(node).index() - node.index()
    }

    /// The nodes at a distance from the root.
    pub fn level(&self, level: usize) -> Vec<ViewId> {
        let below =
            |nodes: Vec<ViewId>| nodes.iter().flat_map(|node| self.children(*node)).collect();
        (0..level).fold(vec![self.root()], |nodes, _| below(nodes))
    }

    /// The largest distance of a node from the root.
    pub fn depth(&self) -> usize {
        let mut depths = vec![0; self.len()];
        for node in self.ids().skip(1) {
            depths[node.index()] = self.parent(node).map_or(0, |parent| depths[parent.index()] + 1);
        }
        depths.into_iter().max().unwrap_or_default()
    }

    /// Whether a node is only a list: it has no token of its own, and there may be several of each child.
    pub fn is_bare_list(&self, node: ViewId) -> bool {
        let Some(node) = self.node(node) else { return false };
        let mut elements = self.tree.children(node).filter(|child| !self.tree.is_extra(*child));
        let is_element = |child| self.tree.is_named(child) && self.tree.may_be_several(child);
        !self.tree.is_leaf(node) && elements.all(is_element)
    }

    /// Whether there may be several of a node in its place.
    pub fn may_be_several(&self, place: ViewId) -> bool {
        self.place(place).is_some_and(|place| self.tree.may_be_several(place))
    }

    /// Whether a node is the text of a leaf.
    pub fn is_text(&self, node: ViewId) -> bool {
        matches!(self.entry(node).origin, Origin::Text)
    }
}
