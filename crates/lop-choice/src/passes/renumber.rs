//! Removes a sibling and lowers the numbers that count the siblings after it by one, so that indices into a list stay right.

use super::delete::siblings;
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

/// The numbers without one of some siblings, if another number is lowered by that.
fn without(best: &Record, group: &[std::ops::Range<usize>], gone: usize) -> Option<Values> {
    let counts = gone as i128 + 1..=group.len() as i128;
    let mut changed = false;
    let mut values = Values::with_capacity(best.choices.len());
    for (at, choice) in best.choices.iter().enumerate() {
        if group[gone].contains(&at) {
            continue;
        }
        let lowered = choice.kind.is_countable()
            && counts.contains(&choice.value)
            && choice.kind.allows(choice.value - 1);
        changed |= lowered;
        values.push(choice.value - i128::from(lowered));
    }
    changed.then_some(values)
}
