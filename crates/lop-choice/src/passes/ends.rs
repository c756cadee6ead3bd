//! Ends a list earlier: the choices of the items after that are left to what is drawn next. Or makes two lists of one that is inside an item
//! of another list, with the boundary in place of an item.

use crate::record::{Label, Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::Attempt;

pub(super) const PASS: Pass = Pass {
    name: "ends",
    about: "ends a list earlier, leaves the choices of its other items to what follows or makes a second list of them",
    turn: Turn::Last,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        if shortlex.first(ended(&best).chain(split(&best))).is_none() {
            return;
        }
    }
}

fn ended(best: &Record) -> impl Iterator<Item = Attempt> + '_ {
    let items = best.spans.iter().filter(|span| span.label == Label::ITEM && !span.is_empty());
    let may_end = items.filter(|item| best.choices[item.start].kind.allows(0));
    may_end.map(|item| best.with(item.start..item.start + 1, [0]).into())
}

/// Attempts with another item around a list in place of an item of the list: the items after it are in a list of their own then.
fn split(best: &Record) -> impl Iterator<Item = Attempt> + '_ {
    let spans = &best.spans;
    spans.iter().filter(|span| span.label == Label::ITEM).filter_map(|item| {
        let list = &spans[item.parent.filter(|list| spans[*list].label == Label::LIST)?];
        let around = |span: &usize| spans[*span].parent;
        let mut outer = std::iter::successors(list.parent, around).map(|span| &spans[span]);
        let outer = outer.find(|span| span.label == Label::ITEM)?;
        let rest = best.values_of(list.end..outer.end);
        let boundary: Values =
            [0].into_iter().chain(rest).chain(best.values_of(outer.start..list.start)).collect();
        (boundary.len() <= item.len()).then(|| best.with(item.range(), boundary).into())
    })
}
