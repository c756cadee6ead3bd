//! What a name stands for in the places where it is used.
//!
//! The declaration of a name goes, and something of it comes to stand in the place of every use: a value for its
//! variable, what is returned for a call, a type for its alias. Or a parameter goes, and its argument stands in the
//! places where it is used. What is a value, a call or a type is not asked: whatever fits may be it.

use crate::tree::{Change, NodeId, Tree};

use super::links::{Row, lists_after, rows, without_row};
use super::names::{is_name, names};
use super::{Proposal, cut_around, removed};

/// How many parts of a declaration are tried for a name.
const FEW: usize = 3;

pub(super) fn propose(tree: &Tree) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    for occurrences in names(tree).into_values().filter(|occurrences| occurrences.len() > 1) {
        let Some((declaration, cut)) = cut_around(tree, occurrences[0]) else { continue };
        proposals.extend(values(tree, &occurrences, declaration, &cut));
        proposals.extend(arguments(tree, &occurrences, declaration));
    }
    proposals.sort_by_cached_key(|proposal| std::cmp::Reverse(removed(tree, proposal)));
    proposals
}

/// Parts of a declaration in the places of all uses, or of what begins with a use, such as a call.
fn values(
    tree: &Tree,
    occurrences: &[NodeId],
    declaration: NodeId,
    cut: &[Change],
) -> Vec<Proposal> {
    let end = tree.range(declaration).end;
    let mut places: Vec<NodeId> =
        occurrences.iter().copied().filter(|node| tree.range(*node).start >= end).collect();
    let mut proposals = Vec::new();
    while !places.is_empty() {
        for value in parts(tree, declaration, occurrences, &places).into_iter().take(FEW) {
            let text = tree.text_of(value);
            let uses = places.iter().map(|place| Change::Replace(*place, text.into()));
            let proposal: Proposal = cut.iter().cloned().chain(uses).collect();
            let before: usize = places.iter().map(|place| tree.range(*place).len()).sum();
            if places.len() * text.len() < before + tree.range(declaration).len() {
                proposals.push(proposal);
            }
        }
        let Some(above) = places.iter().map(|place| beginning_with(tree, *place)).collect() else {
            break;
        };
        places = above;
    }
    proposals
}

/// The nearest parts of a declaration, in each branch, that may stand in all of some places and do without the name.
fn parts(
    tree: &Tree,
    declaration: NodeId,
    occurrences: &[NodeId],
    places: &[NodeId],
) -> Vec<NodeId> {
    let mut found: Vec<NodeId> = Vec::new();
    for node in tree.descendants(declaration) {
        let range = tree.range(node);
        let is_below = |above: &NodeId| tree.range(*above).end >= range.end;
        let has_name = || {
            let at = occurrences.partition_point(|name| tree.range(*name).start < range.start);
            occurrences.get(at).is_some_and(|name| tree.range(*name).start < range.end)
        };
        if tree.is_named(node)
            && !tree.is_extra(node)
            && !range.is_empty()
            && !found.last().is_some_and(is_below)
            && !has_name()
            && places.iter().all(|place| tree.fits(*place, tree.kind(node)))
        {
            found.push(node);
        }
    }
    found.sort_by_key(|node| std::cmp::Reverse(tree.range(*node).len()));
    found
}

/// The next larger thing that begins with a node, unless it is a whole element of a list.
fn beginning_with(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let range = tree.range(node);
    let mut above = std::iter::successors(tree.parent(node), |node| tree.parent(*node));
    let found = above.find(|node| tree.range(*node).len() > range.len())?;
    (found != tree.root() && tree.range(found).start == range.start).then_some(found)
}

/// Arguments in the places of parameters, which go.
fn arguments(tree: &Tree, occurrences: &[NodeId], declaration: NodeId) -> Vec<Proposal> {
    let lists = lists_after(tree, occurrences, b'(');
    let inlined = |row: &Row| {
        let mut elements = lists.iter().zip(row).map(|(list, at)| Some(list.element((*at)?)));
        let parameter = *elements.next()??.first()?;
        let [argument] = elements.flatten().next()? else { return None };
        let uses = uses_of(tree, parameter, declaration);
        let uses = uses.filter(|node| tree.fits(*node, tree.kind(*argument)));
        let text = tree.text_of(*argument);
        let uses: Proposal = uses.map(|node| Change::Replace(node, text.into())).collect();
        (!uses.is_empty()).then(|| [without_row(tree, &lists, row), uses].concat())
    };
    rows(&lists).iter().filter_map(inlined).collect()
}

/// Where in a declaration the name of a parameter is used.
fn uses_of(
    tree: &Tree,
    parameter: NodeId,
    declaration: NodeId,
) -> impl Iterator<Item = NodeId> + '_ {
    let mut here = std::iter::once(parameter).chain(tree.descendants(parameter));
    let name = here.find(|node| is_name(tree, *node)).map(|node| tree.text_of(node));
    let end = tree.range(parameter).end;
    let after = tree.descendants(declaration).filter(move |node| tree.range(*node).start >= end);
    after.filter(move |node| is_name(tree, *node) && Some(tree.text_of(*node)) == name)
}
