//! The failure signature of a run, by which the same failure is recognised in other runs.
//!
//! It consists of how the command ended, and one message of its output, in which parts that change from candidate to
//! candidate are masked: addresses, line numbers, process numbers, paths; in messages about the input, its names too. A crash is
//! preferred to an error, an error to a warning, and of the same kind the first one counts (`message.rs`).
//!
//! A candidate that also fails in another way isn't the same failure: unless the message is a crash, no error may
//! appear that the original does not have.

mod mask;
mod message;

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use super::property::Outcome;
use crate::process::Status;
pub(super) use message::has_syntax_error;
use message::{Kind, Message, messages};

/// How a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    status: Status,
    message: Option<Message>,
    /// The errors that may appear besides the message, if only some may.
    errors: Option<BTreeSet<String>>,
}

impl Signature {
    /// The signature of an outcome; `None` if it does not look like a failure at all.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let messages = messages(outcome);
        // The first message of the most telling kind.
        let message = messages.iter().min_by_key(|message| message.kind).cloned();
        let is_crash = message.as_ref().is_some_and(|message| message.kind.is_crash());
        if outcome.status == Status::Exit(0) && !is_crash {
            return None;
        }
        let mut signature = Signature { status: outcome.status, message, errors: None };
        if !is_crash && (signature.message.is_some() || signature.is_weak()) {
            signature.errors = Some(signature.errors_in(&messages).collect());
        }
        Some(signature)
    }

    /// Whether an outcome shows this failure: it ends the same way, the message is among those
    /// it prints, and there are no new errors.
    pub fn is_in(&self, outcome: &Outcome) -> bool {
        if self.status != outcome.status {
            return false;
        }
        // Reading the output of every candidate takes time.
        if self.message.is_none() && self.errors.is_none() {
            return true;
        }
        let messages = messages(outcome);
        let is_said = |wanted: &Message| messages.iter().any(|message| message.text == wanted.text);
        let is_known = |known: &BTreeSet<String>| {
            self.errors_in(&messages).all(|error| known.contains(&error))
        };
        self.message.as_ref().is_none_or(is_said) && self.errors.as_ref().is_none_or(is_known)
    }

    /// The errors among messages, and what is worse. Where no message tells the failure, whatever a tool reports about a
    /// place in its input is another one, too.
    fn errors_in(&self, messages: &[Message]) -> impl Iterator<Item = String> {
        let least = if self.message.is_some() { Kind::Error } else { Kind::Finding };
        messages.iter().filter(move |message| message.kind <= least).map(|it| it.text.clone())
    }

    /// Whether no error may appear that the original does not have.
    pub(super) fn refuses_new_errors(&self) -> bool {
        self.errors.is_some()
    }

    /// Whether a line of the output has the message.
    pub(super) fn is_said_in(&self, line: &str) -> bool {
        let line = Outcome { stderr: line.into(), ..Outcome::new(self.status, Duration::ZERO) };
        let said = messages(&line);
        self.message.as_ref().is_some_and(|message| said.contains(message))
    }

    /// The masked message, if the command printed one that is recognised.
    pub fn message(&self) -> Option<&str> {
        self.message.as_ref().map(|message| &message.text[..])
    }

    /// Whether the failure is that the command does not end.
    pub fn is_hang(&self) -> bool {
        self.status == Status::TimedOut
    }

    /// Whether the program itself broke down: a signal, an assertion, a panic, a sanitizer's report. An error that it
    /// reports isn't a crash.
    pub fn is_crash(&self) -> bool {
        let is_crash = |message: &Message| message.kind == Kind::Crash;
        self.status.signal().is_some() || self.message.as_ref().is_some_and(is_crash)
    }

    /// Whether the exit code is all there is, so that any other failure with this code looks the same.
    pub fn is_weak(&self) -> bool {
        self.message.is_none() && !self.is_hang() && self.status.signal().is_none()
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.status)?;
        if let Some(message) = &self.message {
            write!(f, ", “{}”", message.text)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(status: Status, stderr: &str) -> Outcome {
        Outcome { stderr: stderr.into(), ..Outcome::new(status, Duration::ZERO) }
    }

    /// Two outputs that show the same failure, and one that shows another.
    fn check(original: &str, same: &str, other: &str) {
        let status = Status::Exit(1);
        let signature = Signature::of(&outcome(status, original)).unwrap();
        assert!(signature.message.is_some(), "{original:?} has no message");
        assert!(signature.is_in(&outcome(status, same)), "{signature} is not in {same:?}");
        assert!(!signature.is_in(&outcome(status, other)), "{signature} is in {other:?}");
        assert!(!signature.is_in(&outcome(Status::Exit(2), same)));
    }

    #[test]
    fn compilers_assertions_and_internal_errors() {
        check(
            "small.c:12:3: internal compiler error: in expand_expr, at expr.c:1001\n",
            "warning: x\na/b/small.c:1:1: internal compiler error: in expand_expr, at expr.c:1001\n",
            "small.c:12:3: internal compiler error: in fold_convert, at fold.c:10\n",
        );
        check(
            "cc1: ../x/y.cc:10: int f(): Assertion `a == b' failed.\n",
            "cc1: ../x/y.cc:99: int f(): Assertion `a == b' failed.\n",
            "cc1: ../x/y.cc:10: int f(): Assertion `a != b' failed.\n",
        );
    }

    #[test]
    fn rust_panics_keep_their_message_of_the_next_line() {
        check(
            "thread 'rustc' (123) panicked at compiler/x.rs:10:5:\nindex out of bounds\nnote: x\n",
            "thread 'rustc' (99) panicked at compiler/x.rs:77:5:\nindex out of bounds\n",
            "thread 'rustc' (123) panicked at compiler/x.rs:10:5:\ncalled unwrap on None\n",
        );
    }

    #[test]
    fn sanitizers_differ_by_kind_not_by_address_or_process() {
        check(
            "==77==ERROR: AddressSanitizer: heap-use-after-free on address 0x60200 at pc 0x55aa\n",
            "==9==ERROR: AddressSanitizer: heap-use-after-free on address 0x7f at pc 0x1\n",
            "==77==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60200 at pc 0x55aa\n",
        );
    }

    #[test]
    fn scripting_languages_fail_with_their_last_line() {
        check(
            "Traceback (most recent call last):\n  File \"x.py\", line 3\nValueError: bad thing\n",
            "Traceback (most recent call last):\nValueError: bad thing\n",
            "Traceback (most recent call last):\nTypeError: bad thing\n",
        );
        check(
            "panic: runtime error: index out of range\n",
            "panic: runtime error: index out of range\n",
            "panic: runtime error: nil dereference\n",
        );
    }

    #[test]
    fn an_error_is_the_same_with_other_names_and_places_but_not_beside_other_errors() {
        let error = "e.c:9:3: error: 'struct p' has no member named 'y'\n";
        check(
            error,
            "e.c:1:1: warning: x\ne.c:1:1: error: 'struct <anonymous>' has no member named 'a'\n",
            "e.c:1:1: error: expected ';' before '}' token\n",
        );
        let other = "e.c:1:1: error: 'q' undeclared\n";
        check(error, error, &format!("{error}{other}"));
        check(&format!("{error}{other}"), error, other);
    }

    #[test]
    fn a_crash_counts_more_than_an_error_and_an_error_more_than_a_warning() {
        let of = |text: &str| Signature::of(&outcome(Status::Exit(1), text)).unwrap().to_string();
        let (crash, error) = ("f.c:1:1: internal compiler error: x", "f.c:1:1: error: y");
        let (finding, warning) = ("f.c:1: z", "f.c:1:1: warning: w");
        let all = format!("{warning}\n{finding}\n{error}\n{crash}\n{error}\n");
        assert_eq!(of(&all), "exit 1, “PATH: internal compiler error: x”");
        assert_eq!(of(&format!("{warning}\n{finding}\n{error}\n")), "exit 1, “error: y”");
        assert_eq!(of(&format!("{warning}\n{finding}\n")), "exit 1, “z”");
        assert_eq!(of(warning), "exit 1, “warning: w”");
    }

    #[test]
    fn only_an_exit_code_without_a_message_is_weak() {
        let is_weak = |status, text| Signature::of(&outcome(status, text)).unwrap().is_weak();
        assert!(is_weak(Status::Exit(1), "sorry\n"));
        assert!(!is_weak(Status::Exit(1), "x.c:1:1: error: sorry\n"));
        assert!(!is_weak(Status::Signal(libc::SIGSEGV), ""));
        assert!(!is_weak(Status::Exit(128 + libc::SIGSEGV), ""));
        assert!(!is_weak(Status::TimedOut, ""));
    }

    #[test]
    fn without_a_message_no_error_may_appear() {
        let signature = Signature::of(&outcome(Status::Exit(1), "sorry\n")).unwrap();
        assert!(signature.is_in(&outcome(Status::Exit(1), "so sorry\nx.c:1:1: warning: y\n")));
        let errors = [
            "syntax error at x.pl line 1, near \"}\"\n",
            "Traceback (most recent call last):\n  File \"x.py\"\nKeyError: 1\n",
            "f.c:1:1: internal compiler error: x\n",
            "String found where operator expected at x.pl line 1\n",
        ];
        for error in errors {
            assert!(!signature.is_in(&outcome(Status::Exit(1), error)), "{error}");
        }
    }

    #[test]
    fn success_without_a_message_is_no_failure() {
        assert_eq!(Signature::of(&outcome(Status::Exit(0), "all is well\n")), None);
        assert_eq!(Signature::of(&outcome(Status::Exit(0), "x.c:1:1: error: y\n")), None);
        assert!(Signature::of(&outcome(Status::Exit(1), "")).is_some());
        assert!(Signature::of(&outcome(Status::TimedOut, "")).is_some_and(|it| it.is_hang()));
    }

    #[test]
    fn a_signature_reads_like_a_sentence() {
        let crash = outcome(Status::Signal(libc::SIGABRT), "f.c:3:1: internal compiler error: x\n");
        let signature = Signature::of(&crash).unwrap();
        assert_eq!(signature.to_string(), "SIGABRT, “PATH: internal compiler error: x”");
    }
}
