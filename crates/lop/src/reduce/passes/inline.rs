//! Inlines names: replaces every use of a name by a part of its declaration.
//!
//! The declaration of a name is removed, and a part of it replaces every use: a value replaces its variable, a returned
//! value a call, a type its alias. Or a parameter is removed, and its argument replaces its uses, or its default if no
//! call has an argument for it. The value of a field replaces the field of every object. The pass doesn't know what a
//! value, a call or a type is: it tries every part that fits.

use crate::text::lexer;
use crate::tree::{Change, NodeId, Tree};

use super::calls::{constructions, default, has_constructors, is_variable, lists_after, member};
use super::links::{Row, rows, without_row};
use super::names::{is_name, meanings, names};
use super::{Proposal, cut_around, most_first, nearest, put};

/// The number of parts of a declaration that are tried for a name.
const FEW: usize = 3;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let mut proposals = Vec::new();
    let has_constructors = has_constructors(&names(tree));
    for occurrences in meanings(tree).into_iter().filter(|occurrences| occurrences.len() > 1) {
        let Some((declaration, cut)) = cut_around(tree, occurrences[0]) else { continue };
        proposals.extend(values(tree, &occurrences, declaration, &cut));
        proposals.extend(arguments(tree, &occurrences, declaration));
        if has_constructors
            && let Some(constructions) = constructions(tree, &occurrences, declaration)
            && let Some((constructor, _)) = cut_around(tree, constructions[0])
        {
            proposals.extend(arguments(tree, &constructions, constructor));
        }
    }
    most_first(tree, proposals)
}

/// Replaces all uses by parts of the declaration, or larger nodes that begin with a use, such as calls.
fn values(
    tree: &Tree,
    occurrences: &[NodeId],
    declaration: NodeId,
    cut: &[Change],
) -> Vec<Proposal> {
    let end = tree.range(declaration).end;
    let uses: Vec<NodeId> =
        occurrences.iter().copied().filter(|node| tree.range(*node).start >= end).collect();
    let members = uses.iter().map(|name| member(tree, *name)).collect::<Option<Vec<NodeId>>>();
    let mut proposals = replaced(tree, occurrences, declaration, cut, uses);
    proposals.extend(
        members
            .into_iter()
            .flat_map(|members| replaced(tree, occurrences, declaration, cut, members)),
    );
    proposals
}

/// Replaces nodes that have the uses of a name by parts of its declaration, or larger nodes that begin with these.
fn replaced(
    tree: &Tree,
    occurrences: &[NodeId],
    declaration: NodeId,
    cut: &[Change],
    mut places: Vec<NodeId>,
) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    let gone = tokens(tree, declaration);
    while !places.is_empty() {
        let before: usize = places.iter().map(|place| tokens(tree, *place)).sum();
        for value in parts(tree, declaration, occurrences, &places).into_iter().take(FEW) {
            if places.len() * tokens(tree, value) < before + gone {
                proposals.push([cut, &put(&places, tree.text_of(value))].concat());
            }
        }
        let Some(above) = places.iter().map(|place| beginning_with(tree, *place)).collect() else {
            break;
        };
        places = above;
    }
    proposals
}

fn tokens(tree: &Tree, node: NodeId) -> usize {
    lexer::tokens(tree.text_of(node)).count()
}

/// Parts of a declaration that fit in all places and do not contain the name, the largest first.
fn parts(
    tree: &Tree,
    declaration: NodeId,
    occurrences: &[NodeId],
    places: &[NodeId],
) -> Vec<NodeId> {
    let has_name = |node: NodeId| {
        let range = tree.range(node);
        let at = occurrences.partition_point(|name| tree.range(*name).start < range.start);
        occurrences.get(at).is_some_and(|name| tree.range(*name).start < range.end)
    };
    let mut found = nearest(tree, declaration, |node| {
        !has_name(node) && places.iter().all(|place| fits(tree, *place, node))
    });
    found.sort_by_key(|node| std::cmp::Reverse(tree.range(*node).len()));
    found
}

/// Whether a node fits in a place, or in that of a node with the same text around it: ANTLR's grammars have a rule for
/// values, whose nodes contain names.
pub(super) fn fits(tree: &Tree, place: NodeId, node: NodeId) -> bool {
    let same_text = |inner: &NodeId| {
        tree.parent(*inner)
            .filter(|outer| *outer != tree.root() && tree.range(*outer) == tree.range(*inner))
    };
    std::iter::successors(Some(place), same_text).any(|place| tree.fits(place, tree.kind(node)))
}

/// The next larger node that begins with a node, if there is one below the root.
fn beginning_with(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let range = tree.range(node);
    let mut above = std::iter::successors(tree.parent(node), |node| tree.parent(*node));
    let found = above.find(|node| tree.range(*node).len() > range.len())?;
    (found != tree.root() && tree.range(found).start == range.start).then_some(found)
}

/// Replaces the uses of parameters by arguments, and removes both.
fn arguments(tree: &Tree, occurrences: &[NodeId], declaration: NodeId) -> Vec<Proposal> {
    let lists = lists_after(tree, occurrences, b'(');
    let inlined = |row: &Row| {
        let mut elements = lists.iter().zip(row).map(|(list, at)| Some(list.element((*at)?)));
        let parameter = *elements.next()??.first()?;
        let argument = match elements.flatten().next() {
            Some([argument]) => *argument,
            Some(_) => return None,
            None => default(tree, parameter)?,
        };
        // One word of a parameter is its name, others may be its type: the name is the one that is used where the
        // argument fits.
        let here = std::iter::once(parameter).chain(tree.descendants(parameter));
        let mut names = here.filter(|node| is_name(tree, *node)).map(|name| {
            let uses = uses_of(tree, name, declaration);
            uses.filter(|node| fits(tree, *node, argument)).collect::<Vec<_>>()
        });
        let uses = names.find(|uses| !uses.is_empty())?;
        Some([without_row(tree, &lists, row), put(&uses, tree.text_of(argument))].concat())
    };
    rows(&lists, b'(').iter().filter_map(inlined).collect()
}

/// The uses of a name in the rest of a declaration.
fn uses_of(tree: &Tree, name: NodeId, declaration: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let rest = tree.descendants(declaration).filter(move |node| *node > name);
    rest.filter(move |node| is_variable(tree, *node, name))
}
