//! Random properties of what random generators make.

use std::collections::HashSet;

use fastrand::Rng;

use crate::generator::Value;

/// What fails.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    Sum(i64),
    Largest(i64),
    Count(i64, usize),
    Distinct(usize),
    Length(usize),
    /// Two neighbours with this difference.
    Difference(i64),
    /// Two neighbours with this sum that are not equal.
    Neighbours(i64),
    /// Numbers in the wrong order, so often.
    Inversions(usize),
    /// Of steps up for odd numbers and down for even ones, a way that comes back to where it began after it was so high.
    Round(i64),
    /// Nodes within each other.
    Depth(usize),
    /// A remainder of the sum, with some numbers that are not 0.
    Remainder(i64, i64, usize),
    /// A number that is so often in the text of two parts of the value.
    Shared(usize),
    Both(Box<Failure>, Box<Failure>),
}

impl Failure {
    pub(crate) fn random(random: &mut Rng) -> Failure {
        match random.usize(..15) {
            0 => Failure::Sum(random.i64(2..14)),
            1 => Failure::Largest(random.i64(1..5)),
            2 => Failure::Count(random.i64(0..4), random.usize(2..4)),
            3 => Failure::Distinct(random.usize(2..5)),
            4 => Failure::Length(random.usize(3..6)),
            5 => Failure::Difference(random.i64(1..4)),
            6 => Failure::Neighbours(random.i64(1..6)),
            7 => Failure::Inversions(random.usize(1..4)),
            8 => Failure::Round(random.i64(1..3)),
            9 => Failure::Depth(random.usize(2..4)),
            10 => {
                let of = random.i64(2..5);
                Failure::Remainder(of, random.i64(..of), random.usize(2..4))
            }
            11 => Failure::Shared(random.usize(1..3)),
            _ => {
                Failure::Both(Box::new(Failure::random(random)), Box::new(Failure::random(random)))
            }
        }
    }

    pub(crate) fn fails(&self, value: &Value) -> bool {
        let mut numbers = Vec::new();
        flatten(value, &mut numbers);
        let pairs = || numbers.windows(2);
        match self {
            Failure::Sum(least) => numbers.iter().sum::<i64>() >= *least,
            Failure::Largest(least) => numbers.iter().any(|it| it >= least),
            Failure::Count(number, least) => {
                numbers.iter().filter(|it| *it == number).count() >= *least
            }
            Failure::Distinct(least) => numbers.iter().collect::<HashSet<_>>().len() >= *least,
            Failure::Length(least) => numbers.len() >= *least,
            Failure::Difference(by) => pairs().any(|pair| pair[0] - pair[1] == *by),
            Failure::Neighbours(sum) => {
                pairs().any(|pair| pair[0] + pair[1] == *sum && pair[0] != pair[1])
            }
            Failure::Inversions(least) => {
                let wrong =
                    |at: usize| numbers[at + 1..].iter().filter(|it| **it < numbers[at]).count();
                (0..numbers.len()).map(wrong).sum::<usize>() >= *least
            }
            Failure::Round(height) => {
                let (mut at, mut highest) = (0, 0);
                for number in &numbers {
                    at += if number % 2 == 0 { -1 } else { 1 };
                    highest = highest.max(at);
                }
                at == 0 && highest >= *height
            }
            Failure::Depth(least) => depth(value) > *least,
            Failure::Remainder(of, rest, least) => {
                numbers.iter().sum::<i64>().rem_euclid(*of) == *rest
                    && numbers.iter().filter(|it| **it != 0).count() >= *least
            }
            Failure::Shared(least) => match value {
                Value::Several(_, parts) if parts.len() > 1 => {
                    let numbers = |part| {
                        let mut all = Vec::new();
                        flatten(part, &mut all);
                        all.into_iter().filter(|it| *it != 0).collect::<HashSet<_>>()
                    };
                    let (one, two) = (numbers(&parts[0]), numbers(&parts[1]));
                    one.intersection(&two).count() >= *least
                }
                _ => false,
            },
            Failure::Both(one, two) => one.fails(value) && two.fails(value),
        }
    }
}

fn flatten(value: &Value, numbers: &mut Vec<i64>) {
    match value {
        Value::Number(number) => numbers.push(*number),
        Value::Several(_, all) => all.iter().for_each(|it| flatten(it, numbers)),
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Number(_) => 0,
        Value::Several(_, all) => 1 + all.iter().map(depth).max().unwrap_or(0),
    }
}
