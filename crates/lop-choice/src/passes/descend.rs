//! Replaces a span by a span of the same label inside it: a tree by one of its subtrees.

use crate::record::{Label, Record};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "descend",
    about: "replaces a span by one of the same kind inside it",
    turn: Turn::Shorten,
    run,
};

/// How many spans are tried as the replacement of one.
const FEW: usize = 8;

fn run(shortlex: &mut Shortlex<'_>) {
    let mut next = shortlex.from();
    loop {
        let best = shortlex.best();
        let replaced = |(outer, inner): (usize, usize)| {
            let instead = best.values_of(best.spans[inner].range());
            let values = best.with(best.spans[outer].range(), instead);
            // In its new place, the generator may draw more choices for it.
            (outer, Attempt { values, repair: Repair::Padded { to: best.choices.len() - 1 } })
        };
        let pairs = (next..best.spans.len()).flat_map(|outer| inner(&best, outer));
        // The replacement may be replaced as well.
        let Some(outer) = shortlex.find(pairs.map(replaced)) else { return };
        next = outer;
    }
}

/// The spans inside `outer` that can replace it, the largest first.
pub(super) fn inner(best: &Record, outer: usize) -> Vec<(usize, usize)> {
    let span = &best.spans[outer];
    let fits = |inner: &usize| {
        let inner = &best.spans[*inner];
        inner.label == span.label && !inner.is_empty() && inner.len() < span.len()
    };
    if span.label == Label::ITEM {
        return Vec::new();
    }
    let mut all: Vec<usize> = best.inside(outer).filter(fits).collect();
    all.sort_by_key(|inner| std::cmp::Reverse(best.spans[*inner].len()));
    // Of many, the largest, since these can be replaced in their turn, and the smallest one.
    if all.len() > FEW {
        all.drain(FEW - 1..all.len() - 1);
    }
    all.into_iter().map(|inner| (outer, inner)).collect()
}
