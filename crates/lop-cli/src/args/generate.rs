//! The command lines of `lop gen` and `lop tmin`.

use std::ffi::OsString;
use std::path::PathBuf;

use lop::generator;

use super::{FormatArgs, LimitArgs, PropertyArgs, QuestionArgs, SearchArgs, ShowArgs, TestArgs};

/// The options of `lop gen`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct GenArgs {
    #[command(flatten)]
    pub(crate) asked: AskedArgs,

    /// Generator: a program that makes a test case from choices, and prints it or writes it to `{}`.
    #[arg(
        long,
        value_name = "COMMAND",
        required_unless_present = "clients",
        help_heading = "Generator"
    )]
    pub(crate) generator: Option<String>,

    /// How lop drives the generator [default: chosen by what kind of program it is].
    #[arg(long, value_name = "HOW", help_heading = "Generator")]
    pub(crate) drive: Option<Drive>,

    /// Make many test cases with one process; the generator must speak lop's protocol.
    #[arg(long, help_heading = "Generator")]
    pub(crate) server: bool,

    /// Name of the test case in the directory of the test.
    #[arg(long = "as", value_name = "NAME", default_value = "case", value_parser = super::file_name, help_heading = "Generator")]
    pub(crate) name: PathBuf,

    /// Make test cases from random choices until one is interesting, write its choices to CHOICES, and reduce them. With
    /// a command and no property, a test case is interesting if the command fails.
    #[arg(long, help_heading = "Generator")]
    pub(crate) find: bool,

    /// Seed of the random choices [default: a new one each time].
    #[arg(long, value_name = "N", requires = "find", help_heading = "Generator")]
    pub(crate) seed: Option<u64>,

    /// Largest number of random choices for one test case.
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "Generator")]
    pub(crate) max_choices: usize,

    /// Then reduce the test case itself, as `lop TEST FILE` does: what the generator cannot make smaller may be removed from its text. The
    /// result is next to the test case, as bug.lop.file.c for bug.lop.c.
    #[arg(long, help_heading = "Generator")]
    pub(crate) then_file: bool,

    /// Write the C header and the Python module for generators to DIR, and exit.
    #[arg(long, value_name = "DIR", help_heading = "Generator")]
    pub(crate) clients: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) show: ShowArgs,
}

/// How a generator is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Drive {
    /// The generator speaks lop's protocol.
    Protocol,
    /// Load a library into the generator that replaces the random numbers of the C library, and those of C++ where it can.
    Preload,
    /// Replace the random numbers of a generator in Python, and those of numpy.
    Python,
    /// Replace the random numbers of a generator in JavaScript that Node runs.
    Node,
}

impl From<Drive> for generator::Drive {
    fn from(drive: Drive) -> generator::Drive {
        match drive {
            Drive::Protocol => generator::Drive::Protocol,
            Drive::Preload => generator::Drive::Preload,
            Drive::Python => generator::Drive::Python,
            Drive::Node => generator::Drive::Node,
        }
    }
}

/// The options of `lop tmin`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TminArgs {
    #[command(flatten)]
    pub(crate) asked: AskedArgs,

    #[command(flatten)]
    pub(crate) show: ShowArgs,
}

/// The test, the file, the property and the limits, as `lop` has them.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct AskedArgs {
    /// The test, then the file to reduce; no test if `-- COMMAND` follows.
    #[arg(value_name = "TEST FILE", num_args = 0..=2)]
    pub(crate) paths: Vec<PathBuf>,

    /// Command to run instead of a test; a single word with spaces in it is a shell command.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,

    #[command(flatten)]
    pub(crate) test: TestArgs,

    #[command(flatten)]
    pub(crate) property: PropertyArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Run up to N tests in parallel [default: number of cores].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    /// Write the result to OUT [default: next to FILE, as bug.lop.choices for bug.choices].
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Overwrite OUT even if it is not a result of lop.
    #[arg(long)]
    pub(crate) force: bool,

    /// Resume a stopped run; no test is repeated.
    #[arg(long)]
    pub(crate) resume: bool,
}

impl AskedArgs {
    /// The file to be reduced, which is the last one that is named.
    pub(crate) fn file(&self) -> Option<&PathBuf> {
        let expected = if self.command.is_empty() { 2 } else { 1 };
        self.paths.get(expected - 1).filter(|_| self.paths.len() == expected)
    }

    /// How it is searched, as far as that can be said.
    pub(crate) fn search(&self) -> SearchArgs {
        SearchArgs { jobs: self.jobs, ..SearchArgs::default() }
    }

    /// The same question about a file of another name.
    pub(crate) fn about(&self, name: PathBuf) -> QuestionArgs {
        let mut paths = self.paths.clone();
        paths.pop();
        paths.push(name);
        QuestionArgs {
            paths,
            command: self.command.clone(),
            test: self.test.clone(),
            property: self.property.clone(),
            limits: self.limits.clone(),
            search: self.search(),
            format: FormatArgs::default(),
        }
    }
}
