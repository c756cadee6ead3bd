//! The effect of hoisting on the variants of hierarchical delta debugging: the experiment of D. Vince
//! et al. (2022), with other inputs.
//!
//! `cargo bench --bench hoisting` prints, for the papers' two examples and for programs by Csmith, the size and the
//! number of tests of each of the 16 variants of their Table 1, those with hoisting for both meanings of *the same
//! non-terminal* (`hoist:label`, `hoist:kind`), and at the end the average effect of hoisting, as in their Table 2. It
//! takes more than an hour on two cores. Arguments choose cases by name: `cargo bench --bench hoisting -- hello pi`.
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
/// In "Coarse Hoist* + HDD*", the second part is coarse, and hoisting isn't: it takes as many tests there as in Hoist* + HDD*
/// (for jerry-3433, 58 - 18 in Table A2 and 55 - 15 in Table A4), and the results are larger.
const VARIANTS: [[&str; 4]; 4] = [
    ["hdd*", "hoist*+hdd*", "hddh*", "hoist*+hddh*"],
    ["hddr*", "hoistr*+hddr*", "hddhr*", "hoistr*+hddhr*"],
    ["coarse-hdd*", "hoist*+coarse-hdd*", "coarse-hddh*", "hoist*+coarse-hddh*"],
    ["coarse-hddr*", "hoistr*+coarse-hddr*", "coarse-hddhr*", "hoistr*+coarse-hddhr*"],
];

/// The meanings of *compatible* that are compared.
const MEANINGS: [&str; 2] = ["label", "kind"];

/// The strategies of a row: without hoisting, and then those with hoisting for each meaning.
const IN_A_ROW: usize = 1 + 3 * MEANINGS.len();

/// Table 2: the effect of hoisting before, interlaced, and both, in per cent; first on the size, then on the tests.
const PAPER: [[f64; 6]; 4] = [
    [-26.96, -27.67, -28.51, 45.54, -5.28, 49.59],
    [-29.36, -31.35, -32.37, 33.22, -12.78, 34.55],
    [-37.62, 0.13, -37.63, 134.15, 0.13, 134.13],
    [-36.77, 0.62, -36.07, 64.55, -0.02, 73.60],
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
    println!("average effect of hoisting over {} inputs (the paper's over 32):", all.len());
    println!("{:<23}{:>36}{:>36}", "", "size", "tests");
    let columns = format!("{:>12}{:>12}{:>12}", "before", "interlaced", "both");
    println!("{:<23}{}", "", columns.repeat(2));
    let print = |name: &str, effects: &[f64]| {
        let effects: String = effects.iter().map(|effect| format!("{effect:>+10.1} %")).collect();
        println!("  {name:<21}{effects}");
    };
    for (row, variants) in VARIANTS.iter().enumerate() {
        println!("{}", variants[0]);
        for (index, meaning) in MEANINGS.iter().enumerate() {
            let effect = |column: usize, measure: fn(&Result) -> u64| {
                let ratio = |results: &Vec<Result>| {
                    let results = &results[IN_A_ROW * row..];
                    measure(&results[3 * index + column]) as f64 / measure(&results[0]) as f64
                };
                100.0 * (all.iter().map(ratio).sum::<f64>() / all.len() as f64 - 1.0)
            };
            let sizes = (1..4).map(|column| effect(column, |result| result.characters));
            let tests = (1..4).map(|column| effect(column, |result| result.tests));
            print(meaning, &sizes.chain(tests).collect::<Vec<f64>>());
        }
        print("the paper", &PAPER[row]);
    }
}

/// The strategies of all rows.
fn strategies() -> Vec<String> {
    let mut strategies = Vec::new();
    for [base, hoisting @ ..] in VARIANTS {
        strategies.push(base.to_owned());
        for meaning in MEANINGS {
            strategies.extend(hoisting.map(|strategy| with(meaning, strategy)));
        }
    }
    strategies
}

/// A strategy whose reducers hoist with this meaning of *compatible*.
fn with(meaning: &str, strategy: &str) -> String {
    let part = |part: &str| match part.contains("hoist") || part.contains("hddh") {
        true => part.replace('*', &format!(":{meaning}*")),
        false => part.to_owned(),
    };
    strategy.split('+').map(part).collect::<Vec<_>>().join("+")
}

/// Reduces an input by all variants, and prints the results.
fn run(case: &Case, dir: &Path) -> std::result::Result<Vec<Result>, String> {
    let strategies = strategies();
    let strategies: Vec<&str> = strategies.iter().map(String::as_str).collect();
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
        let base = &results[index - index % IN_A_ROW];
        let change = |this: u64, base: u64| match index % IN_A_ROW {
            0 => String::new(),
            _ => format!("({:+.1} %)", 100.0 * (this as f64 / base as f64 - 1.0)),
        };
        println!(
            "  {strategy:<42}{:>7} {:<11}{:>7} tests {}",
            result.characters,
            change(result.characters, base.characters),
            result.tests,
            change(result.tests, base.tests)
        );
    }
    println!();
    Ok(results)
}
