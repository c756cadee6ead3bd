//! Runs campaigns by hand.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};
use lop_campaign::{Tools, faults, invariants};
use lop_choice::{Source, external};

/// Random load and injected faults against lop.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    campaign: Campaign,
}

#[derive(Subcommand)]
enum Campaign {
    /// Random inputs, oracles, strategies and numbers of workers.
    Invariants {
        #[command(flatten)]
        common: Common,
        /// How many runs.
        #[arg(long, default_value_t = 1000)]
        runs: u64,
        /// How many hours, instead.
        #[arg(long, value_name = "HOURS", conflicts_with = "runs")]
        long: Option<f64>,
    },
    /// A generator of sums and maxima, for `lop gen`.
    #[command(hide = true)]
    Generator,
    /// Disturbs runs of the command: signals, full disks, limits, tests that misbehave.
    Faults {
        #[command(flatten)]
        common: Common,
        /// How many runs.
        #[arg(long, default_value_t = 100)]
        runs: u64,
        /// Only the faults whose names contain this.
        #[arg(long)]
        only: Option<String>,
    },
}

#[derive(clap::Args)]
struct Common {
    /// The lop that is run; the one that was built beside this program, if none is named.
    #[arg(long)]
    lop: Option<PathBuf>,
    /// What is tried, and when something happens; another one each time.
    #[arg(long)]
    seed: Option<u64>,
}

fn main() -> ExitCode {
    match run(Args::parse().campaign) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("campaign: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(campaign: Campaign) -> std::io::Result<ExitCode> {
    let tell = |line: &str| eprintln!("{line}");
    let table = match campaign {
        Campaign::Invariants { common, runs, long } => {
            let (tools, seed) = common.ready()?;
            let started = Instant::now();
            let goes_on = |run| match long {
                Some(hours) => started.elapsed().as_secs_f64() < hours * 3600.0,
                None => run < runs,
            };
            invariants::campaign(&tools, seed, goes_on, tell)?
        }
        Campaign::Generator => return Ok(external::main(|source| source.draw(expression) + "\n")),
        Campaign::Faults { common, runs, only } => {
            let (tools, seed) = common.ready()?;
            faults::campaign(&tools, runs, seed, only.as_deref(), tell)?
        }
    };
    println!("{table}");
    Ok(if table.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn expression(source: &mut Source) -> String {
    match source.integer(0..=2) {
        0 => source.integer(0..=99_u32).to_string(),
        1 => format!("({} + {})", source.draw(expression), source.draw(expression)),
        _ => format!("max({})", source.list(1.., expression).join(", ")),
    }
}

impl Common {
    fn ready(&self) -> std::io::Result<(Tools, u64)> {
        let here = std::env::current_exe()?;
        let lop = self.lop.clone().unwrap_or_else(|| here.with_file_name("lop"));
        if !lop.exists() {
            let message = format!(
                "there is no `{}`: build it with cargo build -p lop-cli, or name another one with --lop",
                lop.display()
            );
            return Err(std::io::Error::other(message));
        }
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(..));
        eprintln!("seed {seed}");
        Ok((Tools::new(&lop, Some((&here, "generator")))?, seed))
    }
}
