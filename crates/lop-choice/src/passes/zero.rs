//! Each span becomes the simplest of its kind (figure 6 of the paper).
//!
//! All its choices are replaced by the simplest ones. If fewer are drawn that way, the rest would be read by whoever
//! comes next, so it is tried again with exactly what was drawn. Outer spans come first: what is inside of one that became
//! simple needs no look.

use crate::record::{Label, Record};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "zero",
    about: "makes each span the simplest of its kind",
    turn: Turn::Shorten,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    let mut next = shortlex.from();
    loop {
        let best = shortlex.best();
        let spans = (next..best.spans.len()).filter(|span| is_worth_it(&best, *span));
        let Some(span) = shortlex.find(spans.map(|span| (span, simplest(&best, span)))) else {
            return;
        };
        next = span + 1;
    }
}

fn is_worth_it(best: &Record, number: usize) -> bool {
    let span = &best.spans[number];
    // An item without its choice that there is one ends its list: that is what deleting is for.
    // A single choice that is an item is made simpler with all others.
    span.label != Label::ITEM
        && !(span.len() == 1 && best.is_body(span))
        && !best.is_simplest(span.range())
}

fn simplest(best: &Record, number: usize) -> Attempt {
    let range = best.spans[number].range();
    let end = range.end;
    let values = best.with(range.clone(), best.simplest(range));
    Attempt { values, repair: Repair::Redrawn { span: number, end } }
}
