//! A run: a strategy over a subject, judged by an oracle, in a session.

pub(crate) mod engine;
mod files;
pub mod preflight;
mod reduction;
pub mod strategy;
mod subject;

pub use reduction::{Reduction, Report, still_interesting};
