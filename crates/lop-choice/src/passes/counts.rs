//! Lowers a number by one and removes one unit of each row that has as many: the number may be the length of several rows.
//!
//! A row is a row of siblings, or of choices without spans, which are divided evenly. Two rows of the same length may belong together, such as keys
//! and values, so the units in the same place are removed together first; then those of each row alone.

use std::ops::Range;

use super::chunks::loose;
use super::delete::siblings;
use crate::record::{Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

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
        while shortlex.first(fewer(&shortlex.best(), at).into_iter().map(Into::into)).is_some() {}
    });
}

fn fewer(best: &Record, at: usize) -> Vec<Values> {
    let Some(choice) = best.choices.get(at).filter(|choice| {
        (1..=MOST).contains(&choice.value) && choice.kind.allows(choice.value - 1)
    }) else {
        return Vec::new();
    };
    let rows = rows(best, at, choice.value as usize);
    let without = |unit: usize, rows: &[Vec<Range<usize>>]| {
        let gone: Vec<Range<usize>> = rows.iter().map(|row| row[unit].clone()).collect();
        let mut values = best.without_all(&gone);
        values[at] = choice.value - 1;
        values
    };
    let units = (0..choice.value as usize).rev();
    let together = units.clone().map(|unit| without(unit, &rows));
    let mut all: Vec<Values> = together.filter(|_| rows.len() > 1).collect();
    for row in &rows {
        all.extend(units.clone().map(|unit| without(unit, std::slice::from_ref(row))));
    }
    all
}

/// The rows of so many units after a choice that do not overlap.
fn rows(best: &Record, at: usize, count: usize) -> Vec<Vec<Range<usize>>> {
    let is_after = |row: &Vec<Range<usize>>| row[0].start > at && row.len() == count;
    let mut rows: Vec<_> = siblings(best).into_iter().filter(is_after).collect();
    for row in loose(best) {
        let row = row.start.max(at + 1)..row.end;
        if !row.is_empty() && row.len() % count == 0 {
            let width = row.len() / count;
            let unit = |unit: usize| row.start + unit * width..row.start + (unit + 1) * width;
            rows.push((0..count).map(unit).collect());
        }
    }
    rows.sort_by_key(|row| row[0].start);
    let mut end = 0;
    rows.retain(|row| {
        let is_free = row[0].start >= end;
        end = if is_free { row[row.len() - 1].end } else { end };
        is_free
    });
    rows
}
