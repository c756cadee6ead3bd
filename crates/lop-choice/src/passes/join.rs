//! Joins two lists that follow each other: removes the choice that ends the first, and all choices before the first item of the second.

use crate::record::{Label, Record};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "join",
    about: "makes one list of two that follow each other",
    turn: Turn::Shorten,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    let mut from = 0;
    loop {
        let best = shortlex.best();
        let has_item = |at: usize| best.choices.get(at).is_some_and(|choice| choice.value == 1);
        let joined = boundaries(&best)
            .filter(|boundary| boundary.list >= from && has_item(boundary.next))
            .map(|boundary| (boundary.list, best.without(boundary.end..boundary.next).into()));
        let Some(list) = shortlex.find(joined) else { return };
        from = list;
    }
}

/// Where a list ends and the next one begins.
pub(super) struct Boundary {
    /// The number of the first list.
    pub(super) list: usize,
    /// The choice that ends it.
    pub(super) end: usize,
    /// Where the next list begins.
    pub(super) next: usize,
}

/// The boundaries of all lists that are followed by another one.
pub(super) fn boundaries(best: &Record) -> impl Iterator<Item = Boundary> + '_ {
    (0..best.spans.len()).filter_map(|list| {
        let span = &best.spans[list];
        let end = span.end.checked_sub(1)?;
        let ends_by_choice =
            span.label == Label::LIST && !span.is_empty() && best.choices[end].value == 0;
        let is_next =
            |other: &&crate::record::Span| other.label == Label::LIST && other.start > end;
        let next = best.spans[list + 1..].iter().find(is_next).filter(|_| ends_by_choice)?;
        Some(Boundary { list, end, next: next.start })
    })
}
