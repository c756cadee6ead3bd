//! What the benches share: tests that are small static programs, and the size of a process while it runs.
#![allow(dead_code)] // No bench needs all of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::Duration;

/// Compiles a test that starts as fast as a program can.
pub(crate) fn build_oracle(dir: &Path, name: &str, text: &str) -> PathBuf {
    let (source, program) = (dir.join(name).with_extension("rs"), dir.join(name));
    fs::write(&source, text).expect("the oracle's source is written");
    let status = Command::new("rustc")
        .args(["-O", "-C", "target-feature=+crt-static", "-C", "panic=abort", "-o"])
        .arg(&program)
        .arg(&source)
        .status();
    assert!(status.expect("rustc runs").success());
    program
}

/// What a process holds at one moment.
#[derive(Clone, Copy, Default)]
pub(crate) struct Held {
    /// Its resident size in bytes.
    pub(crate) memory: u64,
    /// The highest that was.
    pub(crate) peak: u64,
    pub(crate) descriptors: usize,
}

impl Held {
    fn by(pid: u32) -> Option<Self> {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let bytes = |name: &str| -> Option<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? * 1024)
        };
        let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count();
        Some(Held { memory: bytes("VmRSS:")?, peak: bytes("VmHWM:")?, descriptors })
    }
}

/// Waits for a child, and returns what it held, once per interval.
pub(crate) fn watch(child: &mut Child, interval: Duration) -> Vec<Held> {
    let mut all = Vec::new();
    while child.try_wait().expect("lop can be waited for").is_none() {
        all.extend(Held::by(child.id()));
        thread::sleep(interval);
    }
    all
}
