//! Lowers a number by one and removes one unit of each row that has as many: the number may be the length of several rows.
//!
//! A row is a row of siblings, or of choices without spans, which are divided evenly. Two rows of the same length may belong together, such as keys
//! and values, so the units in the same place are removed together first; then those of each row alone.

use std::ops::Range;

use super::chunks::loose;
use super::delete::siblings;
use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "counts",
    about: "lowers a number and removes a unit of each row that has as many",
    turn: Turn::Last,
    run,
};

/// A number above this is hardly a count of something that is left.
const MOST: i128 = 64;

fn run(shortlex: &mut Shortlex<'_>) {
    shortlex.for_each_choice(|shortlex, at| {
        while shortlex.first(fewer(&shortlex.best(), at).into_iter()).is_some() {}
    });
}

fn fewer(best: &Record, at: usize) -> Vec<Attempt> {
    let Some(choice) = best.choices.get(at).filter(|choice| {
        (1..=MOST).contains(&choice.value) && choice.kind.allows(choice.value - 1)
    }) else {
        return Vec::new();
    };
    let without = |unit: usize, rows: &[Row]| {
        let gone: Vec<Range<usize>> = rows.iter().map(|row| row[unit].clone()).collect();
        let mut values = best.without_all(&gone);
        values[at] = choice.value - 1;
        Attempt::from(values)
    };
    let count = choice.value as usize;
    let units = (0..count).rev();
    let mut all = Vec::new();
    if count > 1 {
        // Units of different length, of which only the first can be told: by a run with no other.
        let values = best.with(at..at + 1, [1]);
        all.push(Attempt { values, repair: Repair::First { at } });
    }
    for rows in [divided(best, at, count), of_siblings(best, at, count)] {
        let together = units.clone().filter(|_| rows.len() > 1);
        all.extend(together.map(|unit| without(unit, &rows)));
        for row in &rows {
            all.extend(units.clone().map(|unit| without(unit, std::slice::from_ref(row))));
        }
    }
    all
}

/// The choices of each unit.
type Row = Vec<Range<usize>>;

/// The rows of so many siblings after a choice.
fn of_siblings(best: &Record, at: usize, count: usize) -> Vec<Row> {
    let is_row = |row: &Row| row[0].start > at && row.len() == count;
    siblings(best).into_iter().filter(is_row).collect()
}

/// The rows of choices after a choice that can be divided into so many units.
fn divided(best: &Record, at: usize, count: usize) -> Vec<Row> {
    let rows = loose(best).into_iter().map(|row| row.start.max(at + 1)..row.end);
    let rows = rows.filter(|row| !row.is_empty() && row.len() % count == 0);
    let divide = |row: Range<usize>| {
        let width = row.len() / count;
        let unit = |unit: usize| row.start + unit * width..row.start + (unit + 1) * width;
        (0..count).map(unit).collect()
    };
    rows.map(divide).collect()
}
