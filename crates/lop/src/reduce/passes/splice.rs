//! Hoisting a list into a list: an element is replaced by all the elements of a list below it.
//!
//! `(function () { a(); b(); })();` becomes `a(); b();`, and a nested block its statements. The content model
//! around the place decides whether the elements may replace it. The nearest
//! such list of each branch is tried, the longest first; elements that are not needed are removed later.

use crate::tree::{Change, NodeId, Series, Tree};

use super::{Proposal, largest_first};

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let lists: Vec<(NodeId, Vec<Series>)> = tree
        .ids()
        .filter(|node| !tree.is_leaf(*node))
        .map(|node| (node, tree.series(node)))
        .filter(|(_, series)| !series.is_empty())
        .collect();
    let elements = lists.iter().flat_map(|(_, series)| series).flat_map(Series::nodes).copied();
    let places = largest_first(tree, elements.filter(|node| !tree.is_leaf(*node)));
    places.into_iter().flat_map(move |place| proposals(tree, place, &lists))
}

fn proposals(tree: &Tree, place: NodeId, lists: &[(NodeId, Vec<Series>)]) -> Vec<Proposal> {
    let start = lists.partition_point(|(node, _)| *node < place);
    let end = tree.range(place).end;
    let below = lists[start..].iter().take_while(|(node, _)| tree.range(*node).start < end);
    let mut found: Vec<(usize, Proposal)> = Vec::new();
    let mut nearest_end = 0;
    for (list, series) in below.filter(|(list, _)| tree.range(*list).end <= end) {
        if tree.range(*list).end <= nearest_end {
            continue;
        }
        for nodes in series.iter().map(Series::nodes) {
            let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
            // Other passes try single nodes.
            if first != last && tree.fits_sequence(place, nodes.iter().map(|node| tree.kind(*node)))
            {
                let length = tree.range(last).end - tree.range(first).start;
                found.push((length, vec![Change::Keep { place, first, last }]));
                nearest_end = tree.range(*list).end;
            }
        }
    }
    found.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
    found.into_iter().map(|(_, proposal)| proposal).collect()
}
