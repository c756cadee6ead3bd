//! Replaces types by the simplest type of the text.
//!
//! A node is a type if its label in the grammar says so; the simplest is the one with the least text. First, all of
//! them are replaced together.

use std::collections::HashSet;

use crate::text::size::Size;
use crate::tree::{Change, Kind, NodeId, Tree};

use super::{Proposal, largest_first};

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let is_type = |node: &NodeId| {
        tree.is_named(*node) && !tree.is_error(*node) && tree.name(*node).contains("type")
    };
    let size = |node: NodeId| (Size::of(tree.text_of(node)), tree.text_of(node));
    let mut seen: HashSet<&[u8]> = HashSet::new();
    let leaves = tree.ids().filter(|node| tree.is_leaf(*node) && is_type(node));
    let mut simple: Vec<NodeId> = leaves.filter(|node| seen.insert(tree.text_of(*node))).collect();
    simple.sort_by_cached_key(|node| size(*node));
    // The kind decides where a type fits, so the simplest of each kind is enough.
    let mut kinds: HashSet<Kind> = HashSet::new();
    simple.retain(|node| kinds.insert(tree.kind(*node)));
    let places = largest_first(tree, tree.ids().filter(is_type));
    places.into_iter().filter_map(move |place: NodeId| {
        let fits = |node: &NodeId| tree.fits(place, tree.kind(*node)) && size(*node) < size(place);
        let simplest = simple.iter().copied().find(fits)?;
        Some(vec![Change::Replace(place, tree.text_of(simplest).into())])
    })
}
