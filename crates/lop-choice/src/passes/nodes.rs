//! Exchanges two neighbours in a row in which each has numbers that pick some of those before it: nodes of a tree or of a graph, by the order in which they are drawn.
//!
//! A number from 0 up to n belongs to the node n + 1, which picks one of the nodes before it. The nodes that come after the two pick the same ones as before.

use std::ops::Range;

use super::groups::{MANY, siblings, try_among_few};
use super::rename::is_simpler;
use super::sort::ordered;
use crate::choice::{Choice, Kind};
use crate::record::{Record, Values};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "nodes",
    about: "exchanges neighbours in a row in which each picks some of those before it",
    turn: Turn::Last,
    run,
};

/// Fewer may pick from ever more by chance.
const LEAST: usize = 3;

fn run(shortlex: &mut Shortlex<'_>) {
    try_among_few(shortlex, |best| {
        Box::new(rows(best).into_iter().flat_map(move |row| {
            (1..row.nodes.len()).filter_map(move |at| row.exchanged(best, at))
        }))
    });
}

/// A row of nodes.
struct Row {
    /// The choices of each.
    nodes: Vec<Range<usize>>,
    /// The number by which the first is picked.
    first: i128,
}

/// All rows of nodes: siblings, and choices without spans.
fn rows(best: &Record) -> Vec<Row> {
    let of_siblings = siblings(best).into_iter().filter_map(|nodes| {
        let numbers: Vec<Option<i128>> =
            nodes.iter().map(|node| best.choices[node.clone()].iter().find_map(number)).collect();
        // The first node has nothing to pick.
        let at = (1..nodes.len()).find(|at| numbers[*at].is_some())?;
        let first = numbers[at]? - at as i128;
        let follows = |(at, number): (usize, &Option<i128>)| {
            number.is_none_or(|number| number == first + at as i128)
        };
        let is_row =
            nodes.len() >= LEAST && first >= 0 && numbers.iter().enumerate().skip(1).all(follows);
        is_row.then_some(Row { nodes, first })
    });
    of_siblings.chain(of_choices(best)).collect()
}

/// The rows of nodes without spans: each begins with the first choice that picks one more than those before.
fn of_choices(best: &Record) -> Vec<Row> {
    let numbers: Vec<Option<i128>> = best.choices.iter().map(number).collect();
    let mut rows = Vec::new();
    let mut from = 0;
    while let Some(start) = (from..numbers.len()).find(|at| numbers[*at].is_some()) {
        let mut starts = vec![start];
        let mut wanted = numbers[start];
        loop {
            wanted = wanted.map(|number| number + 1);
            let after = starts[starts.len() - 1] + 1;
            match (after..numbers.len()).find(|at| numbers[*at] == wanted) {
                Some(next) => starts.push(next),
                None => break,
            }
        }
        let last = starts[starts.len() - 1];
        from = last + 1;
        if let (true, Some(first)) = (starts.len() >= LEAST, numbers[start]) {
            // The last is as long as the one before it.
            let width = last - starts[starts.len() - 2];
            starts.push((last + width).min(numbers.len()));
            rows.push(Row {
                nodes: starts.windows(2).map(|pair| pair[0]..pair[1]).collect(),
                first,
            });
        }
    }
    rows
}

/// The number of the node that a choice belongs to if it picks one of the nodes before it.
fn number(choice: &Choice) -> Option<i128> {
    match choice.kind {
        Kind::Integer { low: 0, high, .. } if high < MANY as i128 => Some(high + 1),
        _ => None,
    }
}

impl Row {
    /// The numbers with a node and the one before it exchanged, if that is simpler and it does not pick that one.
    fn exchanged(&self, best: &Record, at: usize) -> Option<Values> {
        let later = self.first + at as i128;
        let earlier = later - 1;
        let last = self.first + self.nodes.len() as i128;
        let picks = |place: &usize, from: i128| {
            number(&best.choices[*place]).is_some_and(|number| (from..=last).contains(&number))
        };
        let node = self.nodes[at].clone();
        if node.clone().any(|place| picks(&place, later) && best.choices[place].value == earlier) {
            return None;
        }
        let mut renamed = best.clone();
        for place in (node.end..best.choices.len()).filter(|place| picks(place, later + 1)) {
            let value = &mut renamed.choices[place].value;
            *value = match *value {
                it if it == earlier => later,
                it if it == later => earlier,
                it => it,
            };
        }
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.swap(at - 1, at);
        Some(ordered(&renamed, &self.nodes, &order)).filter(|values| is_simpler(best, values))
    }
}
