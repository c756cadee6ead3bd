//! Ends a list earlier: the choices of the items after that are left to what is drawn next.

use crate::record::{Label, Record};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::Attempt;

pub(super) const PASS: Pass = Pass {
    name: "ends",
    about: "ends a list earlier and leaves the choices of its other items to what follows",
    turn: Turn::Last,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        if shortlex.first(ended(&best)).is_none() {
            return;
        }
    }
}

fn ended(best: &Record) -> impl Iterator<Item = Attempt> + '_ {
    let items = best.spans.iter().filter(|span| span.label == Label::ITEM && !span.is_empty());
    let may_end = items.filter(|item| best.choices[item.start].kind.allows(0));
    may_end.map(|item| best.with(item.start..item.start + 1, [0]).into())
}
