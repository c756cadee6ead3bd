//! Hoisting with the widest notion of compatible: whatever a place's content model allows there may come
//! up from below, the nearest of each branch (see χ in `reducers/hoist.rs`).
//!
//! Unlike there, all places of the tree are looked at in one sweep, the largest first, and for each of them
//! the largest descendant first: it keeps most of what may be needed.

use crate::tree::{Change, NodeId, Tree};

use super::{Proposal, largest_first};

pub(super) fn propose(tree: &Tree) -> Vec<Proposal> {
    let places = largest_first(tree, tree.ids().filter(|node| !tree.is_leaf(*node)));
    let hoists = |place: NodeId| {
        let nodes = largest_first(tree, nearest(tree, place).into_iter());
        nodes.into_iter().map(move |node| vec![Change::hoist(place, node)])
    };
    places.into_iter().flat_map(hoists).collect()
}

/// The descendants that may stand in a place and are below no other such.
fn nearest(tree: &Tree, place: NodeId) -> Vec<NodeId> {
    let mut found: Vec<NodeId> = Vec::new();
    for node in tree.hoistable(place) {
        let is_below = |above: &NodeId| tree.range(*above).end >= tree.range(node).end;
        // The same text under another name is the same.
        if !found.last().is_some_and(is_below) {
            found.push(node);
        }
    }
    found
}
