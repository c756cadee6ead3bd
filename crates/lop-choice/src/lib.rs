//! Property testing.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod choice;
pub mod check;
mod draw;
mod failure;
pub mod float;
mod fresh;
mod known;
pub mod passes;
pub mod record;
pub mod reducer;
mod source;
pub mod trials;

pub use check::{Check, Found, Report};
pub use draw::Integer;
pub use failure::{Failure, Outcome};
pub use source::Source;
