//! Hoisting over long distances: replaces a heavy node by a descendant far below it.
//!
//! If only the innermost part of deep nesting is needed, hoisting the nearest descendants takes a test for each level,
//! and so does removing the nodes one by one. So this pass follows the heaviest child from level to level, and proposes
//! the compatible nodes on this path: the furthest, and then ever nearer ones at half the distance.
//!
//! It only tries nodes that are at least a quarter of the text and not on the path of another one; `lift` does the
//! rest.

use std::collections::HashSet;

use crate::reduce::reducers::MODEL;
use crate::tree::{Change, Tree, View, ViewId, Views};

use super::Proposal;

/// A node is heavy if it is at least 1/`HEAVY` of the text.
const HEAVY: usize = 4;

/// How many nodes on a path are tried as the place of a far descendant.
const PLACES: usize = 16;

/// The least distance: shallower nesting takes few tests anyway, and isn't worth another shape of the tree.
const NEAREST: usize = 64;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let view = View::new(tree, Views::PLAIN);
    let is_heavy = |node: &ViewId| HEAVY * view.range(*node).len() >= tree.text().len();
    let mut seen: HashSet<ViewId> = HashSet::new();
    let mut proposals = Vec::new();
    for place in view.ids().filter(is_heavy) {
        if seen.contains(&place) {
            continue;
        }
        let path: Vec<ViewId> =
            std::iter::successors(Some(place), |node| heaviest(&view, *node)).collect();
        seen.extend(&path);
        // The topmost node cannot always be replaced by one far below: a whole program isn't a statement.
        let leaps = path.iter().enumerate().map(|(at, place)| leaps(&view, *place, &path[at..]));
        proposals.extend(
            leaps
                .take(PLACES.min(path.len().saturating_sub(NEAREST)))
                .find(|found| !found.is_empty()),
        );
    }
    proposals.into_iter().flatten()
}

/// The longest child of a node.
fn heaviest(view: &View<'_>, node: ViewId) -> Option<ViewId> {
    view.children(node).max_by_key(|child| view.range(*child).len())
}

/// Hoists of nodes on a path to its first node, the furthest first, then ever nearer ones at half the distance.
fn leaps(view: &View<'_>, place: ViewId, path: &[ViewId]) -> Vec<Proposal> {
    let distances = std::iter::successors(Some(path.len() - 1), |distance| Some(distance / 2));
    let distances = distances.take_while(|distance| *distance >= NEAREST);
    let compatible = |distance: usize| {
        let nodes = path[NEAREST..=distance].iter().rev().copied();
        nodes.into_iter().find(|node| MODEL.allows(view, place, *node))
    };
    let mut nodes: Vec<ViewId> = distances.filter_map(compatible).collect();
    nodes.dedup();
    let hoist = |node| Some(vec![Change::hoist(view.place(place)?, view.place(node)?)]);
    nodes.into_iter().filter_map(hoist).collect()
}
