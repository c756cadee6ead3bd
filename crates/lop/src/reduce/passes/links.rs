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
use super::{Proposal, cut_around, most_first};

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
    most_first(tree, proposals)
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

/// The elements at the same position of the lists that follow a name.
fn elements(tree: &Tree, occurrences: &[NodeId], bracket: u8) -> Vec<Proposal> {
    let lists = lists_after(tree, occurrences, bracket);
    if lists.len() < 2 {
        return Vec::new();
    }
    rows(&lists, bracket).iter().map(|row| without_row(tree, &lists, row)).collect()
}

/// The lists in brackets that follow a name.
pub(super) fn lists_after(tree: &Tree, occurrences: &[NodeId], bracket: u8) -> Vec<Series> {
    occurrences.iter().filter_map(|node| list_after(tree, *node, bracket)).collect()
}

/// For each list the element that is at the same position as in the others, if it has one.
pub(super) type Row = Vec<Option<usize>>;

/// The elements that belong together, from the last position to the first. Where lists of parameters and arguments
/// differ in length, positions may count from the end as well: a method has one parameter more than its calls have
/// arguments.
pub(super) fn rows(lists: &[Series], bracket: u8) -> Vec<Row> {
    let lengths = || lists.iter().map(Series::len);
    let longest = lengths().max().unwrap_or(0);
    let from_start =
        |at: usize| lengths().map(|length| Some(at).filter(|at| *at < length)).collect();
    let from_end = |at: usize| lengths().map(|length| length.checked_sub(at + 1)).collect();
    let mut rows: Vec<Row> = (0..longest).rev().map(from_start).collect();
    if bracket == b'(' && lengths().any(|length| length < longest) {
        rows.extend((0..longest).map(from_end));
    }
    rows
}

/// What belongs together goes.
pub(super) fn without_row(tree: &Tree, lists: &[Series], row: &Row) -> Proposal {
    let elements = lists.iter().zip(row).filter_map(|(list, at)| Some((list, (*at)?)));
    elements.flat_map(|(list, at)| tree.without_elements(list, &[at])).collect()
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
    let parent = tree.parent(open)?;
    let list = tree.series(parent).into_iter().find(|series| series.nodes()[0] > open);
    // With one element nobody can see that it is a list.
    let inside = tree.children(parent).find(|node| *node > open && !tree.is_extra(*node));
    let only = inside.filter(|node| tree.is_named(*node) && tree.is_removable(*node));
    list.or_else(|| only.map(Series::of_one))
}
