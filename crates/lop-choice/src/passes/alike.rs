//! Makes choices with the same number simpler together, so that numbers that must be equal stay equal: all of them, or those that are drawn alike.

use std::collections::BTreeMap;

use super::lower::lower;
use crate::choice::{Choice, Kind};
use crate::record::{Label, Record};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "alike",
    about: "makes choices with the same number simpler together",
    turn: Turn::Simplify,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    let best = shortlex.best();
    for group in groups(&best) {
        let now = shortlex.best();
        // An earlier success may have moved or changed these choices.
        if group.iter().all(|at| now.choices.get(*at) == best.choices.get(*at)) {
            lower(shortlex, &group);
        }
    }
}

/// Choices with the same number: all of them, those that are drawn alike, and those of these that come after choices that are drawn alike. The largest groups come
/// first.
fn groups(best: &Record) -> Vec<Vec<usize>> {
    let drawn = drawn(best);
    let mut equal: BTreeMap<(i128, Alike), Vec<usize>> = BTreeMap::new();
    for (at, choice) in best.choices.iter().enumerate() {
        if choice.kind.is_countable() && !choice.is_simplest() {
            for alike in alike(&drawn, at) {
                equal.entry((choice.value, alike)).or_default().push(at);
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = equal.into_values().collect();
    groups.retain(|group| group.len() > 1);
    groups.sort_by_cached_key(|group| (std::cmp::Reverse(group.len()), group.clone()));
    groups.dedup();
    groups
}

/// How a choice is drawn: its least and greatest number, and the label of the span that it belongs to.
pub(super) type Drawn = (i128, i128, Option<Label>);

/// How each choice is drawn. Those that are drawn alike most often mean the same kind of thing.
pub(super) fn drawn(best: &Record) -> Vec<Drawn> {
    let owners = best.owners();
    let label = |at: usize| owners[at].map(|span| best.spans[span].label);
    let drawn = |at: usize| {
        let (low, high) = best.choices[at].kind.ends();
        (low, high, label(at))
    };
    (0..best.choices.len()).map(drawn).collect()
}

/// Whether each choice is a yes or no that does not say whether there is an item or an option.
pub(super) fn sides(best: &Record) -> Vec<bool> {
    let is_side = |((choice, flag), drawn): ((&Choice, bool), Drawn)| {
        matches!(choice.kind, Kind::Boolean { .. }) && !flag && drawn.2 != Some(Label::OPTION)
    };
    best.choices.iter().zip(best.flags()).zip(drawn(best)).map(is_side).collect()
}

/// What choices have in common that are alike: nothing, how they are drawn, or also how those before them are drawn.
pub(super) type Alike = (Option<Drawn>, Option<Drawn>);

/// All that a choice may have in common with others.
pub(super) fn alike(drawn: &[Drawn], at: usize) -> impl Iterator<Item = Alike> + use<> {
    let before = at.checked_sub(1).map(|before| (Some(drawn[at]), Some(drawn[before])));
    [(None, None), (Some(drawn[at]), None)].into_iter().chain(before)
}
