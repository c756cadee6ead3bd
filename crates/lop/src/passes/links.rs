//! Linked edits: what belongs together goes together.
//!
//! A declaration cannot go while something uses it, and a parameter not while calls have an argument for it.
//! No compiler is asked what belongs together: occurrences of the same word are taken for the same
//! thing, and elements of lists that follow occurrences of the same word for the same if they are at the same
//! position, such as
//!
//! - a parameter of a function and the argument of every call,
//! - a field of a structure and its initialisers.
//!
//! All occurrences of a name go, each with the smallest thing around it that may go; or, instead of that, the first one
//! goes and something less stands in for the others.

use crate::tree::{Change, NodeId, Series, StandIns, Tree};

use super::names::names;
use super::{Proposal, cut_around, removed};

pub(super) fn propose(tree: &Tree) -> Vec<Proposal> {
    let mut stand_ins = StandIns::new(tree);
    let mut proposals = Vec::new();
    for occurrences in names(tree).into_values() {
        proposals.extend(everywhere(tree, &occurrences));
        proposals.extend(replaced(tree, &occurrences, &mut stand_ins));
        for bracket in [b'(', b'{', b'[', b'<'] {
            proposals.extend(elements(tree, &occurrences, bracket));
        }
    }
    proposals.sort_by_cached_key(|proposal| std::cmp::Reverse(removed(tree, proposal)));
    proposals
}

/// A name with all that cannot do without it.
fn everywhere(tree: &Tree, occurrences: &[NodeId]) -> Option<Proposal> {
    // One alone is what all other reducers look at.
    if occurrences.len() < 2 {
        return None;
    }
    let cuts: Option<Vec<Proposal>> =
        occurrences.iter().map(|node| Some(cut_around(tree, *node)?.1)).collect();
    Some(cuts?.concat())
}

/// The declaration of a name goes, and the least that fits stands in for its uses.
fn replaced(tree: &Tree, occurrences: &[NodeId], stand_ins: &mut StandIns<'_>) -> Option<Proposal> {
    let (declaration, mut changes) = cut_around(tree, *occurrences.first()?)?;
    let uses: Vec<NodeId> = occurrences[1..]
        .iter()
        .copied()
        .filter(|node| tree.range(*node).start >= tree.range(declaration).end)
        .collect();
    if uses.is_empty() {
        return None;
    }
    let name = tree.text_of(occurrences[0]);
    for node in uses {
        let least = stand_ins.of(node).into_iter().find(|text| text != name)?;
        changes.push(Change::Replace(node, least.into()));
    }
    Some(changes)
}

/// The elements at the same position of the lists that follow a name; from the last position to the first.
fn elements(tree: &Tree, occurrences: &[NodeId], bracket: u8) -> Vec<Proposal> {
    let lists: Vec<Series> =
        occurrences.iter().filter_map(|node| list_after(tree, *node, bracket)).collect();
    let longest = lists.iter().map(Series::len).max().unwrap_or(0);
    if lists.len() < 2 {
        return Vec::new();
    }
    let at = |position: usize| -> Proposal {
        let elements = lists.iter().filter(|series| position < series.len());
        elements.flat_map(|series| tree.without_elements(series, &[position])).collect()
    };
    (0..longest).rev().map(at).collect()
}

/// The list in brackets after a name: right behind it, or at the end of what it declares.
fn list_after(tree: &Tree, name: NodeId, bracket: u8) -> Option<Series> {
    let mut above = std::iter::successors(tree.parent(name), |node| tree.parent(*node));
    let declaration = above.find(|node| tree.quantifier(*node).repeats());
    let end = tree.range(declaration.unwrap_or(tree.root())).end;
    let after = (name.0 + 1..tree.len() as u32).map(NodeId);
    let after = after.take_while(|node| tree.range(*node).start < end);
    let mut leaves = after.filter(|node| tree.is_leaf(*node) && !tree.is_extra(*node));
    let opens = |node: &NodeId| tree.text_of(*node) == [bracket];
    let open = match bracket {
        b'{' => leaves.find(opens)?,
        _ => leaves.next().filter(opens)?,
    };
    tree.series(tree.parent(open)?).into_iter().find(|series| series.nodes()[0] > open)
}
