//! Removes long rows of choices without spans: half of a row, a quarter, and so on.

use std::ops::Range;

use crate::loops::loose;
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "chunks",
    about: "removes long rows of choices about which nothing is known",
    turn: Turn::Shorten,
    run,
};

/// Shorter rows are left to other passes.
const SHORTEST: usize = 16;

fn run(shortlex: &mut Shortlex<'_>) {
    let mut width = loose(&shortlex.best()).iter().map(Range::len).max().unwrap_or(0) / 2;
    while width > 0 && !shortlex.is_out_of_budget() {
        let mut behind = usize::MAX;
        loop {
            let best = shortlex.best();
            let rows =
                loose(&best).into_iter().rev().filter(|row| row.len() >= SHORTEST.max(width));
            let pieces = rows.flat_map(|row| {
                // From the end, since later choices tend to depend on earlier ones.
                (0..row.len() / width)
                    .map(move |piece| row.end - (piece + 1) * width..row.end - piece * width)
            });
            let pieces = pieces.filter(|piece| piece.end <= behind);
            let Some(at) =
                shortlex.find(pieces.map(|piece| (piece.start, best.without(piece).into())))
            else {
                break;
            };
            behind = at + width;
        }
        width /= 2;
    }
}
