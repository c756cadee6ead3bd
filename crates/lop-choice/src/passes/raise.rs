//! Removes an item, replaces a span with one inside it or makes a choice simpler, with all other numbers at the ends of their ranges.
//!
//! Often more makes a failure likelier: a sum, a length, a score that is too high. Then the largest numbers tell whether something is needed; of orders
//! and differences, the least ones tell. Other passes make simpler again what need not be at an end.

use super::descend::{self, inner};
use super::groups::{Group, groups, selectors};
use super::lower::lower as lowest;
use crate::choice::{Choice, Kind};
use crate::draw::LAST_CHARACTER;
use crate::float::to_place;
use crate::record::{Label, Record};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "raise",
    about: "removes an item, replaces a span with an inner one or makes a choice simpler, with all other numbers at the ends of their ranges",
    turn: Turn::Last,
    run,
};

/// A range with more numbers than these is that of a wide type, whose end is seldom useful.
const WIDE: i128 = 1 << 32;
/// The place of the character with the least code, which is the first that cannot be printed.
const LEAST_CODE: i128 = 95;

fn run(shortlex: &mut Shortlex<'_>) {
    let best = shortlex.best();
    let all_groups = groups(&best);
    let items = all_groups.iter().filter(|group| group.label == Label::ITEM);
    let raised = [upper as fn(&Choice) -> i128, lower].map(|end| at_ends(&best, end));
    let fewer = items.flat_map(|group| fewer(&best, group, &raised));
    let hoisted = (0..best.spans.len()).flat_map(|outer| hoisted(&best, outer, &raised));
    if shortlex.first(fewer.chain(hoisted)).is_some() {
        return;
    }
    let simpler = (0..best.choices.len()).flat_map(|at| simpler(&best, at, &raised));
    // Those after it are at their ends now, so it is lowered as far as possible before they are.
    if let Some(at) = shortlex.find(simpler) {
        lowest(shortlex, &[at]);
    }
}

/// Attempts without one of some siblings, whose selectors stay.
fn fewer(best: &Record, group: &Group, raised: &[Record]) -> Vec<Attempt> {
    let selectors = selectors(best, &group.spans);
    let raised: Vec<Record> = raised.iter().map(|it| keeping(best, &selectors, it)).collect();
    let places = (0..group.spans.len()).rev();
    let without = |at: usize| raised.iter().map(move |it| group.without(it, at..at + 1).into());
    places.flat_map(without).collect()
}

/// Attempts with what is inside a span in its place. What a span of this label begins with is most often a selector, so it stays.
fn hoisted(best: &Record, outer: usize, raised: &[Record]) -> Vec<Attempt> {
    let pairs = inner(best, outer);
    if pairs.is_empty() {
        return Vec::new();
    }
    let label = best.spans[outer].label;
    let alike = best.spans.iter().filter(|span| span.label == label && span.len() > 1);
    let selectors: Vec<usize> = alike.map(|span| span.start).collect();
    let raised: Vec<Record> = raised.iter().map(|it| keeping(best, &selectors, it)).collect();
    let attempts = |(outer, inner): (usize, usize)| {
        raised.iter().flat_map(move |it| descend::hoisted(best, it, outer, inner))
    };
    pairs.into_iter().flat_map(attempts).collect()
}

/// The raised numbers, but for some choices.
fn keeping(best: &Record, choices: &[usize], raised: &Record) -> Record {
    let mut raised = raised.clone();
    choices.iter().for_each(|at| raised.choices[*at] = best.choices[*at]);
    raised
}

/// Attempts with a simpler choice.
fn simpler(best: &Record, at: usize, raised: &[Record]) -> Vec<(usize, Attempt)> {
    let choice = &best.choices[at];
    if choice.is_simplest() {
        return Vec::new();
    }
    let simplest = choice.kind.simplest();
    let closer = choice.at_distance(choice.distance() - 1).filter(|_| choice.kind.is_countable());
    let mirrored =
        choice.mirrored().filter(|mirrored| *mirrored > choice.value && choice.kind.is_countable());
    let closer = closer.filter(|value| *value != simplest);
    let lowered = [simplest].into_iter().chain(mirrored).chain(closer);
    let attempt = |value: i128, raised: &Record| {
        let after = raised.values_of(at + 1..raised.choices.len());
        let values = best.values_of(0..at).chain([value]).chain(after).collect();
        // A number at the end of its range may count what is drawn after it.
        (at, Attempt { values, repair: Repair::Padded { to: best.choices.len() } })
    };
    lowered.flat_map(|value| raised.iter().map(move |it| attempt(value, it))).collect()
}

/// All numbers at an end of their range, but for those that say whether a list has another item.
fn at_ends(best: &Record, end: fn(&Choice) -> i128) -> Record {
    let mut raised = best.clone();
    let flags = best.flags();
    for (choice, is_flag) in raised.choices.iter_mut().zip(flags) {
        if !is_flag {
            choice.value = end(choice);
        }
    }
    raised
}

/// The upper end of a number's range; the number itself, if the range is wide.
fn upper(choice: &Choice) -> i128 {
    match choice.kind {
        Kind::Integer { low, high, .. } if high.saturating_sub(low) < WIDE => high,
        Kind::Float { high, .. } if high < WIDE as f64 => to_place(high),
        _ => choice.value,
    }
}

/// The lower end of a number's range; the number itself, if the range is wide. Characters are ordered by their codes, as programs do.
fn lower(choice: &Choice) -> i128 {
    match choice.kind {
        Kind::Integer { low: 0, high: LAST_CHARACTER, .. } => LEAST_CODE,
        Kind::Integer { low, high, .. } if high.saturating_sub(low) < WIDE => low,
        Kind::Float { low, .. } if low > -WIDE as f64 => to_place(low),
        _ => choice.value,
    }
}
