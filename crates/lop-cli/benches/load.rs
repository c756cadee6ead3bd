//! Whether lop holds out under load.
//!
//! `cargo bench --bench load` prints
//! - lop's memory and descriptors over 100,000 tests at the highest rate (goal: flat);
//! - 16 lop processes at once in one directory: whether each finds what it finds alone, and what is left behind;
//! - 100 MB with a test of about a millisecond, which keeps the text large: tests per second against a plain loop that
//!   writes the same bytes and starts the same test;
//! - a journal of a million verdicts: the time to the first new test of a resumed run (goal: seconds).
//!
//! `cargo bench --bench load -- NAME…` runs only those: tests, processes, large, journal.

mod tools;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tools::{Held, build_oracle, watch};

/// Accepts candidates of at least a given size; stays if it may.
const AT_LEAST: &str = r#"
use std::io::{BufRead, BufReader, Write};
fn main() {
    let least: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let boring = |path: &str| u8::from(std::fs::metadata(path).map_or(true, |file| file.len() < least));
    let Some(candidates) = std::env::var_os("LOP_CANDIDATES") else {
        std::process::exit(boring(&std::env::args().nth(2).unwrap()).into());
    };
    let candidates = BufReader::new(std::fs::File::open(candidates).unwrap());
    let answers = std::fs::OpenOptions::new().write(true).open(std::env::var_os("LOP_ANSWERS").unwrap());
    let mut answers = answers.unwrap();
    answers.write_all(b"lop-serve 1\n").unwrap();
    for line in candidates.lines() {
        let line = line.unwrap();
        let (number, path) = line.split_once(' ').unwrap();
        answers.write_all(format!("{number} {}\n", boring(path)).as_bytes()).unwrap();
    }
}
"#;

type Load = fn(&Place);

/// Each load has a name.
const LOADS: [(&str, Load); 4] = [
    ("tests", many_tests),
    ("processes", many_processes),
    ("large", large_input),
    ("journal", long_journal),
];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|name| name != "--bench").collect();
    for name in &asked {
        assert!(LOADS.iter().any(|(each, _)| each == name), "there is no load {name:?}");
    }
    for (name, run) in LOADS {
        if asked.is_empty() || asked.iter().any(|each| each == name) {
            println!("== {name}");
            run(&Place::new());
        }
    }
}

/// A directory with a test.
struct Place {
    dir: tempfile::TempDir,
    oracle: PathBuf,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        fs::create_dir(dir.path().join("tmp")).expect("a directory for lop's own");
        Place { oracle: build_oracle(dir.path(), "at-least", AT_LEAST), dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// An input of numbered lines; returns its size.
    fn lines(&self, name: &str, count: usize) -> u64 {
        let text: String = (0..count).map(|line| format!("line {line}\n")).collect();
        fs::write(self.path(name), &text).expect("the input is written");
        text.len() as u64
    }

    /// lop on an input; the test requires a number of its bytes.
    fn lop(&self, input: &str, least: u64, options: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lop"));
        command.current_dir(self.dir.path()).env("TMPDIR", self.path("tmp"));
        command.args(["--json", "--exit", "0"]).args(options).args([input, "--"]);
        command.arg(&self.oracle).args([&least.to_string(), "{}"]);
        command.stdout(File::create(self.path(&format!("{input}.events"))).expect("a file"));
        command.stderr(Stdio::null());
        command
    }

    /// What the last event says of a run.
    fn end(&self, input: &str) -> serde_json::Value {
        let events = fs::read_to_string(self.path(&format!("{input}.events"))).expect("events");
        let last = events.lines().last().expect("there are events");
        serde_json::from_str(last).expect("events are JSON")
    }

    fn left_behind(&self) -> usize {
        fs::read_dir(self.path("tmp")).expect("the directory is there").count()
    }
}

fn started(command: &mut Command) -> Child {
    command.spawn().expect("lop runs")
}

fn many_tests(place: &Place) {
    const TESTS: u64 = 100_000;
    let size = place.lines("in.txt", 100_000);
    let tests = TESTS.to_string();
    let options = ["--strategy", "opdd:lines", "-j", "4", "--max-tests", &tests];
    let began = Instant::now();
    let mut child = started(&mut place.lop("in.txt", size, &options));
    let held = watch(&mut child, Duration::from_millis(100));
    let seconds = began.elapsed().as_secs_f64();
    assert_eq!(place.end("in.txt")["tests"], TESTS);
    println!("{TESTS} tests in {seconds:.0} s, {:.0} a second", TESTS as f64 / seconds);
    // One column for each tenth of the time.
    let tenths = |figure: fn(&Held) -> u64| {
        let most = |part: &[Held]| part.iter().map(figure).max().unwrap_or(0);
        let figures = held.chunks(held.len().div_ceil(10)).map(|part| format!("{:6}", most(part)));
        figures.collect::<String>()
    };
    println!("resident, MB: {}", tenths(|held| held.memory / 1_000_000));
    println!("descriptors:  {}", tenths(|held| held.descriptors as u64));
    println!("left in the temporary directory: {}", place.left_behind());
}

fn many_processes(place: &Place) {
    const PROCESSES: usize = 16;
    let size = place.lines("in.txt", 300);
    let names: Vec<String> = (0..PROCESSES).map(|number| format!("in{number}.txt")).collect();
    for name in &names {
        fs::copy(place.path("in.txt"), place.path(name)).expect("the input is copied");
    }
    let began = Instant::now();
    let alone = started(&mut place.lop("in.txt", size / 2, &[])).wait().expect("lop ends");
    let seconds = began.elapsed().as_secs_f64();
    assert!(alone.success());
    let result = fs::read(place.path("in.lop.txt")).expect("a result");

    let began = Instant::now();
    let children: Vec<Child> =
        names.iter().map(|name| started(&mut place.lop(name, size / 2, &[]))).collect();
    let succeeded = children
        .into_iter()
        .filter_map(|mut child| child.wait().ok())
        .filter(|end| end.success())
        .count();
    let same = names.iter().filter(|name| {
        let output = name.replace(".txt", ".lop.txt");
        fs::read(place.path(&output)).is_ok_and(|other| other == result)
    });
    println!(
        "{succeeded} of {PROCESSES} processes succeed, {} with the same result as alone",
        same.count()
    );
    println!("alone {seconds:.1} s, all at once {:.1} s", began.elapsed().as_secs_f64());
    println!("left in the temporary directory: {}", place.left_behind());
}

fn large_input(place: &Place) {
    const TESTS: u64 = 200;
    let size = place.lines("in.txt", 7_500_000);
    let tests = TESTS.to_string();
    let began = Instant::now();
    let mut child =
        started(&mut place.lop("in.txt", size * 4 / 5, &["-j", "1", "--max-tests", &tests]));
    let held = watch(&mut child, Duration::from_millis(50));
    let lop = TESTS as f64 / began.elapsed().as_secs_f64();

    let text = fs::read(place.path("in.txt")).expect("the input is there");
    let began = Instant::now();
    const PLAIN: u32 = 50;
    for _ in 0..PLAIN {
        let mut file = File::create(place.path("tmp/in.txt")).expect("a file");
        file.write_all(&text[..text.len() * 4 / 5]).expect("it is written");
        let test = Command::new(&place.oracle)
            .args(["1", "tmp/in.txt"])
            .current_dir(place.dir.path())
            .status();
        assert!(test.expect("the test runs").success());
        fs::remove_file(place.path("tmp/in.txt")).expect("it is removed");
    }
    let plain = f64::from(PLAIN) / began.elapsed().as_secs_f64();
    println!("{} MB, {TESTS} tests: {lop:.1} a second, start and end included", size / 1_000_000);
    println!("a plain loop: {plain:.1} a second; lop has {:.0} %", 100.0 * lop / plain);
    println!("peak resident size: {} MB", held.last().map_or(0, |held| held.peak / 1_000_000));
}

fn long_journal(place: &Place) {
    const VERDICTS: u64 = 1_000_000;
    // Of six neighbours, 63 sets can be removed.
    let size = place.lines("in.txt", 40_000);
    let run = |tests: u64, resumed: bool| {
        let tests = tests.to_string();
        let mut options =
            vec!["--serve", "--strategy", "exhaustive:lines", "-j", "2", "--max-tests", &tests];
        options.extend(resumed.then_some("--resume"));
        let began = Instant::now();
        let mut child = started(&mut place.lop("in.txt", size, &options));
        let held = watch(&mut child, Duration::from_millis(50));
        (began.elapsed().as_secs_f64(), held.last().map_or(0, |held| held.peak / 1_000_000))
    };
    let (seconds, _) = run(VERDICTS, false);
    let journal = journal(place.dir.path());
    let lines = fs::read(&journal).expect("the journal").split(|&byte| byte == b'\n').count();
    println!(
        "{lines} lines of journal after {seconds:.0} s, {} MB",
        fs::metadata(&journal).expect("the journal").len() / 1_000_000
    );
    let (seconds, peak) = run(VERDICTS + 10, true);
    println!("resumed and ten tests made in {seconds:.1} s, peak {peak} MB (goal: seconds)");
}

fn journal(dir: &Path) -> PathBuf {
    let mut files =
        fs::read_dir(dir).expect("the directory").map(|entry| entry.expect("a file").path());
    files
        .find(|path| path.extension().is_some_and(|kind| kind == "journal"))
        .expect("a journal is left")
}
