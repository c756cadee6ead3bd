//! The property of interesting candidates: conditions on how a command ends and on its output.

use std::fmt;
use std::time::Duration;

use regex::bytes::Regex;

use super::Signature;
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
    /// How long it ran.
    pub elapsed: Duration,
}

impl Outcome {
    /// The outcome of a command that printed nothing.
    pub fn new(status: Status, elapsed: Duration) -> Self {
        Outcome { status, stdout: Vec::new(), stderr: Vec::new(), elapsed }
    }
}

/// One condition.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Requirement {
    /// It exits with this code.
    Exit(i32),
    /// It dies of this signal, or exits as shells do when a child died of it.
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
    /// It fails as the original did.
    Signature(Signature),
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
            Requirement::Signature(signature) => signature.is_in(outcome),
        }
    }

    fn reads_output(&self) -> bool {
        !matches!(self, Requirement::Exit(_) | Requirement::Signal(_) | Requirement::Hang)
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
            Requirement::Signature(signature) => signature.fmt(f),
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

    /// Whether the command's output matters.
    pub fn reads_output(&self) -> bool {
        self.0.iter().any(Requirement::reads_output)
    }

    /// Whether a candidate that runs out of time may be interesting.
    pub fn wants_hang(&self) -> bool {
        self.0.iter().any(Requirement::wants_hang)
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
