//! A choice among few takes another value, and all that follows it in its span becomes simplest.
//!
//! Such a choice often selects what is made, and what is drawn after it means something else for another one. A simpler one
//! may need other choices after it, and one that is less simple may need fewer.

use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "selectors",
    about: "chooses something else and makes what follows simplest",
    turn: Turn::Last,
    run,
};

/// How many values a choice may have to be taken for one among few.
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
    // Only if there is something to be saved; if that is little, little is tried.
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
