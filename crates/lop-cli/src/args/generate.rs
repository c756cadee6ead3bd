//! The command lines of `lop gen` and `lop tmin`.

use std::ffi::OsString;
use std::path::PathBuf;

use lop::generator;

use super::{FormatArgs, LimitArgs, PropertyArgs, QuestionArgs, SearchArgs, ShowArgs};

/// What is generated and reduced.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct GenArgs {
    #[command(flatten)]
    pub(crate) asked: AskedArgs,

    /// The program that makes a test case from choices, and prints it or writes it to `{}`.
    #[arg(
        long,
        value_name = "COMMAND",
        required_unless_present = "clients",
        help_heading = "Generator"
    )]
    pub(crate) generator: Option<String>,

    /// How it is driven [default: by what it looks like].
    #[arg(long, value_name = "HOW", help_heading = "Generator")]
    pub(crate) drive: Option<Drive>,

    /// One process makes many test cases: it must speak the protocol.
    #[arg(long, help_heading = "Generator")]
    pub(crate) server: bool,

    /// What the test case is called where the test runs.
    #[arg(long = "as", value_name = "NAME", default_value = "case", help_heading = "Generator")]
    pub(crate) name: PathBuf,

    /// Make cases from fresh choices until one is interesting, write its choices to CHOICES, and reduce them. With a
    /// command and nothing that must stay, one is interesting that fails.
    #[arg(long, help_heading = "Generator")]
    pub(crate) find: bool,

    /// From what fresh choices follow [default: another one each time].
    #[arg(long, value_name = "N", requires = "find", help_heading = "Generator")]
    pub(crate) seed: Option<u64>,

    /// How many choices a fresh case may have.
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "Generator")]
    pub(crate) max_choices: usize,

    /// Write the C header and the Python module for generators to a directory, and stop.
    #[arg(long, value_name = "DIR", help_heading = "Generator")]
    pub(crate) clients: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) show: ShowArgs,
}

/// How a generator is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Drive {
    /// It speaks lop's protocol by itself.
    Protocol,
    /// It knows nothing of lop: a library is loaded into it that stands in for the C library's random numbers.
    Preload,
    /// It knows nothing of lop: a hook stands in for Python's random numbers.
    Python,
}

impl From<Drive> for generator::Drive {
    fn from(drive: Drive) -> generator::Drive {
        match drive {
            Drive::Protocol => generator::Drive::Protocol,
            Drive::Preload => generator::Drive::Preload,
            Drive::Python => generator::Drive::Python,
        }
    }
}

/// What is reduced.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TminArgs {
    #[command(flatten)]
    pub(crate) asked: AskedArgs,

    #[command(flatten)]
    pub(crate) show: ShowArgs,
}

/// The test and what it is asked about.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct AskedArgs {
    /// The test and the file to be reduced; only the latter if a command follows.
    #[arg(value_name = "TEST FILE", num_args = 0..=2)]
    pub(crate) paths: Vec<PathBuf>,

    /// What is run instead of a script; a single word with blanks is a shell command.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,

    #[command(flatten)]
    pub(crate) property: PropertyArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// How many tests run at the same time [default: one for each core].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    /// Where the result goes [default: beside the file, bug.choices becomes bug.lop.choices].
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Go on with a run that was stopped: no test is repeated.
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
            property: self.property.clone(),
            limits: self.limits.clone(),
            search: self.search(),
            format: FormatArgs::default(),
        }
    }
}
