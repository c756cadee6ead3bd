//! Comments, and whatever else may stand anywhere, go: all at once. One by one they are looked at by all reducers of
//! trees.

use crate::tree::{Change, Tree};

use super::Proposal;

pub(super) fn propose(tree: &Tree) -> Vec<Proposal> {
    let extras = tree.ids().filter(|node| tree.is_extra(*node));
    let all: Proposal = extras.map(Change::cut).collect();
    if all.is_empty() { Vec::new() } else { vec![all] }
}
