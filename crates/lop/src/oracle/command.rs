//! An oracle that runs a command.
//!
//! One convention serves the test scripts of all reducers: the candidate lies under its base name
//! in a private directory, which is the working directory and holds nothing else; its path is
//! argument 1 of a script, or stands where an inline command says `{}`; its bytes are standard
//! input. What the command prints is read only if the property asks for it.
//!
//! Several files lie there under the names that they were given, a directory under its own; argument 1 is the first
//! of them or the directory, and standard input is empty.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::property::Outcome;
use super::scratch::{Desk, Scratch};
use super::{Oracle, Property, Reason, Verdict};
use crate::bundle::Bundle;
use crate::candidate::Candidate;
use crate::process::{Files, Launch, Launcher, Limits, Status};
use crate::search::Cancel;

/// A command line; the candidate's path is filled in for each worker.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// An absolute path.
    pub program: PathBuf,
    /// The arguments.
    pub args: Vec<Argument>,
    /// What is set in its environment, beside what lop was given itself.
    pub env: Vec<(OsString, Argument)>,
}

/// An argument of a command line: texts with the candidate's path between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument(Vec<OsString>);

impl Argument {
    /// An argument that does not depend on the candidate.
    pub fn plain(text: impl Into<OsString>) -> Self {
        Argument(vec![text.into()])
    }

    /// The candidate's path.
    pub fn candidate() -> Self {
        Argument(vec![OsString::new(), OsString::new()])
    }

    /// Texts with the candidate's path between each two of them.
    pub fn around(texts: Vec<OsString>) -> Self {
        Argument(texts)
    }

    /// The text, if the candidate's path is not in it.
    pub fn as_plain(&self) -> Option<&OsStr> {
        self.0.first().filter(|_| !self.mentions_candidate()).map(OsString::as_os_str)
    }

    /// Whether the candidate's path is in it.
    pub fn mentions_candidate(&self) -> bool {
        self.0.len() > 1
    }

    fn with(&self, path: &Path) -> OsString {
        self.0.join(path.as_os_str())
    }
}

/// How long a candidate may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Always this long.
    Fixed(Duration),
    /// Ten times what the original took, within bounds; four times that for a second try.
    Adaptive,
}

/// No adaptive limit is shorter: a loaded machine makes short runs long.
const SHORTEST: Duration = Duration::from_secs(1);
/// No adaptive limit is longer, and the original gets this long.
const LONGEST: Duration = Duration::from_secs(300);
/// What is read of each output stream.
const OUTPUT: u64 = 16 << 20;

/// What a runner needs to know beside its command.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What candidates are called.
    pub name: OsString,
    /// Whether candidates are executable files.
    pub executable: bool,
    /// If candidates are several files in one text, how they are told apart.
    pub bundle: Option<Bundle>,
    /// How many run at the same time.
    pub workers: usize,
    /// What each may take; the time is what `patience` says.
    pub limits: Limits,
    /// How long each may take.
    pub patience: Patience,
}

/// Runs a command on candidates and reports how it ends.
pub struct Runner {
    // Dropped in this order: what the workers hold lies in the directory.
    seats: Vec<Mutex<Seat>>,
    _scratch: Scratch,
    limits: Mutex<Limits>,
    patience: Patience,
    patient: AtomicBool,
}

/// One worker's equipment.
struct Seat {
    desk: Desk,
    launcher: Launcher,
    stdout: File,
    stderr: File,
    null: File,
}

impl Runner {
    /// Makes a runner with a private directory for each worker.
    pub fn new(command: &CommandLine, setup: Setup) -> io::Result<Self> {
        let Setup { name, executable, bundle, workers, limits, patience } = setup;
        let scratch = Scratch::new()?;
        let seat = |slot| {
            let desk = scratch.desk(slot, &name, executable, bundle.as_ref())?;
            Seat::new(command, desk).map(Mutex::new)
        };
        let seats = (0..workers).map(seat).collect::<io::Result<_>>()?;
        let time = match patience {
            Patience::Fixed(time) => time,
            Patience::Adaptive => LONGEST,
        };
        let limits = Mutex::new(Limits { time, ..limits });
        Ok(Runner { seats, _scratch: scratch, limits, patience, patient: AtomicBool::new(false) })
    }

    /// Runs the command on a candidate; its output is read if wanted, else it is empty.
    pub fn run(
        &self,
        slot: usize,
        candidate: &Candidate,
        read_output: bool,
        cancel: &Cancel,
    ) -> io::Result<(Outcome, Duration)> {
        let mut limits = *self.limits.lock().expect("nothing panics with this lock");
        if self.patient.load(Ordering::Relaxed) {
            limits.time = longer(limits.time);
        }
        let mut seat = self.seats[slot].lock().expect("no worker panics with its seat");
        seat.run(candidate, read_output, &limits, cancel)
    }

    /// Sets the time limit by what the original took.
    pub fn adapt(&self, original: Duration) {
        if self.patience == Patience::Adaptive {
            let time = (original * 10).clamp(SHORTEST, LONGEST);
            self.limits.lock().expect("nothing panics with this lock").time = time;
        }
    }

    /// How long a candidate may take now.
    pub fn time_limit(&self) -> Duration {
        self.limits.lock().expect("nothing panics with this lock").time
    }
}

fn longer(time: Duration) -> Duration {
    (time * 4).min(LONGEST.max(time))
}

impl Seat {
    fn new(command: &CommandLine, desk: Desk) -> io::Result<Self> {
        let launcher = Launcher::new(Launch {
            program: command.program.clone(),
            args: command.args.iter().map(|argument| argument.with(&desk.file())).collect(),
            env: std::env::vars_os()
                .filter(|(name, _)| {
                    name != "TMPDIR" && !command.env.iter().any(|(own, _)| own == name)
                })
                .chain([("TMPDIR".into(), desk.tmp().into())])
                .chain(
                    command
                        .env
                        .iter()
                        .map(|(name, value)| (name.clone(), value.with(&desk.file()))),
                )
                .collect(),
            dir: desk.work().into(),
        })?;
        let null = OpenOptions::new().read(true).write(true).open("/dev/null")?;
        Ok(Seat {
            desk,
            launcher,
            stdout: tempfile::tempfile()?,
            stderr: tempfile::tempfile()?,
            null,
        })
    }

    fn run(
        &mut self,
        candidate: &Candidate,
        read_output: bool,
        limits: &Limits,
        cancel: &Cancel,
    ) -> io::Result<(Outcome, Duration)> {
        let stdin = match self.desk.lay(candidate) {
            Ok(stdin) => stdin,
            Err(error) => {
                let _ = self.desk.tidy();
                return Err(at(&self.desk.file(), "write a candidate to", error));
            }
        };
        let (stdout, stderr) =
            if read_output { (&self.stdout, &self.stderr) } else { (&self.null, &self.null) };
        let ended = self.launcher.run(&Files { stdin: &stdin, stdout, stderr }, limits, cancel);
        self.desk.tidy().map_err(|error| at(self.desk.work(), "clear", error))?;
        let ended = ended?;
        let mut outcome = Outcome { status: ended.status, stdout: Vec::new(), stderr: Vec::new() };
        if read_output {
            outcome.stdout = take(&mut self.stdout)?;
            outcome.stderr = take(&mut self.stderr)?;
        }
        Ok((outcome, ended.elapsed))
    }
}

/// Reads what a test wrote and makes room for the next.
fn take(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(OUTPUT).read_to_end(&mut bytes)?;
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(bytes)
}

fn at(path: &Path, operation: &str, error: io::Error) -> io::Error {
    let message = format!("cannot {operation} {}: {error}", path.display());
    io::Error::new(error.kind(), message)
}

/// Kills all tests that run now, with all that they started: for a process that is about to end
/// without waiting for its workers.
pub fn kill_tests() {
    crate::process::kill_tests();
}

/// Runs a command and looks for a property.
pub struct CommandOracle {
    runner: Runner,
    property: Property,
}

impl CommandOracle {
    /// An oracle that finds interesting what has the property.
    pub fn new(runner: Runner, property: Property) -> Self {
        CommandOracle { runner, property }
    }

    /// What it runs with.
    pub fn runner(&self) -> &Runner {
        &self.runner
    }

    /// What must stay.
    pub fn property(&self) -> &Property {
        &self.property
    }

    /// What an outcome says of the property.
    pub fn verdict(&self, outcome: &Outcome) -> Verdict {
        match outcome.status {
            Status::Cancelled => Verdict::Unresolved(Reason::Cancelled),
            Status::Memory => Verdict::Unresolved(Reason::Memory),
            Status::Processes => Verdict::Unresolved(Reason::Processes),
            Status::TimedOut if !self.property.wants_hang() => {
                Verdict::Unresolved(Reason::TimedOut)
            }
            _ if self.property.holds(outcome) => Verdict::Interesting,
            _ => Verdict::Boring,
        }
    }
}

impl Oracle for CommandOracle {
    fn judge(&self, slot: usize, candidate: &Candidate, cancel: &Cancel) -> Verdict {
        match self.runner.run(slot, candidate, self.property.reads_output(), cancel) {
            Ok((outcome, _)) => self.verdict(&outcome),
            Err(error) => Verdict::Unresolved(Reason::Broken(error.to_string())),
        }
    }

    fn set_patient(&self, patient: bool) -> bool {
        let limit = self.runner.time_limit();
        // What the user said stays as it was said, and a hang is measured by the usual limit.
        let differs = self.runner.patience == Patience::Adaptive
            && !self.property.wants_hang()
            && longer(limit) > limit;
        self.runner.patient.store(patient && differs, Ordering::Relaxed);
        differs
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::oracle::Requirement;

    fn runner(script: &str, patience: Patience) -> Runner {
        let limits = Limits { time: LONGEST, memory: None, processes: 1000, file_size: 1 << 30 };
        let name = "in.txt".into();
        let setup = Setup { name, executable: false, bundle: None, workers: 1, limits, patience };
        Runner::new(&shell(script), setup).unwrap()
    }

    fn shell(script: &str) -> CommandLine {
        CommandLine {
            env: Vec::new(),
            program: "/bin/sh".into(),
            args: vec![
                Argument::plain("-c"),
                Argument::plain(script),
                Argument::plain("sh"),
                Argument::candidate(),
            ],
        }
    }

    fn outcome(script: &str, candidate: &[u8]) -> Outcome {
        let runner = runner(script, Patience::Adaptive);
        let candidate = Candidate::whole(&Arc::new(candidate.to_vec()));
        runner.run(0, &candidate, true, &Cancel::default()).unwrap().0
    }

    #[test]
    fn the_candidate_is_in_the_directory_on_standard_input_and_argument_one() {
        let script = "ls -A; cat in.txt; cat; cat \"$1\"; case $1 in /*) echo absolute;; esac";
        let outcome = outcome(script, b"hello\n");
        assert_eq!(
            String::from_utf8(outcome.stdout).unwrap(),
            "in.txt\nhello\nhello\nhello\nabsolute\n"
        );
    }

    #[test]
    fn droppings_do_not_reach_the_next_test_and_neither_does_output() {
        let script = "ls -A . \"$TMPDIR\" | grep -c drop; touch drop \"$TMPDIR\"/drop; rm in.txt";
        let runner = runner(script, Patience::Adaptive);
        for _ in 0..3 {
            let candidate = Candidate::whole(&Arc::new(b"x".to_vec()));
            let (outcome, _) = runner.run(0, &candidate, true, &Cancel::default()).unwrap();
            assert_eq!(outcome.stdout, b"0\n");
        }
    }

    #[test]
    fn the_time_limit_is_ten_times_the_original_within_bounds() {
        let adaptive = runner("true", Patience::Adaptive);
        for (original, limit) in [(0, 1_000), (500, 5_000), (100_000, 300_000)] {
            adaptive.adapt(Duration::from_millis(original));
            assert_eq!(adaptive.time_limit(), Duration::from_millis(limit));
        }
        let fixed = Patience::Fixed(Duration::from_secs(7));
        let fixed = runner("true", fixed);
        fixed.adapt(Duration::from_secs(100));
        assert_eq!(fixed.time_limit(), Duration::from_secs(7));
    }

    #[test]
    fn more_patience_does_not_stretch_what_the_user_said_or_a_hang() {
        let differs = |patience, requirement| {
            let runner = runner("true", patience);
            runner.adapt(Duration::from_millis(500));
            let oracle = CommandOracle::new(runner, Property::new(vec![requirement]));
            let differs = oracle.set_patient(true);
            assert_eq!(oracle.runner.patient.load(Ordering::Relaxed), differs);
            differs
        };
        let fixed = Patience::Fixed(Duration::from_secs(5));
        assert!(differs(Patience::Adaptive, Requirement::Exit(0)));
        assert!(!differs(Patience::Adaptive, Requirement::Hang));
        assert!(!differs(fixed, Requirement::Exit(0)));
    }

    #[test]
    fn running_out_of_time_is_unresolved_unless_a_hang_is_what_must_stay() {
        let judge = |requirement| {
            let patience = Patience::Fixed(Duration::from_millis(100));
            let runner = runner("sleep 60", patience);
            let oracle = CommandOracle::new(runner, Property::new(vec![requirement]));
            oracle.judge(0, &Candidate::whole(&Arc::default()), &Cancel::default())
        };
        assert_eq!(judge(Requirement::Exit(0)), Verdict::Unresolved(Reason::TimedOut));
        assert_eq!(judge(Requirement::Hang), Verdict::Interesting);
    }
}
