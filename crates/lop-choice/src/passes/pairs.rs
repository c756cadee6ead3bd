//! Makes a choice simpler at the expense of a later one.
//!
//! The pass lowers the first of two numbers and raises the second by the same amount, so that their sum stays. It also tries the
//! simplest value of a choice together with the second simplest value of a later one.

use super::together::{both, lower_while};
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

fn run(shortlex: &mut Shortlex<'_>) {
    shortlex.for_each_choice(|shortlex, at| {
        move_on(shortlex, at);
        exchange(shortlex, at);
    });
}

/// Moves as much as possible of a number to one of the numbers after it.
pub(super) fn move_on(shortlex: &mut Shortlex<'_>, at: usize) {
    lower_while(shortlex, at, i128::checked_sub);
}

/// Makes a choice simpler, and one of those after it the second simplest of its kind.
fn exchange(shortlex: &mut Shortlex<'_>, at: usize) {
    let best = shortlex.best();
    let Some(choice) = best.choices.get(at).filter(|choice| !choice.is_simplest()) else { return };
    let flags = best.flags();
    let others = at + 1..best.choices.len().min(at + 1 + WINDOW);
    let simplest = choice.kind.simplest();
    let closer = choice.at_distance(choice.distance() - 1).filter(|closer| *closer != simplest);
    let lowered: Vec<i128> = std::iter::once(simplest).chain(closer).collect();
    let raised = |other: usize| {
        let kind = best.choices[other].kind;
        let (best, lowered) = (&best, &lowered);
        let is_simplest = best.choices[other].is_simplest();
        let next = [kind.simplest().saturating_add(1), kind.simplest().saturating_sub(1)];
        lowered.iter().flat_map(move |value| next.map(|next| (*value, next))).filter_map(
            move |(value, next)| {
                let attempt = both(best, (at, value), (other, next)).filter(|_| is_simplest)?;
                // What followed from the first may be gone.
                Some(Attempt { repair: Repair::Lost { after: at + 1 }, ..attempt })
            },
        )
    };
    shortlex.first(others.filter(|other| !flags[*other]).flat_map(raised));
}
