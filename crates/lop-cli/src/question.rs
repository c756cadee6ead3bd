//! What is asked: of which input, by which command, and what must stay.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lop::oracle::command::CommandLine;
use lop::oracle::{Property, Requirement};
use lop::tree::{Format, Tree};
use lop::{Reduction, Text};

use crate::args::{PropertyArgs, QuestionArgs};
use crate::command;
use crate::exit::{Code, Failure};
use crate::format;

/// What is asked, checked against the files that it names.
pub(crate) struct Question {
    pub(crate) args: QuestionArgs,
    /// The file as the user named it.
    pub(crate) input: PathBuf,
    pub(crate) text: Text,
    pub(crate) permissions: Permissions,
    pub(crate) format: Format,
    pub(crate) command: CommandLine,
    /// The script or command as the user wrote it.
    pub(crate) test: String,
    /// What must stay, as far as it was said.
    pub(crate) property: Option<Property>,
    pub(crate) workers: usize,
}

impl Question {
    /// Reads the input, which may have been moved elsewhere, and looks for the test.
    pub(crate) fn new(args: QuestionArgs, source: Option<&Path>) -> Result<Self, Failure> {
        let (test, input) = test_and_input(&args)?;
        let source = source.unwrap_or(&input);
        let (text, permissions) =
            read(source, "check its path; the test comes first: lop TEST FILE")?;
        if text.is_empty() {
            let message =
                format!("the input `{}` is empty: there is nothing to reduce", source.display());
            return Err(Failure::new(Code::Input, message));
        }
        let format = format::choose(&args.format, &input, &text)?;
        let command = match &test {
            Some(test) => {
                command::from_script(test).map_err(|failure| swapped(failure, test, &input))?
            }
            None => command::from_words(&args.command, &input)?,
        };
        let property = property(&args.property, test.is_some());
        let test = match &test {
            Some(test) => test.display().to_string(),
            None => words(&args.command),
        };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let workers = args.search.jobs.map_or_else(cores, usize::from);
        Ok(Question { input, text, permissions, format, command, test, property, workers, args })
    }

    /// The candidate's name.
    pub(crate) fn name(&self) -> &OsStr {
        self.input.file_name().expect("a file has a name")
    }

    /// A reduction of the input, which keeps nothing on disk.
    pub(crate) fn reduction(
        &self,
        judge: Arc<dyn lop::oracle::Oracle>,
        stop: &lop::Cancel,
    ) -> Reduction {
        Reduction {
            workers: self.workers,
            seed: self.args.search.seed,
            max_tests: self.args.limits.max_tests,
            max_time: self.args.limits.max_time,
            stop: stop.clone(),
            ..Reduction::of(self.text.clone(), self.format.clone(), judge)
        }
    }

    /// Whether a strategy can be used on the input.
    pub(crate) fn allows(&self, strategy: &lop::Strategy) -> Result<(), Failure> {
        match strategy.uses_trees() && self.text.len() > Tree::LONGEST {
            false => Ok(()),
            true => Err(format::too_long(&self.input)
                .help("cut it first with a strategy over lines, such as ddmin:lines")),
        }
    }
}

pub(crate) fn test_and_input(args: &QuestionArgs) -> Result<(Option<PathBuf>, PathBuf), Failure> {
    let usage = "usage: lop TEST FILE\n       lop FILE -- COMMAND {}";
    let wrong = |message: &str| Err(Failure::new(Code::Usage, message).help(usage));
    match (&args.paths[..], args.command.is_empty()) {
        ([test, input], true) => Ok((Some(test.clone()), input.clone())),
        ([input], false) => Ok((None, input.clone())),
        ([], true) => wrong("no test and no file to reduce are given"),
        ([_], true) => wrong("a test and a file to reduce are needed, but only one word is given"),
        ([], false) => wrong("no file to reduce is given before `--`"),
        ([_, _, ..], false) => wrong("there is both a test and a command after `--`"),
        ([_, _, _, ..], true) => wrong("one file is reduced at a time, but more words are given"),
    }
}

/// A script that is no script, and a file that is: the two were exchanged.
fn swapped(failure: Failure, test: &Path, input: &Path) -> Failure {
    let is_script = |path: &Path| fs::read(path).is_ok_and(|start| start.starts_with(b"#!"));
    if is_script(input) && !is_script(test) {
        return failure.help(format!(
            "the test comes first: lop {} {}",
            input.display(),
            test.display()
        ));
    }
    failure
}

/// Reads a file; what helps if it does not exist depends on where its name comes from.
pub(crate) fn read(input: &Path, hint: &str) -> Result<(Text, Permissions), Failure> {
    let shown = input.display();
    let wrong = |message: String| Failure::new(Code::Input, message);
    let metadata = fs::metadata(input).map_err(|error| match error.kind() {
        ErrorKind::NotFound => wrong(format!("the input `{shown}` does not exist")).help(hint),
        _ => wrong(format!("cannot look at the input `{shown}`: {error}")),
    })?;
    if metadata.is_dir() {
        return Err(
            wrong(format!("the input `{shown}` is a directory")).help("name a single file in it")
        );
    }
    if !metadata.is_file() {
        return Err(wrong(format!("the input `{shown}` is not a regular file"))
            .help("write what it gives to a file first"));
    }
    let text = fs::read(input).map_err(|error| {
        wrong(format!("cannot read the input `{shown}`: {error}"))
            .help(format!("chmod +r {shown}, or run lop as its owner"))
    })?;
    Ok((Arc::new(text), metadata.permissions()))
}

/// What must stay: what was said, exit 0 for a script, or to be found out for a command.
fn property(args: &PropertyArgs, is_script: bool) -> Option<Property> {
    let requirements: Vec<Requirement> = [
        args.exit.map(Requirement::Exit),
        args.signal.map(Requirement::Signal),
        args.hang.then_some(Requirement::Hang),
    ]
    .into_iter()
    .flatten()
    .chain(args.stdout.iter().cloned().map(Requirement::Stdout))
    .chain(args.stderr.iter().cloned().map(Requirement::Stderr))
    .chain(args.not_stdout.iter().cloned().map(Requirement::NotStdout))
    .chain(args.not_stderr.iter().cloned().map(Requirement::NotStderr))
    .collect();
    match requirements.is_empty() {
        false => Some(Property::new(requirements)),
        true if is_script => Some(Property::new(vec![Requirement::Exit(0)])),
        true => None,
    }
}

/// A command as it can be typed; a single word is a shell's business as it is.
fn words(command: &[OsString]) -> String {
    match command {
        [script] => script.display().to_string(),
        words => words.iter().map(command::quoted).collect::<Vec<_>>().join(" "),
    }
}
