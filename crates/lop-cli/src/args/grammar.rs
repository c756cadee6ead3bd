//! The arguments of `lop grammar`.

use std::path::PathBuf;

/// What to do with a grammar.
#[derive(Clone, Debug, clap::Subcommand)]
pub(crate) enum GrammarCommand {
    /// Check an ANTLR grammar, print its rules, and parse files with it.
    Check(CheckArgs),
    /// Print one rule of an ANTLR grammar, and its least text.
    Show(ShowRuleArgs),
    /// Try a collection of ANTLR grammars, each in a folder with its examples.
    ///
    /// A folder with `*.g4` files is a grammar; its examples are in `examples/`. `desc.xml` or `pom.xml` may name its start
    /// rule.
    Collection(CollectionArgs),
}

/// What a user adds to an ANTLR grammar.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct AdditionArgs {
    /// Least texts of rules and tokens of --grammar, as JSON: `{"expression": "1", "NAME": "x"}`.
    #[arg(long, value_name = "FILE")]
    pub(crate) replacements: Option<PathBuf>,

    /// Tokens of --grammar whose texts are in other languages, as JSON: `{"SCRIPT": {"language": "javascript"}}`.
    #[arg(long, value_name = "FILE")]
    pub(crate) islands: Option<PathBuf>,
}

/// The arguments of `lop grammar check`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Grammars (*.g4), and files to parse with them.
    #[arg(value_name = "GRAMMAR|FILE", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// Rule that files are parsed with [default: the first that no other rule uses].
    #[arg(long, value_name = "RULE")]
    pub(crate) start: Option<String>,

    #[command(flatten)]
    pub(crate) additions: AdditionArgs,

    /// Do not print the rules.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// The arguments of `lop grammar show`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ShowRuleArgs {
    /// Rule of the parser or of the lexer.
    #[arg(value_name = "RULE")]
    pub(crate) rule: String,

    /// Grammars (*.g4).
    #[arg(value_name = "GRAMMAR", required = true)]
    pub(crate) grammars: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) additions: AdditionArgs,
}

/// The arguments of `lop grammar collection`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct CollectionArgs {
    /// Folder with folders of grammars.
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,

    /// Print grammars without failures, too.
    #[arg(short, long)]
    pub(crate) verbose: bool,
}
