//! Changes what several lists have in common in all of them at once.
//!
//! A text and another one that contains it, two equal keys, paths with the same start: an item of one of them can be removed or made simpler only
//! together with its twins. Items are twins if they are equal, and if their lists are equal or they follow equal items.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::lower::lower;
use crate::record::{Label, Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "twins",
    about: "removes items that several lists have in common, or makes them simpler",
    turn: Turn::Last,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        let twins = twins(&best);
        shortlex.first(twins.iter().map(|items| without(&best, items).into()));
        for places in twins.iter().flat_map(|items| numbers(&best, items)) {
            if Arc::ptr_eq(&best, &shortlex.best()) {
                lower(shortlex, &places);
            }
        }
        if Arc::ptr_eq(&best, &shortlex.best()) {
            return;
        }
    }
}

/// The places of each number in all of some twins, if it can be made simpler.
fn numbers(best: &Record, items: &[usize]) -> Vec<Vec<usize>> {
    let flags = best.flags();
    let places =
        |offset: usize| items.iter().map(|item| best.spans[*item].start + offset).collect();
    let is_number = |places: &Vec<usize>| {
        let choice = &best.choices[places[0]];
        !flags[places[0]] && choice.kind.is_countable() && !choice.is_simplest()
    };
    (0..best.spans[items[0]].len()).map(places).filter(is_number).collect()
}

/// Items of different lists that are twins, the last ones first.
fn twins(best: &Record) -> Vec<Vec<usize>> {
    let values = |span: usize| -> Values { best.values_of(best.spans[span].range()).collect() };
    let mut in_equal_lists: BTreeMap<(Values, usize), Vec<usize>> = BTreeMap::new();
    let mut after_equal_items: BTreeMap<(Values, Option<Values>), Vec<usize>> = BTreeMap::new();
    for list in (0..best.spans.len()).filter(|it| best.spans[*it].label == Label::LIST) {
        let is_item = |inner: &usize| {
            best.spans[*inner].label == Label::ITEM && best.spans[*inner].parent == Some(list)
        };
        let whole = values(list);
        let mut before = None;
        for (number, item) in best.inside(list).filter(is_item).enumerate() {
            in_equal_lists.entry((whole.clone(), number)).or_default().push(item);
            let own = values(item);
            after_equal_items.entry((own.clone(), before)).or_default().push(item);
            before = Some(own);
        }
    }
    let is_in_two = |items: &Vec<usize>| {
        items.iter().any(|item| best.spans[*item].parent != best.spans[items[0]].parent)
    };
    let mut seen = HashSet::new();
    let equal = in_equal_lists.into_values().rev();
    let all = equal.chain(after_equal_items.into_values().rev());
    all.filter(|items| is_in_two(items) && seen.insert(items.clone())).collect()
}

/// The numbers of all choices outside of some items.
fn without(best: &Record, items: &[usize]) -> Values {
    let is_gone = |at: usize| items.iter().any(|item| best.spans[*item].range().contains(&at));
    // A full list has no choice that ends it, and needs one now.
    let is_full_end = |at: usize| {
        let list = |item: &usize| best.spans[*item].parent.map(|list| (list, best.spans[list].end));
        items.iter().filter_map(list).any(|(list, end)| {
            let is_last = |inner: usize| {
                let inner = &best.spans[inner];
                inner.label == Label::ITEM && inner.parent == Some(list) && inner.end == end
            };
            end == at + 1 && best.inside(list).any(is_last)
        })
    };
    let mut values = Values::new();
    for (at, choice) in best.choices.iter().enumerate() {
        if !is_gone(at) {
            values.push(choice.value);
        }
        if is_full_end(at) {
            values.push(0);
        }
    }
    values
}
