//! The arguments of `lop batch`.

use std::ffi::OsString;
use std::path::PathBuf;

use lop::Strategy;

use super::{FormatArgs, LimitArgs, PropertyArgs, SearchArgs, TestArgs};
use crate::formatter::Choice;

/// The arguments of `lop batch`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct BatchArgs {
    /// Directories of inputs, and inputs; or a file with jobs, such as jobs.toml.
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// Command to run on all inputs, with `{}` (or `@@`) for the candidate; each job keeps how it fails on its input.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,

    /// Test for all inputs, a script or program that exits with 0 if its input is interesting.
    #[arg(long = "test", value_name = "TEST", conflicts_with = "command")]
    pub(crate) script: Option<PathBuf>,

    /// Reduce all inputs, also those that fail in the same way as another one.
    #[arg(long)]
    pub(crate) all: bool,

    /// Write the results and results.json to this directory [default: PATH.reduced].
    #[arg(short, long, value_name = "DIR", help_heading = "Result")]
    pub(crate) output: Option<PathBuf>,

    /// Print nothing but errors and the table.
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Print one JSON object per line on standard output instead of the table: one for each job at its end, and one at the end of all.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Do not read options from a lop.toml beside an input or above it.
    #[arg(long, help_heading = "Output")]
    pub(crate) no_config: bool,

    #[command(flatten)]
    pub(crate) options: JobOptions,
}

/// The options of `lop TEST FILE` that jobs may have. They are handed to each job as the words that the user wrote, so only the number of
/// workers is read from here.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct JobOptions {
    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Strategy to use instead of the default; `lop strategies` explains them.
    #[arg(long, value_name = "STRATEGY", help_heading = "Search", conflicts_with_all = ["fast", "thorough"])]
    strategy: Option<Strategy>,

    #[command(flatten)]
    test: TestArgs,

    #[command(flatten)]
    property: PropertyArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    language: FormatArgs,

    /// Lay the results out with this formatter; `auto` finds one, `none` leaves them as they are.
    #[arg(long, value_name = "COMMAND", help_heading = "Result")]
    format: Option<Choice>,
}
