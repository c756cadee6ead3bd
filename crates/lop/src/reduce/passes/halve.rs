//! Halves of the heaviest lists.
//!
//! Where little of a long list is needed, one test removes half of it, and the next one half of the rest: otherwise
//! this would take a test for each element. Where most of it is needed, or its elements depend on each other, both
//! halves are tried in vain; so the pass only tries lists that are at least a quarter of the text.

use crate::tree::{NodeId, Series, Tree};

use super::{Proposal, largest_first};

/// A list is heavy if it is at least 1/`HEAVY` of the text.
const HEAVY: usize = 4;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let is_heavy = |node: &NodeId| HEAVY * tree.range(*node).len() >= tree.text().len();
    let parents =
        largest_first(tree, tree.ids().filter(|node| !tree.is_leaf(*node) && is_heavy(node)));
    let lists = parents.into_iter().flat_map(|parent| tree.series(parent));
    let lists = lists.filter(move |series| series.len() > 1 && is_heavy_list(tree, series));
    lists.flat_map(|series| halves(tree, &series))
}

fn is_heavy_list(tree: &Tree, series: &Series) -> bool {
    let nodes = series.nodes();
    let length = tree.range(nodes[nodes.len() - 1]).end - tree.range(nodes[0]).start;
    HEAVY * length >= tree.text().len()
}

/// The last half first: definitions come before their uses.
fn halves(tree: &Tree, series: &Series) -> [Proposal; 2] {
    let middle = series.len() / 2;
    let without = |elements: std::ops::Range<usize>| {
        tree.without_elements(series, &elements.collect::<Vec<_>>())
    };
    [without(middle..series.len()), without(0..middle)]
}
