//! Gives a number the value of a simpler one close to it: equal numbers are easier to understand, and can be made simpler together. Or exchanges the
//! two, so that the simpler one comes first.

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

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        if shortlex.first((0..best.choices.len()).flat_map(|at| copied(&best, at))).is_none() {
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
    let exchanged = |one: usize, two: usize| {
        let (first, second) = (best.choices[one], best.choices[two]);
        let is_simpler = first.kind.rank(second.value) < first.rank();
        both(best, (one, second.value), (two, first.value)).filter(|_| is_simpler)
    };
    let attempts = |other: usize| [copy(at, other), copy(other, at), exchanged(at, other)];
    near(best, at).into_iter().flat_map(attempts).flatten().collect()
}
