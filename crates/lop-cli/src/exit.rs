//! Exit codes, and the messages of failures.

use std::fmt;
use std::process::ExitCode;

use lop::Event;
use rustix::io::Errno;

/// The exit codes, which are part of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Code {
    /// The strategy has finished, or --max-tests or --max-time stopped it.
    Done = 0,
    /// The command line is wrong.
    Usage = 2,
    /// The original input is not interesting.
    NotInteresting = 3,
    /// The empty file is interesting.
    Trivial = 4,
    /// The test cannot be run, or `lop doctor` finds something wrong with it.
    Test = 5,
    /// The input cannot be read, or is empty.
    Input = 6,
    /// The result cannot be written.
    Output = 7,
    /// The test is flaky.
    Flaky = 8,
    /// There is no run to resume, or its journal does not fit this run.
    Resume = 9,
    /// Some jobs of a batch failed.
    SomeFailed = 10,
    /// Interrupted; the best candidate so far is the result.
    Interrupted = 130,
}

/// The exit codes with their meanings, for `lop --help` and the book.
pub(crate) const CODES: [(Code, &str); 11] = [
    (Code::Done, "done, or stopped by --max-tests or --max-time"),
    (Code::Usage, "the command line is wrong"),
    (Code::NotInteresting, "the original input is not interesting"),
    (Code::Trivial, "the empty file is interesting too (see --allow-trivial)"),
    (Code::Test, "the test cannot be run, or lop doctor finds something wrong with it"),
    (Code::Input, "the input cannot be read, or is empty"),
    (Code::Output, "the result cannot be written"),
    (Code::Flaky, "the test is flaky (see --confirm)"),
    (Code::Resume, "there is no run to --resume, or it was a different run"),
    (Code::SomeFailed, "some jobs of lop batch failed"),
    (Code::Interrupted, "interrupted; the best candidate so far is the result"),
];

/// Examples of command lines.
pub(crate) const EXAMPLES: &str = "\
Examples:
  lop ./test.sh prog.c                      test.sh exits with 0 if interesting
  lop prog.c -- gcc -O2 {}                  gcc fails as it does on prog.c
  lop q.sql --stderr Assertion -- ./db {}   the error output matches a pattern
  lop f.c --with f.h -- 'cc {} && ./a.out'  a shell command and another file
  lop ./test.sh project/                    a directory with all its files
  lop --resume                              the run that was stopped here";

/// The end of `lop --help`: examples and the exit codes.
pub(crate) fn help() -> String {
    let code = |(code, meaning): (Code, &str)| format!("\n  {:<4} {meaning}", code as u8);
    let codes: String = CODES.into_iter().map(code).collect();
    format!("{EXAMPLES}\n\nExit codes:{codes}")
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        ExitCode::from(code as u8)
    }
}

/// Why lop gives up: a message with the subject and the cause, and a help text with the cure.
#[derive(Debug)]
pub(crate) struct Failure {
    code: Code,
    message: String,
    help: Option<String>,
}

impl Failure {
    /// A failure without a help text.
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Failure { code, message: message.into(), help: None }
    }

    /// A failure with the help text that its cause suggests.
    pub(crate) fn caused(code: Code, message: impl Into<String>, cause: &dyn fmt::Display) -> Self {
        Failure { help: machine_help(cause).map(Into::into), ..Failure::new(code, message) }
    }

    /// Adds a line to the help text.
    pub(crate) fn also_help(self, more: &str) -> Self {
        let help = self.help.into_iter().chain([more.to_owned()]).collect::<Vec<_>>().join("\n");
        Failure { help: Some(help), ..self }
    }

    /// Sets the help text.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Failure { help: Some(help.into()), ..self }
    }

    /// The last event of a run that failed.
    pub(crate) fn to_event(&self) -> Event {
        Event::Failed {
            code: self.code as u8,
            message: self.message.clone(),
            help: self.help.clone(),
        }
    }

    /// The exit code.
    pub(crate) fn code(&self) -> Code {
        self.code
    }
}

/// The cure if the machine lacks something. Workers report their errors as text, which ends with the number of the
/// error.
pub(crate) fn machine_help(cause: &dyn fmt::Display) -> Option<&'static str> {
    let cause = cause.to_string();
    let (_, number) = cause.rsplit_once("(os error ")?;
    let number = number.trim_end_matches(')').parse().ok()?;
    MACHINE_HELP
        .iter()
        .find(|(errors, _)| errors.contains(&Errno::from_raw_os_error(number)))
        .map(|(_, help)| *help)
}

/// Errors of the machine, and their cures.
const MACHINE_HELP: [(&[Errno], &str); 6] = [
    (
        &[Errno::NOSPC, Errno::DQUOT],
        "the disk is full: free some space, or set TMPDIR to another directory",
    ),
    (
        &[Errno::MFILE, Errno::NFILE],
        "there are too many open files: raise the limit with ulimit -n, or use a smaller -j",
    ),
    (
        &[Errno::AGAIN],
        "there are too many processes or too little memory: end other programs, raise the limit with ulimit -u, or use a smaller -j",
    ),
    (&[Errno::NOMEM], "there is too little memory: end other programs, or use a smaller -j"),
    (&[Errno::NOEXEC], "it is no program of this machine; a script begins with #!/bin/sh"),
    (
        &[Errno::NOENT, Errno::ACCESS],
        "check that the test can still be run, and that the directory of TMPDIR still exists",
    ),
];

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "\n  help: {}", help.replace('\n', "\n        ")),
            None => Ok(()),
        }
    }
}
