//! Turns two names into one.
//!
//! Every use of one name is replaced by the other, and the declaration of the first, which is the smallest removable
//! node around its first occurrence, is removed. If it has to stay, two things keep two names: `inline`, `expand` and
//! other passes distinguish things by their names, and so do readers.
//!
//! The text never grows. If a name would be replaced by a longer one in so many places that the text would grow, the
//! remaining name gets the shorter word instead.

use crate::tree::{NodeId, Tree};

use super::names::names;
use super::{Proposal, cut_around, grows, most_first, put};

/// A text with more names than this has too many pairs to test them all.
const MANY: usize = 24;
/// In such a text, each name is paired with this many of the most frequent ones.
const FEW: usize = 6;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let names = names(tree);
    let mut often: Vec<(&[u8], &Vec<NodeId>)> =
        names.iter().map(|(name, at)| (*name, at)).collect();
    often.sort_by_key(|(name, at)| (std::cmp::Reverse(at.len()), *name));
    often.truncate(MANY);
    let most = if names.len() > MANY { FEW } else { MANY };
    let mut proposals = Vec::new();
    for (name, occurrences) in &names {
        // Names of the same kind come first, then those that occur often.
        let kind = tree.kind(occurrences[0]);
        let others = often.iter().filter(|(other, _)| other != name);
        let (alike, unlike): (Vec<_>, Vec<_>) =
            others.partition(|(_, at)| tree.kind(at[0]) == kind);
        let Some((_, declaration)) = cut_around(tree, occurrences[0]) else { continue };
        for (other, theirs) in alike.into_iter().chain(unlike).take(most) {
            let unified = [declaration.clone(), put(&occurrences[1..], other)].concat();
            proposals.push(match other.len() > name.len() && grows(tree, &unified) {
                true => [declaration.clone(), put(theirs, name)].concat(),
                false => unified,
            });
        }
    }
    most_first(tree, proposals)
}
