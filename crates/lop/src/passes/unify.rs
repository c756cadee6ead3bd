//! Two names become one.
//!
//! Every use of one name becomes the other, and the declaration of the first, which is the smallest thing around its
//! first occurrence that may go, goes with it; or stays, if something else needs it. Names become
//! smaller ones only, so this ends.

use crate::tree::{NodeId, Tree};

use super::names::{names, renamed};
use super::{Proposal, cut_around, removed};

/// With how many others a name is unified.
const OTHERS: usize = 6;
/// From so many names on, only the nearest others are tried.
const MANY: usize = 24;

pub(super) fn propose(tree: &Tree) -> Vec<Proposal> {
    let names = names(tree);
    // A text with many names has more pairs than are worth a test.
    let most = if names.len() > MANY { OTHERS } else { MANY };
    let mut proposals = Vec::new();
    for (name, occurrences) in &names {
        let mut others: Vec<(&[u8], &Vec<NodeId>)> = names
            .iter()
            .map(|(other, at)| (*other, at))
            .filter(|(other, _)| other != name)
            .collect();
        // What is called alike by the grammar comes first, then what occurs often.
        let kind = tree.kind(occurrences[0]);
        others.sort_by_key(|(other, at)| {
            (tree.kind(at[0]) != kind, std::cmp::Reverse(at.len()), *other)
        });
        for (other, _) in others.into_iter().take(most) {
            let mut whole = renamed(&occurrences[1..], other);
            if let Some((_, declaration)) = cut_around(tree, occurrences[0]) {
                whole.splice(0..0, declaration);
                proposals.push(whole);
            }
            if (other.len(), other) < (name.len(), *name) {
                proposals.push(renamed(occurrences, other));
            }
        }
    }
    proposals.sort_by_cached_key(|proposal| std::cmp::Reverse(removed(tree, proposal)));
    proposals
}
