//! Pruning: which nodes can go, or be replaced by the least that can stand in for them.
//!
//! `minconfig ← DDMIN(nodes)` and `prune`, lines 5 and 6 of Figure 2(a). A node that is pruned is
//! replaced by Φ, as in G. Misherghi's later HDD (2007): by nothing where the grammar allows it, by the
//! least text of its kind elsewhere. Nodes that are their own Φ are left out, since nothing would change.
//!
//! ddmin goes on behind the last complement that was removed, as Picire does, and so did the papers'
//! experiments: it gives the same guarantee for fewer tests.
//!
//! ddmin takes for granted that nothing at all is not interesting, which is true of an input but not of
//! some of its nodes. So, as Picireny does, where a single one is left it is asked whether it can go.

use crate::algorithms::{self, Offset, ddmin};
use crate::search::{Search, Subset, Translated};
use crate::tree::ViewId;

use super::Shape;
use super::hierarchy::InputTree;

/// Prunes what can go of some nodes.
pub(super) fn prune<I: Iterator<Item = Shape>>(
    tree: &InputTree<'_>,
    nodes: &[ViewId],
    next: impl Fn() -> I,
    search: &mut dyn Search<Shape>,
) -> Shape {
    let nodes = tree.prunable(nodes);
    let pruned = |minconfig: &Subset| without(&tree.shape, &nodes, minconfig);
    let mut search = Translated { search, translate: pruned, next };
    let mut minconfig = ddmin(Subset::all(nodes.len()), Offset::Continue, &mut search);
    if minconfig.len() == 1
        && let Some((_, nothing)) = search.first(&mut std::iter::once(Subset::default()))
    {
        minconfig = nothing;
    }
    pruned(&minconfig)
}

/// What is tried if nothing can go.
pub(super) fn attempts<'t>(
    tree: &'t InputTree<'_>,
    nodes: Vec<ViewId>,
) -> impl Iterator<Item = Shape> + 't {
    let nodes = tree.prunable(&nodes);
    let all = Subset::all(nodes.len());
    let single = (nodes.len() == 1).then(Subset::default);
    let attempts = algorithms::attempts(all).chain(single);
    attempts.map(move |minconfig| without(&tree.shape, &nodes, &minconfig))
}

fn without(shape: &Shape, nodes: &[ViewId], minconfig: &Subset) -> Shape {
    shape.without(minconfig.gaps(nodes.len()).flatten().map(|index| nodes[index]))
}
