//! Replaces nodes by the least text that fits: an instance from elsewhere in the text, the
//! grammar's least text of a kind, or an instance from a corpus.
//!
//! Large nodes come first, and for each of them the least text. A few texts of different kinds are tried, since a `0` may be
//! of the wrong type where a name is not, and one text of the corpus. The other names of
//! the text come last, if they are few: one of them may work where the shortest does not.

use crate::tree::{Change, Corpus, NodeId, StandIns, Tree};

use super::names::names;
use super::{Proposal, largest_first};

/// The number of texts that are tried for a node with children, and for one without.
const TRIED: [usize; 2] = [3, 2];
/// From this many names on, only the shortest is tried.
const MANY: usize = 12;

pub(super) fn propose(tree: &Tree, corpus: &Corpus) -> Vec<Proposal> {
    let mut stand_ins = StandIns::new(tree);
    let places = tree.ids().filter(|node| *node != tree.root() && tree.is_named(*node));
    let places = largest_first(tree, places.filter(|node| !tree.is_extra(*node)));
    let replaced = |place: &NodeId| {
        let place = *place;
        let is_leaf = tree.is_leaf(place);
        let mut texts = stand_ins.of(place);
        texts.truncate(TRIED[usize::from(is_leaf)]);
        if !is_leaf {
            let mut seen = stand_ins.seen(place, corpus).into_iter();
            texts.extend(seen.find(|text| !texts.contains(text)));
        }
        texts
            .into_iter()
            .map(move |text| vec![Change::Replace(place, text.into())])
            .collect::<Vec<_>>()
    };
    let mut proposals: Vec<Proposal> = places.iter().flat_map(replaced).collect();
    proposals.extend(other_names(tree, &places));
    proposals
}

/// Replaces every node that is longer than a name by each name.
fn other_names(tree: &Tree, places: &[NodeId]) -> Vec<Proposal> {
    let names = names(tree);
    if names.len() >= MANY {
        return Vec::new();
    }
    let larger = places.iter().copied().filter(|place| !tree.is_leaf(*place));
    larger
        .flat_map(|place| {
            let fitting = names.iter().filter(move |(_, at)| tree.fits(place, tree.kind(at[0])));
            fitting.map(move |(name, _)| vec![Change::Replace(place, (*name).into())])
        })
        .collect()
}
