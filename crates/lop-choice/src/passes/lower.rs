//! Makes each choice as simple as possible.
//!
//! A lowered choice may decide how many choices the generator draws after it: the length of a list, a selector. If it drew fewer,
//! the repair removes as many choices immediately after the lowered one.

use super::lowering;
use super::pairs::move_on;
use super::together::lower_with_others;
use crate::choice::{Choice, Kind};
use crate::float::is_whole;
use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass =
    Pass { name: "lower", about: "makes each choice simpler", turn: Turn::Simplify, run };

fn run(shortlex: &mut Shortlex<'_>) {
    shortlex.for_each_choice(|shortlex, at| lower(shortlex, &[at]));
}

/// Lowers choices of the same number and kind together.
pub(super) fn lower(shortlex: &mut Shortlex<'_>, places: &[usize]) {
    let best = shortlex.best();
    let Choice { value, kind } = best.choices[places[0]];
    let simplest = kind.simplest();
    let distance = value.abs_diff(simplest);
    let up = value >= simplest;
    let toward = |up: bool| {
        move |best: &Record, distance: u128| {
            let distance = i128::try_from(distance).ok()?;
            let value = if up {
                simplest.checked_add(distance)?
            } else {
                simplest.checked_sub(distance)?
            };
            let fits =
                |at: &usize| best.choices.get(*at).is_some_and(|choice| choice.kind.allows(value));
            places.iter().all(fits).then(|| with(best, places, value))
        }
    };
    // If the number is below the simplest one, the number at the same distance above it is simpler.
    if !up
        && let Some(mirrored) = toward(true)(&best, distance)
        && shortlex.is_better(mirrored)
    {
        lowering::lower(shortlex, distance, &toward(true));
        return;
    }
    // Not every place below that of a fraction is the place of a number, so only the simplest is tried.
    if matches!(kind, Kind::Float { .. }) && !is_whole(value) {
        shortlex.first(toward(up)(&shortlex.best(), 0).into_iter());
        return;
    }
    let left = lowering::lower(shortlex, distance, &toward(up));
    // It could be lowered by a little only: its limit may be a number close to it, which could then be lowered by a
    // little in its turn, and so on.
    if left > 8 && (1..=8).contains(&(distance - left)) && places.len() == 1 {
        if !lower_with_others(shortlex, places[0]) {
            move_on(shortlex, places[0]);
        }
        return;
    }
    if left > 1 {
        // Numbers on the other side of the simplest one, closer to it.
        let best = shortlex.best();
        let others = [1, left - 1].into_iter().filter_map(|distance| toward(!up)(&best, distance));
        shortlex.first(others);
    }
}

/// An attempt with the same number in all of these places.
fn with(best: &Record, places: &[usize], value: i128) -> Attempt {
    let mut values = best.values();
    places.iter().for_each(|at| values[*at] = value);
    let after = places.last().map_or(0, |last| last + 1);
    Attempt { values, repair: Repair::Lost { after } }
}
