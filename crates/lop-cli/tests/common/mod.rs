//! Shared by the tests of the command line: a directory for each test, and lop run in it.

// Each test file is a crate of its own and uses a part of this module.
#![allow(dead_code)]

pub(crate) mod terminal;

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The user `nobody` and the group `nogroup`, which own no files.
const NOBODY: u32 = 65534;

/// A file that is open for writing cannot be executed, and a child has its parent's files open
/// until it calls exec. So no script is written while a child is being started.
static SCRIPT_OR_CHILD: Mutex<()> = Mutex::new(());

/// A directory in which lop runs, and another for temporary files. Both are removed afterwards.
pub(crate) struct Place {
    root: TempDir,
}

/// The exit code and the output of a run of lop.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("here")).unwrap();
        fs::create_dir(root.path().join("tmp")).unwrap();
        Place { root }
    }

    /// The path of a file in the directory.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.path().join("here").join(name)
    }

    /// The path of a file outside of both directories.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Writes an executable file.
    pub(crate) fn executable(&self, name: &str, text: &str) {
        let _guard = SCRIPT_OR_CHILD.lock().unwrap_or_else(PoisonError::into_inner);
        self.write(name, text);
        self.chmod(name, 0o755);
    }

    /// Writes a shell script.
    pub(crate) fn script(&self, name: &str, lines: &str) {
        self.executable(name, &format!("#!/bin/sh\n{lines}\n"));
    }

    pub(crate) fn chmod(&self, name: &str, mode: u32) {
        fs::set_permissions(self.path(name), Permissions::from_mode(mode)).unwrap();
    }

    pub(crate) fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).unwrap().mode() & 0o777
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A result without white space, which depends on the strategy.
    pub(crate) fn squeezed(&self, name: impl AsRef<Path>) -> String {
        String::from_utf8_lossy(&self.read(name)).split_whitespace().collect()
    }

    /// The names in the directory, in order. Histories are left out, since almost every run writes one.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = names(&self.path(""));
        names.retain(|name| !name.ends_with(".history"));
        names
    }

    /// The names in a directory there, in order.
    pub(crate) fn names_in(&self, directory: &str) -> Vec<String> {
        names(&self.path(directory))
    }

    /// The names of the temporary files that are left.
    pub(crate) fn temporaries(&self) -> Vec<String> {
        names(&self.outside("tmp"))
    }

    /// A command that runs in this place.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path("")).env("TMPDIR", self.outside("tmp")).env("LC_ALL", "C");
        command
    }

    /// Runs lop.
    pub(crate) fn lop<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Output {
        finished(start(self.command(env!("CARGO_BIN_EXE_lop")).args(args)))
    }

    /// Runs lop as a user without special rights, even if the tests run as root.
    pub(crate) fn lop_unprivileged(&self, args: &[&str]) -> Output {
        if !self.is_root() {
            return self.lop(args);
        }
        // Other users may have no access to the directory that lop was built in.
        let lop = self.outside("lop");
        let root = self.root.path();
        fs::set_permissions(root, Permissions::from_mode(0o755)).unwrap();
        let copied = start(self.command("cp").arg(env!("CARGO_BIN_EXE_lop")).arg(&lop));
        assert_eq!(finished(copied).code, 0);
        let owned = start(self.command("chown").arg("-R").arg(NOBODY.to_string()).arg(root));
        assert_eq!(finished(owned).code, 0);
        finished(start(self.command(lop).args(args).uid(NOBODY).gid(NOBODY)))
    }

    pub(crate) fn is_root(&self) -> bool {
        fs::metadata(self.root.path()).unwrap().uid() == 0
    }
}

impl Output {
    /// Checks the exit code, and that standard error contains all the essentials.
    #[track_caller]
    pub(crate) fn expect(&self, code: i32, essentials: &[&str]) {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        for essential in essentials {
            assert!(self.stderr.contains(essential), "no `{essential}` in:\n{}", self.stderr);
        }
    }
}

/// Starts a program with pipes for its output.
pub(crate) fn start(command: &mut Command) -> Child {
    start_with(command, Stdio::piped())
}

/// Starts a program with this standard output.
pub(crate) fn start_with(command: &mut Command, stdout: impl Into<Stdio>) -> Child {
    spawn(command.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped()))
}

/// Starts a program.
pub(crate) fn spawn(command: &mut Command) -> Child {
    let _guard = SCRIPT_OR_CHILD.lock().unwrap_or_else(PoisonError::into_inner);
    command.spawn().unwrap()
}

/// Waits for the end of a program.
pub(crate) fn finished(child: Child) -> Output {
    let output = child.wait_with_output().unwrap();
    Output {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A text of which one line matters to most tests.
pub(crate) const INPUT: &[u8] = b"one\ntwo\nthe needle is here\nfour\nfive\n";

/// A place with that text.
pub(crate) fn place() -> Place {
    let place = Place::new();
    place.write("prog.c", INPUT);
    place
}

/// Runs lop and checks that `prog.c` is reduced to this, apart from white space.
#[track_caller]
pub(crate) fn reduced_to(place: &Place, args: &[&str], result: &str) -> Output {
    let output = place.lop(args);
    output.expect(0, &[]);
    assert_eq!(place.squeezed("prog.lop.c"), result, "{args:?}\n{}", output.stderr);
    output
}

/// A JSON Schema, in which unknown keys are errors: so it knows all of them.
pub(crate) fn schema(text: &str) -> serde_json::Value {
    fn close(schema: &mut serde_json::Value) {
        match schema {
            serde_json::Value::Object(map) => {
                if map.contains_key("properties") {
                    map.insert("additionalProperties".into(), false.into());
                }
                map.values_mut().for_each(close);
            }
            serde_json::Value::Array(all) => all.iter_mut().for_each(close),
            _ => {}
        }
    }
    let mut schema = serde_json::from_str(text).unwrap();
    close(&mut schema);
    schema
}

/// Waits until something has happened; the time limit is for tests that fail.
#[track_caller]
pub(crate) fn until(what: &str, mut happened: impl FnMut() -> bool) {
    let started = Instant::now();
    while !happened() {
        assert!(started.elapsed() < Duration::from_secs(100), "{what} did not happen");
        sleep(Duration::from_millis(1));
    }
}

#[expect(unsafe_code, reason = "the standard library has no other signal than SIGKILL")]
pub(crate) fn signal(lop: &Child, signal: i32) {
    // SAFETY: a plain system call; nothing has waited for the child, so the process id is still its own.
    assert_eq!(unsafe { libc::kill(lop.id() as libc::pid_t, signal) }, 0);
}
