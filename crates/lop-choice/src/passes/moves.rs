//! Puts siblings in another order that is simpler, and changes a number of one that was moved by one.
//!
//! Where a sibling stands may make up for how large its numbers are: the age of a task, the time that a value is valid.

use std::ops::Range;

use super::groups::{MANY, siblings};
use super::rename::is_simpler;
use super::sort::ordered;
use crate::record::{Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "moves",
    about: "puts siblings in another order and changes a number of one of them by one",
    turn: Turn::Last,
    run,
};

/// Of more siblings there are too many orders.
const FEW: usize = 4;

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        let siblings = if best.choices.len() > MANY { Vec::new() } else { siblings(&best) };
        let few = siblings.into_iter().filter(|group| (2..=FEW).contains(&group.len()));
        let moved = few.flat_map(|group| {
            let best = &best;
            let orders = orders(group.len()).into_iter();
            orders.flat_map(move |(moved, order)| changed(best, &group, moved, &order))
        });
        if shortlex.first(moved.map(Into::into)).is_none() {
            return;
        }
    }
}

/// All orders in which one of some siblings was moved, with that one.
fn orders(count: usize) -> Vec<(usize, Vec<usize>)> {
    let mut all = Vec::new();
    for from in 0..count {
        for to in (0..count).filter(|to| *to != from) {
            let mut order: Vec<usize> = (0..count).collect();
            let moved = order.remove(from);
            order.insert(to, moved);
            all.push((from, order));
        }
    }
    all
}

/// The numbers in another order, with each number of a sibling changed by one, if they are simpler.
fn changed(best: &Record, group: &[Range<usize>], moved: usize, order: &[usize]) -> Vec<Values> {
    let mut all = Vec::new();
    for at in group[moved].clone().filter(|at| best.choices[*at].kind.is_countable()) {
        for by in [-1, 1] {
            let mut changed = best.clone();
            let choice = &mut changed.choices[at];
            let Some(value) = choice.value.checked_add(by).filter(|it| choice.kind.allows(*it))
            else {
                continue;
            };
            choice.value = value;
            let values = ordered(&changed, group, order);
            if is_simpler(best, &values) {
                all.push(values);
            }
        }
    }
    all
}
