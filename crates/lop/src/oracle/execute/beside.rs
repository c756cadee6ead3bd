//! Files beside the candidate: headers, data and other files that a test needs and that are not reduced.
//!
//! A run copies them once, and every desk gets a copy of that copy, so neither changes of the originals during the run
//! nor tests that change their copies have an effect. After each test, a desk removes foreign files and puts back
//! missing ones.
//!
//! A file is unchanged if its inode, size, mode and times are. Times are coarse, so a file that was changed
//! just before its times were noted is compared byte for byte.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::scratch::{make_directory, remove_entry};

/// A file that every test finds in its working directory, besides the candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    source: PathBuf,
    path: PathBuf,
    is_link: bool,
}

impl Beside {
    /// A copy of a file, at a path in the working directory.
    pub fn copy(source: impl Into<PathBuf>, path: impl Into<PathBuf>) -> Self {
        Beside { source: source.into(), path: path.into(), is_link: false }
    }

    /// A symbolic link to a file or directory. A test that writes to it changes the original.
    pub fn link(source: impl Into<PathBuf>, path: impl Into<PathBuf>) -> Self {
        Beside { source: source.into(), path: path.into(), is_link: true }
    }

    /// The file or directory on this machine.
    pub fn source(&self) -> &Path {
        &self.source
    }

    /// The path in the working directory.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The copies from which desks are stocked.
pub(super) struct Stock {
    root: PathBuf,
    /// The files, by their paths in a working directory; for a link, its target.
    files: BTreeMap<PathBuf, Option<PathBuf>>,
    directories: BTreeSet<PathBuf>,
}

impl Stock {
    /// Copies files to a new directory.
    pub(super) fn new(root: &Path, all: &[Beside]) -> io::Result<Self> {
        let (mut files, mut directories) = (BTreeMap::new(), BTreeSet::new());
        for Beside { source, path, is_link } in all {
            let parents = path.ancestors().skip(1).filter(|it| !it.as_os_str().is_empty());
            directories.extend(parents.map(Path::to_owned));
            let copy = root.join(path);
            copy.parent().map_or(Ok(()), fs::create_dir_all)?;
            if !is_link {
                fs::copy(source, &copy).map_err(|error| {
                    let message = format!("cannot copy `{}`: {error}", source.display());
                    io::Error::new(error.kind(), message)
                })?;
            }
            files.insert(path.clone(), is_link.then(|| source.clone()));
        }
        Ok(Stock { root: root.to_owned(), files, directories })
    }
}

/// A working directory with a stock of files.
pub(super) struct Stocked {
    work: PathBuf,
    stock: Arc<Stock>,
    /// The signs of the copies when they were known to be right.
    known: BTreeMap<PathBuf, Sign>,
}

/// The properties of a file that are known without reading it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sign {
    inode: u64,
    size: u64,
    mode: u32,
    modified: (i64, i64),
    changed: (i64, i64),
    /// Whether a later change would show.
    is_settled: bool,
}

/// Times of files are no coarser than this.
const COARSEST: Duration = Duration::from_millis(50);

impl Sign {
    fn of(metadata: &Metadata) -> Sign {
        let changed = (metadata.ctime(), metadata.ctime_nsec());
        let since = Duration::new(changed.0.max(0) as u64, changed.1.max(0) as u32);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Sign {
            inode: metadata.ino(),
            size: metadata.size(),
            mode: metadata.mode(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed,
            is_settled: now > since + COARSEST,
        }
    }
}

impl Stocked {
    pub(super) fn new(work: &Path, stock: &Arc<Stock>) -> io::Result<Self> {
        let mut stocked =
            Stocked { work: work.to_owned(), stock: stock.clone(), known: BTreeMap::new() };
        stocked.tidy().map(|()| stocked)
    }

    /// The working directory.
    pub(super) fn work(&self) -> &Path {
        &self.work
    }

    /// Removes everything that isn't in the stock, and puts back what is missing.
    pub(super) fn tidy(&mut self) -> io::Result<()> {
        let work = self.work.clone();
        let found = self.sweep(&work, Path::new(""))?;
        if found == self.stock.files.len() {
            return Ok(());
        }
        let stock = self.stock.clone();
        for (path, target) in &stock.files {
            let place = self.work.join(path);
            if fs::symlink_metadata(&place).is_ok() {
                continue;
            }
            place.parent().map_or(Ok(()), fs::create_dir_all)?;
            if let Some(target) = target {
                symlink(target, place)?;
                continue;
            }
            fs::copy(stock.root.join(path), &place)?;
            // Not settled, whatever the clock says: the file has just been changed.
            let sign = Sign { is_settled: false, ..Sign::of(&fs::symlink_metadata(&place)?) };
            self.known.insert(path.clone(), sign);
        }
        Ok(())
    }

    /// Removes foreign entries from a directory; counts the files that stay.
    fn sweep(&mut self, directory: &Path, within: &Path) -> io::Result<usize> {
        make_directory(directory)?;
        let mut found = 0;
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let path = within.join(entry.file_name());
            if entry.file_type()?.is_dir() && self.stock.directories.contains(&path) {
                found += self.sweep(&entry.path(), &path)?;
            } else if self.is_unchanged(&path)? {
                found += 1;
            } else {
                remove_entry(&entry)?;
            }
        }
        Ok(found)
    }

    fn is_unchanged(&mut self, path: &Path) -> io::Result<bool> {
        let place = self.work.join(path);
        match self.stock.files.get(path) {
            None => return Ok(false),
            Some(Some(target)) => return Ok(fs::read_link(place).is_ok_and(|it| it == *target)),
            Some(None) => {}
        }
        let now = Sign::of(&fs::symlink_metadata(&place)?);
        match self.known.get(path).copied() {
            Some(known) if Sign { is_settled: now.is_settled, ..known } != now => Ok(false),
            Some(known) if known.is_settled => Ok(true),
            Some(_) if fs::read(&place)? == fs::read(self.stock.root.join(path))? => {
                self.known.insert(path.to_owned(), now);
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_test_does_to_its_files_is_undone() {
        let place = tempfile::tempdir().unwrap();
        let at = |path: &str| place.path().join(path);
        fs::create_dir_all(at("from/sub")).unwrap();
        fs::write(at("from/a.h"), "one").unwrap();
        fs::write(at("from/sub/b.h"), "two").unwrap();
        let all = [
            Beside::copy(at("from/a.h"), "a.h"),
            Beside::copy(at("from/sub/b.h"), "sub/b.h"),
            Beside::link(at("from"), "link"),
        ];
        let stock = Arc::new(Stock::new(&at("stock"), &all).unwrap());
        // From here on, the originals no longer matter.
        fs::write(at("from/a.h"), "changed").unwrap();
        let mut stocked = Stocked::new(&at("work"), &stock).unwrap();
        let changes: [&dyn Fn(); 8] = [
            &|| {},
            // As long as before, and possibly in the same tick of the clock.
            &|| fs::write(at("work/a.h"), "uno").unwrap(),
            &|| fs::remove_file(at("work/sub/b.h")).unwrap(),
            &|| fs::remove_dir_all(at("work")).unwrap(),
            &|| fs::write(at("work/sub/dropping"), "x").unwrap(),
            &|| {
                fs::remove_file(at("work/link")).unwrap();
                fs::write(at("work/link"), "no link").unwrap();
            },
            &|| {
                fs::remove_file(at("work/a.h")).unwrap();
                fs::create_dir(at("work/a.h")).unwrap();
            },
            &|| {
                fs::remove_dir_all(at("work/sub")).unwrap();
                symlink(at("from"), at("work/sub")).unwrap();
            },
        ];
        for (index, change) in changes.iter().enumerate() {
            change();
            stocked.tidy().unwrap();
            let read = |path: &str| fs::read_to_string(at(path)).unwrap();
            assert_eq!((read("work/a.h"), read("work/sub/b.h")), ("one".into(), "two".into()));
            assert_eq!(fs::read_link(at("work/link")).unwrap(), at("from"), "{index}");
            assert_eq!(fs::read_dir(at("work")).unwrap().count(), 3, "{index}");
            assert_eq!(fs::read_dir(at("work/sub")).unwrap().count(), 1, "{index}");
        }
        assert_eq!(fs::read_to_string(at("from/a.h")).unwrap(), "changed");
    }

    #[test]
    fn a_change_that_the_times_of_a_file_do_not_show_is_undone() {
        let place = tempfile::tempdir().unwrap();
        let at = |path: &str| place.path().join(path);
        fs::write(at("a.h"), "one").unwrap();
        let stock = Stock::new(&at("stock"), &[Beside::copy(at("a.h"), "a.h")]).unwrap();
        let mut stocked = Stocked::new(&at("work"), &Arc::new(stock)).unwrap();
        fs::write(at("work/a.h"), "uno").unwrap();
        // As if the clock had not moved since the file was copied.
        let sign = Sign::of(&fs::metadata(at("work/a.h")).unwrap());
        stocked.known.insert("a.h".into(), Sign { is_settled: false, ..sign });
        stocked.tidy().unwrap();
        assert_eq!(fs::read(at("work/a.h")).unwrap(), b"one");
    }

    #[test]
    fn a_file_that_is_known_to_be_right_is_not_read_again() {
        let place = tempfile::tempdir().unwrap();
        let at = |path: &str| place.path().join(path);
        fs::write(at("a.h"), "one").unwrap();
        let stock = Stock::new(&at("stock"), &[Beside::copy(at("a.h"), "a.h")]).unwrap();
        let mut stocked = Stocked::new(&at("work"), &Arc::new(stock)).unwrap();
        let inode = || fs::metadata(at("work/a.h")).unwrap().ino();
        let before = inode();
        while !stocked.known[Path::new("a.h")].is_settled {
            stocked.tidy().unwrap();
        }
        // Without its copy, it could be neither compared nor put back.
        fs::remove_dir_all(at("stock")).unwrap();
        stocked.tidy().unwrap();
        assert_eq!(inode(), before);
    }
}
