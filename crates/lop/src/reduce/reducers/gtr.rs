//! Generalized tree reduction: applies a template to the nodes of one level.
//!
//! S. Herfert, J. Patra and M. Pradel, "Automatically Reducing Tree-Structured Test Inputs", ASE 2017:
//!
//! ```text
//! for i ∈ [0, depth(t)] do                              Algorithm 2    the walk by levels
//!     for l ∈ L do                                                     the steps of a reducer
//!         t ← APPLY TEMPLATE(t, i, o, l)                               this module
//!
//! APPLY TEMPLATE(t, i, o, l)
//!     levelNodes ← level(t, i)
//!     if l returns at most one transformation then
//!         newNodes ← apply DD to replace levelNodes using l
//!     else
//!         return REDUCE LEVEL NODES(t, levelNodes, o, l)
//!
//! REDUCE LEVEL NODES(t, nodes, o, l)                    Algorithm 3
//!     for n ∈ nodes do conf.put(n, n)
//!     repeat
//!         improvementFound ← false
//!         for n ∈ nodes do
//!             currentRep ← conf.get(n)
//!             for n' ∈ l(n) where size(n') < size(currentRep) do
//!                 conf.put(n, n')
//!                 t' ← t with each n replaced by conf.get(n)
//!                 if o(t') then improvementFound ← true, currentRep ← n'
//!                 else conf.put(n, currentRep)
//!     until ¬improvementFound
//! ```
//!
//! GTR* (Algorithm 4) is GTR to the fixed point; with the deletion template alone, GTR is HDD.
//!
//! Guarantee: the results of GTR* are 1-transformation-minimal (Definition 5): no single transformation of a node by a template is
//! interesting and smaller. Cost: that of ddmin for each level and template with one transformation; one test for each candidate and
//! round elsewhere.
//!
//! Where the paper is silent: levels and depth are those of the current tree. l(n) uses the node that was there when
//! the call began, so one call moves down one level, and GTR* does the rest. Line 17 returns t', which may have failed;
//! we return the tree of the last conf that succeeded. DD assumes that the empty list is boring; if one node remains,
//! its transformation is tried, too, so the root is tried (Section IV-C, c). If nothing has changed, the second round
//! of Algorithm 3 asks the same questions as the first; the engine remembers the answers. Size is the number of nodes
//! in `size(n')`, but the engine accepts only texts with fewer tokens, so a candidate with the same text costs no test.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::reduce::algorithms::Manner;
use crate::search::{Answer, Search, Subset, Translated};
use crate::tree::{View, ViewId};

use super::hierarchy::InputTree;
use super::prune::{List, Minimise, Nothing, after};
use super::{Shape, Template, Transformation};

/// DD over the nodes of a level, as Zeller and Hildebrandt define it.
pub(super) const DD: Minimise =
    Minimise { nothing: Nothing::Last, list: List::Ddmin(Manner::FIGURE) };

/// Applies a template to the nodes of a level where possible; returns early if the search stops.
pub(super) fn apply_template<I: Iterator<Item = Shape>>(
    tree: &InputTree<'_>,
    template: &Template,
    nodes: &[ViewId],
    next: impl Fn() -> I,
    search: &mut dyn Search<Shape>,
) -> ControlFlow<Shape, Shape> {
    let level = Level::new(tree, template, nodes);
    if level.nodes.is_empty() {
        return ControlFlow::Continue(tree.shape.clone());
    }
    if template.is_single {
        let replaced = |minconfig: &Subset| level.without(&tree.shape, minconfig);
        let mut search = Translated::new(search, replaced, next);
        let minconfig = DD.run(Subset::all(level.nodes.len()), Vec::new, &mut search);
        after(&search, replaced(&minconfig))
    } else {
        let replaced = |conf: &Conf| level.with(&tree.shape, conf);
        let mut search = Translated::new(search, replaced, next);
        let conf = reduce_level_nodes(&level, tree.view, &mut search);
        after(&search, replaced(&conf))
    }
}

/// The shapes that are tried if no transformation is interesting.
pub(super) fn attempts<'t>(
    tree: &'t InputTree<'_>,
    template: &Template,
    nodes: &[ViewId],
) -> Box<dyn Iterator<Item = Shape> + 't> {
    let level = Level::new(tree, template, nodes);
    if level.nodes.is_empty() {
        return Box::new(std::iter::empty());
    }
    if template.is_single {
        let subsets = DD.attempts(Subset::all(level.nodes.len()));
        Box::new(subsets.map(move |minconfig| level.without(&tree.shape, &minconfig)))
    } else {
        Box::new(level.nodes.into_iter().flat_map(move |n| {
            let size = tree.view.size(n.node);
            let smaller = n.candidates.into_iter().filter(move |rep| rep.size(tree.view) < size);
            smaller.map(move |rep| tree.shape.replaced([(n.place, rep)]))
        }))
    }
}

/// The nodes of a level that are replaced, by their numbers: a level may have many nodes, and a candidate costs no more than its
/// changes.
type Conf = BTreeMap<usize, Transformation>;

/// The position of Algorithm 3 in a round: a node, and the next of its candidates.
#[derive(Clone, Copy, Default)]
struct Place {
    node: usize,
    candidate: usize,
}

/// The nodes of a level that a template transforms.
struct Level {
    nodes: Vec<LevelNode>,
}

struct LevelNode {
    place: ViewId,
    /// The node that was there when the call began.
    node: ViewId,
    /// l(n)
    candidates: Vec<Transformation>,
}

impl Level {
    fn new(tree: &InputTree<'_>, template: &Template, nodes: &[ViewId]) -> Level {
        let level_node = |place: &ViewId| {
            let node = tree.shape.at(*place)?;
            let candidates = (template.apply)(tree.view, *place, node);
            (!candidates.is_empty()).then_some(LevelNode { place: *place, node, candidates })
        };
        Level { nodes: nodes.iter().filter_map(level_node).collect() }
    }

    /// The shape that keeps these nodes of the level, and in which the template replaces the others.
    fn without(&self, shape: &Shape, minconfig: &Subset) -> Shape {
        let replaced = minconfig.gaps(self.nodes.len()).flatten().map(|index| &self.nodes[index]);
        shape.replaced(replaced.map(|n| (n.place, n.candidates[0])))
    }

    /// The shape in which replacements are made.
    fn with(&self, shape: &Shape, conf: &Conf) -> Shape {
        shape.replaced(conf.iter().map(|(node, rep)| (self.nodes[*node].place, *rep)))
    }

    /// The configurations from a place of a round on, if all of them fail.
    fn attempts<'l>(
        &'l self,
        view: &'l View<'_>,
        conf: &'l Conf,
        from: Place,
    ) -> impl Iterator<Item = (Place, Conf)> + 'l {
        let nodes = self.nodes.iter().enumerate().skip(from.node);
        nodes.flat_map(move |(node, n)| {
            let first = if node == from.node { from.candidate } else { 0 };
            let candidates = n.candidates.iter().enumerate().skip(first);
            let current_rep = conf.get(&node).map_or(view.size(n.node), |rep| rep.size(view));
            let smaller = candidates.filter(move |(_, n)| n.size(view) < current_rep);
            smaller.map(move |(candidate, n)| {
                let mut conf = conf.clone();
                conf.insert(node, *n);
                (Place { node, candidate }, conf)
            })
        })
    }
}

/// Algorithm 3.
fn reduce_level_nodes(level: &Level, view: &View<'_>, search: &mut dyn Search<Conf>) -> Conf {
    // conf.put(n, n): no node is replaced.
    let mut conf = Conf::new();
    loop {
        let mut improvement_found = false;
        let mut from = Place::default();
        // One round: after a success it continues with the next candidate.
        loop {
            let attempts = || level.attempts(view, &conf, from);
            let answer = search.first(&mut attempts().map(|(_, conf)| conf));
            match answer {
                Answer::Found(index) => {
                    let (place, found) =
                        attempts().nth(index).expect("the index is one of the attempts");
                    from = Place { candidate: place.candidate + 1, ..place };
                    conf = found;
                    improvement_found = true;
                }
                Answer::Nothing => break,
                Answer::Stop => return conf,
            }
        }
        if !improvement_found {
            return conf;
        }
    }
}
