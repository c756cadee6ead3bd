//! What was drawn and thrown away goes: all of it at once, or else one span after the other.

use std::ops::Range;

use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "discards",
    about: "removes what was drawn and thrown away",
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

/// The outermost spans that were thrown away: what is inside of one goes with it.
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
