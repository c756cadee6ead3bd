//! Fault injection: the real command is disturbed at random moments, and checked afterwards.
//!
//! A [`Fault`] says what happens and what may come of it; [`FAULTS`] is the list. Whatever happens, the result on disk is
//! interesting and not larger than the input, the original is untouched, no process and no temporary file is left, lop says
//! what happened and ends with a documented exit code. A run that was stopped is resumed, and must come to the result of
//! a run that was not disturbed. After a SIGKILL nobody can clear up, so the next run does.

mod list;
mod strike;
mod task;
mod trial;

pub use list::FAULTS;

use std::io;
use std::time::Instant;

use crate::table::Table;
use crate::tools::Tools;
use strike::{Start, Strike};
use task::{TASKS, Task};
use trial::Reference;

/// What happens to a run of lop.
pub struct Fault {
    /// What happens, as a sentence.
    pub name: &'static str,
    /// Shell lines that the test runs before it judges. `once NAME` is true once in a run, for a candidate that is neither
    /// the original nor empty; `$FILE` is the candidate, `$SIZE` its size.
    first: &'static str,
    /// Shell lines that the test runs after it has judged.
    last: &'static str,
    /// More options of lop.
    options: &'static [&'static str],
    /// How lop is started.
    start: Start,
    /// What happens to lop while it runs.
    strike: fn(&Strike),
    /// What is put right again before the run is resumed.
    mend: fn(&Strike),
    /// What may come of it.
    outcome: Outcome,
    /// Which files the fault itself changes.
    touches: Touches,
}

/// Which files a fault changes itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touches {
    Nothing,
    /// The original; then nothing is reduced in place.
    Input,
    /// The result, which nobody can watch then.
    Result,
}

/// What may come of a fault.
struct Outcome {
    /// The exit codes that are allowed, apart from 0. A signal is a negative number.
    codes: &'static [i32],
    /// With such a code, lop says one of these.
    says: &'static [&'static str],
    /// Whether verdicts remain what they are, so that the result of the run, resumed if need be, is that of a run
    /// that was not disturbed.
    is_same: bool,
}

impl Fault {
    fn suits(&self, task: &Task) -> bool {
        self.touches == Touches::Nothing || !task.is_in_place()
    }
}

/// Disturbs `runs` runs of lop, with one fault after the other, or only with those whose names contain a word.
pub fn campaign(
    tools: &Tools,
    runs: u64,
    seed: u64,
    only: Option<&str>,
    mut tell: impl FnMut(&str),
) -> io::Result<Table> {
    let is_meant = |fault: &&Fault| only.is_none_or(|word| fault.name.contains(word));
    let faults: Vec<&Fault> = FAULTS.iter().filter(is_meant).collect();
    let references: Vec<Reference> =
        TASKS.iter().map(|task| Reference::new(tools, task)).collect::<io::Result<_>>()?;
    let mut table = Table::default();
    let started = Instant::now();
    for number in 0..runs {
        // The seed alone decides what happens, so that one run can be repeated; seeds in a row go through all faults.
        let seed = seed.wrapping_add(number);
        let Some(fault) = faults.get((seed % faults.len().max(1) as u64) as usize) else { break };
        let trial = trial::run(tools, fault, &references, &mut fastrand::Rng::with_seed(seed))?;
        for problem in &trial.problems {
            tell(&format!("{} (--runs 1 --seed {seed}): {problem}", fault.name));
        }
        table.add(seed, trial);
        if (number + 1) % 100 == 0 {
            tell(&format!("{} runs in {} s", number + 1, started.elapsed().as_secs()));
        }
    }
    Ok(table)
}
