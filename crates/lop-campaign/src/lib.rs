//! Campaigns: many random runs of lop, each of which is checked afterwards.
//!
//! [`invariants`] runs random inputs against random oracles with every strategy, mostly within this process; [`faults`] disturbs
//! the real command. A campaign is a function from a seed to a [`Table`]. A trial has a seed of its own, which is printed with
//! every problem and repeats it. Nothing here believes lop: what is on disk is judged by the campaign itself.
//!
//! `cargo run -p lop-campaign -- --help` runs them by hand; `crates/lop-cli/tests/campaign.rs` runs small ones.

#![forbid(unsafe_code)]

pub mod faults;
pub mod invariants;
mod place;
mod table;
mod tools;
mod watcher;

pub use table::{Table, Trial};
pub use tools::Tools;
