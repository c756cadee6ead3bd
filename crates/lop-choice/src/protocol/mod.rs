//! The protocol between lop and a generator that is a program. Both halves are here, so that they cannot drift apart; docs/src/reference/protocol.md describes it for
//! other implementations.
//!
//! ```text
//! lop       choices ──▶ generator      driver::one_of_many   ▸ generator::read_choices
//!           record  ◀── events                driver::Events ◂ generator::write_events
//!           case    ◀── case              driver::read_case  ◂ generator::write_case
//! ```
//!
//! [`driver`] is lop's half, [`generator`] that of a generator. Invariant: what one half writes, the other reads as equal, except for the
//! names of [labels](crate::record::Label), of which only their equality is preserved.

pub mod driver;
pub mod generator;

use std::{fmt, io};

use crate::choice::Kind;

/// The environment variable with the path of the choices.
pub const CHOICES: &str = "LOP_CHOICES";
/// The environment variable with the path of the events.
pub const EVENTS: &str = "LOP_EVENTS";
/// The environment variable that is set if one process makes many test cases.
pub const SERVER: &str = "LOP_SERVER";
/// The environment variable with the seed of a generator that is run by hand.
pub const SEED: &str = "LOP_SEED";

/// The exit code of a generator that had too few choices.
pub const TOO_FEW: u8 = 120;
/// The exit code of a generator that rejects its choices.
pub const REJECTED: u8 = 121;

/// The line after the choices of each case, if one process makes many.
const END: &str = "end";
/// The bytes of the longest test case that a process may send if it makes many.
const LONGEST: u64 = 1 << 30;

/// What a generator makes of choices.
#[derive(Clone, Debug, PartialEq)]
pub enum Case {
    /// A test case.
    Made(Vec<u8>),
    /// No test case, since there were too few choices; the kind of the first one that is missing.
    TooFew(Kind),
    /// No test case, since the generator rejected its choices.
    Rejected,
}

/// Why the output of a generator cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Reading failed.
    Io(io::Error),
    /// A line isn't an event.
    Event {
        /// The number of the line, from 1, if all events were read before.
        line: Option<usize>,
        /// The line.
        text: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A line announces a test case without a length.
    NoLength(String),
    /// A line announces a test case of another length than follows.
    OtherLength(String),
    /// The choices are used up, but there is no event with the kind of the first one that is missing.
    NothingWanted,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => error.fmt(f),
            Error::Event { line: Some(line), text, why } => {
                write!(f, "line {line} of its events, `{text}`: {why}")
            }
            Error::Event { line: None, text, why } => write!(f, "`{text}`: {why}"),
            Error::NoLength(text) => write!(f, "`{text}` has no length"),
            Error::OtherLength(text) => {
                write!(f, "`{text}` is not followed by as many bytes, or by more than {LONGEST}")
            }
            Error::NothingWanted => f.write_str("`out` without an event `?` before it"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(error)
    }
}
