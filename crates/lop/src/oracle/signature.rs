//! The failure signature of a run, by which the same failure is recognised in other runs.
//!
//! It consists of how the command ended, and the first line that looks like a crash message, in which parts that
//! change from run to run are masked: addresses, line numbers, process numbers, paths.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::property::Outcome;
use crate::process::Status;

/// How a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    status: Status,
    message: Option<String>,
}

impl Signature {
    /// The signature of an outcome; `None` if it does not look like a failure at all.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let message = messages(outcome).next();
        if outcome.status == Status::Exit(0) && message.is_none() {
            return None;
        }
        Some(Signature { status: outcome.status, message })
    }

    /// Whether an outcome shows this failure: it ends the same way, and the message is among those
    /// it prints.
    pub fn is_in(&self, outcome: &Outcome) -> bool {
        self.status == outcome.status
            && self
                .message
                .as_ref()
                .is_none_or(|wanted| messages(outcome).any(|message| message == *wanted))
    }

    /// Whether the failure is that the command does not end.
    pub fn is_hang(&self) -> bool {
        self.status == Status::TimedOut
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.status)?;
        match &self.message {
            Some(message) => write!(f, ", “{message}”"),
            None => Ok(()),
        }
    }
}

/// Patterns of crash messages. Where the line only names a place, the message is on the next
/// line, so that line belongs to it.
const CRASHES: &[(&str, Extent)] = &[
    // Sanitizers, valgrind.
    (r"ERROR: \w*Sanitizer|WARNING: \w*Sanitizer|^SUMMARY: \w*Sanitizer", Extent::Line),
    (r"runtime error: ", Extent::Line),
    (r"==\d+== (Invalid|Conditional jump|Process terminating)", Extent::Line),
    // Internal compiler errors.
    (r"(?i)internal (compiler )?error", Extent::Line),
    (r"LLVM ERROR|UNREACHABLE executed|PLEASE (submit|ATTACH)", Extent::Line),
    // Assertions.
    (r"(?i)\bassert(ion)?\b.*\bfail", Extent::Line),
    (r"\bAssertionError\b|Debug check failed|Check failed", Extent::Line),
    // Panics and uncaught exceptions.
    (r"panicked at", Extent::TwoLines),
    (r"^panic: |^fatal error: |^Fatal error", Extent::Line),
    (r"terminate called", Extent::TwoLines),
    (r"^Exception in thread|^Uncaught ", Extent::Line),
    (r"^[\w.]*(Error|Exception)\b(: |$)", Extent::Line),
    // Messages of shells and runtimes about a child that died.
    (r"Segmentation fault|Aborted|Bus error|Illegal instruction", Extent::Line),
    (r"(?i)stack overflow|stack smashing|double free|corrupted ", Extent::Line),
];

#[derive(Clone, Copy, PartialEq)]
enum Extent {
    Line,
    TwoLines,
}

/// Parts of a message that change from run to run, and the words that replace them.
const MASKS: &[(&str, &str)] = &[
    (r"0[xX][0-9a-fA-F]+", "ADDRESS"),
    (r"==\d+==", "==PID=="),
    (r"\b(pid|PID|process|thread)( ?[:=#]? ?)\d+", "${1}${2}N"),
    (r#"(?:[\w.+~-]*/)+[\w.+~-]+|[\w+-]+\.[A-Za-z]{1,4}\b(?:[:(]\d)"#, "PATH"),
    (r"(?i)\b(line|column|col)( ?[:=]? ?)\d+", "${1}${2}N"),
    (r"PATH:?\d*(?:[:,]\d+)*", "PATH"),
    (r":\d+(?::\d+)?\b", ":N"),
    (r"\(\d+\)", "(N)"),
];

/// All crash messages of an outcome, masked, those on standard error first.
fn messages(outcome: &Outcome) -> impl Iterator<Item = String> + '_ {
    static CRASH: LazyLock<Vec<(Regex, Extent)>> = LazyLock::new(|| {
        CRASHES.iter().map(|(regex, extent)| (compiled(regex), *extent)).collect()
    });
    [&outcome.stderr, &outcome.stdout].into_iter().flat_map(|output| {
        let lines: Vec<&[u8]> =
            output.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
        let extent =
            |line: &[u8]| CRASH.iter().find(|(regex, _)| regex.is_match(line)).map(|(_, e)| *e);
        (0..lines.len())
            .filter_map(|at| {
                let next = lines.get(at + 1).filter(|next| !next.is_empty());
                match (extent(lines[at])?, next) {
                    (Extent::TwoLines, Some(next)) => Some([lines[at], next].join(&b' ')),
                    _ => Some(lines[at].to_vec()),
                }
            })
            .map(|message| masked(&message))
            .collect::<Vec<_>>()
    })
}

fn masked(message: &[u8]) -> String {
    static MASK: LazyLock<Vec<(Regex, &str)>> =
        LazyLock::new(|| MASKS.iter().map(|(regex, with)| (compiled(regex), *with)).collect());
    let mut text = Cow::Borrowed(message);
    for (regex, with) in MASK.iter() {
        text = Cow::Owned(regex.replace_all(&text, with.as_bytes()).into_owned());
    }
    String::from_utf8_lossy(&text).into_owned()
}

fn compiled(regex: &str) -> Regex {
    Regex::new(regex).expect("the patterns of this table are correct")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
    fn success_without_a_message_is_no_failure() {
        assert_eq!(Signature::of(&outcome(Status::Exit(0), "all is well\n")), None);
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
