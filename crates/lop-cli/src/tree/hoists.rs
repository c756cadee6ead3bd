//! Finds the nodes that can be hoisted to each place of a tree.
//!
//! [`Tree::hoistable`] visits all descendants of a place. Called for every node of a tree, it takes time proportional
//! to nodes times depth, which is quadratic for deep nesting. Whether a node fits a place depends only on its kind, so
//! this module lists the nodes of each kind once. For a place it then checks each kind, counts the nodes of that kind
//! by binary search, and visits only the nodes that are shown.

use std::collections::BTreeMap;

use lop::tree::{Kind, NodeId, Tree};

/// The nodes of a tree that can be hoisted, by kind.
pub(super) struct Hoists<'t> {
    tree: &'t Tree,
    /// In pre-order.
    nodes: Vec<NodeId>,
    /// The same nodes by kind, each list in pre-order.
    by_kind: BTreeMap<Kind, Vec<NodeId>>,
}

impl<'t> Hoists<'t> {
    /// Collects the hoistable ones of `nodes`, which are in pre-order.
    pub(super) fn new(tree: &'t Tree, nodes: impl Iterator<Item = NodeId>) -> Self {
        let may_move =
            |it: &NodeId| !tree.is_extra(*it) && !tree.is_error(*it) && tree.is_named(*it);
        let nodes: Vec<NodeId> = nodes.filter(may_move).collect();
        let mut by_kind: BTreeMap<Kind, Vec<NodeId>> = BTreeMap::new();
        for node in &nodes {
            by_kind.entry(tree.kind(*node)).or_default().push(*node);
        }
        Hoists { tree, nodes, by_kind }
    }

    /// The nodes that can be hoisted to a place: the first `most` in pre-order, and the number of all.
    pub(super) fn to(&self, place: NodeId, most: usize) -> (Vec<NodeId>, usize) {
        let is_smaller = |node: &NodeId| self.tree.range(*node) != self.tree.range(place);
        let fits = |kind: Kind| self.tree.fits(place, kind);
        let below = self.below(place, &self.nodes);
        // Most places are near the leaves and have fewer descendants than there are kinds.
        if below.len() <= self.by_kind.len() {
            let fitting = below.iter().filter(|it| is_smaller(it) && fits(self.tree.kind(**it)));
            let mut fitting: Vec<NodeId> = fitting.copied().collect();
            let count = fitting.len();
            fitting.truncate(most);
            return (fitting, count);
        }
        let as_large = self.as_large(place);
        let (mut first, mut count) = (Vec::new(), 0);
        for (kind, nodes) in &self.by_kind {
            let nodes = self.below(place, nodes);
            if !nodes.is_empty() && fits(*kind) {
                let found = nodes.iter().copied().filter(is_smaller);
                first.extend(found.take(most));
                count += nodes.len();
                count -= as_large.iter().filter(|it| nodes.binary_search(it).is_ok()).count();
            }
        }
        first.sort_unstable();
        first.truncate(most);
        (first, count)
    }

    /// The part of `nodes`, which are in pre-order, that is below a place.
    fn below<'n>(&self, place: NodeId, nodes: &'n [NodeId]) -> &'n [NodeId] {
        let last = self.tree.descendants(place).next_back().unwrap_or(place);
        let start = nodes.partition_point(|node| *node <= place);
        let end = nodes.partition_point(|node| *node <= last);
        &nodes[start..end]
    }

    /// The descendants with the same range as a place: a chain of only children.
    fn as_large(&self, place: NodeId) -> Vec<NodeId> {
        let range = self.tree.range(place);
        let inner = |node: &NodeId| {
            let mut children = self.tree.children(*node);
            let first = children.find(|child| !self.tree.range(*child).is_empty());
            first.filter(|child| self.tree.range(*child) == range)
        };
        std::iter::successors(inner(&place), inner).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lop::tree::Format;

    use super::*;

    fn tree(format: &str, text: &str) -> Tree {
        let format = Format::named(format).expect("this build includes the format");
        Tree::parse(&Arc::new(text.into()), &format)
    }

    #[test]
    fn the_same_nodes_are_found_as_by_a_visit_to_all_descendants() {
        let calls = |depth: usize| format!("{}0{}", "f(a, ".repeat(depth), ")".repeat(depth));
        let blocks = "{ if (x) { while (y) { /* z */ g(); } } }".repeat(20);
        for (format, text) in [
            ("c", format!("int main() {{ return {}; }}", calls(60))),
            ("c", format!("int main() {{ {blocks} }} int x = (1 + 2) * 3;")),
            ("c", "int main( { if }".repeat(30)),
            ("json", format!("{}{}", "[1, [2], ".repeat(80), "]".repeat(80))),
            ("text", "(a (b [c]) d)\n  e\n".repeat(30)),
        ] {
            let tree = tree(format, &text);
            let hoists = Hoists::new(&tree, tree.ids());
            for place in tree.ids() {
                let mut all: Vec<NodeId> = tree.hoistable(place).collect();
                let count = all.len();
                assert_eq!(hoists.to(place, usize::MAX), (all.clone(), count), "{text}");
                all.truncate(3);
                assert_eq!(hoists.to(place, 3), (all, count), "{text}");
            }
        }
    }
}
