//! Removes comments, and other nodes that are allowed anywhere, all together; in several files, then those of each
//! file. All reducers of trees try them one by one.

use crate::tree::{Change, NodeId, Tree};

use super::Proposal;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let files = tree.files().map(|file| file.node);
    let extras = move |node: NodeId| -> Proposal {
        tree.descendants(node).filter(|node| tree.is_extra(*node)).map(Change::cut).collect()
    };
    let proposals = std::iter::once(tree.root()).chain(files).map(extras);
    proposals.filter(|proposal| !proposal.is_empty())
}
