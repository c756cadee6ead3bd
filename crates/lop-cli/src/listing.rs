//! The files below a directory.
//!
//! A link to a place in the directory stays a link. One to a place elsewhere would be broken in a private directory: a
//! file is copied, and a link to a directory becomes absolute.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::exit::{Code, Failure};
use crate::reading::cure;

/// A file that was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Its path on this machine.
    pub(crate) place: PathBuf,
    /// Its path for the test.
    pub(crate) name: PathBuf,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Regular,
    /// A link, and the path that it leads to.
    Link(PathBuf),
    /// A directory without files.
    Directory,
}

/// The files below a directory, each with its path under `name`, in order.
pub(crate) fn files_in(directory: &Path, name: &Path) -> Result<Vec<Found>, Failure> {
    let mut found = Vec::new();
    let mut open = vec![(directory.to_owned(), name.to_owned())];
    while let Some((place, name)) = open.pop() {
        let entries = fs::read_dir(&place).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let entries = entries.map_err(|error| {
            let message = format!("cannot read the directory `{}`: {error}", place.display());
            Failure::new(Code::Input, message).help(cure(&error))
        })?;
        if entries.is_empty() && place != directory {
            found.push(Found { place: place.clone(), name: name.clone(), kind: Kind::Directory });
        }
        for entry in entries {
            let (place, name) = (entry.path(), name.join(entry.file_name()));
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push((place, name)),
                Ok(kind) if kind.is_file() => {
                    found.push(Found { place, name, kind: Kind::Regular });
                }
                Ok(kind) if kind.is_symlink() => {
                    if let Ok(kind) = link(directory, &place) {
                        found.push(Found { place, name, kind });
                    }
                }
                // Sockets and pipes have no content.
                _ => {}
            }
        }
    }
    found.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(found)
}

/// How a link in a directory is treated.
fn link(directory: &Path, place: &Path) -> io::Result<Kind> {
    let target = fs::read_link(place)?;
    let Ok(end) = fs::canonicalize(place) else { return Ok(Kind::Link(target)) };
    let directory = fs::canonicalize(directory)?;
    let Ok(inside) = end.strip_prefix(&directory) else {
        return Ok(if end.is_file() { Kind::Regular } else { Kind::Link(end) });
    };
    if target.is_relative() {
        return Ok(Kind::Link(target));
    }
    // An absolute link would lead to the original.
    let parent = fs::canonicalize(place.parent().unwrap_or(Path::new(".")))?;
    let depth = parent.strip_prefix(&directory).map_or(0, |path| path.components().count());
    Ok(Kind::Link(std::iter::repeat_n(Path::new(".."), depth).chain([inside]).collect()))
}
