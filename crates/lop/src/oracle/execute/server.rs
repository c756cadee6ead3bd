//! A test that stays: one process that judges one candidate after the other, see `docs/src/guides/serve.md`.
//!
//! The process reads requests from one named pipe and writes answers to another, so its standard output and error are free for
//! the test: they are files, which are read and emptied after each candidate.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::Error;
use super::local::{OUTPUT, take};
use crate::oracle::Outcome;
use crate::process::{Alongside, Launch, Limits, Status, Termination, make_fifo};
use crate::search::Cancel;

/// The first line of a test that stays: the version of the protocol.
const GREETING: &str = "lop-serve 1";
/// The variables that hold the paths of the pipes.
const CANDIDATES: &str = "LOP_CANDIDATES";
const ANSWERS: &str = "LOP_ANSWERS";
/// An answer is a few bytes long; a longer line is cut, and is invalid anyway.
const LONGEST_LINE: u64 = 1 << 10;
/// A server whose answer is no longer needed may take this long to give it, if its start took as long: that saves a new
/// start.
const LONGEST_GRACE: Duration = Duration::from_secs(1);

/// A running test.
pub(super) struct Server {
    /// Killed when it is dropped, with everything it started.
    _process: Alongside,
    /// The directory of its pipes.
    _place: TempDir,
    started: Instant,
    /// How long it took to start; `None` until its greeting is read.
    startup: Option<Duration>,
    /// The number of the last candidate.
    number: u64,
    requests: File,
    events: mpsc::Receiver<Event>,
    sender: SyncSender<Event>,
    stdout: File,
    stderr: File,
}

enum Event {
    Line(Vec<u8>),
    /// The process ended, and all its lines were read.
    Ended(io::Result<Termination>),
    /// The answer on the candidate with this number is no longer needed.
    Cancelled(u64),
}

/// A server's reaction to a candidate.
pub(super) enum Answer {
    /// The test ended with this outcome; the server stays if it gave the answer itself.
    Outcome { outcome: Outcome, stays: bool },
    /// The server ended before it read the candidate.
    Unread(Status),
    /// The server wrote this line, which isn't an answer.
    Nonsense(String),
}

impl Server {
    /// Starts a test. Its pipes and output files are beside its working directory.
    pub(super) fn start(launch: &Launch, limits: Limits) -> io::Result<Server> {
        let desk = launch.dir.parent().unwrap_or(&launch.dir);
        let place = tempfile::Builder::new().prefix("serve-").tempdir_in(desk)?;
        let [candidates, answers, stdout, stderr] =
            ["candidates", "answers", "stdout", "stderr"].map(|name| place.path().join(name));
        make_fifo(&candidates)?;
        make_fifo(&answers)?;
        // Opening a pipe for both directions does not block.
        let both = || OpenOptions::new().read(true).write(true).clone();
        let requests = both().custom_flags(libc::O_NONBLOCK).open(&candidates)?;
        // The reader sees the end when no process can write any more, so the pipe must not close before the server has
        // ended.
        let keeps_open = both().open(&answers)?;
        let reader = File::open(&answers)?;
        // The files are emptied between two writes, and the next write must be at the new end.
        let output = |path| OpenOptions::new().create(true).append(true).read(true).open(path);
        let (stdout, stderr) = (output(&stdout)?, output(&stderr)?);
        let files = [File::open("/dev/null")?, stdout.try_clone()?, stderr.try_clone()?];

        let mut launch = launch.clone();
        launch.env.push((CANDIDATES.into(), candidates.into()));
        launch.env.push((ANSWERS.into(), answers.into()));
        // A server that writes line after line has to wait until they are read.
        let (sender, events) = mpsc::sync_channel(16);
        let (tell, end) = mpsc::channel();
        let lines = sender.clone();
        let started = Instant::now();
        let limits = Limits { time: Duration::MAX, ..limits };
        let process = Alongside::start(launch, files, limits, move |ended| {
            let _ = tell.send(ended);
            drop(keeps_open);
        })?;
        thread::Builder::new().spawn(move || {
            if read_lines(reader, &lines).is_some()
                && let Ok(ended) = end.recv()
            {
                let _ = lines.send(Event::Ended(ended));
            }
        })?;
        let (_process, _place, startup, number) = (process, place, None, 0);
        Ok(Server {
            _process,
            _place,
            started,
            startup,
            number,
            requests,
            events,
            sender,
            stdout,
            stderr,
        })
    }

    /// Waits until it is ready for candidates; returns whether that was cancelled.
    pub(super) fn is_cancelled_before_ready(
        &mut self,
        limit: Duration,
        cancel: &Cancel,
    ) -> Result<bool, Error> {
        if self.startup.is_some() {
            return Ok(false);
        }
        let sender = self.sender.clone();
        let _hook = cancel.on_cancel(move || drop(sender.try_send(Event::Cancelled(0))));
        let why = loop {
            match self.events.recv_timeout(limit.saturating_sub(self.started.elapsed())) {
                Ok(Event::Line(line)) if line == GREETING.as_bytes() => {
                    self.startup = Some(self.started.elapsed());
                    return Ok(false);
                }
                Ok(Event::Line(line)) => break format!("it said `{}`", shown(&line)),
                Ok(Event::Cancelled(_)) if cancel.is_cancelled() => return Ok(true),
                // An answer to an earlier request.
                Ok(Event::Cancelled(_)) => {}
                Ok(Event::Ended(ended)) => break format!("it ended with {}", ended?.status),
                Err(_) => break "it ran out of time".to_owned(),
            }
        };
        let errors = self.outcome(Status::TimedOut, Duration::ZERO)?.stderr;
        let last = errors.trim_ascii_end().rsplit(|byte| *byte == b'\n').next();
        let last = last.filter(|line| !line.is_empty());
        let last = last.map(|line| format!(" (`{}`)", shown(line))).unwrap_or_default();
        Err(Error::Lost(format!(
            "the test does not stay, as --serve needs it: {why}{last} before it said `{GREETING}`; \
             does it speak the protocol (docs/src/guides/serve.md)?"
        )))
    }

    /// Whether it has judged no candidate yet.
    pub(super) fn is_unused(&self) -> bool {
        self.number == 0
    }

    /// Hands it a candidate and waits for the answer.
    pub(super) fn judge(
        &mut self,
        path: &Path,
        limit: Duration,
        cancel: &Cancel,
    ) -> io::Result<Answer> {
        self.number += 1;
        let number = self.number;
        let path: &OsStr = path.as_os_str();
        let request = [format!("{number} ").as_bytes(), path.as_bytes(), b"\n"].concat();
        let started = Instant::now();
        let mut limit = limit;
        self.requests.write_all(&request)?;
        let sender = self.sender.clone();
        let hook = cancel.on_cancel(move || drop(sender.try_send(Event::Cancelled(number))));
        let (status, stays) = loop {
            match self.events.recv_timeout(limit.saturating_sub(started.elapsed())) {
                Ok(Event::Line(line)) => match code(&line, number) {
                    Some(code) => break (Status::Exit(code), true),
                    None => return Ok(Answer::Nonsense(shown(&line))),
                },
                Ok(Event::Ended(ended)) => {
                    let status = ended?.status;
                    // The read would block if the process had read the candidate.
                    if self.requests.read(&mut [0]).is_ok() {
                        return Ok(Answer::Unread(status));
                    }
                    break (status, false);
                }
                Ok(Event::Cancelled(of)) if of == number => {
                    let grace = self.startup.unwrap_or_default().min(LONGEST_GRACE);
                    limit = limit.min(started.elapsed() + grace);
                }
                Ok(Event::Cancelled(_)) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    break (Status::TimedOut, false);
                }
            }
        };
        drop(hook);
        let status = if cancel.is_cancelled() { Status::Cancelled } else { status };
        let outcome = self.outcome(status, started.elapsed())?;
        Ok(Answer::Outcome { outcome, stays })
    }

    /// An outcome with the output so far; empties the files.
    fn outcome(&mut self, status: Status, elapsed: Duration) -> io::Result<Outcome> {
        let mut outcome = Outcome::new(status, elapsed);
        let files =
            [(&mut self.stdout, &mut outcome.stdout), (&mut self.stderr, &mut outcome.stderr)];
        for (file, output) in files {
            outcome.is_cut |= take(file, OUTPUT, output)?;
        }
        Ok(outcome)
    }
}

/// The exit code in an answer on the candidate with this number.
fn code(line: &[u8], number: u64) -> Option<i32> {
    let (of, code) = str::from_utf8(line).ok()?.split_once(' ')?;
    let is_own = of.parse() == Ok(number);
    is_own.then(|| code.parse::<u8>().ok().map(i32::from)).flatten()
}

/// Reads lines to their end, or until the receiver is dropped.
fn read_lines(reader: File, lines: &SyncSender<Event>) -> Option<()> {
    let mut reader = BufReader::new(reader);
    loop {
        let mut line = Vec::new();
        let read = (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return Some(());
        }
        line.truncate(line.trim_ascii_end().len());
        lines.send(Event::Line(line)).ok()?;
    }
}

/// The beginning of a line, for a message.
fn shown(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().take(60).collect()
}
