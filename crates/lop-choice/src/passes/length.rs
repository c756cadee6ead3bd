//! Lowers a number and removes as many siblings after it, in case the number is their count; or makes one row of several, in case it is their length.

use std::collections::BTreeMap;
use std::ops::Range;

use super::groups::{Group, groups, siblings};
use crate::choice::Choice;
use crate::record::{Label, Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "length",
    about: "lowers a number and removes as many siblings after it, or makes one row of several",
    turn: Turn::Last,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    shortlex.for_each_choice(|shortlex, at| {
        let choice = shortlex.best().choices[at];
        // A count is seldom large.
        if choice.kind.is_countable()
            && !choice.is_simplest()
            && (1..10_000).contains(&choice.value)
        {
            let fitted = |values| Attempt { values, repair: Repair::Fitted };
            while shortlex.first(shortened(&shortlex.best(), at).into_iter().map(fitted)).is_some()
            {
            }
        }
        let best = shortlex.best();
        shortlex.first(joined(&best, at).into_iter().map(Into::into));
    });
}

/// Attempts that make one item of all those of a list, and a number as many times what it was: a long row of several short ones.
fn joined(best: &Record, at: usize) -> Vec<Values> {
    // To find the lists takes time, and few numbers can be doubled.
    let is_length =
        |length: &&Choice| length.value > 0 && length.kind.allows(length.value.saturating_mul(2));
    let Some(length) = best.choices.get(at).filter(is_length) else { return Vec::new() };
    let is_list = |group: &Group| {
        group.label == Label::ITEM && group.spans[0].start > at && group.spans.len() > 1
    };
    let lists = groups(best).into_iter().filter(is_list).filter_map(|group| {
        let longer = length.value.checked_mul(group.spans.len() as i128)?;
        // The choices that there is another item.
        let flags: Vec<_> = group.spans[1..].iter().map(|it| it.start..it.start + 1).collect();
        let mut values = best.without_all(&flags);
        values[at] = longer;
        length.kind.allows(longer).then_some(values)
    });
    lists.collect()
}

/// Attempts that lower a number and remove as many siblings, the largest numbers of siblings first.
fn shortened(best: &Record, at: usize) -> Vec<Values> {
    let Some(count) = best.choices.get(at).map(|choice| choice.value) else { return Vec::new() };
    let mut all = Vec::new();
    for group in siblings(best).iter().filter(|group| group[0].start > at) {
        for gone in runs(group.len()) {
            let fewer = count - gone.len() as i128;
            if best.choices[at].kind.allows(fewer) {
                let mut values = best.without(group[gone.start].start..group[gone.end - 1].end);
                values[at] = fewer;
                all.push(values);
            }
        }
    }
    all.extend(narrower(best, at, count));
    all.extend(smaller(best, at, count));
    all
}

/// Some siblings in a row of so many, but not all: the longest runs first, then about half as long ones, down to two, since what there must be an even or odd number of
/// is removed in pairs, and one.
fn runs(count: usize) -> impl Iterator<Item = Range<usize>> {
    let shorter = |length: &usize| match length {
        3 => Some(2),
        length => Some(length / 2),
    };
    let lengths = std::iter::successors(Some(count - 1), shorter).take_while(|length| *length > 0);
    lengths.flat_map(move |length| {
        (0..=count - length).rev().step_by(length).map(move |first| first..first + length)
    })
}

/// Attempts that lower all numbers with this value by one, and remove the sibling in the same place from each group with this count: a row and a column of all
/// square tables.
fn smaller(best: &Record, at: usize, count: i128) -> Vec<Values> {
    let is_lowered = |other: &usize| {
        let choice = &best.choices[*other];
        choice.value == count && choice.kind.is_countable() && choice.kind.allows(count - 1)
    };
    let lowered: Vec<usize> = (0..best.choices.len()).filter(is_lowered).collect();
    // A success may have lowered it to nothing.
    let count = usize::try_from(count).unwrap_or(0);
    if count < 2 || lowered.len() < 2 || lowered[0] != at {
        return Vec::new();
    }
    let is_counted =
        |group: &&Vec<Range<usize>>| group[0].start > at && group.len().is_multiple_of(count);
    // Several tables after each other are one group.
    let all = siblings(best);
    let groups: Vec<_> = all.iter().filter(is_counted).flat_map(|it| it.chunks(count)).collect();
    if groups.len() < 2 {
        return Vec::new();
    }
    let without = |place: usize| {
        let gone: Vec<_> = groups.iter().map(|group| group[place].clone()).collect();
        let mut smaller = best.clone();
        lowered.iter().for_each(|at| smaller.choices[*at].value -= 1);
        smaller.without_all(&gone)
    };
    (0..count).rev().map(without).collect()
}

/// Attempts that lower a number and remove as many siblings of each group with this count and the same label: columns of a table.
fn narrower(best: &Record, at: usize, count: i128) -> Vec<Values> {
    let mut rows: BTreeMap<Label, Vec<Group>> = BTreeMap::new();
    for group in groups(best) {
        if group.spans[0].start > at && group.spans.len() as i128 == count {
            rows.entry(group.label).or_default().push(group);
        }
    }
    let without = |rows: &[Group], columns: Range<usize>| {
        let fewer = count - columns.len() as i128;
        let of_row = |row: &Group| row.spans[columns.start].start..row.spans[columns.end - 1].end;
        let mut values = best.without_all(&rows.iter().map(of_row).collect::<Vec<_>>());
        values[at] = fewer;
        best.choices[at].kind.allows(fewer).then_some(values)
    };
    let tables = rows.values().filter(|rows| rows.len() > 1);
    tables
        .flat_map(|rows| runs(rows[0].spans.len()).filter_map(|columns| without(rows, columns)))
        .collect()
}
