//! Runs tests on the machines of a remote execution cluster, by the [Remote Execution API] that build systems use.
//!
//! [`Remote`] is an [executor](lop::oracle::execute::Execute): no layer above it knows that tests run elsewhere, and
//! the result of a reduction is the same. From the top down:
//!
//! - `executor.rs` holds the test, starts an action for each request, and cancels it on the server when its answer is no longer needed;
//! - `crew.rs` runs actions to their end, through outages;
//! - `canary.rs` runs a few actions with known answers first, and identifies the programs that the test uses;
//! - `job.rs` makes an action of a candidate: the input tree (`tree.rs`), the command, and the script that runs it there (`wrapper.rs`);
//! - `connection.rs` talks to the server; `fault.rs` decides what an error means for a run;
//! - `blobs.rs` has digests, `access.rs` the access to a server, with its secrets.
//!
//! # Which outcomes count
//!
//! The exit code of an action says little: a worker that was killed, or whose sandbox is broken, may report any. After
//! the test's output, the script prints how the test ended. An action without that line, or with a status that isn't
//! OK, is [lost](lop::oracle::execute::Error::Lost): it is neither interesting nor boring, and the next try does not
//! look into the server's cache.
//!
//! [Remote Execution API]: https://github.com/bazelbuild/remote-apis

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod access;
mod blobs;
mod canary;
mod connection;
mod crew;
mod error;
mod executor;
mod fault;
mod job;
mod options;
mod tree;
mod wrapper;

pub use access::{Access, Address, Header, Source, Tls};
pub use error::{Error, Kind};
pub use executor::Remote;
pub use options::Options;
