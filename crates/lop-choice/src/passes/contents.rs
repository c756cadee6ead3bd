//! Exchanges two contents of spans wherever they are: texts that are names, keys, nodes of a tree. What is there more often should have fewer choices.

use std::collections::BTreeMap;
use std::ops::Range;

use super::groups::try_among_few;
use super::rename::is_simpler;
use super::sort::replaced;
use crate::record::{Label, Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "contents",
    about: "exchanges two contents of spans wherever they are",
    turn: Turn::Last,
    run,
};

/// How many contents of a kind are exchanged.
const FEW: usize = 4;

fn run(shortlex: &mut Shortlex<'_>) {
    try_among_few(shortlex, |best| {
        Box::new(places(best).into_iter().flat_map(move |places| exchanged(best, &places)))
    });
}

/// The spans of each kind that are not inside of each other: those with the same label, inside of the same label.
fn places(best: &Record) -> Vec<Vec<Range<usize>>> {
    let mut all: BTreeMap<(Label, Option<Label>), Vec<Range<usize>>> = BTreeMap::new();
    for span in &best.spans {
        let around = span.parent.map(|parent| best.spans[parent].label);
        let places = all.entry((span.label, around)).or_default();
        if places.last().is_none_or(|last| last.end <= span.start) {
            places.push(span.range());
        }
    }
    all.into_values().filter(|places| places.len() > 2).collect()
}

/// The numbers with two contents exchanged in all places, if they are fewer or simpler.
fn exchanged(best: &Record, places: &[Range<usize>]) -> Vec<Values> {
    let content = |place: &Range<usize>| -> Values { best.values_of(place.clone()).collect() };
    let mut firsts: BTreeMap<Values, Range<usize>> = BTreeMap::new();
    for place in places {
        firsts.entry(content(place)).or_insert(place.clone());
    }
    // Otherwise each is there once, and they are put in order as siblings.
    if !(2..=FEW).contains(&firsts.len()) || firsts.len() == places.len() {
        return Vec::new();
    }
    let firsts: Vec<(Values, Range<usize>)> = firsts.into_iter().collect();
    let pairs = (1..firsts.len()).flat_map(|two| (0..two).map(move |one| (one, two)));
    let exchange = |(one, two): (usize, usize)| {
        let (one, two) = (&firsts[one], &firsts[two]);
        let instead = |place: &Range<usize>| match content(place) {
            it if it == one.0 => two.1.clone(),
            it if it == two.0 => one.1.clone(),
            _ => place.clone(),
        };
        replaced(best, places.iter().map(|place| (place.clone(), instead(place))))
    };
    let is_better = |values: &Values| match values.len() == best.choices.len() {
        true => is_simpler(best, values),
        false => values.len() < best.choices.len(),
    };
    pairs.map(exchange).filter(is_better).collect()
}
