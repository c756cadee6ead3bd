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
    let mut equal_lists: BTreeMap<Values, Vec<usize>> = BTreeMap::new();
    let mut after_equal_items: BTreeMap<(Values, Option<Values>), Vec<usize>> = BTreeMap::new();
    for list in (0..best.spans.len()).filter(|it| best.spans[*it].label == Label::LIST) {
        equal_lists.entry(values(list)).or_default().push(list);
        let mut before = None;
        for item in items(best, list) {
            let own = values(item);
            after_equal_items.entry((own.clone(), before)).or_default().push(item);
            before = Some(own);
        }
    }
    let in_equal_lists = equal_lists.values().filter(|lists| lists.len() > 1).flat_map(|lists| {
        let all: Vec<Vec<usize>> = lists.iter().map(|list| items(best, *list)).collect();
        let same = |at: usize| all.iter().map(|items| items[at]).collect();
        (0..all[0].len()).rev().map(same).collect::<Vec<Vec<usize>>>()
    });
    let is_in_two = |items: &Vec<usize>| {
        items.iter().any(|item| best.spans[*item].parent != best.spans[items[0]].parent)
    };
    let mut seen = HashSet::new();
    let all = in_equal_lists.chain(after_equal_items.into_values().rev());
    all.filter(|items| is_in_two(items) && seen.insert(items.clone())).collect()
}

/// The items of a list.
fn items(best: &Record, list: usize) -> Vec<usize> {
    let is_item = |inner: &usize| {
        best.spans[*inner].label == Label::ITEM && best.spans[*inner].parent == Some(list)
    };
    best.inside(list).filter(is_item).collect()
}

/// The numbers of all choices outside of some items.
fn without(best: &Record, gone: &[usize]) -> Values {
    let mut stays = vec![true; best.choices.len()];
    let mut ends = vec![false; best.choices.len()];
    gone.iter().for_each(|item| stays[best.spans[*item].range()].fill(false));
    let lists: HashSet<usize> = gone.iter().filter_map(|item| best.spans[*item].parent).collect();
    for list in lists {
        // A full list has no choice that ends it, and needs one now.
        let end = best.spans[list].end;
        ends[end - 1] = items(best, list).last().is_some_and(|it| best.spans[*it].end == end);
    }
    let mut values = Values::new();
    for ((choice, stays), ends) in best.choices.iter().zip(stays).zip(ends) {
        values.extend(stays.then_some(choice.value));
        values.extend(ends.then_some(0));
    }
    values
}
