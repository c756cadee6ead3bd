//! Running a process on any Unix, as well as its process group allows.
//!
//! A process that leaves the group (by `setsid`) is not found again, and memory and the number of processes
//! are not watched. A shell sets the limit on file sizes, since the standard library has no
//! function for it.

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{Files, Launch, Limits, Status, Termination};
use crate::search::Cancel;

/// A program, prepared to be started many times.
pub(crate) struct Launcher(Launch);

impl Launcher {
    pub(crate) fn new(launch: Launch) -> io::Result<Self> {
        Ok(Launcher(launch))
    }

    /// Runs the program to its end and kills its process group.
    pub(crate) fn run(
        &self,
        files: &Files,
        limits: &Limits,
        cancel: &Cancel,
    ) -> io::Result<Termination> {
        self.start(files, limits)?.wait(cancel)
    }

    /// Starts the program.
    pub(super) fn start(&self, files: &Files, limits: &Limits) -> io::Result<Running> {
        let launch = &self.0;
        let started = Instant::now();
        let blocks = limits.file_size.div_ceil(512);
        let child = Command::new("/bin/sh")
            .args(["-c", "ulimit -c 0; ulimit -f \"$1\"; shift; exec \"$@\"", "sh"])
            .arg(blocks.to_string())
            .arg(&launch.program)
            .args(&launch.args)
            .env_clear()
            .envs(launch.env.iter().map(|(name, value)| (name, value)))
            .current_dir(&launch.dir)
            .stdin(Stdio::from(files.stdin.try_clone()?))
            .stdout(Stdio::from(files.stdout.try_clone()?))
            .stderr(Stdio::from(files.stderr.try_clone()?))
            .process_group(0)
            .spawn()?;
        Ok(Running { child, time: limits.time, started })
    }
}

/// A started process that has to be waited for.
#[must_use]
pub(super) struct Running {
    child: Child,
    time: Duration,
    started: Instant,
}

impl Running {
    /// Waits for its end and kills its process group.
    pub(super) fn wait(self, cancel: &Cancel) -> io::Result<Termination> {
        let Running { mut child, time, started } = self;
        let group = child.id().cast_signed();
        let hook = cancel.on_cancel(move || kill_group(group));
        let timed_out = !wait(&mut child, time, started)?;
        let elapsed = started.elapsed();
        kill_group(group);
        drop(hook);
        let status = child.wait()?;
        let status = match status.signal() {
            _ if cancel.is_cancelled() => Status::Cancelled,
            _ if timed_out => Status::TimedOut,
            Some(signal) => Status::Signal(signal),
            None => Status::Exit(status.code().unwrap_or(-1)),
        };
        Ok(Termination { status, elapsed, busy: Duration::ZERO, memory: 0 })
    }
}

/// Whether the child ended in time. There is no portable way to wait with a limit, so this polls
/// with ever longer pauses.
fn wait(child: &mut Child, limit: Duration, started: Instant) -> io::Result<bool> {
    let mut pause = Duration::from_micros(200);
    while started.elapsed() < limit {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
    Ok(false)
}

/// Whether everything that a test starts can be found again.
pub(crate) fn finds_everything() -> bool {
    false
}

/// Does nothing here: running tests are not recorded, and end with their time limits.
pub(crate) fn kill_tests() {}

/// Does nothing here, for the same reason.
pub(crate) fn kill_tests_in(_directory: &Path) {}

#[expect(unsafe_code, reason = "the standard library kills no process groups")]
fn kill_group(group: i32) {
    // SAFETY: a plain system call.
    unsafe { libc::kill(-group, libc::SIGKILL) };
}
