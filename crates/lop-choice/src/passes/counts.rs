//! Lowers a number by one and removes one unit of each row that has as many: the number may be the length of several rows.
//!
//! A row is a row of siblings, or of choices without spans, which are divided evenly, into units or into rows of single choices. Two rows of the
//! same length may belong together, such as keys and values, so the units in the same place are removed together first; then those of each row
//! alone. Rows of single choices that follow each other are also put in order. A row may also have a choice for each pair of units.

use std::ops::Range;

use super::groups::siblings;
use super::rows::{MOST, Row, divided, of_siblings, rows_after, table};
use super::sort::compare;
use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "counts",
    about: "lowers a number and removes a unit of each row that has as many; puts such rows in order",
    turn: Turn::Last,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    shortlex.for_each_choice(|shortlex, at| {
        while shortlex.first(simpler(&shortlex.best(), at).into_iter()).is_some() {}
    });
}

fn simpler(best: &Record, at: usize) -> Vec<Attempt> {
    let count = best.choices.get(at).map_or(0, |choice| choice.value);
    if !(1..=MOST).contains(&count) {
        return Vec::new();
    }
    let count = count as usize;
    let mut rows = vec![divided(best, at, count), of_siblings(best, at, count)];
    rows.extend(parallel(best, at, count));
    let exchanged = rows.iter().flat_map(|rows| exchanged(best, rows));
    fewer(best, at, count, &rows).into_iter().chain(exchanged).collect()
}

/// Attempts with a lower number, and without a unit.
fn fewer(best: &Record, at: usize, count: usize, rows: &[Vec<Row>]) -> Vec<Attempt> {
    let lower = best.choices[at].value - 1;
    if !best.choices[at].kind.allows(lower) {
        return Vec::new();
    }
    let outside = |gone: &Vec<Range<usize>>| {
        let mut values = best.without_all(gone);
        values[at] = lower;
        Attempt::from(values)
    };
    let without =
        |unit: usize, rows: &[Row]| outside(&rows.iter().map(|row| row[unit].clone()).collect());
    let units = (0..count).rev();
    let mut all = Vec::new();
    if count > 1 {
        // Units of different length, of which only the first can be told: by a run with no other.
        let values = best.with(at..at + 1, [1]);
        all.push(Attempt { values, repair: Repair::First { at } });
    }
    // How long units of the same length are is told by a run with one fewer.
    let values = best.with(at..at + 1, [lower]);
    all.push(Attempt { values, repair: Repair::Fewer { at } });
    for pairs in pairs(best, at, count) {
        let gone = |unit: usize| {
            let has = move |(_, pair): &(Range<usize>, [usize; 2])| pair.contains(&unit);
            pairs.iter().filter(|it| has(it)).map(|(place, _)| place.clone()).collect()
        };
        all.extend(units.clone().map(|unit| outside(&gone(unit))));
    }
    for rows in rows {
        let together = units.clone().filter(|_| rows.len() > 1);
        all.extend(together.map(|unit| without(unit, rows)));
        for row in rows {
            all.extend(units.clone().map(|unit| without(unit, std::slice::from_ref(row))));
        }
    }
    all
}

/// Attempts with two neighbouring rows in the other order, if they are simpler so.
fn exchanged(best: &Record, rows: &[Row]) -> Vec<Attempt> {
    let whole = |row: &Row| row[0].start..row[row.len() - 1].end;
    let wholes: Vec<Range<usize>> = rows.iter().map(whole).collect();
    let pairs = wholes
        .windows(2)
        .filter(|pair| pair[0].end == pair[1].start && compare(best, &pair[0], &pair[1]).is_gt());
    let exchange = |pair: &[Range<usize>]| {
        let other = best.values_of(pair[1].clone()).chain(best.values_of(pair[0].clone()));
        Attempt::from(best.with(pair[0].start..pair[1].end, other))
    };
    pairs.map(exchange).collect()
}

/// The rows of as many choices as a number says, one after the other, if a row of choices after it consists of these.
fn parallel(best: &Record, at: usize, count: usize) -> Vec<Vec<Row>> {
    let rows = rows_after(best, at).into_iter();
    let tables = rows.filter_map(|row| table(best, at, count, row)).filter(|row| row.len() > count);
    let units = |start: usize| (start..start + count).map(|unit| unit..unit + 1).collect();
    tables.map(|table| table.step_by(count).map(units).collect()).collect()
}

/// Which pairs of units there is something for: which of them depend on which, how far they are apart. The first of a pair comes with those before it, with those behind
/// it, or with all; with itself or without.
const PAIRED: [fn(usize, usize) -> bool; 6] = [
    |one, two| two < one,
    |one, two| two <= one,
    |one, two| two > one,
    |one, two| two >= one,
    |one, two| two != one,
    |_, _| true,
];

/// The choices of each pair of units, if a row of choices or of siblings after a number has as many as there are pairs.
fn pairs(best: &Record, at: usize, count: usize) -> Vec<Vec<(Range<usize>, [usize; 2])>> {
    let single = |row: Range<usize>| -> Row { row.map(|place| place..place + 1).collect() };
    let rows = rows_after(best, at).into_iter().map(single);
    let rows = rows.chain(siblings(best).into_iter().filter(|row| row[0].start > at));
    let mut all = Vec::new();
    for row in rows.filter(|row| count > 2 && (count..=count * count).contains(&row.len())) {
        for paired in PAIRED {
            let pairs = (0..count).flat_map(|one| (0..count).map(move |two| [one, two]));
            let pairs: Vec<[usize; 2]> = pairs.filter(|[one, two]| paired(*one, *two)).collect();
            if pairs.len() == row.len() {
                all.push(row.iter().cloned().zip(pairs).collect());
            }
        }
    }
    all
}
