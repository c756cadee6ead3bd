//! Removes columns of tables.
//!
//! Where the rows of a table must have the same length, as in CSV, in the values of an SQL statement or in the matrix of a
//! JSON file, no field can be removed alone. So the n-th elements of all rows are removed together. Rows are
//!
//! - the children of one node,
//! - the lists of one length in a statement: `INSERT INTO t (a, b) SELECT c, d`,
//! - those of the statements that mention a name, of the length of the list that follows it at first: `CREATE TABLE t (a, b)` and
//!   `INSERT INTO t VALUES (1, 2)`.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::tree::{Change, Kind, NodeId, Series, Tree};

use super::calls::lists_after;
use super::names::names;
use super::{Proposal, most_first};

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let mut tables: Vec<Vec<Series>> = tree.ids().flat_map(|node| below(tree, node)).collect();
    let lists: Vec<(NodeId, Series)> = tree
        .ids()
        .filter(|node| !tree.is_leaf(*node))
        .flat_map(|parent| separated(tree, parent).map(move |list| (parent, list)))
        .collect();
    tables.extend(by_length(tree, &lists, |node| one_of_many(tree, node)).into_values());
    let elements: HashSet<NodeId> =
        lists.iter().flat_map(|(_, list)| list.nodes().iter().copied()).collect();
    let statement = |node| statement(tree, node, &elements);
    let lists = by_length(tree, &lists, statement);
    let names = names(tree);
    tables.extend(names.values().filter_map(|places| named(tree, places, &lists, statement)));
    let proposals = tables.iter().flat_map(|rows| columns(tree, rows)).collect();
    most_first(tree, proposals)
}

/// The tables whose rows are the children of a node.
fn below(tree: &Tree, table: NodeId) -> Vec<Vec<Series>> {
    let mut kinds: BTreeMap<Kind, Vec<NodeId>> = BTreeMap::new();
    for row in tree.children(table).filter(|child| !tree.is_leaf(*child)) {
        kinds.entry(tree.kind(row)).or_default().push(row);
    }
    let tables = kinds.into_values().filter(|rows| rows.len() > 1);
    let longest = |row: NodeId| separated(tree, row).max_by_key(Series::len);
    tables.map(|rows| rows.into_iter().filter_map(longest).collect()).collect()
}

/// Lists by their lengths and by a node around them. Of those that are within each other, these are the innermost.
type ByLength = BTreeMap<(NodeId, usize), Vec<Series>>;

fn by_length(
    tree: &Tree,
    lists: &[(NodeId, Series)],
    around: impl Fn(NodeId) -> NodeId,
) -> ByLength {
    let mut all = ByLength::new();
    for (parent, list) in lists {
        let same = all.entry((around(*parent), list.len())).or_default();
        let is_around = |last: &mut Series| {
            let nodes = last.nodes();
            let place = tree.range(nodes[0]).start..tree.range(nodes[nodes.len() - 1]).end;
            place.contains(&tree.range(*parent).start)
        };
        same.pop_if(is_around);
        same.push(list.clone());
    }
    all
}

fn separated(tree: &Tree, parent: NodeId) -> impl Iterator<Item = Series> {
    let is_row = |series: &Series| series.is_separated() && series.len() > 1;
    tree.series(parent).into_iter().filter(is_row)
}

/// The smallest node around another one that is one of many.
fn one_of_many(tree: &Tree, node: NodeId) -> NodeId {
    let mut above = std::iter::successors(Some(node), |node| tree.parent(*node));
    above.find(|node| tree.quantifier(*node).repeats()).unwrap_or(tree.root())
}

/// The smallest such node that is no element of a list with separators.
fn statement(tree: &Tree, node: NodeId, elements: &HashSet<NodeId>) -> NodeId {
    let above = |node: &NodeId| tree.parent(*node).map(|parent| one_of_many(tree, parent));
    let mut all = std::iter::successors(Some(one_of_many(tree, node)), above);
    all.find(|node| !elements.contains(node)).unwrap_or(tree.root())
}

/// The table that a name is that of.
fn named(
    tree: &Tree,
    places: &[NodeId],
    lists: &ByLength,
    statement: impl Fn(NodeId) -> NodeId,
) -> Option<Vec<Series>> {
    let declared = lists_after(tree, places.get(..1).filter(|_| places.len() > 1)?, b'(').pop()?;
    let statements: BTreeSet<NodeId> = places.iter().map(|node| statement(*node)).collect();
    let rows = statements.iter().filter_map(|it| lists.get(&(*it, declared.len())));
    Some(rows.flatten().cloned().collect())
}

fn columns(tree: &Tree, rows: &[Series]) -> Vec<Proposal> {
    let width = rows.iter().map(Series::len).max().unwrap_or(0);
    let column = |index: usize| -> Vec<Change> {
        let rows = rows.iter().filter(|row| index < row.len());
        rows.flat_map(|row| tree.without_elements(row, &[index])).collect()
    };
    if rows.len() > 1 { (0..width).map(column).collect() } else { Vec::new() }
}
