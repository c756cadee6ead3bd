//! The command line, as it is written. Nothing is looked up here.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use lop::oracle::Votes;
use lop::strategy::Effort;
use lop::{Regex, RegexBuilder, Strategy, parse_signal};

use crate::exit;
use crate::generate::{GenArgs, TminArgs};

/// Reduces FILE to the smallest one that is still interesting; or several files, or a directory.
///
/// TEST is run in a private directory that holds the candidate under FILE's base name; the
/// candidate's path is also its first argument and its bytes are its standard input. Exit 0 means
/// interesting, unless options below say something else.
///
/// Without a script, COMMAND is run, with `{}` (or `@@`) replaced by the candidate's path, and the
/// options below say what must stay. With none of them, the way the original fails must stay.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "lop",
    version,
    override_usage = "lop [OPTIONS] TEST FILE…\n       lop [OPTIONS] TEST DIR\n       lop [OPTIONS] FILE… -- COMMAND {}\n       lop --resume\n       lop compare TEST FILE --strategies A,B,C\n       lop gen --generator COMMAND TEST CHOICES\n       lop tmin FILE -- TARGET {}\n       lop tree FILE\n       lop languages\n       lop strategies",
    after_help = exit::HELP,
    args_conflicts_with_subcommands = true,
    args_override_self = true,
    disable_help_subcommand = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) subcommand: Option<Subcommand>,

    #[command(flatten)]
    pub(crate) question: QuestionArgs,

    #[command(flatten)]
    pub(crate) result: ResultArgs,

    #[command(flatten)]
    pub(crate) show: ShowArgs,

    /// How it is reduced; `lop strategies` lists the words [default: a sensible sequence].
    #[arg(long, value_name = "STRATEGY", help_heading = "Search", conflicts_with_all = ["fast", "thorough"])]
    pub(crate) strategy: Option<Strategy>,
}

/// What is asked, of what, and with which means.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct QuestionArgs {
    /// The test and what is to be reduced; only the latter if a command follows.
    #[arg(value_name = "TEST FILE", num_args = 0..)]
    pub(crate) paths: Vec<PathBuf>,

    /// What is run instead of a script; a single word with blanks is a shell command.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,

    #[command(flatten)]
    pub(crate) property: PropertyArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Clone, Debug, clap::Subcommand)]
pub(crate) enum Subcommand {
    /// List the words of which strategies are made.
    Strategies,
    /// List the languages and formats that lop knows.
    Languages,
    /// Show a file as a tree: what may go, and what may stand in for what.
    Tree(TreeArgs),
    /// Reduce a file by several strategies, and say how small each makes it, and at what cost.
    ///
    /// Nothing is written. Limits of tests and time are those of each strategy.
    #[command(
        override_usage = "lop compare [OPTIONS] TEST FILE --strategies A,B,C\n       lop compare [OPTIONS] FILE --strategies A,B,C -- COMMAND {}"
    )]
    Compare(Box<CompareArgs>),
    /// Reduce the choices of a generator instead of what it makes, or look for a case that is interesting.
    ///
    /// The generator makes a test case from choices; TEST judges it as it judges a file. What is left is the simplest case that the
    /// generator could have made and that is still interesting.
    #[command(
        override_usage = "lop gen [OPTIONS] --generator COMMAND TEST CHOICES\n       lop gen [OPTIONS] --generator COMMAND CHOICES -- COMMAND {}\n       lop gen --find --generator COMMAND TEST CHOICES\n       lop gen --clients DIR"
    )]
    Gen(Box<GenArgs>),
    /// Reduce the input of a fuzz target whose bytes are choices: fewer and smaller bytes.
    #[command(
        override_usage = "lop tmin [OPTIONS] FILE -- TARGET {}\n       lop tmin [OPTIONS] TEST FILE"
    )]
    Tmin(Box<TminArgs>),
}

/// What is compared, and how it is shown.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) question: QuestionArgs,

    #[command(flatten)]
    pub(crate) show: ShowArgs,

    /// The strategies, separated by commas; `lop strategies` lists the words.
    #[arg(
        long,
        value_name = "A,B,C",
        value_delimiter = ',',
        required_unless_present = "ablation",
        help_heading = "Search"
    )]
    pub(crate) strategies: Vec<Strategy>,

    /// What each phase of the default brings: all of it, and all but one phase, for each of them.
    #[arg(long, conflicts_with = "strategies", help_heading = "Search")]
    pub(crate) ablation: bool,

    /// Print the table as Markdown.
    #[arg(long, conflicts_with = "json")]
    pub(crate) markdown: bool,

    /// Draw how the strategies come to their results: the tokens that are left over tests and time.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

/// Which tree is shown, and how.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TreeArgs {
    /// The file.
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) format: FormatArgs,

    /// Show it as the papers do: several of these, separated by commas.
    #[arg(long, value_name = "VIEW", value_delimiter = ',')]
    pub(crate) view: Vec<ViewArg>,

    /// Show no more than so many levels.
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,

    /// Print it as JSON.
    #[arg(long, conflicts_with = "dot")]
    pub(crate) json: bool,

    /// Print it for Graphviz: `lop tree --dot FILE | dot -Tsvg > tree.svg`.
    #[arg(long)]
    pub(crate) dot: bool,
}

/// What a file is taken for.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Language")]
pub(crate) struct FormatArgs {
    /// The language or format; `lop languages` lists them [default: by name and first line].
    #[arg(long, value_name = "NAME", conflicts_with = "grammar_lib")]
    pub(crate) language: Option<String>,

    /// Any other tree-sitter parser, as a shared library.
    #[arg(long, value_name = "LIBRARY", requires = "grammar_json")]
    pub(crate) grammar_lib: Option<PathBuf>,

    /// The grammar.json that the library was made from.
    #[arg(long, value_name = "FILE", requires = "grammar_lib")]
    pub(crate) grammar_json: Option<PathBuf>,
}

/// A way to look at a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ViewArg {
    /// What a rule repeats or makes optional may go as one.
    Group,
    /// A node with a single child and the same replacement is one node with it.
    Squeeze,
    /// Recursion to the left or right is a list.
    Flatten,
    /// What a rule repeats or makes optional has a node above it (with group).
    Quantify,
    /// Tokens that nothing can be done to are left out.
    HideUnremovable,
    /// White space is shown, too.
    HiddenTokens,
    /// What the experiments of the papers use: group, squeeze and flatten.
    Papers,
    /// Perses' normal form: group, flatten and quantify.
    NormalForm,
}

/// What must stay.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "What must stay (all that is given must hold)")]
pub(crate) struct PropertyArgs {
    /// It exits with this code.
    #[arg(long, value_name = "CODE", value_parser = clap::value_parser!(i32).range(0..=255))]
    pub(crate) exit: Option<i32>,

    /// It dies of this signal: SEGV, ABRT, … or a number.
    #[arg(long, value_name = "NAME", value_parser = parse_signal)]
    pub(crate) signal: Option<i32>,

    /// Its standard output matches; may be given several times.
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(crate) stdout: Vec<Regex>,

    /// Its standard error matches; may be given several times.
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(crate) stderr: Vec<Regex>,

    /// Its standard output does not match.
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(crate) not_stdout: Vec<Regex>,

    /// Its standard error does not match.
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(crate) not_stderr: Vec<Regex>,

    /// It is still running after --timeout: a hang is to be kept.
    #[arg(long, requires = "timeout")]
    pub(crate) hang: bool,

    /// N runs must agree before a candidate counts, or N of M: for tests that are flaky.
    #[arg(long, value_name = "N[/M]")]
    pub(crate) confirm: Option<Votes>,

    /// Go on even if the empty file is interesting.
    #[arg(long)]
    pub(crate) allow_trivial: bool,
}

/// What a test may take.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Time for one test, such as 5, 500ms or 2m [default: 10 times what the original takes].
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,

    /// Memory for one test and all its processes, such as 500M or 2G.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<u64>,

    /// Stop after so many tests.
    #[arg(long, value_name = "N")]
    pub(crate) max_tests: Option<u64>,

    /// Stop after this time, such as 90, 10m or 2h.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) max_time: Option<Duration>,
}

/// Where the result goes.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Result")]
pub(crate) struct ResultArgs {
    /// Where the result goes [default: beside FILE, prog.c becomes prog.lop.c].
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place")]
    pub(crate) output: Option<PathBuf>,

    /// Reduce FILE itself; the original is kept as FILE.orig.
    #[arg(long)]
    pub(crate) in_place: bool,

    /// Pipe the result through this command at the end, and keep what it prints if that is interesting.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) format: Option<String>,

    /// Go on with a run that was stopped; alone, with the one in this directory.
    #[arg(long)]
    pub(crate) resume: bool,
}

/// What is said meanwhile.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ShowArgs {
    /// Say nothing but errors.
    #[arg(short, long, overrides_with = "verbose")]
    pub(crate) quiet: bool,

    /// Say more.
    #[arg(short, long, overrides_with = "quiet")]
    pub(crate) verbose: bool,

    /// Print events on standard output, one JSON object a line.
    #[arg(long)]
    pub(crate) json: bool,
}

/// How candidates are found.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// How many tests run at the same time [default: one for each core].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    /// Stop after the big cuts.
    #[arg(long, conflicts_with = "thorough")]
    pub(crate) fast: bool,

    /// Try everything there is.
    #[arg(long)]
    pub(crate) thorough: bool,

    /// What matches stays as it is; so does all between `lop-keep-begin` and `lop-keep-end`.
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(crate) keep: Vec<Regex>,

    /// More rewrite rules: tree-sitter queries with what stands in for their matches.
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,

    /// Learn from files in the same language, or in directories: the least of what is in them may stand in for
    /// something.
    #[arg(long, value_name = "PATH")]
    pub(crate) corpus: Vec<PathBuf>,

    /// Breaks ties where an algorithm leaves a choice (probdd).
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

impl SearchArgs {
    /// How many tests run at the same time.
    pub(crate) fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }

    /// What decides which candidates there are, beside the strategy.
    pub(crate) fn steering(&self) -> impl std::fmt::Debug {
        (self.effort(), &self.keep, &self.rules, &self.corpus)
    }

    /// How much is done if no strategy is named.
    pub(crate) fn effort(&self) -> Effort {
        match (self.fast, self.thorough) {
            (true, _) => Effort::Fast,
            (_, true) => Effort::Thorough,
            _ => Effort::Usual,
        }
    }
}

/// A pattern in which `^` and `$` stand for the ends of a line, as people know it from grep.
fn pattern(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).multi_line(true).build()
}

/// A time: a number with `ms`, `s`, `m`, `h` or nothing, which means seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("say 5 (seconds), 500ms, 10m or 2h".into()),
    };
    let number: f64 = number.parse().map_err(|_| "say 5 (seconds), 500ms, 10m or 2h".to_owned())?;
    Duration::try_from_secs_f64(number * seconds)
        .ok()
        .filter(|time| !time.is_zero() && time.as_secs() < 1 << 32)
        .ok_or_else(|| "the time must be more than nothing and less than a century".into())
}

/// A size: a number with `K`, `M`, `G`, `T` or nothing, which means bytes.
fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text);
    let shift = match unit.trim_end_matches(['B', 'b', 'i']) {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        "T" | "t" => 40,
        _ => return Err("say 500M or 2G".into()),
    };
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 => Ok((number * (1u64 << shift) as f64) as u64),
        _ => Err("say 500M or 2G".into()),
    }
}

fn split_unit(text: &str) -> (&str, &str) {
    let length = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(length);
    (number, unit.trim())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(duration("5"), Ok(Duration::from_secs(5)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        for wrong in ["", "x", "5x", "0", "-1", "1e30h", "m"] {
            assert!(duration(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(size("1024"), Ok(1024));
        assert_eq!(size("500M"), Ok(500 << 20));
        assert_eq!(size("1.5GiB"), Ok(3 << 29));
        for wrong in ["", "G", "5x", "-1", "0"] {
            assert!(size(wrong).is_err(), "{wrong:?}");
        }
    }
}
