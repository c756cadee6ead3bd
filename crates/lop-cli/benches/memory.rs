//! A large input: 100 MB of lines.
//!
//! `cargo bench --bench memory` prints lop's peak resident size (goal: under 1 GB) and the time from its start to the
//! first test on a candidate that is neither the original nor empty (goal: under 2 s). The test requires three of the
//! lines.

mod tools;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tools::watch;

const MEGABYTES: usize = 100;

fn main() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let input = dir.path().join("large.txt");
    let first = dir.path().join("first-candidate");
    let script = dir.path().join("test.sh");
    let mut out = BufWriter::new(File::create(&input).expect("the input is created"));
    let mut lines = 0;
    while lines * 26 < MEGABYTES * 1_000_000 {
        writeln!(out, "line {lines:08}, f(a, [1]);").expect("the input is written");
        lines += 1;
    }
    out.flush().expect("the input is written");
    let size = std::fs::metadata(&input).expect("the input is there").len();
    let text = format!(
        "#!/bin/sh\nsize=$(stat -c %s large.txt)\n\
         [ $size = {size} ] || [ $size = 0 ] || [ -e {first} ] || date +%s.%N > {first}\n\
         for line in 00000001 00300000 {last:08}; do LC_ALL=C grep -q \"line $line\" large.txt || exit 1; done\n",
        first = first.display(),
        last = lines - 1,
    );
    std::fs::write(&script, text).expect("the script is written");
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).expect("it is executable");

    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = now.expect("the clock is right").as_secs_f64();
    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_lop"))
        .args([&script, &input])
        .stderr(Stdio::inherit())
        .spawn()
        .expect("lop runs");
    let held = watch(&mut child, Duration::from_millis(20));
    let peak = held.last().expect("lop ran").peak;
    let result = std::fs::read(dir.path().join("large.lop.txt")).expect("there is a result");
    let first = std::fs::read_to_string(first).expect("there was a candidate");
    let first: f64 = first.trim().parse().expect("date prints seconds");
    println!("input: {} MB, {lines} lines", size / 1_000_000);
    println!("result: {:?}", String::from_utf8_lossy(&result));
    println!("peak resident size: {} MB (goal: under 1000)", peak / 1_000_000);
    println!("start to first candidate: {:.2} s (goal: under 2)", first - now);
    println!("whole run: {:.1} s", started.elapsed().as_secs_f64());
}
