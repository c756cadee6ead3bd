//! What is proposed: algorithms over lists of [`units`], [`reducers`] of trees, and [`passes`] with their [`rules`].
//!
//! All of it asks a [`crate::search::Search`] and knows nothing of what answers: no process, thread, clock or file.

pub mod algorithms;
pub mod passes;
pub mod reducers;
pub mod rules;
pub mod units;
