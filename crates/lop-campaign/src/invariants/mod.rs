//! Random inputs × random oracles × all strategies × 1 to 8 workers.
//!
//! Of every run is checked: the file on disk is interesting at every moment (a thread reads it all the time), no step
//! grows, the run ends. If the oracle is deterministic: another number of workers comes to the same result with as many tests,
//! and so does a run that is stopped and resumed; a strategy that ends with a fixed point finds nothing in its own result.

mod choices;
mod commands;
mod inputs;
mod oracles;
mod texts;

use std::io;
use std::time::Instant;

use crate::table::Table;
use crate::tools::Tools;

/// Makes trials until `goes_on` says no, which is asked with the number of trials so far.
pub fn campaign(
    tools: &Tools,
    seed: u64,
    goes_on: impl Fn(u64) -> bool,
    mut tell: impl FnMut(&str),
) -> io::Result<Table> {
    let directory = tempfile::Builder::new().prefix("campaign-").tempdir()?;
    let mut table = Table::default();
    let started = Instant::now();
    for number in (0..).take_while(|number| goes_on(*number)) {
        let seed = seed.wrapping_add(number);
        let mut random = fastrand::Rng::with_seed(seed);
        // The seed alone decides what is tried, so that one trial can be repeated.
        let trial = match seed % 50 {
            0 => commands::run(tools, &mut random)?,
            1..=5 => choices::run(&mut random, directory.path())?,
            _ => texts::run(&mut random, directory.path())?,
        };
        for problem in &trial.problems {
            tell(&format!("{} (--runs 1 --seed {seed}): {problem}", trial.row));
        }
        table.add(seed, trial);
        if (number + 1) % 1000 == 0 {
            tell(&format!("{} runs in {} s", number + 1, started.elapsed().as_secs()));
        }
    }
    Ok(table)
}
