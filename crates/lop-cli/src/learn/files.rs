//! Finds the files of a corpus, one after the other.
//!
//! Links within directories are not followed, since they may lead in circles, and hidden directories are skipped:
//! version control keeps its files there.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use super::progress::{Counts, Skip};

/// A file to learn from.
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// Whether the user gave its path: then it is in the language that the user gave, whatever its name.
    pub(super) is_given: bool,
}

/// Hands over each file of some paths, until `take` returns false.
pub(super) fn find(paths: &[PathBuf], counts: &Counts, take: &mut dyn FnMut(Source) -> bool) {
    let (directories, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
        paths.iter().partition(|path| path.is_dir());
    for path in files {
        if !take(Source { path: path.clone(), is_given: true }) {
            return;
        }
    }
    let mut open: Vec<PathBuf> = directories.into_iter().rev().cloned().collect();
    while let Some(directory) = open.pop() {
        let Ok(entries) = fs::read_dir(&directory) else {
            counts.skip(Skip::Unreadable);
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let is_hidden = entry.file_name().as_bytes().starts_with(b".");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden => open.push(path),
                Ok(kind) if kind.is_file() && !take(Source { path, is_given: false }) => return,
                _ => {}
            }
        }
    }
}
