//! Lowers several numbers by the same amount where only the differences between them matter: all numbers, and those in the same place of each sibling.
//!
//! Their ranges may differ, as those of remainders do. Selectors are no numbers, so they stay.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::groups::{MANY, groups, selectors};
use super::lowering;
use crate::choice::Kind;
use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::Attempt;

pub(super) const PASS: Pass = Pass {
    name: "level",
    about: "lowers several numbers by the same amount",
    turn: Turn::Last,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    let mut from = 0;
    loop {
        let best = shortlex.best();
        if best.choices.len() > MANY {
            return;
        }
        let all = levels(&best);
        let closer = (from..all.len()).filter_map(|at| Some((at, lowered(&best, &all[at], 1)?)));
        let Some(found) = shortlex.find(closer) else { return };
        let places = &all[found];
        let room = places.iter().map(|at| best.choices[*at].distance()).min().unwrap_or(1) - 1;
        lowering::lower(shortlex, room, &|_, left| lowered(&best, places, 1 + room - left));
        from = found;
    }
}

/// The places of numbers that are lowered together, none of which is simplest.
fn levels(best: &Record) -> Vec<Vec<usize>> {
    let flags = best.flags();
    let groups = groups(best);
    let rows: Vec<(&Vec<Range<usize>>, Vec<usize>)> =
        groups.iter().map(|group| (&group.spans, selectors(best, &group.spans))).collect();
    let all_selectors: HashSet<usize> =
        rows.iter().flat_map(|(_, selectors)| selectors.iter().copied()).collect();
    let is_lowered = |at: &usize| {
        let choice = &best.choices[*at];
        let is_number = !matches!(choice.kind, Kind::Boolean { .. });
        is_number && !choice.is_simplest() && !flags[*at] && !all_selectors.contains(at)
    };
    let mut all = vec![(0..best.choices.len()).filter(is_lowered).collect::<Vec<_>>()];
    for (siblings, selectors) in &rows {
        // What siblings of the same kind have in the same place.
        let mut columns: BTreeMap<(Option<i128>, usize), Vec<usize>> = BTreeMap::new();
        for (number, sibling) in siblings.iter().enumerate() {
            let selected = selectors.get(number).map(|at| best.choices[*at].value);
            for at in sibling.clone().filter(is_lowered) {
                columns.entry((selected, at - sibling.start)).or_default().push(at);
            }
        }
        all.extend(columns.into_values());
    }
    // One number is lowered alone.
    all.retain(|places| places.len() > 1);
    all
}

/// Numbers that are lowered by an amount.
fn lowered(best: &Record, places: &[usize], amount: u128) -> Option<Attempt> {
    let mut values = best.values();
    for at in places {
        let choice = &best.choices[*at];
        values[*at] = choice.at_distance(choice.distance().checked_sub(amount)?)?;
    }
    Some(values.into())
}
