//! What can go wrong with a generator, besides that it makes no test case of some choices.

use std::io;
use std::path::PathBuf;

/// Why a generator cannot be used. Its message names the subject and the cause, [`help`](Error::help) the cure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no place for the files of generators.
    #[error("cannot make a directory in `{}`: {source}", path.display())]
    Directory {
        /// Where it was to be.
        path: PathBuf,
        /// Why there is none.
        source: io::Error,
    },
    /// The files that a generator needs cannot be written, or do not exist on this system.
    #[error("cannot set up the generator `{name}` in `{}`: {source}", path.display())]
    SetUp {
        /// Its name.
        name: String,
        /// The worker's directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It cannot be run, or not be talked to.
    #[error("cannot run the generator `{name}`: {source}")]
    Run {
        /// Its name.
        name: String,
        /// Why.
        source: io::Error,
    },
}

impl Error {
    /// What helps.
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
