//! Lowers a number at the end of a row by one, and removes a choice of the row.
//!
//! Without spans, lengths may be far from the values that they belong to: the crate `arbitrary` reads
//! the lengths of texts from the end of its bytes, and the texts from the front.

use crate::loops::loose;
use crate::record::{Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "tail",
    about: "lowers a number at the end of a row and removes a choice before it",
    turn: Turn::Last,
    run,
};

/// How far from the end a length may be.
const BACK: usize = 8;

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        let rows = loose(&best).into_iter().filter(|row| row.len() > 1);
        let shorter = rows.flat_map(|row| {
            let best = &best;
            let lengths = (row.start + 1..row.end).rev().take(BACK);
            lengths.flat_map(move |length| {
                (row.start..length).rev().filter_map(move |gone| shorter(best, length, gone))
            })
        });
        if shortlex.first(shorter.map(Into::into)).is_none() {
            return;
        }
    }
}

fn shorter(best: &Record, length: usize, gone: usize) -> Option<Values> {
    let choice = &best.choices[length];
    let lowered =
        choice.value.checked_sub(1).filter(|value| *value >= 0 && choice.kind.allows(*value))?;
    let mut values = best.values();
    values[length] = lowered;
    values.remove(gone);
    Some(values)
}
