//! The words between lop and a generator that is a program: both halves, so that they cannot drift apart. docs/protocol.md describes them for those
//! who write a third one.
//!
//! ```text
//! lop       choices ──▶ generator      driver::one_of_many   ▸ generator::read_choices
//!           record  ◀── events                driver::Events ◂ generator::write_events
//!           case    ◀── case              driver::read_case  ◂ generator::write_case
//! ```
//!
//! [`driver`] is the half of lop, [`generator`] that of a generator. Invariant: what one half writes, the other reads as equal, except for the
//! names of [labels](crate::record::Label), of which only the sameness is kept.

pub mod driver;
pub mod generator;

use std::{fmt, io};

use crate::choice::Kind;

/// The variable with the place of the choices.
pub const CHOICES: &str = "LOP_CHOICES";
/// The variable with the place of the events.
pub const EVENTS: &str = "LOP_EVENTS";
/// The variable that is set if one process makes many test cases.
pub const SERVER: &str = "LOP_SERVER";
/// The variable with the seed of a generator that is run by hand.
pub const SEED: &str = "LOP_SEED";

/// The exit code of a generator that had too few choices.
pub const TOO_FEW: u8 = 120;
/// The exit code of a generator that rejects its choices.
pub const REJECTED: u8 = 121;

/// The line behind the choices of one case, if there are many.
const END: &str = "end";
/// The bytes of the longest test case that a process may send if it makes many.
const LONGEST: u64 = 1 << 30;

/// What a generator makes of choices.
#[derive(Clone, Debug, PartialEq)]
pub enum Case {
    /// A test case.
    Made(Vec<u8>),
    /// Nothing, since there were too few choices; this was to be drawn next.
    TooFew(Kind),
    /// Nothing, since the generator has no use for these choices.
    Rejected,
}

/// Why the words of a generator cannot be understood.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// They could not be read.
    Io(io::Error),
    /// A line is not an event.
    Event {
        /// The number of the line, from 1 on, if its text is known as a whole.
        line: Option<usize>,
        /// The line.
        text: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A line announces a test case without a length.
    NoLength(String),
    /// A line announces a test case, but that is not as long.
    OtherLength(String),
    /// The choices are said to be used up, but not what was to be drawn next.
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
