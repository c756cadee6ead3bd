//! Removes or replaces the longest spans first: with many choices, what an attempt is worth is the number of choices that it takes away.
//!
//! All other passes go through the choices in their order. A generator that draws tens of thousands of choices takes seconds for an attempt, so
//! they spend minutes on the first percent. A span is replaced by the shortest one of its kind, or removed, or replaced by one inside it. It isn't replaced by the
//! simplest choices: where a generator draws again until it likes what it has, it never likes these, and takes long. Most cuts of a large case fail because the
//! choices after them mean something else and are too few then, so some are added.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::record::{Label, Record};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::Attempt;

pub(super) const PASS: Pass = Pass {
    name: "worth",
    about: "removes or replaces the longest spans first",
    turn: Turn::Coarse,
    run,
};

/// With fewer choices, other passes are fast enough, and know more.
const MANY: usize = 500;
/// Shorter spans are left to other passes, which also know what is around a span.
const SHORTEST: usize = 32;

fn run(shortlex: &mut Shortlex<'_>) {
    // A place is the higher the shorter the span is.
    let mut longest = usize::MAX - shortlex.from();
    loop {
        let best = shortlex.best();
        if best.choices.len() < MANY {
            return;
        }
        let shortest = shortest(&best);
        let attempts = by_length(&best, longest).into_iter().flat_map(|number| {
            let place = usize::MAX - best.spans[number].len();
            ways(&best, number, &shortest).map(move |attempt| (place, attempt))
        });
        let Some(place) = shortlex.find(attempts) else { return };
        longest = usize::MAX - place;
    }
}

/// The spans of at most this length, the longest first. Of spans that are nearly the same choices, the innermost is enough.
fn by_length(best: &Record, longest: usize) -> Vec<usize> {
    let mut has_heir = vec![false; best.spans.len()];
    for span in &best.spans {
        if let Some(parent) = span.parent
            && span.len() * 10 >= best.spans[parent].len() * 9
        {
            has_heir[parent] = true;
        }
    }
    let is_long = |number: &usize| {
        let span = &best.spans[*number];
        (SHORTEST..=longest).contains(&span.len())
            && span.len() < best.choices.len()
            && !has_heir[*number]
            && !best.is_body(span)
    };
    let mut numbers: Vec<usize> = (0..best.spans.len()).filter(is_long).collect();
    numbers.sort_by_key(|number| Reverse(best.spans[*number].len()));
    numbers
}

/// The ways to make a span shorter, the one that is worth most first.
fn ways<'r>(
    best: &'r Record,
    number: usize,
    shortest: &HashMap<Label, usize>,
) -> impl Iterator<Item = Attempt> + use<'r> {
    let span = &best.spans[number];
    let is_shorter = |other: &usize| best.spans[*other].len() < span.len();
    let other = shortest.get(&span.label).copied().filter(is_shorter);
    let is_alike = |inner: &usize| {
        let inner = &best.spans[*inner];
        inner.label == span.label && inner.len() < span.len() && !inner.is_empty()
    };
    let inner = best
        .inside(number)
        .filter(is_alike)
        .max_by_key(|inner| best.spans[*inner].len())
        .filter(|_| span.label != Label::ITEM);
    let instead = move |other: Option<usize>| {
        let other = other.map_or(0..0, |other| best.spans[other].range());
        let mut values = best.with(span.range(), best.values_of(other));
        // What follows means something else now, and may take more choices. Those that were removed are as good as any, as long as half of the
        // gain is left.
        let most = best.choices.len() - span.len() / 2;
        let missing = most.saturating_sub(values.len());
        values.extend(best.values_of(span.range()).take(missing));
        Attempt::from(values)
    };
    other.map(Some).into_iter().chain([None]).chain(inner.map(Some)).map(instead)
}

/// The shortest span of each label.
fn shortest(best: &Record) -> HashMap<Label, usize> {
    let mut shortest: HashMap<Label, usize> = HashMap::new();
    for (number, span) in best.spans.iter().enumerate() {
        if span.is_empty() || matches!(span.label, Label::ITEM | Label::LIST) {
            continue;
        }
        let known = shortest.entry(span.label).or_insert(number);
        if span.len() < best.spans[*known].len() {
            *known = number;
        }
    }
    shortest
}
