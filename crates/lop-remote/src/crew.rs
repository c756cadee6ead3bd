//! Runs actions to their end, through outages.

use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use bazel_remote_apis::build::bazel::remote::execution::v2::{
    ActionResult, Digest, ExecuteResponse,
};
use bazel_remote_apis::google::protobuf::Timestamp;
use lop::Status;
use lop::oracle::Outcome;
use lop::oracle::execute;
use tokio::sync::watch;
use tokio::time::timeout;
use tonic::Code;

use crate::connection::{Connection, Ended, cancellation};
use crate::fault::Fault;
use crate::job::Task;
use crate::wrapper::{Said, output, said};

/// The common state of all actions.
pub(crate) struct Crew {
    pub(crate) connection: Connection,
    outage: Mutex<Option<Instant>>,
    notes: Mutex<Vec<String>>,
    /// The number of actions in flight.
    flying: Mutex<usize>,
    landed: Condvar,
}

/// The first pause if the server is unreachable; it doubles.
const PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How often contents are sent again to a server that lacks them.
const SENDINGS: u32 = 3;
/// The settings of one action's run.
pub(crate) struct Flight {
    pub(crate) slot: usize,
    pub(crate) skips_cache: bool,
    pub(crate) wants_output: bool,
    pub(crate) cancelled: watch::Receiver<bool>,
}

/// The result of an action that its worker ran to the end.
pub(crate) struct Reply {
    /// The script's report; `None` if it did not run.
    pub(crate) said: Option<Said>,
    pub(crate) is_out_of_time: bool,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) code: i32,
    pub(crate) worker: String,
    elapsed: Duration,
}

impl Reply {
    pub(crate) fn outcome(self, wants_output: bool) -> Result<Outcome, execute::Error> {
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
    pub(crate) fn new(connection: Connection) -> Self {
        let (outage, notes) = (Mutex::default(), Mutex::default());
        let (flying, landed) = (Mutex::default(), Condvar::new());
        Crew { connection, outage, notes, flying, landed }
    }

    /// What the user should know, since the last call.
    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes.lock().expect("nothing panics with this lock"))
    }

    /// Waits until no action is in flight, for a limited time.
    pub(crate) fn land(&self, longest: Duration) {
        let flying = self.flying.lock().expect("nothing panics with this lock");
        let _ = self.landed.wait_timeout_while(flying, longest, |flying| *flying > 0);
    }

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
                    // The server may have lost its contents.
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

    /// Checks the status first: a worker that was killed leaves an exit code of 0.
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
        // A test that timed out may have no output.
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

/// Counts an action while it is in flight.
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
