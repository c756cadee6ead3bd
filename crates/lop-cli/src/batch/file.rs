//! The jobs of a file such as `jobs.toml`: a table `[defaults]`, and a table `[[job]]` for each.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::Arg;
use toml::{Table, Value};

use super::jobs::{Job, Jobs, NOT_OF_JOBS, Test, of_jobs, tell_apart};
use crate::args::BatchArgs;
use crate::config;
use crate::exit::Failure;
use crate::reading::cure;
use crate::template;

/// The keys of a job besides options.
const KEYS: [&str; 5] = ["input", "test", "command", "name", "priority"];

/// The jobs of a file. Paths in it are relative to its directory, which becomes the current one.
pub(super) fn jobs(args: &BatchArgs, file: &Path, given: &[OsString]) -> Result<Jobs, Failure> {
    let wrong = |why: &str, help: &str| config::wrong(file, why, help);
    let table = config::read(file, "check the path, and make it readable")?;
    let known = ["defaults", "job"];
    if let Some(key) = table.keys().find(|key| !known.contains(&&key[..])) {
        let help = match lop::similar(key, known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "it has a table [defaults], and tables [[job]] with `input` and `test`".into(),
        };
        return Err(wrong(&format!("there is no table `{key}`"), &help));
    }
    let mut defaults = match table.get("defaults") {
        None => Table::new(),
        Some(Value::Table(defaults)) => defaults.clone(),
        Some(_) => return Err(wrong("`defaults` is not a table", "write [defaults]")),
    };
    let jobs: Vec<Table> = match table.get("job") {
        None => Vec::new(),
        Some(Value::Array(jobs)) => {
            let tables = jobs.iter().map(|job| job.as_table().cloned()).collect::<Option<_>>();
            tables.ok_or_else(|| wrong("a `job` is not a table", "write [[job]] for each"))?
        }
        Some(_) => return Err(wrong("`job` is not a list of tables", "write [[job]] for each")),
    };
    if jobs.is_empty() {
        let help = "write a table for each: [[job]], input = \"…\", test = \"…\"";
        return Err(wrong("there are no jobs", help));
    }
    let workers = match (args.options.search.jobs, defaults.remove("jobs")) {
        (None, Some(Value::Integer(jobs))) if (1..=1024).contains(&jobs) => jobs as usize,
        (None, Some(_)) => {
            return Err(wrong("`jobs` is not a number from 1 to 1024", "correct it"));
        }
        _ => args.options.search.workers(),
    };
    let all = of_jobs();
    let names: Vec<&str> = all.iter().filter_map(Arg::get_long).chain(KEYS).collect();
    config_keys(file, &defaults, &names)?;
    let (common, usual) = split(defaults);
    let (common, options) =
        (Own::read(file, common, "[defaults]")?, config::words(file, &usual, &names)?);
    let mut list = Vec::new();
    for (index, job) in jobs.into_iter().enumerate() {
        config_keys(file, &job, &names)?;
        let (own, more) = split(job);
        let place = format!("job {}", index + 1);
        let own = Own::read(file, own, &place)?;
        let input =
            own.input.ok_or_else(|| wrong(&format!("{place} has no `input`"), "name its file"))?;
        let test = own.test.or(common.test.clone()).ok_or_else(|| {
            let why = format!("{place} (`{}`) has neither `test` nor `command`", input.display());
            wrong(&why, "add one of them to the job, or to [defaults]")
        })?;
        let more = config::words(file, &more, &names)?;
        let options = [&options[..], &more, given].concat();
        let name = own.name.unwrap_or_else(|| input.file_name().unwrap_or_default().to_owned());
        let priority = own.priority.or(common.priority).unwrap_or(0);
        list.push(Job { name, input, priority, options, test, no_config: args.no_config });
    }
    tell_apart(&mut list);
    let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(directory) = directory {
        std::env::set_current_dir(directory)
            .map_err(|error| wrong(&error.to_string(), cure(&error)))?;
    }
    let source = Path::new(file.file_stem().unwrap_or_default()).to_owned();
    Ok(Jobs { list, source, workers, is_one_test: false, skipped: Vec::new() })
}

/// Refuses keys that neither jobs nor their runs have.
fn config_keys(file: &Path, table: &Table, names: &[&str]) -> Result<(), Failure> {
    let Some(key) = table.keys().find(|key| !names.contains(&&key[..])) else { return Ok(()) };
    let help = match lop::similar(key, names.iter().copied()) {
        _ if NOT_OF_JOBS.contains(&&key[..]) => "it is an option of lop batch, not of a job".into(),
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("the keys are {}, and options of lop without dashes", KEYS.join(", ")),
    };
    Err(config::wrong(file, &format!("there is no option `{key}`"), &help))
}

/// The keys of a job, and its options.
fn split(table: Table) -> (Table, Table) {
    table.into_iter().partition(|(key, _)| KEYS.contains(&&key[..]))
}

/// The keys of a job besides options.
#[derive(Default)]
struct Own {
    input: Option<PathBuf>,
    test: Option<Test>,
    name: Option<OsString>,
    priority: Option<i64>,
}

impl Own {
    fn read(file: &Path, table: Table, place: &str) -> Result<Self, Failure> {
        let mut own = Own::default();
        let wrong = |key: &str, help: &str| {
            config::wrong(file, &format!("the `{key}` of {place} makes no sense"), help)
        };
        if table.contains_key("test") && table.contains_key("command") {
            return Err(wrong("command", "there is a `test` as well: leave out one of them"));
        }
        for (key, value) in table {
            match (&key[..], value) {
                ("input", Value::String(path)) if place != "[defaults]" => {
                    own.input = Some(path.into())
                }
                ("input", _) => return Err(wrong(&key, "each job names its file or directory")),
                ("test", Value::String(path)) => own.test = Some(Test::Script(path.into())),
                ("test", _) => return Err(wrong(&key, "name a script or program")),
                ("command", Value::String(command)) => {
                    own.test = Some(Test::Command(words(&command)))
                }
                ("command", Value::Array(words)) if !words.is_empty() => {
                    let words = words.iter().map(|word| word.as_str().map(OsString::from));
                    let words = words.collect::<Option<_>>();
                    let words = words.ok_or_else(|| wrong(&key, "write its words as texts"))?;
                    own.test = Some(Test::Command(words));
                }
                ("command", _) => {
                    return Err(wrong(&key, "write a shell command, or a list of words"));
                }
                ("name", Value::String(name)) if is_name(&name) => own.name = Some(name.into()),
                ("name", _) => {
                    return Err(wrong(&key, "write the name of a file, without a directory"));
                }
                ("priority", Value::Integer(number)) => own.priority = Some(number),
                (_, _) => return Err(wrong(&key, "write a number; the highest comes first")),
            }
        }
        Ok(own)
    }
}

fn is_name(name: &str) -> bool {
    Path::new(name).file_name() == Some(OsStr::new(name))
}

/// The words of a command. A command that only a shell understands is one word, which a shell reads.
fn words(command: &str) -> Vec<OsString> {
    let is_plain = |sign: char| sign.is_alphanumeric() || " -_./=:,+@%{}'\"".contains(sign);
    match template::split(command) {
        Ok(words) if command.chars().all(is_plain) => words.into_iter().map(Into::into).collect(),
        _ => vec![command.into()],
    }
}
