//! The arguments of `lop compare`.

use std::path::PathBuf;

use lop::Strategy;

use super::{QuestionArgs, ShowArgs};

/// The arguments of `lop compare`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,

    #[command(flatten)]
    pub(crate) show: ShowArgs,

    /// Strategies to compare, separated by commas; `lop strategies` explains them.
    #[arg(
        long,
        value_name = "A,B,C",
        value_delimiter = ',',
        required_unless_present = "ablation",
        help_heading = "Search"
    )]
    pub(crate) strategies: Vec<Strategy>,

    /// Compare the default strategy with itself without each of its phases.
    #[arg(long, conflicts_with = "strategies", help_heading = "Search")]
    pub(crate) ablation: bool,

    /// Print the table as Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,

    /// Plot the size in tokens over tests and over time, one line per strategy.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,

    /// Write a page about the comparison to this HTML file.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
}
