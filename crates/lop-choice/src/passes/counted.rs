//! Removes what a number counts: siblings that follow immediately after a number that is as large as they are many.
//!
//! The length of such a list is drawn first, so an item goes only together with a lower number. All simplest items are tried at once, since they are seldom
//! what the case is about; then each, from the last to the first, and ever more of its neighbours once one could go.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::groups::siblings;
use crate::record::{Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "counted",
    about: "removes items of lists whose length is drawn first",
    turn: Turn::Shorten,
    run,
};

/// Of fewer siblings, the number may as well be a selector. They are left to `counts`.
const LEAST: usize = 3;

fn run(shortlex: &mut Shortlex<'_>) {
    let mut rows = Rows::of(shortlex.best());
    shortlex.for_each_choice(|shortlex, at| {
        rows.follow(shortlex);
        let best = rows.best.clone();
        let units = rows.units(at);
        if units.is_empty() {
            return;
        }
        let is_simplest = |unit: &usize| best.is_simplest(units[*unit].clone());
        let simplest: Vec<usize> = (0..units.len()).filter(is_simplest).collect();
        if (2..units.len()).contains(&simplest.len())
            && let Some(values) = without(&best, at, units, &simplest)
        {
            shortlex.is_better(values);
        }
        thin_out(shortlex, &mut rows, at);
    });
}

/// Removes as many as possible of what a number counts.
fn thin_out(shortlex: &mut Shortlex<'_>, rows: &mut Rows, at: usize) {
    let mut behind = usize::MAX;
    loop {
        rows.follow(shortlex);
        let (best, units) = (&rows.best, rows.units(at));
        behind = behind.min(units.len());
        let singles = (0..behind)
            .rev()
            .filter_map(|unit| Some((unit, without(best, at, units, &[unit])?.into())));
        let Some(gone) = shortlex.find(singles) else { return };
        behind = gone;
        let mut step = 1;
        while step <= behind {
            rows.follow(shortlex);
            let (best, units) = (&rows.best, rows.units(at));
            let more: Vec<usize> = (behind - step..behind).collect();
            let values = more.last().filter(|last| **last < units.len());
            let values = values.and_then(|_| without(best, at, units, &more));
            if !values.is_some_and(|values| shortlex.is_better(values)) {
                break;
            }
            behind -= step;
            step *= 2;
        }
    }
}

/// The rows of siblings of the best, which take long to find among many spans.
struct Rows {
    best: Arc<Record>,
    /// By where they start.
    rows: HashMap<usize, Vec<Vec<Range<usize>>>>,
}

impl Rows {
    fn of(best: Arc<Record>) -> Rows {
        let mut rows: HashMap<usize, Vec<Vec<Range<usize>>>> = HashMap::new();
        for row in siblings(&best).into_iter().filter(|row| row.len() >= LEAST) {
            rows.entry(row[0].start).or_default().push(row);
        }
        Rows { rows, best }
    }

    /// Finds them again if the best is another one.
    fn follow(&mut self, shortlex: &Shortlex<'_>) {
        let best = shortlex.best();
        if !Arc::ptr_eq(&best, &self.best) {
            *self = Rows::of(best);
        }
    }

    /// The siblings that a number counts; none if it counts none.
    fn units(&self, at: usize) -> &[Range<usize>] {
        let is_count =
            |row: &&Vec<Range<usize>>| i128::try_from(row.len()) == Ok(self.best.choices[at].value);
        let countable = self.best.choices.get(at).filter(|it| it.kind.is_countable());
        let rows = countable.and_then(|_| self.rows.get(&(at + 1)));
        rows.and_then(|rows| rows.iter().find(is_count)).map_or(&[], |row| row)
    }
}

/// The numbers without some of what a number counts.
fn without(best: &Record, at: usize, units: &[Range<usize>], gone: &[usize]) -> Option<Values> {
    let choice = &best.choices[at];
    let left = choice.value.checked_sub(gone.len() as i128)?;
    let ranges: Vec<Range<usize>> = gone.iter().map(|unit| units[*unit].clone()).collect();
    choice.kind.allows(left).then(|| {
        let mut values = best.without_all(&ranges);
        values[at] = left;
        values
    })
}
