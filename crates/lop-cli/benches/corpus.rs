//! Generalised tree reduction with a learned model: the experiment of S. Herfert, J. Patra and M. Pradel (2017), with
//! other inputs.
//!
//! `cargo bench --bench corpus -- --setup` installs the tools, packages of pip and npm, to `target/corpus`. `cargo bench
//! --bench corpus` then takes inputs and a corpus from these packages, learns a model, and prints what the strategies of the
//! paper's Table II and Figures 3 and 4 leave, with the number of tests; and the default strategy with the model and
//! without. Arguments choose formats, or kinds of properties; `--show` prints the results, `--seed=N` chooses other inputs.
//!
//! A third of the inputs is held out and reported apart. Whoever changes lop because of what `--show` prints of them takes another seed
//! for the figures: they are then inputs that nobody has seen.
//!
//! Needs Python, Node and npm. The properties are in the scripts in `benches/corpus`, which judge one candidate after
//! the other in one process. A format whose tools are missing is reported and skipped.

#[path = "corpus/figures.rs"]
mod figures;
#[path = "corpus/judge.rs"]
mod judge;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs};

use figures::{Figures, Outcome};
use judge::Judge;
use lop::Reduction;
use lop::tree::{Corpus, Format, Tree, Usage};
use serde_json::Value;

/// The formats, with the scripts that know their inputs, and the numbers of inputs.
const FORMATS: [(&str, &str, usize); 4] = [
    ("python", "programs.py", 12),
    ("javascript", "scripts.js", 12),
    ("pdf", "documents.py", 12),
    ("xml", "markup.py", 6),
];

/// The strategies of the paper, and whether they ask the model.
const STRATEGIES: [(&str, bool); 6] = [
    ("ddmin:lines", false),
    ("hdd-blind*", false),
    ("gtr-unfiltered", false),
    ("gtr-unfiltered*", false),
    ("gtr", true),
    ("gtr*", true),
];

/// The seed by which inputs are chosen without `--seed`.
const SEED: &str = "2017";

/// One input with its property.
struct Input {
    kind: String,
    file: PathBuf,
    property: String,
}

fn main() {
    let is_option = |word: &String| {
        ["--bench", "--show"].contains(&word.as_str()) || word.starts_with("--seed=")
    };
    let words: Vec<String> = env::args().skip(1).filter(|word| !is_option(word)).collect();
    if words.iter().any(|word| word == "--setup") {
        let script = directory().join("../../../../scripts/corpus-setup");
        let status = Command::new(script).status().expect("the script can be started");
        assert!(status.success(), "the tools were not installed");
        return;
    }
    let formats = FORMATS.map(|format| format.0);
    let is_wanted = |name: &str, among: &dyn Fn(&str) -> bool| {
        words.iter().any(|word| word == name) || !words.iter().any(|word| among(word))
    };
    let is_format = |word: &str| formats.contains(&word);
    for (name, script, count) in FORMATS {
        if !is_wanted(name, &is_format) {
            continue;
        }
        let is_kind = |kind: &str| is_wanted(kind, &|word| !is_format(word));
        if let Err(why) = experiment(name, script, count, is_kind) {
            println!("{name}: skipped: {why}\n");
        }
    }
}

/// The directory of this bench.
fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/corpus")
}

fn experiment(
    name: &str,
    script: &'static str,
    count: usize,
    is_kind: impl Fn(&str) -> bool,
) -> Result<(), String> {
    let format =
        Format::named(name).ok_or_else(|| format!("this build of lop has no parser of {name}"))?;
    let (inputs, corpus) = list(script, count)?;
    let started = Instant::now();
    let usage = Arc::new(learn(&format, &corpus));
    println!(
        "{name}: learned from {} files in {:.1} s",
        usage.files(),
        started.elapsed().as_secs_f64()
    );
    let mut figures = Figures::default();
    // Every third input, so that each kind of property may be among them.
    for (index, input) in inputs.iter().enumerate().filter(|(_, input)| is_kind(&input.kind)) {
        let original = Arc::new(fs::read(&input.file).map_err(|error| error.to_string())?);
        let file = input.file.file_name().unwrap_or_default().display();
        let judge = Judge::new(script, &input.file, &input.property);
        if !judge.accepts(&original) {
            println!("  {file} ({}): skipped: the property does not hold", input.kind);
            continue;
        }
        let mut outcomes = BTreeMap::new();
        for (strategy, asks) in STRATEGIES {
            let usage = asks.then_some(&usage);
            outcomes
                .insert(strategy.to_owned(), reduce(&format, usage, strategy, &original, &judge)?);
        }
        for (name, usage) in [("default", None), ("default with model", Some(&usage))] {
            outcomes.insert(name.to_owned(), reduce(&format, usage, "", &original, &judge)?);
        }
        let original = Outcome::of_text(&format, &original);
        figures.add(&format!("{file} ({})", input.kind), index % 3 == 2, original, outcomes);
    }
    figures.print(name);
    Ok(())
}

/// The inputs and the files to learn from.
fn list(script: &str, count: usize) -> Result<(Vec<Input>, Vec<PathBuf>), String> {
    let seed = env::args().find_map(|word| word.strip_prefix("--seed=").map(str::to_owned));
    let seed = seed.unwrap_or_else(|| SEED.to_owned());
    let output = judge::command(script)?
        .args(["list", &seed, &count.to_string()])
        .output()
        .map_err(|error| format!("cannot run {script}: {error}"))?;
    let listed: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        format!("{script} failed: {}", errors.lines().last().unwrap_or("no message"))
    })?;
    let text = |value: &Value| value.as_str().expect("it is a text").to_owned();
    let array = |key: &str| listed[key].as_array().expect("it is an array");
    let input = |input: &Value| Input {
        kind: text(&input["kind"]),
        file: text(&input["file"]).into(),
        property: input["property"].to_string(),
    };
    let inputs = array("inputs").iter().map(input).collect();
    Ok((inputs, array("corpus").iter().map(|file| text(file).into()).collect()))
}

fn learn(format: &Format, corpus: &[PathBuf]) -> Usage {
    let mut usage = Usage::default();
    for text in corpus.iter().filter_map(|file| fs::read(file).ok()) {
        let text = format.unpack(&text).unwrap_or(text);
        usage.learn(&Tree::parse(&Arc::new(text), format));
    }
    usage
}

/// Reduces an input by a strategy; an empty one is the default.
fn reduce(
    format: &Format,
    usage: Option<&Arc<Usage>>,
    strategy: &str,
    original: &Arc<Vec<u8>>,
    judge: &Judge,
) -> Result<Outcome, String> {
    let in_oracle = AtomicU64::new(0);
    let oracle = |candidate: &[u8]| {
        let started = Instant::now();
        let answer = judge.accepts(candidate);
        in_oracle.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
        answer
    };
    let mut reduction = Reduction::new(original.clone(), &oracle);
    reduction.format = format.clone();
    if let Some(usage) = usage {
        reduction.format = format.clone().with_usage(usage.clone());
        let mut corpus = Corpus::default();
        corpus.add(usage);
        reduction.lore.corpus = corpus;
    }
    if !strategy.is_empty() {
        reduction.strategy = strategy.parse().expect("it is a strategy");
    }
    reduction.max_time = Some(Duration::from_secs(300));
    let report = reduction.run().map_err(|error| error.to_string())?;
    if env::args().any(|word| word == "--show") {
        println!("--- {strategy}\n{}", String::from_utf8_lossy(&report.best.text));
    }
    let in_oracle = Duration::from_nanos(in_oracle.load(Ordering::Relaxed));
    Ok(Outcome {
        tests: report.counts.tests,
        seconds: report.counts.elapsed.as_secs_f64(),
        in_oracle: in_oracle.as_secs_f64(),
        ..Outcome::of_text(format, &report.best.text)
    })
}
