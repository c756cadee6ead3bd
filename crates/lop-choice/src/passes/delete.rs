//! Spans go, of each group of siblings as many as possible.
//!
//! Siblings with the same label are most often the items of a list. They are looked at from the last to the first,
//! since later ones tend to depend on earlier ones; where one can go, ever more of its neighbours are tried with it.

use std::collections::HashMap;
use std::ops::Range;

use super::Pass;
use crate::record::{Label, Record};
use crate::reducer::Reducer;

pub(super) const PASS: Pass = Pass { name: "delete", about: "removes items of lists", costly: false, run: |reducer| run(reducer, true) };
/// The same for spans that are no items: these are seldom there to be removed, unless a generator has its own lists.
pub(super) const CUT: Pass = Pass { name: "cut", about: "removes spans that are no items", costly: true, run: |reducer| run(reducer, false) };

fn run(reducer: &mut Reducer<'_>, items: bool) {
    let mut number = 0;
    loop {
        let best = reducer.best();
        // Up to the next group that is one of these.
        let groups = groups(&best);
        let is_wanted = |number: &usize| (groups[*number].0 == Label::ITEM) == items;
        let Some(next) = (number..groups.len()).find(is_wanted) else { return };
        thin_out(reducer, next, groups[next].1.len());
        number = next + 1;
    }
}

/// Removes what can go of a group of siblings.
fn thin_out(reducer: &mut Reducer<'_>, number: usize, mut behind: usize) {
    loop {
        let best = reducer.best();
        let Some(group) = siblings(&best).into_iter().nth(number) else { return };
        behind = behind.min(group.len());
        let singles = (0..behind).rev().map(|at| best.without(group[at].clone()).into());
        let Some(index) = reducer.first(singles) else { return };
        behind -= 1 + index;
        // Of those before it, as many as possible at once.
        let mut step = 1;
        while step <= behind {
            let best = reducer.best();
            let Some(group) = siblings(&best).into_iter().nth(number).filter(|group| group.len() >= behind) else { return };
            let run = group[behind - step].start..group[behind - 1].end;
            if !reducer.is_better(best.without(run)) {
                break;
            }
            behind -= step;
            step *= 2;
        }
    }
}

/// The siblings with the same label, in the order of the first of them.
pub(super) fn siblings(best: &Record) -> Vec<Vec<Range<usize>>> {
    groups(best).into_iter().map(|(_, group)| group).collect()
}

fn groups(best: &Record) -> Vec<(Label, Vec<Range<usize>>)> {
    let mut places: HashMap<(Option<usize>, Label), usize> = HashMap::new();
    let mut groups: Vec<(Label, Vec<Range<usize>>)> = Vec::new();
    for span in best.spans.iter().filter(|span| !span.is_empty() && span.len() < best.choices.len()) {
        let place = *places.entry((span.parent, span.label)).or_insert_with(|| {
            groups.push((span.label, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(span.range());
    }
    groups
}
