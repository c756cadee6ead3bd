//! Removes columns of tables.
//!
//! Where the rows of a table must have the same length, as in CSV, in the values of an SQL statement or in the matrix of a
//! JSON file, no field can be removed alone. So the n-th elements of all rows are removed together.

use std::collections::BTreeMap;

use crate::tree::{Change, Kind, NodeId, Series, Tree};

use super::{Proposal, most_first};

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let proposals = tree.ids().flat_map(|table| columns(tree, table)).collect();
    most_first(tree, proposals)
}

/// The columns of a node whose children are rows.
fn columns(tree: &Tree, table: NodeId) -> Vec<Proposal> {
    let mut kinds: BTreeMap<Kind, Vec<NodeId>> = BTreeMap::new();
    for row in tree.children(table).filter(|child| !tree.is_leaf(*child)) {
        kinds.entry(tree.kind(row)).or_default().push(row);
    }
    let tables = kinds.into_values().filter(|rows| rows.len() > 1);
    tables.flat_map(|rows| columns_of(tree, &rows)).collect()
}

fn columns_of(tree: &Tree, rows: &[NodeId]) -> Vec<Proposal> {
    let longest = |row: &NodeId| {
        let lists = tree.series(*row).into_iter().filter(Series::is_separated);
        lists.max_by_key(Series::len)
    };
    let rows: Vec<Series> =
        rows.iter().filter_map(longest).filter(|series| series.len() > 1).collect();
    let width = rows.iter().map(Series::len).max().unwrap_or(0);
    let column = |index: usize| -> Vec<Change> {
        let rows = rows.iter().filter(|row| index < row.len());
        rows.flat_map(|row| tree.without_elements(row, &[index])).collect()
    };
    if rows.len() > 1 { (0..width).map(column).collect() } else { Vec::new() }
}
