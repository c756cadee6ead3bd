//! Removes single nodes: with a separator next to them, or with the smallest removable node around them.

use std::collections::HashMap;
use std::rc::Rc;

use crate::tree::{Change, NodeId, Series, Tree};

/// The changes that remove a node with the smallest removable node around it, and with nodes of which only punctuation
/// would remain.
pub(super) fn cut_around(tree: &Tree, node: NodeId) -> Option<(NodeId, Vec<Change>)> {
    Cuts::new(tree).around(node)
}

/// The changes that remove a node, alone or with a separator next to it.
pub(super) fn cut(tree: &Tree, node: NodeId) -> Option<Vec<Change>> {
    Cuts::new(tree).of(node)
}

/// Removes many nodes of a tree. Each list is found once: in a large text, thousands of nodes are in the same one.
pub(super) struct Cuts<'t> {
    tree: &'t Tree,
    series: HashMap<NodeId, Rc<[Series]>>,
}

impl<'t> Cuts<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        Cuts { tree, series: HashMap::new() }
    }

    /// See [`cut_around`].
    pub(super) fn around(&mut self, node: NodeId) -> Option<(NodeId, Vec<Change>)> {
        let tree = self.tree;
        let above = std::iter::successors(Some(node), |node| tree.parent(*node));
        let mut above = above.take_while(|node| *node != tree.root());
        let mut found = above.find_map(|node| Some((node, self.of(node)?)))?;
        while let Some(outer) = tree.parent(found.0).filter(|outer| *outer != tree.root()) {
            let mut others = tree.children(outer).filter(|child| *child != found.0);
            if others.any(|child| tree.is_named(child)) {
                break;
            }
            let Some(whole) = self.of(outer) else { break };
            found = (outer, whole);
        }
        Some(found)
    }

    /// See [`cut`].
    pub(super) fn of(&mut self, node: NodeId) -> Option<Vec<Change>> {
        let in_list = self.in_series(node);
        let is_removable = || self.tree.is_removable(node) && !self.tree.is_extra(node);
        in_list.or_else(|| is_removable().then(|| vec![Change::cut(node)]))
    }

    fn in_series(&mut self, node: NodeId) -> Option<Vec<Change>> {
        let (tree, parent) = (self.tree, self.tree.parent(node)?);
        let all = self.series.entry(parent).or_insert_with(|| tree.series(parent).into());
        all.iter().find_map(|series| {
            let index = series.index_of(node)?;
            let is_list = series.len() > 1 || series.is_separated();
            is_list.then(|| tree.without_elements(series, &[index]))
        })
    }
}
