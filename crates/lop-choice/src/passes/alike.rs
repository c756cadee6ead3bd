//! Makes choices with the same number simpler together, so that numbers that must be equal stay equal: all of them, or those that are drawn alike.

use std::collections::BTreeMap;

use super::lower::lower;
use crate::record::{Label, Record};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "alike",
    about: "makes choices with the same number simpler together",
    turn: Turn::Simplify,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    let best = shortlex.best();
    let drawn = drawn(&best);
    let mut equal: BTreeMap<i128, Vec<usize>> = BTreeMap::new();
    let mut alike: BTreeMap<(i128, Drawn), Vec<usize>> = BTreeMap::new();
    for (at, choice) in best.choices.iter().enumerate() {
        if choice.kind.is_countable() && !choice.is_simplest() {
            equal.entry(choice.value).or_default().push(at);
            alike.entry((choice.value, drawn[at])).or_default().push(at);
        }
    }
    let mut groups: Vec<Vec<usize>> = equal.into_values().chain(alike.into_values()).collect();
    groups.retain(|group| group.len() > 1);
    groups.sort_by_cached_key(|group| (std::cmp::Reverse(group.len()), group.clone()));
    groups.dedup();
    for group in groups {
        let now = shortlex.best();
        // An earlier success may have moved or changed these choices.
        if group.iter().all(|at| now.choices.get(*at) == best.choices.get(*at)) {
            lower(shortlex, &group);
        }
    }
}

/// How a choice is drawn: its least and greatest number, and the label of the span that it belongs to.
pub(super) type Drawn = (i128, i128, Option<Label>);

/// How each choice is drawn. Those that are drawn alike most often mean the same kind of thing.
pub(super) fn drawn(best: &Record) -> Vec<Drawn> {
    let owners = best.owners();
    let label = |at: usize| owners[at].map(|span| best.spans[span].label);
    let drawn = |at: usize| {
        let (low, high) = best.choices[at].kind.ends();
        (low, high, label(at))
    };
    (0..best.choices.len()).map(drawn).collect()
}
