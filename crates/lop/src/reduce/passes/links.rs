//! Linked edits: removes nodes that belong together.
//!
//! A declaration cannot be removed while it is used, and a parameter not while calls have an argument for it. The pass
//! guesses which nodes belong together: occurrences of the same word, and, in lists that follow occurrences of the same
//! word, the elements at the same position, such as
//!
//! - a parameter of a function or a constructor and the argument of every call,
//! - a field of a structure and its initialisers.
//!
//! All occurrences of a name are removed, each with the smallest removable node around it; or the first one
//! is removed and the least text that fits replaces the others.

use crate::tree::{Change, NodeId, Series, StandIns, Tree};

use super::calls::{constructions, has_constructors, is_bare_list, lists_after};
use super::cuts::Cuts;
use super::names::names;
use super::{Proposal, most_first};

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let (mut cuts, mut stand_ins) = (Cuts::new(tree), StandIns::new(tree));
    let mut proposals = Vec::new();
    let names = names(tree);
    let has_constructors = has_constructors(&names);
    for occurrences in names.into_values() {
        proposals.extend(everywhere(&occurrences, &mut cuts));
        proposals.extend(replaced(tree, &occurrences, &mut cuts, &mut stand_ins));
        for bracket in [b'(', b'{', b'[', b'<'] {
            proposals.extend(elements(tree, &occurrences, bracket));
        }
        if has_constructors
            && let Some((declaration, _)) = cuts.around(occurrences[0])
            && let Some(constructions) = constructions(tree, &occurrences, declaration)
        {
            proposals.extend(elements(tree, &constructions, b'('));
        }
    }
    most_first(tree, proposals)
}

/// Removes all occurrences of a name, each with the smallest removable node around it.
fn everywhere(occurrences: &[NodeId], cuts: &mut Cuts<'_>) -> Option<Proposal> {
    // The reducers try names that occur once.
    if occurrences.len() < 2 {
        return None;
    }
    let cuts: Option<Vec<Proposal>> =
        occurrences.iter().map(|node| Some(cuts.around(*node)?.1)).collect();
    Some(cuts?.concat())
}

/// Removes the declaration of a name and replaces its uses by the least text that fits.
fn replaced(
    tree: &Tree,
    occurrences: &[NodeId],
    cuts: &mut Cuts<'_>,
    stand_ins: &mut StandIns<'_>,
) -> Option<Proposal> {
    let (declaration, mut changes) = cuts.around(*occurrences.first()?)?;
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

/// Removes the elements at the same position of the lists that follow a name.
fn elements(tree: &Tree, occurrences: &[NodeId], bracket: u8) -> Vec<Proposal> {
    let lists = lists_after(tree, occurrences, bracket);
    if lists.len() < 2 {
        return Vec::new();
    }
    rows(&lists, bracket).iter().map(|row| without_row(tree, &lists, row)).collect()
}

/// Elements at the same position: for each list its element there, if it has one.
pub(super) type Row = Vec<Option<usize>>;

/// The rows of elements that belong together, from the last position to the first. Where lists of parameters and arguments
/// differ in length, positions also count from the end: a method has one parameter more than its calls have
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

/// Removes the elements of a row.
pub(super) fn without_row(tree: &Tree, lists: &[Series], row: &Row) -> Proposal {
    let elements = lists.iter().zip(row).filter_map(|(list, at)| Some((list, (*at)?)));
    let without = |(list, at): (&Series, usize)| match list.nodes() {
        // A list without brackets disappears with its last element.
        [whole] if is_bare_list(tree, *whole) => vec![Change::cut(*whole)],
        _ => tree.without_elements(list, &[at]),
    };
    elements.flat_map(without).collect()
}
