//! Test-case reduction: from an input that makes something fail to the smallest one that still
//! does.
//!
//! ```
//! let input = b"one\ntwo\nthree (four (five))\nsix\n".to_vec();
//! let small = lop::reduce(input).with_test(|bytes| {
//!     let text = String::from_utf8_lossy(bytes);
//!     text.contains("five") && text.contains('(')
//! });
//! assert_eq!(small.unwrap(), b"(five\n");
//! ```
//!
//! [`Reduction`] has all settings. An *oracle* says whether a candidate is interesting; the simplest one is a closure.
//! A run can have several workers; its result does not depend on their number:
//!
//! ```
//! # use std::sync::Arc;
//! # use lop::Reduction;
//! # let oracle = |candidate: &[u8]| candidate.contains(&b'7');
//! let mut reduction = Reduction::new(Arc::new(b"123\n456\n789\n".to_vec()), &oracle);
//! reduction.workers = 4;
//! reduction.strategy = "ddmin:lines*+probdd:bytes*".parse().unwrap();
//! assert_eq!(*reduction.run().unwrap().best.text, b"7");
//! ```
//!
//! For texts in a known language, [`tree`] knows which parts can be removed and which can replace others, and
//! [`reducers`] use this knowledge:
//!
//! ```
//! # if !lop_languages::is_bundled("json") { return }
//! # use std::sync::Arc;
//! # use lop::Reduction;
//! use lop::tree::Format;
//!
//! let input = br#"{"a": [1, {"b": [2, 3]}], "c": 4}"#.to_vec();
//! let oracle = |candidate: &[u8]| candidate.contains(&b'3') && candidate.ends_with(b"}");
//! let mut reduction = Reduction::new(Arc::new(input), &oracle);
//! reduction.format = Format::named("json").unwrap();
//! reduction.strategy = "hoistr*+hddr*".parse().unwrap();
//! assert_eq!(*reduction.run().unwrap().best.text, br#"{"": 3}"#);
//! ```
//!
//! [`oracle::command`] has oracles that run a command; an [executor](oracle::execute::Execute) decides where it runs. A run reports its progress to an
//! observer as [`Event`]s; the library itself prints nothing.
//!
//! If a generator made the input, its choices can be reduced instead: [`generator`] runs such programs.
//!
//! # Platforms
//!
//! Running commands needs a Unix. On Linux it needs version 5.3, for `pidfd_open`, and the first command oracle
//! makes the process a subreaper: orphans of its children become its own children.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod generator;
mod judge;
pub mod oracle;
mod process;
mod reduce;
mod run;
mod session;
mod text;
pub mod tree;

pub use lop_antlr as antlr;
pub use lop_choice as choice;
pub use lop_grammar as grammar;
pub use lop_languages as languages;
pub use lop_search as search;
pub use lop_search::{Cancel, HookGuard, Until};
pub use process::{Limits, Status, UnknownSignal, parse_signal};
pub use reduce::{algorithms, passes, reducers, rules, units};
/// The regular expressions of [requirements](oracle::Requirement) and of [`Keep`], which work on bytes.
pub use regex::bytes::{Regex, RegexBuilder};
pub use run::strategy::{self, Strategy};
pub use run::{
    Bytes, ChoiceReduction, Formatter, Layout, Make, Reduce, Reduction, Simplest, preflight,
    reduce, still_interesting,
};
pub use session::{
    BestFile, ChoiceCounts, Control, Counts, End, Error, Event, Improvement, Journal, NodeCounts,
    Observer, Pace, Phase, Place, Report, Saved, TestTimes, Testing, WriteError, replace,
};
pub use text::{
    Bundle, Candidate, Clues, Edit, FileKind, Gauge, InputFile, Keep, Key, Measured, Member, Size,
    Text, Turn, lexer, nearest, similar,
};
