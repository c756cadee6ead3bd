//! With lop-choice.

use std::fmt::Debug;
use std::sync::Mutex;

use lop_choice::{Check, Source};

use crate::{Expression, report};

fn run<T: Clone + Debug + Send>(
    seed: u64,
    generator: impl Fn(&mut Source) -> T + Sync,
    holds: impl Fn(&T) -> bool + Sync,
) -> Option<(u64, T)> {
    let last = Mutex::new(None);
    let check = Check { seed: Some(seed), cases: 2000, regressions: None, ..Check::default() };
    let report = check.run(|s| {
        let case = s.draw(&generator);
        let holds = holds(&case);
        if !holds {
            *last.lock().unwrap() = Some(case);
        }
        holds
    });
    let found = report.found.first()?;
    // The reduced case is run last.
    Some((found.calls, last.into_inner().unwrap()?))
}

fn expression(s: &mut Source) -> Expression {
    match s.integer(0..=3) {
        0 | 1 => Expression::Number(s.integer(0..=20)),
        2 => Expression::Add(Box::new(s.draw(expression)), Box::new(s.draw(expression))),
        _ => Expression::Divide(Box::new(s.draw(expression)), Box::new(s.draw(expression))),
    }
}

fn sorted(s: &mut Source) -> Vec<u16> {
    let mut list: Vec<u16> = s.list(..=20, |s| s.integer(0..=1000));
    list.sort();
    list
}

fn dependent(s: &mut Source) -> Vec<u8> {
    let length = s.integer(1..=20_usize);
    s.repeat(length, |s| s.integer(..))
}

pub fn all(runs: u64) {
    let name = "lop-choice";
    report(name, "reverse", runs, crate::reverse_simplest, |seed| {
        run(seed, |s| s.any::<Vec<i32>>(), |it| crate::reverse(it))
    });
    report(name, "distinct", runs, crate::distinct_simplest, |seed| {
        run(seed, |s| s.any::<Vec<i32>>(), |it| crate::distinct(it))
    });
    report(name, "sum", runs, crate::sum_simplest, |seed| {
        run(seed, |s| s.list(..=20, |s| s.integer(0..=1000)), |it: &Vec<u16>| crate::sum(it))
    });
    report(name, "nested", runs, crate::nested_simplest, |seed| {
        run(seed, |s| s.any::<Vec<Vec<u8>>>(), |it| crate::nested(it))
    });
    report(name, "dependent", runs, crate::dependent_simplest, |seed| {
        run(seed, dependent, |it| crate::dependent(it))
    });
    report(name, "sorted", runs, crate::sorted_simplest, |seed| {
        run(seed, sorted, |it| crate::sorted(it))
    });
    report(name, "calculator", runs, crate::calculator_simplest, |seed| {
        run(seed, expression, crate::calculator)
    });
}
