//! Gives values other names, so that simpler ones come first: names, keys, nodes of a graph.
//!
//! What matters of such a value is where else it is, not which one it is. So of all names with which a case fails, the simplest are left. Two values are exchanged
//! everywhere, or all values that are drawn alike are named anew in the order in which they come. What has other names may have another order, so siblings are sorted as well.

use std::collections::BTreeMap;

use super::alike::{Alike, alike, drawn, sides};
use super::groups::siblings;
use super::sort::{order, ordered};
use crate::choice::Kind;
use crate::record::{Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::Attempt;

pub(super) const PASS: Pass = Pass {
    name: "rename",
    about: "exchanges two values everywhere, or names all of a kind anew",
    turn: Turn::Last,
    run,
};

/// How many values are tried with each other.
const MOST: usize = 8;
/// Of at most this number of names, all orders are compared.
const FEW: usize = 5;
/// With more choices, it takes too long to compare them.
const MANY: usize = 200;
/// How many of these are tried.
const TRIED: usize = 2;

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        let exchanged = exchanged(&best).into_iter().flat_map(|renamed| {
            let sorted = sorted(&renamed);
            [Some(renamed), sorted].into_iter().flatten().map(|it| it.values())
        });
        let simpler = exchanged.chain(anew(&best)).filter(|values| is_simpler(&best, values));
        let attempts = simpler.map(Attempt::from);
        if shortlex.first(attempts).is_none() {
            return;
        }
    }
}

/// Whether a choice may be that of a name: one of two, at least.
fn is_name(kind: &Kind) -> bool {
    matches!(kind, Kind::Integer { low, high, .. } if low < high)
}

/// The choices with two values exchanged everywhere.
fn exchanged(best: &Record) -> Vec<Record> {
    // The places of each value; also values that are nowhere can be names.
    let mut places: BTreeMap<i128, Vec<usize>> = BTreeMap::new();
    for (at, choice) in best.choices.iter().enumerate() {
        if is_name(&choice.kind) {
            places.entry(choice.value).or_default().push(at);
        }
    }
    let mut all = Vec::new();
    for (simple, first) in places.iter().take(MOST) {
        for (other, second) in places.iter().take(MOST) {
            let kind = best.choices[second[0]].kind;
            let is_simpler = second[0] < first[0] && kind.rank(*simple) < kind.rank(*other);
            // Two single ones are exchanged by `copy`.
            if is_simpler && first.len() + second.len() > 2 {
                let mut renamed = best.clone();
                first.iter().for_each(|at| renamed.choices[*at].value = *other);
                second.iter().for_each(|at| renamed.choices[*at].value = *simple);
                all.push(renamed);
            }
        }
    }
    all
}

/// The numbers with all values from the same range named anew, in the ways that are simplest.
fn anew(best: &Record) -> Vec<Values> {
    // A yes or no is a name like others, unless it says whether there is something.
    let (drawn, sides) = (drawn(best), sides(best));
    // By their range; by how they are drawn; and by what comes before them.
    let mut places: BTreeMap<(i128, i128, Alike), Vec<usize>> = BTreeMap::new();
    let is_named = |at: &usize| is_name(&best.choices[*at].kind) || sides[*at];
    for at in (0..best.choices.len()).filter(is_named) {
        let (low, high, _) = drawn[at];
        for alike in alike(&drawn, at) {
            places.entry((low, high, alike)).or_default().push(at);
        }
    }
    let mut groups: Vec<Vec<usize>> = places.into_values().collect();
    // Two single ones are exchanged by `copy`.
    groups.retain(|places| places.len() > 2);
    groups.sort();
    groups.dedup();
    groups.iter().flat_map(|places| simplest(best, places)).collect()
}

/// The simplest of the numbers with the values in these places named anew.
fn simplest(best: &Record, places: &[usize]) -> Vec<Values> {
    let mut names = Values::new();
    for at in places {
        let value = best.choices[*at].value;
        if !names.contains(&value) {
            names.push(value);
        }
    }
    let kind = best.choices[places[0]].kind;
    let mut simple = names.clone();
    simple.sort_by_key(|name| kind.rank(*name));
    // Of many names, or among many choices, the first has the simplest name, and so on.
    let is_small = names.len() <= FEW && best.choices.len() <= MANY;
    let orders = if is_small { permutations(&simple) } else { vec![simple] };
    let renamed = |order: &Values| {
        let name = |value: i128| {
            names.iter().position(|name| *name == value).map_or(value, |name| order[name])
        };
        let mut renamed = best.clone();
        for at in places {
            renamed.choices[*at].value = name(best.choices[*at].value);
        }
        let sorted = sorted(&renamed).map(|sorted| sorted.values());
        let moved = moved(&renamed, kind.ends(), &name);
        [Some(renamed.values()), sorted, moved]
    };
    let all: Vec<[Option<Values>; 3]> = orders.iter().map(renamed).collect();
    let simplest = |way: usize| {
        let mut all: Vec<Values> = all.iter().filter_map(|ways| ways[way].clone()).collect();
        all.retain(|values| is_simpler(best, values));
        all.sort_by_cached_key(|values| ranks(best, values));
        all.dedup();
        all.truncate(TRIED);
        all
    };
    (0..3).flat_map(simplest).collect()
}

/// The numbers with siblings moved to the places of their new names, if there is one for each name: the rows of a table that are named by their places.
fn moved(
    renamed: &Record,
    (low, high): (i128, i128),
    name: &dyn Fn(i128) -> i128,
) -> Option<Values> {
    let count = usize::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
    let group = siblings(renamed).into_iter().find(|group| group.len() == count)?;
    let mut order = vec![0; count];
    for place in 0..count {
        let to = usize::try_from(name(place as i128 + low) - low).ok()?;
        *order.get_mut(to)? = place;
    }
    Some(ordered(renamed, &group, &order))
}

/// The numbers as the kinds of the best rank them.
fn ranks(best: &Record, values: &[i128]) -> Vec<u128> {
    best.choices.iter().zip(values).map(|(choice, value)| choice.kind.rank(*value)).collect()
}

pub(super) fn is_simpler(best: &Record, values: &[i128]) -> bool {
    ranks(best, values) < ranks(best, &best.values())
}

/// All orders of some values.
fn permutations(values: &[i128]) -> Vec<Values> {
    let mut all = vec![Values::new()];
    for value in values {
        let longer = |order: Values| {
            (0..=order.len()).map(move |at| {
                let mut order = order.clone();
                order.insert(at, *value);
                order
            })
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// The choices with all siblings in order, if they are not.
fn sorted(record: &Record) -> Option<Record> {
    let mut sorted = record.clone();
    for group in siblings(record) {
        let order = order(&sorted, &group);
        let is_even = group.iter().all(|span| span.len() == group[0].len());
        if is_even && !order.is_sorted() {
            let values: Values = ordered(&sorted, &group, &order);
            sorted.choices.iter_mut().zip(values).for_each(|(choice, value)| choice.value = value);
        }
    }
    (sorted != *record).then_some(sorted)
}
