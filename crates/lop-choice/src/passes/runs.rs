//! Removes several siblings of which none can be removed alone: what opens and what closes, a push and its pop. They are neighbours, or the two ends of
//! a row of different things. Or puts a sibling in the place of a later one of another kind.

use super::groups::{Group, groups, selectors};
use crate::record::{Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "runs",
    about: "removes several siblings that can only be removed together, or puts one in the place of another",
    turn: Turn::Last,
    run,
};

/// The longest run that is tried.
const LONGEST: usize = 4;

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        let groups = groups(&best);
        let runs = groups.iter().flat_map(|group| runs(&best, group));
        let ends = groups.iter().flat_map(|group| ends(&best, group));
        let moved = groups.iter().flat_map(|group| moved(&best, group));
        if shortlex.first(runs.chain(ends).chain(moved).map(Into::into)).is_none() {
            return;
        }
    }
}

/// Attempts without a run of siblings.
fn runs(best: &Record, group: &Group) -> impl Iterator<Item = Values> {
    let count = group.spans.len();
    // Short runs are the likely ones.
    let widths = 2..=LONGEST.min(count);
    let runs = widths
        .flat_map(move |width| (0..=count - width).rev().map(move |first| first..first + width));
    runs.map(move |run| {
        let gone = run.len();
        counted(best, group, group.without(best, run), gone)
    })
}

/// Attempts without the first and the last of a run of siblings, which are of different kinds.
fn ends(best: &Record, group: &Group) -> impl Iterator<Item = Values> {
    let selectors = selectors(best, &group.spans);
    let count = if selectors.len() == group.spans.len() { selectors.len() } else { 0 };
    let apart = (2..LONGEST.min(count))
        .flat_map(move |apart| (0..count - apart).rev().map(move |first| (first, first + apart)));
    let differ = move |(one, two): &(usize, usize)| {
        best.choices[selectors[*one]] != best.choices[selectors[*two]]
    };
    apart
        .filter(differ)
        .map(move |(one, two)| counted(best, group, group.without_both(best, one, two), 2))
}

/// The number before some siblings may count them, and is lower without those that are gone.
fn counted(best: &Record, group: &Group, mut values: Values, gone: usize) -> Values {
    if let Some(at) = group.spans[0].start.checked_sub(1)
        && best.choices[at].value == group.spans.len() as i128
        && best.choices[at].kind.allows(values[at] - gone as i128)
    {
        values[at] -= gone as i128;
    }
    values
}

/// Attempts with a sibling in the place of a later one of another kind, as it is or with its last choice one higher: a step before what undoes
/// it may do as well after that.
fn moved(best: &Record, group: &Group) -> impl Iterator<Item = Values> {
    let selectors = selectors(best, &group.spans);
    let count = if selectors.len() == group.spans.len() { selectors.len() } else { 0 };
    let farthest = move |from: usize| count.min(from + 1 + LONGEST);
    let pairs =
        (0..count).flat_map(move |from| (from + 2..farthest(from)).map(move |to| (from, to)));
    pairs.flat_map(move |(from, to)| {
        let (one, two) = (group.spans[from].clone(), group.spans[to].clone());
        let differ = best.choices[selectors[from]] != best.choices[selectors[to]];
        let last = best.choices[one.end - 1];
        let higher = last.value.checked_add(1);
        let has_more = selectors[from] + 1 < one.end;
        let higher = higher.filter(|higher| has_more && last.kind.allows(*higher));
        let lasts = [last.value].into_iter().chain(higher).filter(move |_| differ);
        lasts.map(move |last| {
            let between = best.values_of(0..one.start).chain(best.values_of(one.end..two.start));
            let moved = best.values_of(one.start..one.end - 1).chain([last]);
            let rest = best.values_of(two.end..best.choices.len());
            counted(best, group, between.chain(moved).chain(rest).collect(), 1)
        })
    })
}
