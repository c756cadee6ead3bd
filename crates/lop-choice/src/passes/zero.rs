//! Makes each span the simplest of its kind (figure 6 of the paper).
//!
//! The pass replaces all choices of a span by the simplest ones. If the generator then draws fewer, the remaining ones would be read by the next
//! generator, so the repair tries exactly what was drawn. Outer spans come first: the spans inside a simplest one need
//! no attempt.

use crate::choice::Choice;
use crate::record::{Label, Record};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "zero",
    about: "makes each span the simplest of its kind",
    turn: Turn::Shorten,
    run,
};

/// With fewer choices that are not the simplest, it is as cheap to lower each.
const LEAST: usize = 4;

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
    // The simplest form of an item would end its list; removing items is up to `delete`.
    // The choices of an item are lowered like all others.
    let is_changed = |choice: &&Choice| !choice.is_simplest();
    let changed = best.choices[span.range()].iter().filter(is_changed).take(LEAST).count();
    span.label != Label::ITEM && !best.is_body(span) && changed == LEAST
}

fn simplest(best: &Record, number: usize) -> Attempt {
    let range = best.spans[number].range();
    let end = range.end;
    let values = best.with(range.clone(), best.simplest(range));
    Attempt { values, repair: Repair::Redrawn { span: number, end } }
}
