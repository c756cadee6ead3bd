//! Makes a number simpler that cannot become simpler by one: with its bits moved down, without one of them, by half, or by two.
//!
//! If it is the only number of the case, the simplest ones are tried, too: there is nothing else that a call could find out.

use std::collections::HashSet;

use crate::choice::Choice;
use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::Attempt;

pub(super) const PASS: Pass = Pass {
    name: "steps",
    about: "makes a number simpler by its bits, by half, or by some",
    turn: Turn::Last,
    run,
};

/// How many of the simplest numbers are tried for one without others.
const ALONE: u128 = 16;
/// How many bits are tried.
const BITS: usize = 16;

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        if shortlex.first((0..best.choices.len()).flat_map(|at| closer(&best, at))).is_none() {
            return;
        }
    }
}

fn closer(best: &Record, at: usize) -> Vec<Attempt> {
    let choice = best.choices[at];
    let (kind, distance) = (choice.kind, choice.distance());
    if !kind.is_countable() || distance < 4 {
        return Vec::new();
    }
    let bits = (0..=distance.ilog2())
        .rev()
        .map(|bit| distance & !(1 << bit))
        .filter(|left| *left < distance);
    // As many bits, as low as possible; or only the highest one lower.
    let lowest = u128::MAX >> (u128::BITS - distance.count_ones());
    let top = 1 << distance.ilog2();
    let free = (!distance & (top - 1)).checked_ilog2().map(|bit| distance - top + (1 << bit));
    let is_number = |choice: &&Choice| choice.kind.is_countable() && choice.distance() > 0;
    let is_alone = best.choices.iter().filter(is_number).count() == 1;
    let simplest = (2..if is_alone { ALONE } else { 0 }).filter(|left| *left < distance);
    let mut left: Vec<u128> = simplest.chain([lowest]).chain(free).collect();
    left.extend(bits.take(BITS).chain([distance / 2, distance - 2, distance - 3, distance - 4]));
    left.retain(|left| *left < distance);
    let mut seen = HashSet::new();
    left.retain(|left| seen.insert(*left));
    let numbers = left.into_iter().filter_map(|left| choice.at_distance(left));
    numbers
        .filter(|value| kind.allows(*value))
        .map(|value| best.with(at..at + 1, [value]).into())
        .collect()
}
