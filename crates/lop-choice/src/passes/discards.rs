//! What was drawn and thrown away goes: all of it at once, or else one span after the other.

use super::{Pass, Turn};
use crate::record::{Record, Values};
use crate::reducer::Reducer;

pub(super) const PASS: Pass = Pass {
    name: "discards",
    about: "removes what was drawn and thrown away",
    turn: Turn::Shorten,
    run,
};

fn run(reducer: &mut Reducer<'_>) {
    let discarded = |best: &Record| -> Vec<usize> {
        // The outermost ones: what is inside of one goes with it.
        let mut end = 0;
        let mut outermost = Vec::new();
        for (number, span) in best.spans.iter().enumerate() {
            if span.discarded && !span.is_empty() && span.start >= end {
                end = span.end;
                outermost.push(number);
            }
        }
        outermost
    };
    let without = |best: &Record, spans: &[usize]| -> Values {
        let gone = |at: &usize| spans.iter().any(|span| best.spans[*span].range().contains(at));
        (0..best.choices.len()).filter(|at| !gone(at)).map(|at| best.choices[at].value).collect()
    };
    let best = reducer.best();
    let all = discarded(&best);
    if all.is_empty() || reducer.is_better(without(&best, &all)) {
        return;
    }
    loop {
        let best = reducer.best();
        let all = discarded(&best);
        if reducer.first(all.iter().map(|span| without(&best, &[*span]).into())).is_none() {
            return;
        }
    }
}
