//! Makes a number simpler that cannot become simpler by one: by two, by half, or without one of its bits.

use crate::choice::Kind;
use crate::draw::LAST_CHARACTER;
use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::Attempt;

pub(super) const PASS: Pass = Pass {
    name: "steps",
    about: "makes a number simpler by some, by half, or by a bit",
    turn: Turn::Last,
    run,
};

/// The places of `a`, `A` and the space, for characters that could be any letter or punctuation.
const CHARACTERS: [u128; 3] = [10, 36, 62];

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
    let mut left: Vec<u128> =
        bits.take(BITS).chain([distance / 2, distance - 2, distance - 3, distance - 4]).collect();
    if kind == Kind::integer(0, LAST_CHARACTER, 0) {
        left.extend(CHARACTERS.iter().filter(|place| **place < distance));
    }
    left.sort_unstable();
    left.dedup();
    let numbers = left.into_iter().filter_map(|left| choice.at_distance(left));
    numbers
        .filter(|value| kind.allows(*value))
        .map(|value| best.with(at..at + 1, [value]).into())
        .collect()
}
