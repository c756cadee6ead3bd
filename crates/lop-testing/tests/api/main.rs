//! The public API of the crates: how it is listed, and the rules that it keeps to.

mod cases;
mod listing;
mod names;
mod print;
mod reach;
mod rewrite;
mod rules;
mod sources;

use std::path::{Path, PathBuf};

use sources::Crate;

/// The crates that others use.
const CRATES: [&str; 5] = ["lop", "lop-choice", "lop-search", "lop-grammar", "lop-languages"];

fn read(name: &str) -> Crate {
    Crate::read(&name.replace('-', "_"), &directory(name))
}

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}
