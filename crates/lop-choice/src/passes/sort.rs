//! Puts siblings in order, shorter and simpler ones first.

use std::ops::Range;

use super::delete::siblings;
use crate::record::{Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::Attempt;

pub(super) const PASS: Pass =
    Pass { name: "sort", about: "puts siblings in order", turn: Turn::Simplify, run };

/// Of at most as many siblings, also two that aren't neighbours are exchanged.
const FEW: usize = 6;

fn run(shortlex: &mut Shortlex<'_>) {
    let mut number = 0;
    while let Some(group) = siblings(&shortlex.best()).into_iter().nth(number) {
        number += 1;
        let best = shortlex.best();
        let mut order: Vec<usize> = (0..group.len()).collect();
        order.sort_by(|one, two| compare(&best, &group[*one], &group[*two]));
        if order.is_sorted() || shortlex.is_better(ordered(&best, &group, &order)) {
            continue;
        }
        // If not all can be in order, perhaps some neighbours can, or two of a few.
        loop {
            let best = shortlex.best();
            let Some(group) = siblings(&best).into_iter().nth(number - 1) else { return };
            let swapped = |(one, two): (usize, usize)| -> Option<Attempt> {
                let mut order: Vec<usize> = (0..group.len()).collect();
                order.swap(one, two);
                compare(&best, &group[one], &group[two])
                    .is_gt()
                    .then(|| ordered(&best, &group, &order).into())
            };
            let farthest = if group.len() <= FEW { group.len() } else { 2 };
            let pairs = (1..farthest).flat_map(|far| {
                (0..group.len().saturating_sub(far)).map(move |at| (at, at + far))
            });
            if shortlex.first(pairs.filter_map(swapped)).is_none() {
                break;
            }
        }
    }
}

/// Which of two spans should come first. Their choices are compared as if both were of the kinds of the first: the choice that there is an item has another kind
/// for the first items of a list than for the others.
pub(super) fn compare(best: &Record, one: &Range<usize>, two: &Range<usize>) -> std::cmp::Ordering {
    let pairs = best.choices[one.clone()].iter().zip(&best.choices[two.clone()]);
    let mut orders = pairs.map(|(one, two)| one.rank().cmp(&one.kind.rank(two.value)));
    let differ = orders.find(|it| it.is_ne());
    differ.unwrap_or_else(|| one.len().cmp(&two.len()))
}

/// The numbers with the siblings in another order; choices between them stay where they are.
pub(super) fn ordered(best: &Record, group: &[Range<usize>], order: &[usize]) -> Values {
    let mut values = Values::with_capacity(best.choices.len());
    let mut end = 0;
    for (place, from) in group.iter().zip(order) {
        let pieces = [end..place.start, group[*from].clone()];
        values.extend(
            pieces.into_iter().flat_map(|piece| &best.choices[piece]).map(|choice| choice.value),
        );
        end = place.end;
    }
    values.extend(best.values_of(end..best.choices.len()));
    values
}
