//! Runs a command that stays: started once per worker, it judges one candidate after the other.
//!
//! What such a process remembers must not decide which candidates are kept. So it only dismisses candidates: every
//! outcome that matters (the request [says](Request::may_be_served) which do) comes from a new process, and so does
//! each of a sample of the others. If the two disagree, the executor stops serving and starts the command anew for each
//! candidate, as [`Local`] does.
//!
//! A new process is started ahead of its candidate and waits for it, so important candidates need not wait for a start.
//! It ends with its candidate, while the process that has judged others is warm (a JVM has compiled what it runs) and
//! continues, up to a limit.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use super::local::{Local, Setup};
use super::server::{Answer, Server};
use super::{Error, Execute, Request};
use crate::oracle::Outcome;
use crate::oracle::command::CommandLine;
use crate::process::{Launch, Limits, Status};
use crate::search::Cancel;

/// Of each worker's candidates, one in this many is judged by a new process, whatever the outcome. That process then
/// replaces the used one.
const SAMPLE: u64 = 100;
/// These candidates are judged by a new process, too: most servers that remember something do so soon.
const FIRST_SAMPLES: [u64; 2] = [1, 10];

/// Runs a command on this machine that judges many candidates in one process per worker.
pub struct Served {
    // Dropped in this order: the pipes of the servers are in the directories of `local`.
    stands: Vec<Mutex<Stand>>,
    local: Local,
    /// Why it stopped serving.
    doubt: OnceLock<String>,
    /// A note that the user has not seen yet.
    note: Mutex<Option<String>>,
}

/// One worker's servers.
#[derive(Default)]
struct Stand {
    /// The one that has judged other candidates.
    used: Option<Server>,
    /// The one that has judged no candidate.
    new: Option<Server>,
    /// The number of candidates that used ones have judged.
    judged: u64,
}

/// Which server is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Used,
    New,
}

impl Served {
    /// Makes a private directory for each worker. Servers are started when they are needed.
    pub fn new(command: &CommandLine, setup: Setup) -> io::Result<Self> {
        Served::wrapped(command, setup, &|launch| launch)
    }

    /// Like [`Served::new`], but `wrap` may change each launch, as in [`Local::wrapped`].
    pub fn wrapped(
        command: &CommandLine,
        setup: Setup,
        wrap: &dyn Fn(Launch) -> Launch,
    ) -> io::Result<Self> {
        if setup.name.as_bytes().contains(&b'\n') {
            let message = "the name of the input has a line end, and --serve sends it in one line";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let local = Local::wrapped(command, setup, wrap)?;
        let stands = (0..local.slots()).map(|_| Mutex::default()).collect();
        Ok(Served { stands, local, doubt: OnceLock::new(), note: Mutex::default() })
    }

    /// Has a server judge a candidate. `None` if the executor stops serving, since the server does not follow the
    /// protocol.
    fn ask(
        &self,
        which: Which,
        slot: usize,
        request: &Request<'_>,
        cancel: &Cancel,
    ) -> Result<Option<Outcome>, Error> {
        let mut stand = self.stands[slot].lock().expect("no worker panics with its server");
        let mut seat = self.local.seat(slot);
        drop(seat.lay(request.candidate)?);
        let path = seat.desk.file();
        let answer = stand.judge(which, &seat.launch, &path, request.limits, cancel);
        seat.tidy()?;
        Ok(match answer? {
            Answer::Outcome { outcome, .. } => Some(outcome),
            Answer::Unread(status) => {
                let message = "before it read a candidate";
                return Err(Error::Lost(format!(
                    "the test with --serve ended ({status}) {message}"
                )));
            }
            Answer::Nonsense(line) => {
                self.stop_serving(format!(
                    "the test with --serve wrote `{line}`, which isn't an answer of the protocol (docs/src/guides/serve.md)"
                ));
                None
            }
        })
    }

    fn is_sampled(&self, slot: usize) -> bool {
        let stand = self.stands[slot].lock().expect("no worker panics with its server");
        FIRST_SAMPLES.contains(&stand.judged) || stand.judged.is_multiple_of(SAMPLE)
    }

    fn stop_serving(&self, why: String) {
        let note = format!("{why}; lop goes on with a new process for each candidate");
        if self.doubt.set(why).is_ok() {
            *self.note.lock().expect("nothing panics with this lock") = Some(note);
        }
    }

    /// Starts the command for this candidate alone.
    fn run_alone(
        &self,
        slot: usize,
        request: &Request<'_>,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        if self.doubt.get().is_some() {
            let mut stand = self.stands[slot].lock().expect("no worker panics with its server");
            (stand.used, stand.new) = (None, None);
        }
        self.local.execute(slot, request, cancel)
    }
}

impl Execute for Served {
    fn execute(
        &self,
        slot: usize,
        request: &Request<'_>,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        let Some(suffices) = request.may_be_served.filter(|_| self.doubt.get().is_none()) else {
            return self.run_alone(slot, request, cancel);
        };
        let Some(by_used) = self.ask(Which::Used, slot, request, cancel)? else {
            return self.run_alone(slot, request, cancel);
        };
        let is_cancelled = by_used.status == Status::Cancelled;
        if is_cancelled || suffices(&by_used) && !self.is_sampled(slot) {
            return Ok(by_used);
        }
        let Some(by_new) = self.ask(Which::New, slot, request, cancel)? else {
            return self.run_alone(slot, request, cancel);
        };
        if ended(&by_used) && ended(&by_new) && suffices(&by_used) != suffices(&by_new) {
            self.stop_serving(format!(
                "the test with --serve remembers earlier candidates: it judged one as `{}`, a new process as `{}`; \
                 the result will be interesting, but it may be larger than without --serve",
                by_used.status, by_new.status
            ));
        }
        Ok(by_new)
    }

    fn take_notes(&self) -> Vec<String> {
        let note = self.note.lock().expect("nothing panics with this lock").take();
        note.into_iter().collect()
    }
}

/// Whether a test ended by itself. A limit may concern everything that a server has done, not only the last candidate.
fn ended(outcome: &Outcome) -> bool {
    matches!(outcome.status, Status::Exit(_) | Status::Signal(_))
}

impl Stand {
    fn judge(
        &mut self,
        which: Which,
        launch: &Launch,
        path: &Path,
        limits: Limits,
        cancel: &Cancel,
    ) -> Result<Answer, Error> {
        loop {
            let kept = match which {
                Which::Used => &mut self.used,
                Which::New => &mut self.new,
            };
            let mut server = match kept.take() {
                Some(server) => server,
                None => Server::start(launch, limits)?,
            };
            if server.is_cancelled_before_ready(limits.time, cancel)? {
                // The server continues its start meanwhile.
                *kept = Some(server);
                let outcome = Outcome::new(Status::Cancelled, Duration::ZERO);
                return Ok(Answer::Outcome { outcome, stays: true });
            }
            let is_unused = server.is_unused();
            let answer = server.judge(path, limits.time, cancel)?;
            match answer {
                Answer::Outcome { stays, .. } => {
                    match which {
                        Which::Used => {
                            self.judged += 1;
                            self.used = Some(server).filter(|_| stays);
                        }
                        Which::New if self.judged.is_multiple_of(SAMPLE) => {
                            self.used = Some(server).filter(|_| stays);
                        }
                        Which::New => drop(server),
                    }
                    if self.new.is_none() {
                        self.new = Some(Server::start(launch, limits)?);
                    }
                }
                // The server ended after its last answer, before this candidate: another one has to judge.
                Answer::Unread(_) if !is_unused => continue,
                _ => {}
            }
            return Ok(answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use super::*;
    use crate::oracle::command::Argument;
    use crate::text::Candidate;

    /// A test that stays: how a candidate is judged, in a function `check`.
    fn served(check: &str) -> Served {
        let script = format!(
            "check() {{ {check}\n}}\n\
             [ -n \"$LOP_CANDIDATES\" ] || {{ check \"$1\"; exit; }}\n\
             exec 3<\"$LOP_CANDIDATES\" 4>\"$LOP_ANSWERS\"; echo lop-serve 1 >&4\n\
             while read -r number path <&3; do check \"$path\"; echo $number $? >&4; done"
        );
        of_script(&script)
    }

    fn of_script(script: &str) -> Served {
        let words = ["-c", script, "sh"].map(Argument::plain);
        let args = words.into_iter().chain([Argument::candidate()]).collect();
        let command =
            CommandLine { program: "/bin/sh".into(), args, env: Vec::new(), reads_candidate: true };
        let (name, beside) = ("in.txt".into(), Vec::new());
        let setup = Setup { name, executable: false, bundle: None, beside, workers: 1 };
        Served::new(&command, setup).unwrap()
    }

    fn limits() -> Limits {
        Limits { time: Duration::from_secs(60), ..Limits::default() }
    }

    /// Has candidates judged; only those that exit with 0 matter.
    fn judge(
        served: &Served,
        text: &str,
        limits: Limits,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        let candidate = Candidate::whole(&Arc::new(text.as_bytes().to_vec()));
        let may_be_served = |outcome: &Outcome| outcome.status != Status::Exit(0);
        let mut request = Request::new(&candidate, limits);
        request.wants_output = true;
        request.may_be_served = Some(&may_be_served);
        served.execute(0, &request, cancel)
    }

    fn judged(served: &Served, text: &str) -> Outcome {
        judge(served, text, limits(), &Cancel::default()).unwrap()
    }

    fn text(bytes: &[u8]) -> &str {
        str::from_utf8(bytes).unwrap()
    }

    #[test]
    fn one_process_judges_boring_candidates_and_a_new_one_those_that_matter() {
        let served = served("echo $$; return $(cat \"$1\")");
        judged(&served, "1");
        let first = judged(&served, "1").stdout;
        assert_eq!(judged(&served, "2").stdout, first);
        let new = judged(&served, "0").stdout;
        assert_ne!(new, first, "another process has judged it");
        assert_ne!(judged(&served, "0").stdout, new, "and that one judged nothing else");
        assert_eq!(judged(&served, "3").stdout, first);
        assert!(served.take_notes().is_empty());
    }

    #[test]
    fn after_a_hundred_candidates_a_new_process_takes_over() {
        let served = served("echo $$; return 1");
        let numbers: Vec<Vec<u8>> = (0..150).map(|_| judged(&served, "x").stdout).collect();
        // The first, the tenth and the hundredth candidate are in the sample.
        assert!((1..99).filter(|at| *at != 9).all(|at| numbers[at] == numbers[1]));
        assert!((99..150).all(|at| numbers[at] == numbers[99]));
        let mut processes = [0, 1, 9, 99].map(|at| &numbers[at]).to_vec();
        processes.sort();
        processes.dedup();
        assert_eq!(processes.len(), 4);
    }

    #[test]
    fn output_exit_codes_and_signals_come_back() {
        let served = served(
            "cat \"$1\"; pwd >&2; case $(cat \"$1\") in die) kill -SEGV $$;; esac; return 7",
        );
        judged(&served, "the first is of the sample");
        let outcome = judged(&served, "hello");
        assert_eq!((outcome.status, text(&outcome.stdout)), (Status::Exit(7), "hello"));
        assert!(text(&outcome.stderr).ends_with("/work\n"), "{}", text(&outcome.stderr));
        let outcome = judged(&served, "die");
        assert_eq!((outcome.status, text(&outcome.stdout)), (Status::Signal(libc::SIGSEGV), "die"));
        assert_eq!(judged(&served, "again").status, Status::Exit(7));
    }

    #[test]
    fn a_process_that_hangs_is_killed_and_another_one_judges_the_next_candidate() {
        let served = served("echo $$; case $(cat \"$1\") in hang) sleep 7021.25;; esac; return 1");
        judged(&served, "the first is of the sample");
        let before = judged(&served, "x").stdout;
        let short = Limits { time: Duration::from_millis(500), ..limits() };
        let outcome = judge(&served, "hang", short, &Cancel::default()).unwrap();
        assert_eq!(outcome.status, Status::TimedOut);
        assert_ne!(judged(&served, "x").stdout, before);
    }

    #[test]
    fn files_of_one_candidate_do_not_reach_the_next() {
        let served =
            served("ls -A . \"$TMPDIR\" | grep -c drop; touch drop \"$TMPDIR\"/drop; return 1");
        for _ in 0..5 {
            assert_eq!(text(&judged(&served, "x").stdout), "0\n");
        }
    }

    #[test]
    fn a_verdict_that_depends_on_earlier_candidates_is_not_believed() {
        let served = served("n=$((n + 1)); [ $n -gt 2 ]");
        assert!((0..12).all(|_| judged(&served, "x").status == Status::Exit(1)));
        let notes = served.take_notes();
        assert_eq!(notes.len(), 1);
        assert!(
            notes[0].contains("judged one as `exit 0`, a new process as `exit 1`"),
            "{notes:?}"
        );
        assert!(served.take_notes().is_empty(), "it is said once");
    }

    #[test]
    fn nonsense_ends_the_service_and_the_candidate_is_judged_anyway() {
        for nonsense in ["hello", "1", "99 0", "1 x", "1 256", ""] {
            let served =
                served(&format!("[ -n \"$LOP_CANDIDATES\" ] && echo '{nonsense}' >&4; return 7"));
            assert_eq!(judged(&served, "x").status, Status::Exit(7));
            let notes = served.take_notes();
            assert!(notes.len() == 1 && notes[0].contains(&format!("`{nonsense}`")), "{notes:?}");
        }
    }

    #[test]
    fn an_answer_that_is_given_twice_is_not_taken_for_the_next_candidate() {
        let served = served("[ $number = 2 ] && echo $number 1 >&4; return $(cat \"$1\")");
        judged(&served, "1");
        judged(&served, "1");
        assert_eq!(judged(&served, "5").status, Status::Exit(5));
        assert_eq!(judged(&served, "6").status, Status::Exit(6));
    }

    #[test]
    fn a_process_that_ends_between_two_candidates_is_replaced() {
        let script = "exec 3<\"$LOP_CANDIDATES\" 4>\"$LOP_ANSWERS\"; echo lop-serve 1 >&4\n\
                      read -r number path <&3; echo $number $(cat \"$path\") >&4; exit 9";
        let served = of_script(script);
        for code in 1..6 {
            assert_eq!(judged(&served, &code.to_string()).status, Status::Exit(code));
        }
    }

    #[test]
    fn a_test_that_does_not_stay_is_refused_with_its_last_words() {
        for (script, why) in [
            ("echo one >&2; echo two >&2; exit 3", "it ended with exit 3 (`two`) before"),
            ("echo hello > \"$LOP_ANSWERS\"; sleep 7022.25", "it said `hello` before"),
        ] {
            let error = judge(&of_script(script), "x", limits(), &Cancel::default()).err().unwrap();
            assert!(error.to_string().contains(why), "{error}");
        }
        let short = Limits { time: Duration::from_millis(100), ..limits() };
        let error = judge(&of_script("sleep 7022.25"), "x", short, &Cancel::default());
        assert!(error.err().unwrap().to_string().contains("it ran out of time before"));
    }

    #[test]
    fn a_cancelled_request_ends_and_a_process_that_answers_soon_stays() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        // lop waits for an answer as long as a start takes.
        let script = format!(
            "sleep 1; exec 3<\"$LOP_CANDIDATES\" 4>\"$LOP_ANSWERS\"; echo lop-serve 1 >&4; cd {}\n\
             while read -r number path <&3; do echo $$; case $(cat \"$path\") in\n\
             wait) : > waits; while ! [ -e go ]; do :; done;;\n\
             hang) : > hangs; sleep 7023.25;;\n\
             esac; echo $number 1 >&4; done",
            place.path().display()
        );
        let served = of_script(&script);
        judged(&served, "x");
        let before = judged(&served, "x").stdout;
        let cancelled = |candidate: &str, sign: &str| {
            let cancel = Cancel::default();
            let status = std::thread::scope(|scope| {
                scope.spawn(|| {
                    while !at(sign).exists() {
                        std::thread::yield_now();
                    }
                    cancel.cancel();
                    fs::write(at("go"), "").unwrap();
                });
                judge(&served, candidate, limits(), &cancel).unwrap().status
            });
            assert_eq!(status, Status::Cancelled);
        };
        cancelled("wait", "waits");
        assert_eq!(judged(&served, "x").stdout, before);
        cancelled("hang", "hangs");
        assert_ne!(judged(&served, "x").stdout, before, "the one that hung was killed");
    }
}
