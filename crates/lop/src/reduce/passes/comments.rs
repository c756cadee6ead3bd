//! Removes comments, and other nodes that are allowed anywhere, all at once. All reducers of trees try them one by
//! one.

use crate::tree::{Change, Tree};

use super::Proposal;

pub(super) fn propose(tree: &Tree) -> Vec<Proposal> {
    let extras = tree.ids().filter(|node| tree.is_extra(*node));
    let all: Proposal = extras.map(Change::cut).collect();
    if all.is_empty() { Vec::new() } else { vec![all] }
}
