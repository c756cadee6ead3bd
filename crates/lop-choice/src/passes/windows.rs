//! Some choices in a row go that belong to the same span and to none inside of it.
//!
//! This is what is left to do where a generator does not tell much about itself. Of lists it is known what they are made of, so
//! nothing is tried inside of an item that has no spans of its own.

use super::chunks::loose;
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "windows",
    about: "removes some choices in a row, of the same span",
    turn: Turn::Last,
    run,
};

/// The longest row.
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
            let Some(at) =
                shortlex.find(starts.map(|at| (at, best.without(at..at + width).into())))
            else {
                break;
            };
            behind = at + width;
        }
    }
}
