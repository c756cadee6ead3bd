//! The header of a journal, and whether this run may continue the journal's run.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser;
use lop::oracle::command::CommandLine;
use lop::{Candidate, Journal, Strategy, Text};
use serde::{Deserialize, Serialize};

use crate::args::{Args, LimitArgs};
use crate::command::quoted;
use crate::exit::{Code, Failure};
use crate::input::OWN;
use crate::question::Question;
use crate::reading::regular;

/// The first line of a journal.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The version of lop: another one may try other candidates.
    lop: String,
    directory: Word,
    arguments: Vec<Word>,
    /// The places of the originals of an --in-place run.
    #[serde(default)]
    backups: Vec<Word>,
    /// The limits of a test: with other limits, unresolved candidates may get a verdict.
    limits: String,
    /// The facts that the verdicts depend on, by name; all must be the same.
    same: Vec<(String, String)>,
}

/// A word of a command line; text if it can be.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Word {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<OsString> for Word {
    fn from(word: OsString) -> Self {
        word.into_string().map_or_else(|word| Word::Bytes(word.into_vec()), Word::Text)
    }
}

impl From<Word> for OsString {
    fn from(word: Word) -> Self {
        match word {
            Word::Text(text) => text.into(),
            Word::Bytes(bytes) => OsString::from_vec(bytes),
        }
    }
}

impl Header {
    /// Describes a run.
    pub(crate) fn new(
        question: &Question,
        strategy: Option<&Strategy>,
        backups: &[PathBuf],
    ) -> Self {
        let Question { args, text, command, .. } = question;
        // If the property is a hang, its duration is part of the question.
        let hang = args.property.hang.then_some(args.limits.timeout);
        let same = [
            ("input", fingerprint(text)),
            ("test", format!("{command:?} {}", files_of(command))),
            ("options that define the property", format!("{:?} {hang:?}", args.property)),
            ("language", format!("{} {:?}", question.format.name(), args.format)),
            ("strategy", strategy.map(ToString::to_string).unwrap_or_default()),
            ("options of the search", format!("{:?}", args.search.steering())),
            (
                "rules, the corpus or the model",
                fingerprint(&Arc::new(question.learned().into_bytes())),
            ),
            ("seed", args.search.seed.to_string()),
            ("files of --with", fingerprint_of(&question.with.files)),
        ];
        Header {
            lop: env!("CARGO_PKG_VERSION").into(),
            directory: std::env::current_dir().unwrap_or_default().into_os_string().into(),
            arguments: std::env::args_os().map(Word::from).collect(),
            backups: backups.iter().map(|path| path.as_os_str().to_owned().into()).collect(),
            limits: format!("{:?} {:?}", args.limits.timeout, args.limits.memory),
            same: same.map(|(name, value)| (name.into(), value)).into(),
        }
    }

    /// Adds another fact that the verdicts depend on.
    pub(crate) fn with(mut self, name: &str, value: String) -> Self {
        self.same.push((name.into(), value));
        self
    }

    /// The header of the journal to resume, if there is one.
    pub(crate) fn of_resumed(resume: bool, journal: &Path) -> Result<Option<Self>, Failure> {
        if !resume {
            return Ok(None);
        }
        let shown = journal.display();
        if !journal.exists() {
            return Err(Failure::new(
                Code::Resume,
                format!("there is no journal `{shown}` to resume"),
            )
            .help("a run that was not interrupted leaves none; start it without --resume"));
        }
        Header::read(journal).map(Some)
    }

    /// The header of a journal.
    fn read(journal: &Path) -> Result<Self, Failure> {
        Journal::header(journal).map_err(|error| {
            let message = format!("cannot read the journal `{}`: {error}", journal.display());
            Failure::new(Code::Resume, message).help("start the run again without --resume")
        })
    }

    /// Whether the run is one of `lop gen`, `lop tmin` or `lop batch`, which resume their own runs.
    fn is_of_subcommand(&self) -> bool {
        let word = self.arguments.get(1).cloned().map(OsString::from);
        word.is_some_and(|word| ["gen", "tmin", "batch"].iter().any(|each| word == *each))
    }

    /// A hash of everything that decides how the run ends: two runs with the same one are the same.
    pub(crate) fn identity(&self, limits: &LimitArgs) -> String {
        let Header { lop, limits: of_test, same, .. } = self;
        let limits = (limits.max_tests, limits.max_time);
        fingerprint(&Arc::new(format!("{lop} {of_test} {limits:?} {same:?}").into_bytes()))
    }

    /// Whether there is a journal of a run like this.
    pub(crate) fn exists(journal: &Path, now: &Header) -> bool {
        Journal::header::<Header>(journal).is_ok_and(|earlier| earlier.matches(now).is_ok())
    }

    /// Whether a test has the same limits as in another run.
    pub(crate) fn has_limits_of(&self, other: &Header) -> bool {
        self.limits == other.limits
    }

    /// The places of the originals of an --in-place run.
    pub(crate) fn backups(&self) -> Vec<PathBuf> {
        self.backups.iter().cloned().map(|word| OsString::from(word).into()).collect()
    }

    /// Whether a run may continue the one that is described here.
    pub(crate) fn matches(&self, now: &Header) -> Result<(), Failure> {
        let help = "start the run again without --resume";
        if self.lop != now.lop {
            let message =
                format!("the journal was written by lop {}, this is {}", self.lop, now.lop);
            return Err(Failure::new(Code::Resume, message).help(help));
        }
        let before = |name: &str| self.same.iter().find(|(each, _)| each == name).map(|(_, it)| it);
        match now.same.iter().find(|(name, value)| before(name) != Some(value)) {
            Some((name, _)) => {
                let message = format!("the {name} changed since the run that is to be resumed");
                Err(Failure::new(Code::Resume, message).help(help))
            }
            None => Ok(()),
        }
    }

    /// The command line of the run, without its --resume, and with further words.
    fn command_line(&self, more: impl Iterator<Item = OsString>) -> Vec<OsString> {
        let words: Vec<OsString> = self.arguments.iter().cloned().map(OsString::from).collect();
        let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
        let (options, command) = words.split_at(end);
        let options = options.iter().filter(|word| *word != "--resume").cloned();
        options.chain(more).chain(command.iter().cloned()).collect()
    }
}

/// The command that continues this run.
pub(crate) fn command() -> String {
    let mut words: Vec<String> = std::env::args_os()
        .skip(1)
        .filter(|word| word != "--resume")
        .map(|word| quoted(&word))
        .collect();
    // The name of a subcommand comes first.
    let is_subcommand = words.first().is_some_and(|word| word == "gen" || word == "tmin");
    words.insert(usize::from(is_subcommand), "--resume".into());
    format!("lop {}", words.join(" "))
}

/// `lop --resume` alone continues the run whose journal is in this directory.
///
/// Also returns the words of its command line.
pub(crate) fn recall(args: Args) -> Result<(Args, Vec<OsString>), Failure> {
    if !(args.result.resume && args.question.paths.is_empty() && args.question.command.is_empty()) {
        return Ok((args, std::env::args_os().collect()));
    }
    let (journals, unreadable) = journals();
    let (journal, header) = match &journals[..] {
        [only] => only,
        [] => {
            if let Some(failure) = unreadable {
                return Err(failure);
            }
            return Err(Failure::new(Code::Resume, "there is no run to resume in this directory")
                .help("name the run as it was started: lop --resume TEST FILE"));
        }
        several => {
            let names: Vec<_> =
                several.iter().map(|(path, _)| path.display().to_string()).collect();
            let message = format!("there are several runs to resume here: {}", names.join(", "));
            return Err(Failure::new(Code::Resume, message)
                .help("name the run as it was started: lop --resume TEST FILE"));
        }
    };
    let directory = OsString::from(header.directory.clone());
    std::env::set_current_dir(&directory).map_err(|error| {
        let message = format!(
            "the run of `{}` was started in `{}`: {error}",
            journal.display(),
            directory.display()
        );
        Failure::new(Code::Resume, message).help("start the run again in another directory")
    })?;
    let words = header.command_line(std::env::args_os().skip(1));
    Ok((Args::parse_from(&words), words))
}

/// The journals in this directory, and in those that lop made in it for results; and the error of one that cannot be
/// read.
fn journals() -> (Vec<(PathBuf, Header)>, Option<Failure>) {
    let names = |directory: &Path| -> Vec<OsString> {
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name()).collect()
    };
    let ends = |name: &OsString, end: &str| name.as_bytes().ends_with(end.as_bytes());
    let here = names(Path::new("."));
    let own = here.iter().filter(|name| ends(name, OWN)).map(PathBuf::from);
    let below = own.flat_map(|own| names(&own).into_iter().map(move |name| own.join(name)));
    let below: Vec<PathBuf> = below.collect();
    let mut paths: Vec<PathBuf> = here.into_iter().map(PathBuf::from).chain(below).collect();
    paths.retain(|path| ends(&path.as_os_str().to_owned(), ".journal"));
    paths.sort();
    let (mut found, mut unreadable) = (Vec::new(), None);
    for path in paths {
        match Header::read(&path) {
            Ok(header) if header.is_of_subcommand() => {}
            Ok(header) => found.push((path, header)),
            Err(failure) => unreadable = unreadable.or(Some(failure)),
        }
    }
    (found, unreadable)
}

/// The identity of the program and of all files among its arguments: one of them is the test.
fn files_of(command: &CommandLine) -> String {
    let arguments = command.args.iter().filter_map(|argument| argument.as_plain());
    let files = [command.program.as_os_str()].into_iter().chain(arguments);
    let contents = files.filter_map(|file| regular(file.as_ref()));
    contents.map(|bytes| fingerprint(&Arc::new(bytes))).collect::<Vec<_>>().join(" ")
}

/// The identity of files and of their names.
fn fingerprint_of(files: &[(PathBuf, PathBuf)]) -> String {
    let content = |source: &Path| fingerprint(&Arc::new(regular(source).unwrap_or_default()));
    let each = files.iter().map(|(source, name)| format!("{name:?} {}", content(source)));
    fingerprint(&Arc::new(each.collect::<Vec<_>>().join("\n").into_bytes()))
}

/// The identity of a text.
pub(crate) fn fingerprint(text: &Text) -> String {
    format!("{:032x}", Candidate::whole(text).key())
}
