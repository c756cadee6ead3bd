//! The walk down a tree that all reducers have in common.
//!
//! Figures 2, 7 and 8 of D. Vince et al. differ in which nodes are tagged, whether they are filtered, and
//! what is done to them. Put on top of each other they are
//!
//! ```text
//! nodes ← the first ones to be tagged               2, 3    traversal
//! while nodes ≠ ∅ do                                4
//!     nodes ← filterEmptyPhiNodes(nodes)                    coarse variants only
//!     minconfig ← DDMIN(nodes)                      5       HDD, HDDH
//!     prune(input_tree, minconfig)                  6
//!     hoisting ← TMIN^χ(minconfig)                  7       HOIST, HDDH
//!     transform(input_tree, hoisting)               8
//!     nodes ← the next ones to be tagged            9, 10   traversal
//! ```
//!
//! with the line numbers of Figure 8.

use crate::search::Search;
use crate::tree::{View, ViewId};

use super::Step::{Hoist, Prune};
use super::{Compatible, Filter, Reducer, Shape, Step, Traversal, hoist, prune};

impl Reducer {
    /// Reduces a tree that is interesting, and returns what is left of it.
    pub fn run(
        &self,
        view: &View<'_>,
        compatible: &Compatible,
        search: &mut dyn Search<Shape>,
    ) -> Shape {
        let mut tree = InputTree { view, shape: Shape::default() };
        let mut walk = self.traversal.clone();
        while let Some(nodes) = walk.next(&tree) {
            let nodes = self.filter.apply(&tree, nodes);
            for (index, step) in self.steps.iter().enumerate() {
                let nodes = tree.left(&nodes);
                if nodes.is_empty() {
                    break;
                }
                let next = || self.attempts_after(index, &nodes, &walk, &tree, compatible);
                tree.shape = match step {
                    Prune => prune::prune(&tree, &nodes, next, search),
                    Hoist => hoist::hoist(&tree, compatible, &nodes, next, search),
                };
            }
        }
        tree.shape
    }

    /// What is tried after a step over some nodes if nothing came of it.
    fn attempts_after<'t>(
        &'t self,
        step: usize,
        nodes: &[ViewId],
        walk: &Traversal,
        tree: &'t InputTree<'_>,
        compatible: &'t Compatible,
    ) -> impl Iterator<Item = Shape> + 't {
        let attempts = move |(step, nodes): (&Step, Vec<ViewId>)| match step {
            Prune => Box::new(prune::attempts(tree, nodes)) as Box<dyn Iterator<Item = Shape>>,
            Hoist => Box::new(hoist::attempts(tree, compatible, nodes)),
        };
        let (mut walk, nodes) = (walk.clone(), nodes.to_vec());
        let later = std::iter::from_fn(move || walk.next(tree));
        let later = later.map(|nodes| self.filter.apply(tree, nodes));
        let rest = self.steps[step + 1..].iter().map(move |step| (step, nodes.clone()));
        rest.chain(later.flat_map(|nodes| self.steps.iter().map(move |step| (step, nodes.clone()))))
            .flat_map(attempts)
    }
}

impl Filter {
    fn apply(self, tree: &InputTree<'_>, mut nodes: Vec<ViewId>) -> Vec<ViewId> {
        if self == Filter::EmptyPhi {
            nodes.retain(|node| tree.view.is_removable(*node));
        }
        nodes
    }
}

/// A tree and what is left of it.
pub(super) struct InputTree<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) shape: Shape,
}

impl InputTree<'_> {
    pub(super) fn root(&self) -> ViewId {
        self.view.root()
    }

    /// What is left of the children of a node, or of the one that stands in its place.
    pub(super) fn children(&self, place: ViewId) -> impl Iterator<Item = ViewId> {
        let node = self.shape.at(place);
        let children = node.into_iter().flat_map(|node| self.view.children(node));
        children.filter(|child| self.shape.at(*child).is_some())
    }

    /// Those of some nodes that are left.
    pub(super) fn left(&self, nodes: &[ViewId]) -> Vec<ViewId> {
        nodes.iter().copied().filter(|node| self.shape.at(*node).is_some()).collect()
    }

    /// Those of some nodes to which pruning would make a difference.
    pub(super) fn prunable(&self, nodes: &[ViewId]) -> Vec<ViewId> {
        nodes.iter().copied().filter(|node| self.view.minimal(*node).is_some()).collect()
    }
}
