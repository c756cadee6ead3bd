//! A program that makes test cases from choices.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lop::oracle::command::{Argument, CommandLine, Runner, TimeLimit};
use lop::oracle::execute::{Local, Setup};
use lop::{Cancel, Candidate, Limits, Status};
use lop_choice::choice::Kind;
use lop_choice::choices::Choices;
use lop_choice::protocol::{self, driver::Events};
use lop_choice::record::Record;

use super::clients::Drive;
use super::server::Server;
use crate::command;
use crate::exit::{Code, Failure};

/// The exit code of a generator that had too few choices.
const TOO_FEW: i32 = protocol::TOO_FEW as i32;

/// A generator, with a place for each worker.
pub(crate) struct Generator {
    seats: Vec<Mutex<Seat>>,
    /// Gone when it is dropped.
    _directory: tempfile::TempDir,
}

/// What came of choices.
pub(crate) struct Made {
    pub(crate) record: Record,
    pub(crate) result: Result<Vec<u8>, Unmade>,
}

/// Why there is no test case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Unmade {
    /// There were too few choices; what was to be drawn next.
    TooFew(Kind),
    /// The generator refused them, or failed: how.
    Rejected(String),
    /// Nobody waits for it any more.
    Cancelled,
}

enum Seat {
    Once(Box<Once>),
    Server(Server),
}

/// Starts a process for each test case.
struct Once {
    runner: Runner,
    events: PathBuf,
    /// Where the test case is written, if not to standard output.
    output: Option<PathBuf>,
}

impl Generator {
    /// Gets ready to run a command with so many workers. It is a shell's business if it looks like it.
    pub(crate) fn new(
        words: &str,
        drive: Option<Drive>,
        is_server: bool,
        workers: usize,
        time: Option<Duration>,
    ) -> Result<Generator, Failure> {
        let directory = tempfile::Builder::new().prefix("lop-gen-").tempdir().map_err(|error| {
            let place = std::env::temp_dir();
            Failure::new(
                Code::Test,
                format!("cannot make a directory in `{}`: {error}", place.display()),
            )
            .help("set TMPDIR to a directory that can be written")
        })?;
        let mut seats = Vec::new();
        for slot in 0..workers {
            let place = directory.path().join(slot.to_string());
            let cannot = |error: io::Error| {
                Failure::new(Code::Test, format!("cannot set up the generator `{words}`: {error}"))
            };
            fs::create_dir_all(&place).map_err(cannot)?;
            let output = words.contains("{}").then(|| place.join("case"));
            let mut command = command_line(words, output.as_deref())?;
            let arguments: Vec<OsString> = command
                .args
                .iter()
                .filter_map(|argument| argument.as_plain().map(Into::into))
                .collect();
            let drive = drive.unwrap_or_else(|| Drive::guess(&command.program, &arguments));
            drive.equip(&mut command, &place).map_err(cannot)?;
            let seat = match is_server {
                true => Seat::Server(Server::new(command, time)),
                false => {
                    Seat::Once(Box::new(Once::new(command, place, output, time).map_err(cannot)?))
                }
            };
            seats.push(Mutex::new(seat));
        }
        Ok(Generator { seats, _directory: directory })
    }

    /// Makes a test case from choices.
    pub(crate) fn make(&self, slot: usize, choices: &Choices, cancel: &Cancel) -> io::Result<Made> {
        match &mut *self.seats[slot].lock().expect("no worker panics with its seat") {
            Seat::Once(once) => once.make(choices, cancel),
            Seat::Server(server) => server.make(choices, cancel),
        }
    }
}

/// The command, run by a shell if it is more than some words.
fn command_line(words: &str, output: Option<&Path>) -> Result<CommandLine, Failure> {
    let words = match output {
        Some(output) => words.replace("{}", &command::quoted(output)),
        None => words.to_owned(),
    };
    let is_plain = |sign: char| sign.is_alphanumeric() || " -_./=:,+@%".contains(sign);
    let words: Vec<OsString> = match words.chars().all(is_plain) {
        true => words.split_whitespace().map(Into::into).collect(),
        false => vec![words.into()],
    };
    if words.is_empty() {
        return Err(Failure::new(Code::Usage, "the generator has no name")
            .help("say --generator 'COMMAND'"));
    }
    let is_script = words.len() == 1 && words[0].as_bytes().contains(&b' ');
    match is_script {
        true => Ok(CommandLine {
            program: "/bin/sh".into(),
            args: vec![Argument::plain("-c"), Argument::plain(words[0].clone())],
            env: Vec::new(),
        }),
        false => command::from_words(&words, Path::new("choices")).map_err(|_| {
            let message =
                format!("the generator `{}` is neither here nor on the PATH", words[0].display());
            Failure::new(Code::Test, message)
                .help("check its name; it is run without a shell unless it needs one")
        }),
    }
}

impl Once {
    fn new(
        mut command: CommandLine,
        place: PathBuf,
        output: Option<PathBuf>,
        time: Option<Duration>,
    ) -> io::Result<Once> {
        let events = place.join("events");
        command.env.push((protocol::CHOICES.into(), Argument::candidate()));
        command.env.push((protocol::EVENTS.into(), Argument::plain(events.clone())));
        let setup = Setup { name: "choices".into(), executable: false, bundle: None, workers: 1 };
        let time = time.map_or(TimeLimit::Adaptive, TimeLimit::Fixed);
        let executor = Arc::new(Local::new(&command, setup)?);
        Ok(Once { runner: Runner::new(executor, Limits::default(), time), events, output })
    }

    fn make(&mut self, choices: &Choices, cancel: &Cancel) -> io::Result<Made> {
        fs::write(&self.events, b"")?;
        let _ = self.output.as_ref().map(fs::remove_file);
        let text = Arc::new(choices.to_string().into_bytes());
        let outcome = self.runner.run(0, &Candidate::whole(&text), true, cancel)?;
        let (record, wanted) = match Events::read(&fs::read(&self.events)?) {
            Ok(events) => events.finish(),
            Err(error) => {
                let result = Err(Unmade::Rejected(error.to_string()));
                return Ok(Made { record: Record::default(), result });
            }
        };
        let rejected = |why: String| {
            let said = String::from_utf8_lossy(&outcome.stderr);
            let last = said.lines().rev().find(|line| !line.trim().is_empty());
            Err(Unmade::Rejected(last.map_or(why.clone(), |last| format!("{why}: {last}"))))
        };
        let result = match (outcome.status, wanted) {
            (Status::Cancelled, _) => Err(Unmade::Cancelled),
            (Status::Exit(TOO_FEW), Some(wanted)) => Err(Unmade::TooFew(wanted)),
            (Status::Exit(0), _) => match &self.output {
                Some(path) => fs::read(path)
                    .or_else(|error| rejected(format!("it wrote no test case: {error}"))),
                None => Ok(outcome.stdout),
            },
            (status, _) => rejected(status.to_string()),
        };
        Ok(Made { record, result })
    }
}
