//! Makes two numbers simpler by the same amount, so that their difference stays, or in proportion; or changes the sign of several numbers.

use super::lowering;
use crate::choice::{Choice, Kind};
use crate::float::{from_place, is_whole, to_place};
use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::Attempt;

pub(super) const PASS: Pass = Pass {
    name: "together",
    about: "makes two numbers simpler by the same amount",
    turn: Turn::Last,
    run,
};

/// How many numbers after a number are tried with it.
const NEAR: usize = 4;

fn run(shortlex: &mut Shortlex<'_>) {
    shortlex.for_each_choice(|shortlex, at| {
        lower_with_others(shortlex, at);
        lower_in_proportion(shortlex, at);
        shift_all(shortlex, at);
        mirror_all(shortlex, at);
    });
}

/// Lowers a number together with a multiple of it or a divisor after it, so that the ratio stays: a product with one of its factors.
fn lower_in_proportion(shortlex: &mut Shortlex<'_>, at: usize) {
    for other in near(&shortlex.best(), at) {
        let best = shortlex.best();
        let values = [at, other].map(|at| best.choices.get(at).map_or(0, |choice| choice.value));
        let (part, whole) = (values[0].min(values[1]), values[0].max(values[1]));
        if part < 2 || part == whole || whole % part != 0 {
            continue;
        }
        let attempt = |best: &Record, left: u128| -> Option<Attempt> {
            let scaled = |value: i128| (value / part).checked_mul(left.try_into().ok()?);
            both(best, (at, scaled(values[0])?), (other, scaled(values[1])?))
        };
        let closer = part.unsigned_abs() - 1;
        if shortlex.first(attempt(&best, closer).into_iter()).is_some() {
            lowering::lower(shortlex, closer, &attempt);
        }
    }
}

/// Changes the sign of a number that is below the simplest one, and of all numbers of its kind after it: what is too large may be too small instead.
fn mirror_all(shortlex: &mut Shortlex<'_>, at: usize) {
    let best = shortlex.best();
    let is_below = |it: &&Choice| {
        it.kind.is_countable() && it.mirrored().is_some_and(|above| above > it.value)
    };
    let Some(choice) = best.choices.get(at).filter(is_below) else { return };
    let is_alike = |other: &usize| best.choices[*other].kind == choice.kind;
    let alike: Vec<usize> = (at..best.choices.len()).filter(is_alike).collect();
    // One by itself is changed by `lower`.
    if alike.len() < 2 {
        return;
    }
    let mut values = best.values();
    for at in alike {
        let Some(mirrored) = best.choices[at].mirrored() else { return };
        values[at] = mirrored;
    }
    shortlex.is_better(values);
}

/// Changes a number and all numbers after it with the same upper end by the same amount, so that it or the least of them is simplest: numbers in order stay in
/// order.
fn shift_all(shortlex: &mut Shortlex<'_>, at: usize) {
    let best = shortlex.best();
    let Some(choice) =
        best.choices.get(at).filter(|choice| choice.kind.is_countable() && !choice.is_simplest())
    else {
        return;
    };
    let end = choice.kind.ends().1;
    let is_shifted = |other: &usize| {
        let kind = best.choices[*other].kind;
        kind.is_countable() && kind.ends().1 == end
    };
    let shifted: Vec<usize> = (at..best.choices.len()).filter(is_shifted).collect();
    // Two are lowered together.
    if shifted.len() < 3 {
        return;
    }
    let least = shifted.iter().map(|at| best.choices[*at].value).min();
    let by = |from: i128| {
        let amount = choice.kind.simplest().checked_sub(from).filter(|amount| *amount != 0)?;
        let mut values = best.values();
        for at in &shifted {
            values[*at] = changed(&best.choices[*at], i128::checked_add, amount)?;
        }
        Some(Attempt::from(values))
    };
    let least = least.filter(|least| *least < choice.value);
    let amounts = [Some(choice.value), least].into_iter().flatten();
    shortlex.first(amounts.filter_map(by));
}

/// Lowers a number together with one of the numbers after it, each in its turn.
pub(super) fn lower_with_others(shortlex: &mut Shortlex<'_>, at: usize) -> bool {
    lower_while(shortlex, at, i128::checked_add)
}

/// Lowers a number while one of the numbers after it, each in its turn, changes by the same amount: up or down.
pub(super) fn lower_while(
    shortlex: &mut Shortlex<'_>,
    at: usize,
    change: fn(i128, i128) -> Option<i128>,
) -> bool {
    let mut found = false;
    for other in changeable(&shortlex.best(), at, change) {
        let best = shortlex.best();
        let (Some(one), Some(two)) = (best.choices.get(at), best.choices.get(other)) else {
            return found;
        };
        if one.is_simplest() {
            return found;
        }
        let attempt = |best: &Record, left: u128| -> Option<Attempt> {
            let value = one.at_distance(left)?;
            both(best, (at, value), (other, changed(two, change, value.checked_sub(one.value)?)?))
        };
        found |= lowering::lower(shortlex, one.distance(), &attempt) < one.distance();
    }
    found
}

/// A number changed by an amount; a number with a fraction by its value, not by its place.
pub(super) fn changed(
    choice: &Choice,
    change: fn(i128, i128) -> Option<i128>,
    amount: i128,
) -> Option<i128> {
    match choice.kind {
        Kind::Float { .. } if !is_whole(choice.value) => {
            let sign = change(0, 1)? as f64;
            Some(to_place(from_place(choice.value)? + sign * amount as f64))
        }
        _ => change(choice.value, amount),
    }
}

/// An attempt with other numbers in two places, if they are allowed there.
pub(super) fn both(best: &Record, one: (usize, i128), two: (usize, i128)) -> Option<Attempt> {
    let fits = |(at, value): (usize, i128)| {
        best.choices.get(at).is_some_and(|choice| choice.kind.allows(value))
    };
    (fits(one) && fits(two)).then(|| {
        let mut values = best.values();
        values[one.0] = one.1;
        values[two.0] = two.1;
        values.into()
    })
}

/// The places of the next numbers after a number; none if the choice there isn't one.
pub(super) fn near(best: &Record, at: usize) -> Vec<usize> {
    after(best, at).take(NEAR).collect()
}

/// The places of the next numbers after a number that can change by one when it is lowered by one.
fn changeable(best: &Record, at: usize, change: fn(i128, i128) -> Option<i128>) -> Vec<usize> {
    let lowered = best.choices.get(at).filter(|one| !one.is_simplest()).and_then(|one| {
        let closer = one.at_distance(one.distance() - 1)?;
        Some((closer, closer.checked_sub(one.value)?))
    });
    let Some((closer, amount)) = lowered else { return Vec::new() };
    let can_change = |other: &usize| {
        let next = changed(&best.choices[*other], change, amount);
        next.is_some_and(|next| both(best, (at, closer), (*other, next)).is_some())
    };
    after(best, at).filter(can_change).take(NEAR).collect()
}

/// The places of all numbers after a number; none if the choice there isn't one.
fn after(best: &Record, at: usize) -> impl Iterator<Item = usize> {
    let countable =
        |at: &usize| best.choices.get(*at).is_some_and(|choice| choice.kind.is_countable());
    let end = if countable(&at) { best.choices.len() } else { at };
    (at + 1..end).filter(countable)
}
