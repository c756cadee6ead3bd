//! Puts siblings in order, shorter and simpler ones first.

use std::collections::BTreeMap;
use std::ops::Range;

use super::alike::{Drawn, drawn};
use super::groups::{groups, siblings};
use crate::choice::{Choice, Kind};
use crate::loops::{loose, of_one_kind};
use crate::record::{Label, Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::Attempt;

pub(super) const PASS: Pass =
    Pass { name: "sort", about: "puts siblings in order", turn: Turn::Simplify, run };

/// Of at most as many siblings, also two that aren't neighbours are exchanged.
const FEW: usize = 6;

fn run(shortlex: &mut Shortlex<'_>) {
    let mut number = 0;
    while let Some(group) = siblings(&shortlex.best()).into_iter().nth(number) {
        number += 1;
        let best = shortlex.best();
        let order = order(&best, &group);
        if order.is_sorted()
            || shortlex.first(reordered(&best, &group, &order).into_iter()).is_some()
        {
            continue;
        }
        // If not all can be in order, perhaps some neighbours can, or two of a few, or one comes earlier.
        loop {
            let best = shortlex.best();
            let Some(group) = siblings(&best).into_iter().nth(number - 1) else { return };
            let farthest = if group.len() <= FEW { group.len() } else { 2 };
            let pairs = (1..farthest)
                .flat_map(|far| (0..group.len().saturating_sub(far)).map(move |at| (at, at + far)));
            let pairs =
                pairs.filter(|(one, two)| compare(&best, &group[*one], &group[*two]).is_gt());
            let orders = pairs.flat_map(|(one, two)| {
                let (mut swapped, mut earlier): (Vec<usize>, Vec<usize>) =
                    ((0..group.len()).collect(), (0..group.len()).collect());
                swapped.swap(one, two);
                earlier[one..=two].rotate_right(1);
                [swapped, earlier]
            });
            let attempts = orders.flat_map(|order| reordered(&best, &group, &order));
            if shortlex.first(attempts).is_none() {
                break;
            }
        }
    }
    exchange_columns(shortlex);
}

/// Attempts with choices of one kind in order, while a number picks the same one of them as before.
pub(super) fn followed(best: &Record) -> Vec<Attempt> {
    let mut all = Vec::new();
    for part in loose(best).into_iter().flat_map(|row| of_one_kind(best, row)) {
        let group: Vec<Range<usize>> = part.clone().map(|at| at..at + 1).collect();
        let mut order: Vec<usize> = (0..group.len()).collect();
        order.sort_by_key(|at| best.choices[part.start + at].rank());
        if !order.is_sorted() && !is_pick(&best.choices[part.start], part.len()) {
            all.extend(reordered(best, &group, &order).into_iter().skip(1));
        }
    }
    all
}

/// Attempts with siblings in another order: as they are, and with the numbers that pick one of them picking the same one: all numbers that may, or those that are
/// drawn alike, after what is drawn alike.
fn reordered(best: &Record, group: &[Range<usize>], order: &[usize]) -> Vec<Attempt> {
    let drawn = drawn(best);
    let mut alike: BTreeMap<(Drawn, Option<Drawn>), Vec<usize>> = BTreeMap::new();
    let picks = (0..best.choices.len()).filter(|at| is_pick(&best.choices[*at], group.len()));
    let before = |at: usize| at.checked_sub(1).map(|before| drawn[before]);
    picks.for_each(|at| alike.entry((drawn[at], before(at))).or_default().push(at));
    let mut picks: Vec<Vec<usize>> = vec![alike.values().flatten().copied().collect()];
    picks.extend(alike.into_values());
    let followed = |places: &Vec<usize>| {
        let mut followed = best.clone();
        for at in places {
            let picked = followed.choices[*at].value;
            let place = order.iter().position(|from| i128::try_from(*from) == Ok(picked));
            followed.choices[*at].value = place.map_or(picked, |at| at as i128);
        }
        ordered(&followed, group, order)
    };
    let plain = ordered(best, group, order);
    let mut all = vec![plain];
    for values in picks.iter().map(followed) {
        if !all.contains(&values) {
            all.push(values);
        }
    }
    all.into_iter().map(Attempt::from).collect()
}

/// Whether a choice may pick one of this number of siblings.
fn is_pick(choice: &Choice, siblings: usize) -> bool {
    matches!(choice.kind, Kind::Integer { .. }) && choice.kind.ends() == (0, siblings as i128 - 1)
}

/// Exchanges two siblings in all groups with as many siblings: two columns of a table, the same two parts of several values.
fn exchange_columns(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        let mut tables: BTreeMap<(Label, usize), Vec<Vec<Range<usize>>>> = BTreeMap::new();
        for group in groups(&best).into_iter().filter(|it| (2..=FEW).contains(&it.spans.len())) {
            tables.entry((group.label, group.spans.len())).or_default().push(group.spans);
        }
        let exchanged = tables.values().filter(|rows| rows.len() > 1).flat_map(|rows| {
            let (best, columns) = (&best, rows[0].len());
            let pairs = (1..columns).flat_map(move |two| (0..two).map(move |one| (one, two)));
            pairs.filter_map(move |(one, two)| with_columns(best, rows, one, two))
        });
        if shortlex.first(exchanged.map(Into::into)).is_none() {
            return;
        }
    }
}

/// The numbers with two columns exchanged, if they are simpler and no row is inside another.
fn with_columns(
    best: &Record,
    rows: &[Vec<Range<usize>>],
    one: usize,
    two: usize,
) -> Option<Values> {
    let differs = |row: &&Vec<Range<usize>>| compare(best, &row[one], &row[two]).is_ne();
    let is_simpler =
        rows.iter().find(differs).is_some_and(|row| compare(best, &row[one], &row[two]).is_gt());
    let is_flat = rows
        .windows(2)
        .all(|pair| pair[0].last().map(|it| it.end) <= pair[1].first().map(|it| it.start));
    let moved = rows.iter().flat_map(|row| {
        [(row[one].clone(), row[two].clone()), (row[two].clone(), row[one].clone())]
    });
    (is_simpler && is_flat).then(|| replaced(best, moved))
}

/// Which of two spans should come first. Their choices are compared as if both were of the kinds of the first: the choice that there is an item has another kind
/// for the first items of a list than for the others.
pub(super) fn compare(best: &Record, one: &Range<usize>, two: &Range<usize>) -> std::cmp::Ordering {
    let pairs = best.choices[one.clone()].iter().zip(&best.choices[two.clone()]);
    let mut orders = pairs.map(|(one, two)| one.rank().cmp(&one.kind.rank(two.value)));
    let differ = orders.find(|it| it.is_ne());
    differ.unwrap_or_else(|| one.len().cmp(&two.len()))
}

/// The order in which siblings should be. All are compared as if they were of the kinds of the first, since ranks in different ranges make no order.
pub(super) fn order(best: &Record, group: &[Range<usize>]) -> Vec<usize> {
    let Some(first) = group.first() else { return Vec::new() };
    let kinds = &best.choices[first.clone()];
    let ranks = |at: &usize| -> Vec<u128> {
        let choices = best.choices[group[*at].clone()].iter().enumerate();
        let rank = |(place, choice): (usize, &Choice)| {
            kinds.get(place).map_or(choice.rank(), |first| first.kind.rank(choice.value))
        };
        choices.map(rank).collect()
    };
    let mut order: Vec<usize> = (0..group.len()).collect();
    order.sort_by_cached_key(ranks);
    order
}

/// The numbers with the siblings in another order; choices between them stay where they are.
pub(super) fn ordered(best: &Record, group: &[Range<usize>], order: &[usize]) -> Values {
    replaced(best, group.iter().cloned().zip(order.iter().map(|from| group[*from].clone())))
}

/// The numbers with some ranges replaced by others; the ranges are in their order.
pub(super) fn replaced(
    best: &Record,
    places: impl Iterator<Item = (Range<usize>, Range<usize>)>,
) -> Values {
    let mut values = Values::with_capacity(best.choices.len());
    let mut end = 0;
    for (place, instead) in places {
        values.extend(best.values_of(end..place.start));
        values.extend(best.values_of(instead));
        end = place.end;
    }
    values.extend(best.values_of(end..best.choices.len()));
    values
}
