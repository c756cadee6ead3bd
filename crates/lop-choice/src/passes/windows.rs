//! Removes a few choices in a row that belong to the same span and to no span inside it.
//!
//! This is for generators with few spans. The structure of lists is known, so nothing is tried inside an item
//! without spans of its own.

use crate::loops::loose;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "windows",
    about: "removes a few choices in a row, of the same span",
    turn: Turn::Last,
    run,
};

/// The longest row that is tried.
const WIDEST: usize = 8;

fn run(shortlex: &mut Shortlex<'_>) {
    for width in (1..=WIDEST).rev() {
        let mut behind = usize::MAX;
        loop {
            let best = shortlex.best();
            let starts = loose(&best).into_iter().rev().flat_map(|row| {
                let last = row.end.min(behind);
                (row.start..(last + 1).saturating_sub(width)).rev()
            });
            let shorter = |at: usize| {
                let values = best.without(at..at + width);
                // What follows may take more choices in its new place.
                (at, Attempt { values, repair: Repair::Padded { to: best.choices.len() - 1 } })
            };
            let Some(at) = shortlex.find(starts.map(shorter)) else { break };
            behind = at + width;
        }
    }
}
