//! Makes another sibling the first, with all numbers of a column as far from the first one as they were: points, intervals and times are often the same
//! wherever they begin.

use std::ops::Range;

use super::groups::{siblings, try_among_few};
use super::rename::is_simpler;
use super::sort::ordered;
use super::together::changed;
use crate::record::{Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "origin",
    about: "exchanges the first sibling and another one, and shifts a number of all of them",
    turn: Turn::Last,
    run,
};

/// How many siblings are tried in the first place.
const FEW: usize = 6;

fn run(shortlex: &mut Shortlex<'_>) {
    try_among_few(shortlex, |best| {
        let is_even =
            |group: &Vec<Range<usize>>| group.windows(2).all(|it| it[0].len() == it[1].len());
        Box::new(siblings(best).into_iter().filter(is_even).flat_map(move |group| {
            (1..group.len().min(FEW)).flat_map(move |at| moved(best, &group, at))
        }))
    });
}

/// The numbers with a sibling in the first place, and those of one column, or of all, shifted so that the first is as it was.
fn moved(best: &Record, group: &[Range<usize>], at: usize) -> Vec<Values> {
    let differs = |column: &usize| {
        let (first, other) =
            (&best.choices[group[0].start + column], &best.choices[group[at].start + column]);
        first.kind.is_countable() && first.kind == other.kind && first.value != other.value
    };
    let columns: Vec<usize> = (0..group[0].len()).filter(differs).collect();
    let all = Some(columns.clone()).filter(|columns| columns.len() > 1);
    let choices = columns.iter().map(|column| vec![*column]).chain(all);
    let shifted = |columns: Vec<usize>| {
        let mut shifted = best.clone();
        for column in columns {
            let amount = best.choices[group[0].start + column]
                .value
                .checked_sub(best.choices[group[at].start + column].value)?;
            for sibling in group {
                let choice = &mut shifted.choices[sibling.start + column];
                choice.value = changed(choice, i128::checked_add, amount)
                    .filter(|value| choice.kind.allows(*value))?;
            }
        }
        let mut order: Vec<usize> = (0..group.len()).collect();
        order.swap(0, at);
        Some(ordered(&shifted, group, &order)).filter(|values| is_simpler(best, values))
    };
    choices.filter_map(shifted).collect()
}
