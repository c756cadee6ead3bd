//! How often failing cases of made-up challenges are reduced to their true minimum.
//!
//! ```text
//! cargo bench -p lop-choice --bench made -- [OPTIONS]
//!   --challenges N   random generators with random properties (150)
//!   --seeds N        failing cases of each (20)
//!   --large          start with cases as large as the generators make them
//!   --apart          those with numbers that three divides, which nobody should look at while a pass is written; otherwise the others
//!   --only N         only this challenge, with what is left
//!   --ablation       once more without each pass
//!   --list           prints the challenges with their minima, for `scripts/challenges`, and what lop did with each
//! ```
//!
//! A call is a run of the property after the first failure. A run of the generator that ends because there are too few choices is not one.
//!
//! The minimum is known, not guessed: all choices are enumerated in shortlex order until a case fails. Challenges whose minimum is not found
//! in three million cases, or is trivial, are left out.

mod generator;
mod minimum;
mod property;

use std::collections::BTreeMap;

use fastrand::Rng;
use generator::{Draws, Generator};
use lop_choice::engine::{PASSES, Pass};
use lop_choice::{Check, Source};
use property::Failure;

struct Options {
    challenges: u64,
    seeds: u64,
    large: bool,
    apart: bool,
    only: Option<u64>,
    ablation: bool,
    list: bool,
}

/// A generator with a property, and the simplest case in which it fails.
struct Challenge {
    number: u64,
    generator: Generator,
    failure: Failure,
    minimum: String,
}

/// What became of the cases of a challenge.
#[derive(Default)]
struct Result {
    normal: usize,
    of: usize,
    /// Runs of the property.
    calls: u64,
    /// Runs of the generator: also those with too few choices for a case.
    draws: u64,
    /// The calls of each pass, and its turns with success.
    tallies: BTreeMap<&'static str, (u64, u64)>,
    forms: BTreeMap<String, usize>,
}

impl Draws for Source {
    fn number(&mut self, low: i64, high: i64) -> i64 {
        self.integer(low..=high)
    }

    fn list(&mut self, least: usize, most: usize, item: &mut dyn FnMut(&mut dyn Draws)) {
        let _: Vec<()> = Source::list(self, least..=most, |s| item(s));
    }

    fn real(&mut self, low: i64, high: i64) -> f64 {
        self.float(low as f64..=high as f64)
    }

    fn sign(&mut self) -> char {
        self.char()
    }

    fn span(&mut self, name: &'static str, body: &mut dyn FnMut(&mut dyn Draws)) {
        Source::span(self, name, |s| body(s));
    }
}

fn main() {
    let options = Options::read();
    let numbers = (0..).filter(|number| (number % 3 == 0) == options.apart);
    let wanted = |number: &u64| options.only.is_none_or(|only| only == *number);
    let count = options.only.map_or(options.challenges, |_| 1) as usize;
    let chosen: Vec<Challenge> =
        numbers.filter(wanted).filter_map(Challenge::made).take(count).collect();
    let all: Vec<&'static Pass> = PASSES.iter().collect();
    let results: Vec<Result> = chosen.iter().map(|it| it.run(&options, &all)).collect();
    for (challenge, result) in chosen.iter().zip(&results) {
        if options.list {
            let Challenge { number, generator, failure, minimum } = challenge;
            let (normal, of, calls) = (result.normal, result.of, result.calls);
            println!("{number};{generator:?};{failure:?};{minimum};{normal};{of};{calls}");
        } else if result.normal < result.of || options.only.is_some() {
            println!(
                "{:5} {:3} of {} in {:.0} calls  {:?}  {:?}\n      {}",
                challenge.number,
                result.normal,
                result.of,
                result.mean(),
                challenge.generator,
                challenge.failure,
                challenge.minimum
            );
            let mut forms: Vec<_> = result.forms.iter().collect();
            forms.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let forms = forms.iter().filter(|(form, _)| **form != challenge.minimum);
            forms.take(2).for_each(|(form, count)| println!("      {count} × {form}"));
        }
    }
    told("all passes", &results);
    if options.ablation {
        for pass in &all {
            let sum = |of: fn(&(u64, u64)) -> u64| -> u64 {
                results.iter().filter_map(|it| it.tallies.get(pass.name)).map(of).sum()
            };
            let cases: usize = results.iter().map(|it| it.of).sum();
            let mean = |sum: u64| sum as f64 / cases.max(1) as f64;
            let (calls, found) = (mean(sum(|it| it.0)), mean(sum(|it| it.1)));
            println!("  {:10} {calls:6.2} calls, {found:5.2} turns with success", pass.name);
        }
        for without in &all {
            let rest: Vec<_> = all.iter().copied().filter(|it| it.name != without.name).collect();
            let results: Vec<Result> = chosen.iter().map(|it| it.run(&options, &rest)).collect();
            told(without.name, &results);
        }
    }
}

fn told(name: &str, results: &[Result]) {
    let (normal, of) = results.iter().fold((0, 0), |sum, it| (sum.0 + it.normal, sum.1 + it.of));
    let whole = results.iter().filter(|it| it.normal == it.of).count();
    let count = results.len() as f64;
    let calls = results.iter().map(Result::mean).sum::<f64>() / count;
    let draws = results.iter().map(|it| it.draws as f64 / it.of.max(1) as f64).sum::<f64>() / count;
    println!(
        "{name:10} {:6.2} % of {of} cases, {whole} of {count} challenges always, {calls:.1} calls ({draws:.1} runs of the generator)",
        100.0 * normal as f64 / of as f64,
    );
}

impl Result {
    fn mean(&self) -> f64 {
        self.calls as f64 / self.of.max(1) as f64
    }
}

impl Challenge {
    /// The challenge with a number, if it is worth anything: its simplest case has several choices, and is known.
    fn made(number: u64) -> Option<Challenge> {
        let mut random = Rng::with_seed(number);
        let generator = Generator::random(&mut random, 0);
        let failure = Failure::random(&mut random, &generator);
        let found = Challenge { number, generator, failure, minimum: String::new() };
        let found = Some(found).filter(Challenge::is_found)?;
        let (minimum, length) = minimum::minimum(&found.generator, &found.failure)?;
        (length > 1).then(|| Challenge { minimum: minimum.to_string(), ..found })
    }

    fn holds(&self, s: &mut Source) -> bool {
        let value = self.generator.draw(s);
        s.note(&value);
        !self.failure.fails(&value)
    }

    /// Whether random cases fail at all.
    fn is_found(&self) -> bool {
        let check =
            Check { seed: Some(1), cases: 5000, calls: 0, regressions: None, ..Check::default() };
        !check.run(|s: &mut Source| self.holds(s)).found.is_empty()
    }

    fn run(&self, options: &Options, passes: &[&'static Pass]) -> Result {
        let mut result = Result::default();
        for seed in 0..options.seeds {
            let check = Check {
                seed: Some(seed),
                cases: 100_000,
                calls: 20_000,
                passes: passes.to_vec(),
                regressions: None,
                growing: if options.large { 1 } else { Check::default().growing },
                ..Check::default()
            };
            // From the first failing case on: how often the choices were too few for a case, so that the property was not run.
            let (mut has_failed, mut open) = (false, 0);
            let property = |s: &mut Source| {
                open += u64::from(has_failed);
                let holds = self.holds(s);
                open -= u64::from(has_failed);
                has_failed |= !holds;
                holds
            };
            let Some(found) = check.run(property).found.into_iter().next() else {
                continue;
            };
            let form = found.notes.last().cloned().unwrap_or_default();
            result.of += 1;
            result.normal += usize::from(form == self.minimum);
            result.calls += found.calls - open;
            result.draws += found.calls;
            for tally in &found.tallies {
                let sum = result.tallies.entry(tally.pass).or_default();
                *sum = (sum.0 + tally.calls, sum.1 + tally.found);
            }
            *result.forms.entry(form).or_default() += 1;
        }
        result
    }
}

impl Options {
    fn read() -> Options {
        let mut options = Options {
            challenges: 150,
            seeds: 20,
            large: false,
            apart: false,
            only: None,
            ablation: false,
            list: false,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut number = || -> u64 {
                let value = words.next().and_then(|it| it.parse().ok());
                value.unwrap_or_else(|| panic!("{word} needs a number"))
            };
            match &word[..] {
                "--bench" => {}
                "--challenges" => options.challenges = number(),
                "--seeds" => options.seeds = number(),
                "--only" => options.only = Some(number()),
                "--large" => options.large = true,
                "--apart" => options.apart = true,
                "--ablation" => options.ablation = true,
                "--list" => options.list = true,
                _ => panic!("`{word}` is not an option"),
            }
        }
        options
    }
}
