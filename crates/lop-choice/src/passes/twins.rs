//! Removes an item from all lists that are equal.

use std::collections::HashMap;
use std::ops::Range;

use crate::record::{Label, Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "twins",
    about: "removes the same item from all lists that are equal",
    turn: Turn::Last,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        let attempts = twins(&best).into_iter().flat_map(|group| shorter(&best, &group));
        if shortlex.first(attempts.map(Into::into)).is_none() {
            return;
        }
    }
}

/// Groups of lists with the same choices, which have an item at least.
fn twins(best: &Record) -> Vec<Vec<usize>> {
    let mut groups: HashMap<Values, Vec<usize>> = HashMap::new();
    for (number, span) in best.spans.iter().enumerate() {
        if span.label == Label::LIST && span.len() > 1 {
            let values = best.values_of(span.range()).collect();
            groups.entry(values).or_default().push(number);
        }
    }
    let mut groups: Vec<Vec<usize>> =
        groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort();
    groups
}

/// Attempts that remove an item from all lists of a group, the last item first.
fn shorter(best: &Record, group: &[usize]) -> Vec<Values> {
    let items = |list: usize| -> Vec<Range<usize>> {
        let is_item = |inner: &usize| {
            best.spans[*inner].label == Label::ITEM && best.spans[*inner].parent == Some(list)
        };
        best.inside(list).filter(is_item).map(|inner| best.spans[inner].range()).collect()
    };
    let all: Vec<Vec<Range<usize>>> = group.iter().map(|list| items(*list)).collect();
    let without = |item: usize| {
        let gone: Vec<Range<usize>> =
            all.iter().filter_map(|items| items.get(item).cloned()).collect();
        let mut values = Values::new();
        for (at, choice) in best.choices.iter().enumerate() {
            if !gone.iter().any(|range| range.contains(&at)) {
                values.push(choice.value);
            }
            // A full list has no choice that ends it, and needs one now.
            let ends = |(list, items): (&usize, &Vec<Range<usize>>)| {
                best.spans[*list].end == at + 1
                    && items.last().is_some_and(|last| last.end == at + 1)
            };
            if group.iter().zip(&all).any(ends) {
                values.push(0);
            }
        }
        values
    };
    (0..all[0].len()).rev().map(without).collect()
}
