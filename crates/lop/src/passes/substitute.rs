//! The least that fits in the place of a node: an instance from elsewhere in the text, or what the
//! grammar knows to be the least of a kind.
//!
//! Large places come first, and in each of them the least text. A few texts of different kinds are tried: a `0` may be
//! of the wrong type where a name is not.

use crate::tree::{Change, NodeId, StandIns, Tree};

use super::{Proposal, largest_first};

/// How many are tried for a node with children, and for one without.
const TRIED: [usize; 2] = [3, 2];

pub(super) fn propose(tree: &Tree) -> Vec<Proposal> {
    let mut stand_ins = StandIns::new(tree);
    let places = tree.ids().filter(|node| *node != tree.root() && tree.is_named(*node));
    let places = largest_first(tree, places.filter(|node| !tree.is_extra(*node)));
    let replaced = |place: NodeId| {
        let texts = stand_ins.of(place).into_iter().take(TRIED[usize::from(tree.is_leaf(place))]);
        texts.map(move |text| vec![Change::Replace(place, text.into())]).collect::<Vec<_>>()
    };
    places.into_iter().flat_map(replaced).collect()
}
