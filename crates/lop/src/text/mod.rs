//! Texts: the bytes that are reduced.
//!
//! A [`Candidate`] is a text with edits, a [`Measured`] one with its size, a [`Bundle`] several files in one. Nothing
//! here knows trees, processes or oracles.

pub(crate) mod brackets;
mod bundle;
mod candidate;
mod keep;
pub mod lexer;
mod measured;
mod nearest;
pub(crate) mod size;

pub use bundle::{Bundle, Member};
pub(crate) use candidate::Around;
pub use candidate::{Candidate, Edit, Key, Text};
pub use keep::Keep;
pub use measured::Measured;
pub use nearest::nearest;
pub use size::Size;
