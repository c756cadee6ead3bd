//! The parent's half: starts the child, sends it cases, and reads its answers.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{self, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, thread};

use super::{CHILD, Task, mark, unescaped, written};
use crate::case::{Case, Cases};
use crate::failure::{CaseResult, Failure, TIME_LIMIT};
use crate::protocol::driver::Events;
use crate::source::{Note, Seen};

/// How long a child may take to start.
const START: Duration = Duration::from_secs(60);
/// How long a child's last words are waited for.
const WORDS: Duration = Duration::from_secs(1);
/// How many bytes of what a child prints in a case are kept.
const KEPT: usize = 64 << 10;

/// Runs cases in a child, which is started when it is needed.
pub(crate) struct Child {
    test: String,
    limit: Option<Duration>,
    listener: TcpListener,
    task: Task,
    running: Option<Running>,
}

struct Running {
    process: process::Child,
    input: TcpStream,
    output: BufReader<TcpStream>,
    words: Arc<Words>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What a child prints on its standard error.
#[derive(Default)]
struct Words {
    said: Mutex<(Vec<u8>, bool)>,
    changed: Condvar,
}

impl Words {
    fn read(&self, mut from: impl Read) {
        let mut part = [0; 4096];
        loop {
            let length = from.read(&mut part).unwrap_or(0);
            let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
            let room = KEPT.saturating_sub(said.0.len());
            said.0.extend_from_slice(&part[..length.min(room)]);
            said.1 = length == 0;
            self.changed.notify_all();
            if length == 0 {
                return;
            }
        }
    }

    fn clear(&self) {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).0.clear();
    }

    /// What was said, up to a mark or to the end.
    fn until(&self, mark: &str) -> String {
        let is_missing = |said: &mut (Vec<u8>, bool)| {
            !said.1 && !String::from_utf8_lossy(&said.0).contains(mark)
        };
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let (said, _) = self
            .changed
            .wait_timeout_while(said, WORDS, is_missing)
            .unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&said.0).into_owned();
        text.split(mark).next().unwrap_or_default().to_owned()
    }
}

impl Child {
    /// Runs the cases of the check with this number in a test of this program.
    pub(crate) fn new(test: String, check: u64, limit: Option<Duration>) -> io::Result<Child> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let task = Task { port: listener.local_addr()?.port(), secret: fastrand::u64(..), check };
        Ok(Child { test, limit, listener, task, running: None })
    }

    fn start(&self) -> io::Result<Running> {
        let mut process = Command::new(env::current_exe()?)
            .args([&self.test, "--exact", "--include-ignored", "--nocapture"])
            .env(CHILD, self.task.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let words = Arc::new(Words::default());
        if let Some(from) = process.stderr.take() {
            let words = words.clone();
            thread::spawn(move || words.read(from));
        }
        self.listener.set_nonblocking(true)?;
        let start = Instant::now();
        loop {
            match self.listener.accept() {
                Ok((socket, _)) => {
                    socket.set_nonblocking(false)?;
                    socket.set_nodelay(true)?;
                    socket.set_read_timeout(Some(START))?;
                    let mut output = BufReader::new(socket.try_clone()?);
                    let mut secret = String::new();
                    output.read_line(&mut secret)?;
                    if secret.trim() == self.task.secret.to_string() {
                        return Ok(Running { process, input: socket, output, words });
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
            let ended = process.try_wait()?;
            if ended.is_some() || start.elapsed() > START {
                let _ = process.kill();
                return Err(io::Error::other(format!(
                    "the test program did not run the test `{}` again; it said: {}",
                    self.test,
                    words.until("\0").trim()
                )));
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn running(&mut self) -> &mut Running {
        if self.running.is_none() {
            let started = self.start().unwrap_or_else(|why| {
                panic!(
                    "the cases of `{}` cannot be run in a child process: {why}. They can in a `#[test]`, whose name is that of its thread",
                    self.test
                )
            });
            self.running = Some(started);
        }
        self.running.as_mut().expect("it was started")
    }
}

impl Cases for Child {
    fn run(&mut self, case: Case) -> (Seen, CaseResult) {
        let limit = self.limit;
        let is_loud = case.is_loud;
        let mark = mark(self.task.secret);
        let running = self.running();
        running.words.clear();
        let until = limit.map(|limit| Instant::now() + limit);
        let mut answer = Answer::default();
        let sent = running.input.write_all(written(&case).as_bytes());
        let end = sent.and_then(|()| answer.read(&mut running.output, until));
        let end = match end {
            Ok(Some(end)) => {
                if is_loud {
                    eprint!("{}", running.words.until(&mark));
                }
                end
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                self.running = None;
                let limit = limit.unwrap_or_default();
                let message = format!("the case takes longer than {limit:?}");
                CaseResult::Failed(Failure::new(message).of_kind(TIME_LIMIT))
            }
            Ok(None) | Err(_) => {
                let status = running.process.wait();
                let words = running.words.until("\0");
                if is_loud {
                    eprint!("{words}");
                }
                self.running = None;
                CaseResult::Failed(crashed(status.ok(), &words))
            }
        };
        (answer.seen(&end), end)
    }
}

/// The failure of a case that ended its process.
fn crashed(status: Option<ExitStatus>, words: &str) -> Failure {
    let how = status.map_or("an unknown status".to_owned(), |status| status.to_string());
    let words: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = &words[words.len().saturating_sub(3)..];
    let said = if last.is_empty() { String::new() } else { format!(": {}", last.join("; ")) };
    let kind = [Some(&how[..]), cause(&words)].into_iter().flatten().collect::<Vec<_>>().join(": ");
    Failure::new(format!("the process ended with {how}{said}")).of_kind(kind)
}

/// What tells crashes with the same signal apart. Other words may contain the case, so they do not count.
pub(super) fn cause<'w>(words: &[&'w str]) -> Option<&'w str> {
    const CAUSES: [&str; 2] = ["has overflowed its stack", "memory allocation of"];
    words.iter().rev().find_map(|line| {
        let place = line.split_once("panicked at ").map(|(_, place)| place.trim_end_matches(':'));
        place.or_else(|| CAUSES.into_iter().find(|cause| line.contains(cause)))
    })
}

/// What a child says of a case.
#[derive(Default)]
pub(super) struct Answer {
    events: Events,
    pub(super) notes: Vec<Note>,
    pub(super) classes: Vec<String>,
    pub(super) score: Option<f64>,
}

impl Answer {
    /// Reads until the result; `None` if the child ends before.
    fn read(
        &mut self,
        from: &mut BufReader<TcpStream>,
        until: Option<Instant>,
    ) -> io::Result<Option<CaseResult>> {
        let mut line = String::new();
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            from.get_ref().set_read_timeout(left.map(|left| left.max(Duration::from_millis(1))))?;
            line.clear();
            if from.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            if let Some(end) = self.line(line.trim_end_matches('\n')) {
                return Ok(Some(end));
            }
        }
    }

    pub(super) fn line(&mut self, line: &str) -> Option<CaseResult> {
        let (word, rest) = line.split_once('\t').unwrap_or((line, ""));
        let mut parts = rest.split('\t').map(unescaped);
        let mut part = || parts.next().unwrap_or_default();
        match word {
            "notes" => self.notes.truncate(part().parse().unwrap_or_default()),
            "note" => {
                let span = part().parse().ok();
                self.notes.push(Note { text: part(), span });
            }
            "class" => self.classes.push(part()),
            "score" => self.score = part().parse().ok(),
            "passed" => return Some(CaseResult::Passed),
            "rejected" => return Some(CaseResult::Rejected),
            "out" => {
                let wanted = self.events.wanted();
                return Some(wanted.map_or(CaseResult::Rejected, CaseResult::TooFew));
            }
            "failed" => {
                let mut failure = Failure::new(part());
                failure.place = Some(part()).filter(|place| !place.is_empty());
                failure.error = Some(part()).filter(|error| !error.is_empty());
                return Some(CaseResult::Failed(failure));
            }
            _ => {
                self.events.line(line).expect("the child writes events as this process reads them")
            }
        }
        None
    }

    fn seen(self, end: &CaseResult) -> Seen {
        let (record, _) = self.events.finish();
        let wanted = match end {
            CaseResult::TooFew(kind) => Some(*kind),
            _ => None,
        };
        Seen {
            record,
            wanted,
            stopped: None,
            notes: self.notes,
            classes: self.classes,
            score: self.score,
        }
    }
}
