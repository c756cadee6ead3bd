//! Runs cases in a child process, so that one that hangs, aborts or overflows the stack is a failure like any other.
//!
//! The child is the same test program, asked for the same test. Its check serves the cases of its parent over a socket instead of making its own:
//!
//! ```text
//! Child (parent's half)   case    ──▶   serve (child's half)
//!                         events  ◀──   while the property draws
//!                         end     ◀──   notes, classes, score, result
//! ```
//!
//! Every event is sent at once: of a case that ends its process, the choices up to then are known. The child ends when its parent does.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{self, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};
use std::{env, fmt, thread};

use crate::case::{Case, Cases};
use crate::choice::Choice;
use crate::failure::{self, CaseResult, Failure, Outcome};
use crate::protocol::driver::{Events, one_of_many};
use crate::protocol::generator::{Written, next_choices};
use crate::record::Label;
use crate::source::{Note, Seen, Source, Watch};

/// The environment variable of a child: the port of its parent, a secret, and the number of the check in its test.
const CHILD: &str = "LOP_CHECK_CHILD";
/// How long a child may take to start.
const START: Duration = Duration::from_secs(60);
/// How long a child's last words are waited for.
const WORDS: Duration = Duration::from_secs(1);
/// How many bytes of what a child prints in a case are kept.
const KEPT: usize = 64 << 10;

/// What a child is started for.
pub(crate) struct Task {
    port: u16,
    secret: u64,
    pub(crate) check: u64,
}

impl Task {
    /// The task of this process, if it is a child.
    pub(crate) fn of_environment() -> Option<Task> {
        let text = env::var(CHILD).ok()?;
        let mut words = text.split(' ');
        Some(Task {
            port: words.next()?.parse().ok()?,
            secret: words.next()?.parse().ok()?,
            check: words.next()?.parse().ok()?,
        })
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.port, self.secret, self.check)
    }
}

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
                CaseResult::Failed(Failure::new(message).of_kind("time limit"))
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
    let words = if last.is_empty() { String::new() } else { format!(": {}", last.join("; ")) };
    Failure::new(format!("the process ended with {how}{words}")).of_kind(how)
}

/// What a child says of a case.
#[derive(Default)]
struct Answer {
    events: Events,
    notes: Vec<Note>,
    classes: Vec<String>,
    score: Option<f64>,
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

    fn line(&mut self, line: &str) -> Option<CaseResult> {
        let (word, rest) = line.split_once('\t').unwrap_or((line, ""));
        let mut parts = rest.split('\t').map(unescaped);
        let mut part = || parts.next().unwrap_or_default();
        match word {
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

/// Serves the cases of the parent, and ends this process when the parent has no more.
pub(crate) fn serve<R: Outcome>(task: &Task, mut property: impl FnMut(&mut Source) -> R) -> ! {
    // Without a parent there is nobody to tell.
    let _ = serve_all(task, &mut property);
    process::exit(0)
}

fn serve_all<R: Outcome>(
    task: &Task,
    property: &mut dyn FnMut(&mut Source) -> R,
) -> io::Result<()> {
    let mut output = TcpStream::connect(("127.0.0.1", task.port))?;
    output.set_nodelay(true)?;
    writeln!(output, "{}", task.secret)?;
    let mut input = BufReader::new(output.try_clone()?);
    let (send, cases) = mpsc::channel();
    // A case that hangs must not outlive the parent.
    thread::spawn(move || {
        while let Ok(Some(case)) = read_case(&mut input) {
            if send.send(case).is_err() {
                return;
            }
        }
        process::exit(0)
    });
    for case in cases {
        let is_loud = case.is_loud;
        let source = case.source().with_watch(Sending(output.try_clone()?));
        let run = if is_loud { failure::run_aloud } else { failure::run };
        let (seen, end) = run(source, property);
        if is_loud {
            eprint!("{}", mark(task.secret));
        }
        output.write_all(answer(&seen, &end).as_bytes())?;
    }
    Ok(())
}

/// The end of what a child prints in a case.
fn mark(secret: u64) -> String {
    format!("\0{secret}\0")
}

fn answer(seen: &Seen, end: &CaseResult) -> String {
    let mut text = String::new();
    for note in &seen.notes {
        let span = note.span.map_or("-".to_owned(), |span| span.to_string());
        text += &format!("note\t{span}\t{}\n", escaped(&note.text));
    }
    for class in &seen.classes {
        text += &format!("class\t{}\n", escaped(class));
    }
    if let Some(score) = seen.score {
        text += &format!("score\t{score}\n");
    }
    text += &match end {
        CaseResult::Passed => "passed\n".to_owned(),
        CaseResult::Rejected => "rejected\n".to_owned(),
        CaseResult::TooFew(kind) => format!("? {}\nout\n", Written(*kind)),
        CaseResult::Failed(Failure { message, place, error }) => {
            let escaped = |text: &Option<String>| escaped(text.as_deref().unwrap_or_default());
            format!("failed\t{}\t{}\t{}\n", self::escaped(message), escaped(place), escaped(error))
        }
    };
    text
}

/// Sends events as they happen. What cannot be sent is missed by nobody: the parent has ended.
struct Sending(TcpStream);

impl Sending {
    fn send(&mut self, line: &str) {
        let _ = self.0.write_all(line.as_bytes());
    }
}

impl Watch for Sending {
    fn begin(&mut self, label: Label, before: usize) {
        self.send(&format!("( {}\t{before}\n", label.name()));
    }

    fn end(&mut self, discarded: bool) {
        self.send(if discarded { "!\n" } else { ")\n" });
    }

    fn chose(&mut self, Choice { value, kind }: &Choice) {
        self.send(&format!("{} {value}\n", Written(*kind)));
    }
}

/// A case as text.
fn written(case: &Case) -> String {
    let (span, rest) = match &case.anew {
        Some((span, rest)) => (span.to_string(), rest.iter().map(i128::to_string).collect()),
        None => ("-".to_owned(), Vec::new()),
    };
    let flags = format!("{} {}", u8::from(case.has_notes), u8::from(case.is_loud));
    format!("case {flags} {span} {}\n{}", rest.join(" "), one_of_many(&case.choices))
}

/// Reads a case; `None` at the end of the input.
fn read_case(input: &mut impl BufRead) -> io::Result<Option<Case>> {
    let mut line = String::new();
    if input.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["case", notes, loud, span, rest @ ..] = &words[..] else {
        return Err(io::Error::from(ErrorKind::InvalidData));
    };
    let rest = rest.iter().filter_map(|word| word.parse().ok()).collect();
    let anew = span.parse().ok().map(|span| (span, rest));
    let (has_notes, is_loud) = (*notes == "1", *loud == "1");
    Ok(next_choices(input)?.map(|choices| Case { choices, anew, has_notes, is_loud }))
}

/// A text without tabs and line ends.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\r', "\\r").replace('\n', "\\n")
}

fn unescaped(text: &str) -> String {
    let mut signs = text.chars();
    let mut whole = String::new();
    while let Some(sign) = signs.next() {
        whole.push(match (sign, sign == '\\') {
            (_, true) => match signs.next() {
                Some('t') => '\t',
                Some('r') => '\r',
                Some('n') => '\n',
                _ => '\\',
            },
            _ => sign,
        });
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Choices;

    #[test]
    fn what_the_parent_writes_the_child_reads() {
        let choices = Choices {
            values: vec![1, -7, i128::MIN],
            most: Some(50),
            fresh: Some((3, 0.5)),
            ..Choices::default()
        };
        let cases = [
            Case::given(vec![]),
            Case { choices, anew: Some((4, vec![5, 6])), has_notes: true, is_loud: true },
        ];
        for case in cases {
            let text = written(&case);
            assert_eq!(read_case(&mut text.as_bytes()).unwrap(), Some(case));
        }
    }

    #[test]
    fn what_the_child_answers_the_parent_reads() {
        let failure = Failure {
            message: "two\nlines\\n".into(),
            place: Some("a.rs:1:2".into()),
            error: None,
        };
        let notes = vec![
            Note { text: "list = [\"\\t\"]\t".into(), span: Some(3) },
            Note { text: "".into(), span: None },
        ];
        let seen = Seen {
            record: Default::default(),
            wanted: None,
            stopped: None,
            notes: notes.clone(),
            classes: vec!["a b".into()],
            score: Some(-0.5),
        };
        let end = CaseResult::Failed(failure);
        let mut read = Answer::default();
        let ends: Vec<_> = answer(&seen, &end).lines().filter_map(|line| read.line(line)).collect();
        assert_eq!(ends, [end]);
        assert_eq!((read.notes, read.classes, read.score), (notes, seen.classes, seen.score));
    }
}
