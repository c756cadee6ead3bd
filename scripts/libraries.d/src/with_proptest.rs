//! With proptest.

use std::fmt::Debug;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};

use crate::{Expression, Watched, report};

fn run<S: Strategy>(
    seed: u64,
    strategy: S,
    holds: impl Fn(&S::Value) -> bool,
) -> Option<(u64, S::Value)>
where
    S::Value: Clone + Debug,
{
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&(seed + 1).to_le_bytes());
    let config = Config {
        cases: 2000,
        failure_persistence: None,
        max_shrink_iters: 100_000,
        ..Config::default()
    };
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let watched = Watched::new();
    let result = TestRunner::new_with_rng(config, random).run(&strategy, |case| {
        match watched.call(&case, holds(&case)) {
            true => Ok(()),
            false => Err(TestCaseError::fail("it does not hold")),
        }
    });
    match result {
        Err(TestError::Fail(_, case)) => Some((watched.seen().0, case)),
        _ => None,
    }
}

fn expression() -> impl Strategy<Value = Expression> {
    let number = (0..=20_u8).prop_map(Expression::Number);
    number.prop_recursive(5, 40, 2, |inner| {
        let two = || (inner.clone(), inner.clone());
        prop_oneof![
            two().prop_map(|(one, two)| Expression::Add(Box::new(one), Box::new(two))),
            two().prop_map(|(one, two)| Expression::Divide(Box::new(one), Box::new(two))),
        ]
    })
}

pub fn all(runs: u64) {
    let name = "proptest";
    let integers = || vec(any::<i32>(), 0..=20);
    let numbers = || vec(0..=1000_u16, 0..=20);
    report(name, "reverse", runs, crate::reverse_simplest, |seed| {
        run(seed, integers(), |it| crate::reverse(it))
    });
    report(name, "distinct", runs, crate::distinct_simplest, |seed| {
        run(seed, integers(), |it| crate::distinct(it))
    });
    report(name, "sum", runs, crate::sum_simplest, |seed| {
        run(seed, numbers(), |it| crate::sum(it))
    });
    report(name, "nested", runs, crate::nested_simplest, |seed| {
        run(seed, vec(vec(any::<u8>(), 0..=20), 0..=20), |it| crate::nested(it))
    });
    report(name, "dependent", runs, crate::dependent_simplest, |seed| {
        let strategy = (1..=20_usize).prop_flat_map(|length| vec(any::<u8>(), length));
        run(seed, strategy, |it| crate::dependent(it))
    });
    report(name, "sorted", runs, crate::sorted_simplest, |seed| {
        let strategy = numbers().prop_map(|mut list| {
            list.sort();
            list
        });
        run(seed, strategy, |it| crate::sorted(it))
    });
    report(name, "calculator", runs, crate::calculator_simplest, |seed| {
        run(seed, expression(), crate::calculator)
    });
}
