//! A generator that makes one test case in a process.
//!
//! The process is run like a test: the choices are its candidate, and its standard output is the test case.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use lop_choice::engine::Choices;
use lop_choice::engine::protocol::{self, driver::Events};

use super::{Made, Unmade, at};
use crate::oracle::Outcome;
use crate::oracle::command::{Argument, CommandLine, Supervisor, Timer};
use crate::oracle::execute::{Local, Setup};
use crate::process::{Limits, Status};
use crate::search::Cancel;
use crate::text::Candidate;

/// The exit code of a generator that had too few choices.
const TOO_FEW: i32 = protocol::TOO_FEW as i32;

/// Starts a process for each test case.
pub(super) struct Once {
    supervisor: Supervisor,
    events: PathBuf,
    /// The file with the test case, if that isn't written to standard output.
    output: Option<PathBuf>,
}

impl Once {
    pub(super) fn new(
        mut command: CommandLine,
        place: &Path,
        output: Option<PathBuf>,
        timer: Arc<Timer>,
    ) -> io::Result<Once> {
        let events = place.join("events");
        command.env.push((protocol::CHOICES.into(), Argument::candidate()));
        command.env.push((protocol::EVENTS.into(), Argument::plain(events.clone())));
        let (name, beside) = ("choices".into(), Vec::new());
        let setup = Setup { name, executable: false, bundle: None, beside, workers: 1 };
        let executor = Arc::new(Local::new(&command, setup)?);
        let supervisor = Supervisor::sharing(executor, Limits::default(), timer);
        Ok(Once { supervisor, events, output })
    }

    pub(super) fn make(&mut self, choices: &Choices, cancel: &Cancel) -> io::Result<Made> {
        fs::write(&self.events, b"").map_err(|error| at(&self.events, "write", error))?;
        let _ = self.output.as_ref().map(fs::remove_file);
        let text = Arc::new(choices.to_string().into_bytes());
        let outcome = self.supervisor.run(0, &Candidate::whole(&text), true, cancel)?;
        // A process that was killed may have been in the middle of a line.
        match outcome.status {
            Status::Cancelled => return Ok(Made::without_record(Unmade::Cancelled)),
            Status::TimedOut => {
                let why = outcome.status.to_string();
                return Ok(Made::without_record(Unmade::TimedOut(why)));
            }
            _ => {}
        }
        let events = fs::read(&self.events).map_err(|error| at(&self.events, "read", error))?;
        let (record, wanted) = match Events::read(&events) {
            Ok(events) => events.finish(),
            Err(error) => return Ok(Made::rejected(error.to_string())),
        };
        let result = match (outcome.status, wanted) {
            (Status::Exit(TOO_FEW), Some(wanted)) => Err(Unmade::TooFew(wanted)),
            (Status::Exit(0), _) => match &self.output {
                Some(path) => fs::read(path)
                    .map_err(|error| rejected(&outcome, format!("it wrote no test case: {error}"))),
                None => Ok(outcome.stdout),
            },
            (status, _) => Err(rejected(&outcome, status.to_string())),
        };
        Ok(Made { record, result })
    }
}

/// Why the process made no test case, with the last line it wrote to standard error.
fn rejected(outcome: &Outcome, why: String) -> Unmade {
    let said = String::from_utf8_lossy(&outcome.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    Unmade::Rejected(match last {
        Some(last) => format!("{why}: {last}"),
        None => why,
    })
}
