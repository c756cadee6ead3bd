//! An oracle that runs a command.
//!
//! From the bottom up: an [executor](super::execute) runs the command; a [`Supervisor`] sets its limits and repeats lost runs; the oracle
//! asks the supervisor and checks whether the outcome has the property.

mod line;
mod shell;
mod supervisor;
mod time;

pub use line::{Argument, CommandLine};
pub use shell::quoted;
pub use supervisor::Supervisor;
pub use time::TimeLimit;
pub(crate) use time::Timer;

use super::execute::{Error, Request};
use super::property::Outcome;
use super::{Aside, Finding, Oracle, Property, Reason, Verdict};
use crate::process::Status;
use crate::search::Cancel;
use crate::text::Candidate;

/// Runs a command and checks whether its outcome has a property.
pub struct CommandOracle {
    supervisor: Supervisor,
    property: Property,
    aside: Option<Aside>,
}

impl CommandOracle {
    /// An oracle that finds a candidate interesting if it has the property.
    pub fn new(supervisor: Supervisor, property: Property) -> Self {
        CommandOracle { supervisor, property, aside: None }
    }

    /// Also collects boring candidates that fail in other ways.
    pub fn with_aside(self, aside: Aside) -> Self {
        CommandOracle { aside: Some(aside), ..self }
    }

    /// The supervisor that runs the command.
    pub fn supervisor(&self) -> &Supervisor {
        &self.supervisor
    }

    /// The property of interesting candidates.
    pub fn property(&self) -> &Property {
        &self.property
    }

    /// The verdict on an outcome: whether it has the property, or why that is unresolved.
    pub fn verdict(&self, outcome: &Outcome) -> Verdict {
        match outcome.status {
            Status::Cancelled => Verdict::Unresolved(Reason::Cancelled),
            Status::Memory if !self.property.wants_memory() => Verdict::Unresolved(Reason::Memory),
            Status::Processes => Verdict::Unresolved(Reason::Processes),
            Status::TimedOut if !self.property.wants_hang() => {
                Verdict::Unresolved(Reason::TimedOut)
            }
            _ if self.property.holds(outcome) => Verdict::Interesting,
            _ => Verdict::Boring,
        }
    }
}

impl CommandOracle {
    /// Whether an outcome may come from a process that has judged other candidates: if lop keeps nothing because of it.
    /// A candidate that timed out is retried later anyway, and waiting for its time limit twice would take long.
    fn may_be_served(&self, outcome: &Outcome) -> bool {
        match self.verdict(outcome) {
            Verdict::Boring => !self.aside.as_ref().is_some_and(|aside| aside.wants(outcome)),
            Verdict::Unresolved(reason) => matches!(reason, Reason::TimedOut | Reason::Cancelled),
            Verdict::Interesting => false,
        }
    }
}

impl Oracle for CommandOracle {
    fn judge(&self, slot: usize, candidate: &Candidate, cancel: &Cancel) -> Verdict {
        let may_be_served = |outcome: &Outcome| self.may_be_served(outcome);
        let request = Request {
            wants_output: self.property.reads_output() || self.aside.is_some(),
            may_be_served: Some(&may_be_served),
            ..self.supervisor.request(candidate)
        };
        match self.supervisor.ask(slot, request, cancel) {
            Ok(outcome) => {
                let verdict = self.verdict(&outcome);
                if verdict == Verdict::Interesting && outcome.status != Status::TimedOut {
                    self.supervisor.learn(outcome.elapsed);
                }
                if let (Some(aside), Verdict::Boring) = (&self.aside, &verdict) {
                    aside.look(candidate, &outcome);
                }
                verdict
            }
            Err(Error::Lost(why)) => Verdict::Unresolved(Reason::Lost(why)),
            Err(Error::Broken(error)) => Verdict::Unresolved(Reason::Broken(error.to_string())),
        }
    }

    fn set_longer_limit(&self, longer: bool) -> bool {
        // A hang is defined by the usual limit.
        !self.property.wants_hang() && self.supervisor.set_longer(longer)
    }

    fn take_findings(&self) -> Vec<Finding> {
        self.aside.as_ref().map(Aside::take).unwrap_or_default()
    }

    fn take_notes(&self) -> Vec<String> {
        self.supervisor.take_notes()
    }
}

/// Kills all running tests, with everything they started: for a process that is about to exit
/// without waiting for its workers.
pub fn kill_tests() {
    crate::process::kill_tests();
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use super::*;
    use crate::oracle::Requirement;
    use crate::oracle::execute::Execute;
    use crate::process::Limits;

    /// An executor that ends each run with the same status and remembers the last time limit.
    struct Fake {
        status: Status,
        time: Mutex<Duration>,
    }

    impl Execute for Fake {
        fn execute(&self, _: usize, request: &Request<'_>, _: &Cancel) -> Result<Outcome, Error> {
            *self.time.lock().unwrap() = request.limits.time;
            Ok(Outcome::new(self.status, Duration::ZERO))
        }
    }

    fn oracle(
        status: Status,
        requirement: Requirement,
        time: TimeLimit,
    ) -> (Arc<Fake>, CommandOracle) {
        let fake = Arc::new(Fake { status, time: Mutex::default() });
        let supervisor = Supervisor::new(fake.clone(), Limits::default(), time);
        supervisor.adapt(Duration::from_millis(500));
        (fake, CommandOracle::new(supervisor, Property::new(vec![requirement])))
    }

    fn judge(oracle: &CommandOracle) -> Verdict {
        oracle.judge(0, &Candidate::whole(&Arc::default()), &Cancel::default())
    }

    #[test]
    fn a_longer_limit_stretches_neither_the_users_nor_that_of_a_hang() {
        let limit = |time, requirement, longer| {
            let (fake, oracle) = oracle(Status::Exit(0), requirement, time);
            let differs = oracle.set_longer_limit(longer);
            judge(&oracle);
            (differs, fake.time.lock().unwrap().as_secs())
        };
        let fixed = TimeLimit::Fixed(Duration::from_secs(7));
        assert_eq!(limit(TimeLimit::Adaptive, Requirement::Exit(0), false), (true, 5));
        assert_eq!(limit(TimeLimit::Adaptive, Requirement::Exit(0), true), (true, 20));
        assert_eq!(limit(TimeLimit::Adaptive, Requirement::Hang, true), (false, 5));
        assert_eq!(limit(fixed, Requirement::Exit(0), true), (false, 7));
    }

    #[test]
    fn running_out_of_time_is_unresolved_unless_the_property_is_a_hang() {
        let verdict =
            |requirement| judge(&oracle(Status::TimedOut, requirement, TimeLimit::Adaptive).1);
        assert_eq!(verdict(Requirement::Exit(0)), Verdict::Unresolved(Reason::TimedOut));
        assert_eq!(verdict(Requirement::Hang), Verdict::Interesting);
    }
}
