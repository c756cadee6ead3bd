//! The effect of hoisting on the variants of hierarchical delta debugging: the experiment of D. Vince
//! et al. (2022), with other inputs.
//!
//! `cargo bench --bench hoisting` prints, for the papers' two examples and for programs by Csmith, the size and the
//! number of tests of each of the 16 variants of their Table 1, and at the end the average effect of hoisting, as in
//! their Table 2. It takes most of an hour on two cores. Arguments choose cases by name:
//! `cargo bench --bench hoisting -- hello pi`.
//!
//! Needs gcc, csmith with its headers (`apt install csmith libcsmith-dev`), and a JDK. Cases whose tools are missing
//! are reported and skipped.

mod cases;

use std::path::Path;

use cases::{Case, number};

/// The inputs.
const USUAL: [&str; 7] =
    ["hello", "csmith-30", "csmith-37", "csmith-38", "csmith-28", "csmith-1", "pi"];

/// Table 1: without hoisting, with hoisting before, interlaced, and both.
///
/// "Coarse Hoist* + HDD*" means that both parts are coarse: in the papers its results are larger than those of
/// Hoist* + HDD* and need far fewer tests (Tables A2 and A4), and HDDH* instead of HDD* makes no difference.
const VARIANTS: [[&str; 4]; 4] = [
    ["hdd*", "hoist*+hdd*", "hddh*", "hoist*+hddh*"],
    ["hddr*", "hoistr*+hddr*", "hddhr*", "hoistr*+hddhr*"],
    ["coarse-hdd*", "coarse-hoist*+coarse-hdd*", "coarse-hddh*", "coarse-hoist*+coarse-hddh*"],
    [
        "coarse-hddr*",
        "coarse-hoistr*+coarse-hddr*",
        "coarse-hddhr*",
        "coarse-hoistr*+coarse-hddhr*",
    ],
];

/// The result of a variant on a case.
#[derive(Clone, Copy)]
struct Result {
    characters: u64,
    tests: u64,
}

fn main() {
    let all = cases::each(&USUAL, run);
    if all.is_empty() {
        return;
    }
    println!("average effect of hoisting over {} inputs (the papers' over 32):", all.len());
    println!("{:<14}{:>36}{:>36}", "", "size", "tests");
    let columns = format!("{:>12}{:>12}{:>12}", "before", "interlaced", "both");
    println!("{:<14}{}", "", columns.repeat(2));
    for (row, variants) in VARIANTS.iter().enumerate() {
        let effect = |measure: fn(&Result) -> u64| -> String {
            let column = |column: usize| {
                let ratio = |results: &Vec<Result>| {
                    let (base, this) = (&results[4 * row], &results[4 * row + column]);
                    measure(this) as f64 / measure(base) as f64
                };
                let mean = all.iter().map(ratio).sum::<f64>() / all.len() as f64;
                format!("{:>+10.1} %", 100.0 * (mean - 1.0))
            };
            (1..4).map(column).collect()
        };
        let (size, tests) = (effect(|result| result.characters), effect(|result| result.tests));
        println!("{:<14}{size}{tests}", variants[0]);
    }
}

/// Reduces an input by all variants, and prints the results.
fn run(case: &Case, dir: &Path) -> std::result::Result<Vec<Result>, String> {
    let strategies = VARIANTS.concat();
    let compared = case.compare(dir, &strategies)?;
    let results: Vec<Result> = compared
        .iter()
        .map(|event| Result {
            characters: number(&event["size"]["characters"]),
            tests: number(&event["tests"]),
        })
        .collect();
    let original = number(&compared[0]["original"]["characters"]);
    println!("{}: {original} characters that are not white space", case.name);
    for (index, (strategy, result)) in strategies.iter().zip(&results).enumerate() {
        let base = &results[index - index % 4];
        let change = |this: u64, base: u64| match index % 4 {
            0 => String::new(),
            _ => format!("({:+.1} %)", 100.0 * (this as f64 / base as f64 - 1.0)),
        };
        println!(
            "  {strategy:<30}{:>7} {:<11}{:>7} tests {}",
            result.characters,
            change(result.characters, base.characters),
            result.tests,
            change(result.tests, base.tests)
        );
    }
    println!();
    Ok(results)
}
