//! A generator that makes many test cases in one process.
//!
//! It reads choices from its standard input and writes events and test cases to its standard output. One that does not answer in time, or
//! dies, is started again for the next case.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, PipeReader, Read, Write};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use lop::oracle::command::CommandLine;
use lop::{Cancel, Limits, Piped};
use lop_choice::choices::Choices;
use lop_choice::record::Record;

use super::events::Told;
use super::generator::{Made, Unmade};

/// How long a case may take if nothing else is said.
const PATIENCE: Duration = Duration::from_secs(60);
/// No test case is longer.
const LONGEST: u64 = 1 << 30;
/// How often it is looked whether anyone still waits.
const GLANCE: Duration = Duration::from_millis(20);

/// A generator that makes many test cases in one process.
pub(super) struct Server {
    command: CommandLine,
    time: Duration,
    process: Option<Process>,
}

struct Process {
    /// Killed when it is dropped, with everything it started.
    _process: Piped,
    choices: mpsc::Sender<String>,
    answers: mpsc::Receiver<io::Result<Made>>,
}

impl Server {
    pub(super) fn new(command: CommandLine, time: Option<Duration>) -> Server {
        Server { command, time: time.unwrap_or(PATIENCE), process: None }
    }

    pub(super) fn make(&mut self, choices: &Choices, cancel: &Cancel) -> io::Result<Made> {
        let process = match &mut self.process {
            Some(process) => process,
            none => none.insert(start(&self.command)?),
        };
        let rejected = |why: String| {
            Ok(Made { record: Record::default(), result: Err(Unmade::Rejected(why)) })
        };
        // If it is dead, the answer says how.
        let _ = process.choices.send(format!("{choices}end\n"));
        let start = Instant::now();
        loop {
            match process.answers.recv_timeout(GLANCE) {
                Ok(Ok(made)) => return Ok(made),
                Ok(Err(error)) => {
                    self.process = None;
                    return rejected(format!("it said nothing that could be understood: {error}"));
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    self.process = None;
                    return rejected("it stopped before the case was made; does it speak the protocol for many cases (docs/protocol.md)?".into());
                }
                Err(mpsc::RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                    self.process = None;
                    return Ok(Made { record: Record::default(), result: Err(Unmade::Cancelled) });
                }
                Err(mpsc::RecvTimeoutError::Timeout) if start.elapsed() > self.time => {
                    self.process = None;
                    return rejected("it ran out of time; does it speak the protocol for many cases (docs/protocol.md)?".into());
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

fn start(command: &CommandLine) -> io::Result<Process> {
    let mut command = command.clone();
    command.args.retain(|argument| !argument.mentions_candidate());
    command.env.retain(|(_, value)| !value.mentions_candidate());
    let set = [("LOP_SERVER", "1"), ("LOP_CHOICES", "fd:0"), ("LOP_EVENTS", "fd:1")]
        .map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let launch = command.launch(Path::new(""), &std::env::current_dir()?, set);
    let (process, mut input, output) = Piped::start(launch, Limits::default())?;
    let (choices, cases) = mpsc::channel::<String>();
    // A server that does not read must not keep anybody waiting.
    thread::spawn(move || {
        cases
            .iter()
            .try_for_each(|case| input.write_all(case.as_bytes()).and_then(|()| input.flush()))
    });
    let (sender, answers) = mpsc::channel();
    thread::spawn(move || read_all(BufReader::new(output), &sender));
    Ok(Process { _process: process, choices, answers })
}

fn read_all(mut events: BufReader<PipeReader>, answers: &mpsc::Sender<io::Result<Made>>) {
    loop {
        let case = match read_case(&mut events) {
            Ok(None) => return,
            Ok(Some(made)) => Ok(made),
            Err(error) => Err(error),
        };
        let is_last = case.is_err();
        if answers.send(case).is_err() || is_last {
            return;
        }
    }
}

/// All that is said about one case; nothing at the end.
fn read_case(events: &mut BufReader<PipeReader>) -> io::Result<Option<Made>> {
    let wrong = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
    let mut told = Told::default();
    let mut line = String::new();
    loop {
        line.clear();
        if events.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let text = line.trim_end_matches('\n');
        let result = match text.split_once(' ') {
            Some(("made", length)) => {
                let length: u64 =
                    length.parse().map_err(|_| wrong(format!("`{text}` has no length")))?;
                let mut case = Vec::new();
                events.by_ref().take(length.min(LONGEST)).read_to_end(&mut case)?;
                if case.len() as u64 != length {
                    return Err(wrong(format!(
                        "`{text}` is not what follows, or more than {LONGEST} bytes"
                    )));
                }
                events.read_line(&mut line)?;
                Ok(case)
            }
            None if text == "rejected" => Err(Unmade::Rejected("it rejected the choices".into())),
            None if text == "out" => {
                let (record, wanted) = told.finish();
                let wanted =
                    wanted.ok_or_else(|| wrong("`out` without what was to be drawn".into()))?;
                return Ok(Some(Made { record, result: Err(Unmade::TooFew(wanted)) }));
            }
            _ => {
                told.hear(text).map_err(|why| wrong(format!("`{text}`: {why}")))?;
                continue;
            }
        };
        let (record, _) = told.finish();
        return Ok(Some(Made { record, result }));
    }
}
