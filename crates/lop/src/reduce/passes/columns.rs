//! Removes columns of tables.
//!
//! Where the rows of a table must have the same length, as in CSV, in the values of an SQL statement or in the matrix of a
//! JSON file, no field can be removed alone. So the n-th elements of all rows are removed together. Rows are
//!
//! - the children of one node, also if some of their cells are empty: `a,,1`,
//! - the lists of one length in a statement: `INSERT INTO t (a, b) SELECT c, d`,
//! - those of the statements that mention a name, of the length of the list that follows its first occurrence:
//!   `CREATE TABLE t (a, b)` and `INSERT INTO t VALUES (1, 2)`. Where a statement names the columns itself, as in
//!   `INSERT INTO t (b) VALUES (2)`, their names identify the column.

use std::collections::{BTreeMap, HashSet};

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
    let named = names.values().flat_map(|places| named(tree, places, &lists, statement));
    let alike = tables.iter().flat_map(|rows| columns(tree, rows));
    let sparse = tree.ids().flat_map(|node| alike_rows(tree, node));
    let sparse = sparse.flat_map(|rows| sparse_columns(tree, &rows));
    let proposals = alike.chain(named).chain(sparse).collect();
    most_first(tree, proposals)
}

/// The children of a node that may be rows of a table: those of the same kind.
fn alike_rows(tree: &Tree, table: NodeId) -> impl Iterator<Item = Vec<NodeId>> {
    let mut kinds: BTreeMap<Kind, Vec<NodeId>> = BTreeMap::new();
    for row in tree.children(table).filter(|child| !tree.is_leaf(*child)) {
        kinds.entry(tree.kind(row)).or_default().push(row);
    }
    kinds.into_values().filter(|rows| rows.len() > 1)
}

/// The tables whose rows are the children of a node.
fn below(tree: &Tree, table: NodeId) -> Vec<Vec<Series>> {
    let longest = |row: NodeId| separated(tree, row).max_by_key(Series::len);
    let tables = alike_rows(tree, table);
    tables.map(|rows| rows.into_iter().filter_map(longest).collect()).collect()
}

/// The columns of a table in which some cells are empty. These have no node, so the cells are counted by the separators
/// between them.
fn sparse_columns(tree: &Tree, rows: &[NodeId]) -> Vec<Proposal> {
    let Some(rows) = rows.iter().map(|row| Cells::of(tree, *row)).collect::<Option<Vec<_>>>()
    else {
        return Vec::new();
    };
    let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    // Nothing behind the last separator may be what a statement ends with.
    let is_sparse =
        rows.iter().any(|row| row.cells.split_last().is_some_and(|(_, it)| it.contains(&None)));
    let column = |index: usize| rows.iter().filter_map(|row| row.without(index)).collect();
    if is_sparse { (0..width).map(column).collect() } else { Vec::new() }
}

/// A row as cells with separators between them.
struct Cells {
    /// The node of each cell, if it isn't empty.
    cells: Vec<Option<NodeId>>,
    separators: Vec<NodeId>,
}

impl Cells {
    /// The cells of a node, if its children are single nodes between equal separators.
    fn of(tree: &Tree, row: NodeId) -> Option<Cells> {
        let is_separator = |child: &NodeId| tree.is_leaf(*child) && !tree.is_named(*child);
        let separator = tree.children(row).find(is_separator)?;
        let mut cells = Cells { cells: vec![None], separators: Vec::new() };
        for child in tree.children(row) {
            if is_separator(&child) {
                if tree.kind(child) != tree.kind(separator) {
                    return None;
                }
                cells.separators.push(child);
                cells.cells.push(None);
            } else if cells.cells.last_mut()?.replace(child).is_some() {
                return None;
            }
        }
        Some(cells)
    }

    /// The change that removes a cell and the separator before it, or behind the first one.
    fn without(&self, index: usize) -> Option<Change> {
        let separator = *self.separators.get(index.saturating_sub(1))?;
        let cell = self.cells.get(index)?.unwrap_or(separator);
        Some(Change::Cut(cell.min(separator), cell.max(separator)))
    }
}

/// Lists by their lengths and by a node around them. Of nested lists, only the innermost.
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

/// The lists of a node. A list with semicolons between its elements is a list of statements and doesn't count.
fn separated(tree: &Tree, parent: NodeId) -> impl Iterator<Item = Series> {
    let separator = |series: &Series| series.nodes()[series.element(0).len()];
    let is_row = move |series: &Series| {
        let is_list = series.is_separated() && series.len() > 1;
        is_list && tree.text_of(separator(series)) != b";"
    };
    tree.series(parent).into_iter().filter(is_row)
}

/// The smallest node around another one that is one of many.
fn one_of_many(tree: &Tree, node: NodeId) -> NodeId {
    let mut above = std::iter::successors(Some(node), |node| tree.parent(*node));
    above.find(|node| tree.quantifier(*node).repeats()).unwrap_or(tree.root())
}

/// The smallest such node that isn't an element of a list with separators.
fn statement(tree: &Tree, node: NodeId, elements: &HashSet<NodeId>) -> NodeId {
    let above = |node: &NodeId| tree.parent(*node).map(|parent| one_of_many(tree, parent));
    let mut all = std::iter::successors(Some(one_of_many(tree, node)), above);
    all.find(|node| !elements.contains(node)).unwrap_or(tree.root())
}

/// The columns of the table with this name.
fn named(
    tree: &Tree,
    places: &[NodeId],
    lists: &ByLength,
    statement: impl Fn(NodeId) -> NodeId,
) -> Vec<Proposal> {
    let [first, _, ..] = places else { return Vec::new() };
    let Some(table) = Table::declared(tree, *first) else { return Vec::new() };
    let mut mentions: BTreeMap<NodeId, NodeId> = BTreeMap::new();
    for name in places {
        mentions.entry(statement(*name)).or_insert(*name);
    }
    let parts = mentions.into_iter().map(|(statement, name)| {
        let titles = list_behind(tree, name).filter(|_| name != *first);
        let length = match &titles {
            Some(list) => list.len(),
            None if name == *first => table.length,
            None => table.titles.len(),
        };
        // Lists before the name read from the table.
        let rows = lists.get(&(statement, length)).into_iter().flatten();
        let rows: Vec<&Series> = rows.filter(|row| row.nodes()[0] > name).collect();
        Part { titles: titles.map(|list| first_words(tree, &list)), rows }
    });
    let parts: Vec<Part<'_>> = parts.collect();
    if parts.iter().map(|part| part.rows.len()).sum::<usize>() < 2 {
        return Vec::new();
    }
    let columns = (0..table.titles.len()).map(|index| table.without(tree, &parts, index));
    columns.filter(|changes| !changes.is_empty()).collect()
}

/// A table, as it is declared.
struct Table<'t> {
    /// The number of elements in its list.
    length: usize,
    /// The names of its columns. Elements after them, such as a primary key, aren't columns.
    titles: Vec<&'t [u8]>,
}

/// A statement's part of a table.
struct Part<'t> {
    /// The names of the columns, if it names them.
    titles: Option<Vec<&'t [u8]>>,
    /// The lists with an element for each of them.
    rows: Vec<&'t Series>,
}

impl<'t> Table<'t> {
    fn declared(tree: &'t Tree, name: NodeId) -> Option<Table<'t>> {
        let list = list_behind(tree, name)?;
        let kind = |index: usize| tree.kind(list.element(index)[0]);
        let width = (0..list.len()).take_while(|index| kind(*index) == kind(0)).count();
        let mut titles = first_words(tree, &list);
        titles.truncate(width);
        Some(Table { length: list.len(), titles })
    }

    /// The changes that remove a column.
    fn without(&self, tree: &Tree, parts: &[Part<'_>], index: usize) -> Proposal {
        let title = self.titles[index];
        // Parameters may begin with the same type, so the title must be unique.
        let is_unique = self.titles.iter().filter(|it| **it == title).count() == 1;
        let place = |titles: &Vec<&[u8]>| match titles.iter().position(|it| *it == title) {
            Some(place) if is_unique => Some(place),
            _ => (titles.len() == self.titles.len()).then_some(index),
        };
        let of_part = |part: &Part<'_>| -> Proposal {
            let Some(place) = part.titles.as_ref().map_or(Some(index), place) else {
                return Vec::new();
            };
            part.rows.iter().flat_map(|row| tree.without_elements(row, &[place])).collect()
        };
        parts.iter().flat_map(of_part).collect()
    }
}

/// The list in brackets after a name.
fn list_behind(tree: &Tree, name: NodeId) -> Option<Series> {
    lists_after(tree, &[name], b'(').pop()
}

/// The first word of each element.
fn first_words<'t>(tree: &'t Tree, list: &Series) -> Vec<&'t [u8]> {
    let leaf = |node: NodeId| tree.descendants(node).find(|below| tree.is_leaf(*below));
    let elements = (0..list.len()).map(|index| list.element(index)[0]);
    elements.map(|node| tree.text_of(leaf(node).unwrap_or(node))).collect()
}

fn columns(tree: &Tree, rows: &[Series]) -> Vec<Proposal> {
    let width = rows.iter().map(Series::len).max().unwrap_or(0);
    let column = |index: usize| -> Vec<Change> {
        let rows = rows.iter().filter(|row| index < row.len());
        rows.flat_map(|row| tree.without_elements(row, &[index])).collect()
    };
    if rows.len() > 1 { (0..width).map(column).collect() } else { Vec::new() }
}
