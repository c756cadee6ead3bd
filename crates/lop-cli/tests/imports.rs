//! What the files of the command may use: those before them only, so no two of them use each other.

use std::path::Path;

use lop_testing::check_order;

/// All files and folders, from the lowest to the highest.
const FILES: [&str; 49] = [
    "exit",
    "reading",
    "formatter",
    "glob",
    "template",
    "args",
    "edits",
    "view",
    "helpers",
    "sandbox",
    "self_test",
    "command",
    "launcher",
    "places",
    "init",
    "signals",
    "listing",
    "input",
    "with",
    "model",
    "grammar",
    "format",
    "corpus",
    "target",
    "plot",
    "paths",
    "history",
    "report",
    "question",
    "config",
    "manual",
    "by_hand",
    "neighbours",
    "watched",
    "unsuited",
    "remote",
    "executor",
    "oracle",
    "doctor",
    "resume",
    "mark",
    "plan",
    "also",
    "run",
    "batch",
    "compare",
    "tree",
    "generate",
    "learn",
];

#[test]
fn files_use_only_those_before_them() {
    check_order(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &FILES, &["main"]);
}
