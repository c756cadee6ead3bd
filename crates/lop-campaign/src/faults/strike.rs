//! How a run of lop is started, and what can be done to it while it runs.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::task::Task;
use crate::place::Place;
use crate::tools::Tools;

/// How lop is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// As usual.
    Plain,
    /// With a clock that jumps.
    JumpingClock,
    /// On a terminal of its own.
    Terminal,
    /// Nobody reads what it says.
    Unheard,
    /// With a limit of the shell, as an option of `ulimit` and a range of values.
    Limited(&'static str, u64, u64),
    /// With a small disk under its files.
    SmallDisk,
    /// With a small disk under its temporary files.
    SmallTmp,
    /// Limits can be set while it runs.
    Limitable,
    /// By a user who has no other processes.
    OwnUser,
}

impl Start {
    /// Why this machine cannot do that.
    pub(super) fn obstacle(self, tools: &Tools) -> Option<String> {
        let needs = |it: bool, what: &str| (!it).then(|| what.to_owned());
        match self {
            Start::JumpingClock => needs(tools.jumping_clock.is_some(), "it needs a C compiler"),
            Start::SmallDisk | Start::SmallTmp => {
                needs(tools.can_mount, "it needs root, to mount a small disk")
            }
            Start::Limitable => {
                needs(Path::new("/usr/bin/prlimit").exists(), "it needs the program `prlimit`")
            }
            Start::OwnUser => needs(tools.is_root(), "it needs root, for a user of its own"),
            Start::Limited("-p", ..) => {
                needs(tools.is_root(), "it needs root, for a user of its own")
            }
            Start::Terminal => {
                needs(Path::new("/usr/bin/script").exists(), "it needs the program `script`")
            }
            _ => None,
        }
    }

    /// The command that starts lop with these arguments.
    pub(super) fn command(
        self,
        tools: &Tools,
        place: &Place,
        args: &[String],
        random: &mut fastrand::Rng,
    ) -> std::io::Result<Command> {
        let quoted = |words: &[String]| words.join(" ");
        let lop = tools.lop.display().to_string();
        let mut command = match self {
            Start::Limited(option, low, high) => {
                let script = format!("ulimit {option} {}; exec \"$@\"", random.u64(low..=high));
                let mut command = place.command("/bin/sh")?;
                command.args(["-c", &script, "sh", &lop]).args(args);
                command
            }
            Start::Terminal => {
                let mut command = place.command("script")?;
                command.args(["-qefc", &format!("{lop} --no-tui {}", quoted(args)), "/dev/null"]);
                // What is said to the terminal is printed.
                command.stdout(fs::File::options().append(true).open(place.log())?);
                command
            }
            _ => {
                let mut command = place.command(&lop)?;
                command.args(args);
                command
            }
        };
        if let (Start::JumpingClock, Some(library)) = (self, &tools.jumping_clock) {
            command.env("LD_PRELOAD", library);
        }
        if self == Start::Unheard {
            command.stderr(Stdio::piped()).stdout(Stdio::piped());
        }
        Ok(command)
    }
}

/// A small disk; it is unmounted when dropped.
pub(super) struct Disk(PathBuf);

impl Disk {
    /// The disk of a run, if it has one.
    pub(super) fn of(start: Start, place: &Place) -> std::io::Result<Option<Disk>> {
        let path = match start {
            Start::SmallDisk => place.here(""),
            Start::SmallTmp => place.tmp(),
            _ => return Ok(None),
        };
        mount(Some("tmpfs"), &path, Some("tmpfs"), MsFlags::empty(), Some("size=512k,mode=755"))?;
        place.hand_over(&path)?;
        Ok(Some(Disk(path)))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = umount2(&self.0, MntFlags::MNT_DETACH);
    }
}

/// The number of tests that have been started in a place.
pub(super) fn tests(place: &Place) -> u64 {
    fs::metadata(place.outside("tests")).map_or(0, |file| file.len())
}

/// A run that is to be disturbed.
pub(super) struct Strike<'a> {
    pub(super) place: &'a Place,
    pub(super) task: &'a Task,
    /// lop.
    pub(super) pid: i32,
    /// When it happens: after this many tests, as a busy machine makes any time too short or too long.
    pub(super) tests: u64,
    pub(super) random: std::cell::RefCell<fastrand::Rng>,
}

impl Strike<'_> {
    /// Waits for the moment, which is anywhere within a test or between two.
    pub(super) fn wait(&self) {
        self.wait_for_tests(self.tests);
    }

    /// Waits for a moment that is well before the end of the run.
    pub(super) fn wait_less(&self) {
        self.wait_for_tests(self.tests * 3 / 5);
    }

    fn wait_for_tests(&self, number: u64) {
        self.wait_until(|| tests(self.place) >= number);
        std::thread::sleep(Duration::from_micros(self.random.borrow_mut().u64(..20_000)));
    }

    /// Waits until the test has said that it is there, by `once NAME`, or until lop has ended.
    pub(super) fn wait_for(&self, name: &str) {
        self.wait_until(|| self.place.outside(name).exists());
    }

    fn wait_until(&self, is_so: impl Fn() -> bool) {
        let started = Instant::now();
        while !is_so() && !self.is_over() && started.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Sends a signal to lop.
    pub(super) fn signal(&self, signal: Signal) {
        let _ = kill(Pid::from_raw(self.pid), signal);
    }

    /// Limits what lop may take from now on, by an option of `prlimit`. Only the user of a process may always do that.
    pub(super) fn limit(&self, option: &str, most: u64) {
        let limit = format!("--{option}={most}:{most}");
        let Ok(mut command) = self.place.command("prlimit") else { return };
        let limited =
            command.args(["--pid", &self.pid.to_string(), &limit]).stderr(Stdio::null()).status();
        let is_limited = limited.is_ok_and(|status| status.success());
        assert!(is_limited || self.is_over(), "prlimit cannot limit process {}", self.pid);
    }

    /// A number of `/proc/PID/status`.
    pub(super) fn status(&self, field: &str) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// How many files lop has open.
    pub(super) fn open_files(&self) -> u64 {
        fs::read_dir(format!("/proc/{}/fd", self.pid)).map_or(0, |all| all.count() as u64)
    }

    /// Writes to a disk until it is full.
    pub(super) fn fill(&self, directory: &Path) {
        let Ok(mut file) = fs::File::create(directory.join("filler")) else { return };
        let mut block = vec![0; 64 << 10];
        while !block.is_empty() {
            if file.write_all(&block).is_err() {
                block.truncate(block.len() / 2);
            }
        }
    }

    /// The directories into which the result is written.
    pub(super) fn result_directories(&self) -> Vec<PathBuf> {
        let mut all = vec![self.place.here("")];
        let results = self.task.results.iter().map(|name| self.place.here(name));
        all.extend(results.filter_map(|path| Some(path.parent()?.to_owned())));
        all.dedup();
        all
    }

    /// Sets the permissions of the directories into which the result is written.
    pub(super) fn set_mode(&self, mode: u32) {
        for directory in self.result_directories() {
            let _ = fs::set_permissions(directory, Permissions::from_mode(mode));
        }
    }

    /// Whether lop has ended.
    pub(super) fn is_over(&self) -> bool {
        // A process that has ended and was not waited for has no files any more.
        fs::read(format!("/proc/{}/environ", self.pid)).map_or(true, |all| all.is_empty())
    }
}
