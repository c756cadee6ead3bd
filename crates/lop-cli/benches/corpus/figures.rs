//! The figures of one format, and how they are printed.

use std::collections::BTreeMap;
use std::sync::Arc;

use lop::Size;
use lop::tree::{Format, Tree};

/// What a strategy leaves of an input, and what that costs.
#[derive(Clone, Copy, Default)]
pub(crate) struct Outcome {
    pub(crate) nodes: u64,
    pub(crate) bytes: u64,
    pub(crate) tokens: u64,
    pub(crate) tests: u64,
    pub(crate) seconds: f64,
    pub(crate) in_oracle: f64,
}

/// The outcomes of all strategies on one input.
struct Row {
    is_held_out: bool,
    original: Outcome,
    outcomes: BTreeMap<String, Outcome>,
}

/// The outcomes on all inputs.
#[derive(Default)]
pub(crate) struct Figures {
    rows: Vec<Row>,
}

type Measure = fn(&Outcome) -> u64;

const MEASURES: [(&str, Measure); 3] = [
    ("nodes", |outcome| outcome.nodes),
    ("bytes", |outcome| outcome.bytes),
    ("tests", |outcome| outcome.tests),
];

impl Outcome {
    /// The size of a text.
    pub(crate) fn of_text(format: &Format, text: &[u8]) -> Outcome {
        let plain = format.unpack(text).unwrap_or_else(|| text.to_vec());
        Outcome {
            nodes: Tree::parse(&Arc::new(plain), format).abstract_size() as u64,
            bytes: text.len() as u64,
            tokens: Size::of(text).tokens as u64,
            ..Outcome::default()
        }
    }
}

impl Figures {
    /// Adds an input, and prints a line about it.
    pub(crate) fn add(
        &mut self,
        name: &str,
        is_held_out: bool,
        original: Outcome,
        outcomes: BTreeMap<String, Outcome>,
    ) {
        let mark = if is_held_out { ", held out" } else { "" };
        println!("  {name}{mark}: {} nodes, {} bytes", original.nodes, original.bytes);
        for (strategy, outcome) in &outcomes {
            let Outcome { nodes, bytes, tests, seconds, .. } = outcome;
            println!(
                "    {strategy:<20}{nodes:>7} nodes{bytes:>8} bytes{tests:>7} tests{seconds:>8.1} s"
            );
        }
        self.rows.push(Row { is_held_out, original, outcomes });
    }

    /// Prints the figures of all inputs, and of those that were held out.
    pub(crate) fn print(&self, format: &str) {
        if self.rows.is_empty() {
            return;
        }
        let held_out: Vec<&Row> = self.rows.iter().filter(|row| row.is_held_out).collect();
        let seen: Vec<&Row> = self.rows.iter().filter(|row| !row.is_held_out).collect();
        for (title, rows) in [("seen", seen), ("held out", held_out)] {
            if !rows.is_empty() {
                println!("\n{format}, {} inputs, {title}:", rows.len());
                distributions(&rows);
                expectations(&rows);
                defaults(&rows);
            }
        }
        println!();
    }
}

/// Prints minimum, quartiles and maximum of each measure, as Table II and Figures 3 and 4 do.
fn distributions(rows: &[&Row]) {
    println!("  {:<20}{:>8}{:>8}{:>8}{:>8}{:>8}", "", "min", "q1", "median", "q3", "max");
    for (name, measure) in MEASURES {
        println!("  {name}");
        if name != "tests" {
            print_line("original", rows.iter().map(|row| measure(&row.original)).collect());
        }
        for (strategy, _) in super::STRATEGIES {
            let values = rows.iter().map(|row| measure(&row.outcomes[strategy]));
            print_line(strategy, values.collect());
        }
    }
    let all = || rows.iter().flat_map(|row| row.outcomes.values());
    let (in_oracle, seconds) =
        (all().map(|it| it.in_oracle).sum::<f64>(), all().map(|it| it.seconds).sum::<f64>());
    println!(
        "  in the oracle: {:.0} % of {seconds:.0} s (the paper: 98 %)",
        100.0 * in_oracle / seconds
    );
}

fn print_line(name: &str, mut values: Vec<u64>) {
    values.sort_unstable();
    let at = |quarter: usize| quantile(&values, quarter);
    println!("    {name:<18}{:>8}{:>8}{:>8}{:>8}{:>8}", at(0), at(1), at(2), at(3), at(4));
}

/// A quartile of sorted values: of two in the middle, their mean.
fn quantile(values: &[u64], quarter: usize) -> u64 {
    let twice = 2 * quarter * (values.len() - 1) / 4;
    (values[twice / 2] + values[twice.div_ceil(2)]) / 2
}

/// Prints what the paper leads to expect, and what was found.
fn expectations(rows: &[&Row]) {
    let median = |strategy: &str, measure: Measure| {
        let mut values: Vec<u64> =
            rows.iter().map(|row| measure(&row.outcomes[strategy])).collect();
        values.sort_unstable();
        quantile(&values, 2)
    };
    let nodes: Measure = |outcome| outcome.nodes;
    let tests: Measure = |outcome| outcome.tests;
    println!(
        "  expected: gtr* leaves no more nodes than hdd-blind*; medians {} and {}; geometric mean {}",
        median("gtr*", nodes),
        median("hdd-blind*", nodes),
        change(rows, "hdd-blind*", "gtr*", nodes)
    );
    println!(
        "  expected: the filter halves the tests (the paper: 423 to 205, 30 to 16, 611 to 239): gtr {} to {}, {}; gtr* {} to {}, {}",
        median("gtr-unfiltered", tests),
        median("gtr", tests),
        change(rows, "gtr-unfiltered", "gtr", tests),
        median("gtr-unfiltered*", tests),
        median("gtr*", tests),
        change(rows, "gtr-unfiltered*", "gtr*", tests),
    );
    println!(
        "  expected: at most 5 % more nodes with the filter: gtr {}, gtr* {}",
        change(rows, "gtr-unfiltered", "gtr", nodes),
        change(rows, "gtr-unfiltered*", "gtr*", nodes),
    );
}

/// Prints the default strategy with the model, against without.
fn defaults(rows: &[&Row]) {
    println!(
        "  the default strategy with the model, against without: sums, and geometric mean of the ratios"
    );
    let tokens: (&str, Measure) = ("tokens", |outcome| outcome.tokens);
    for (name, measure) in [tokens, MEASURES[0], MEASURES[2]] {
        let sum =
            |strategy: &str| rows.iter().map(|row| measure(&row.outcomes[strategy])).sum::<u64>();
        let (without, with) = ("default", "default with model");
        println!(
            "    {name:<10}{:>9} to {:>7}, {}",
            sum(without),
            sum(with),
            change(rows, without, with, measure)
        );
    }
}

/// The geometric mean of the ratios of two strategies, as a change in percent.
fn change(rows: &[&Row], from: &str, to: &str, measure: Measure) -> String {
    let value = |row: &Row, strategy: &str| measure(&row.outcomes[strategy]).max(1) as f64;
    let logarithms = rows.iter().map(|row| (value(row, to) / value(row, from)).ln());
    let mean = (logarithms.sum::<f64>() / rows.len() as f64).exp();
    format!("{:+.0} %", 100.0 * (mean - 1.0))
}
