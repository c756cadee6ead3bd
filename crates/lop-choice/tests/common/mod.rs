//! What the tests of checks share.

use std::process::{Command, Output};

use lop_choice::Check;

/// A check that prints and keeps nothing, and whose cases are the same each time.
pub(crate) fn quiet() -> Check {
    Check { seed: Some(1), regressions: None, ..Check::default() }
}

/// Runs a test of this program in a process of its own, which [`is_alone`], and returns what it printed. `options` are those of the test program.
pub(crate) fn alone(test: &str, options: &[&str]) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact"])
        .args(options)
        .env("LOP_TEST_ALONE", "1")
        .env("RUST_BACKTRACE", "0")
        .output()
        .unwrap()
}

pub(crate) fn is_alone() -> bool {
    std::env::var_os("LOP_TEST_ALONE").is_some()
}
