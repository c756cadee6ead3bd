//! Everything that proposes candidates: algorithms over lists of [`units`], [`reducers`] of trees, and [`passes`] with their [`rules`].
//!
//! They ask a [`crate::search::Search`] and know nothing of how it finds the answer: they use no process, thread, clock
//! or file.

pub mod algorithms;
pub mod passes;
pub mod reducers;
pub mod rules;
pub mod units;
