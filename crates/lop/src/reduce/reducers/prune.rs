//! Pruning: removes nodes, or replaces them by the least text that their places allow.
//!
//! `minconfig ← DDMIN(nodes)` and `prune`, lines 5 and 6 of Figure 2(a). A node that is pruned is replaced by Φ, as in
//! G. Misherghi's later HDD (2007): by nothing if the grammar allows it, else by the least text that its place allows.
//! Nodes that equal their Φ are left out, since nothing would change.
//!
//! A [`Minimise`] says how the list of nodes is minimised. In HDD it is ddmin that continues after the last removed
//! complement, as in Picire and in the papers' experiments: it gives the same guarantee for fewer tests. In Perses it
//! is ddmin that tries complements first, or opdd. Probabilistic, counter-based and weighted algorithms (X. Zhou et
//! al., "WDD: Weighted Delta Debugging", ICSE 2025) can replace ddmin in both; a node's weight is its number of tokens.
//!
//! ddmin cannot minimise a list to the empty one: it assumes that the empty list isn't interesting, which is true of an
//! input but not of some of its nodes. So the empty list is tried: last, if a single node remains, as in Picireny, or
//! first, as in Perses and Pardis.

use std::ops::ControlFlow;

use crate::reduce::algorithms::{Manner, cdd, ddmin, opdd, probdd, wddmin, wprobdd};
use crate::search::{Answer, Search, Subset, Translated};
use crate::tree::ViewId;

use super::Shape;
use super::hierarchy::InputTree;

/// The seed with which elements of equal probability are taken from last to first.
const UNSHUFFLED: u64 = 0;

/// How a list of nodes is minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimise {
    /// When the empty list is tried.
    pub nothing: Nothing,
    /// How the list is minimised otherwise.
    pub list: List,
}

/// When the empty list is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Nothing {
    /// Before anything else.
    First,
    /// At the end, if one node remains.
    Last,
}

/// The algorithm that minimises a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum List {
    /// ddmin.
    Ddmin(Manner),
    /// One pass.
    Opdd,
    /// ddmin over parts of equal weight.
    Wddmin,
    /// Probabilistic delta debugging.
    Probdd,
    /// Probabilistic delta debugging by weight.
    Wprobdd,
    /// Counter-based delta debugging.
    Cdd,
    /// None: the walk itself continues with parts of the list.
    Whole,
}

impl Minimise {
    /// Minimises an interesting list; `weights` has the weight of each element of the whole list.
    pub(super) fn run(
        self,
        mut c: Subset,
        weights: impl Fn() -> Vec<usize>,
        search: &mut dyn Search<Subset>,
    ) -> Subset {
        if self.nothing == Nothing::First {
            let mut nothing = std::iter::once(Subset::default());
            match search.first_before(&mut nothing, &mut self.list.attempts(c.clone())) {
                Answer::Found(_) => return Subset::default(),
                Answer::Nothing => {}
                Answer::Stop => return c,
            }
        }
        if c.len() > 1 {
            c = match self.list {
                List::Ddmin(manner) => ddmin(c, manner, search),
                List::Opdd => opdd(c, search),
                List::Wddmin => wddmin(c, &weights(), search),
                List::Probdd => probdd(c, UNSHUFFLED, search),
                List::Wprobdd => wprobdd(c, &weights(), UNSHUFFLED, search),
                List::Cdd => cdd(c, search),
                List::Whole => c,
            };
        }
        if self.nothing == Nothing::Last && c.len() == 1 && search.accepts(Subset::default()) {
            return Subset::default();
        }
        c
    }

    /// The subsets that are tried if none is interesting.
    pub(super) fn attempts(self, c: Subset) -> impl Iterator<Item = Subset> {
        let nothing = |when: Nothing| Some(Subset::default()).filter(|_| self.nothing == when);
        let last = nothing(Nothing::Last).filter(|_| c.len() == 1);
        nothing(Nothing::First).into_iter().chain(self.list.attempts(c)).chain(last)
    }
}

impl List {
    /// The subsets that are tried if none is interesting.
    fn attempts(self, c: Subset) -> Box<dyn Iterator<Item = Subset>> {
        match self {
            // A single node has no subset except the empty one.
            _ if c.len() < 2 => Box::new(std::iter::empty()),
            List::Ddmin(manner) => Box::new(ddmin::attempts(c, manner)),
            List::Opdd => Box::new(opdd::attempts(c)),
            List::Whole => Box::new(std::iter::empty()),
            // These algorithms choose by weights or beliefs, which a guess does not have.
            List::Wddmin | List::Probdd | List::Wprobdd | List::Cdd => Box::new(std::iter::empty()),
        }
    }
}

/// Prunes some nodes where possible; returns early if the search stops.
pub(super) fn prune<I: Iterator<Item = Shape>>(
    tree: &InputTree<'_>,
    minimise: Minimise,
    nodes: &[ViewId],
    next: impl Fn() -> I,
    search: &mut dyn Search<Shape>,
) -> ControlFlow<Shape, Shape> {
    let nodes = tree.prunable(nodes);
    if nodes.is_empty() {
        return ControlFlow::Continue(tree.shape.clone());
    }
    let pruned = |minconfig: &Subset| without(&tree.shape, &nodes, minconfig);
    let mut search = Translated::new(search, pruned, next);
    let weights = || nodes.iter().map(|node| tree.weight(*node)).collect();
    let minconfig = minimise.run(Subset::all(nodes.len()), weights, &mut search);
    after(&search, pruned(&minconfig))
}

/// The shape with which the walk continues, unless the search was stopped.
pub(super) fn after<T, N>(
    search: &Translated<'_, Shape, T, N>,
    shape: Shape,
) -> ControlFlow<Shape, Shape> {
    match search.is_stopped() {
        true => ControlFlow::Break(shape),
        false => ControlFlow::Continue(shape),
    }
}

/// The shapes that are tried if no node can be pruned.
pub(super) fn attempts<'t>(
    tree: &'t InputTree<'_>,
    minimise: Minimise,
    nodes: &[ViewId],
) -> impl Iterator<Item = Shape> + 't {
    let nodes = tree.prunable(nodes);
    let all = Some(Subset::all(nodes.len())).filter(|all| !all.is_empty());
    let attempts = all.into_iter().flat_map(move |all| minimise.attempts(all));
    attempts.map(move |minconfig| without(&tree.shape, &nodes, &minconfig))
}

fn without(shape: &Shape, nodes: &[ViewId], minconfig: &Subset) -> Shape {
    shape.without(minconfig.gaps(nodes.len()).flatten().map(|index| nodes[index]))
}
