//! The executor: holds the test, and starts an action for each request.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use bazel_remote_apis::build::bazel::remote::execution::v2::{
    ActionResult, Digest, ExecuteResponse,
};
use bazel_remote_apis::google::protobuf::Timestamp;
use lop::oracle::Outcome;
use lop::oracle::command::CommandLine;
use lop::oracle::execute::{self, Execute, Request, Setup};
use lop::{Cancel, Status};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::timeout;
use tonic::Code;

use crate::access::Access;
use crate::canary;
use crate::connection::{Connection, Ended, cancellation};
use crate::fault::Fault;
use crate::job::{Job, Manner, Task};
use crate::wrapper::{Said, output, said};
use crate::{Error, Kind};

/// What runs where.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// How the server is reached.
    pub access: Access,
    /// The test.
    pub command: CommandLine,
    /// How candidates are presented to it; `workers` is the number of actions in flight.
    pub setup: Setup,
    /// What workers must be like, in the words of the server.
    pub properties: Vec<(String, String)>,
    /// The environment of the test. Nothing of this machine's is sent but this.
    pub variables: Vec<(String, String)>,
    /// Whether the time limit is the user's, and not one that lop measured.
    pub has_exact_time: bool,
    /// Whether the test does not always answer the same: the server then remembers nothing.
    pub is_flaky: bool,
}

impl Options {
    /// A test on any worker.
    pub fn new(access: Access, command: CommandLine, setup: Setup) -> Self {
        let (properties, variables) = (Vec::new(), Vec::new());
        let (has_exact_time, is_flaky) = (false, false);
        Options { access, command, setup, properties, variables, has_exact_time, is_flaky }
    }
}

/// Runs a test on the workers of a server.
pub struct Remote {
    runtime: Option<Runtime>,
    crew: Arc<Crew>,
    job: Job,
    /// The candidates that were sent. One that comes again is to be judged again, not remembered.
    sent: Mutex<HashSet<String>>,
}

/// What all actions share.
pub(crate) struct Crew {
    pub(crate) connection: Connection,
    outage: Mutex<Option<Instant>>,
    notes: Mutex<Vec<String>>,
    /// The number of actions in flight.
    flying: Mutex<usize>,
    landed: Condvar,
}

/// The first pause if the server is away; it doubles.
const PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How often contents are sent again to a server that lacks them.
const SENDINGS: u32 = 3;
/// How long the end of a run waits for actions that are being cancelled.
const LANDING: Duration = Duration::from_secs(10);

impl Remote {
    /// Connects to the server, and checks that its workers can run tests: actions with known answers come first.
    pub fn new(options: Options) -> Result<Remote, Error> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("lop-remote")
            .enable_all()
            .build()
            .map_err(|error| {
                let message = format!("cannot start threads for the connection: {error}");
                Error::new(Kind::Server, message, "free some memory, or allow more threads")
            })?;
        let width = options.setup.workers;
        let opening = Connection::open(options.access.clone(), width);
        let connection = runtime.block_on(opening)?;
        let mut job = Job::new(&options, connection.function)?;
        let crew = Arc::new(Crew {
            connection,
            outage: Mutex::default(),
            notes: Mutex::default(),
            flying: Mutex::default(),
            landed: Condvar::new(),
        });
        runtime.block_on(canary::check(&crew, &mut job))?;
        Ok(Remote { runtime: Some(runtime), crew, job, sent: Mutex::default() })
    }

    fn ask(
        &self,
        slot: usize,
        request: &Request<'_>,
        manner: Manner,
        cancel: &Cancel,
    ) -> Result<Outcome, execute::Error> {
        let text = request.candidate.text();
        let task = self.job.task(text, manner)?;
        let runtime = self.runtime.as_ref().expect("it is there until this is dropped");
        let (tell, told) = watch::channel(false);
        let _hook = cancel.on_cancel(move || {
            let _ = tell.send(true);
        });
        let flight = Flight {
            slot,
            skips_cache: request.losses > 0,
            wants_output: manner.wants_output,
            cancelled: told.clone(),
        };
        let landing = runtime.spawn(self.crew.clone().fly(task, flight));
        let mut told = told;
        let reply = runtime.block_on(async {
            tokio::select! {
                landed = landing => landed,
                // The flight goes on until the server is told.
                () = cancellation(&mut told) => Ok(Ok(None)),
            }
        });
        match reply {
            Ok(Ok(Some(reply))) => reply.outcome(manner.wants_output),
            Ok(Ok(None)) => Ok(Outcome::new(Status::Cancelled, Duration::ZERO)),
            Ok(Err(Fault::Lost(why) | Fault::Missing(why))) => Err(execute::Error::Lost(why)),
            Ok(Err(fault)) => Err(execute::Error::Broken(io::Error::other(fault.why().to_owned()))),
            Err(error) => Err(execute::Error::Lost(error.to_string())),
        }
    }
}

impl Execute for Remote {
    fn execute(
        &self,
        slot: usize,
        request: &Request<'_>,
        cancel: &Cancel,
    ) -> Result<Outcome, execute::Error> {
        let name = self.crew.connection.function.digest(request.candidate.text()).hash;
        let sent = || self.sent.lock().expect("nothing panics with this lock");
        let is_first = sent().insert(name.clone());
        let manner = Manner { is_alone: !is_first, ..Manner::of(request) };
        let answer = self.ask(slot, request, manner, cancel);
        let is_answered = answer.as_ref().is_ok_and(|it| it.status != Status::Cancelled);
        if is_first && !is_answered {
            sent().remove(&name);
        }
        answer
    }

    fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.crew.notes.lock().expect("nothing panics with this lock"))
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        let flying = self.crew.flying.lock().expect("nothing panics with this lock");
        let _ = self.crew.landed.wait_timeout_while(flying, LANDING, |flying| *flying > 0);
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// How one action is run.
pub(crate) struct Flight {
    pub(crate) slot: usize,
    pub(crate) skips_cache: bool,
    pub(crate) wants_output: bool,
    pub(crate) cancelled: watch::Receiver<bool>,
}

/// What became of an action that its worker ran to the end.
pub(crate) struct Reply {
    /// What the script said; nothing if it did not run.
    pub(crate) said: Option<Said>,
    pub(crate) is_out_of_time: bool,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) code: i32,
    pub(crate) worker: String,
    elapsed: Duration,
}

impl Reply {
    fn outcome(self, wants_output: bool) -> Result<Outcome, execute::Error> {
        let status = match self.said {
            _ if self.is_out_of_time => Status::TimedOut,
            Some(Said::Ended(status)) => status,
            Some(Said::Absent(ref program)) => {
                let why = format!("{} has no `{program}`", self.worker());
                return Err(execute::Error::Lost(why));
            }
            Some(Said::Broken(ref why)) => {
                let why = format!("{} cannot run the test: {why}", self.worker());
                return Err(execute::Error::Lost(why));
            }
            None => {
                let last = String::from_utf8_lossy(&self.stderr);
                let last = last.lines().rfind(|line| !line.trim().is_empty());
                let last = last.map(|line| format!(": {line}")).unwrap_or_default();
                let (worker, code) = (self.worker(), self.code);
                let why = format!("{worker} did not run the test to its end (exit {code}){last}");
                return Err(execute::Error::Lost(why));
            }
        };
        let mut outcome = Outcome::new(status, self.elapsed);
        if wants_output {
            let ((stdout, cut_out), (stderr, cut_err)) =
                (output(self.stdout, true), output(self.stderr, false));
            (outcome.stdout, outcome.stderr, outcome.is_cut) = (stdout, stderr, cut_out || cut_err);
        }
        Ok(outcome)
    }

    /// The worker in words.
    pub(crate) fn worker(&self) -> String {
        match self.worker.is_empty() {
            true => "a worker".into(),
            false => format!("the worker `{}`", self.worker),
        }
    }
}

impl Crew {
    /// Runs an action to its end, through outages; `None` if it was cancelled.
    pub(crate) async fn fly(
        self: Arc<Self>,
        task: Task,
        mut flight: Flight,
    ) -> Result<Option<Reply>, Fault> {
        let _takeoff = Takeoff::new(&self);
        let mut pause = PAUSE;
        let mut sendings = 0;
        let mut is_renewed = false;
        let mut away = None;
        loop {
            if *flight.cancelled.borrow() {
                return Ok(None);
            }
            let fault = match self.try_once(&task, &flight).await {
                Ok(reply) => {
                    self.is_back();
                    return Ok(reply);
                }
                Err(fault) => fault,
            };
            match fault {
                Fault::Away(why) => {
                    let since = *away.get_or_insert_with(Instant::now);
                    let patience = self.connection.access().patience;
                    if since.elapsed() >= patience {
                        let address = &self.connection.access().address;
                        let seconds = since.elapsed().as_secs();
                        let why =
                            format!("the server `{address}` has been away for {seconds} s: {why}");
                        return Err(Fault::Refused(why));
                    }
                    self.is_away(&why);
                    // It may have lost what it had.
                    self.connection.forget();
                    let _ = timeout(pause, cancellation(&mut flight.cancelled)).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Fault::Missing(why) => {
                    sendings += 1;
                    if sendings == SENDINGS {
                        return Err(Fault::Lost(why));
                    }
                    self.connection.forget();
                    flight.skips_cache = true;
                }
                Fault::Unknown(why) if !is_renewed => {
                    is_renewed = true;
                    self.connection
                        .renew()
                        .map_err(|error| Fault::Refused(format!("{why}: {error}")))?;
                }
                fault => return Err(fault),
            }
        }
    }

    async fn try_once(&self, task: &Task, flight: &Flight) -> Result<Option<Reply>, Fault> {
        let started = Instant::now();
        self.connection.upload(task).await?;
        let Flight { slot, skips_cache, wants_output, cancelled } = flight;
        let ended = self.connection.execute(*slot, &task.digest, *skips_cache, cancelled.clone());
        match ended.await? {
            Ended::Cancelled => Ok(None),
            Ended::Answered(response) => {
                self.reply(*response, *wants_output, started.elapsed()).await.map(Some)
            }
        }
    }

    /// Looks at the status first: a worker that was killed leaves an exit code of 0.
    async fn reply(
        &self,
        response: ExecuteResponse,
        wants_output: bool,
        taken: Duration,
    ) -> Result<Reply, Fault> {
        let status = response.status.unwrap_or_default();
        let code = Code::from(status.code);
        let is_out_of_time = code == Code::DeadlineExceeded;
        if code != Code::Ok && !is_out_of_time {
            let fault = Fault::of_action(status.code, &status.message);
            let more = response.message.trim();
            return Err(match fault {
                Fault::Lost(why) if !more.is_empty() => Fault::Lost(format!("{why}: {more}")),
                fault => fault,
            });
        }
        let result = match response.result {
            Some(result) => result,
            None if is_out_of_time => ActionResult::default(),
            None => return Err(Fault::Lost("the server answered without a result".into())),
        };
        let metadata = result.execution_metadata.unwrap_or_default();
        let ran =
            between(&metadata.execution_start_timestamp, &metadata.execution_completed_timestamp);
        let stdout = self.stream(result.stdout_raw, result.stdout_digest).await;
        // What ran out of time may have no output.
        let stdout = if is_out_of_time { stdout.unwrap_or_default() } else { stdout? };
        let said = said(&stdout);
        let mut stderr = Vec::new();
        if (wants_output || said.is_none()) && !is_out_of_time {
            stderr = self.stream(result.stderr_raw, result.stderr_digest).await?;
        }
        Ok(Reply {
            said,
            is_out_of_time,
            stdout,
            stderr,
            code: result.exit_code,
            worker: metadata.worker,
            elapsed: ran.unwrap_or(taken),
        })
    }

    /// An output, which is in the answer or stored.
    async fn stream(&self, raw: Vec<u8>, stored: Option<Digest>) -> Result<Vec<u8>, Fault> {
        match stored.filter(|digest| raw.is_empty() && digest.size_bytes > 0) {
            None => Ok(raw),
            Some(digest) => self.connection.read(&digest).await.map_err(|fault| match fault {
                // The server remembers the result, but no longer its output.
                Fault::Missing(why) => Fault::Lost(why),
                fault => fault,
            }),
        }
    }

    fn is_away(&self, why: &str) {
        let mut outage = self.outage.lock().expect("nothing panics with this lock");
        if outage.is_none() {
            *outage = Some(Instant::now());
            let access = self.connection.access();
            let (address, seconds) = (&access.address, access.patience.as_secs());
            self.note(format!(
                "the server `{address}` does not answer: {why}; lop waits up to {seconds} s for it"
            ));
        }
    }

    fn is_back(&self) {
        if let Some(since) = self.outage.lock().expect("nothing panics with this lock").take() {
            let seconds = since.elapsed().as_secs_f64();
            self.note(format!("the server answers again, after {seconds:.1} s"));
        }
    }

    fn note(&self, note: String) {
        self.notes.lock().expect("nothing panics with this lock").push(note);
    }
}

/// Counts an action for as long as it flies.
struct Takeoff(Arc<Crew>);

impl Takeoff {
    fn new(crew: &Arc<Crew>) -> Self {
        *crew.flying.lock().expect("nothing panics with this lock") += 1;
        Takeoff(crew.clone())
    }
}

impl Drop for Takeoff {
    fn drop(&mut self) {
        *self.0.flying.lock().expect("nothing panics with this lock") -= 1;
        self.0.landed.notify_all();
    }
}

/// The time between two moments of the same clock.
fn between(start: &Option<Timestamp>, end: &Option<Timestamp>) -> Option<Duration> {
    let nanos =
        |time: &Timestamp| i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanos);
    let nanos = nanos(end.as_ref()?) - nanos(start.as_ref()?);
    u64::try_from(nanos).ok().filter(|nanos| *nanos > 0).map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(said: Option<Said>) -> Reply {
        Reply {
            said,
            is_out_of_time: false,
            stdout: b"noise\nlop-remote 1 output\nout\nlop-remote 1 exit 3\n".to_vec(),
            stderr: b"lop-remote 1 output\nerr".to_vec(),
            code: 0,
            worker: "w7".into(),
            elapsed: Duration::from_secs(2),
        }
    }

    #[test]
    fn the_outcome_is_what_the_script_said_whatever_the_exit_code_is() {
        let outcome = reply(Some(Said::Ended(Status::Exit(3)))).outcome(true).unwrap();
        assert_eq!(outcome.status, Status::Exit(3));
        assert_eq!((&*outcome.stdout, &*outcome.stderr), (&b"out"[..], &b"err"[..]));
        let silent = reply(Some(Said::Ended(Status::Signal(11)))).outcome(false).unwrap();
        assert_eq!((silent.status, silent.stdout.len()), (Status::Signal(11), 0));
    }

    #[test]
    fn without_a_verdict_an_action_is_lost_and_the_worker_is_named() {
        for (said, words) in [
            (None, "the worker `w7` did not run the test to its end (exit 0): err"),
            (Some(Said::Absent("gcc".into())), "the worker `w7` has no `gcc`"),
            (Some(Said::Broken("no room".into())), "the worker `w7` cannot run the test: no room"),
        ] {
            match reply(said).outcome(true) {
                Err(execute::Error::Lost(why)) => assert_eq!(why, words),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn the_time_of_a_test_is_that_of_the_worker() {
        let at = |seconds, nanos| Some(Timestamp { seconds, nanos });
        assert_eq!(between(&at(5, 900_000_000), &at(7, 0)), Some(Duration::from_millis(1100)));
        assert_eq!(between(&at(7, 0), &at(5, 0)), None);
        assert_eq!(between(&None, &at(5, 0)), None);
    }
}
