//! Priority-driven reduction: the experiment of G. Gharachorlu and N. Sumner (2019), with other inputs.
//!
//! `cargo bench --bench priorities` prints, for an example and for programs by Csmith, the size, the number of queries,
//! the time and the speed of each of the six algorithms of their Tables 1 and 2, and of Perses with replacement; how
//! often a token is part of a removal attempt (their Section 4.2); the share of the nullable nodes that is redundant
//! (their Section 3.2); and the cost of a candidate outside of the oracle, in a program of 150,000 tokens. Arguments
//! choose cases by name.
//!
//! The paper's tools have no cache, so its queries are our tests and cache hits together.
//!
//! Needs gcc and csmith with its headers (`apt install csmith libcsmith-dev`). Cases whose tools are missing are
//! reported and skipped.

mod cases;

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use cases::{Case, number};
use lop::reducers::{Filter, MODEL, REDUCERS, Shape};
use lop::search::Inline;
use lop::tree::{Format, Role, Tree, View, ViewId, Views};
use lop::{Candidate, Reduction, Size, Text};
use regex::bytes::{Regex, RegexSet};
use serde_json::Value;

/// The columns of Table 1, and Perses DD with replacement.
const VARIANTS: [&str; 7] = [
    "perses*",
    "perses-opdd*",
    "perses-n*",
    "pardis-unpruned*",
    "pardis*",
    "pardis-hybrid*",
    "perses-replace*",
];

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
    /// Tokens removed per second.
    speed: f64,
    /// How often each token of the original was part of a removal attempt, in ascending order.
    attempts: Vec<u32>,
}

impl Result {
    /// Removal attempts per token, on average.
    fn attempts(&self) -> f64 {
        self.attempts.iter().map(|attempts| f64::from(*attempts)).sum::<f64>()
            / self.attempts.len() as f64
    }
}

/// The result of a variant.
fn of<'r>(results: &'r [Result], variant: &str) -> &'r Result {
    let index = VARIANTS.iter().position(|each| *each == variant);
    &results[index.expect("it is one of the variants")]
}

fn main() {
    let mut redundant = Redundant::default();
    let all = cases::each(&USUAL, |case, dir| {
        let text = Arc::new(fs::read(dir.join(case.file)).map_err(|error| error.to_string())?);
        redundant.add(&text);
        run(case, dir, &text)
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
fn run(case: &Case, dir: &Path, text: &Text) -> std::result::Result<Vec<Result>, String> {
    let compared = case.compare(dir, &VARIANTS)?;
    let mut known = HashMap::new();
    let mut is_interesting = |candidate: &Candidate| {
        *known.entry(candidate.key()).or_insert_with(|| case.test(dir, candidate.text()))
    };
    let original = number(&compared[0]["original"]["tokens"]);
    println!("{}: {original} tokens", case.name);
    println!(
        "  {:<18}{:>11}{:>9}{:>9}{:>8}{:>9}{:>9}{:>9}{:>10}{:>10}{:>8}",
        "",
        "tokens left",
        "queries",
        "",
        "tests",
        "",
        "seconds",
        "",
        "tokens/s",
        "attempts",
        "median"
    );
    let result = |(strategy, event): (&&str, &Value)| {
        let tokens = number(&event["size"]["tokens"]);
        let tests = number(&event["tests"]);
        let seconds = event["seconds"].as_f64().expect("a time is a number");
        Result {
            tokens,
            tests,
            queries: tests + number(&event["hits"]),
            seconds,
            speed: (original - tokens) as f64 / seconds,
            attempts: attempts(strategy, text, &mut is_interesting),
        }
    };
    let results: Vec<Result> = VARIANTS.iter().zip(&compared).map(result).collect();
    let perses = of(&results, "perses*");
    for (strategy, result) in VARIANTS.iter().zip(&results) {
        let Result { tokens, tests, queries, seconds, speed, .. } = result;
        println!(
            "  {strategy:<18}{tokens:>11}{queries:>9}{:>9}{tests:>8}{:>9}{seconds:>9.1}{:>9}{speed:>10.0}{:>10.2}{:>8}",
            change(*queries as f64, perses.queries as f64),
            change(*tests as f64, perses.tests as f64),
            change(*seconds, perses.seconds),
            result.attempts(),
            result.attempts[result.attempts.len() / 2],
        );
    }
    println!();
    Ok(results)
}

fn change(this: f64, base: f64) -> String {
    format!("{:+.0} %", 100.0 * (this / base - 1.0))
}

/// How often a variant makes each token part of a removal attempt, in ascending order. As in the paper there is no
/// cache, so an attempt that is repeated counts again.
fn attempts(
    strategy: &str,
    text: &Text,
    is_interesting: &mut dyn FnMut(&Candidate) -> bool,
) -> Vec<u32> {
    let name = strategy.trim_end_matches('*');
    let reducer =
        REDUCERS.iter().find(|each| each.name == name).expect("the variants are reducers");
    let format = Format::named("c").expect("C is part of every build");
    let mut tree = Tree::parse(text, &format);
    // Where each token that is left begins, and its number.
    let mut tokens: Vec<(usize, usize)> = tree
        .pieces()
        .filter(|(leaf, _)| leaf.is_some())
        .enumerate()
        .map(|(number, (_, range))| (range.start, number))
        .collect();
    let mut attempts = vec![0; tokens.len()];
    loop {
        let view = View::new(&tree, reducer.views);
        let mut is_gone = vec![false; tokens.len()];
        let mut best = Candidate::whole(tree.text());
        let mut search = Inline(|shape: &Shape| {
            let candidate = tree.candidate(&shape.changes(&view));
            let mut would_be_gone = vec![false; tokens.len()];
            for edit in candidate.edits() {
                let index = |at: usize| tokens.partition_point(|(start, _)| *start < at);
                would_be_gone[index(edit.range.start)..index(edit.range.end)].fill(true);
            }
            for (index, (_, number)) in tokens.iter().enumerate() {
                attempts[*number] += u32::from(would_be_gone[index] && !is_gone[index]);
            }
            let is_interesting = is_interesting(&candidate);
            if is_interesting {
                (is_gone, best) = (would_be_gone, candidate);
            }
            is_interesting
        });
        reducer.run(&view, reducer.compatible().unwrap_or(&MODEL), &mut search);
        if best.edits().is_empty() {
            break;
        }
        let moved = |start: usize| {
            let before = best.edits().iter().take_while(|edit| edit.range.end <= start);
            before.fold(start, |start, edit| start + edit.with.len() - edit.range.len())
        };
        let left = tokens.iter().zip(&is_gone).filter(|(_, is_gone)| !**is_gone);
        tokens = left.map(|((start, number), _)| (moved(*start), *number)).collect();
        tree = Tree::parse(best.text(), &format);
    }
    attempts.sort_unstable();
    attempts
}

/// Compares the better of Pardis and Pardis Hybrid with Perses DD, and what the paper says of two other pairs.
fn summary(all: &[Vec<Result>]) {
    let line = |name: &str, paper: &str, ratio: &dyn Fn(&[Result]) -> f64| {
        let mut effects: Vec<f64> = all.iter().map(|results| ratio(results) - 1.0).collect();
        effects.sort_by(f64::total_cmp);
        println!(
            "  {name:<9}{:+.0} % to {:+.0} %, median {:+.0} % (the paper: {paper})",
            100.0 * effects[0],
            100.0 * effects[effects.len() - 1],
            100.0 * median(&effects)
        );
    };
    println!(
        "the better of pardis* and pardis-hybrid*, compared with perses*, over {} inputs:",
        all.len()
    );
    let better = |measure: fn(&Result) -> f64| {
        move |results: &[Result]| {
            let pardis = measure(of(results, "pardis*"));
            pardis.min(measure(of(results, "pardis-hybrid*"))) / measure(of(results, "perses*"))
        }
    };
    line("queries", "-80 % to -46 %", &better(|result| result.queries as f64));
    line("tests", "without a cache, the same", &better(|result| result.tests as f64));
    line("seconds", "-87 % to -23 %", &better(|result| result.seconds));
    let mean = |variant: &str| {
        all.iter().map(|results| of(results, variant).tokens as f64).sum::<f64>() / all.len() as f64
    };
    println!(
        "  tokens left on average: perses* {:.0}, pardis* {:.0}, pardis-hybrid* {:.0} (the paper: 609 and 574)\n",
        mean("perses*"),
        mean("pardis*"),
        mean("pardis-hybrid*")
    );
    println!("perses-replace*, compared with perses*:");
    let replace = |measure: fn(&Result) -> f64| {
        move |results: &[Result]| {
            measure(of(results, "perses-replace*")) / measure(of(results, "perses*"))
        }
    };
    line("queries", "over +200 %, for 3 inputs", &replace(|result| result.queries as f64));
    line("tokens", "0 % or slightly less", &replace(|result| result.tokens as f64));
    println!("\nperses-n*, compared with pardis-unpruned*, which differs in the order only:");
    line("attempts", "more, for 1 input", &|results| {
        of(results, "perses-n*").attempts() / of(results, "pardis-unpruned*").attempts()
    });
    println!("  pairs of tokens with more attempts, minus those with fewer:");
    line("", "more, with p < 2.2e-16", &|results| {
        1.0 + rank_sum(
            &of(results, "perses-n*").attempts,
            &of(results, "pardis-unpruned*").attempts,
        )
    });
    println!();
}

/// The median of numbers in ascending order.
fn median(numbers: &[f64]) -> f64 {
    let middle = numbers.len() / 2;
    match numbers.len() % 2 {
        0 => (numbers[middle - 1] + numbers[middle]) / 2.0,
        _ => numbers[middle],
    }
}

/// The statistic of the rank-sum test: the share of pairs in which the first is larger, minus the share in which it is
/// smaller. Both are in ascending order.
fn rank_sum(these: &[u32], those: &[u32]) -> f64 {
    let balance = |this: &u32| {
        let smaller = those.partition_point(|that| that < this);
        let larger = those.len() - those.partition_point(|that| that <= this);
        smaller as f64 - larger as f64
    };
    these.iter().map(balance).sum::<f64>() / these.len() as f64 / those.len() as f64
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
