//! Bad input: every row of the tables beside this file is an input, a command, and what lop says to it.
//!
//! A row is one line of TOML in `*.toml`:
//!
//! | key | meaning |
//! |---|---|
//! | `make` | a shell command that makes the input; there are the files of `common` already |
//! | `run` | the command; `lop` is the program that is tested |
//! | `of` | prefixes of the command: the row stands for one row for each of them |
//! | `exit` | the exit code |
//! | `says` | parts of what is printed on standard error |
//! | `then` | a shell command that must succeed afterwards |
//! | `changes` | files that the run may change besides those that it makes; all others stay as they are |
//!
//! Whatever the row, lop does not panic or hang, leaves no temporary file, and changes no file that was there. If it fails, the message has a cure.
//!
//! Large inputs are as large as `$SIZE` says: 5, or 50 with `LOP_TEST_LARGE=1`, by hand.
//! `LOP_TEST_ROW=fifo` runs only the rows whose command, input or file contains this, and prints what lop said.

#[path = "../common/mod.rs"]
mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use serde::Deserialize;

use common::{Output, Place, spawn};

/// The fewest rows that there must be.
const ROWS: usize = 200;
/// Seconds that a row may take on a loaded machine, for each unit of size.
const LIMIT: u64 = 20;
/// How large the large inputs are.
fn size() -> u64 {
    if std::env::var_os("LOP_TEST_LARGE").is_some() { 50 } else { 5 }
}

/// Rows that run at the same time.
const THREADS: usize = 2;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    #[serde(default)]
    make: String,
    run: String,
    #[serde(default)]
    of: Vec<String>,
    exit: i32,
    #[serde(default)]
    says: Vec<String>,
    #[serde(default)]
    then: String,
    #[serde(default)]
    changes: Vec<String>,
    #[serde(skip)]
    table: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    rows: Vec<Row>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_input")
}

/// All rows, each with one command.
fn rows() -> Vec<Row> {
    let mut tables: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    tables.retain(|path| path.extension().is_some_and(|it| it == "toml"));
    tables.sort();
    let read = |path: &PathBuf| {
        let table = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(path).unwrap();
        let rows =
            toml::from_str::<Table>(&text).unwrap_or_else(|error| panic!("{table}: {error}"));
        let rows = rows.rows.into_iter().map(move |row| Row { table: table.clone(), ..row });
        rows.flat_map(Row::expanded).collect::<Vec<Row>>()
    };
    tables.iter().flat_map(read).collect()
}

impl Row {
    fn expanded(self) -> Vec<Row> {
        if self.of.is_empty() {
            return vec![self];
        }
        let row = |of: &String| Row { run: format!("{of} {}", self.run), ..self.clone() };
        self.of.iter().map(row).collect()
    }

    /// Runs the row; what is wrong, if anything is.
    fn check(&self) -> Result<Output, String> {
        let place = Place::new();
        // The test accepts what has the needle in it, whatever its name; so does the generator's.
        place.write("in.c", "int one;\nint needle;\nint three;\n");
        place.write("bug.choices", "lop-choices 1\n1\n2\n");
        place.script("yes", "exec grep -q needle -- \"$1\"");
        place.script("gen", "echo needle");
        let minute = Duration::from_secs(60);
        let made = run(&place, &self.make, minute).ok_or("its input takes too long to make")?;
        if made.code != 0 {
            return Err(format!("its input cannot be made: {made:?}"));
        }
        let before = snapshot(&place.path(""));
        let limit = Duration::from_secs(LIMIT * size());
        let output =
            run(&place, &self.run, limit).ok_or(format!("it runs for more than {limit:?}"))?;
        let said =
            || format!("{}{}", output.stdout.chars().take(300).collect::<String>(), output.stderr);
        if output.code != self.exit {
            return Err(format!("exit code {} instead of {}\n{}", output.code, self.exit, said()));
        }
        for part in &self.says {
            if !output.stderr.contains(part) {
                return Err(format!("it does not say `{part}`\n{}", said()));
            }
        }
        let cures = ["help:", "tip:", "try '--help'", "error:\n"];
        let has_cure = cures.iter().any(|cure| output.stderr.contains(cure));
        if output.code != 0 && !has_cure {
            return Err(format!("it says no cure\n{}", said()));
        }
        if output.stderr.contains("panicked") {
            return Err(said());
        }
        let then = run(&place, &self.then, minute).ok_or("its check takes too long")?;
        if then.code != 0 {
            return Err(format!(
                "`{}` fails afterwards: {}{}\n{}",
                self.then,
                then.stdout,
                then.stderr,
                said()
            ));
        }
        if !place.temporaries().is_empty() {
            return Err(format!("temporary files are left: {:?}", place.temporaries()));
        }
        let after = snapshot(&place.path(""));
        for (path, content) in &before {
            let may_change = self.changes.iter().any(|name| place.path(name) == *path);
            if !may_change && after.get(path) != Some(content) {
                return Err(format!("{} was changed\n{}", path.display(), said()));
            }
        }
        Ok(output)
    }
}

/// A shell in a place, which finds the lop that is tested.
fn shell(place: &Place, script: &str) -> Command {
    let lop = Path::new(env!("CARGO_BIN_EXE_lop")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = place.command("sh");
    command
        .arg("-c")
        .arg(script)
        .env("PATH", format!("{}:{path}", lop.display()))
        .stdin(Stdio::null());
    command.env("SIZE", size().to_string());
    command
}

/// Runs a command; `None` if it had to be killed when its time was over. Its output is in files, which have room for all of it.
fn run(place: &Place, script: &str, limit: Duration) -> Option<Output> {
    let [stdout, stderr] = ["stdout", "stderr"].map(|name| place.outside(name));
    let file = |path: &Path| fs::File::create(path).unwrap();
    let mut shell = shell(place, script);
    let mut child = spawn(shell.process_group(0).stdout(file(&stdout)).stderr(file(&stderr)));
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > limit {
            let group = Pid::from_child(&child);
            let _ = kill_process_group(group, Signal::KILL);
            let _ = child.wait();
            return None;
        }
        thread::sleep(Duration::from_millis(2));
    };
    let read = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    Some(Output { code: status.code().unwrap_or(-1), stdout: read(&stdout), stderr: read(&stderr) })
}

/// The regular files in a directory: their lengths, and their contents unless they are large.
fn snapshot(directory: &Path) -> BTreeMap<PathBuf, (u64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            found.extend(snapshot(&path));
        } else if kind.is_file() {
            let length = entry.metadata().unwrap().len();
            let content =
                if length < 1 << 20 { fs::read(&path).unwrap_or_default() } else { Vec::new() };
            found.insert(path, (length, content));
        }
    }
    found
}

#[test]
fn every_row_ends_with_a_message_or_a_result() {
    let only = std::env::var("LOP_TEST_ROW").ok();
    let mut rows = rows();
    assert!(rows.len() >= ROWS, "there are only {} rows", rows.len());
    if let Some(only) = &only {
        rows.retain(|row| [&row.run, &row.make, &row.table].iter().any(|it| it.contains(only)));
    }
    // The large ones first, so that no thread is left alone with one of them.
    rows.sort_by_key(|row| !row.make.contains("SIZE"));
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let started = Instant::now();
                    let result = row.check();
                    let name = format!("{}: {} $ {}", row.table, row.make, row.run);
                    match &result {
                        Ok(output) if only.is_some() => {
                            println!("{name} ({:?})\n{}", started.elapsed(), output.stderr);
                        }
                        Ok(_) => {}
                        Err(why) => wrong.lock().unwrap().push(format!("{name}\n{why}")),
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {} rows:\n\n{}", wrong.len(), rows.len(), wrong.join("\n\n"));
}

#[test]
fn every_option_with_a_value_has_a_row() {
    let place = Place::new();
    place.lop(["man", "--markdown", "reference"]).expect(0, &[]);
    let rows = rows();
    let mut missing = BTreeSet::new();
    for page in place.names_in("reference").iter().filter(|page| page.starts_with("lop")) {
        let text = String::from_utf8(place.read(format!("reference/{page}"))).unwrap();
        let mut command = String::new();
        for line in text.lines() {
            // A page has one subcommand, or several under headings.
            let heading = line.trim_start_matches('#').trim();
            if line.starts_with('#') && (heading == "lop" || heading.starts_with("lop ")) {
                command = heading.replace('`', "");
            }
            let Some((_, options)) = line.split_once("- `").filter(|(before, _)| before.is_empty())
            else {
                continue;
            };
            let Some((options, _)) = options.split_once('`') else { continue };
            if !options.starts_with('-') || !options.contains('<') {
                continue;
            }
            let long = options.split([' ', '[', '=']).find(|word| word.starts_with("--"));
            let long = long.unwrap_or(options).to_owned();
            let has = |row: &&Row| {
                let is_command = match command.as_str() {
                    "lop" => {
                        row.run.starts_with("lop -")
                            || row.run.starts_with("lop ./")
                            || row.run.starts_with("lop in")
                    }
                    command => row.run.starts_with(&format!("{command} ")),
                };
                is_command && row.exit != 0 && row.run.split([' ', '=']).any(|word| word == long)
            };
            if !rows.iter().any(|row| has(&row)) {
                missing.insert(format!("{command} {long}"));
            }
        }
    }
    assert!(missing.is_empty(), "no row with a bad value for: {missing:#?}");
}
