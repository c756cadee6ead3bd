//! The walk down a tree that all reducers have in common.
//!
//! Figures 2, 7 and 8 of D. Vince et al. differ in which nodes are tagged, whether they are filtered, and
//! how they are reduced; so do Algorithms 1 and 2 of G. Gharachorlu and N. Sumner. Combined,
//! they are
//!
//! ```text
//! nodes ← the first ones to be tagged               2, 3    traversal
//! while nodes ≠ ∅ do                                4
//!     nodes ← filterEmptyPhiNodes(nodes)                    coarse variants, Perses and Pardis
//!     minconfig ← DDMIN(nodes)                      5       HDD, HDDH, Perses, Pardis
//!     prune(input_tree, minconfig)                  6
//!     hoisting ← TMIN^χ(minconfig)                  7       HOIST, HDDH, Perses with replacement
//!     transform(input_tree, hoisting)               8
//!     nodes ← the next ones to be tagged            9, 10   traversal
//! ```
//!
//! with the line numbers of Figure 8. GTR applies templates instead of lines 5 to 8: see `gtr.rs`.

use std::ops::ControlFlow;

use crate::search::Search;
use crate::tree::{View, ViewId};

use super::Action::{Apply, Hoist, Prune};
use super::traversal::Walk;
use super::{Compatible, Reducer, Shape, Step, gtr, guess, hoist, prune};

impl Reducer {
    /// Reduces an interesting tree and returns the shape of the result.
    pub fn run(
        &self,
        view: &View<'_>,
        compatible: &Compatible,
        search: &mut dyn Search<Shape>,
    ) -> Shape {
        let mut tree = InputTree { view, shape: Shape::default() };
        let mut walk = self.traversal.start(&tree);
        let steps: Vec<(&Step, Vec<bool>)> =
            self.steps.iter().map(|step| (step, step.filter.tags(view))).collect();
        // How often nodes were removed recently; only guesses depend on it.
        let mut hope = 0.5;
        while let Some(nodes) = walk.next(&tree) {
            for (index, (step, tags)) in steps.iter().enumerate() {
                let these = tree.left(&nodes, tags);
                if these.is_empty() {
                    continue;
                }
                let next = || -> Box<dyn Iterator<Item = Shape>> {
                    match &steps[..] {
                        [(step, tags)]
                            if matches!(step.action, Prune(_)) && hope > guess::DOUBT =>
                        {
                            Box::new(guess::next(tags, &these, &walk, &tree, hope))
                        }
                        _ => Box::new(attempts_after(
                            &steps, index, &nodes, &walk, &tree, compatible,
                        )),
                    }
                };
                let shape = match step.action {
                    Prune(minimise) => prune::prune(&tree, minimise, &these, next, search),
                    Hoist(reach, _) => {
                        hoist::hoist(&tree, (reach, compatible), &these, next, search)
                    }
                    Apply(template) => gtr::apply_template(&tree, template, &these, next, search),
                };
                tree.shape = match shape {
                    ControlFlow::Continue(shape) => shape,
                    ControlFlow::Break(shape) => return shape,
                };
                let has_gone = |node: &ViewId| tree.shape.at(*node).is_none();
                let success = if these.iter().any(has_gone) { 1.0 } else { 0.0 };
                hope += (success - hope) / guess::MEMORY;
            }
        }
        tree.shape
    }
}

/// The attempts after a step over some nodes, if that step fails.
fn attempts_after<'t>(
    steps: &'t [(&'t Step, Vec<bool>)],
    done: usize,
    nodes: &'t [ViewId],
    walk: &'t Walk<'_>,
    tree: &'t InputTree<'_>,
    compatible: &'t Compatible,
) -> impl Iterator<Item = Shape> + 't {
    let attempts = move |(step, tags): &(&Step, Vec<bool>), nodes: &[ViewId]| {
        let nodes = tree.left(nodes, tags);
        match step.action {
            Prune(minimise) => {
                Box::new(prune::attempts(tree, minimise, &nodes)) as Box<dyn Iterator<Item = Shape>>
            }
            Hoist(reach, _) => Box::new(hoist::attempts(tree, (reach, compatible), nodes)),
            Apply(template) => gtr::attempts(tree, template, &nodes),
        }
    };
    let mut later = None;
    let later = std::iter::from_fn(move || later.get_or_insert_with(|| walk.fork()).next(tree));
    let rest = steps[done + 1..].iter().flat_map(move |step| attempts(step, nodes));
    let each = move |nodes: Vec<ViewId>| steps.iter().flat_map(move |step| attempts(step, &nodes));
    rest.chain(later.flat_map(each))
}

/// A tree and its present shape.
pub(super) struct InputTree<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) shape: Shape,
}

impl InputTree<'_> {
    pub(super) fn root(&self) -> ViewId {
        self.view.root()
    }

    /// The remaining children of a node, or of the one that replaced it.
    pub(super) fn children(&self, place: ViewId) -> impl Iterator<Item = ViewId> {
        let node = self.shape.at(place);
        let children = node.into_iter().flat_map(|node| self.view.children(node));
        children.filter(|child| self.shape.at(*child).is_some())
    }

    /// The nodes that are tagged and not pruned.
    pub(super) fn left(&self, nodes: &[ViewId], tags: &[bool]) -> Vec<ViewId> {
        let is_left = |node: &ViewId| tags[node.index()] && self.shape.at(*node).is_some();
        nodes.iter().copied().filter(is_left).collect()
    }

    /// The number of tokens of a node.
    pub(super) fn weight(&self, node: ViewId) -> usize {
        let is_leaf = |at: &ViewId| {
            self.view.children(*at).next().is_none() && !self.view.range(*at).is_empty()
        };
        std::iter::once(node).chain(self.view.descendants(node)).filter(is_leaf).count()
    }

    /// The nodes that pruning would change.
    pub(super) fn prunable(&self, nodes: &[ViewId]) -> Vec<ViewId> {
        nodes.iter().copied().filter(|node| self.view.minimal(*node).is_some()).collect()
    }
}
