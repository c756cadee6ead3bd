//! Gives a choice among few another value, and makes all choices after it in its span simplest.
//!
//! Such a choice is often a selector, and the choices after it mean something else for another value. A simpler value
//! may need other choices after it, and a less simple one may need fewer.

use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "selectors",
    about: "chooses something else and makes what follows simplest",
    turn: Turn::Last,
    run,
};

/// A choice whose greatest and least value differ by less than this is taken for a selector.
const FEW: i128 = 16;

fn run(shortlex: &mut Shortlex<'_>) {
    let mut from = shortlex.from();
    loop {
        let best = shortlex.best();
        let owners = best.owners();
        let all = (from..best.choices.len()).flat_map(|at| changed(&best, at, owners[at]));
        let Some(at) = shortlex.find(all) else { return };
        from = at;
    }
}

fn changed(best: &Record, at: usize, owner: Option<usize>) -> Vec<(usize, Attempt)> {
    let choice = &best.choices[at];
    let (low, high) = choice.kind.ends();
    let Some(owner) =
        owner.filter(|_| high.saturating_sub(low) < FEW && choice.kind.is_countable())
    else {
        return Vec::new();
    };
    let end = best.spans[owner].end;
    let rest = at + 1..end;
    let mut others: Vec<i128> =
        (low..=high).filter(|value| choice.kind.rank(*value) < choice.rank()).collect();
    others.sort_by_key(|value| choice.kind.rank(*value));
    // Less simple values only pay if choices can be saved: no more are tried than there are choices after it.
    let next = choice.value.saturating_add(1);
    let higher = [next, high];
    let tried = rest.len().min(higher.len());
    others.extend(higher.into_iter().take(tried).filter(|value| (next..=high).contains(value)));
    others.dedup();
    let attempt = |value: i128| {
        let values = best.with(at..end, std::iter::once(value).chain(best.simplest(rest.clone())));
        (at, Attempt { values, repair: Repair::Redrawn { span: owner, end } })
    };
    others.into_iter().map(attempt).collect()
}
