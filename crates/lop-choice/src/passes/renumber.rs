//! Removes a sibling and lowers the numbers that count the siblings after it by one, so that indices into a list stay right.

use std::ops::Range;

use super::groups::{selectors, siblings};
use crate::choice::Kind;
use crate::record::{Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "renumber",
    about: "removes a sibling and lowers the numbers that count those after it",
    turn: Turn::Last,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        let groups = siblings(&best);
        let all = groups.iter().filter(|group| group.len() > 1).flat_map(|group| {
            let best = &best;
            (0..group.len()).rev().filter_map(move |gone| without(best, group, gone))
        });
        if shortlex.first(all.map(Into::into)).is_none() {
            return;
        }
    }
}

/// The numbers without one of some siblings, if another number is lowered by that. Selectors stay.
fn without(best: &Record, group: &[Range<usize>], gone: usize) -> Option<Values> {
    let counts = gone as i128 + 1..=group.len() as i128;
    let selectors = selectors(best, group);
    let is_lowered = |at: usize| {
        let choice = &best.choices[at];
        // Its range may begin with what is counted, and so begin earlier then.
        matches!(choice.kind, Kind::Integer { .. })
            && choice.kind.ends() != (0, 1)
            && counts.contains(&choice.value)
            && !selectors.contains(&at)
    };
    let stays = || (0..best.choices.len()).filter(|at| !group[gone].contains(at));
    let values = stays().map(|at| best.choices[at].value - i128::from(is_lowered(at)));
    stays().any(is_lowered).then(|| values.collect())
}
