//! Gives a choice among few another value, and makes all choices after it in its span simplest.
//!
//! Such a choice is often a selector, and the choices after it mean something else for another value. A simpler value
//! may need other choices after it, and a less simple one may need fewer.

use std::ops::Range;

use crate::choice::Choice;
use crate::loops::{Rounds, loops};
use crate::record::{Record, Span};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair, SIMPLEST};

pub(super) const PASS: Pass = Pass {
    name: "selectors",
    about: "chooses something else and makes what follows simplest",
    turn: Turn::Last,
    run,
};

/// A choice whose greatest and least value differ by less than this is taken for a selector.
const FEW: i128 = 16;
/// How many of the simplest values are tried without the span that follows.
const FEWER: usize = 3;

fn run(shortlex: &mut Shortlex<'_>) {
    let mut from = shortlex.from();
    loop {
        let best = shortlex.best();
        let owners = best.owners();
        let loops = loops(&best);
        let all =
            (from..best.choices.len()).flat_map(|at| match part(&best, at, owners[at], &loops) {
                Some((end, repair)) => {
                    let mut all = changed(&best, at, end, &repair);
                    all.extend(without_next(&best, at, owners[at]));
                    // Where a round ends is a guess.
                    if matches!(repair, Repair::Round { .. }) {
                        all.extend(without_one(&best, at));
                    }
                    all
                }
                None => unbounded(&best, at),
            });
        let Some(at) = shortlex.find(all) else { return };
        from = at;
    }
}

/// Where the round or the span that a choice belongs to ends, and how an attempt to change it is repaired.
fn part(
    best: &Record,
    at: usize,
    owner: Option<usize>,
    loops: &[Rounds],
) -> Option<(usize, Repair)> {
    let round = loops.iter().flatten().find(|round| round.contains(&at));
    if let Some(&Range { start, end }) = round {
        return Some((end, Repair::Round { start, end }));
    }
    let span = owner?;
    let end = best.spans[span].end;
    Some((end, Repair::Redrawn { span, end }))
}

/// Attempts with another value for a choice that nothing says the end of: without the choice after it, or with a simplest one instead
/// of the two after it.
fn unbounded(best: &Record, at: usize) -> Vec<(usize, Attempt)> {
    let choice = &best.choices[at];
    let closer = choice.at_distance(choice.distance().saturating_sub(1));
    let closer = closer
        .filter(|_| !choice.is_simplest() && is_selector(choice) && at + 2 < best.choices.len());
    let redrawn = closer.map(|value| best.with(at..at + 3, [value, SIMPLEST]));
    without_one(best, at).chain(redrawn.map(|values| (at, values.into()))).collect()
}

/// Attempts with another value for a choice and without the one after it.
fn without_one(best: &Record, at: usize) -> impl Iterator<Item = (usize, Attempt)> {
    let values = higher(best, at).into_iter().map(move |value| best.with(at..at + 2, [value]));
    values.map(move |values| (at, values.into()))
}

fn changed(best: &Record, at: usize, end: usize, repair: &Repair) -> Vec<(usize, Attempt)> {
    let choice = &best.choices[at];
    if !is_selector(choice) {
        return Vec::new();
    }
    let (low, high) = choice.kind.ends();
    let rest = at + 1..end;
    let mut others: Vec<i128> =
        (low..=high).filter(|value| choice.kind.rank(*value) < choice.rank()).collect();
    others.sort_by_key(|value| choice.kind.rank(*value));
    // Less simple values only pay if choices can be saved.
    if !rest.is_empty() {
        others.extend(higher(best, at));
    }
    let attempt = |value: i128| {
        // What follows may be drawn from other ranges.
        let values =
            best.with(at..end, std::iter::once(value).chain(rest.clone().map(|_| SIMPLEST)));
        (at, Attempt { values, repair: repair.clone() })
    };
    others.into_iter().map(attempt).collect()
}

/// Attempts with a simpler value and without the span that follows, which may be what the value needs.
fn without_next(best: &Record, at: usize, owner: Option<usize>) -> Vec<(usize, Attempt)> {
    let choice = &best.choices[at];
    let Some(owner) = owner.filter(|_| is_selector(choice)) else { return Vec::new() };
    let is_next = |span: &&Span| span.start == at + 1 && !span.is_empty();
    let next = best.spans[best.inside(owner)].iter().find(is_next);
    let Some(next) = next.filter(|next| next.end < best.spans[owner].end) else {
        return Vec::new();
    };
    let distances = (0..choice.distance()).take(FEWER);
    let simpler = distances.filter_map(|distance| choice.at_distance(distance));
    simpler.map(|value| (at, best.with(at..next.end, [value]).into())).collect()
}

/// Less simple values of a selector: the next, what is chosen elsewhere, and the last.
fn higher(best: &Record, at: usize) -> Vec<i128> {
    let choice = &best.choices[at];
    if !is_selector(choice) || at + 1 == best.choices.len() {
        return Vec::new();
    }
    let high = choice.kind.ends().1;
    let alike = best.choices.iter().filter(|other| other.kind == choice.kind);
    let mut higher: Vec<i128> = alike.map(|other| other.value).chain([high]).collect();
    higher.push(high.min(choice.value.saturating_add(1)));
    higher.retain(|value| *value > choice.value);
    higher.sort_unstable();
    higher.dedup();
    higher
}

fn is_selector(choice: &Choice) -> bool {
    let (low, high) = choice.kind.ends();
    high.saturating_sub(low) < FEW && choice.kind.is_countable()
}
