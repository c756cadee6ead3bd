//! What comes before and after a run: the arguments of `lop init`, `lop doctor` and `lop history`.

use std::path::PathBuf;

use super::QuestionArgs;

/// The arguments of `lop init`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct InitArgs {
    /// The file that is to be reduced.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// What happens.
    #[arg(long = "for", value_name = "SITUATION")]
    pub(crate) situation: Option<Situation>,

    /// The command that fails, with {} for the file.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) command: Option<String>,

    /// The command whose output is compared, with {} for the file.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) against: Option<String>,

    /// A part of what is printed when it fails.
    #[arg(long, value_name = "TEXT")]
    pub(crate) message: Option<String>,

    /// How long a run may take.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) seconds: u32,

    /// The name of the test.
    #[arg(short, long, value_name = "TEST", default_value = "test.sh")]
    pub(crate) output: PathBuf,

    /// Overwrite the test if it exists.
    #[arg(long)]
    pub(crate) force: bool,
}

/// A situation for which `lop init` writes a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Situation {
    /// A program crashes or prints an error.
    Crash,
    /// A program ends with an exception or a panic.
    Exception,
    /// A program prints something else than another one.
    Output,
    /// A program takes too long.
    Hang,
    /// A server or a browser fails when it gets the file.
    Server,
    /// A fuzz target fails.
    Fuzz,
}

/// The arguments of `lop doctor`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,
}

/// The arguments of `lop history`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct HistoryArgs {
    /// The input or the result of a run, or its history.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Print the text after this step instead of the list of all steps; step 0 is the original.
    #[arg(value_name = "N")]
    pub(crate) step: Option<usize>,
}
