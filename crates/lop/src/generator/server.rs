//! A generator that makes many test cases in one process.
//!
//! It reads choices from its standard input and writes events and test cases to its standard output. A server that does
//! not answer in time, or dies, is started again for the next case.

use std::ffi::OsString;
use std::io::{self, BufReader, PipeReader, Write};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use lop_choice::engine::protocol::driver::{one_of_many, read_case};
use lop_choice::engine::protocol::{self, Case};
use lop_choice::engine::{Choices, Record};

use super::{Made, Unmade};
use crate::oracle::command::{CommandLine, Timer};
use crate::process::{Alongside, Limits};
use crate::search::Cancel;

/// The interval at which the server looks for a cancellation.
const GLANCE: Duration = Duration::from_millis(20);

/// Likely causes when a server does not answer.
const HINT: &str = "does it speak the protocol for many cases (docs/src/reference/protocol.md)?";

/// A generator that makes many test cases in one process.
pub(super) struct Server {
    command: CommandLine,
    timer: Arc<Timer>,
    process: Option<Process>,
}

struct Process {
    /// Killed when it is dropped, with everything it started.
    _process: Alongside,
    choices: mpsc::Sender<String>,
    answers: mpsc::Receiver<Result<Made, protocol::Error>>,
}

impl Server {
    pub(super) fn new(command: CommandLine, timer: Arc<Timer>) -> Server {
        Server { command, timer, process: None }
    }

    pub(super) fn make(&mut self, choices: &Choices, cancel: &Cancel) -> io::Result<Made> {
        let process = match &mut self.process {
            Some(process) => process,
            none => none.insert(start(&self.command)?),
        };
        // If the process is dead, its answer says how it died.
        let _ = process.choices.send(one_of_many(choices));
        let (start, time) = (Instant::now(), self.timer.current());
        loop {
            match process.answers.recv_timeout(GLANCE) {
                Ok(Ok(made)) => return Ok(made),
                Ok(Err(error)) => {
                    self.process = None;
                    let why = format!("it said nothing that could be understood: {error}");
                    return Ok(Made::rejected(why));
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    self.process = None;
                    return Ok(Made::rejected(format!(
                        "it stopped before the case was made; {HINT}"
                    )));
                }
                Err(mpsc::RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                    self.process = None;
                    return Ok(Made { record: Record::default(), result: Err(Unmade::Cancelled) });
                }
                Err(mpsc::RecvTimeoutError::Timeout) if start.elapsed() > time => {
                    self.process = None;
                    return Ok(Made::without_record(Unmade::TimedOut(format!(
                        "it ran out of time; {HINT}"
                    ))));
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

fn start(command: &CommandLine) -> io::Result<Process> {
    let set = [(protocol::SERVER, "1"), (protocol::CHOICES, "fd:0"), (protocol::EVENTS, "fd:1")]
        .map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let launch = command.launch(Path::new(""), &std::env::current_dir()?, set);
    let (process, mut input, output) = Alongside::piped(launch, Limits::default())?;
    let (choices, cases) = mpsc::channel::<String>();
    // A server that does not read must not block lop.
    thread::Builder::new().spawn(move || {
        cases
            .iter()
            .try_for_each(|case| input.write_all(case.as_bytes()).and_then(|()| input.flush()))
    })?;
    let (sender, answers) = mpsc::channel();
    thread::Builder::new().spawn(move || read_all(output, &sender))?;
    Ok(Process { _process: process, choices, answers })
}

fn read_all(output: PipeReader, answers: &mpsc::Sender<Result<Made, protocol::Error>>) {
    let mut output = BufReader::new(output);
    while let Some(answer) = read_case(&mut output).transpose() {
        let is_last = answer.is_err();
        if answers.send(answer.map(|(record, case)| made(record, case))).is_err() || is_last {
            return;
        }
    }
}

fn made(record: Record, case: Case) -> Made {
    let result = match case {
        Case::Made(case) => Ok(case),
        Case::TooFew(wanted) => Err(Unmade::TooFew(wanted)),
        Case::Rejected => Err(Unmade::Rejected("it rejected the choices".into())),
    };
    Made { record, result }
}
