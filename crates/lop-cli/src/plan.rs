//! From the command line to what is to be done; all that can be wrong with files is found here,
//! before anything is run or written.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lop::oracle::command::CommandLine;
use lop::oracle::{Property, Requirement};
use lop::{Journal, Text};
use rustix::fs::{Access, access};

use crate::args::{Args, PropertyArgs};
use crate::command;
use crate::exit::{Code, Failure};
use crate::resume::Header;

/// What is to be done.
pub(crate) struct Plan {
    pub(crate) args: Args,
    /// The file as the user named it.
    pub(crate) input: PathBuf,
    pub(crate) text: Text,
    pub(crate) permissions: Permissions,
    pub(crate) command: CommandLine,
    /// The script or command as the user wrote it.
    pub(crate) test: String,
    /// What must stay, as far as it was said.
    pub(crate) property: Option<Property>,
    pub(crate) output: PathBuf,
    /// Where the original is kept if the file itself is reduced.
    pub(crate) backup: Option<PathBuf>,
    pub(crate) journal: PathBuf,
    pub(crate) header: Header,
    /// The run that is resumed.
    pub(crate) earlier: Option<Header>,
    pub(crate) workers: usize,
}

impl Plan {
    /// Checks the command line against the files it names.
    pub(crate) fn new(args: Args) -> Result<Self, Failure> {
        let (test, input) = test_and_input(&args)?;
        let output = output(&args, &input)?;
        let journal = suffixed(&output, ".journal");
        if Journal::is_busy(&journal) {
            let message = format!("another lop is writing to `{}`", output.display());
            return Err(Failure::new(Code::Output, message)
                .help("wait for it, or choose another place with -o OUT"));
        }
        let earlier = Header::of_resumed(&args, &journal)?;
        let backup = match &earlier {
            Some(header) => header.backup(),
            None => args.result.in_place.then(|| backup(&output)),
        };
        // After an interrupted --in-place run, the original is in the backup.
        let source = backup.as_ref().filter(|_| earlier.is_some()).unwrap_or(&input);
        let (text, permissions) =
            read(source, "check its path; the test comes first: lop TEST FILE")?;
        if text.is_empty() {
            let message =
                format!("the input `{}` is empty: there is nothing to reduce", source.display());
            return Err(Failure::new(Code::Input, message));
        }
        let command = match &test {
            Some(test) => {
                command::from_script(test).map_err(|failure| swapped(failure, test, &input))?
            }
            None => command::from_words(&args.command, &input)?,
        };
        writable(&output)?;
        let property = property(&args.property, test.is_some());
        let test = match &test {
            Some(test) => test.display().to_string(),
            None => words(&args.command),
        };
        let header = Header::new(&args, &text, &command, backup.as_deref());
        if let Some(earlier) = &earlier {
            earlier.matches(&header)?;
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let workers = args.search.jobs.map_or_else(cores, usize::from);
        Ok(Plan {
            input,
            text,
            permissions,
            command,
            test,
            property,
            output,
            backup,
            journal,
            header,
            earlier,
            workers,
            args,
        })
    }

    /// The candidate's name.
    pub(crate) fn name(&self) -> &OsStr {
        self.input.file_name().expect("a file has a name")
    }

    /// Whether this run goes on with another one.
    pub(crate) fn resumes(&self) -> bool {
        self.earlier.is_some()
    }
}

fn test_and_input(args: &Args) -> Result<(Option<PathBuf>, PathBuf), Failure> {
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

fn output(args: &Args, input: &Path) -> Result<PathBuf, Failure> {
    let Some(output) = &args.result.output else {
        return Ok(if args.result.in_place {
            // What a link points to is reduced.
            fs::canonicalize(input).unwrap_or_else(|_| input.to_owned())
        } else {
            beside(input)
        });
    };
    if command::is_same_file(output, input) {
        return Err(Failure::new(
            Code::Usage,
            format!("the output `{}` is the input itself", output.display()),
        )
        .help("use --in-place, which keeps a backup"));
    }
    if output.is_dir() {
        return Err(Failure::new(
            Code::Output,
            format!("the output `{}` is a directory", output.display()),
        )
        .help(format!(
            "name a file: -o {}",
            output.join(input.file_name().unwrap_or_default()).display()
        )));
    }
    // What the shell made of the standard output is not for lop to replace.
    if ["/dev", "/proc"].iter().any(|place| output.starts_with(place)) {
        return Err(not_regular(output));
    }
    // A link stays a link.
    let output = fs::canonicalize(output).unwrap_or_else(|_| output.clone());
    if output.exists() && !output.is_file() {
        return Err(not_regular(&output));
    }
    Ok(output)
}

fn not_regular(output: &Path) -> Failure {
    let message = format!("the output `{}` is not a regular file", output.display());
    Failure::new(Code::Output, message)
        .help("the result replaces the file at every improvement: name a regular one")
}

/// `prog.c` becomes `prog.lop.c`, `prog` becomes `prog.lop`.
fn beside(input: &Path) -> PathBuf {
    match (input.file_stem(), input.extension()) {
        (Some(stem), Some(extension)) => {
            let parts = [stem, OsStr::new(".lop."), extension];
            input.with_file_name(parts.into_iter().collect::<OsString>())
        }
        _ => suffixed(input, ".lop"),
    }
}

/// `FILE.orig`, or `FILE.orig.2` and so on: an earlier backup is never overwritten.
fn backup(file: &Path) -> PathBuf {
    let numbered = (2..).map(|number| suffixed(file, &format!(".orig.{number}")));
    std::iter::once(suffixed(file, ".orig"))
        .chain(numbered)
        .find(|path| !path.exists())
        .expect("some number is free")
}

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Finds out whether a file can be replaced, which takes a directory that can be written.
fn writable(output: &Path) -> Result<(), Failure> {
    access(directory(output), Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|error| cannot_write(output, &error.into()))
}

fn directory(file: &Path) -> &Path {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// The message for a result that cannot be written.
pub(crate) fn cannot_write(output: &Path, error: &io::Error) -> Failure {
    let help = match error.kind() {
        ErrorKind::NotFound => {
            format!("create the directory: mkdir -p {}", command::quoted(directory(output)))
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "the disk is full: free some space, or choose another place with -o OUT".into()
        }
        _ => "choose another place with -o OUT".into(),
    };
    let message = format!("cannot write the result to `{}`: {error}", output.display());
    Failure::new(Code::Output, message).help(help)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_lies_beside_the_input() {
        for (input, output) in [
            ("prog.c", "prog.lop.c"),
            ("dir/a.tar.gz", "dir/a.tar.lop.gz"),
            ("Makefile", "Makefile.lop"),
            (".profile", ".profile.lop"),
        ] {
            assert_eq!(beside(Path::new(input)), Path::new(output));
        }
    }
}
