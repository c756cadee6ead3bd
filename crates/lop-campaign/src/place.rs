//! Where one run of lop takes place: its files, its temporary files, its user, and a mark that all its processes carry.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

use crate::tools::Tools;

/// The environment variable that marks the processes of a run.
const MARK: &str = "LOP_CAMPAIGN_RUN";

/// A file that is open for writing cannot be executed, and a child has its parent's files open until it calls exec. So no
/// script is written while a child is being started.
static SCRIPT_OR_CHILD: Mutex<()> = Mutex::new(());

/// The directories and the user of a run.
pub(crate) struct Place {
    root: TempDir,
    user: Option<u32>,
}

/// How a process ended, and what it said.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) said: String,
}

impl Place {
    pub(crate) fn new(tools: &Tools) -> io::Result<Self> {
        let place = Place { root: tools.place()?, user: tools.new_user() };
        for directory in ["here", "tmp", "outside"] {
            fs::create_dir(place.root.path().join(directory))?;
            place.hand_over(&place.root.path().join(directory))?;
        }
        Ok(place)
    }

    /// A path in the directory in which lop runs.
    pub(crate) fn here(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.path().join("here").join(name)
    }

    /// The directory for temporary files.
    pub(crate) fn tmp(&self) -> PathBuf {
        self.root.path().join("tmp")
    }

    /// A path in a directory of which lop knows nothing, and tests do: `$OUTSIDE`.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.root.path().join("outside").join(name)
    }

    /// Writes a file that belongs to the run's user.
    pub(crate) fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let path = self.here(name);
        let parent = path.parent().expect("a file is in a directory");
        fs::create_dir_all(parent)?;
        self.hand_over(parent)?;
        fs::write(&path, content)?;
        self.hand_over(&path)
    }

    /// Writes a test.
    pub(crate) fn script(&self, name: &str, lines: &str) -> io::Result<()> {
        let _guard = SCRIPT_OR_CHILD.lock().unwrap_or_else(PoisonError::into_inner);
        self.write(name, format!("#!/bin/sh\n{lines}\n").as_bytes())?;
        fs::set_permissions(self.here(name), fs::Permissions::from_mode(0o755))
    }

    /// Makes the run's user the owner of a file.
    pub(crate) fn hand_over(&self, path: &Path) -> io::Result<()> {
        if self.user.is_some() { chown(path, self.user, self.user) } else { Ok(()) }
    }

    /// A command of this run. Its output goes to a file, so nobody has to read it meanwhile.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> io::Result<Command> {
        let mut command = Command::new(program);
        command.current_dir(self.here("")).env(MARK, self.mark());
        command.env("TMPDIR", self.tmp()).env("OUTSIDE", self.outside("")).env("LC_ALL", "C");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::options().create(true).append(true).open(self.log())?);
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        Ok(command)
    }

    /// Starts a program in a process group of its own: a signal to it does not reach the campaign.
    pub(crate) fn start(&self, command: &mut Command) -> io::Result<Child> {
        let _guard = SCRIPT_OR_CHILD.lock().unwrap_or_else(PoisonError::into_inner);
        command.process_group(0).spawn()
    }

    /// Waits for the end; after the time is over, everything is killed.
    pub(crate) fn finish(&self, mut child: Child, limit: Duration) -> io::Result<Option<Ended>> {
        let started = Instant::now();
        let status = loop {
            match child.try_wait()? {
                Some(status) => break status,
                None if started.elapsed() > limit => {
                    child.kill()?;
                    child.wait()?;
                    self.kill_everything();
                    return Ok(None);
                }
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        let said = String::from_utf8_lossy(&fs::read(self.log())?).into_owned();
        fs::remove_file(self.log())?;
        Ok(Some(Ended { status, said }))
    }

    /// The processes of this run that live, as their command lines.
    pub(crate) fn processes(&self) -> Vec<(i32, String)> {
        let mark = format!("{MARK}={}", self.mark());
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let is_marked = |pid: &i32| {
            fs::read(format!("/proc/{pid}/environ"))
                .is_ok_and(|all| all.split(|byte| *byte == 0).any(|each| each == mark.as_bytes()))
        };
        let shown = |pid: i32| {
            let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            (pid, String::from_utf8_lossy(&words).replace('\0', " ").trim().to_owned())
        };
        numbers.filter(is_marked).map(shown).collect()
    }

    /// Waits a moment for processes that are being killed; returns those that stay.
    pub(crate) fn left_processes(&self) -> Vec<(i32, String)> {
        let started = Instant::now();
        loop {
            let left = self.processes();
            if left.is_empty() || started.elapsed() > Duration::from_secs(3) {
                return left;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Kills all processes of this run.
    pub(crate) fn kill_everything(&self) {
        for _ in 0..50 {
            let left = self.processes();
            if left.is_empty() {
                return;
            }
            for (pid, _) in left {
                let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            }
        }
    }

    /// The names of the temporary files that are left.
    pub(crate) fn temporaries(&self) -> Vec<String> {
        names(&self.tmp())
    }

    /// The names of the files in the directory.
    pub(crate) fn names(&self) -> Vec<String> {
        names(&self.here(""))
    }

    /// Where the run's messages go.
    pub(crate) fn log(&self) -> PathBuf {
        self.root.path().join("log")
    }

    fn mark(&self) -> String {
        self.root.path().file_name().expect("it has a name").to_string_lossy().into_owned()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.kill_everything();
    }
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
