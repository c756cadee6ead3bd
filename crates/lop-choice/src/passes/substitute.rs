//! Replaces a span by the shortest span of the same label, wherever that is.
//!
//! Not every generator makes small values from simple choices: the simplest expression may be a call with as many arguments as possible. But the case may
//! have a short one somewhere.

use std::collections::HashMap;

use crate::record::{Label, Record};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "substitute",
    about: "replaces a span by the shortest one of its kind",
    turn: Turn::Coarse,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    let mut next = shortlex.from();
    loop {
        let best = shortlex.best();
        let shortest = shortest(&best);
        let substituted = |number: usize| {
            let span = &best.spans[number];
            let other = &best.spans[*shortest.get(&span.label)?];
            let instead = best.values_of(other.range());
            (other.len() < span.len()).then(|| (number, best.with(span.range(), instead).into()))
        };
        let Some(span) = shortlex.find((next..best.spans.len()).filter_map(substituted)) else {
            return;
        };
        next = span + 1;
    }
}

/// The shortest span of each label, and of equally short ones the one with the simplest choices.
fn shortest(best: &Record) -> HashMap<Label, usize> {
    let mut shortest: HashMap<Label, usize> = HashMap::new();
    let is_candidate = |span: &crate::record::Span| {
        !span.is_empty() && !matches!(span.label, Label::ITEM | Label::LIST)
    };
    for (number, span) in best.spans.iter().enumerate().filter(|(_, span)| is_candidate(span)) {
        let place = shortest.entry(span.label).or_insert(number);
        let ranks = |number: usize| {
            best.choices[best.spans[number].range()].iter().map(|choice| choice.rank())
        };
        if span.len() < best.spans[*place].len()
            || span.len() == best.spans[*place].len() && ranks(number).lt(ranks(*place))
        {
            *place = number;
        }
    }
    shortest
}
