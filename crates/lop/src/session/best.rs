//! The best result so far, on disk.
//!
//! It is on disk at every moment. It is written to a temporary file next to its place, flushed, and renamed over: even
//! if the power fails or lop is killed, the file is one whole, interesting result. A thread writes it, so a slow disk
//! does not slow down the search; if results come faster than the disk accepts them, only the newest is written. If no
//! thread can be started, the search waits for the disk. With several files, the changed ones are replaced in this way,
//! one after the other, and then others are removed, so that no file mentions a removed one; a state between two
//! results is visible only if lop is killed in that moment. The directory itself stays the same, since a shell may be
//! in it.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};

use crate::text::{Bundle, FileKind, Member, Text};

/// Keeps the best result in a file.
pub struct BestFile {
    shared: Arc<Shared>,
    place: Arc<Place>,
    /// The thread that writes; if there is none, the calling thread does.
    writer: Option<JoinHandle<()>>,
}

/// The error if a file could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {source}", path.display())]
#[non_exhaustive]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// The cause.
    pub source: io::Error,
}

impl WriteError {
    /// Names the file that could not be written.
    pub(crate) fn of(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
        move |source| WriteError { path: path.to_owned(), source }
    }
}

/// The place of a result.
#[non_exhaustive]
pub enum Place {
    /// A file.
    File(PathBuf, Option<Permissions>),
    /// Several files: the place of each one, by its path in the bundle.
    Files(Bundle, Vec<(PathBuf, PathBuf)>),
}

impl Place {
    /// Restores a result that was changed or removed by others.
    fn restore(&self, result: &Text) -> Result<(), WriteError> {
        match self {
            Place::File(path, _) if fs::read(path).is_ok_and(|present| present == **result) => {
                Ok(())
            }
            // Of several files, unchanged ones stay as they are.
            _ => self.put(result),
        }
    }

    /// Puts a result in its place; files that are no longer part of it are removed.
    pub fn put(&self, result: &Text) -> Result<(), WriteError> {
        let (bundle, places) = match self {
            Place::File(path, permissions) => {
                return replace(path, result, permissions.as_ref()).map_err(WriteError::of(path));
            }
            Place::Files(bundle, places) => (bundle, places),
        };
        let members = bundle.members(result);
        let members: HashMap<&Path, &Member> =
            members.iter().map(|member| (&*member.path, member)).collect();
        for (path, place) in places {
            if let Some(member) = members.get(&**path) {
                let content = &result[member.content.clone()];
                put_file(place, content, member.kind).map_err(WriteError::of(place))?;
            }
        }
        for (path, place) in places.iter().filter(|(path, _)| !members.contains_key(&**path)) {
            remove(place).map_err(WriteError::of(place))?;
            // Directories below the topmost that are empty now are removed, too.
            let inner = place.ancestors().skip(1).take(path.components().count().saturating_sub(2));
            inner.take_while(|directory| fs::remove_dir(directory).is_ok()).for_each(drop);
        }
        Ok(())
    }
}

/// Puts one of several files in its place, unless it is there already.
fn put_file(place: &Path, content: &[u8], kind: FileKind) -> io::Result<()> {
    place.parent().map_or(Ok(()), fs::create_dir_all)?;
    match kind {
        FileKind::Regular(mode) => {
            // A link to a file with this content stays until the file changes.
            let is_same = fs::metadata(place).is_ok_and(|it| {
                it.is_file()
                    && it.permissions().mode() & 0o7777 == mode
                    && fs::read(place).is_ok_and(|present| present == content)
            });
            let permissions = Permissions::from_mode(mode);
            if is_same { Ok(()) } else { replace(place, content, Some(&permissions)) }
        }
        FileKind::Link => {
            let target = Path::new(OsStr::from_bytes(content));
            if fs::read_link(place).is_ok_and(|present| present == target) {
                return Ok(());
            }
            let temporary = temporary(place);
            let _ = fs::remove_file(&temporary);
            symlink(target, &temporary).and_then(|()| fs::rename(&temporary, place))
        }
        FileKind::Directory => fs::create_dir_all(place),
    }
}

/// Removes a file that isn't part of the result. A directory that contains files of others stays.
fn remove(place: &Path) -> io::Result<()> {
    let is_dir = fs::symlink_metadata(place).is_ok_and(|it| it.is_dir());
    let removed = if is_dir { fs::remove_dir(place) } else { fs::remove_file(place) };
    removed.or_else(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty => Ok(()),
        _ => Err(error),
    })
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The result that has to be written next.
    next: Option<Text>,
    /// The newest result, written or not.
    last: Text,
    /// Whether a caller waits for the newest result to be on disk.
    restores: bool,
    busy: bool,
    failed: Option<WriteError>,
    closed: bool,
}

impl BestFile {
    /// Writes a first result immediately, which shows whether the place can be written.
    pub fn create(place: Place, first: &Text) -> Result<Self, WriteError> {
        let mut file = BestFile::without_thread(place, first)?;
        let (shared, place) = (file.shared.clone(), file.place.clone());
        file.writer = thread::Builder::new().spawn(move || shared.write_all(&place)).ok();
        Ok(file)
    }

    fn without_thread(place: Place, first: &Text) -> Result<Self, WriteError> {
        place.put(first)?;
        let shared = Arc::<Shared>::default();
        shared.lock().last = first.clone();
        Ok(BestFile { shared, place: place.into(), writer: None })
    }

    /// Gets the waiting result written.
    fn wake<'a>(&'a self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.shared.changed.notify_all();
        match &self.writer {
            Some(_) => state,
            None => self.shared.write_waiting(&self.place, state),
        }
    }

    /// Hands over a better result; fails if an earlier one could not be written.
    pub fn keep(&self, best: &Text) -> Result<(), WriteError> {
        let mut state = self.shared.lock();
        if let Some(error) = state.failed.take() {
            return Err(error);
        }
        (state.next, state.last) = (Some(best.clone()), best.clone());
        drop(self.wake(state));
        Ok(())
    }

    /// Waits until the last result that was handed over is on disk, even if others have changed or removed an earlier
    /// one.
    pub fn flush(&self) -> Result<(), WriteError> {
        let mut state = self.shared.lock();
        state.restores = true;
        state = self.wake(state);
        while (state.restores || state.busy) && state.failed.is_none() {
            state = self.shared.changed.wait(state).expect("the writer does not panic");
        }
        state.failed.take().map_or(Ok(()), Err)
    }
}

impl Drop for BestFile {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("the writer does not panic")
    }

    /// Writes all results that are handed over, until no more come.
    fn write_all(&self, place: &Place) {
        let mut state = self.write_waiting(place, self.lock());
        while !state.closed {
            state = self.changed.wait(state).expect("the writer does not panic");
            state = self.write_waiting(place, state);
        }
    }

    /// Writes until no result waits.
    fn write_waiting<'a>(
        &'a self,
        place: &Place,
        mut state: MutexGuard<'a, State>,
    ) -> MutexGuard<'a, State> {
        loop {
            let next = state.next.take();
            if next.is_none() && !std::mem::take(&mut state.restores) {
                return state;
            }
            state.busy = true;
            let last = state.last.clone();
            drop(state);
            let result = match next {
                Some(best) => place.put(&best),
                None => place.restore(&last),
            };
            state = self.lock();
            state.busy = false;
            state.failed = state.failed.take().or(result.err());
            self.changed.notify_all();
        }
    }
}

/// Replaces a file's content, completely or not at all.
pub fn replace(path: &Path, content: &[u8], permissions: Option<&Permissions>) -> io::Result<()> {
    let temporary = temporary(path);
    let write = || {
        // A file that a killed run left there may be read-only, or a link to another place.
        let _ = fs::remove_file(&temporary);
        let mut file = File::create_new(&temporary)?;
        file.write_all(content)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions.clone())?;
        }
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}

fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let parts = [".".as_ref(), name, ".new".as_ref()];
    path.with_file_name(parts.into_iter().collect::<OsString>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::InputFile;

    #[test]
    fn the_newest_result_is_on_disk_after_a_flush_and_nothing_else_is() {
        for create in [BestFile::create, BestFile::without_thread] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("out.c");
            let best = create(Place::File(path.clone(), None), &Arc::new(b"one".to_vec())).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"one");
            for number in 0..50 {
                best.keep(&Arc::new(format!("{number}").into_bytes())).unwrap();
            }
            best.flush().unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"49");
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn a_result_that_someone_removed_or_changed_is_there_again_after_a_flush() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.c");
        let best =
            BestFile::create(Place::File(path.clone(), None), &Arc::new(b"one".to_vec())).unwrap();
        fs::remove_file(&path).unwrap();
        best.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        best.keep(&Arc::new(b"two".to_vec())).unwrap();
        best.flush().unwrap();
        fs::write(&path, "something else").unwrap();
        best.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
    }

    #[test]
    fn a_place_that_cannot_be_written_is_an_error_and_the_last_good_result_stays() {
        let dir = tempfile::tempdir().unwrap();
        let missing = dir.path().join("nowhere/out.c");
        assert!(BestFile::create(Place::File(missing, None), &Arc::default()).is_err());

        let path = dir.path().join("out.c");
        let best =
            BestFile::create(Place::File(path.clone(), None), &Arc::new(b"good".to_vec())).unwrap();
        fs::create_dir(temporary(&path)).unwrap();
        best.keep(&Arc::new(b"better".to_vec())).unwrap();
        assert!(best.flush().is_err());
        assert_eq!(fs::read(&path).unwrap(), b"good");
    }

    #[test]
    fn permissions_are_kept_when_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("script");
        let mode = Permissions::from_mode(0o750);
        let best =
            BestFile::create(Place::File(path.clone(), Some(mode)), &Arc::new(b"one".to_vec()))
                .unwrap();
        best.keep(&Arc::new(b"two".to_vec())).unwrap();
        best.flush().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o750);
    }

    #[test]
    fn of_several_files_those_that_are_gone_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let mut files = ["a", "d/b"].map(|path| InputFile::new(path, path));
        files[1].kind = FileKind::Regular(0o751);
        let (bundle, text) = Bundle::pack(None, &files);
        let places = files.map(|file| (file.path.clone(), dir.path().join(file.path)));
        let last = bundle.members(&text)[1].whole.clone();
        let best = BestFile::create(Place::Files(bundle, places.into()), &text).unwrap();
        assert_eq!(fs::read(dir.path().join("a")).unwrap(), b"a");
        let mode = fs::metadata(dir.path().join("d/b")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o751);
        best.keep(&Arc::new(text[last].to_vec())).unwrap();
        best.flush().unwrap();
        assert!(!dir.path().join("a").exists() && dir.path().join("d/b").exists());
        best.keep(&Arc::default()).unwrap();
        best.flush().unwrap();
        assert!(!dir.path().join("d/b").exists());
    }
}
