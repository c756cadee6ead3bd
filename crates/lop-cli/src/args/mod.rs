//! The command line as the user wrote it. Nothing here reads a file.

mod batch;
mod compare;
mod generate;
mod grammar;
mod learn;
#[cfg(feature = "remote")]
mod remote;
mod setup;
mod test;
mod tree;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Parser;
use clap::builder::BoolishValueParser;
use lop::oracle::Votes;
use lop::strategy::{Effort, phase_name};
use lop::{Regex, RegexBuilder, Strategy, parse_signal};

use crate::exit;
use crate::formatter::Choice;
use crate::glob::Glob;

pub(crate) use batch::BatchArgs;
pub(crate) use compare::CompareArgs;
pub(crate) use generate::{AskedArgs, GenArgs, TminArgs};
pub(crate) use grammar::{AdditionArgs, CheckArgs, CollectionArgs, GrammarCommand, ShowRuleArgs};
pub(crate) use learn::{LearnArgs, ModelArgs};
#[cfg(feature = "remote")]
pub(crate) use remote::RemoteArgs;
pub(crate) use setup::{DoctorArgs, HistoryArgs, InitArgs, Situation};
pub(crate) use test::{SandboxArgs, SandboxMode, TestArgs};
pub(crate) use tree::{TreeArgs, ViewArg};

/// Make a failing input as small as possible: a file, several files or a directory.
///
/// lop runs TEST on ever smaller candidates and keeps those that are interesting, that is, those for which
/// TEST exits with 0. TEST runs in a private directory that holds the candidate under FILE's name; the
/// candidate's path is its first argument, and the candidate's content is its standard input. Other files
/// that TEST needs are put into that directory by --with; $LOP_DIR is the directory of the original,
/// $LOP_FILE its path, and $TMPDIR a private directory for temporary files.
///
/// Instead of TEST, lop can run COMMAND, with `{}` (or `@@`) replaced by the candidate's path; without any, the
/// candidate's content is its standard input. A candidate is then interesting if COMMAND fails in the same way as
/// on the original.
///
/// The options under "Property" replace these definitions of "interesting".
#[derive(Clone, Debug, Parser)]
#[command(
    name = "lop",
    version,
    override_usage = "lop [OPTIONS] TEST FILE…\n       lop [OPTIONS] TEST DIR\n       lop [OPTIONS] FILE… -- COMMAND {}\n       lop --resume\n       lop batch DIR -- COMMAND {}\n       lop compare TEST FILE --strategies A,B,C\n       lop gen --generator COMMAND TEST CHOICES\n       lop tmin FILE -- TARGET {}\n       lop init FILE\n       lop doctor TEST FILE\n       lop history FILE [N]\n       lop learn PATH… -o MODEL\n       lop model MODEL [LABEL]\n       lop helpers DIR\n       lop tree FILE\n       lop grammar check GRAMMAR…\n       lop sandbox -- COMMAND\n       lop languages\n       lop strategies\n       lop completions SHELL\n       lop man DIR\n       lop self-test\n       lop help SUBCOMMAND",
    after_help = exit::help(),
    args_conflicts_with_subcommands = true,
    args_override_self = true
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

    /// Strategy to use instead of the default; `lop strategies` explains them.
    #[arg(long, value_name = "STRATEGY", help_heading = "Search", conflicts_with_all = ["fast", "thorough"])]
    pub(crate) strategy: Option<Strategy>,

    /// Do not read options from a lop.toml beside the input or above it.
    #[arg(long, help_heading = "Output")]
    pub(crate) no_config: bool,

    /// The lop.toml whose options are among these.
    #[arg(skip)]
    pub(crate) config: Option<PathBuf>,
}

/// The arguments that every reduction of files has: the test, the input, the property and the limits.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct QuestionArgs {
    /// The test, then the files or the directory to reduce, `-` for standard input; no test if `-- COMMAND` follows.
    #[arg(value_name = "TEST FILE", num_args = 0..)]
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

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

#[derive(Clone, Debug, clap::Subcommand)]
pub(crate) enum Subcommand {
    /// List the algorithms, units, reducers and passes that strategies are made of.
    Strategies,
    /// List the languages and formats that lop knows.
    Languages,
    /// Show a file's syntax tree: which nodes can be removed, and what can replace them.
    Tree(TreeArgs),
    /// Reduce many inputs, such as the crashes of a fuzzer, side by side.
    ///
    /// Inputs that fail in the same way are grouped, and one of each group is reduced. -j is the number of tests of all jobs together;
    /// other options, such as --max-time, are those of each job. The same command goes on with a batch that was stopped, and reduces
    /// only what is new or changed.
    ///
    /// It exits with 0 if no job failed, 3 if no input fails at all, 10 if some jobs failed, and 130 if it was interrupted.
    #[command(
        override_usage = "lop batch [OPTIONS] DIR -- COMMAND {}\n       lop batch [OPTIONS] DIR --test TEST\n       lop batch [OPTIONS] jobs.toml"
    )]
    Batch(Box<BatchArgs>),
    /// Reduce a file by several strategies, and compare their results, tests and time.
    ///
    /// No result is written. --max-tests and --max-time apply to each strategy.
    #[command(
        override_usage = "lop compare [OPTIONS] TEST FILE --strategies A,B,C\n       lop compare [OPTIONS] FILE --strategies A,B,C -- COMMAND {}"
    )]
    Compare(Box<CompareArgs>),
    /// Reduce the random choices of a generator, not its output; with --find, search for an interesting case.
    ///
    /// The generator makes a test case from the choices in CHOICES, and TEST judges the test case. The result is the
    /// simplest interesting test case that the generator can make.
    #[command(
        override_usage = "lop gen [OPTIONS] --generator COMMAND TEST CHOICES\n       lop gen [OPTIONS] --generator COMMAND CHOICES -- COMMAND {}\n       lop gen --find --generator COMMAND TEST CHOICES\n       lop gen --clients DIR"
    )]
    Gen(Box<GenArgs>),
    /// Reduce the input of a fuzz target that decodes its bytes as choices: fewer and smaller bytes.
    #[command(
        override_usage = "lop tmin [OPTIONS] FILE -- TARGET {}\n       lop tmin [OPTIONS] TEST FILE"
    )]
    Tmin(Box<TminArgs>),
    /// Write a test for a usual situation, and try it on the file.
    ///
    /// What is not given by options is asked for.
    Init(InitArgs),
    /// Find out what is wrong with a test before hours are spent with it.
    #[command(
        override_usage = "lop doctor [OPTIONS] TEST FILE\n       lop doctor [OPTIONS] FILE -- COMMAND {}"
    )]
    Doctor(Box<DoctorArgs>),
    /// List the accepted steps of a run, or print the text after one of them.
    #[command(override_usage = "lop history FILE\n       lop history FILE N")]
    History(HistoryArgs),
    /// Learn from a corpus how its language is used, for --model.
    ///
    /// The model has, for each label of the language, the mandatory edges (those that all nodes of that label have) and
    /// the contexts in which there were such nodes. Files that are binary, larger than 4 MB, in another language or full
    /// of syntax errors are skipped and counted, and so are hidden directories. Ctrl-C writes what was learned so far, and
    /// exits with 130. The same command then goes on: a model remembers the files that it was learned from, by their
    /// content, and counts none of them twice.
    #[command(override_usage = "lop learn [OPTIONS] PATH… -o MODEL")]
    Learn(LearnArgs),
    /// Explain a model that `lop learn` wrote: its languages and labels, or one label.
    Model(ModelArgs),
    /// Write the modules for tests that stay (--serve) to a directory: Python, JavaScript and Java.
    Helpers {
        /// The directory.
        directory: PathBuf,
    },
    /// Run a command in the sandbox of --sandbox, to try a test there.
    ///
    /// The command has the working directory and what --allow names to write to. It ends as the command does.
    #[command(override_usage = "lop sandbox [--partial] [--allow PATH]… -- COMMAND…")]
    Sandbox(SandboxArgs),
    /// Check, show and try grammars of ANTLR.
    #[command(subcommand)]
    Grammar(GrammarCommand),
    /// Print a script that completes lop's options and subcommands in a shell.
    ///
    /// For bash: lop completions bash > ~/.local/share/bash-completion/completions/lop
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual pages of lop and its subcommands to a directory.
    ///
    /// For man: lop man ~/.local/share/man/man1
    Man {
        /// The directory.
        #[arg(value_name = "DIR")]
        directory: PathBuf,

        /// Write the reference of the book instead, as Markdown: options, exit codes, words of strategies, languages.
        #[arg(long)]
        markdown: bool,
    },
    /// Reduce a few small inputs to see whether this installation works.
    SelfTest,
}

/// The options that choose the format of the input.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Language")]
pub(crate) struct FormatArgs {
    /// Language or format of the input; `lop languages` lists them [default: by file name and first line].
    #[arg(long, value_name = "NAME", conflicts_with = "grammar_lib")]
    pub(crate) language: Option<String>,

    /// Name of the candidate's file in the directory of the test [default: FILE's name; for standard input, `stdin`].
    #[arg(long = "as", value_name = "NAME", value_parser = file_name)]
    pub(crate) name: Option<PathBuf>,

    /// Model of the language, from `lop learn`: nodes are removed and replaced only where the corpus shows that people
    /// write such code; may be given several times.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Vec<PathBuf>,

    /// ANTLR v4 grammar (*.g4) of another language; given twice for a lexer and a parser. Imported grammars are found beside it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["language", "grammar_lib"])]
    pub(crate) grammar: Vec<PathBuf>,

    /// Rule of --grammar that the input is parsed with [default: the first that no other rule uses].
    #[arg(long, value_name = "RULE", requires = "grammar")]
    pub(crate) start: Option<String>,

    #[command(flatten)]
    pub(crate) additions: AdditionArgs,

    /// Tree-sitter parser for another language, as a shared library.
    #[arg(long, value_name = "LIBRARY", requires = "grammar_json")]
    pub(crate) grammar_lib: Option<PathBuf>,

    /// The grammar.json that the parser of --grammar-lib was generated from.
    #[arg(long, value_name = "FILE", requires = "grammar_lib")]
    pub(crate) grammar_json: Option<PathBuf>,
}

/// The property: what makes a candidate interesting.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Property (all given options must hold)")]
pub(crate) struct PropertyArgs {
    /// The test exits with this code.
    #[arg(long, value_name = "CODE", value_parser = clap::value_parser!(i32).range(0..=255))]
    pub(crate) exit: Option<i32>,

    /// The test is killed by this signal: SEGV, ABRT, … or a number.
    #[arg(long, value_name = "NAME", value_parser = parse_signal)]
    pub(crate) signal: Option<i32>,

    /// Standard output matches (its first 256 MB, as for all patterns); may be given several times.
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(crate) stdout: Vec<Regex>,

    /// Standard error matches; may be given several times.
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(crate) stderr: Vec<Regex>,

    /// Standard output does not match; may be given several times.
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(crate) not_stdout: Vec<Regex>,

    /// Standard error does not match; may be given several times.
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(crate) not_stderr: Vec<Regex>,

    /// The test is still running after --timeout.
    #[arg(long, requires = "timeout")]
    pub(crate) hang: bool,

    /// The test takes at least this long, twice in a row; processor time if the original needs as much.
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "hang")]
    pub(crate) slower_than: Option<Duration>,

    /// The test takes more memory than this, with all its processes (Linux only).
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) more_memory_than: Option<u64>,

    /// Accept any exit status; without this, --stdout, --slower-than and the like keep the original's.
    #[arg(long, conflicts_with_all = ["exit", "signal", "hang"])]
    pub(crate) any_exit: bool,

    /// Also save, in OUT.also, candidates for which the test exits with CODE, or, with `crash`, crashes in another way.
    #[arg(long, value_name = "CODE|crash", value_parser = also_interesting)]
    pub(crate) also_interesting: Vec<Also>,

    /// For flaky tests: accept a candidate only if N runs, or N of M, are interesting.
    #[arg(long, value_name = "N[/M]")]
    pub(crate) confirm: Option<Votes>,

    /// Reduce even if the empty file is interesting, or several files with nothing in them.
    #[arg(long)]
    pub(crate) allow_trivial: bool,
}

/// What makes a boring candidate worth saving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Also {
    Exit(u8),
    Crash,
}

fn also_interesting(text: &str) -> Result<Also, String> {
    match text {
        "crash" => Ok(Also::Crash),
        code => code.parse().map(Also::Exit).map_err(|_| "write an exit code, or crash".into()),
    }
}

impl PropertyArgs {
    /// How many runs must agree. A loaded machine makes any test slow once, so a slow one is run twice.
    pub(crate) fn votes(&self) -> Option<Votes> {
        let twice = || self.slower_than.map(|_| "2".parse().expect("two runs are enough to agree"));
        self.confirm.or_else(twice)
    }
}

/// The limits of a test and of the run.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Time limit of a test, such as 5 (seconds), 500ms or 2m [default: 10 times the original's time].
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,

    /// Memory limit of a test with all its processes, such as 500M or 2G.
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) memory: Option<u64>,

    /// Stop after N tests.
    #[arg(long, value_name = "N")]
    pub(crate) max_tests: Option<u64>,

    /// Stop after this time, such as 90 (seconds), 10m or 2h.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) max_time: Option<Duration>,
}

impl LimitArgs {
    /// When the time of what begins now is over.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.max_time.map(|time| Instant::now() + time)
    }
}

/// The options for the result.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Result")]
pub(crate) struct ResultArgs {
    /// Write the result to OUT, `-` for standard output [default: next to FILE, as prog.lop.c for prog.c, or
    /// Main.lop/Main.java for Main.java].
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place")]
    pub(crate) output: Option<PathBuf>,

    /// Overwrite OUT even if it is not a result of lop.
    #[arg(long)]
    pub(crate) force: bool,

    /// Overwrite FILE or DIR with the result; the original is kept as FILE.orig.
    #[arg(long)]
    pub(crate) in_place: bool,

    /// Lay the result out with this formatter; `auto` finds one, `none` leaves the result as it is [default: lop
    /// lays it out like the original]. A layout is kept if it is interesting.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) format: Option<Choice>,

    /// Resume a stopped run; without other arguments, the one whose journal is in this directory.
    #[arg(long)]
    pub(crate) resume: bool,

    /// Begin with step N of the last run instead of FILE; `lop history FILE` lists the steps.
    #[arg(long, value_name = "N")]
    pub(crate) from: Option<usize>,

    /// Write a page about the run to this HTML file: the original and the result, what was removed when, the phases and the tests.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,

    /// Do not write the accepted steps to a file next to the result.
    #[arg(long)]
    pub(crate) no_history: bool,
}

/// The options for progress and messages.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ShowArgs {
    /// Print nothing but errors.
    #[arg(short, long, overrides_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print more, such as the statistics of each phase.
    #[arg(short, long, overrides_with = "quiet")]
    pub(crate) verbose: bool,

    /// Print events on standard output, one JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print lines on a terminal, too, instead of the live view.
    #[arg(long)]
    pub(crate) no_tui: bool,
}

/// The options for the search for candidates.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// Run up to N tests in parallel [default: number of cores].
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    /// Stop after the big cuts: faster, larger result.
    #[arg(long, conflicts_with = "thorough")]
    pub(crate) fast: bool,

    /// Also try what rarely succeeds: slower, smaller result.
    #[arg(long)]
    pub(crate) thorough: bool,

    /// Leave out phases of the strategy: `rename`, `opdd` (over all units) or `opdd:pairs`, for instance; separated by
    /// commas. `lop strategies` explains them.
    #[arg(long, value_name = "PHASE", value_delimiter = ',', value_parser = phase_name)]
    pub(crate) without: Vec<String>,

    /// Keep names as they are: leave out all phases that shorten or exchange them.
    #[arg(long)]
    pub(crate) keep_names: bool,

    /// Test only candidates that parse with no more errors than the original [default: yes for --stdout, --stderr and XML if
    /// the original parses, no for other crashes, hangs and test scripts].
    #[arg(long, value_name = "yes|no", num_args = 0..=1, require_equals = true, hide_possible_values = true)]
    #[arg(default_missing_value = "yes", value_parser = BoolishValueParser::new())]
    pub(crate) valid: Option<bool>,

    /// Keep all text that matches, where it still matches; lines from `lop-keep-begin` to `lop-keep-end` are kept as well.
    #[arg(long, value_name = "REGEX", value_parser = pattern)]
    pub(crate) keep: Vec<Regex>,

    /// Reduce the files that match before all others; may be given several times.
    #[arg(long, value_name = "GLOB")]
    pub(crate) first: Vec<Glob>,

    /// Never change or remove the files that match; may be given several times.
    #[arg(long, value_name = "GLOB")]
    pub(crate) fixed: Vec<Glob>,

    /// File with more rewrite rules: tree-sitter queries, each with a replacement.
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,

    /// File or directory in the same language from which lop takes small replacements, such as `None`.
    #[arg(long, value_name = "PATH")]
    pub(crate) corpus: Vec<PathBuf>,

    /// Seed for algorithms that break ties at random (probdd).
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

impl SearchArgs {
    /// The number of tests that run in parallel.
    pub(crate) fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }

    /// The options besides the strategy that decide which candidates are tried.
    pub(crate) fn steering(&self) -> impl std::fmt::Debug {
        (self.effort(), self.valid, &self.keep, &self.rules, &self.corpus, &self.first, &self.fixed)
    }

    /// The effort of the default strategy.
    pub(crate) fn effort(&self) -> Effort {
        match (self.fast, self.thorough) {
            (true, _) => Effort::Fast,
            (_, true) => Effort::Thorough,
            _ => Effort::Usual,
        }
    }
}

/// A pattern in which `^` and `$` match at line ends, as in grep.
fn pattern(text: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(text).multi_line(true).build()
}

/// The name of a file, without a directory.
fn file_name(text: &str) -> Result<PathBuf, String> {
    match Path::new(text).file_name() {
        Some(name) if name == text => Ok(text.into()),
        _ => Err("write a name without a directory, such as bug.c".into()),
    }
}

/// A time: a number with `ms`, `s`, `m` or `h`; without a unit, seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("write 5 (seconds), 500ms, 10m or 2h".into()),
    };
    let number: f64 =
        number.parse().map_err(|_| "write 5 (seconds), 500ms, 10m or 2h".to_owned())?;
    Duration::try_from_secs_f64(number * seconds)
        .ok()
        .filter(|time| !time.is_zero() && time.as_secs() < 1 << 32)
        .ok_or_else(|| "the time must be more than nothing and less than a century".into())
}

/// A size: a number with `K`, `M`, `G` or `T`; without a unit, bytes.
fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text);
    let shift = match unit.trim_end_matches(['B', 'b', 'i']) {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        "T" | "t" => 40,
        _ => return Err("write 500M or 2G".into()),
    };
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 => Ok((number * (1u64 << shift) as f64) as u64),
        _ => Err("write 500M or 2G".into()),
    }
}

/// A size in which a process can run: whoever writes 500 means 500M.
fn memory(text: &str) -> Result<u64, String> {
    match size(text)? {
        less if less < 1 << 20 => {
            Err("no process runs in less than a megabyte; write 500M or 2G".into())
        }
        size => Ok(size),
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
