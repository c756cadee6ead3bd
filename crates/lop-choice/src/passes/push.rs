//! Removes an item, and raises a number close to it: by what the item contributed, or as far as possible.
//!
//! What the item brought may be brought by the number instead, which can be lowered again afterwards.

use std::ops::Range;

use super::alike::{Drawn, drawn};
use super::groups::siblings;
use crate::choice::Kind;
use crate::record::{Label, Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "push",
    about: "removes an item and raises a number close to it",
    turn: Turn::Last,
    run,
};

/// How many choices before and after an item are tried.
const NEAR: usize = 2;

fn run(shortlex: &mut Shortlex<'_>) {
    let mut from = shortlex.from();
    loop {
        let best = shortlex.best();
        let drawn = drawn(&best);
        let all = (from..best.spans.len()).flat_map(|item| pushed(&best, item, &drawn));
        let Some(item) = shortlex.find(all) else { break };
        from = item;
    }
    let best = shortlex.best();
    let groups = siblings(&best);
    shortlex
        .first(groups.iter().filter(|group| group.len() > 1).flat_map(|group| alone(&best, group)));
}

/// Attempts that keep only the last of some siblings, with one of its numbers at an end of its range.
fn alone(best: &Record, group: &[Range<usize>]) -> Vec<Attempt> {
    let (first, last) = (group[0].start, &group[group.len() - 1]);
    let mut all = Vec::new();
    for at in last.clone().filter(|at| has_ends(&best.choices[*at].kind)).take(NEAR) {
        let (low, high) = best.choices[at].kind.ends();
        for end in [high, low] {
            let mut values = best.values();
            values[at] = end;
            values.drain(first..last.start);
            all.push(values.into());
        }
    }
    all
}

/// Whether the ends of a number's range are worth trying: not those of a yes or no, nor of a wide type.
fn has_ends(kind: &Kind) -> bool {
    let (low, high) = kind.ends();
    !matches!(kind, Kind::Boolean { .. }) && (1..1 << 32).contains(&high.saturating_sub(low))
}

fn pushed(best: &Record, number: usize, drawn: &[Drawn]) -> Vec<(usize, Attempt)> {
    let span = &best.spans[number];
    let range = span.range();
    if span.label != Label::ITEM {
        return Vec::new();
    }
    let before = range.start.saturating_sub(NEAR)..range.start;
    let behind = range.end..(range.end + NEAR).min(best.choices.len());
    let mut all = Vec::new();
    for at in before.chain(behind).filter(|at| has_ends(&best.choices[*at].kind)) {
        let choice = &best.choices[at];
        let mut numbers = best.choices[range.clone()].iter().filter(|it| it.kind.is_countable());
        let sum = numbers.next().and_then(|it| it.value.checked_add(choice.value));
        let (_, high) = choice.kind.ends();
        let is_raised =
            |it: &i128| choice.kind.rank(*it) > choice.rank() && choice.kind.allows(*it);
        let end = Some(high).filter(|high| sum != Some(*high));
        for value in sum.into_iter().chain(end).filter(is_raised) {
            let mut record = best.clone();
            record.choices[at].value = value;
            let values = record.without(range.clone());
            // A number that was raised may count what is drawn after it.
            let repair = Repair::Padded { to: best.choices.len() - 1 };
            all.push((number, Attempt { values, repair }));
        }
    }
    all.extend(added(best, &range, drawn).map(|values| (number, values.into())));
    all
}

/// The numbers without an item, whose number is added to the next one outside that is drawn alike.
fn added(best: &Record, item: &Range<usize>, drawn: &[Drawn]) -> Option<Values> {
    let number = item.clone().find(|at| {
        has_ends(&best.choices[*at].kind)
            && best.choices[*at].value != 0
            && (item.end..best.choices.len()).any(|other| drawn[other] == drawn[*at])
    })?;
    let other = (item.end..best.choices.len()).find(|other| drawn[*other] == drawn[number])?;
    let sum = best.choices[other].value.checked_add(best.choices[number].value)?;
    let mut record = best.clone();
    record.choices[other].value = sum;
    best.choices[other].kind.allows(sum).then(|| record.without(item.clone()))
}
