//! Moves the items of a list into the next list, or the first item of the next list into this one.
//!
//! Neither makes the choices fewer by itself, but the first choices become simpler, or the item loses the choices at its front that
//! belong to the other list: a statement becomes an argument when the choice of its statement kind is removed.

use super::join::boundaries;
use crate::record::{Label, Record, Span, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "shift",
    about: "moves items from a list to the next or the one before",
    turn: Turn::Last,
    run,
};

/// How many choices at the front of an item may belong to its list rather than to its value.
const HEAD: usize = 2;

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        let moved = boundaries(&best).flat_map(|it| moved(&best, it.list, it.end, it.next));
        if shortlex.first(moved.map(Into::into)).is_none() {
            return;
        }
    }
}

fn moved(best: &Record, list: usize, end: usize, next: usize) -> Vec<Values> {
    let values = best.values();
    let start = best.spans[list].start;
    let mut all = Vec::new();
    if start < end {
        // All items move past the end of the list.
        all.push(
            [
                &values[..start],
                &values[end..=end],
                &values[end + 1..next],
                &values[start..end],
                &values[next..],
            ]
            .concat(),
        );
    }
    let is_last = |span: &&Span| span.label == Label::ITEM && span.end == end;
    if let Some(item) = best.spans[list..].iter().find(is_last).filter(|item| item.start > start) {
        // Only the last item moves.
        all.push(
            [&values[..item.start], &values[end..next], &values[item.range()], &values[next..]]
                .concat(),
        );
    }
    let is_first = |span: &&Span| span.label == Label::ITEM && span.start == next;
    if let Some(item) = best.spans[list..].iter().find(is_first) {
        for head in 0..=HEAD.min(item.len().saturating_sub(2)) {
            let body = &values[next + 1 + head..item.end];
            all.push(
                [&values[..end], &[1], body, &values[end..next], &values[item.end..]].concat(),
            );
        }
    }
    all
}
