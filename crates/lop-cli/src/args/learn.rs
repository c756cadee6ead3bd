//! The arguments of `lop learn` and `lop model`.

use std::path::PathBuf;

use super::FormatArgs;

/// The arguments of `lop learn`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LearnArgs {
    /// Files to learn from, directories of them, and models to merge.
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// The model's file; an existing model is extended.
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: PathBuf,

    /// Language of the files; in directories, files in other languages are skipped [default: by file name and first line,
    /// for each file].
    #[arg(long, value_name = "NAME", conflicts_with = "grammar_lib")]
    language: Option<String>,

    /// Tree-sitter parser for another language, as a shared library.
    #[arg(long, value_name = "LIBRARY", requires = "grammar_json")]
    grammar_lib: Option<PathBuf>,

    /// The grammar.json that the parser of --grammar-lib was generated from.
    #[arg(long, value_name = "FILE", requires = "grammar_lib")]
    grammar_json: Option<PathBuf>,

    /// Parse up to N files in parallel [default: number of cores].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Print nothing but errors.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl LearnArgs {
    /// The options that choose the language; `None` if each file's is guessed.
    pub(crate) fn format(&self) -> Option<FormatArgs> {
        let is_given = self.language.is_some() || self.grammar_lib.is_some();
        is_given.then(|| FormatArgs {
            language: self.language.clone(),
            grammar_lib: self.grammar_lib.clone(),
            grammar_json: self.grammar_json.clone(),
            ..FormatArgs::default()
        })
    }

    /// The number of threads.
    pub(crate) fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }
}

/// The arguments of `lop model`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ModelArgs {
    /// The model's file.
    pub(crate) model: PathBuf,

    /// The label to explain, such as `if_statement` [default: a list of all labels].
    pub(crate) label: Option<String>,

    /// Print all that the model knows as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
