//! Comments, and whatever else may stand anywhere, go: all at once, and if that is too much, one by one.

use crate::tree::{Change, Tree};

use super::Proposal;

pub(super) fn propose(tree: &Tree) -> Vec<Proposal> {
    let extras = tree.ids().filter(|node| tree.is_extra(*node));
    extras.map(|node| vec![Change::cut(node)]).collect()
}
