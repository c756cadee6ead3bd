//! Texts: the bytes that are reduced.
//!
//! A [`Candidate`] is a text with edits, a [`Measured`] one with its size by a [`Gauge`], a [`Bundle`] several files in one. Nothing
//! here knows trees, processes or oracles.

pub(crate) mod brackets;
mod bundle;
mod candidate;
mod clues;
mod difference;
mod forms;
mod gauge;
mod keep;
pub mod lexer;
mod measured;
mod nearest;
pub(crate) mod size;

pub use bundle::{Bundle, FileKind, InputFile, Member, Turn};
pub(crate) use bundle::{begins_text, ends_text};
pub use candidate::{Candidate, Edit, Key, Text};
pub use clues::Clues;
pub(crate) use difference::{Hunk, hunks};
pub(crate) use forms::{FORMS, Form, FormFinder, Forms, Role};
pub use gauge::Gauge;
pub use keep::Keep;
pub use measured::Measured;
pub use nearest::{nearest, similar};
pub use size::Size;
