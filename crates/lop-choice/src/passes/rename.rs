//! Exchanges two values everywhere, so that the simpler one comes first: names, keys, nodes of a graph.
//!
//! What matters of such a value is where else it is, not which one it is. So of all names with which a case fails, the simplest are left.

use std::collections::BTreeMap;

use crate::record::{Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass =
    Pass { name: "rename", about: "exchanges two values everywhere", turn: Turn::Last, run };

/// How many values are tried with each other.
const MOST: usize = 8;

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        if shortlex.first(renamed(&best).into_iter().map(Into::into)).is_none() {
            return;
        }
    }
}

fn renamed(best: &Record) -> Vec<Values> {
    // The places of each value; also values that are nowhere can be names.
    let mut places: BTreeMap<i128, Vec<usize>> = BTreeMap::new();
    for (at, choice) in best.choices.iter().enumerate() {
        if choice.kind.is_countable() {
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
                let mut values = best.values();
                first.iter().for_each(|at| values[*at] = *other);
                second.iter().for_each(|at| values[*at] = *simple);
                all.push(values);
            }
        }
    }
    all
}
