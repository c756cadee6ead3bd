//! Replaces types by the simplest type of the text.
//!
//! A type is a node whose label in the grammar says so; the simplest is the one with the least text. First, all of them are replaced
//! at once.

use crate::text::size::Size;
use crate::tree::{Change, NodeId, Tree};

use super::{Proposal, largest_first};

pub(super) fn propose(tree: &Tree) -> Vec<Proposal> {
    let is_type = |node: &NodeId| {
        tree.is_named(*node) && !tree.is_error(*node) && tree.name(*node).contains("type")
    };
    let size = |node: NodeId| (Size::of(tree.text_of(node)), tree.text_of(node));
    let leaves = tree.ids().filter(|node| tree.is_leaf(*node) && is_type(node));
    let mut simple: Vec<NodeId> = leaves.collect();
    simple.sort_by_key(|node| size(*node));
    simple.dedup_by_key(|node| tree.text_of(*node));
    let places = largest_first(tree, tree.ids().filter(is_type));
    let replaced = |place: NodeId| {
        let fits = |node: &NodeId| tree.fits(place, tree.kind(*node)) && size(*node) < size(place);
        let simplest = simple.iter().copied().find(fits)?;
        Some(vec![Change::Replace(place, tree.text_of(simplest).into())])
    };
    places.into_iter().filter_map(replaced).collect()
}
