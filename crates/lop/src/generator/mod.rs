//! Programs that make test cases from choices.
//!
//! ```text
//! choices ──generator──▶ test case
//!              └──▶ events: what was drawn, and what belongs together
//! ```
//!
//! A [`Generator`] runs such a program for several workers: a process for each test case (`once.rs`) or one for many
//! (`server.rs`). It speaks the protocol (`docs/src/reference/protocol.md`) itself, or a client speaks for it
//! (`drive.rs`). [`lop_choice`] reduces the choices.
//!
//! ```
//! use lop::Cancel;
//! use lop::generator::{Choices, Drive, Generator, Program, Setup};
//!
//! let script = r#"n=$(sed -n 2p "$LOP_CHOICES"); echo "i 0 99 0 $n" >> "$LOP_EVENTS"; echo "number $n""#;
//! let setup = Setup { drive: Some(Drive::Protocol), ..Setup::new(Program::Script(script.into())) };
//! let generator = Generator::new(&setup)?;
//! let choices = Choices { values: vec![42], ..Choices::default() };
//! let made = generator.make(0, &choices, &Cancel::default())?;
//! assert_eq!(made.result.unwrap(), b"number 42\n");
//! assert_eq!(made.record.values(), [42]);
//! # Ok::<(), lop::generator::Error>(())
//! ```

mod drive;
mod error;
mod once;
mod server;

pub use drive::{Drive, Mute, write_clients};
pub use error::Error;
pub use lop_choice::engine::{Choices, Kind, Record};

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fs, io};

use crate::oracle::command::{Argument, CommandLine, TimeLimit, Timer};
use crate::oracle::execute::Scratch;
use crate::search::Cancel;
use once::Once;
use server::Server;

/// A program that makes test cases. It writes them to standard output, or to the path that it gets.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Program {
    /// A program with its arguments; a path in them is that of the test case.
    Command(CommandLine),
    /// A script for `/bin/sh`; `{}` in it is the path of the test case.
    Script(String),
}

/// A generator to be run.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The program.
    pub program: Program,
    /// The name of the program in messages.
    pub name: String,
    /// How it is driven; by default lop guesses from the program.
    pub drive: Option<Drive>,
    /// Whether one process makes many test cases.
    pub serves: bool,
    /// The number of workers.
    pub workers: usize,
    /// The time limit of one test case; by default it follows from the time that other cases took.
    pub time: Option<Duration>,
}

impl Setup {
    /// One worker, with a process for each test case.
    pub fn new(program: Program) -> Self {
        let name = match &program {
            Program::Command(line) => line.program.display().to_string(),
            Program::Script(script) => script.clone(),
        };
        Setup { program, name, drive: None, serves: false, workers: 1, time: None }
    }

    /// The program that is started, and how it is driven.
    fn drive(&self) -> (PathBuf, Drive) {
        let (command, _) = self.program.writing_to(Path::new("case"));
        let arguments: Vec<OsString> = command
            .args
            .iter()
            .filter_map(|argument| argument.as_plain().map(Into::into))
            .collect();
        let drive = self.drive.unwrap_or_else(|| Drive::guess(&command.program, &arguments));
        let is_script = matches!(self.program, Program::Script(_));
        let program = if is_script { PathBuf::new() } else { command.program };
        (program, drive)
    }
}

/// How many times as long as the first test case another one may take.
const TIMES: u32 = 4;

/// A generator, with a directory for each worker.
pub struct Generator {
    name: String,
    seats: Vec<Mutex<Seat>>,
    drive: Drive,
    program: PathBuf,
    timer: Arc<Timer>,
    /// How long the last test case of each worker took.
    taken: Vec<Mutex<Duration>>,
    /// Removed when it is dropped.
    _scratch: Scratch,
}

/// A generator's answer to choices.
#[derive(Clone, Debug)]
pub struct Made {
    /// The choices that it drew.
    pub record: Record,
    /// The test case.
    pub result: Result<Vec<u8>, Unmade>,
}

impl Made {
    fn rejected(why: impl Into<String>) -> Self {
        Made::without_record(Unmade::Rejected(why.into()))
    }

    fn without_record(why: Unmade) -> Self {
        Made { record: Record::default(), result: Err(why) }
    }
}

/// Why there is no test case.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Unmade {
    /// There were too few choices; this would have been drawn next.
    TooFew(Kind),
    /// The generator refused the choices, or failed: the reason.
    Rejected(String),
    /// The generator did not finish in time; it may if it is asked again.
    TimedOut(String),
    /// The request was cancelled.
    Cancelled,
}

enum Seat {
    Once(Box<Once>),
    Server(Server),
}

impl Generator {
    /// Sets up a generator: makes a directory for each worker, with the files that drive the program.
    pub fn new(setup: &Setup) -> Result<Generator, Error> {
        let scratch = Scratch::new()
            .map_err(|source| Error::Directory { path: std::env::temp_dir(), source })?;
        let time = setup.time.map_or(TimeLimit::Adaptive, TimeLimit::Fixed);
        let timer = Arc::new(Timer::new(time));
        let (program, drive) = setup.drive();
        let seat = |slot: usize| {
            let place = scratch.root().join(slot.to_string());
            Seat::new(setup, drive, &place, &timer).map(Mutex::new)
        };
        let seats = (0..setup.workers).map(seat).collect::<Result<_, _>>()?;
        let taken = (0..setup.workers).map(|_| Mutex::default()).collect();
        let name = setup.name.clone();
        Ok(Generator { name, seats, drive, program, timer, taken, _scratch: scratch })
    }

    /// Makes a test case from choices. `slot` is the asking worker's number: no two requests of the same slot overlap.
    pub fn make(&self, slot: usize, choices: &Choices, cancel: &Cancel) -> Result<Made, Error> {
        let start = Instant::now();
        let made = match &mut *self.seats[slot].lock().expect("no worker panics with its seat") {
            Seat::Once(once) => once.make(choices, cancel),
            Seat::Server(server) => server.make(choices, cancel),
        };
        *self.taken[slot].lock().expect("nothing panics with this lock") = start.elapsed();
        made.map_err(|source| Error::Run { name: self.name.clone(), source })
    }

    /// How the program is driven.
    pub fn drive(&self) -> Drive {
        self.drive
    }

    /// Why the program drew nothing, and what would work instead.
    pub fn mute(&self) -> Mute {
        self.drive.mute(&self.program)
    }

    /// Sets the time limit by the time of the last test case that this slot made: the one that is reduced.
    pub fn adapt(&self, slot: usize) {
        self.timer.adapt(self.plenty(slot) / Timer::TIMES);
    }

    /// Shortens an adaptive time limit by the last test case of this slot, which is interesting.
    pub(crate) fn learn(&self, slot: usize) {
        self.timer.learn(self.plenty(slot) / Timer::TIMES_LEARNED);
    }

    /// Stretches an adaptive time limit by the last test case of this slot, one of many unrelated ones.
    pub fn stretch(&self, slot: usize) {
        self.timer.stretch(self.plenty(slot) / Timer::TIMES);
    }

    /// The usual time limit of a test case.
    pub fn time_limit(&self) -> Duration {
        self.timer.usual()
    }

    /// Sets a longer time limit than usual, or the usual one again; says whether there is a longer one.
    pub(crate) fn set_longer_limit(&self, longer: bool) -> bool {
        self.timer.set_longer(longer)
    }

    /// How long test cases like the last one may take. A generator that draws fewer choices takes less time, so a few
    /// times the last time is plenty.
    fn plenty(&self, slot: usize) -> Duration {
        *self.taken[slot].lock().expect("nothing panics with this lock") * TIMES
    }
}

impl Seat {
    fn new(setup: &Setup, drive: Drive, place: &Path, timer: &Arc<Timer>) -> Result<Seat, Error> {
        let cannot = |source| Error::SetUp { name: setup.name.clone(), path: place.into(), source };
        fs::create_dir_all(place).map_err(cannot)?;
        let case = place.join("case");
        let (mut command, is_written) = setup.program.writing_to(&case);
        drive.equip(&mut command, place).map_err(cannot)?;
        if setup.serves {
            return Ok(Seat::Server(Server::new(command, timer.clone())));
        }
        let output = is_written.then_some(case);
        let once = Once::new(command, place, output, timer.clone()).map_err(cannot)?;
        Ok(Seat::Once(Box::new(once)))
    }
}

impl Program {
    /// A command that writes its test case to a file if possible, and whether it does.
    fn writing_to(&self, case: &Path) -> (CommandLine, bool) {
        match self {
            Program::Command(line) => {
                let is_written = line.args.iter().any(Argument::mentions_candidate);
                (line.with(case), is_written)
            }
            Program::Script(script) => {
                let script = Argument::script(script.split("{}").map(Into::into).collect());
                let is_written = script.mentions_candidate();
                let args = vec![Argument::plain("-c"), script];
                let line = CommandLine {
                    program: "/bin/sh".into(),
                    args,
                    env: Vec::new(),
                    reads_candidate: true,
                };
                (line.with(case), is_written)
            }
        }
    }
}

/// An error with the path of a file.
fn at(path: &Path, operation: &str, error: io::Error) -> io::Error {
    let message = format!("cannot {operation} `{}`: {error}", path.display());
    io::Error::new(error.kind(), message)
}
