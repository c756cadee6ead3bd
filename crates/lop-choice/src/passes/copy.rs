//! Gives a number the value of a simpler one close to it: equal numbers are easier to understand, and can be made simpler together. Or exchanges the
//! two, so that the simpler one comes first; or gives two that are drawn alike a value that is simpler than both. Or puts a row of choices in order, of which a number picks one.

use std::collections::BTreeMap;

use super::alike::{Drawn, drawn, sides};
use super::sort::followed;
use super::together::{both, near};
use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::Attempt;

pub(super) const PASS: Pass = Pass {
    name: "copy",
    about: "gives a number the value of another one that is simpler, or exchanges them",
    turn: Turn::Last,
    run,
};

/// How many simple numbers are tried for two different ones.
const SIMPLE: usize = 3;

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        let copied = (0..best.choices.len()).flat_map(|at| copied(&best, at));
        let exchanged = exchanged(&best).into_iter().chain(followed(&best));
        if shortlex.first(copied.chain(equal(&best)).chain(exchanged)).is_none() {
            return;
        }
    }
}

/// The attempts for a number and each of the next numbers: one takes the value of the other, or they are exchanged.
fn copied(best: &Record, at: usize) -> Vec<Attempt> {
    let copy = |to: usize, from: usize| {
        let (kind, value) = (best.choices[to].kind, best.choices[from].value);
        let is_simpler = kind.allows(value)
            && kind.rank(value) < best.choices[to].rank()
            && !best.choices[from].is_simplest();
        is_simpler.then(|| best.with(to..to + 1, [value]).into())
    };
    let exchange = |one: usize, two: usize| {
        let (first, second) = (best.choices[one], best.choices[two]);
        let is_simpler = first.kind.rank(second.value) < first.rank();
        both(best, (one, second.value), (two, first.value)).filter(|_| is_simpler)
    };
    let attempts = |other: usize| [copy(at, other), copy(other, at), exchange(at, other)];
    near(best, at).into_iter().flat_map(attempts).flatten().collect()
}

/// Attempts with a yes and the next no that is drawn alike exchanged. Whether there is an item or an option is left alone.
fn exchanged(best: &Record) -> Vec<Attempt> {
    let drawn = drawn(best);
    let mut alike: BTreeMap<Drawn, Vec<usize>> = BTreeMap::new();
    for (at, _) in sides(best).into_iter().enumerate().filter(|(_, is_side)| *is_side) {
        alike.entry(drawn[at]).or_default().push(at);
    }
    let pairs = alike.values().flat_map(|places| places.windows(2));
    let is_later = |pair: &&[usize]| pair.iter().map(|at| best.choices[*at].value).eq([1, 0]);
    let exchange = |pair: &[usize]| {
        let mut values = best.values();
        values.swap(pair[0], pair[1]);
        Attempt::from(values)
    };
    pairs.filter(is_later).take(SIMPLE).map(exchange).collect()
}

/// Attempts with two different numbers that are drawn alike made equal and simpler.
fn equal(best: &Record) -> Vec<Attempt> {
    let drawn = drawn(best);
    let mut alike: BTreeMap<Drawn, Vec<usize>> = BTreeMap::new();
    for (at, choice) in best.choices.iter().enumerate() {
        if choice.kind.is_countable() && !choice.is_simplest() {
            alike.entry(drawn[at]).or_default().push(at);
        }
    }
    let mut all = Vec::new();
    for pair in alike.values().filter(|places| places.len() == 2) {
        let (one, two) = (&best.choices[pair[0]], &best.choices[pair[1]]);
        let least = one.distance().min(two.distance());
        let distances = (1..least).take(SIMPLE).filter(|_| one.value != two.value);
        for value in distances.filter_map(|distance| one.at_distance(distance)) {
            let mut values = best.values();
            pair.iter().for_each(|at| values[*at] = value);
            all.push(values.into());
        }
    }
    all
}
