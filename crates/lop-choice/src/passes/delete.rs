//! Removes spans: as many as possible of each group of siblings.
//!
//! Siblings with the same label are most often the items of a list. The pass goes from the last to the first,
//! since later ones tend to depend on earlier ones. When it has removed one, it tries ever more of its neighbours at once.

use std::sync::Arc;

use super::groups::{Group, MANY, groups};
use super::rows::{Row, rows};
use crate::record::{Label, Record};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::{Attempt, Repair};

pub(super) const PASS: Pass = Pass {
    name: "delete",
    about: "removes items of lists",
    turn: Turn::Shorten,
    run: |shortlex| run(shortlex, true),
};
/// Removes spans that aren't items of lists. This seldom succeeds, unless a generator has its own kind of lists.
pub(super) const CUT: Pass = Pass {
    name: "cut",
    about: "removes spans that aren't items of lists",
    turn: Turn::Coarse,
    run: |shortlex| run(shortlex, false),
};

fn run(shortlex: &mut Shortlex<'_>, items: bool) {
    let mut number = shortlex.from();
    let mut best = shortlex.best();
    let mut all = groups(&best);
    // To the next group of items, or of other spans.
    while let Some(next) =
        (number..all.len()).find(|number| (all[*number].label == Label::ITEM) == items)
    {
        shortlex.reach(next);
        if shortlex.is_out_of_budget() {
            return;
        }
        thin_out(shortlex, next, &best, &all[next]);
        number = next + 1;
        if !Arc::ptr_eq(&best, &shortlex.best()) {
            best = shortlex.best();
            all = groups(&best);
        }
    }
}

/// Removes as many as possible of the group with this number; `group` is the group in `best`.
fn thin_out(shortlex: &mut Shortlex<'_>, number: usize, best: &Arc<Record>, group: &Group) {
    let Some(index) = shortlex.first(singles(best, group, group.spans.len())) else { return };
    let mut behind = group.spans.len() - 1 - index;
    loop {
        // Ever more of those before it at once.
        let mut step = 1;
        while step <= behind {
            let best = shortlex.best();
            let Some(group) = nth(&best, number).filter(|it| it.spans.len() >= behind) else {
                return;
            };
            if !shortlex.is_better(group.without(&best, behind - step..behind)) {
                break;
            }
            behind -= step;
            step *= 2;
        }
        let best = shortlex.best();
        let Some(group) = nth(&best, number) else { return };
        behind = behind.min(group.spans.len());
        let Some(index) = shortlex.first(singles(&best, &group, behind)) else { return };
        behind -= 1 + index;
    }
}

/// Attempts that each remove one of the first `behind` siblings, the last of these first. What comes after them may have a part for each of them, which has to go too.
fn singles(best: &Record, group: &Group, behind: usize) -> impl Iterator<Item = Attempt> {
    let count = group.spans.len();
    let last = group.spans[count - 1].end - 1;
    // To look for rows takes time, and among many choices there are many groups.
    let rows = if best.choices.len() <= MANY { rows(best, last, count) } else { Vec::new() };
    (0..behind).rev().map(move |at| {
        let values = group.without(best, at..at + 1);
        let gone = best.choices.len() - values.len();
        let unit = |row: &Row| row[at].start - gone..row[at].end - gone;
        let units = rows.iter().map(unit).collect();
        Attempt { values, repair: Repair::Parallel { units } }
    })
}

fn nth(best: &Record, number: usize) -> Option<Group> {
    groups(best).into_iter().nth(number)
}
