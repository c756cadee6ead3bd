//! How well failing cases of well-known challenges are reduced.
//!
//! ```text
//! cargo bench -p lop-choice --bench challenges -- [OPTIONS] [NAME…]
//!   --seeds N       failing cases of each challenge (1000)
//!   --typical       challenges that were written without knowledge of the passes, instead of the well-known ones
//!   --apart         the third of those that is kept apart: only their mean is told
//!   --list          the challenges and their normal forms, for scripts
//!   --large         start with cases as large as the generators make them, instead of the first that is found
//!   --ablation      once more without each pass: share of normal forms and mean calls
//!   --show          what is left, and what each pass took and brought
//!   --dump DIR      write the cases to start with
//!   --replay DIR    start with cases that were written
//! ```
//!
//! A call is a run of the property, from the first failing case to the end of the reduction. A run of the generator that ends because there are
//! too few choices is not one: no other library counts it. The time of the reducer itself is that of a reduction without what the property takes, by candidate (most of them are known without a call) and by call.

mod challenge;
mod others;
mod parser;
mod problems;
mod typical;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use challenge::Challenge;
use lop_choice::engine::{Choices, PASSES, Pass};
use lop_choice::{Check, Found, Source};
use problems::CHALLENGES;
use typical::FIELDS;

struct Options {
    seeds: u64,
    typical: bool,
    apart: bool,
    list: bool,
    large: bool,
    ablation: bool,
    show: bool,
    dump: Option<PathBuf>,
    replay: Option<PathBuf>,
    names: Vec<String>,
}

fn main() {
    let options = Options::read();
    let chosen = |it: &&Challenge| {
        options.names.is_empty() || options.names.iter().any(|name| name == it.name)
    };
    let chosen: Vec<&Challenge> = options.challenges().filter(chosen).collect();
    if options.list {
        chosen.iter().for_each(|it| println!("{}\t{}", it.name, it.normal));
        return;
    }
    let all: Vec<&'static Pass> = PASSES.iter().collect();
    println!(
        "challenge           normal    calls    goal     p95     max  size  first  found after  candidates  µs own/cand.  /call  ms/case"
    );
    let mut missed = 0;
    let (mut normal, mut calls, mut draws) = (0.0, 0.0, 0.0);
    for challenge in &chosen {
        let runs = runs(challenge, &options, &all);
        let summary = Summary::of(challenge, &runs);
        missed += u32::from(summary.normal < 1.0) + u32::from(summary.calls > challenge.goal);
        normal += summary.normal / chosen.len() as f64;
        calls += summary.calls / chosen.len() as f64;
        draws += summary.draws / chosen.len() as f64;
        if options.apart {
            continue;
        }
        println!("{:18} {}", challenge.name, summary.told(challenge.goal));
        if options.show {
            show(&runs);
        }
    }
    let normal = 100.0 * normal;
    println!("{:18} {normal:6.1} % {calls:8.1} ({draws:.1} runs of the generator)", "mean");
    println!("{missed} goals missed");
    if options.ablation {
        ablation(&chosen, &options, &all);
    }
}

impl Options {
    fn read() -> Options {
        let mut options = Options {
            seeds: 1000,
            typical: false,
            apart: false,
            list: false,
            large: false,
            ablation: false,
            show: false,
            dump: None,
            replay: None,
            names: Vec::new(),
        };
        let mut words = std::env::args().skip(1);
        let missing = |word: &str| -> ! { panic!("{word} needs a value") };
        while let Some(word) = words.next() {
            match &word[..] {
                "--bench" => {}
                "--seeds" => {
                    options.seeds = words
                        .next()
                        .and_then(|it| it.parse().ok())
                        .unwrap_or_else(|| missing("--seeds"))
                }
                "--typical" => options.typical = true,
                "--apart" => options.apart = true,
                "--list" => options.list = true,
                "--large" => options.large = true,
                "--ablation" => options.ablation = true,
                "--show" => options.show = true,
                "--dump" => {
                    options.dump = Some(words.next().unwrap_or_else(|| missing("--dump")).into())
                }
                "--replay" => {
                    options.replay =
                        Some(words.next().unwrap_or_else(|| missing("--replay")).into())
                }
                _ if word.starts_with("--") => panic!("`{word}` is no option"),
                _ => options.names.push(word),
            }
        }
        for name in &options.names {
            let is_one = options.challenges().any(|it| it.name == name);
            assert!(is_one, "`{name}` is none of these challenges");
        }
        options
    }

    /// The challenges to choose from.
    fn challenges(&self) -> Box<dyn Iterator<Item = &'static Challenge>> {
        if self.apart {
            Box::new(FIELDS.iter().flat_map(|field| field.apart))
        } else if self.typical {
            Box::new(FIELDS.iter().flat_map(|field| field.seen))
        } else {
            Box::new(CHALLENGES.iter().chain(others::OTHERS))
        }
    }
}

/// One reduction.
struct Reduced {
    cases: u64,
    found: Found,
    /// The runs of the property.
    calls: u64,
    /// What the property itself took while it was reduced.
    inside: Duration,
}

impl Reduced {
    /// What is left, as the challenge notes it: the last but one of its notes, then its size.
    fn form(&self) -> &str {
        &self.found.notes[self.found.notes.len() - 2]
    }

    fn size(&self) -> &str {
        &self.found.notes[self.found.notes.len() - 1]
    }
}

fn runs(challenge: &Challenge, options: &Options, passes: &[&'static Pass]) -> Vec<Reduced> {
    (0..options.seeds).filter_map(|seed| run(challenge, options, passes, seed)).collect()
}

fn run(
    challenge: &Challenge,
    options: &Options,
    passes: &[&'static Pass],
    seed: u64,
) -> Option<Reduced> {
    let file = |directory: &Path| directory.join(format!("{}-{seed}.choices", challenge.name));
    let check = Check {
        seed: Some(seed),
        cases: 100_000,
        calls: 20_000,
        passes: passes.to_vec(),
        regressions: None,
        growing: if options.large { 1 } else { Check::default().growing },
        start: options.replay.as_deref().map(|directory| {
            let text = fs::read_to_string(file(directory))
                .unwrap_or_else(|why| panic!("{}: {why}", file(directory).display()));
            text.parse::<Choices>()
                .unwrap_or_else(|why| panic!("{}, {why}", file(directory).display()))
                .values
        }),
        ..Check::default()
    };
    // Only what is called after the first failure counts. A run that the generator leaves in the middle remains open.
    let (mut inside, mut has_failed, mut open) = (Duration::ZERO, false, 0);
    let report = check.run(|s: &mut Source| {
        let timer = Timer { start: Instant::now(), inside: has_failed.then_some(&mut inside) };
        open += u64::from(has_failed);
        let holds = (challenge.holds)(s);
        open -= u64::from(has_failed);
        drop(timer);
        has_failed |= !holds;
        holds
    });
    let found = report.found.into_iter().next();
    let Some(found) = found else {
        println!("{}: nothing found with seed {seed}", challenge.name);
        return None;
    };
    if let Some(directory) = &options.dump {
        fs::create_dir_all(directory).expect("a directory that can be made");
        let choices = Choices { values: found.first.clone(), ..Choices::default() };
        fs::write(file(directory), choices.to_string())
            .expect("a directory that can be written to");
    }
    let calls = found.calls - open;
    Some(Reduced { cases: report.cases + report.rejected, found, calls, inside })
}

/// Adds the time of its life, also when a generator is left in the middle.
struct Timer<'t> {
    start: Instant,
    inside: Option<&'t mut Duration>,
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        if let Some(inside) = &mut self.inside {
            **inside += self.start.elapsed();
        }
    }
}

struct Summary {
    normal: f64,
    calls: f64,
    /// Runs of the generator.
    draws: f64,
    p95: u64,
    most: u64,
    size: f64,
    first: f64,
    cases: f64,
    /// How many choices were looked at, run or not.
    candidates: f64,
    /// The reducer's own time for each of them, and for each call, in microseconds.
    own: f64,
    own_by_call: f64,
    time: f64,
}

impl Summary {
    fn of(challenge: &Challenge, runs: &[Reduced]) -> Summary {
        let mean = |of: &dyn Fn(&Reduced) -> f64| {
            runs.iter().map(of).sum::<f64>() / runs.len().max(1) as f64
        };
        let mut calls: Vec<u64> = runs.iter().map(|it| it.calls).collect();
        calls.sort_unstable();
        let own = |it: &Reduced| it.found.time.saturating_sub(it.inside).as_secs_f64();
        Summary {
            normal: mean(&|it| f64::from(u8::from(it.form() == challenge.normal))),
            calls: mean(&|it| it.calls as f64),
            draws: mean(&|it| it.found.calls as f64),
            p95: calls.get(calls.len() * 95 / 100).copied().unwrap_or(0),
            most: calls.last().copied().unwrap_or(0),
            size: mean(&|it| it.size().parse().unwrap_or(f64::NAN)),
            first: mean(&|it| it.found.first.len() as f64),
            cases: mean(&|it| it.cases as f64),
            candidates: mean(&|it| it.found.candidates as f64),
            own: 1e6 * mean(&own) / mean(&|it| it.found.candidates as f64),
            own_by_call: 1e6 * mean(&own) / mean(&|it| it.calls as f64),
            time: 1e3 * mean(&|it| it.found.time.as_secs_f64()),
        }
    }

    fn told(&self, goal: f64) -> String {
        let Summary {
            normal,
            calls,
            draws: _,
            p95,
            most,
            size,
            first,
            cases,
            candidates,
            own,
            own_by_call,
            time,
        } = self;
        let normal = 100.0 * normal;
        format!(
            "{normal:6.1} % {calls:8.1} {goal:7} {p95:7} {most:7} {size:5.2} {first:6.1} {cases:11.1} {candidates:11.1} {own:13.2} {own_by_call:6.2} {time:8.2}"
        )
    }
}

/// What is left, and what each pass took and brought.
fn show(runs: &[Reduced]) {
    let mut forms: BTreeMap<&str, usize> = BTreeMap::new();
    runs.iter().for_each(|it| *forms.entry(it.form()).or_default() += 1);
    let mut forms: Vec<_> = forms.into_iter().collect();
    forms.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    forms.iter().take(8).for_each(|(form, count)| println!("    {count} × {form}"));
    let Some(first) = runs.first() else { return };
    for (number, tally) in first.found.tallies.iter().enumerate() {
        let sum = |of: &dyn Fn(usize) -> u64| {
            (0..runs.len()).map(of).sum::<u64>() as f64 / runs.len() as f64
        };
        let calls = sum(&|run| runs[run].found.tallies[number].calls);
        let found = sum(&|run| runs[run].found.tallies[number].found);
        if calls > 0.0 {
            println!("      {:10} {calls:7.1} calls, {found:5.2} turns with success", tally.pass);
        }
    }
}

/// Once more without each pass.
fn ablation(chosen: &[&Challenge], options: &Options, all: &[&'static Pass]) {
    println!(
        "\nwithout a pass: normal forms in % and mean calls of all challenges; those that change by more than 1 % or a tenth"
    );
    let of = |passes: &[&'static Pass]| -> Vec<Summary> {
        chosen
            .iter()
            .map(|challenge| Summary::of(challenge, &runs(challenge, options, passes)))
            .collect()
    };
    let with = of(all);
    let mean = |of: &[Summary], get: &dyn Fn(&Summary) -> f64| {
        of.iter().map(get).sum::<f64>() / of.len() as f64
    };
    let told = |name: &str, summaries: &[Summary], rest: &str| {
        let normal = 100.0 * mean(summaries, &|it| it.normal);
        println!("{name:10} {normal:6.1} % {:8.1}  {rest}", mean(summaries, &|it| it.calls));
    };
    told("(all)", &with, "");
    for without in all {
        let rest: Vec<&'static Pass> =
            all.iter().copied().filter(|pass| pass.name != without.name).collect();
        let summaries = of(&rest);
        let changed = chosen.iter().zip(with.iter().zip(&summaries)).filter_map(
            |(challenge, (with, without))| {
                let normal = (with.normal - without.normal).abs() > 0.01;
                let calls = (with.calls - without.calls).abs() > with.calls / 10.0;
                let told = format!(
                    "{} {:.0} % {:.0} ({:.0})",
                    challenge.name,
                    100.0 * without.normal,
                    without.calls,
                    with.calls
                );
                (normal || calls).then_some(told)
            },
        );
        told(without.name, &summaries, &changed.collect::<Vec<_>>().join(", "));
    }
}
