//! Hoisting with the widest notion of compatible: any descendant that the place's content model allows there may be
//! hoisted, the nearest of each branch (χ of `reducers/hoist.rs`).
//!
//! Unlike the reducers, this pass visits all places of the tree in one sweep, the largest first, and tries the largest
//! descendant of each first, which keeps most of the text that may be needed.

use std::cmp::Reverse;

use crate::reduce::reducers::{MODEL, chi};
use crate::tree::{Change, Tree, View, ViewId, Views};

use super::Proposal;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let view = View::new(tree, Views::PLAIN);
    let places = largest_first(&view, view.ids().collect());
    places.into_iter().flat_map(move |place| {
        let nodes = largest_first(&view, chi(&view, &MODEL, place, place));
        let hoist = |node| Some(vec![Change::hoist(view.place(place)?, view.place(node)?)]);
        nodes.into_iter().filter_map(hoist).collect::<Vec<_>>()
    })
}

fn largest_first(view: &View<'_>, mut nodes: Vec<ViewId>) -> Vec<ViewId> {
    nodes.sort_by_key(|node| (Reverse(view.range(*node).len()), *node));
    nodes
}
