//! The private directories in which candidates are tested.
//!
//! A run has one directory, with a desk for each worker in it. A desk has two directories: `work` holds the candidate
//! under its own name, the files that the user wants beside it, and nothing else when a test starts; `tmp` is the test's
//! `TMPDIR`, since a compiler that is killed leaves its temporary files there.
//!
//! A run holds a lock on its directory. A run that was killed leaves the directory behind without a lock, and the next
//! run removes it, and kills what remains of its tests. A file in the directory marks it as lop's, so a directory that
//! only has a similar name is never removed.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::beside::{Beside, Stock, Stocked};
use crate::process::kill_tests_in;
use crate::text::{Bundle, Candidate, FileKind, Member};

const PREFIX: &str = "lop-";
const SIGN: &str = ".lop";
/// The content of the file that marks a directory as lop's.
const MAGIC: &[u8] = b"the directory of a run of lop, which holds a lock on it\n";

/// A directory for files of a run. It is removed when dropped, or by the next run if this one is killed.
pub struct Scratch {
    root: PathBuf,
    _lock: File,
    /// Descriptors to free before the directories are removed: the run may end because it ran out of them.
    spare: Vec<File>,
}

/// How many descriptors the removal of directories takes.
const SPARE: usize = 4;

impl Scratch {
    /// Makes one in the system's directory for temporary files.
    pub fn new() -> io::Result<Self> {
        let place = std::env::temp_dir();
        remove_abandoned(&place);
        loop {
            let root = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&place)?.keep();
            // Until it is locked, another run may consider the empty directory abandoned and remove it.
            let signed = File::open(&root).and_then(|dir| {
                // On file systems without locks, no run considers any directory abandoned.
                let _ = dir.lock();
                fs::write(root.join(SIGN), MAGIC)?;
                let spare = (0..SPARE).map(|_| dir.try_clone()).collect::<io::Result<_>>()?;
                Ok((dir, spare))
            });
            match signed {
                Ok((lock, spare)) => return Ok(Scratch { root, _lock: lock, spare }),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let _ = remove(&root);
                    return Err(error);
                }
            }
        }
    }

    /// The directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Copies the files that are beside every candidate.
    pub(super) fn stock(&self, beside: &[Beside]) -> io::Result<Arc<Stock>> {
        Stock::new(&self.root.join("beside"), beside).map(Arc::new)
    }

    /// Makes a worker's desk.
    pub(super) fn desk(
        &self,
        slot: usize,
        name: &OsStr,
        executable: bool,
        bundle: Option<&Bundle>,
        stock: &Arc<Stock>,
    ) -> io::Result<Desk> {
        let place = self.root.join(slot.to_string());
        let (work, tmp) = (Stocked::new(&place.join("work"), stock)?, place.join("tmp"));
        let mode = if executable { 0o777 } else { 0o666 };
        fs::create_dir_all(&tmp)?;
        Ok(Desk { work, tmp, name: name.into(), mode, bundle: bundle.cloned() })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.spare.clear();
        let _ = remove(&self.root);
    }
}

/// The directories of one worker.
pub(super) struct Desk {
    work: Stocked,
    tmp: PathBuf,
    name: OsString,
    mode: u32,
    bundle: Option<Bundle>,
}

impl Desk {
    /// The working directory.
    pub(super) fn work(&self) -> &Path {
        self.work.work()
    }

    /// The directory for temporary files.
    pub(super) fn tmp(&self) -> &Path {
        &self.tmp
    }

    /// The candidate's path.
    pub(super) fn file(&self) -> PathBuf {
        self.work().join(&self.name)
    }

    /// Lays a candidate on the desk and opens it for reading; several files give an empty input.
    pub(super) fn lay(&self, candidate: &Candidate) -> io::Result<File> {
        if let Some(bundle) = &self.bundle {
            self.lay_all(bundle, candidate.text())?;
            return File::open("/dev/null");
        }
        let path = self.file();
        candidate.write_to(&mut create(&path, self.mode)?)?;
        File::open(path)
    }

    fn lay_all(&self, bundle: &Bundle, text: &[u8]) -> io::Result<()> {
        if let Some(root) = &bundle.root {
            fs::create_dir_all(self.work().join(root))?;
        }
        for Member { path, content, kind, .. } in bundle.members(text) {
            let path = self.work().join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            let content = &text[content];
            match kind {
                FileKind::Regular(mode) => {
                    let mut file = create(&path, mode)?;
                    file.write_all(content)?;
                    // Restores the bits that the umask has removed.
                    file.set_permissions(Permissions::from_mode(mode))?;
                }
                FileKind::Link => symlink(OsStr::from_bytes(content), path)?,
                FileKind::Directory => fs::create_dir_all(path)?,
            }
        }
        Ok(())
    }

    /// Clears away the candidate and all files that the test left.
    pub(super) fn tidy(&mut self) -> io::Result<()> {
        self.work.tidy()?;
        clear(&self.tmp)
    }
}

fn create(path: &Path, mode: u32) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// Makes a directory empty, even if a test removed it, put something else in its
/// place, or took away permissions. A link is removed, never followed.
fn clear(dir: &Path) -> io::Result<()> {
    make_directory(dir)?;
    fs::read_dir(dir)?.try_for_each(|entry| remove_entry(&entry?))
}

/// Makes sure that the directory exists and can be changed.
pub(super) fn make_directory(dir: &Path) -> io::Result<()> {
    match fs::symlink_metadata(dir) {
        Ok(it) if it.is_dir() => {
            if it.permissions().mode() & 0o700 != 0o700 {
                fs::set_permissions(dir, Permissions::from_mode(0o700))?;
            }
        }
        Ok(_) => {
            fs::remove_file(dir)?;
            fs::create_dir(dir)?;
        }
        Err(_) => fs::create_dir_all(dir)?,
    }
    Ok(())
}

/// Removes an entry of a directory, whatever it is.
pub(super) fn remove_entry(entry: &fs::DirEntry) -> io::Result<()> {
    let path = entry.path();
    if !entry.file_type()?.is_dir() {
        return fs::remove_file(path);
    }
    if fs::remove_dir_all(&path).is_ok() {
        return Ok(());
    }
    clear(&path)?;
    fs::remove_dir(path)
}

/// Removes a run's directory, its sign last, so that it is recognised as lop's to the end.
fn remove(root: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        if entry.file_name() != SIGN {
            clear(&entry.path())?;
            fs::remove_dir(entry.path())?;
        }
    }
    match fs::remove_file(root.join(SIGN)) {
        // Another process removed the directory while the run was using it, and it was made again.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        removed => removed?,
    }
    fs::remove_dir(root)
}

fn remove_abandoned(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let path = entry.path();
        let has_name = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
        if has_name
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
            && let Ok(dir) = File::open(&path)
            && dir.try_lock().is_ok()
        {
            // A run that was killed while it wrote its sign has written a part of it, or nothing.
            if fs::read(path.join(SIGN)).is_ok_and(|content| MAGIC.starts_with(&content)) {
                kill_tests_in(&path);
                let _ = remove(&path);
            } else {
                // The sign isn't there yet, or no longer: the directory is removed only if it is empty.
                let _ = fs::remove_dir(&path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// A desk with nothing beside the candidate.
    fn desk(scratch: &Scratch, name: &str) -> Desk {
        let stock = scratch.stock(&[]).unwrap();
        scratch.desk(0, OsStr::new(name), false, None, &stock).unwrap()
    }

    fn names(dir: &Path) -> Vec<OsString> {
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn a_desk_holds_the_candidate_alone_and_is_empty_after_tidying() {
        let scratch = Scratch::new().unwrap();
        let mut desk = desk(&scratch, "prog.c");
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
    fn a_desk_that_the_test_removed_or_replaced_is_made_again_and_no_link_is_followed() {
        let scratch = Scratch::new().unwrap();
        let mut desk = desk(&scratch, "x");
        let work = desk.work().to_owned();
        let precious = tempfile::tempdir().unwrap();
        fs::write(precious.path().join("thesis"), "x").unwrap();
        let replacements: [&dyn Fn(); 4] = [
            &|| {},
            &|| fs::write(&work, "a file").unwrap(),
            &|| std::os::unix::fs::symlink(precious.path(), &work).unwrap(),
            &|| {
                fs::create_dir(&work).unwrap();
                fs::set_permissions(&work, Permissions::from_mode(0o100)).unwrap();
            },
        ];
        for replace in replacements {
            fs::remove_dir_all(&work).unwrap();
            replace();
            desk.tidy().unwrap();
            desk.lay(&Candidate::whole(&Arc::default())).unwrap();
        }
        assert!(precious.path().join("thesis").exists());
        assert_eq!(fs::metadata(&work).unwrap().permissions().mode() & 0o700, 0o700);
    }

    #[test]
    fn the_directory_of_a_run_that_was_killed_is_removed_and_no_other_is() {
        let place = tempfile::tempdir().unwrap();
        let make = |name: &str, sign: Option<&[u8]>| {
            let dir = place.path().join(name);
            fs::create_dir_all(dir.join("0/work")).unwrap();
            if let Some(sign) = sign {
                fs::write(dir.join(SIGN), sign).unwrap();
            }
            dir
        };
        make("lop-killed", Some(MAGIC));
        make("lop-killed-while-signing", Some(&MAGIC[..5]));
        fs::create_dir(place.path().join("lop-killed-before-signing")).unwrap();
        make("lop-of-someone-else", None);
        make("lop-of-another", Some(b"mine"));
        make("other", Some(MAGIC));
        let busy = File::open(make("lop-busy", Some(MAGIC))).unwrap();
        busy.lock().unwrap();
        remove_abandoned(place.path());
        let mut left = names(place.path());
        left.sort();
        assert_eq!(left, ["lop-busy", "lop-of-another", "lop-of-someone-else", "other"]);
    }
}
