//! Hoisting through a production that adds tokens: where a descendant fits a place only inside a
//! wrapper, the grammar names the shortest one.
//!
//! `if (f()) g;` becomes `f();`: an expression isn't a statement, but with a `;` it is.

use crate::tree::{Change, NodeId, StandIns, Tree};

use super::{Proposal, largest_first};

/// The longest wrapper: a longer one is a statement by itself, and gains nothing.
const LONGEST: usize = 4;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let mut stand_ins = StandIns::new(tree);
    let places = tree.ids().filter(|node| *node != tree.root() && tree.is_named(*node));
    let places = largest_first(tree, places.filter(|node| !tree.is_leaf(*node)));
    places.into_iter().flat_map(move |place| proposals(tree, place, &mut stand_ins))
}

fn proposals(tree: &Tree, place: NodeId, stand_ins: &mut StandIns<'_>) -> Vec<Proposal> {
    let mut found: Vec<NodeId> = Vec::new();
    let mut wrapped = Vec::new();
    for node in tree.descendants(place) {
        let is_below = |above: &NodeId| tree.range(*above).end >= tree.range(node).end;
        let is_candidate = tree.is_named(node) && !tree.is_extra(node) && !tree.is_error(node);
        if !is_candidate || found.last().is_some_and(is_below) {
            continue;
        }
        // Other passes try nodes that fit without a wrapper, and their descendants.
        if tree.fits(place, tree.kind(node)) {
            found.push(node);
            continue;
        }
        let Some(wrapper) = stand_ins.wrapper(place, node) else { continue };
        if wrapper.before.len() + wrapper.after.len() > LONGEST {
            continue;
        }
        let parts = [wrapper.before.as_bytes(), tree.text_of(node), wrapper.after.as_bytes()];
        let text = parts.concat();
        if text.len() < tree.range(place).len() {
            // If the node is only brackets around another one, that one is also tried.
            if tree.children(node).filter(|child| tree.is_named(*child)).count() != 1 {
                found.push(node);
            }
            wrapped.push(vec![Change::Replace(place, text.into())]);
        }
    }
    wrapped
}
