//! The private directories in which candidates are tested.
//!
//! One directory for a run, in it one for each worker, in that `work`, which holds the candidate
//! under its own name and nothing else when a test starts, and `tmp`, the test's `TMPDIR`, since a
//! compiler that is killed leaves its temporary files there. A run that was killed leaves its
//! directory behind; the next one removes it, which it may as soon as it gets its lock.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::candidate::Candidate;

const PREFIX: &str = "lop-";
const LOCK: &str = "lock";

/// All directories of a run; gone when dropped.
pub(super) struct Scratch {
    root: TempDir,
    _lock: File,
}

impl Scratch {
    /// Makes one in the system's place for temporary files.
    pub(super) fn new() -> io::Result<Self> {
        let place = std::env::temp_dir();
        remove_abandoned(&place);
        let root = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&place)?;
        // The lock gets its name once it is held: nobody can take it for abandoned.
        let unnamed = root.path().join("unnamed");
        let lock = File::create(&unnamed)?;
        lock.lock()?;
        fs::rename(unnamed, root.path().join(LOCK))?;
        Ok(Scratch { root, _lock: lock })
    }

    /// A worker's own part.
    pub(super) fn desk(&self, slot: usize, name: &OsStr, executable: bool) -> io::Result<Desk> {
        let place = self.root.path().join(slot.to_string());
        let (work, tmp) = (place.join("work"), place.join("tmp"));
        let mode = if executable { 0o777 } else { 0o666 };
        let desk = Desk { work, tmp, name: name.into(), mode };
        fs::create_dir_all(&desk.work)?;
        fs::create_dir_all(&desk.tmp)?;
        Ok(desk)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A test may have taken away permissions, so that plain removal fails.
        let _ = clear(self.root.path());
    }
}

/// Where one worker tests.
pub(super) struct Desk {
    work: PathBuf,
    tmp: PathBuf,
    name: OsString,
    mode: u32,
}

impl Desk {
    /// The working directory.
    pub(super) fn work(&self) -> &Path {
        &self.work
    }

    /// The directory for temporary files.
    pub(super) fn tmp(&self) -> &Path {
        &self.tmp
    }

    /// The candidate's path.
    pub(super) fn file(&self) -> PathBuf {
        self.work.join(&self.name)
    }

    /// Lays a candidate on the desk and opens it for reading.
    pub(super) fn lay(&self, candidate: &Candidate) -> io::Result<File> {
        let path = self.file();
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(self.mode).open(&path)?;
        candidate.write_to(&mut file)?;
        File::open(path)
    }

    /// Clears away the candidate and whatever the test dropped.
    pub(super) fn tidy(&self) -> io::Result<()> {
        clear(&self.work)?;
        clear(&self.tmp)
    }
}

/// Removes all that is in a directory, also what was made read-only.
fn clear(dir: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return fs::create_dir_all(dir),
        Err(_) => {
            fs::set_permissions(dir, Permissions::from_mode(0o700))?;
            fs::read_dir(dir)?
        }
    };
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        let is_dir = entry.file_type()?.is_dir();
        let remove = || if is_dir { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        if remove().is_err() {
            fs::set_permissions(dir, Permissions::from_mode(0o700))?;
            if is_dir {
                clear(&path)?;
            }
            remove()?;
        }
    }
    Ok(())
}

fn remove_abandoned(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes())
            && let Ok(lock) = File::open(entry.path().join(LOCK))
        {
            match lock.try_lock() {
                Ok(()) => {
                    let _ = clear(&entry.path()).and_then(|()| fs::remove_dir(entry.path()));
                }
                Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn names(dir: &Path) -> Vec<OsString> {
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn a_desk_holds_the_candidate_alone_and_is_empty_after_tidying() {
        let scratch = Scratch::new().unwrap();
        let desk = scratch.desk(3, OsStr::new("prog.c"), false).unwrap();
        let candidate = Candidate::whole(&Arc::new(b"int x;\r\n\0".to_vec()));
        drop(desk.lay(&candidate).unwrap());
        assert_eq!(names(desk.work()), ["prog.c"]);
        assert_eq!(fs::read(desk.file()).unwrap(), b"int x;\r\n\0");

        fs::create_dir_all(desk.work().join("a/b")).unwrap();
        fs::write(desk.work().join("a/b/c"), "x").unwrap();
        fs::set_permissions(desk.work().join("a"), Permissions::from_mode(0o500)).unwrap();
        std::os::unix::fs::symlink("/nowhere", desk.work().join("link")).unwrap();
        fs::write(desk.tmp().join("cc1.s"), "x").unwrap();
        desk.tidy().unwrap();
        assert!(names(desk.work()).is_empty() && names(desk.tmp()).is_empty());
    }

    #[test]
    fn a_desk_that_the_test_removed_is_made_again() {
        let scratch = Scratch::new().unwrap();
        let desk = scratch.desk(0, OsStr::new("x"), true).unwrap();
        fs::remove_dir_all(desk.work()).unwrap();
        desk.tidy().unwrap();
        desk.lay(&Candidate::whole(&Arc::default())).unwrap();
    }

    #[test]
    fn the_directory_of_a_run_that_was_killed_is_removed_and_that_of_a_running_one_is_not() {
        let place = tempfile::tempdir().unwrap();
        let abandoned = place.path().join("lop-dead");
        fs::create_dir_all(abandoned.join("0/work")).unwrap();
        File::create(abandoned.join(LOCK)).unwrap();
        let busy = place.path().join("lop-busy");
        fs::create_dir(&busy).unwrap();
        let lock = File::create(busy.join(LOCK)).unwrap();
        lock.lock().unwrap();
        fs::create_dir(place.path().join("lop-not-ours")).unwrap();
        remove_abandoned(place.path());
        let mut left = names(place.path());
        left.sort();
        assert_eq!(left, ["lop-busy", "lop-not-ours"]);
    }
}
