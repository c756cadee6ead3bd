//! Runs a command on this machine.
//!
//! The convention fits the test scripts of all reducers: the candidate is a file with the input's base name in a
//! private directory, which is the working directory and holds nothing else; its path is argument 1 of a script, or
//! replaces `{}` in an inline command; its bytes are standard input. The output is read only if the property needs it.
//!
//! Several files are in that directory under their given names, a directory under its own; argument 1 is the first
//! file or the directory, and standard input is empty. Other files may be [beside](Beside) the candidate.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use super::scratch::{Desk, Scratch};
use super::{Beside, Error, Execute, Request};
use crate::oracle::Outcome;
use crate::oracle::command::CommandLine;
use crate::process::{Files, Launch, Launcher, Opening, finds_everything};
use crate::search::Cancel;
use crate::text::{Bundle, Candidate};

/// At most this much is read of each output stream, so that a test that prints without end does not take all memory.
pub const OUTPUT: u64 = 256 << 20;

/// How candidates are presented to the command, and how many are tested at the same time.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The name of a candidate's file.
    pub name: OsString,
    /// Whether candidates are executable files.
    pub executable: bool,
    /// The bundle that separates the files, if a candidate is several files in one text.
    pub bundle: Option<Bundle>,
    /// The files that are in the directory besides the candidate.
    pub beside: Vec<Beside>,
    /// The number of workers.
    pub workers: usize,
}

/// Runs a command on this machine, each worker in a private directory.
pub struct Local {
    // Dropped in this order: the files of the workers are in the directory.
    seats: Vec<Mutex<Seat>>,
    _scratch: Scratch,
}

/// One worker's desk, launcher and output files.
pub(super) struct Seat {
    pub(super) desk: Desk,
    pub(super) launch: Launch,
    launcher: Launcher,
    stdout: File,
    stderr: File,
    null: File,
    reads_candidate: bool,
}

impl Local {
    /// Makes a private directory for each worker.
    pub fn new(command: &CommandLine, setup: Setup) -> io::Result<Self> {
        Local::wrapped(command, setup, &|launch| launch)
    }

    /// Whether a process that leaves the process group of its test is killed with it: on Linux, if `/proc` is there.
    pub fn leaves_nothing_behind() -> bool {
        finds_everything()
    }

    /// Like [`Local::new`], but `wrap` may change each launch: a sandbox puts a program of its own in front, which
    /// shows the command only the working directory and the directory that `TMPDIR` names.
    pub fn wrapped(
        command: &CommandLine,
        setup: Setup,
        wrap: &dyn Fn(Launch) -> Launch,
    ) -> io::Result<Self> {
        let Setup { name, executable, bundle, beside, workers } = setup;
        let scratch = Scratch::new()?;
        let stock = scratch.stock(&beside)?;
        let seat = |slot| {
            let desk = scratch.desk(slot, &name, executable, bundle.as_ref(), &stock)?;
            let tmp = ("TMPDIR".into(), desk.tmp().into());
            let launch = command.launch(&desk.file(), desk.work(), [tmp]);
            Seat::new(wrap(launch), desk, command.reads_candidate).map(Mutex::new)
        };
        let seats = (0..workers).map(seat).collect::<io::Result<_>>()?;
        Ok(Local { seats, _scratch: scratch })
    }

    pub(super) fn seat(&self, slot: usize) -> MutexGuard<'_, Seat> {
        self.seats[slot].lock().expect("no worker panics with its seat")
    }

    pub(super) fn slots(&self) -> usize {
        self.seats.len()
    }
}

impl Execute for Local {
    fn execute(
        &self,
        slot: usize,
        request: &Request<'_>,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        Ok(self.seat(slot).run(request, cancel)?)
    }
}

impl Seat {
    fn new(launch: Launch, desk: Desk, reads_candidate: bool) -> io::Result<Self> {
        let launcher = Launcher::new(launch.clone())?;
        let null = OpenOptions::new().read(true).write(true).open("/dev/null")?;
        let (stdout, stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
        Ok(Seat { desk, launch, launcher, stdout, stderr, null, reads_candidate })
    }

    /// Lays a candidate on the desk and opens it for reading.
    pub(super) fn lay(&mut self, candidate: &Candidate) -> io::Result<File> {
        // A cleaner of the directory for temporary files may have removed the desk: tidying makes it again.
        let laid = self.desk.lay(candidate).or_else(|_| {
            self.desk.tidy()?;
            self.desk.lay(candidate)
        });
        laid.map_err(|error| {
            let _ = self.desk.tidy();
            at(&self.desk.file(), "write a candidate to", error)
        })
    }

    /// Clears the desk.
    pub(super) fn tidy(&mut self) -> io::Result<()> {
        self.desk.tidy().map_err(|error| at(self.desk.work(), "clear", error))
    }

    fn run(&mut self, request: &Request<'_>, cancel: &Cancel) -> io::Result<Outcome> {
        let candidate = self.lay(request.candidate)?;
        let stdin = if self.reads_candidate { &candidate } else { &self.null };
        let (stdout, stderr) = match request.wants_output {
            true => (&self.stdout, &self.stderr),
            false => (&self.null, &self.null),
        };
        let files = Files { stdin, stdout, stderr };
        let opening = Some(self.desk.file()).filter(|_| request.wants_opening);
        let opening = opening.and_then(|path| Opening::of(&path));
        let started = Instant::now();
        let ended = self.launcher.run(&files, &request.limits, cancel);
        let opened = opening.and_then(Opening::moment);
        self.tidy()?;
        let ended = ended?;
        let mut outcome = Outcome::new(ended.status, ended.elapsed);
        (outcome.busy, outcome.memory) = (ended.busy, ended.memory);
        // The kernel reports the opening, and on a busy machine it reports it late.
        let since = |moment: Instant| moment.duration_since(started).min(outcome.elapsed);
        outcome.opened = opened.map(since);
        if request.wants_output {
            for (file, output) in
                [(&mut self.stdout, &mut outcome.stdout), (&mut self.stderr, &mut outcome.stderr)]
            {
                outcome.is_cut |= take(file, OUTPUT, output)?;
            }
        }
        Ok(outcome)
    }
}

/// Reads the output of a test and empties the file for the next one; returns whether there was more than `most` bytes.
pub(super) fn take(file: &mut File, most: u64, output: &mut Vec<u8>) -> io::Result<bool> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(0))?;
    file.take(most).read_to_end(output)?;
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(length > most)
}

fn at(path: &Path, operation: &str, error: io::Error) -> io::Error {
    let message = format!("cannot {operation} {}: {error}", path.display());
    io::Error::new(error.kind(), message)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::oracle::command::Argument;
    use crate::process::{Limits, Status};

    fn setup() -> Setup {
        let (name, beside) = ("in.txt".into(), Vec::new());
        Setup { name, executable: false, bundle: None, beside, workers: 1 }
    }

    fn shell(script: &str) -> CommandLine {
        CommandLine {
            env: Vec::new(),
            reads_candidate: true,
            program: "/bin/sh".into(),
            args: vec![
                Argument::plain("-c"),
                Argument::plain(script),
                Argument::plain("sh"),
                Argument::candidate(),
            ],
        }
    }

    fn run(local: &Local, candidate: &[u8]) -> Outcome {
        let candidate = Candidate::whole(&Arc::new(candidate.to_vec()));
        let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
        let mut request = Request::new(&candidate, limits);
        request.wants_output = true;
        local.execute(0, &request, &Cancel::default()).unwrap()
    }

    #[test]
    fn the_candidate_is_in_the_directory_on_standard_input_and_argument_one() {
        let script = "ls -A; cat in.txt; cat; cat \"$1\"; case $1 in /*) echo absolute;; esac";
        let local = Local::new(&shell(script), setup()).unwrap();
        assert_eq!(
            String::from_utf8(run(&local, b"hello\n").stdout).unwrap(),
            "in.txt\nhello\nhello\nhello\nabsolute\n"
        );
    }

    #[test]
    fn droppings_do_not_reach_the_next_test_and_neither_does_output() {
        let script = "ls -A . \"$TMPDIR\" | grep -c drop; touch drop \"$TMPDIR\"/drop; rm in.txt";
        let local = Local::new(&shell(script), setup()).unwrap();
        for _ in 0..3 {
            assert_eq!(run(&local, b"x").stdout, b"0\n");
        }
    }

    #[test]
    fn a_directory_that_someone_cleared_away_is_made_again_and_nothing_of_it_is_left() {
        let local = Local::new(&shell("cat in.txt"), setup()).unwrap();
        let root = local._scratch.root().to_owned();
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!(run(&local, b"x").stdout, b"x");
        assert!(root.exists());
        drop(local);
        assert!(!root.exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn it_is_noted_when_the_command_opens_the_candidate() {
        let opened = |script: &str| {
            let local = Local::new(&shell(script), setup()).unwrap();
            let candidate = Candidate::whole(&Arc::new(b"x".to_vec()));
            let request = Request::new(&candidate, Limits::default());
            let request = Request { wants_opening: true, ..request };
            local.execute(0, &request, &Cancel::default()).unwrap()
        };
        let share = |script: &str| {
            let outcome = opened(script);
            let (opened, elapsed) = (outcome.opened.unwrap(), outcome.elapsed);
            assert!(opened <= elapsed, "{script}");
            opened.as_secs_f64() / elapsed.as_secs_f64()
        };
        for read in ["cat in.txt", "cat"] {
            let (early, late) =
                (share(&format!("{read}; sleep 0.3")), share(&format!("sleep 0.3; {read}")));
            assert!(early < late, "{read}: {early} of the time, and {late}");
        }
        assert_eq!(opened("true").opened, None);
    }

    #[test]
    fn output_that_is_too_long_is_cut_and_that_is_noted() {
        let mut file = tempfile::tempfile().unwrap();
        for (text, expected) in [("12345", ("12345", false)), ("123456", ("12345", true))] {
            io::Write::write_all(&mut file, text.as_bytes()).unwrap();
            let mut output = Vec::new();
            let is_cut = take(&mut file, 5, &mut output).unwrap();
            assert_eq!((str::from_utf8(&output).unwrap(), is_cut), expected);
        }
    }

    #[test]
    fn a_sandbox_wraps_the_command_and_knows_its_directories() {
        let sandbox = |launch: Launch| {
            let script = "echo \"in the sandbox of $PWD\"; exec \"$@\"";
            let before = ["-c", script, "sh"].map(OsString::from);
            let args = before.into_iter().chain([launch.program.into()]).chain(launch.args);
            Launch { program: "/bin/sh".into(), args: args.collect(), ..launch }
        };
        let local = Local::wrapped(&shell("cat; exit 7"), setup(), &sandbox).unwrap();
        let outcome = run(&local, b"hello\n");
        assert_eq!(outcome.status, Status::Exit(7));
        let said = String::from_utf8(outcome.stdout).unwrap();
        assert!(
            said.starts_with("in the sandbox of /") && said.ends_with("/work\nhello\n"),
            "{said}"
        );
    }
}
