//! Replaces all occurrences of a text by the same text.
//!
//! Where a text occurs several times, its occurrences may have to stay the same: `a.b` cannot become `a` in one place
//! alone. So all of them are replaced together: by a part of the text, or by the least text that fits there.

use std::collections::BTreeMap;

use crate::tree::{NodeId, StandIns, Tree};

use super::names::is_name;
use super::{Proposal, most_first, nearest, put};

/// The longest text that the pass considers: longer ones rarely occur several times, and searching for them is
/// expensive.
const LONGEST: usize = 256;
/// The number of replacements that are tried besides parts of the text.
const FEW: usize = 2;
/// The number of places in which a part must fit; in the others, the parser decides.
const SOME: usize = 8;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let mut stand_ins = StandIns::new(tree);
    let mut proposals = Vec::new();
    for places in twins(tree).into_values().filter(|places| places.len() > 1) {
        let mut texts: Vec<Vec<u8>> = parts(tree, &places);
        texts.extend(stand_ins.of(places[0]).into_iter().take(FEW));
        proposals.extend(texts.iter().map(|text| put(&places, text)));
    }
    most_first(tree, proposals)
}

/// The places of every text. Names are left to other passes, which know declarations.
fn twins(tree: &Tree) -> BTreeMap<&[u8], Vec<NodeId>> {
    let mut twins: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
    let mut last = 0..0;
    for node in tree.ids().filter(|node| *node != tree.root() && tree.is_named(*node)) {
        let range = tree.range(node);
        let is_left = tree.is_extra(node) || is_name(tree, node) || range.len() > LONGEST;
        // Of several nodes with the same range, the highest is the place.
        if range.len() > 1 && range != last && !is_left {
            twins.entry(tree.text_of(node)).or_default().push(node);
        }
        last = range;
    }
    twins
}

/// The parts of a repeated text that fit in its places alone.
fn parts(tree: &Tree, places: &[NodeId]) -> Vec<Vec<u8>> {
    let found = nearest(tree, places[0], |node| {
        tree.range(node).len() < tree.range(places[0]).len()
            && places.iter().take(SOME).all(|place| tree.fits(*place, tree.kind(node)))
    });
    found.into_iter().map(|node| tree.text_of(node).to_vec()).collect()
}
