//! Puts spans of the same label in order wherever they are, the simplest first.
//!
//! The pass takes the spans of a label inside which all spans of this label are simplest: the leaves of a tree and their parents.

use std::collections::BTreeMap;
use std::ops::Range;

use super::sort::{compare, ordered};
use crate::record::{Label, Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "arrange",
    about: "puts spans of the same kind in order, wherever they are",
    turn: Turn::Last,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        let attempts = leaves(&best).into_values().flat_map(|group| arranged(&best, &group));
        if shortlex.first(attempts.map(Into::into)).is_none() {
            return;
        }
    }
}

/// First all of them in order, then each with two of them exchanged.
fn arranged(best: &Record, group: &[Range<usize>]) -> Vec<Values> {
    let all: Vec<usize> = (0..group.len()).collect();
    let mut sorted = all.clone();
    sorted.sort_by(|one, two| compare(best, &group[*one], &group[*two]));
    if sorted == all {
        return Vec::new();
    }
    let mut orders = vec![sorted];
    for one in 0..group.len() {
        for two in (one + 1..group.len()).take(4) {
            if compare(best, &group[one], &group[two]).is_gt() {
                let mut order = all.clone();
                order.swap(one, two);
                orders.push(order);
            }
        }
    }
    orders.iter().map(|order| ordered(best, group, order)).collect()
}

/// The spans of each label inside which all spans of this label are simplest.
fn leaves(best: &Record) -> BTreeMap<Label, Vec<Range<usize>>> {
    let is_simplest = |number: usize| best.is_simplest(best.spans[number].range());
    let is_leaf = |number: usize| {
        let label = best.spans[number].label;
        best.inside(number).all(|inner| best.spans[inner].label != label || is_simplest(inner))
    };
    let mut leaves: BTreeMap<Label, Vec<Range<usize>>> = BTreeMap::new();
    for (number, span) in best.spans.iter().enumerate() {
        if span.is_empty() || best.is_body(span) || span.label == Label::ITEM || !is_leaf(number) {
            continue;
        }
        let group = leaves.entry(span.label).or_default();
        if group.last().is_none_or(|last| last.end <= span.start) {
            group.push(span.range());
        }
    }
    leaves
}
