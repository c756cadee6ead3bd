//! The overhead of lop besides the tests themselves, as ratios within one run.
//!
//! `cargo bench --bench overhead` prints
//! - tests per second of `lop -j 1`, compared with a plain loop that starts the same program, with a test that is a
//!   static binary and exits immediately (goal: at least 80 %);
//! - the same with `--sandbox`, and what a sandbox adds to each test;
//! - the speedup of `-j 2` over `-j 1` with a test that sleeps 20 ms (goal: at least 1.7 times);
//! - the speedup of `-j 16` over `-j 1` with a test that sleeps 50 ms (goal: at least 10 times), over lines, and with
//!   reducers over a tree in which no node has more than two children to try at a time;
//! - tests per second over 1.2 MB of C with a test that exits immediately, where the time is that of lop: building,
//!   parsing and measuring candidates. `LOP_OTHER=BINARY` prints them for another binary as well.
//!
//! The test accepts only the original, so every candidate fails.

mod tools;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use tools::build_oracle;

const ORACLE: &str = r#"
use std::os::fd::AsFd;
fn main() {
    let mut args = std::env::args().skip(1);
    let size: u64 = args.next().unwrap().parse().unwrap();
    let sleep: u64 = args.next().unwrap().parse().unwrap();
    if sleep > 0 {
        std::thread::sleep(std::time::Duration::from_millis(sleep));
    }
    let input = std::fs::File::from(std::io::stdin().as_fd().try_clone_to_owned().unwrap());
    std::process::exit((input.metadata().unwrap().len() != size).into());
}
"#;

fn main() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let oracle = build_oracle(dir.path(), "oracle", ORACLE);
    let input = dir.path().join("input.txt");
    let text: String = (0..10_000).map(|line| format!("line {line}\n")).collect();
    fs::write(&input, &text).expect("the input is written");
    let bench = Bench {
        oracle: oracle.clone(),
        input,
        size: text.len(),
        strategy: "opdd:lines",
        options: &[],
    };

    println!("test exits immediately, tests per second (five rounds, alternating):");
    let mut ratios: Vec<f64> = (0..5)
        .map(|_| {
            let plain = bench.plain_loop(2000);
            let lop = bench.lop(1, 2000, 0);
            println!(
                "  plain loop {plain:7.0}   lop -j 1 {lop:7.0}   {:5.1} %",
                100.0 * lop / plain
            );
            lop / plain
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!("  median {:.1} % (goal: at least 80 %)", 100.0 * ratios[2]);

    println!("the same in a sandbox (three rounds, alternating):");
    let inside = Bench { options: &["--sandbox"], ..bench.clone() };
    for _ in 0..3 {
        let (without, with) = (bench.lop(1, 500, 0), inside.lop(1, 500, 0));
        let more = 1000.0 / with - 1000.0 / without;
        println!("  without {without:7.0}   with {with:7.0}   {more:.1} ms more for each test");
    }

    for (jobs, sleep, tests, goal) in [(2, 20, 200, 1.7), (16, 50, 60, 10.0)] {
        bench.scale(jobs, sleep, tests, goal);
    }

    let input = dir.path().join("input.json");
    let mut level: Vec<String> = (0..2048).map(|number| number.to_string()).collect();
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| format!("[{}]", pair.join(", "))).collect();
    }
    let text = level.remove(0);
    fs::write(&input, &text).expect("the input is written");
    for strategy in ["hddr", "hoistr", "hddhr", "pardis", "pardis-hybrid"] {
        let (oracle, input) = (oracle.clone(), input.clone());
        Bench { oracle, input, size: text.len(), strategy, options: &[] }.scale(16, 50, 60, 10.0);
    }

    let input = dir.path().join("input.c");
    let text = program(1_200_000);
    fs::write(&input, &text).expect("the input is written");
    println!("1.2 MB of C, test exits immediately, tests per second:");
    for strategy in ["pardis-hybrid", "lift", "splice", "unify"] {
        let (oracle, input) = (oracle.clone(), input.clone());
        let bench = Bench { oracle, input, size: text.len(), strategy, options: &[] };
        for jobs in [1, 2] {
            let this = bench.lop(jobs, 1000, 0);
            let other = std::env::var_os("LOP_OTHER").map(|binary| {
                let other = bench.run(binary.as_ref(), jobs, 1000, 0);
                format!("   LOP_OTHER {other:6.1}, {:.2} times", this / other)
            });
            println!("  {strategy:14} -j {jobs} {this:6.1}{}", other.unwrap_or_default());
        }
    }
}

/// A C program of about this many bytes.
fn program(bytes: usize) -> String {
    let function = |number: usize| {
        format!(
            "static int f{number}(int a, int b) {{\n    int x{number} = a * {number} + b;\n    \
             for (int j = 0; j < x{number}; j++) {{\n        \
             if (j % 3 == 0 && (a > b || b < {number})) {{\n            \
             x{number} += a - (int)sizeof(long[4]);\n        }} else {{\n            \
             x{number} ^= \"text {number}\"[j % 4];\n        }}\n    }}\n    \
             return x{number} ? x{number} : a;\n}}\n"
        )
    };
    let mut text = String::new();
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        text += &function(number);
    }
    text
}

#[derive(Clone)]
struct Bench {
    oracle: PathBuf,
    input: PathBuf,
    size: usize,
    strategy: &'static str,
    options: &'static [&'static str],
}

impl Bench {
    fn scale(&self, jobs: usize, sleep: u64, tests: u64, goal: f64) {
        let one = self.lop(1, tests, sleep);
        let many = self.lop(jobs, tests * jobs as u64, sleep);
        println!(
            "{}, test sleeps {sleep} ms: -j 1 {one:.1}/s, -j {jobs} {many:.1}/s",
            self.strategy
        );
        println!("  {:.2} times (goal: at least {goal})", many / one);
    }

    fn plain_loop(&self, tests: u64) -> f64 {
        let started = Instant::now();
        for _ in 0..tests {
            let status = Command::new(&self.oracle)
                .args([self.size.to_string(), "0".into()])
                .stdin(File::open(&self.input).expect("the input is there"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            assert!(status.expect("the oracle runs").success());
        }
        tests as f64 / started.elapsed().as_secs_f64()
    }

    fn lop(&self, jobs: usize, tests: u64, sleep: u64) -> f64 {
        self.run(env!("CARGO_BIN_EXE_lop").as_ref(), jobs, tests, sleep)
    }

    fn run(&self, binary: &Path, jobs: usize, tests: u64, sleep: u64) -> f64 {
        let output = Command::new(binary)
            .args(["--json", "--exit", "0", "--strategy", self.strategy])
            .args(self.options)
            .args(["-j", &jobs.to_string(), "--max-tests", &tests.to_string()])
            .arg(&self.input)
            .arg("--")
            .arg(&self.oracle)
            .args([self.size.to_string(), sleep.to_string()])
            .output()
            .expect("lop runs");
        let events = String::from_utf8(output.stdout).expect("events are text");
        let last = events.lines().last().unwrap_or_default();
        let last: serde_json::Value = serde_json::from_str(last).expect("the last event is JSON");
        assert_eq!(last["tests"], tests, "{}", String::from_utf8_lossy(&output.stderr));
        tests as f64 / last["seconds"].as_f64().expect("a time")
    }
}
