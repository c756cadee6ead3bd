//! A choice becomes simpler at the expense of a later one.
//!
//! Of two numbers the first is lowered and the second raised by the same amount, so that their sum stays. Of a choice that
//! is no number, the simplest value is tried with any later choice being the next to simplest.

use super::together::{both, lower_while};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "pairs",
    about: "makes a choice simpler at the expense of a later one",
    turn: Turn::Last,
    run,
};

/// How many choices after one are looked at.
const WINDOW: usize = 4;

fn run(shortlex: &mut Shortlex<'_>) {
    shortlex.for_each_choice(|shortlex, at| {
        move_on(shortlex, at);
        exchange(shortlex, at);
    });
}

/// Moves as much as possible of a number to one of those after it.
pub(super) fn move_on(shortlex: &mut Shortlex<'_>, at: usize) {
    lower_while(shortlex, at, i128::checked_sub);
}

/// Makes a choice simplest and one of those after it next to simplest.
fn exchange(shortlex: &mut Shortlex<'_>, at: usize) {
    let best = shortlex.best();
    let Some(choice) = best.choices.get(at).filter(|choice| !choice.is_simplest()) else { return };
    let flags = best.flags();
    let others = at + 1..best.choices.len().min(at + 1 + WINDOW);
    let simplest = choice.kind.simplest();
    let closer = choice.at_distance(choice.distance() - 1).filter(|closer| *closer != simplest);
    let lowered: Vec<i128> = std::iter::once(simplest).chain(closer).collect();
    let raised = |other: usize| {
        let simplest = best.choices[other].kind.simplest();
        let (best, lowered) = (&best, &lowered);
        let is_simplest = best.choices[other].is_simplest();
        lowered.iter().filter_map(move |value| {
            both(best, (at, *value), (other, simplest.saturating_add(1))).filter(|_| is_simplest)
        })
    };
    shortlex.first(others.filter(|other| !flags[*other]).flat_map(raised));
}
