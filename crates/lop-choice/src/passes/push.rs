//! Removes a span, or makes it simplest, and moves a number close to it to an end of its range.
//!
//! The number may compensate for what the span contributed, and can be lowered again afterwards.

use std::ops::Range;

use super::delete::siblings;
use crate::choice::Kind;
use crate::record::{Label, Record};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "push",
    about: "removes a span and pushes a number close to it to an end of its range",
    turn: Turn::Last,
    run,
};

/// How many choices before and after a span are tried.
const NEAR: usize = 4;

fn run(shortlex: &mut Shortlex<'_>) {
    let mut from = shortlex.from();
    loop {
        let best = shortlex.best();
        let Some(span) =
            shortlex.find((from..best.spans.len()).flat_map(|span| pushed(&best, span)))
        else {
            break;
        };
        from = span;
    }
    let best = shortlex.best();
    shortlex.first(
        siblings(&best)
            .iter()
            .filter(|group| group.len() > 1)
            .flat_map(|group| alone(&best, group)),
    );
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

/// Whether the ends of a number's range are worth trying: not if there are only two numbers, and not if it is
/// that of a wide type.
fn has_ends(kind: &Kind) -> bool {
    let (low, high) = kind.ends();
    (2..1 << 32).contains(&high.saturating_sub(low))
}

fn pushed(best: &Record, number: usize) -> Vec<(usize, Attempt)> {
    let span = &best.spans[number];
    let range = span.range();
    let is_simplest = best.is_simplest(range.clone());
    if span.is_empty() || best.is_body(span) || span.label != Label::ITEM && is_simplest {
        return Vec::new();
    }
    let before = range.start.saturating_sub(NEAR)..range.start;
    let behind = range.end..(range.end + NEAR).min(best.choices.len());
    let mut all = Vec::new();
    for at in before.chain(behind).filter(|at| has_ends(&best.choices[*at].kind)) {
        let choice = &best.choices[at];
        let (low, high) = choice.kind.ends();
        // What the span counted may be counted by the number instead.
        let numbers = best.choices[range.clone()].iter().filter(|it| it.kind.is_countable());
        let sum = numbers.map(|it| it.value).next().and_then(|it| it.checked_add(choice.value));
        let sum = sum.filter(|sum| choice.kind.allows(*sum) && *sum != high);
        for end in sum
            .into_iter()
            .chain([high, low])
            .filter(|end| *end != choice.value && *end != choice.kind.simplest())
        {
            let mut record = best.clone();
            record.choices[at].value = end;
            let attempt = match span.label {
                // A number that was raised may count what is drawn after it.
                Label::ITEM => Attempt {
                    values: record.without(range.clone()),
                    repair: Repair::Padded { to: best.choices.len() - 1 },
                },
                _ => {
                    let values = record.with(range.clone(), record.simplest(range.clone()));
                    Attempt { values, repair: Repair::Redrawn { span: number, end: range.end } }
                }
            };
            all.push((number, attempt));
        }
    }
    all
}
