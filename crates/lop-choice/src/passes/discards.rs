//! Removes the spans of discarded values: all of them at once, or else one after the other.

use std::ops::Range;

use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "discards",
    about: "removes the choices of values that the generator discarded",
    turn: Turn::Shorten,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    let best = shortlex.best();
    let all = discarded(&best);
    if all.is_empty() || shortlex.is_better(best.without_all(&all)) {
        return;
    }
    loop {
        let best = shortlex.best();
        let all = discarded(&best);
        if shortlex.first(all.into_iter().map(|span| best.without(span).into())).is_none() {
            return;
        }
    }
}

/// The outermost discarded spans; those inside them are removed with them.
fn discarded(best: &Record) -> Vec<Range<usize>> {
    let mut end = 0;
    let mut outermost = Vec::new();
    for span in best.spans.iter().filter(|span| span.discarded && !span.is_empty()) {
        if span.start >= end {
            end = span.end;
            outermost.push(span.range());
        }
    }
    outermost
}
