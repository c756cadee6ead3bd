//! A run: a strategy over a subject, judged by an oracle, in a session.

mod choices;
pub(crate) mod engine;
mod files;
mod layout;
mod packed;
pub mod preflight;
mod reduction;
mod scout;
mod simple;
pub mod strategy;
mod subject;

pub use choices::{Bytes, ChoiceReduction, Make, Simplest};
pub use layout::{Formatter, Layout};
pub use reduction::{Reduction, still_interesting};
pub use simple::{Reduce, reduce};
