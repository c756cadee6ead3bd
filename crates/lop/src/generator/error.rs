//! Errors of generators. A generator that makes no test case from some choices isn't an error.

use std::io;
use std::path::PathBuf;

/// Why a generator cannot be used. Its message names the subject and the cause, [`help`](Error::help) the cure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The directory for the generators' files cannot be made.
    #[error("cannot make a directory in `{}`: {source}", path.display())]
    Directory {
        /// The directory in which it was to be made.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The files that a generator needs cannot be written, or are not available on this system.
    #[error("cannot set up the generator `{name}` in `{}`: {source}", path.display())]
    SetUp {
        /// Its name.
        name: String,
        /// The worker's directory.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The program cannot be run, or does not answer.
    #[error("cannot run the generator `{name}`: {source}")]
    Run {
        /// Its name.
        name: String,
        /// The cause.
        source: io::Error,
    },
}

impl Error {
    /// What the user can do about it.
    pub fn help(&self) -> Option<&'static str> {
        let (Error::Directory { source, .. }
        | Error::SetUp { source, .. }
        | Error::Run { source, .. }) = self;
        match (self, source.kind()) {
            (_, io::ErrorKind::StorageFull) => {
                Some("the disk is full: free some space, or set TMPDIR to another place")
            }
            (Error::Directory { .. }, _) => Some("set TMPDIR to a directory that can be written"),
            (Error::SetUp { .. }, io::ErrorKind::Unsupported) => Some(
                "use a generator that speaks the protocol by itself (docs/src/reference/protocol.md)",
            ),
            _ => None,
        }
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        io::Error::other(error)
    }
}
