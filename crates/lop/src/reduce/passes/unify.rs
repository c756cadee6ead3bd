//! Two names become one.
//!
//! Every use of one name becomes the other, and the declaration of the first, which is the smallest thing around its
//! first occurrence that may go, goes with it; or stays, if something else needs it, and then the name
//! becomes a smaller one.

use crate::tree::{NodeId, Tree};

use super::names::names;
use super::{Proposal, cut_around, most_first, put};

/// A text with more names than this has more pairs than are worth a test.
const MANY: usize = 24;
/// Of each of its names so few are tried, of those that occur most often.
const FEW: usize = 6;

pub(super) fn propose(tree: &Tree) -> Vec<Proposal> {
    let names = names(tree);
    let mut often: Vec<(&[u8], &Vec<NodeId>)> =
        names.iter().map(|(name, at)| (*name, at)).collect();
    often.sort_by_key(|(name, at)| (std::cmp::Reverse(at.len()), *name));
    often.truncate(MANY);
    let most = if names.len() > MANY { FEW } else { MANY };
    let mut proposals = Vec::new();
    for (name, occurrences) in &names {
        // What is called alike by the grammar comes first, then what occurs often.
        let kind = tree.kind(occurrences[0]);
        let others = often.iter().filter(|(other, _)| other != name);
        let (alike, unlike): (Vec<_>, Vec<_>) =
            others.partition(|(_, at)| tree.kind(at[0]) == kind);
        let declaration = cut_around(tree, occurrences[0]).map(|(_, cut)| cut);
        for (other, _) in alike.into_iter().chain(unlike).take(most) {
            if let Some(declaration) = &declaration {
                proposals.push([declaration.clone(), put(&occurrences[1..], other)].concat());
            }
            if (other.len(), other) < (name.len(), name) {
                proposals.push(put(occurrences, other));
            }
        }
    }
    most_first(tree, proposals)
}
