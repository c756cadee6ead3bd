//! Property testing.
#![deny(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod choice;
pub mod choices;
pub mod check;
mod draw;
mod existing;
pub mod external;
mod failure;
pub mod float;
mod fresh;
mod known;
pub mod passes;
pub mod record;
pub mod reducer;
mod report;
mod source;
mod steps;
mod store;
pub mod trials;
pub mod workers;

pub use check::{Check, Found, Report, check, check_async};
pub use draw::Integer;
pub use failure::{Failure, Outcome};
#[cfg(feature = "rand")]
pub use existing::Random;
pub use source::Source;
pub use steps::Step;
