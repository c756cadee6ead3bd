//! Replaces a tree that has no span by one of its subtrees.
//!
//! A generator that calls itself through `draw` may be called directly at first: then the subtrees of the outermost tree have spans, and it has none. It begins with a choice
//! that belongs to none of them, and ends with the last of its subtrees, which are side by side and of one label.

use std::ops::Range;

use crate::record::{Label, Record};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "roots",
    about: "replaces a tree without a span by one of its subtrees",
    turn: Turn::Shorten,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        let replaced = |(tree, inside): (Range<usize>, Range<usize>)| {
            let values = best.with(tree, best.values_of(inside));
            (0, Attempt { values, repair: Repair::Padded { to: best.choices.len() - 1 } })
        };
        let trees = trees(&best);
        if shortlex.find(trees.into_iter().map(replaced)).is_none() {
            return;
        }
    }
}

/// The choices of trees without a span, each with those of one of its subtrees, the largest first.
fn trees(best: &Record) -> Vec<(Range<usize>, Range<usize>)> {
    let owners = best.owners();
    let mut trees = Vec::new();
    let mut taken = 0;
    for (index, span) in best.spans.iter().enumerate() {
        let is_first = index >= taken && !span.is_empty() && span.start > 0;
        let is_plain = ![Label::ITEM, Label::LIST].contains(&span.label);
        if !is_first
            || !is_plain
            || best.is_body(span)
            || owners[span.start - 1] != span.parent
            || has_ancestor(best, index)
        {
            continue;
        }
        // Subtrees are next to each other.
        let mut subtrees = vec![span.range()];
        let mut next = span.until;
        while let Some(sibling) = best.spans.get(next).filter(|sibling| {
            sibling.parent == span.parent
                && sibling.label == span.label
                && subtrees.last().is_some_and(|last| last.end == sibling.start)
        }) {
            subtrees.push(sibling.range());
            next = sibling.until;
        }
        taken = next;
        let tree = span.start - 1..subtrees[subtrees.len() - 1].end;
        subtrees.sort_by_key(|subtree| std::cmp::Reverse(subtree.len()));
        trees.extend(subtrees.into_iter().map(|subtree| (tree.clone(), subtree)));
    }
    trees
}

/// Whether a span is inside one of the same label.
fn has_ancestor(best: &Record, index: usize) -> bool {
    let mut above = best.spans[index].parent;
    while let Some(parent) = above {
        if best.spans[parent].label == best.spans[index].label {
            return true;
        }
        above = best.spans[parent].parent;
    }
    false
}
