//! Replaces a span by a span of the same label inside it: a tree by one of its subtrees.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::choice::Kind;
use crate::record::{Label, Record, Span, Values};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair, SIMPLEST};

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
            hoisted(&best, &best, outer, inner).into_iter().map(move |attempt| (outer, attempt))
        };
        let pairs = (next..best.spans.len()).flat_map(|outer| inner(&best, outer));
        // The replacement may be replaced as well.
        let Some(outer) = shortlex.find(pairs.flat_map(replaced)) else { return };
        next = outer;
    }
}

/// Attempts with `inner` in the place of `outer` and the numbers of `from`, whose choices are those of `best`.
///
/// At its greatest depth, a generator often draws no selector, since only leaves are possible there. So a leaf from there is also tried with one in its new place:
/// where a span begins with a choice of another kind than `outer` does.
pub(super) fn hoisted(best: &Record, from: &Record, outer: usize, inner: usize) -> Vec<Attempt> {
    let place = best.spans[outer].range();
    let attempt = |instead: Values| Attempt {
        values: from.with(place.clone(), instead),
        // In its new place, the generator may draw more choices for it.
        repair: Repair::Padded { to: best.choices.len() - 1 },
    };
    let kind = |span: usize| best.choices[best.spans[span].start].kind;
    let is_alike = std::mem::discriminant(&kind(outer)) == std::mem::discriminant(&kind(inner));
    let is_shorter = |instead: &Values| instead.len() < best.spans[outer].len();
    let selected = with_selectors(best, from, outer, inner).filter(is_shorter);
    let is_plain = is_alike || selected.is_none();
    let plain = is_plain.then(|| from.values_of(best.spans[inner].range()).collect());
    let listed = with_lists(best, from, outer, inner).filter(is_shorter);
    plain.into_iter().chain(selected).chain(listed).map(attempt).collect()
}

/// The numbers of `inner`, with an empty list at the end of each of the deepest parts, which have none: at its greatest depth, a generator
/// often draws no list of what would be deeper.
fn with_lists(best: &Record, from: &Record, outer: usize, inner: usize) -> Option<Values> {
    let label = match best.spans[outer].label {
        Label::LIST => Label::ITEM,
        label => label,
    };
    let spans = &best.spans[inner..best.spans[inner].until];
    let is_part = |span: usize| best.spans[span].label == label;
    // The part around a span, if it is inside, too.
    let around = |span: &Span| {
        let outwards = std::iter::successors(span.parent, |it| best.spans[*it].parent);
        outwards.take_while(|it| *it >= inner).find(|it| is_part(*it)).map(|it| it - inner)
    };
    let mut depths = vec![None; spans.len()];
    let mut has_list = vec![false; spans.len()];
    for (number, span) in spans.iter().enumerate() {
        let part = around(span);
        if is_part(inner + number) {
            depths[number] = Some(part.and_then(|part| depths[part]).map_or(0, |depth| depth + 1));
        }
        // A list that can only be empty has no choices.
        if let Some(part) = part.filter(|_| span.label == Label::LIST && !span.is_empty()) {
            has_list[part] |= spans[part].end == span.end;
        }
    }
    let deepest = depths.iter().flatten().max().copied().filter(|deepest| *deepest > 0)?;
    let lacks = |part: &usize| depths[*part].is_some() && !has_list[*part];
    let lacking: Vec<usize> = (0..spans.len()).filter(lacks).collect();
    if lacking.is_empty() || lacking.iter().any(|part| depths[*part] != Some(deepest)) {
        return None;
    }
    let Range { start: mut at, end } = best.spans[inner].range();
    let mut values = Values::new();
    for place in lacking.iter().map(|part| spans[*part].end) {
        values.extend(from.values_of(at..place).chain([0]));
        at = place;
    }
    values.extend(from.values_of(at..end));
    Some(values)
}

/// The numbers of `inner`, with a selector before each leaf that lacks one.
fn with_selectors(best: &Record, from: &Record, outer: usize, inner: usize) -> Option<Values> {
    let kind = |at: usize| best.choices[at].kind;
    let first = kind(best.spans[outer].start);
    let is_alike = |span: &&Span| span.label == best.spans[outer].label && !span.is_empty();
    let singles = single_leaves(best, outer, inner);
    let lacks = |number: &usize| {
        let span = &best.spans[*number];
        let is_other = |span: &Span| kind(span.start).ends() != first.ends();
        is_alike(&span) && (is_other(span) || singles.contains(number))
    };
    // The selector of a leaf that has one, if there is such a leaf.
    let selector = |leaf: Kind| {
        let is_leaf = |number: &usize| {
            let span = &best.spans[*number];
            is_alike(&span)
                && span.len() > 1
                && (kind(span.start), kind(span.start + 1)) == (first, leaf)
                && !best.spans[best.inside(*number)].iter().any(|span| is_alike(&span))
        };
        let found = (0..best.spans.len()).find(is_leaf);
        found.map_or(SIMPLEST, |number| best.choices[best.spans[number].start].value)
    };
    let lacking = (inner..best.spans[inner].until).filter(lacks);
    // Of many leaves, most are of one kind.
    let mut last: Option<(Kind, i128)> = None;
    let Range { start: mut at, end } = best.spans[inner].range();
    let mut values = Values::new();
    for start in lacking.map(|number| best.spans[number].start) {
        let leaf = kind(start);
        let known = last.filter(|(kind, _)| *kind == leaf).map(|(_, selector)| selector);
        let selector = known.unwrap_or_else(|| selector(leaf));
        last = Some((leaf, selector));
        values.extend(from.values_of(at..start));
        values.push(selector);
        at = start;
    }
    values.extend(from.values_of(at..end));
    (values.len() > best.spans[inner].len()).then_some(values)
}

/// The deepest spans in `inner` like `outer`, if they are leaves of a single choice that is of the kind of selectors by chance: the same number selects more
/// elsewhere.
fn single_leaves(best: &Record, outer: usize, inner: usize) -> BTreeSet<usize> {
    let label = best.spans[outer].label;
    let is_alike = |number: &usize| {
        let span = &best.spans[*number];
        span.label == label && !span.is_empty()
    };
    let depth = |number: usize| {
        let outwards = |it: &usize| best.spans[*it].parent.filter(|parent| *parent >= inner);
        std::iter::successors(Some(number), outwards).filter(is_alike).count()
    };
    let value = |number: usize| best.choices[best.spans[number].start].value;
    let is_single = |number: &usize| best.spans[*number].len() == 1;
    let inside: Vec<usize> = (inner..best.spans[inner].until).filter(is_alike).collect();
    // A leaf by itself may be anything.
    let deepest = inside.iter().map(|number| depth(*number)).max().filter(|deepest| *deepest > 1);
    let singles = inside.into_iter().filter(is_single);
    let singles = singles.filter(|number| Some(depth(*number)) == deepest);
    let singles: BTreeSet<usize> = singles.collect();
    let values: BTreeSet<i128> = singles.iter().map(|number| value(*number)).collect();
    let others = (0..best.spans.len()).filter(|number| is_alike(number) && !is_single(number));
    match others.map(value).any(|value| values.contains(&value)) {
        true => singles,
        false => BTreeSet::new(),
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
