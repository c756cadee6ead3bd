//! What the files of this crate may use: those before them only, so no two of them use each other.

use std::path::Path;

use lop_testing::check_order;

/// All files, from the lowest to the highest.
const FILES: [&str; 12] = [
    "error",
    "access",
    "blobs",
    "tree",
    "wrapper",
    "options",
    "job",
    "fault",
    "connection",
    "crew",
    "canary",
    "executor",
];

#[test]
fn files_use_only_those_before_them() {
    check_order(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &FILES, &["lib"]);
}
