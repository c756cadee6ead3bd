//! The shape of a tree while it is being reduced.

use crate::tree::{Change, View, ViewId};

use super::Transformation;

/// Which nodes are pruned, and which are replaced by a hoisted one.
///
/// Reducers ask whether a shape is interesting. It holds only the numbers of changed nodes, so that a candidate costs
/// no more than its changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// In ascending order of the places.
    fates: Vec<(ViewId, Fate)>,
}

/// The fate of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It is removed, or in most views replaced by the least text that its place allows if it must not be removed.
    Pruned,
    /// It is replaced by the least text that its place allows.
    Least,
    /// This descendant replaces it.
    Hoisted(ViewId),
}

impl Shape {
    /// This shape, with further nodes pruned.
    pub fn without(&self, nodes: impl IntoIterator<Item = ViewId>) -> Shape {
        self.with(nodes.into_iter().map(|node| (node, Fate::Pruned)))
    }

    /// This shape, with some nodes replaced by others.
    pub fn transformed(&self, nodes: impl IntoIterator<Item = (ViewId, ViewId)>) -> Shape {
        self.with(nodes.into_iter().map(|(place, node)| (place, Fate::Hoisted(node))))
    }

    /// This shape, with some nodes transformed by templates.
    pub fn replaced(&self, nodes: impl IntoIterator<Item = (ViewId, Transformation)>) -> Shape {
        self.with(nodes.into_iter().map(|(place, transformation)| match transformation {
            Transformation::Delete => (place, Fate::Pruned),
            Transformation::Least => (place, Fate::Least),
            Transformation::Node(node) => (place, Fate::Hoisted(node)),
        }))
    }

    fn with(&self, more: impl Iterator<Item = (ViewId, Fate)>) -> Shape {
        let mut fates = self.fates.clone();
        fates.extend(more);
        // Of two fates of a node the later one counts: the sort is stable, and the last one wins.
        fates.sort_by_key(|(place, _)| *place);
        fates.reverse();
        fates.dedup_by_key(|(place, _)| *place);
        fates.reverse();
        Shape { fates }
    }

    /// The node that is now in a place; `None` if it is pruned.
    pub fn at(&self, place: ViewId) -> Option<ViewId> {
        match self.fates.binary_search_by_key(&place, |(place, _)| *place) {
            Err(_) => Some(place),
            Ok(index) => match self.fates[index].1 {
                Fate::Pruned | Fate::Least => None,
                Fate::Hoisted(node) => Some(node),
            },
        }
    }

    /// The changes to the tree that make this shape.
    pub fn changes(&self, view: &View<'_>) -> Vec<Change> {
        let pruned = |(place, fate): &(ViewId, Fate)| (*fate == Fate::Pruned).then_some(*place);
        let mut changes = view.prune(self.fates.iter().filter_map(pruned));
        for (place, fate) in &self.fates {
            let Some(place) = view.place(*place) else { continue };
            changes.extend(match fate {
                Fate::Pruned => None,
                Fate::Least => {
                    let least = view.tree().minimal(place);
                    least.map(|least| Change::Replace(place, (*least).into()))
                }
                Fate::Hoisted(node) => view.place(*node).map(|node| Change::hoist(place, node)),
            });
        }
        changes
    }
}
