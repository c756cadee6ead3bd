//! Running one process and leaving nothing of it behind.
//!
//! [`Launcher::run`] starts a program, waits for it within its limits, and returns when it and everything it started
//! have ended, including processes that called `setsid` or forked twice. On Linux this is certain, see [`linux`];
//! elsewhere only the process group is killed. A process that runs [alongside](Alongside) this one is launched in the
//! same way.

mod alongside;
mod fifo;
#[cfg(target_os = "linux")]
mod linux;
mod opening;
// Also compiled for the tests on Linux, so that it is tested there.
#[cfg(any(test, not(target_os = "linux")))]
#[cfg_attr(target_os = "linux", allow(dead_code))]
mod portable;
mod signal;

pub(crate) use alongside::Alongside;
pub(crate) use fifo::make_fifo;
pub(crate) use opening::Opening;
pub use signal::{UnknownSignal, parse_signal};

#[cfg(target_os = "linux")]
pub(crate) use linux::{Launcher, finds_everything, kill_tests, kill_tests_in};
#[cfg(not(target_os = "linux"))]
pub(crate) use portable::{Launcher, finds_everything, kill_tests, kill_tests_in};

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

/// A program to be started, with its arguments, environment and directory.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Launch {
    /// An absolute path.
    pub program: PathBuf,
    /// The arguments behind the program's name.
    pub args: Vec<OsString>,
    /// The whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory.
    pub dir: PathBuf,
}

/// Standard input, output and error of one run.
pub(crate) struct Files<'a> {
    pub(crate) stdin: &'a File,
    pub(crate) stdout: &'a File,
    pub(crate) stderr: &'a File,
}

/// The resources that one run may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Bytes resident in all its processes together; with any limit, however high, they are measured.
    pub memory: Option<u64>,
    /// Processes at the same time.
    pub processes: usize,
    /// Bytes of one file it writes.
    pub file_size: u64,
}

impl Default for Limits {
    /// Unlimited time and memory; more processes and larger files than any reasonable test needs.
    fn default() -> Self {
        Limits { time: Duration::MAX, memory: None, processes: 2000, file_size: 1 << 30 }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// By itself, with this code.
    Exit(i32),
    /// By this signal.
    Signal(i32),
    /// By the time limit.
    TimedOut,
    /// By the memory limit.
    Memory,
    /// By the limit on processes.
    Processes,
    /// By cancellation.
    Cancelled,
}

impl Status {
    /// The signal that killed it, or, as shells report it, its child.
    pub fn signal(self) -> Option<i32> {
        match self {
            Status::Signal(signal) => Some(signal),
            Status::Exit(code @ 129..=192) => Some(code - 128),
            _ => None,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Exit(code) => write!(f, "exit {code}"),
            Status::Signal(signal) => f.write_str(signal::signal_name(*signal)),
            Status::TimedOut => f.write_str("out of time"),
            Status::Memory => f.write_str("out of memory"),
            Status::Processes => f.write_str("out of processes"),
            Status::Cancelled => f.write_str("cancelled"),
        }
    }
}

/// How a process ended, and what it took.
pub(crate) struct Termination {
    pub(crate) status: Status,
    pub(crate) elapsed: Duration,
    /// The processor time of the process and of the children that it waited for; zero if it was not measured.
    pub(crate) busy: Duration,
    /// The most memory that was seen, in bytes; 0 if memory isn't limited.
    pub(crate) memory: u64,
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek};
    use std::path::Path;

    use super::*;
    use crate::search::Cancel;

    fn launch(script: &str, dir: &Path) -> Launch {
        Launch {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            env: vec![("PATH".into(), std::env::var_os("PATH").unwrap())],
            dir: dir.into(),
        }
    }

    fn limits() -> Limits {
        Limits { time: Duration::from_secs(20), memory: None, processes: 1000, file_size: 1 << 30 }
    }

    /// Runs a shell script with each implementation and passes status and output to `expect`.
    fn check(script: &str, limits: Limits, expect: impl Fn(Status, String)) {
        let dir = tempfile::tempdir().unwrap();
        let launchers: Vec<Start> = vec![
            #[cfg(target_os = "linux")]
            {
                let launcher = linux::Launcher::new(launch(script, dir.path())).unwrap();
                Box::new(move |files| launcher.run(files, &limits, &Cancel::default()).unwrap())
            },
            {
                let launcher = portable::Launcher::new(launch(script, dir.path())).unwrap();
                Box::new(move |files| launcher.run(files, &limits, &Cancel::default()).unwrap())
            },
        ];
        for run in launchers {
            let stdin = File::open("/dev/null").unwrap();
            let mut out = tempfile::tempfile().unwrap();
            let termination = run(&Files { stdin: &stdin, stdout: &out, stderr: &out });
            let mut text = String::new();
            out.rewind().unwrap();
            out.read_to_string(&mut text).unwrap();
            expect(termination.status, text);
        }
    }

    type Start = Box<dyn Fn(&Files) -> Termination>;

    #[test]
    fn exit_codes_signals_and_output_come_back() {
        check("echo hello; exit 7", limits(), |status, out| {
            assert_eq!((status, out.as_str()), (Status::Exit(7), "hello\n"));
        });
        check("kill -SEGV $$", limits(), |status, _| {
            assert_eq!(status, Status::Signal(libc::SIGSEGV));
        });
    }

    #[test]
    fn a_run_that_takes_too_long_is_ended() {
        let short = Limits { time: Duration::from_millis(50), ..limits() };
        check("sleep 1000", short, |status, _| assert_eq!(status, Status::TimedOut));
    }

    #[test]
    fn files_larger_than_allowed_are_not_written() {
        let small = Limits { file_size: 4096, ..limits() };
        check("trap '' XFSZ; head -c 100000 /dev/zero > big; wc -c < big", small, |_, out| {
            assert!(out.contains("4096"), "{out}");
        });
    }

    #[test]
    fn a_test_does_not_inherit_ignored_signals() {
        // Rust ignores SIGPIPE; a test must not, or `yes | head` would never end.
        check("yes | head -n 1", limits(), |status, out| {
            assert_eq!((status, out.as_str()), (Status::Exit(0), "y\n"));
        });
    }
}
