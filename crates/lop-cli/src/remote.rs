//! Tests on other machines (`--remote`), and on this one at the same time (`--local-jobs`).

use std::env::VarError;
use std::sync::Arc;

use lop::Cancel;
use lop::oracle::Outcome;
use lop::oracle::execute::{Error, Execute, Request, Setup};
use lop_remote::{Kind, Options, Remote};

use crate::exit::{Code, Failure};
use crate::question::Question;

/// The executor of a question whose tests run on other machines; `None` if they don't. `local` makes an executor for
/// tests on this machine.
pub(crate) fn executor(
    question: &Question,
    setup: Setup,
    stop: &Cancel,
    local: &dyn Fn(usize) -> Result<Arc<dyn Execute>, Failure>,
) -> Option<Result<Arc<dyn Execute>, Failure>> {
    let args = &question.args.test.remote;
    let access = args.access()?;
    let local_slots = usize::from(args.local_jobs.unwrap_or(0));
    let mut command = question.command.clone();
    // These are paths of this machine.
    command.env.retain(|(name, _)| name != "LOP_DIR" && name != "LOP_FILE");
    // The server gets at least one worker, even if the question has no more than the local ones.
    let workers = question.workers.saturating_sub(local_slots).max(1);
    let setup = Setup { workers, ..setup };
    let mut options = Options::new(access, command, setup);
    options.properties = args.remote_property.clone();
    options.has_exact_time = question.args.limits.timeout.is_some();
    options.is_flaky = question.args.property.votes().is_some();
    let make = || {
        options.variables = variables(&args.remote_env)?;
        let remote: Arc<dyn Execute> =
            Arc::new(Remote::new(options, stop).map_err(|error| failure(&error))?);
        Ok(match local_slots {
            0 => remote,
            slots => Arc::new(Mixed { local: local(slots)?, slots, remote }),
        })
    };
    Some(make())
}

/// The variables with their values.
fn variables(named: &[(String, Option<String>)]) -> Result<Vec<(String, String)>, Failure> {
    let value = |(name, value): &(String, Option<String>)| match value {
        Some(value) => Ok((name.clone(), value.clone())),
        None => std::env::var(name).map(|value| (name.clone(), value)).map_err(|error| {
            let why = match error {
                VarError::NotPresent => "the variable is not set",
                VarError::NotUnicode(_) => "the value of the variable is not valid UTF-8",
            };
            let message = format!("--remote-env {name}: {why}");
            Failure::new(Code::Usage, message).help(format!("set it, or write {name}=VALUE"))
        }),
    };
    named.iter().map(value).collect()
}

fn failure(error: &lop_remote::Error) -> Failure {
    let code = match error.kind() {
        Kind::Option => Code::Usage,
        _ => Code::Test,
    };
    Failure::new(code, error.to_string()).help(error.cure())
}

/// Runs the tests of some workers on this machine, and all others elsewhere.
struct Mixed {
    local: Arc<dyn Execute>,
    /// The number of workers on this machine, which are the first.
    slots: usize,
    remote: Arc<dyn Execute>,
}

impl Execute for Mixed {
    fn execute(
        &self,
        slot: usize,
        request: &Request<'_>,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        match slot.checked_sub(self.slots) {
            None => self.local.execute(slot, request, cancel),
            Some(slot) => self.remote.execute(slot, request, cancel),
        }
    }

    fn take_notes(&self) -> Vec<String> {
        [self.local.take_notes(), self.remote.take_notes()].concat()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use lop::{Candidate, Limits, Status};

    use super::*;

    /// Exits with the number of the slot plus its own number.
    struct Fake(i32);

    impl Execute for Fake {
        fn execute(&self, slot: usize, _: &Request<'_>, _: &Cancel) -> Result<Outcome, Error> {
            Ok(Outcome::new(Status::Exit(self.0 + slot as i32), Duration::ZERO))
        }

        fn take_notes(&self) -> Vec<String> {
            vec![self.0.to_string()]
        }
    }

    #[test]
    fn the_first_workers_run_tests_here_and_the_others_elsewhere() {
        let (local, remote) = (Arc::new(Fake(10)), Arc::new(Fake(20)));
        let mixed = Mixed { local, slots: 2, remote };
        let candidate = Candidate::whole(&Arc::default());
        let request = Request::new(&candidate, Limits::default());
        let run = |slot| mixed.execute(slot, &request, &Cancel::default()).unwrap().status;
        assert_eq!([0, 1, 2, 5].map(run), [10, 11, 20, 23].map(Status::Exit));
        assert_eq!(mixed.take_notes(), ["10", "20"]);
    }
}
