//! Random properties of what random generators make.

use std::collections::HashSet;

use fastrand::Rng;

use crate::generator::{Generator, Value};

/// What fails.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    Sum(i64),
    /// The product of all numbers but 0.
    Product(i64),
    Largest(i64),
    Count(i64, usize),
    Distinct(usize),
    Length(usize),
    /// A number with this many bits.
    Bits(u32),
    /// Neighbours that are equal where these are equal, and different where these are different.
    Pattern(Vec<u8>),
    /// This many numbers that are not whole.
    Fractions(usize),
    /// Two neighbours, of which the second is greater, by less than 1.
    Close,
    /// This many parts with a name.
    Named(&'static str, usize),
    /// A way in a graph that comes back to where it began, over this many nodes.
    Cycle(usize),
    /// A node with this many edges.
    Degree(usize),
    /// A character of a class.
    Class(Class),
    /// This many different characters.
    Signs(usize),
    /// Two characters of which the first is greater.
    Fall,
    /// Two equal characters, both of a class.
    Twice(Class),
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

/// A class of characters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Class {
    Upper,
    Lower,
    Punctuation,
    Space,
    /// More than one byte.
    Wide,
    /// More than two bytes.
    Wider,
    /// Its upper case has several characters.
    Grows,
    /// Its upper case has another lower case.
    Lost,
}

impl Class {
    pub(crate) const ALL: [Class; 8] = [
        Class::Upper,
        Class::Lower,
        Class::Punctuation,
        Class::Space,
        Class::Wide,
        Class::Wider,
        Class::Grows,
        Class::Lost,
    ];

    pub(crate) fn has(self, sign: char) -> bool {
        match self {
            Class::Upper => sign.is_uppercase(),
            Class::Lower => sign.is_lowercase(),
            Class::Punctuation => sign.is_ascii_punctuation(),
            Class::Space => sign.is_whitespace(),
            Class::Wide => sign.len_utf8() > 1,
            Class::Wider => sign.len_utf8() > 2,
            Class::Grows => sign.to_uppercase().count() > 1,
            Class::Lost => {
                let upper: Vec<char> = sign.to_uppercase().collect();
                let lower = upper.iter().flat_map(|it| it.to_lowercase());
                sign.is_lowercase() && !lower.eq([sign])
            }
        }
    }
}

impl Failure {
    /// A random property that some of what this generator makes may have.
    pub(crate) fn random(random: &mut Rng, generator: &Generator) -> Failure {
        let parts = generator.all();
        let has = |test: fn(&Generator) -> bool| parts.iter().any(|it| test(it));
        let number = |random: &mut Rng| match random.usize(..14) {
            0 => Failure::Sum(random.i64(2..14)),
            1 => Failure::Largest(random.i64(1..5)),
            2 => Failure::Count(random.i64(0..4), random.usize(2..4)),
            3 => Failure::Distinct(random.usize(2..5)),
            4 => Failure::Length(random.usize(3..6)),
            5 => Failure::Difference(random.i64(1..4)),
            6 => Failure::Neighbours(random.i64(1..6)),
            7 => Failure::Inversions(random.usize(1..4)),
            8 => Failure::Round(random.i64(1..3)),
            9 => {
                let of = random.i64(2..5);
                Failure::Remainder(of, random.i64(..of), random.usize(2..4))
            }
            10 => Failure::Shared(random.usize(1..3)),
            11 => Failure::Product(random.i64(4..20)),
            12 => Failure::Bits(random.u32(2..4)),
            _ => Failure::Pattern((0..random.usize(3..5)).map(|_| random.u8(..2)).collect()),
        };
        let class = |random: &mut Rng| Class::ALL[random.usize(..Class::ALL.len())];
        match random.usize(..16) {
            0..=2 => Failure::Both(
                Box::new(Failure::random(random, generator)),
                Box::new(Failure::random(random, generator)),
            ),
            3..=7 if has(|it| matches!(it, Generator::Sign)) => match random.usize(..4) {
                0 => Failure::Signs(random.usize(2..4)),
                1 => Failure::Fall,
                2 => Failure::Twice(class(random)),
                _ => Failure::Class(class(random)),
            },
            3..=5 if has(|it| matches!(it, Generator::Real(..))) => match random.bool() {
                true => Failure::Fractions(random.usize(1..3)),
                false => Failure::Close,
            },
            3..=5 if has(|it| matches!(it, Generator::Number(_, 100..))) => match random.bool() {
                true => Failure::Sum(random.i64(2..300)),
                false => Failure::Bits(random.u32(2..6)),
            },
            6..=8 if has(|it| matches!(it, Generator::Graph(..))) => match random.bool() {
                true => Failure::Cycle(random.usize(2..4)),
                false => Failure::Degree(random.usize(2..4)),
            },
            6..=9 if has(|it| matches!(it, Generator::Machine(..))) => {
                Failure::Named(["push", "pop", "swap"][random.usize(..3)], random.usize(1..4))
            }
            6..=8 if has(|it| matches!(it, Generator::Expression(..))) => {
                Failure::Named(["minus", "plus", "times"][random.usize(..3)], random.usize(1..3))
            }
            6..=8 if has(|it| matches!(it, Generator::Tree(..) | Generator::Expression(..))) => {
                Failure::Depth(random.usize(2..4))
            }
            _ => number(random),
        }
    }

    pub(crate) fn fails(&self, value: &Value) -> bool {
        let mut numbers = Vec::new();
        flatten(value, &mut numbers);
        let pairs = || numbers.windows(2);
        let whole = || numbers.iter().filter(|it| it.fract() == 0.0).map(|it| *it as i64);
        let mut signs = Vec::new();
        each(value, &mut |it| {
            signs.extend(if let Value::Sign(sign) = it { Some(*sign) } else { None })
        });
        match self {
            Failure::Sum(least) => numbers.iter().sum::<f64>() >= *least as f64,
            Failure::Product(least) => {
                numbers.iter().filter(|it| **it != 0.0).product::<f64>() >= *least as f64
            }
            Failure::Bits(least) => whole().any(|it| it > 0 && it.count_ones() >= *least),
            Failure::Pattern(pattern) => numbers.windows(pattern.len()).any(|row| {
                let all = || (0..row.len()).flat_map(|one| (0..one).map(move |two| (one, two)));
                all().all(|(one, two)| (row[one] == row[two]) == (pattern[one] == pattern[two]))
            }),
            Failure::Fractions(least) => {
                numbers.iter().filter(|it| it.fract() != 0.0).count() >= *least
            }
            Failure::Close => pairs().any(|pair| pair[0] < pair[1] && pair[1] < pair[0] + 1.0),
            Failure::Named(name, least) => {
                let mut count = 0;
                each(value, &mut |it| {
                    count += usize::from(matches!(it, Value::Several(other, _) if other == name))
                });
                count >= *least
            }
            Failure::Cycle(least) => {
                let edges = edges(value);
                edges.iter().any(|edge| comes_back(&edges, &[edge.0], *least))
            }
            Failure::Degree(least) => {
                let edges = edges(value);
                let degree =
                    |node: i64| edges.iter().filter(|it| it.0 == node || it.1 == node).count();
                edges.iter().any(|edge| degree(edge.0) >= *least || degree(edge.1) >= *least)
            }
            Failure::Class(class) => signs.iter().any(|it| class.has(*it)),
            Failure::Signs(least) => signs.iter().collect::<HashSet<_>>().len() >= *least,
            Failure::Fall => signs.windows(2).any(|pair| pair[0] > pair[1]),
            Failure::Twice(class) => {
                signs.windows(2).any(|pair| pair[0] == pair[1] && class.has(pair[0]))
            }
            Failure::Largest(least) => numbers.iter().any(|it| *it >= *least as f64),
            Failure::Count(number, least) => {
                numbers.iter().filter(|it| **it == *number as f64).count() >= *least
            }
            Failure::Distinct(least) => {
                numbers.iter().map(|it| it.to_bits()).collect::<HashSet<_>>().len() >= *least
            }
            Failure::Length(least) => numbers.len() >= *least,
            Failure::Difference(by) => pairs().any(|pair| pair[0] - pair[1] == *by as f64),
            Failure::Neighbours(sum) => {
                pairs().any(|pair| pair[0] + pair[1] == *sum as f64 && pair[0] != pair[1])
            }
            Failure::Inversions(least) => {
                let wrong =
                    |at: usize| numbers[at + 1..].iter().filter(|it| **it < numbers[at]).count();
                (0..numbers.len()).map(wrong).sum::<usize>() >= *least
            }
            Failure::Round(height) => {
                let (mut at, mut highest) = (0, 0);
                for number in &numbers {
                    at += if number % 2.0 == 0.0 { -1 } else { 1 };
                    highest = highest.max(at);
                }
                at == 0 && highest >= *height
            }
            Failure::Depth(least) => depth(value) > *least,
            Failure::Remainder(of, rest, least) => {
                numbers.iter().sum::<f64>().rem_euclid(*of as f64) == *rest as f64
                    && numbers.iter().filter(|it| **it != 0.0).count() >= *least
            }
            Failure::Shared(least) => match value {
                Value::Several(_, parts) if parts.len() > 1 => {
                    let numbers = |part| {
                        let mut all = Vec::new();
                        flatten(part, &mut all);
                        all.into_iter()
                            .filter(|it| *it != 0.0)
                            .map(f64::to_bits)
                            .collect::<HashSet<_>>()
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

/// Does something with each part of a value.
fn each<'v>(value: &'v Value, work: &mut dyn FnMut(&'v Value)) {
    work(value);
    if let Value::Several(_, all) = value {
        all.iter().for_each(|it| each(it, work));
    }
}

fn flatten(value: &Value, numbers: &mut Vec<f64>) {
    each(value, &mut |it| match it {
        Value::Number(number) => numbers.push(*number as f64),
        Value::Real(number) => numbers.push(*number),
        _ => {}
    });
}

fn edges(value: &Value) -> Vec<(i64, i64)> {
    let mut edges = Vec::new();
    each(value, &mut |it| {
        if let Value::Several("edge", ends) = it
            && let [Value::Number(from), Value::Number(to)] = ends[..]
        {
            edges.push((from, to));
        }
    });
    edges
}

/// Whether a way goes on to where it began, over this many nodes.
fn comes_back(edges: &[(i64, i64)], way: &[i64], least: usize) -> bool {
    let last = way[way.len() - 1];
    edges.iter().filter(|edge| edge.0 == last).any(|edge| {
        edge.1 == way[0] && way.len() >= least
            || !way.contains(&edge.1) && comes_back(edges, &[way, &[edge.1]].concat(), least)
    })
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Several(_, all) => 1 + all.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
