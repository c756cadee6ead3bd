//! Makes choices with the same number simpler together, so that numbers that must be equal stay equal.

use std::collections::HashMap;

use super::lower::lower;
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "alike",
    about: "makes choices with the same number simpler together",
    turn: Turn::Simplify,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    let best = shortlex.best();
    let mut places: HashMap<i128, Vec<usize>> = HashMap::new();
    for (at, choice) in best.choices.iter().enumerate() {
        if choice.kind.is_countable() && !choice.is_simplest() {
            places.entry(choice.value).or_default().push(at);
        }
    }
    let mut groups: Vec<Vec<usize>> =
        places.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    for group in groups {
        let now = shortlex.best();
        // An earlier success may have moved or changed these choices.
        if group.iter().all(|at| now.choices.get(*at) == best.choices.get(*at)) {
            lower(shortlex, &group);
        }
    }
}
