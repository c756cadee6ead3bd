//! The executor: holds the test, and starts an action for each request.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lop::oracle::Outcome;
use lop::oracle::execute::{self, Execute, Request};
use lop::{Cancel, Status};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::canary;
use crate::connection::{Connection, cancellation};
use crate::crew::{Crew, Flight};
use crate::error::{Error, Kind};
use crate::fault::Fault;
use crate::job::{Job, Manner};
use crate::options::Options;

/// Runs a test on the workers of a server.
pub struct Remote {
    runtime: Option<Runtime>,
    crew: Arc<Crew>,
    job: Job,
    /// The candidates that were sent. One that comes again has to be judged again, not remembered.
    sent: Mutex<HashSet<String>>,
}

/// How long the end of a run waits for actions that are being cancelled.
const LANDING: Duration = Duration::from_secs(10);

impl Remote {
    /// Connects to the server, and checks that its workers can run tests: actions with known answers come first.
    pub fn new(options: Options, cancel: &Cancel) -> Result<Remote, Error> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("lop-remote")
            .enable_all()
            .build()
            .map_err(|error| {
                let message = format!("cannot start threads for the connection: {error}");
                Error::new(Kind::Server, message, "free some memory, or allow more threads")
            })?;
        let (tell, mut told) = watch::channel(false);
        let _hook = cancel.on_cancel(move || {
            let _ = tell.send(true);
        });
        let opening = async {
            let connection =
                Connection::open(options.access.clone(), options.setup.workers).await?;
            let mut job = Job::new(&options, connection.function)?;
            let crew = Arc::new(Crew::new(connection));
            canary::check(&crew, &mut job).await?;
            Ok((crew, job))
        };
        let opened = runtime.block_on(async {
            tokio::select! {
                opened = opening => opened,
                () = cancellation(&mut told) => {
                    Err(Error::new(Kind::Cancelled, "interrupted", "start the run again"))
                }
            }
        });
        let (crew, job) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                // All remaining requests to the server are pointless.
                runtime.shutdown_background();
                return Err(error);
            }
        };
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
                // The flight continues until the action is cancelled on the server.
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
        self.crew.take_notes()
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.crew.land(LANDING);
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
