//! The same property tests with lop-choice, proptest and quickcheck: how often a failing case is reduced to a simplest one, and in how many calls.
//!
//! Prints lines `library problem runs simplest calls` and, for each, the cases that are left most often.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::rc::Rc;

mod with_lop;
mod with_proptest;
mod with_quickcheck;

/// An expression that a calculator computes.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    Number(u8),
    Add(Box<Expression>, Box<Expression>),
    Divide(Box<Expression>, Box<Expression>),
}

use Expression::{Add, Divide, Number};

impl Expression {
    /// The value, unless something is divided by zero.
    fn value(&self) -> Option<i64> {
        Some(match self {
            Number(number) => i64::from(*number),
            Add(one, two) => one.value()? + two.value()?,
            Divide(one, two) => one.value()?.checked_div(two.value()?)?,
        })
    }

    /// Whether a divisor is the number 0 itself.
    fn divides_by_zero(&self) -> bool {
        match self {
            Number(_) => false,
            Add(one, two) => one.divides_by_zero() || two.divides_by_zero(),
            Divide(one, two) => {
                **two == Number(0) || one.divides_by_zero() || two.divides_by_zero()
            }
        }
    }
}

// The properties, and which cases are the simplest that fail.

pub fn reverse(list: &[i32]) -> bool {
    list.iter().rev().eq(list)
}

fn reverse_simplest(list: &Vec<i32>) -> bool {
    list.len() == 2 && list.iter().map(|it| it.unsigned_abs()).sum::<u32>() == 1
}

pub fn distinct(list: &[i32]) -> bool {
    let mut list = list.to_vec();
    list.sort();
    list.dedup();
    list.len() < 3
}

fn distinct_simplest(list: &Vec<i32>) -> bool {
    list.len() == 3 && list.contains(&0) && list.iter().all(|it| (-2..=2).contains(it))
}

pub fn sum(list: &[u16]) -> bool {
    list.iter().map(|it| u32::from(*it)).sum::<u32>() < 1500
}

fn sum_simplest(list: &Vec<u16>) -> bool {
    list.len() == 2 && list[0] + list[1] == 1500
}

pub fn nested(lists: &[Vec<u8>]) -> bool {
    lists.iter().map(Vec::len).sum::<usize>() <= 10
}

fn nested_simplest(lists: &Vec<Vec<u8>>) -> bool {
    lists.len() == 1 && lists[0] == [0; 11]
}

/// The list has as many items as were drawn before.
pub fn dependent(list: &[u8]) -> bool {
    list.iter().all(|it| usize::from(*it) != list.len())
}

fn dependent_simplest(list: &Vec<u8>) -> bool {
    *list == [1]
}

/// The list is sorted.
pub fn sorted(list: &[u16]) -> bool {
    assert!(list.is_sorted(), "the reducer broke the generator's promise");
    list.windows(2).all(|pair| pair[1] - pair[0] < 10)
}

fn sorted_simplest(list: &Vec<u16>) -> bool {
    *list == [0, 10]
}

pub fn calculator(expression: &Expression) -> bool {
    expression.divides_by_zero() || expression.value().is_some()
}

fn calculator_simplest(expression: &Expression) -> bool {
    let zero = || Box::new(Number(0));
    let sum = *expression == Divide(zero(), Box::new(Add(zero(), zero())));
    sum || *expression == Divide(zero(), Box::new(Divide(zero(), Box::new(Number(1)))))
}

/// Counts the calls of a property after its first failure, and keeps the last case that failed.
pub struct Watched<T> {
    state: Rc<RefCell<(u64, Option<T>)>>,
}

impl<T: Clone + Debug> Watched<T> {
    fn new() -> Self {
        Watched { state: Rc::new(RefCell::new((0, None))) }
    }

    /// Notes a call.
    pub fn call(&self, case: &T, holds: bool) -> bool {
        let mut state = self.state.borrow_mut();
        if state.1.is_some() {
            state.0 += 1;
        }
        if !holds {
            state.1 = Some(case.clone());
        }
        holds
    }

    /// The calls after the first failure, and the last case that failed.
    pub fn seen(&self) -> (u64, Option<T>) {
        self.state.borrow().clone()
    }
}

/// Prints the line of a problem. A run returns the calls of a reduction and what is left; none if no failing case was found.
pub fn report<T: Clone + Debug>(
    library: &str,
    problem: &str,
    runs: u64,
    simplest: impl Fn(&T) -> bool,
    mut run: impl FnMut(u64) -> Option<(u64, T)>,
) {
    let results: Vec<(u64, T)> = (0..runs).filter_map(&mut run).collect();
    let normal = results.iter().filter(|(_, left)| simplest(left)).count();
    let calls = results.iter().map(|(calls, _)| *calls).sum::<u64>() as f64;
    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    for (_, case) in &results {
        *left.entry(format!("{case:?}")).or_default() += 1;
    }
    let most = left.iter().max_by_key(|(_, count)| **count).map_or("", |(case, _)| case);
    let found = results.len();
    println!("{library}\t{problem}\t{found}\t{normal}\t{:.1}\t{most}", calls / found.max(1) as f64);
}

fn main() {
    let runs = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(50);
    // What a reducer prints of its panics is of no interest here.
    std::panic::set_hook(Box::new(|_| {}));
    with_lop::all(runs);
    with_proptest::all(runs);
    with_quickcheck::all(runs);
}
