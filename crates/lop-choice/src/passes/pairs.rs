//! Makes a choice simpler at the expense of a later one.
//!
//! The pass lowers the first of two numbers and raises the second by the same amount, so that their sum stays, or multiplies the second by the first, so that
//! their product stays; or it lowers the second by twice the amount. It also tries the simplest value of a choice together with the second simplest value of a later one, and exchanges
//! it with a later one.

use std::collections::BTreeMap;

use super::lowering;
use super::together::{both, changed, lower_while, near};
use crate::choice::Choice;
use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "pairs",
    about: "makes a choice simpler at the expense of a later one",
    turn: Turn::Last,
    run,
};

/// How many choices after a choice are tried with it.
const WINDOW: usize = 4;
/// A range with fewer numbers than these is small.
const FEW: i128 = 16;

/// How many numbers after a number may take it as a factor.
const FACTORS: usize = 2;
/// The largest factor that is tried. A number that is still large is seldom one.
const LARGEST: i128 = 9;

/// How many groups of equal numbers are tried.
const FEWER: usize = 2;

fn run(shortlex: &mut Shortlex<'_>) {
    shortlex.for_each_choice(|shortlex, at| {
        move_on(shortlex, at);
        lower_doubly(shortlex, at);
        move_to_equal(shortlex, at);
        exchange(shortlex, at);
        trade(shortlex, at);
    });
}

/// Makes a number 1 and multiplies one of the numbers after it by what it was, so that their product stays.
fn trade(shortlex: &mut Shortlex<'_>, at: usize) {
    let best = shortlex.best();
    let factor = best.choices.get(at).map(|choice| choice.value);
    let Some(factor) = factor.filter(|factor| (2..=LARGEST).contains(factor)) else { return };
    let others = near(&best, at).into_iter().take(FACTORS);
    shortlex.first(others.filter_map(|other| {
        let product = best.choices[other].value.checked_mul(factor)?;
        both(&best, (at, 1), (other, product)).filter(|_| product != 0)
    }));
}

/// Moves as much as possible of a number to one of the numbers after it.
pub(super) fn move_on(shortlex: &mut Shortlex<'_>, at: usize) {
    lower_while(shortlex, at, i128::checked_sub);
}

/// Lowers a number by one and the next one by two, and then both as far as possible: the first is counted twice in the second, as in a second difference or in the
/// perimeter of a rectangle.
fn lower_doubly(shortlex: &mut Shortlex<'_>, at: usize) {
    let best = shortlex.best();
    let Some(other) = near(&best, at).first().copied() else { return };
    let (one, two) = (best.choices[at], best.choices[other]);
    if one.is_simplest() || two.is_simplest() {
        return;
    }
    let attempt = |best: &Record, left: u128| -> Option<Attempt> {
        let value = one.at_distance(left)?;
        let twice = value.checked_sub(one.value)?.checked_mul(2)?;
        both(best, (at, value), (other, changed(&two, i128::checked_add, twice)?))
    };
    let closer = attempt(&best, one.distance() - 1);
    if shortlex.first(closer.into_iter()).is_some() {
        lowering::lower(shortlex, one.distance() - 1, &attempt);
    }
}

/// Moves as much as possible of a number to each of several equal ones after it.
fn move_to_equal(shortlex: &mut Shortlex<'_>, at: usize) {
    let best = shortlex.best();
    let Some(one) = best.choices.get(at).copied() else { return };
    if !one.kind.is_countable() || one.is_simplest() {
        return;
    }
    let mut equal: BTreeMap<i128, Vec<usize>> = BTreeMap::new();
    for (other, choice) in best.choices.iter().enumerate().skip(at + 1) {
        if choice.kind.is_countable() && !choice.is_simplest() {
            equal.entry(choice.value).or_default().push(other);
        }
    }
    for (value, places) in equal.into_iter().filter(|(_, places)| places.len() > 1).take(FEWER) {
        let attempt = |best: &Record, left: u128| -> Option<Attempt> {
            let lowered = one.at_distance(left)?;
            let raised = value.checked_add(one.value)?.checked_sub(lowered)?;
            let fits = |at: &usize| best.choices.get(*at).is_some_and(|it| it.kind.allows(raised));
            let mut values = best.values();
            *values.get_mut(at)? = lowered;
            places.iter().all(fits).then(|| {
                places.iter().for_each(|at| values[*at] = raised);
                values.into()
            })
        };
        if lowering::lower(shortlex, one.distance(), &attempt) < one.distance() {
            return;
        }
    }
}

/// Makes a choice simpler, alone or with all that are equal, and one of those after it less simple.
fn exchange(shortlex: &mut Shortlex<'_>, at: usize) {
    let best = shortlex.best();
    let Some(choice) = best.choices.get(at).filter(|choice| !choice.is_simplest()) else { return };
    let flags = best.flags();
    let others: Vec<usize> = (at + 1..best.choices.len()).filter(|other| !flags[*other]).collect();
    let near = others.iter().copied().take_while(|other| *other <= at + WINDOW);
    let simplest = choice.kind.simplest();
    let closer = choice.at_distance(choice.distance() - 1).filter(|closer| *closer != simplest);
    let lowered: Vec<i128> = std::iter::once(simplest).chain(closer).collect();
    let alone = near.flat_map(|other| {
        let (best, raised) = (&best, raised(&best.choices[other]));
        let lowered = lowered.iter();
        let pairs =
            lowered.flat_map(move |value| raised.clone().into_iter().map(|it| (*value, it)));
        pairs.filter_map(move |(value, next)| {
            let attempt = both(best, (at, value), (other, next))?;
            // What followed from the first may be gone.
            Some(Attempt { repair: Repair::Lost { after: at + 1 }, ..attempt })
        })
    });
    let is_equal = |other: &usize| best.choices[*other] == *choice;
    let equal: Vec<usize> = (0..best.choices.len()).filter(is_equal).collect();
    let is_group = choice.kind.is_countable() && equal.len() > 1 && equal[0] == at;
    let outside = others.iter().filter(|other| is_group && !equal.contains(other)).take(WINDOW);
    let group = outside.filter_map(|other| {
        let Choice { value, kind } = best.choices[*other];
        let next = value.checked_add(1).filter(|next| kind.allows(*next))?;
        let mut values = best.values();
        equal.iter().for_each(|at| values[*at] = simplest);
        values[*other] = next;
        Some(values.into())
    });
    let is_simpler = |other: &&usize| {
        let other = &best.choices[**other];
        other.kind == choice.kind && other.rank() < choice.rank()
    };
    let swapped = others.iter().filter(is_simpler).take(WINDOW);
    let swapped = swapped
        .filter_map(|other| both(&best, (at, best.choices[*other].value), (*other, choice.value)));
    shortlex.first(group.chain(alone).chain(swapped));
}

/// The less simple values that are tried for a choice: the end of a small range, and the second simplest ones for one that is simplest.
fn raised(choice: &Choice) -> Vec<i128> {
    let (low, high) = choice.kind.ends();
    let next = choice.value.saturating_add(1);
    let is_small = choice.kind.is_countable() && high.saturating_sub(low) < FEW;
    let end = Some(high).filter(|high| is_small && *high > next);
    let seconds = [next, choice.value.saturating_sub(1)];
    seconds.into_iter().filter(|_| choice.is_simplest()).chain(end).collect()
}
