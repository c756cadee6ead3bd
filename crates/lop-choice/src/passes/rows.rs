//! Rows of as many units as a number says, or as there are siblings before them.

use std::ops::Range;

use super::groups::siblings;
use crate::loops::{loose, of_one_kind};
use crate::record::Record;

/// A number above this is hardly a count of something that is left.
pub(super) const MOST: i128 = 64;

/// The choices of each unit.
pub(super) type Row = Vec<Range<usize>>;

/// The rows of so many units after a choice.
pub(super) fn rows(best: &Record, at: usize, count: usize) -> Vec<Row> {
    [divided(best, at, count), of_siblings(best, at, count)].concat()
}

/// The rows of as many siblings after a choice. Several rows after each other may be one group.
pub(super) fn of_siblings(best: &Record, at: usize, count: usize) -> Vec<Row> {
    let is_row = |row: &Row| row[0].start > at && row.len().is_multiple_of(count);
    let rows = siblings(best).into_iter().filter(is_row);
    rows.flat_map(|row| row.chunks(count).map(<[_]>::to_vec).collect::<Vec<Row>>()).collect()
}

/// The rows of choices after a choice that can be divided into so many units.
pub(super) fn divided(best: &Record, at: usize, count: usize) -> Vec<Row> {
    let rows = rows_after(best, at).into_iter().filter_map(|row| table(best, at, count, row));
    let divide = |row: Range<usize>| {
        let width = row.len() / count;
        let unit = |unit: usize| row.start + unit * width..row.start + (unit + 1) * width;
        (0..count).map(unit).collect()
    };
    rows.map(divide).collect()
}

/// The part of a row that can be divided into so many units: all of it, or as much as another number before it says. What is drawn after a table may be
/// of the same kind.
pub(super) fn table(
    best: &Record,
    at: usize,
    count: usize,
    row: Range<usize>,
) -> Option<Range<usize>> {
    if row.len().is_multiple_of(count) {
        return Some(row);
    }
    let numbers =
        (0..row.start).filter(|other| *other != at).map(|other| best.choices[other].value);
    let sizes = numbers.filter(|number| (2..=MOST).contains(number));
    let lengths = sizes.map(|number| number as usize * count).filter(|length| *length < row.len());
    lengths.max().map(|length| row.start..row.start + length)
}

/// The rows of choices without spans after a choice, and the parts of them that are of one kind: what is drawn after a table belongs to its row.
pub(super) fn rows_after(best: &Record, at: usize) -> Vec<Range<usize>> {
    let rows = loose(best).into_iter().map(|row| row.start.max(at + 1)..row.end);
    let mut all = Vec::new();
    for row in rows.filter(|row| !row.is_empty()) {
        let parts = of_one_kind(best, row.clone()).into_iter();
        all.extend(parts.filter(|part| part.len() > 1 && part.len() < row.len()));
        all.push(row);
    }
    all
}
