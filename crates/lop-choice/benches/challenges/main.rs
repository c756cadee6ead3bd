//! How well failing cases of well-known challenges are reduced.
//!
//! `cargo bench -p lop-choice --bench challenges -- [SEEDS] [NAME…]`

mod parser;
mod problems;

use lop_choice::{Check, Found};
use problems::{CHALLENGES, Challenge};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let seeds = arguments.first().and_then(|it| it.parse().ok()).unwrap_or(1000);
    let names: Vec<&String> = arguments.iter().skip(1).collect();
    println!("challenge           normal    calls    goal     p95  size  first  found after   µs/call");
    for challenge in CHALLENGES.iter().filter(|it| names.is_empty() || names.iter().any(|name| *name == it.name)) {
        let found: Vec<(u64, Found)> = (0..seeds).filter_map(|seed| find(challenge, seed)).collect();
        let normal = found.iter().filter(|(_, it)| it.notes[0] == challenge.normal).count();
        let mut calls: Vec<u64> = found.iter().map(|(_, it)| it.calls).collect();
        calls.sort_unstable();
        let mean = |of: &dyn Fn(&(u64, Found)) -> f64| found.iter().map(of).sum::<f64>() / found.len() as f64;
        println!(
            "{:18} {:6.1} % {:8.1} {:7} {:7} {:5.2} {:6.1} {:8.1}      {:8.2}",
            challenge.name,
            100.0 * normal as f64 / found.len() as f64,
            mean(&|(_, it)| it.calls as f64),
            challenge.goal,
            calls[calls.len() * 95 / 100],
            mean(&|(_, it)| it.notes[1].parse().unwrap()),
            mean(&|(_, it)| it.first.choices.len() as f64),
            mean(&|(cases, _)| *cases as f64),
            mean(&|(_, it)| it.time.as_secs_f64() * 1e6) / mean(&|(_, it)| it.calls as f64),
        );
        if std::env::var_os("SHOW").is_some() {
            for number in 0..found[0].1.efforts.len() {
                let of = |get: &dyn Fn(&lop_choice::reducer::Effort) -> u64| mean(&|(_, it)| get(&it.efforts[number]) as f64);
                let (calls, wins) = (of(&|it| it.calls), of(&|it| it.found));
                print!(" {} {calls:.1}/{wins:.1}", found[0].1.efforts[number].pass);
            }
            println!();
            let mut forms: std::collections::BTreeMap<&str, usize> = Default::default();
            found.iter().for_each(|(_, it)| *forms.entry(&it.notes[0]).or_default() += 1);
            for number in 0..found[0].1.efforts.len() {
                let of = |get: &dyn Fn(&lop_choice::reducer::Effort) -> u64| mean(&|(_, it)| get(&it.efforts[number]) as f64);
                let (calls, wins) = (of(&|it| it.calls), of(&|it| it.found));
                print!(" {} {calls:.1}/{wins:.1}", found[0].1.efforts[number].pass);
            }
            println!();
            let mut forms: Vec<_> = forms.into_iter().collect();
            forms.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            forms.iter().take(5).for_each(|(form, count)| println!("    {count} × {form}"));
        }
    }
}

fn find(challenge: &Challenge, seed: u64) -> Option<(u64, Found)> {
    let check = Check { seed: Some(seed), cases: 100_000, calls: 20_000, regressions: None, ..Check::default() };
    let report = check.run(challenge.holds);
    let found = report.found.into_iter().next();
    if found.is_none() {
        println!("{}: nothing found with seed {seed}", challenge.name);
    }
    Some((report.cases + report.rejected, found?))
}
