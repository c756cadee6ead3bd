//! A span is replaced by one of the same label inside of it: a tree by one of its subtrees.

use super::Pass;
use crate::record::{Label, Record};
use crate::reducer::Reducer;
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass =
    Pass { name: "descend", about: "replaces a span by one of the same kind inside of it", costly: false, run };

fn run(reducer: &mut Reducer<'_>) {
    let mut next = 0;
    loop {
        let best = reducer.best();
        let pairs: Vec<(usize, usize)> = (next..best.spans.len()).flat_map(|outer| inner(&best, outer)).collect();
        let replaced = |(outer, inner): &(usize, usize)| {
            let (outer, inner) = (&best.spans[*outer], &best.spans[*inner]);
            let instead = best.choices[inner.range()].iter().map(|choice| choice.value);
            let values = best.with(outer.range(), instead);
            // Where it stands now, more may be drawn for it than where it stood.
            Attempt { values, repair: Repair::Padded { to: best.choices.len() - 1 } }
        };
        match reducer.first(pairs.iter().map(replaced)) {
            // What took its place may be replaced as well.
            Some(index) => next = pairs[index].0,
            None => return,
        }
    }
}

/// The spans inside of one that could take its place, the largest first.
fn inner(best: &Record, outer: usize) -> Vec<(usize, usize)> {
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
    all.into_iter().map(|inner| (outer, inner)).collect()
}
