//! What is the same goes the same way.
//!
//! Where a text occurs several times, its occurrences may have to stay the same: `a.b` cannot become `a` in one
//! place alone. So the same thing happens to all of them at once: a part of it stands in its place, or the least
//! that fits there.

use std::collections::BTreeMap;

use crate::tree::{NodeId, StandIns, Tree};

use super::names::is_name;
use super::{Proposal, most_first, nearest, put};

/// Longer texts that occur several times are rare, and to look for them is dear.
const LONGEST: usize = 256;
/// How many texts are tried that are no part of it.
const FEW: usize = 2;
/// In how many places it is looked at what fits; the parser sees the others.
const SOME: usize = 8;

pub(super) fn propose(tree: &Tree) -> Vec<Proposal> {
    let mut stand_ins = StandIns::new(tree);
    let mut proposals = Vec::new();
    for places in twins(tree).into_values().filter(|places| places.len() > 1) {
        let mut texts: Vec<Vec<u8>> = parts(tree, &places);
        texts.extend(stand_ins.of(places[0]).into_iter().take(FEW));
        proposals.extend(texts.iter().map(|text| put(&places, text)));
    }
    most_first(tree, proposals)
}

/// The places of every text. Names are left to others, who know what a declaration is.
fn twins(tree: &Tree) -> BTreeMap<&[u8], Vec<NodeId>> {
    let mut twins: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
    let mut last = 0..0;
    for node in tree.ids().filter(|node| *node != tree.root() && tree.is_named(*node)) {
        let range = tree.range(node);
        let is_left = tree.is_extra(node) || is_name(tree, node) || range.len() > LONGEST;
        // Of several nodes for the same text the highest is the place.
        if range.len() > 1 && range != last && !is_left {
            twins.entry(tree.text_of(node)).or_default().push(node);
        }
        last = range;
    }
    twins
}

/// Parts of what stands in some places that may stand there alone.
fn parts(tree: &Tree, places: &[NodeId]) -> Vec<Vec<u8>> {
    let found = nearest(tree, places[0], |node| {
        tree.range(node).len() < tree.range(places[0]).len()
            && places.iter().take(SOME).all(|place| tree.fits(*place, tree.kind(node)))
    });
    found.into_iter().map(|node| tree.text_of(node).to_vec()).collect()
}
