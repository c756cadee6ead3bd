//! What is left of a tree while it is being reduced.

use crate::tree::{Change, View, ViewId};

/// Which nodes are pruned, and which ones have another one in their place.
///
/// This is what a reducer asks about. It knows its nodes by number only, so that one candidate costs
/// no more than what was changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// In ascending order of the places.
    fates: Vec<(ViewId, Fate)>,
}

/// What became of the node in some place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It is gone, or its minimal replacement stands there.
    Pruned,
    /// This node from below stands there.
    Hoisted(ViewId),
}

impl Shape {
    /// This shape, with further nodes pruned.
    pub fn without(&self, nodes: impl IntoIterator<Item = ViewId>) -> Shape {
        self.with(nodes.into_iter().map(|node| (node, Fate::Pruned)))
    }

    /// This shape, with other nodes in some places.
    pub fn transformed(&self, nodes: impl IntoIterator<Item = (ViewId, ViewId)>) -> Shape {
        self.with(nodes.into_iter().map(|(place, node)| (place, Fate::Hoisted(node))))
    }

    fn with(&self, more: impl Iterator<Item = (ViewId, Fate)>) -> Shape {
        let mut fates = self.fates.clone();
        fates.extend(more);
        // Of two fates of a place the later one holds: the sort is stable, and the last one wins.
        fates.sort_by_key(|(place, _)| *place);
        fates.reverse();
        fates.dedup_by_key(|(place, _)| *place);
        fates.reverse();
        Shape { fates }
    }

    /// Which node stands in a place; none if it is pruned.
    pub fn at(&self, place: ViewId) -> Option<ViewId> {
        match self.fates.binary_search_by_key(&place, |(place, _)| *place) {
            Err(_) => Some(place),
            Ok(index) => match self.fates[index].1 {
                Fate::Pruned => None,
                Fate::Hoisted(node) => Some(node),
            },
        }
    }

    /// What is done to the tree.
    pub fn changes(&self, view: &View<'_>) -> Vec<Change> {
        let pruned = |(place, fate): &(ViewId, Fate)| (*fate == Fate::Pruned).then_some(*place);
        let mut changes = view.prune(self.fates.iter().filter_map(pruned));
        for (place, fate) in &self.fates {
            if let Fate::Hoisted(node) = fate
                && let (Some(place), Some(node)) = (view.place(*place), view.place(*node))
            {
                changes.push(Change::hoist(place, node));
            }
        }
        changes
    }
}
