//! Replaces a node by the part of it that uses a name, and the name by a value.
//!
//! `for (x of f(a)) g(x);` cannot become `g(x);`, since x is then undefined, and if g needs a certain value, it cannot
//! become `g(0);` either. So the part that uses the name replaces the node that binds it, or a larger one, and the name
//! becomes something next to that part: the last name or number that fits, here `a`; the largest part that fits, here
//! `f(a)`; or the least text that fits. Comprehensions, closures and `with` work likewise. The pass does not know which
//! nodes bind a name: it takes a node that has all occurrences of the name.

use crate::tree::{Change, NodeId, StandIns, Tree};

use super::inline::fits;
use super::names::names;
use super::pieces::{Piece, edited, moved};
use super::{Proposal, elements, most_first, nearest};

/// How many places are tried for a name.
const FEW: usize = 2;
/// How many nodes above the one that binds a name are tried.
const LEVELS: usize = 5;
/// The largest node, in bytes, that is replaced: a node that binds a name for one part of it is small, and the whole of
/// it is searched for values.
const LARGEST: usize = 1 << 13;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let mut stand_ins = StandIns::new(tree);
    let mut proposals = Vec::new();
    for occurrences in names(tree).into_values().filter(|occurrences| occurrences.len() > 1) {
        let Some(binding) = around(tree, &occurrences) else { continue };
        let above = std::iter::successors(Some(binding), |node| tree.parent(*node));
        let is_small = |node: &NodeId| *node != tree.root() && tree.range(*node).len() <= LARGEST;
        let above = above.take_while(is_small).take(LEVELS);
        let mut put = |user: NodeId, place: NodeId| {
            let (first, last) = part(tree, place, user)?;
            let part = tree.range(first).start..tree.range(last).end;
            let is_in = |node: &NodeId| {
                part.start <= tree.range(*node).start && tree.range(*node).end <= part.end
            };
            let (uses, others): (Vec<NodeId>, Vec<NodeId>) =
                occurrences.iter().partition(|it| is_in(it));
            if uses.is_empty() || others.is_empty() {
                return None;
            }
            let mut values = values(tree, place, &part, &uses, &others);
            values.extend(stand_ins.of(uses[0]).into_iter().find(|it| it != tree.text_of(uses[0])));
            values.dedup();
            let with = |value: Vec<u8>| {
                let pieces: Vec<Piece> =
                    uses.iter().map(|node| (tree.range(*node), value.clone())).collect();
                let text = moved(tree, edited(tree, part.clone(), &pieces), first, place);
                vec![Change::Replace(place, text.into())]
            };
            Some(values.into_iter().map(with).collect::<Vec<_>>())
        };
        for user in users(tree, binding, &occurrences) {
            let places = above.clone();
            proposals.extend(places.filter_map(|place| put(user, place)).take(FEW).flatten());
        }
    }
    most_first(tree, proposals)
}

/// The smallest node around some nodes.
fn around(tree: &Tree, nodes: &[NodeId]) -> Option<NodeId> {
    let end = tree.range(*nodes.last()?).end;
    let mut above = std::iter::successors(Some(nodes[0]), |node| tree.parent(*node));
    above.find(|node| tree.range(*node).end >= end)
}

/// The children of a node that have some of the occurrences of a name, and more besides.
fn users(tree: &Tree, node: NodeId, occurrences: &[NodeId]) -> Vec<NodeId> {
    let has = |child: &NodeId| {
        let range = tree.range(*child);
        occurrences
            .iter()
            .any(|it| range.start <= tree.range(*it).start && tree.range(*it).end <= range.end)
    };
    tree.children(node).filter(|child| !tree.is_leaf(*child) && has(child)).collect()
}

/// The part of a node that fits in a place: the node, or all elements of a list in it.
fn part(tree: &Tree, place: NodeId, node: NodeId) -> Option<(NodeId, NodeId)> {
    if tree.fits(place, tree.kind(node)) {
        return Some((node, node));
    }
    // The list may be a node of its own within the braces of a block.
    let inside = std::iter::once(node).chain(tree.descendants(node));
    let mut lists = inside.map(|node| elements(tree, node));
    let nodes = lists.find(|nodes| !nodes.is_empty())?;
    let fits = tree.fits_sequence(place, nodes.iter().map(|node| tree.kind(*node)));
    Some((*nodes.first()?, *nodes.last()?)).filter(|_| fits)
}

/// Replacements for the uses of a name: parts of a place next to the part that uses it.
fn values(
    tree: &Tree,
    place: NodeId,
    part: &std::ops::Range<usize>,
    uses: &[NodeId],
    others: &[NodeId],
) -> Vec<Vec<u8>> {
    let is_beside = |node: NodeId| {
        let range = tree.range(node);
        let is_apart =
            |other: std::ops::Range<usize>| range.end <= other.start || other.end <= range.start;
        is_apart(part.clone()) && others.iter().all(|other| is_apart(tree.range(*other)))
    };
    let is_value =
        |node: NodeId| is_beside(node) && uses.iter().all(|place| fits(tree, *place, node));
    let leaf = tree
        .descendants(place)
        .rev()
        .find(|node| tree.is_leaf(*node) && tree.is_named(*node) && is_value(*node));
    let largest =
        nearest(tree, place, is_value).into_iter().max_by_key(|node| tree.range(*node).len());
    leaf.into_iter().chain(largest).map(|node| tree.text_of(node).to_vec()).collect()
}
