//! Joins neighbours: two elements of a list become one, with the content of both.
//!
//! Two methods that call each other keep each other, and so do a class and the next one that uses it; one frame may be
//! enough for both. Each element is joined with the next one: the elements of a list in the second are added to those
//! of a list in the first, wherever they fit, and the rest of the second is removed.

use crate::tree::{Change, NodeId, Series, Tree};

use super::pieces::{edited, moved, new_line};
use super::{Proposal, elements, most_first};

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let inner = tree.ids().filter(|node| !tree.is_leaf(*node));
    let lists = inner.flat_map(|node| tree.series(node));
    let pairs = lists.flat_map(|list| {
        let single = |at: usize| match list.element(at) {
            [node] if !tree.is_leaf(*node) => Some(*node),
            _ => None,
        };
        let pair = |at: usize| join(tree, &list, at, single(at)?, single(at + 1)?);
        (0..list.len() - 1).filter_map(pair).collect::<Vec<_>>()
    });
    most_first(tree, pairs.collect())
}

/// Adds the content of the second of two neighbours to the first.
fn join(tree: &Tree, list: &Series, at: usize, left: NodeId, right: NodeId) -> Option<Proposal> {
    let (ours, theirs) = (content(tree, left)?, content(tree, right)?);
    let last = ours[ours.len() - 1];
    let fits = theirs.iter().all(|node| tree.fits(last, tree.kind(*node)));
    let range = tree.range(theirs[0]).start..tree.range(theirs[theirs.len() - 1]).end;
    let added = moved(tree, edited(tree, range, &[]), theirs[0], last);
    let end = tree.range(last).end;
    let added = [new_line(tree, last), added].concat();
    let joined = edited(tree, tree.range(left), &[(end..end, added)]);
    let mut proposal = vec![Change::Replace(left, joined.into())];
    proposal.extend(tree.without_elements(list, &[at + 1]));
    fits.then_some(proposal)
}

/// The elements of the longest list within a node; of several, the highest.
fn content(tree: &Tree, node: NodeId) -> Option<Vec<NodeId>> {
    let nodes = std::iter::once(node).chain(tree.descendants(node));
    let lists = nodes.map(|node| elements(tree, node));
    let length =
        |list: &Vec<NodeId>| tree.range(list[list.len() - 1]).end - tree.range(list[0]).start;
    lists.filter(|list| !list.is_empty()).min_by_key(|list| std::cmp::Reverse(length(list)))
}
