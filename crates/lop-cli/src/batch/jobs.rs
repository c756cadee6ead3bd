//! The jobs of a batch: one for each file of a directory, or those of a file with jobs.
//!
//! A job is the command line of a run, so all options mean the same as there.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory, Parser};

use super::store::RESULTS;
use crate::args::{Args, BatchArgs};
use crate::config;
use crate::exit::{Code, Failure};
use crate::paths::suffixed;
use crate::plan::Plan;
use crate::reading::cure;
use crate::resume::fingerprint;

/// Files that fuzzers write next to their crashes.
const NOT_CRASHES: [&str; 2] = ["README.txt", "HONGGFUZZ.REPORT.TXT"];
/// Options that concern the batch, or a run that a user watches.
pub(super) const NOT_OF_JOBS: [&str; 10] = [
    "jobs",
    "output",
    "force",
    "in-place",
    "report",
    "no-history",
    "quiet",
    "verbose",
    "json",
    "no-tui",
];

/// The longest name of a result: files next to it have longer names.
const LONGEST: usize = 200;

/// The jobs and their common settings.
pub(super) struct Jobs {
    pub(super) list: Vec<Job>,
    /// By default, the results are next to this path.
    pub(super) source: PathBuf,
    /// The number of tests at the same time.
    pub(super) workers: usize,
    /// Whether all jobs have the same test.
    pub(super) is_one_test: bool,
    /// Files that are not inputs.
    pub(super) skipped: Vec<PathBuf>,
}

/// A planned run.
pub(super) struct Job {
    /// The name of its result.
    pub(super) name: OsString,
    pub(super) input: PathBuf,
    /// Jobs with a higher one start first.
    pub(super) priority: i64,
    pub(super) options: Vec<OsString>,
    pub(super) test: Test,
    pub(super) no_config: bool,
}

#[derive(Clone)]
pub(super) enum Test {
    Script(PathBuf),
    Command(Vec<OsString>),
}

impl Job {
    /// The plan of the run.
    pub(super) fn plan(
        &self,
        output: &Path,
        workers: usize,
        resume: bool,
    ) -> Result<Plan, Failure> {
        let words = self.words(output, workers, resume);
        let args = Args::try_parse_from(&words).map_err(|error| self.wrong(&error))?;
        Plan::new(config::applied(args, &words)?)
    }

    /// Checks the options, without reading any file.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let words = self.words(Path::new("x"), 1, false);
        Args::try_parse_from(words).map(drop).map_err(|error| self.wrong(&error))
    }

    fn wrong(&self, error: &clap::Error) -> Failure {
        let text = error.to_string();
        let why = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        Failure::new(Code::Usage, format!("the job `{}`: {why}", self.name.display()))
            .help("the keys and values are those of options, as lop --help lists them")
    }

    /// The command line.
    fn words(&self, result: &Path, workers: usize, resume: bool) -> Vec<OsString> {
        let mut output = OsString::from("--output=");
        output.push(result);
        let flags = [("--resume", resume), ("--no-config", self.no_config)];
        let flags = flags.iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| (*flag).into());
        let usual = ["--force".into(), "--no-history".into(), "--quiet".into()];
        let own = [output, format!("--jobs={workers}").into()].into_iter().chain(usual);
        let words = std::iter::once("lop".into()).chain(self.options.iter().cloned());
        let words = words.chain(own).chain(flags);
        let input = argument(&self.input);
        match &self.test {
            Test::Script(test) => words.chain([argument(test), input]).collect(),
            Test::Command(command) => {
                words.chain([input, "--".into()]).chain(command.iter().cloned()).collect()
            }
        }
    }
}

/// A path as an argument that is never mistaken for an option or for standard input.
fn argument(path: &Path) -> OsString {
    match path.as_os_str().as_bytes().starts_with(b"-") {
        true => Path::new(".").join(path).into(),
        false => path.into(),
    }
}

/// One job for each file.
pub(super) fn in_directories(args: &BatchArgs, given: &[OsString]) -> Result<Jobs, Failure> {
    let test = match (&args.script, &args.command[..]) {
        (Some(test), _) => Test::Script(test.clone()),
        (None, []) => {
            return Err(Failure::new(Code::Usage, "the test of the batch is missing")
                .help("usage: lop batch DIR -- COMMAND {}\n       lop batch DIR --test TEST"));
        }
        (None, command) => Test::Command(command.to_vec()),
    };
    if let Test::Script(script) = &test
        && !script.exists()
        && script.as_os_str().as_bytes().contains(&b' ')
    {
        let message = format!("--test names a script, and there is no `{}`", script.display());
        let help = format!("write a command behind --: lop batch … -- {}", script.display());
        return Err(Failure::new(Code::Usage, message).help(help));
    }
    // A broken link is an input that cannot be read.
    if let Some(path) = args.paths.iter().find(|path| path.symlink_metadata().is_err()) {
        let message = format!("there is no input or directory `{}`", path.display());
        return Err(Failure::new(Code::Input, message).help("check the path"));
    }
    let (mut inputs, mut skipped) = (Vec::new(), Vec::new());
    for path in &args.paths {
        match path.is_dir() {
            true => in_directory(path, &mut inputs, &mut skipped)?,
            false => inputs.push(path.clone()),
        }
    }
    let mut seen = BTreeSet::new();
    inputs.retain(|path| seen.insert(std::path::absolute(path).unwrap_or_else(|_| path.clone())));
    if inputs.is_empty() {
        let paths: Vec<_> = args.paths.iter().map(|path| format!("`{}`", path.display())).collect();
        let message = format!("there are no inputs in {}", paths.join(" and "));
        let help = "name the directory that has them; directories in it are not searched";
        return Err(Failure::new(Code::Input, message).help(help));
    }
    let source = match &args.paths[..] {
        [only] if only.is_dir() && only.file_name().is_none() => {
            fs::canonicalize(only).unwrap_or_else(|_| only.clone())
        }
        [only] => only.components().collect(),
        _ => "batch".into(),
    };
    let job = |input: PathBuf| {
        let (options, test) = (given.to_vec(), test.clone());
        let name = input.file_name().unwrap_or_default().to_owned();
        Job { name, input, priority: 0, options, test, no_config: args.no_config }
    };
    let mut list: Vec<Job> = inputs.into_iter().map(job).collect();
    tell_apart(&mut list);
    let workers = args.options.search.workers();
    Ok(Jobs { list, source, workers, is_one_test: true, skipped })
}

/// The files in a directory, in order, except hidden ones and known non-inputs.
fn in_directory(
    directory: &Path,
    inputs: &mut Vec<PathBuf>,
    skipped: &mut Vec<PathBuf>,
) -> Result<(), Failure> {
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| {
        let message = format!("cannot read the directory `{}`: {error}", directory.display());
        Failure::new(Code::Input, message).help(cure(&error))
    })?;
    let mut names: Vec<OsString> = entries.into_iter().map(|entry| entry.file_name()).collect();
    names.sort();
    for name in names {
        let path = directory.join(&name);
        let is_input = !name.as_bytes().starts_with(b".")
            && !NOT_CRASHES.iter().any(|other| name == *other)
            && path.is_file();
        if is_input { inputs.push(path) } else { skipped.push(path) }
    }
    Ok(())
}

/// Renames inputs with the same name in several directories, and those whose names leave no room for the names of other
/// files. The names depend only on the paths of the inputs.
pub(super) fn tell_apart(jobs: &mut [Job]) {
    let mut count: BTreeMap<OsString, usize> = BTreeMap::new();
    jobs.iter().for_each(|job| *count.entry(job.name.clone()).or_default() += 1);
    let is_good = |name: &OsString| count[name] == 1 && name != RESULTS && name.len() <= LONGEST;
    for job in jobs.iter_mut().filter(|job| !is_good(&job.name)) {
        let path = std::path::absolute(&job.input).unwrap_or_else(|_| job.input.clone());
        let path = path.as_os_str().as_bytes().to_vec();
        let word = fingerprint(&path.into());
        let stem = job.input.file_stem().unwrap_or_default().as_bytes();
        let stem = OsStr::from_bytes(&stem[..stem.len().min(LONGEST / 2)]);
        let mut name = suffixed(Path::new(stem), &format!("-{}", &word[..8])).into_os_string();
        if let Some(extension) = job.input.extension().filter(|it| it.len() < LONGEST / 4) {
            name.push(".");
            name.push(extension);
        }
        job.name = name;
    }
}

/// The options of a run that jobs may have.
pub(super) fn of_jobs() -> Vec<Arg> {
    let mut all = config::keys(&Args::command());
    all.retain(|option| !option.get_long().is_some_and(|name| NOT_OF_JOBS.contains(&name)));
    all
}

/// The options of runs that the command line has, as words.
pub(super) fn given() -> Vec<OsString> {
    let matches = Args::command().try_get_matches().ok();
    let matches = matches.as_ref().and_then(|matches| matches.subcommand_matches("batch"));
    matches
        .map(|matches| of_jobs().iter().flat_map(|option| written(matches, option)).collect())
        .unwrap_or_default()
}

/// An option as the user wrote it, if it is given.
fn written(matches: &ArgMatches, option: &Arg) -> Vec<OsString> {
    let (id, name) = (option.get_id().as_str(), option.get_long().unwrap_or_default());
    let is_given = matches.try_contains_id(id).unwrap_or(false)
        && matches.value_source(id) == Some(ValueSource::CommandLine);
    if !is_given {
        return Vec::new();
    }
    if !option.get_action().takes_values() {
        return vec![format!("--{name}").into()];
    }
    let word = |value: &OsStr| {
        let mut word = OsString::from(format!("--{name}="));
        word.push(value);
        word
    };
    matches.get_raw(id).into_iter().flatten().map(word).collect()
}
