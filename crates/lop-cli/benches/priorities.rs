//! Priority-driven reduction: the experiment of G. Gharachorlu and N. Sumner (2019), with other inputs.
//!
//! `cargo bench --bench priorities` prints, for an example and for programs by Csmith, the size, the number of queries
//! and the time of each of the six algorithms of their Table 1; the share of the nullable nodes that is redundant
//! (their Section 3.2); and the cost of a candidate outside of the oracle, in a program of 150,000 tokens. Arguments
//! choose cases by name.
//!
//! The paper's tools have no cache, so its queries are our tests and cache hits together.
//!
//! Needs gcc and csmith with its headers (`apt install csmith libcsmith-dev`). Cases whose tools are missing are
//! reported and skipped.

mod cases;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use cases::{Case, number};
use lop::reducers::Filter;
use lop::tree::{Format, Role, Tree, View, ViewId, Views};
use lop::{Reduction, Size};
use regex::bytes::{Regex, RegexSet};

/// The columns of Table 1.
const VARIANTS: [&str; 6] =
    ["perses*", "perses-opdd*", "perses-n*", "pardis-unpruned*", "pardis*", "pardis-hybrid*"];

/// The inputs: those of the hoisting bench that are in C, and larger ones.
const USUAL: [&str; 9] = [
    "hello",
    "csmith-30",
    "csmith-37",
    "csmith-38",
    "csmith-28",
    "csmith-1",
    "large-1",
    "large-16",
    "large-26",
];

/// The result of a variant on a case.
struct Result {
    tokens: u64,
    tests: u64,
    queries: u64,
    seconds: f64,
}

fn main() {
    let mut redundant = Redundant::default();
    let all = cases::each(&USUAL, |case, dir| {
        redundant.add(&fs::read(dir.join(case.file)).map_err(|error| error.to_string())?);
        run(case, dir)
    });
    if !all.is_empty() {
        summary(&all);
        redundant.print();
    }
    match cost() {
        Ok(()) => {}
        Err(why) => println!("cost of a candidate: skipped: {why}"),
    }
}

/// Reduces an input by all variants, and prints the results.
fn run(case: &Case, dir: &Path) -> std::result::Result<Vec<Result>, String> {
    let compared = case.compare(dir, &VARIANTS)?;
    println!("{}: {} tokens", case.name, number(&compared[0]["original"]["tokens"]));
    let head = ["tokens left", "queries", "", "tests", "", "seconds", ""];
    println!(
        "  {:<18}{:>11}{:>9}{:>9}{:>8}{:>9}{:>9}{:>9}",
        "", head[0], head[1], "", head[3], "", head[5], ""
    );
    let results: Vec<Result> = compared
        .iter()
        .map(|event| Result {
            tokens: number(&event["size"]["tokens"]),
            tests: number(&event["tests"]),
            queries: number(&event["tests"]) + number(&event["hits"]),
            seconds: event["seconds"].as_f64().expect("a time is a number"),
        })
        .collect();
    for (strategy, result) in VARIANTS.iter().zip(&results) {
        let Result { tokens, tests, queries, seconds } = result;
        println!(
            "  {strategy:<18}{tokens:>11}{queries:>9}{:>9}{tests:>8}{:>9}{seconds:>9.1}{:>9}",
            change(*queries as f64, results[0].queries as f64),
            change(*tests as f64, results[0].tests as f64),
            change(*seconds, results[0].seconds),
        );
    }
    println!();
    Ok(results)
}

fn change(this: f64, base: f64) -> String {
    format!("{:+.0} %", 100.0 * (this / base - 1.0))
}

/// Compares the better of Pardis and Pardis Hybrid with Perses DD.
fn summary(all: &[Vec<Result>]) {
    println!(
        "the better of pardis* and pardis-hybrid*, compared with perses*, over {} inputs:",
        all.len()
    );
    let line = |name: &str, paper: &str, measure: fn(&Result) -> f64| {
        let effect = |results: &Vec<Result>| {
            measure(&results[4]).min(measure(&results[5])) / measure(&results[0]) - 1.0
        };
        let mut effects: Vec<f64> = all.iter().map(effect).collect();
        effects.sort_by(f64::total_cmp);
        println!(
            "  {name:<9}{:+.0} % to {:+.0} %, median {:+.0} % (the paper: {paper})",
            100.0 * effects[0],
            100.0 * effects[effects.len() - 1],
            100.0 * effects[effects.len() / 2]
        );
    };
    line("queries", "-80 % to -46 %", |result| result.queries as f64);
    line("tests", "without a cache, the same", |result| result.tests as f64);
    line("seconds", "-87 % to -23 %", |result| result.seconds);
    let mean = |index: usize| {
        all.iter().map(|results| results[index].tokens as f64).sum::<f64>() / all.len() as f64
    };
    println!(
        "  tokens left on average: perses* {:.0}, pardis* {:.0}, pardis-hybrid* {:.0} (the paper: 609 and 574)\n",
        mean(0),
        mean(4),
        mean(5)
    );
}

/// The number of nullable nodes, and of those that nullability pruning finds redundant.
#[derive(Default)]
struct Redundant {
    nullable: usize,
    optional: usize,
    elements: usize,
}

impl Redundant {
    fn add(&mut self, text: &[u8]) {
        let tree = Tree::parse(
            &Arc::new(text.to_vec()),
            &Format::named("c").expect("C is part of every build"),
        );
        let view = View::new(&tree, Views::NORMAL_FORM);
        let (nullable, highest) =
            (Filter::Nullable.tags(&view), Filter::HighestNullable.tags(&view));
        let is_optional = |node: ViewId| {
            let above = view.parent(node).map(|parent| view.role(parent));
            view.role(node) == Role::Optional || above == Some(Role::Optional)
        };
        for node in view.ids().filter(|node| nullable[node.index()]) {
            self.nullable += 1;
            match (highest[node.index()], is_optional(node)) {
                (true, _) => {}
                (false, true) => self.optional += 1,
                (false, false) => self.elements += 1,
            }
        }
    }

    fn print(&self) {
        let percent = |part: usize| 100.0 * part as f64 / self.nullable as f64;
        println!(
            "of {} nullable nodes, {:.0} % are redundant optional nodes and {:.0} % redundant elements of lists \
             (the paper: of 1,593,875, 17 % and 44 %)\n",
            self.nullable,
            percent(self.optional),
            percent(self.elements)
        );
    }
}

/// Prints the cost of a candidate outside of the oracle, which runs in this process and searches for some words.
fn cost() -> std::result::Result<(), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let input = dir.path().join("prog.c");
    let mut text = Vec::new();
    for seed in 1.. {
        cases::csmith(seed, "--max-funcs 10", &input)?;
        text.extend(fs::read(&input).map_err(|error| error.to_string())?);
        if Size::of(&text).tokens >= 150_000 {
            break;
        }
    }
    let text = Arc::new(text);
    let started = Instant::now();
    let tree = Tree::parse(&text, &Format::named("c").expect("C is part of every build"));
    let view = View::new(&tree, Views::NORMAL_FORM);
    Filter::HighestNullable.tags(&view);
    println!(
        "{} tokens: parsed and filtered in {:.2} s; then, with an oracle in the same process and one worker:",
        Size::of(&text).tokens,
        started.elapsed().as_secs_f64()
    );
    let words = Regex::new(r"\b[gl]_\d+\b").expect("a pattern");
    let names = words.find_iter(&text).map(|name| String::from_utf8_lossy(name.as_bytes()));
    let names: BTreeSet<String> = names.map(|name| name.into_owned()).collect();
    for strategy in VARIANTS {
        // Every tenth name is needed.
        let needed = names.iter().step_by(10).map(|name| format!(r"\b{name}\b"));
        let needed = RegexSet::new(needed).expect("names are patterns");
        let first = Arc::new(OnceLock::new());
        let in_oracle = Arc::new(AtomicU64::new(0));
        let (asked, spent) = (first.clone(), in_oracle.clone());
        let oracle = move |candidate: &[u8]| {
            let started = Instant::now();
            asked.get_or_init(|| started);
            let interesting = needed.matches(candidate).iter().count() == needed.len();
            spent.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
            interesting
        };
        let mut reduction = Reduction::new(text.clone(), &oracle);
        reduction.format = Format::named("c").expect("C is part of every build");
        reduction.strategy =
            strategy.trim_end_matches('*').parse().expect("the variants are strategies");
        let report = reduction.run().map_err(|error| error.to_string())?;
        let in_oracle = Duration::from_nanos(in_oracle.load(Ordering::Relaxed));
        let since_first = first.get().expect("the oracle is called").elapsed();
        println!(
            "  {:<18}{:>7} tests, {:>6} tokens left, {:.3} ms per candidate outside of the oracle (goal: under 1)",
            strategy.trim_end_matches('*'),
            report.counts.tests,
            report.best.size.tokens,
            1000.0 * since_first.saturating_sub(in_oracle).as_secs_f64()
                / report.counts.tests as f64
        );
    }
    Ok(())
}
