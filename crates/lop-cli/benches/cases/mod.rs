//! Inputs like those of the papers' experiments, with their tests: examples, and programs by Csmith.

// Each bench is a crate of its own and uses a part of this module.
#![allow(dead_code)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Options for programs of about 10 kB, about 40 kB, and 100 kB or more.
const SMALL: &str = "--max-funcs 2 --max-block-depth 2 --max-block-size 2 --no-volatiles";
const MIDDLE: &str = "--max-funcs 4 --max-block-depth 3 --max-block-size 3 --no-volatiles";
const LARGE: &str = "--max-funcs 10";

pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) file: &'static str,
    source: Source,
}

enum Source {
    /// A directory with a file and a test.
    Example(&'static str),
    /// The same, among the small programs.
    Small(&'static str),
    /// A program by Csmith for which gcc prints certain warnings.
    Warnings { seed: u32, options: &'static str, warnings: &'static str },
    /// A program by Csmith that prints a certain checksum.
    Checksum { seed: u32, options: &'static str },
}

#[rustfmt::skip]
pub(crate) const CASES: [Case; 11] = [
    Case { name: "hello", file: "helloworld.c", source: Source::Example("hello") },
    Case { name: "c-uninit", file: "input.c", source: Source::Small("c-uninit") },
    Case { name: "csmith-30", file: "prog.c", source: Source::Warnings { seed: 30, options: SMALL,
        warnings: "bool-compare overflow sign-compare type-limits" } },
    Case { name: "csmith-37", file: "prog.c", source: Source::Warnings { seed: 37, options: SMALL,
        warnings: "address bool-compare tautological-compare type-limits" } },
    Case { name: "csmith-38", file: "prog.c", source: Source::Warnings { seed: 38, options: SMALL,
        warnings: "bool-compare ignored-qualifiers overflow type-limits" } },
    Case { name: "csmith-28", file: "prog.c", source: Source::Checksum { seed: 28, options: SMALL } },
    Case { name: "csmith-1", file: "prog.c", source: Source::Warnings { seed: 1, options: MIDDLE,
        warnings: "address bool-operation tautological-compare overflow" } },
    Case { name: "pi", file: "LocalizedPi.java", source: Source::Example("pi") },
    Case { name: "large-1", file: "prog.c", source: Source::Warnings { seed: 1, options: LARGE,
        warnings: "pointer-sign bool-operation tautological-compare address" } },
    Case { name: "large-16", file: "prog.c", source: Source::Warnings { seed: 16, options: LARGE,
        warnings: "unused-but-set-parameter pointer-sign ignored-qualifiers address" } },
    Case { name: "large-26", file: "prog.c", source: Source::Warnings { seed: 26, options: LARGE,
        warnings: "unused-but-set-parameter tautological-compare ignored-qualifiers" } },
];

/// Calls `body` for each case that the arguments name, or for the `usual` ones, each in a directory of its own.
/// A case that cannot be prepared is reported and skipped.
pub(crate) fn each<T>(
    usual: &[&str],
    mut body: impl FnMut(&Case, &Path) -> Result<T, String>,
) -> Vec<T> {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |case: &&Case| match wanted.is_empty() {
        true => usual.contains(&case.name),
        false => wanted.iter().any(|name| name == case.name),
    };
    let mut results = Vec::new();
    for case in CASES.iter().filter(is_wanted) {
        let dir = tempfile::tempdir().expect("a temporary directory");
        match case.prepare(dir.path()).and_then(|()| body(case, dir.path())) {
            Ok(result) => results.push(result),
            Err(why) => println!("{}: skipped: {why}\n", case.name),
        }
    }
    results
}

impl Case {
    /// Writes the input and its test to a directory.
    fn prepare(&self, dir: &Path) -> Result<(), String> {
        let (input, test) = (dir.join(self.file), dir.join("test.sh"));
        let headers = "-I/usr/include/csmith";
        let script = match self.source {
            Source::Example(name) => copy(&root().join("examples").join(name), &input)?,
            Source::Small(name) => copy(&root().join("cases").join(name), &input)?,
            Source::Warnings { seed, options, warnings } => {
                csmith(seed, options, &input)?;
                format!(
                    "#!/bin/sh\ngcc -Wall -Wextra -fsyntax-only {headers} prog.c 2>log || exit 1\n\
                     for warning in {warnings}; do grep -q -e \"-W$warning]\" log || exit 1; done\n"
                )
            }
            Source::Checksum { seed, options } => {
                csmith(seed, options, &input)?;
                let program = dir.join("prog");
                run(Command::new("gcc").args(["-w", headers, "-o"]).args([&program, &input]))?;
                let checksum = run(&mut Command::new(&program))?;
                format!(
                    "#!/bin/sh\ngcc -w {headers} -o prog prog.c 2>/dev/null || exit 1\n\
                     timeout 1 ./prog | grep -q '{}'\n",
                    checksum.trim()
                )
            }
        };
        fs::write(&test, script).map_err(|error| error.to_string())?;
        fs::set_permissions(&test, fs::Permissions::from_mode(0o755))
            .map_err(|error| error.to_string())
    }

    /// Whether the test succeeds on a candidate, which replaces the input.
    pub(crate) fn test(&self, dir: &Path, candidate: &[u8]) -> bool {
        fs::write(dir.join(self.file), candidate).expect("the directory is writable");
        let mut test = Command::new("./test.sh");
        test.current_dir(dir).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        test.status().expect("the test runs").success()
    }

    /// Reduces the input by several strategies, and returns the `compared` event of each.
    pub(crate) fn compare(&self, dir: &Path, strategies: &[&str]) -> Result<Vec<Value>, String> {
        let mut lop = Command::new(env!("CARGO_BIN_EXE_lop"));
        lop.current_dir(dir).args(["compare", "./test.sh", self.file, "--json", "--strategies"]);
        // With an archive of its classes, javac starts in half the time.
        let archive = dir.join("javac.jsa");
        if self.file.ends_with(".java") && archive_javac(&archive, &dir.join(self.file)) {
            lop.env("JAVAC_OPTIONS", format!("-XX:SharedArchiveFile={}", archive.display()));
        }
        let lines = run(lop.arg(strategies.join(",")))?;
        let compared: Vec<Value> = lines
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|event| event["event"] == "compared")
            .collect();
        match compared.len() == strategies.len() {
            true => Ok(compared),
            false => Err(format!("only {} strategies finished", compared.len())),
        }
    }
}

/// The directory of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Copies the input of a directory, and returns its test.
fn copy(from: &Path, input: &Path) -> Result<String, String> {
    let name = input.file_name().expect("an input has a name");
    fs::copy(from.join(name), input).map_err(|error| error.to_string())?;
    fs::read_to_string(from.join("test.sh")).map_err(|error| error.to_string())
}

pub(crate) fn csmith(seed: u32, options: &str, input: &Path) -> Result<(), String> {
    let mut csmith = Command::new("csmith");
    // csmith writes a file to its working directory.
    csmith.current_dir(input.parent().unwrap_or(Path::new(".")));
    let program = run(csmith.args(["--seed", &seed.to_string()]).args(options.split(' ')))?;
    fs::write(input, program).map_err(|error| error.to_string())
}

fn archive_javac(archive: &Path, program: &Path) -> bool {
    let mut java = Command::new("java");
    java.arg(format!("-XX:ArchiveClassesAtExit={}", archive.display()));
    java.args(["-m", "jdk.compiler/com.sun.tools.javac.Main", "-d"]);
    run(java.arg(archive.with_extension("classes")).arg(program)).is_ok() && archive.exists()
}

/// The standard output of a command, if it succeeds.
fn run(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().display().to_string();
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot run {name}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{name} failed: {}", output.status)),
    }
}

/// A size or a count.
pub(crate) fn number(value: &Value) -> u64 {
    value.as_u64().expect("sizes and counts are numbers")
}
