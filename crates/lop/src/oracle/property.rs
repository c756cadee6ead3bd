//! The property of interesting candidates: conditions on how a command ends and on its output.

use std::fmt;
use std::time::Duration;

use regex::bytes::Regex;

use super::Signature;
use super::signature::has_syntax_error;
use crate::process::Status;

/// How a command ended, with its output.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Exit code, signal or time-out.
    pub status: Status,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// Whether the output was longer than the part that was read.
    pub is_cut: bool,
    /// How long it ran.
    pub elapsed: Duration,
    /// When it first opened or read the candidate, after its start; `None` if it did not, or if that was not noted.
    pub opened: Option<Duration>,
    /// The processor time that it took, with the children that it waited for; zero if it was not measured.
    pub busy: Duration,
    /// The most memory that all its processes took at the same time, in bytes; 0 if it was not measured.
    pub memory: u64,
}

impl Outcome {
    /// The outcome of a command that printed nothing.
    pub fn new(status: Status, elapsed: Duration) -> Self {
        let (stdout, stderr) = (Vec::new(), Vec::new());
        let (busy, memory) = (Duration::ZERO, 0);
        Outcome { status, stdout, stderr, is_cut: false, elapsed, opened: None, busy, memory }
    }
}

/// One condition.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Requirement {
    /// It exits with this code.
    Exit(i32),
    /// It dies of this signal, or exits as shells do when a child dies of it.
    Signal(i32),
    /// It is still running at the time limit.
    Hang,
    /// Its standard output matches.
    Stdout(Regex),
    /// Its standard error matches.
    Stderr(Regex),
    /// Its standard output does not match.
    NotStdout(Regex),
    /// Its standard error does not match.
    NotStderr(Regex),
    /// Its output reports no syntax error.
    NoSyntaxError,
    /// It fails as the original did.
    Signature(Signature),
    /// It ends as the original did, unless a limit ends it.
    Ends(Status),
    /// It takes at least this long.
    Slower(Duration),
    /// It takes at least this much processor time, or a limit ends it.
    Busier(Duration),
    /// It takes more memory than this, in bytes.
    MoreMemory(u64),
}

impl Requirement {
    fn holds(&self, outcome: &Outcome) -> bool {
        match self {
            Requirement::Exit(code) => outcome.status == Status::Exit(*code),
            Requirement::Signal(signal) => outcome.status.signal() == Some(*signal),
            Requirement::Hang => outcome.status == Status::TimedOut,
            Requirement::Stdout(regex) => regex.is_match(&outcome.stdout),
            Requirement::Stderr(regex) => regex.is_match(&outcome.stderr),
            Requirement::NotStdout(regex) => !regex.is_match(&outcome.stdout),
            Requirement::NotStderr(regex) => !regex.is_match(&outcome.stderr),
            Requirement::NoSyntaxError => !has_syntax_error(outcome),
            Requirement::Signature(signature) => signature.is_in(outcome),
            Requirement::Ends(status) => match outcome.status {
                Status::TimedOut | Status::Memory => true,
                ended => {
                    ended == *status || ended.signal().is_some_and(|it| Some(it) == status.signal())
                }
            },
            Requirement::Slower(time) => outcome.elapsed >= *time,
            Requirement::Busier(time) => {
                outcome.busy >= *time || outcome.status == Status::TimedOut
            }
            Requirement::MoreMemory(bytes) => outcome.memory > *bytes,
        }
    }

    fn reads_output(&self) -> bool {
        match self {
            Requirement::Stdout(_)
            | Requirement::Stderr(_)
            | Requirement::NotStdout(_)
            | Requirement::NotStderr(_)
            | Requirement::NoSyntaxError
            | Requirement::Signature(_) => true,
            Requirement::Exit(_)
            | Requirement::Signal(_)
            | Requirement::Hang
            | Requirement::Ends(_)
            | Requirement::Slower(_)
            | Requirement::Busier(_)
            | Requirement::MoreMemory(_) => false,
        }
    }

    /// Whether it is about how the command ends.
    fn is_about_end(&self) -> bool {
        matches!(
            self,
            Requirement::Exit(_)
                | Requirement::Signal(_)
                | Requirement::Hang
                | Requirement::Signature(_)
                | Requirement::Ends(_)
        )
    }

    /// Whether a command that a limit ends fails the requirement, since its own end is unknown.
    fn needs_end(&self) -> bool {
        self.is_about_end() && !matches!(self, Requirement::Hang | Requirement::Ends(_))
    }

    fn wants_hang(&self) -> bool {
        match self {
            Requirement::Hang => true,
            Requirement::Signature(signature) => signature.is_hang(),
            _ => false,
        }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Requirement::Exit(code) => write!(f, "exit {code}"),
            Requirement::Signal(signal) => Status::Signal(*signal).fmt(f),
            Requirement::Hang => f.write_str("still running when the time is over"),
            Requirement::Stdout(regex) => write!(f, "stdout matches /{regex}/"),
            Requirement::Stderr(regex) => write!(f, "stderr matches /{regex}/"),
            Requirement::NotStdout(regex) => write!(f, "stdout does not match /{regex}/"),
            Requirement::NotStderr(regex) => write!(f, "stderr does not match /{regex}/"),
            Requirement::NoSyntaxError => f.write_str("no syntax error"),
            Requirement::Signature(signature) if signature.refuses_new_errors() => {
                write!(f, "{signature}, no new errors")
            }
            Requirement::Signature(signature) => signature.fmt(f),
            Requirement::Ends(status) => status.fmt(f),
            Requirement::Slower(time) => write!(f, "takes at least {} s", time.as_secs_f64()),
            Requirement::Busier(time) => {
                write!(f, "takes at least {} s of processor time", time.as_secs_f64())
            }
            Requirement::MoreMemory(bytes) => {
                write!(f, "takes more memory than {:.0} MB", *bytes as f64 / f64::from(1 << 20))
            }
        }
    }
}

/// Conditions that must all hold.
#[derive(Clone, Debug)]
pub struct Property(Vec<Requirement>);

impl Property {
    /// The property that all of these requirements hold.
    pub fn new(requirements: Vec<Requirement>) -> Self {
        Property(requirements)
    }

    /// Whether an outcome meets all requirements.
    pub fn holds(&self, outcome: &Outcome) -> bool {
        self.0.iter().all(|requirement| requirement.holds(outcome))
    }

    /// Whether a line of the output is one that the property requires.
    pub(super) fn is_said_in(&self, line: &str) -> bool {
        self.0.iter().any(|requirement| match requirement {
            Requirement::Stdout(regex) | Requirement::Stderr(regex) => {
                regex.is_match(line.as_bytes())
            }
            Requirement::Signature(signature) => signature.is_said_in(line),
            _ => false,
        })
    }

    /// Whether the command's output matters.
    pub fn reads_output(&self) -> bool {
        self.0.iter().any(Requirement::reads_output)
    }

    /// All requirements.
    pub fn requirements(&self) -> &[Requirement] {
        &self.0
    }

    /// Whether it says how the command ends.
    pub fn is_about_end(&self) -> bool {
        self.0.iter().any(Requirement::is_about_end)
    }

    /// The same property, and the command also ends in this way.
    pub fn ending(mut self, status: Status) -> Self {
        self.0.insert(0, Requirement::Ends(status));
        self
    }

    /// The same property, and the command reports no syntax error, if the property is about its output and the
    /// original's failure is an ordinary one without a syntax error: a message about syntax quotes the candidate, and
    /// so whatever the output has to match.
    pub fn without_syntax_errors(mut self, original: &Outcome) -> Self {
        let is_crash = Signature::of(original).is_some_and(|signature| signature.is_crash());
        if self.reads_output() && !is_crash && !has_syntax_error(original) {
            self.0.push(Requirement::NoSyntaxError);
        }
        self
    }

    /// The same property, with slowness measured in processor time if the original took as much of it: other programs
    /// on the machine make any test slow, but not busy.
    pub fn measured_as(mut self, original: &Outcome) -> Self {
        for requirement in &mut self.0 {
            match requirement {
                Requirement::Slower(time) if original.busy >= *time => {
                    *requirement = Requirement::Busier(*time);
                }
                _ => {}
            }
        }
        self
    }

    /// Whether a candidate that runs out of time may be interesting: the property is a hang, or slowness without a
    /// condition on the end.
    pub fn wants_hang(&self) -> bool {
        self.0.iter().any(Requirement::wants_hang)
            || self
                .may_be_stopped(|it| matches!(it, Requirement::Slower(_) | Requirement::Busier(_)))
    }

    /// Whether a candidate that runs out of memory may be interesting.
    pub fn wants_memory(&self) -> bool {
        self.may_be_stopped(|it| matches!(it, Requirement::MoreMemory(_)))
    }

    fn may_be_stopped(&self, by: impl Fn(&Requirement) -> bool) -> bool {
        self.0.iter().any(by) && !self.0.iter().any(Requirement::needs_end)
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, requirement) in self.0.iter().enumerate() {
            write!(f, "{}{requirement}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(status: Status, stdout: &str, stderr: &str) -> Outcome {
        let (stdout, stderr) = (stdout.into(), stderr.into());
        Outcome { stdout, stderr, ..Outcome::new(status, Duration::ZERO) }
    }

    #[test]
    fn all_requirements_must_hold() {
        let property = Property::new(vec![
            Requirement::Exit(1),
            Requirement::Stderr(Regex::new("bad .*thing").unwrap()),
            Requirement::NotStdout(Regex::new("fine").unwrap()),
        ]);
        assert!(property.holds(&outcome(Status::Exit(1), "", "a bad big thing")));
        assert!(!property.holds(&outcome(Status::Exit(0), "", "a bad big thing")));
        assert!(!property.holds(&outcome(Status::Exit(1), "", "good")));
        assert!(!property.holds(&outcome(Status::Exit(1), "all fine", "a bad big thing")));
        assert_eq!(
            property.to_string(),
            "exit 1, stderr matches /bad .*thing/, stdout does not match /fine/"
        );
    }

    #[test]
    fn a_syntax_error_that_quotes_the_pattern_is_not_the_failure() {
        let of = |original: &str| {
            let lent = Requirement::Stderr(Regex::new("already lent").unwrap());
            let original = outcome(Status::Exit(1), "", original);
            let property = Property::new(vec![lent]).without_syntax_errors(&original);
            assert!(property.holds(&original));
            property.holds(&outcome(Status::Exit(1), "", "near \"'already lent'\": syntax error"))
        };
        assert!(!of("Runtime error near line 30: book is already lent (19)"));
        assert!(of("x.sql:3: syntax error: 'already lent'"), "it is one on the original");
        assert!(of("db.c:7: Assertion `lent' failed: already lent"), "a crash after an error");
    }

    #[test]
    fn slow_runs_and_large_ones_count_and_end_as_the_original_did_unless_a_limit_ends_them() {
        let (second, mb) = (Duration::from_secs(1), 1 << 20);
        let slow = Property::new(vec![Requirement::Slower(2 * second)]).ending(Status::Exit(0));
        let run = |status, elapsed, memory| Outcome { memory, ..Outcome::new(status, elapsed) };
        assert_eq!(slow.to_string(), "exit 0, takes at least 2 s");
        assert!(slow.holds(&run(Status::Exit(0), 2 * second, 0)));
        assert!(!slow.holds(&run(Status::Exit(0), second, 0)));
        assert!(!slow.holds(&run(Status::Exit(1), 2 * second, 0)));
        assert!(slow.wants_hang() && slow.holds(&run(Status::TimedOut, 9 * second, 0)));
        assert!(!slow.wants_memory());

        let large = Property::new(vec![Requirement::MoreMemory(500 * mb)]).ending(Status::Exit(0));
        assert_eq!(large.to_string(), "exit 0, takes more memory than 500 MB");
        assert!(large.holds(&run(Status::Exit(0), second, 501 * mb)));
        assert!(!large.holds(&run(Status::Exit(0), second, 500 * mb)));
        assert!(large.wants_memory() && large.holds(&run(Status::Memory, second, 501 * mb)));
        assert!(!large.wants_hang());

        let original = Outcome { busy: 3 * second, ..run(Status::Exit(0), 4 * second, 0) };
        let busy = slow.clone().measured_as(&original);
        assert_eq!(busy.to_string(), "exit 0, takes at least 2 s of processor time");
        assert!(busy.holds(&original) && busy.wants_hang());
        assert!(
            !busy.holds(&run(Status::Exit(0), 9 * second, 0)),
            "the machine was busy, not the test"
        );
        assert!(busy.holds(&run(Status::TimedOut, 9 * second, 0)));
        let waiting = run(Status::Exit(0), 4 * second, 0);
        assert_eq!(slow.clone().measured_as(&waiting).to_string(), slow.to_string());

        let both = vec![Requirement::Slower(second), Requirement::Exit(0)];
        assert!(!Property::new(both).wants_hang(), "how it would have ended is not known");
    }

    #[test]
    fn a_signal_counts_also_when_a_shell_reports_it() {
        let property = Property::new(vec![Requirement::Signal(libc::SIGSEGV)]);
        assert!(property.holds(&outcome(Status::Signal(libc::SIGSEGV), "", "")));
        assert!(property.holds(&outcome(Status::Exit(128 + libc::SIGSEGV), "", "")));
        assert!(!property.holds(&outcome(Status::Exit(1), "", "")));
    }

    #[test]
    fn patterns_work_on_bytes_that_are_no_text() {
        let property = Property::new(vec![Requirement::Stdout(Regex::new("needle").unwrap())]);
        let mut outcome = outcome(Status::Exit(0), "", "");
        outcome.stdout = b"\xff\0needle".into();
        assert!(property.holds(&outcome));
    }
}
