//! The effect of hoisting on the variants of hierarchical delta debugging: the experiment of D. Vince
//! et al. (2022), with other inputs.
//!
//! `cargo bench --bench hoisting` prints, for the papers' two examples and for programs that Csmith
//! makes, what each of the 16 variants of their Table 1 leaves and how many tests it takes, and at the
//! end the average effect of hoisting, as their Table 2 does. It takes most of an hour on two cores; names of
//! cases as arguments choose some of them: `cargo bench --bench hoisting -- hello pi`.
//!
//! Needs gcc, csmith with its headers (`apt install csmith libcsmith-dev`), and a JDK. What is missing is
//! said and left out.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Table 1: without hoisting, before, interlaced, both.
///
/// "Coarse Hoist* + HDD*" is read as coarse in both parts: in the papers it leaves more than Hoist* + HDD*
/// and takes far fewer tests (Tables A2 and A4), and HDDH* instead of HDD* makes no difference to it.
const VARIANTS: [[&str; 4]; 4] = [
    ["hdd*", "hoist*+hdd*", "hddh*", "hoist*+hddh*"],
    ["hddr*", "hoistr*+hddr*", "hddhr*", "hoistr*+hddhr*"],
    ["coarse-hdd*", "coarse-hoist*+coarse-hdd*", "coarse-hddh*", "coarse-hoist*+coarse-hddh*"],
    [
        "coarse-hddr*",
        "coarse-hoistr*+coarse-hddr*",
        "coarse-hddhr*",
        "coarse-hoistr*+coarse-hddhr*",
    ],
];

/// Programs of about 10 kB, and one of about 40.
const SMALL: &str = "--max-funcs 2 --max-block-depth 2 --max-block-size 2 --no-volatiles";
const LARGE: &str = "--max-funcs 4 --max-block-depth 3 --max-block-size 3 --no-volatiles";

struct Case {
    name: &'static str,
    file: &'static str,
    source: Source,
}

enum Source {
    /// A directory with a file and a test.
    Example(&'static str),
    /// A program that Csmith makes of a seed, for which gcc has certain warnings.
    Warnings { seed: u32, options: &'static str, warnings: &'static str },
    /// A program that Csmith makes of a seed, which prints a certain checksum.
    Checksum { seed: u32, options: &'static str },
}

#[rustfmt::skip]
const CASES: [Case; 7] = [
    Case { name: "hello", file: "helloworld.c", source: Source::Example("hello") },
    Case { name: "csmith-30", file: "prog.c", source: Source::Warnings { seed: 30, options: SMALL,
        warnings: "bool-compare overflow sign-compare type-limits" } },
    Case { name: "csmith-37", file: "prog.c", source: Source::Warnings { seed: 37, options: SMALL,
        warnings: "address bool-compare tautological-compare type-limits" } },
    Case { name: "csmith-38", file: "prog.c", source: Source::Warnings { seed: 38, options: SMALL,
        warnings: "bool-compare ignored-qualifiers overflow type-limits" } },
    Case { name: "csmith-28", file: "prog.c", source: Source::Checksum { seed: 28, options: SMALL } },
    Case { name: "csmith-1", file: "prog.c", source: Source::Warnings { seed: 1, options: LARGE,
        warnings: "address bool-operation tautological-compare overflow" } },
    Case { name: "pi", file: "LocalizedPi.java", source: Source::Example("pi") },
];

/// What a variant made of a case.
#[derive(Clone, Copy)]
struct Result {
    characters: u64,
    tests: u64,
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let mut all: Vec<Vec<Result>> = Vec::new();
    for case in
        CASES.iter().filter(|case| wanted.is_empty() || wanted.iter().any(|w| w == case.name))
    {
        let dir = tempfile::tempdir().expect("a temporary directory");
        match case.prepare(dir.path()).and_then(|()| case.run(dir.path())) {
            Ok(results) => all.push(results),
            Err(why) => println!("{}: left out: {why}\n", case.name),
        }
    }
    if all.is_empty() {
        return;
    }
    println!("average effect of hoisting over {} inputs (the papers' over 32):", all.len());
    println!("{:<14}{:>36}{:>36}", "", "size", "tests");
    let columns = format!("{:>12}{:>12}{:>12}", "before", "interlaced", "both");
    println!("{:<14}{}", "", columns.repeat(2));
    for (row, variants) in VARIANTS.iter().enumerate() {
        let effect = |measure: fn(&Result) -> u64| -> String {
            let column = |column: usize| {
                let ratio = |results: &Vec<Result>| {
                    let (base, this) = (&results[4 * row], &results[4 * row + column]);
                    measure(this) as f64 / measure(base) as f64
                };
                let mean = all.iter().map(ratio).sum::<f64>() / all.len() as f64;
                format!("{:>+10.1} %", 100.0 * (mean - 1.0))
            };
            (1..4).map(column).collect()
        };
        let (size, tests) = (effect(|result| result.characters), effect(|result| result.tests));
        println!("{:<14}{size}{tests}", variants[0]);
    }
}

impl Case {
    /// Puts the input and its test into a directory.
    fn prepare(&self, dir: &Path) -> std::result::Result<(), String> {
        let (input, test) = (dir.join(self.file), dir.join("test.sh"));
        let headers = "-I/usr/include/csmith";
        let script = match self.source {
            Source::Example(name) => {
                let example =
                    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
                fs::copy(example.join(self.file), &input).map_err(|error| error.to_string())?;
                fs::read_to_string(example.join("test.sh")).map_err(|error| error.to_string())?
            }
            Source::Warnings { seed, options, warnings } => {
                csmith(seed, options, &input)?;
                format!(
                    "#!/bin/sh\ngcc -Wall -Wextra -fsyntax-only {headers} prog.c 2>said || exit 1\n\
                     for warning in {warnings}; do grep -q -e \"-W$warning]\" said || exit 1; done\n"
                )
            }
            Source::Checksum { seed, options } => {
                csmith(seed, options, &input)?;
                let program = dir.join("prog");
                run(Command::new("gcc").args(["-w", headers, "-o"]).args([&program, &input]))?;
                let said = run(&mut Command::new(&program))?;
                format!(
                    "#!/bin/sh\ngcc -w {headers} -o prog prog.c 2>/dev/null || exit 1\n\
                     timeout 1 ./prog | grep -q '{}'\n",
                    said.trim()
                )
            }
        };
        fs::write(&test, script).map_err(|error| error.to_string())?;
        fs::set_permissions(&test, fs::Permissions::from_mode(0o755))
            .map_err(|error| error.to_string())
    }

    /// Reduces the input by all variants, and prints what came out.
    fn run(&self, dir: &Path) -> std::result::Result<Vec<Result>, String> {
        let strategies = VARIANTS.concat();
        let mut lop = Command::new(env!("CARGO_BIN_EXE_lop"));
        lop.current_dir(dir).args(["compare", "./test.sh", self.file, "--json", "--strategies"]);
        // With its own classes in an archive, javac starts in half the time.
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
        let number = |value: &Value| value.as_u64().expect("sizes and counts are numbers");
        let results: Vec<Result> = compared
            .iter()
            .map(|event| Result {
                characters: number(&event["size"]["characters"]),
                tests: number(&event["tests"]),
            })
            .collect();
        if results.len() != strategies.len() {
            return Err(format!("only {} variants came to an end", results.len()));
        }
        let original = number(&compared[0]["original"]["characters"]);
        println!("{}: {original} characters that are not white space", self.name);
        for (index, (strategy, result)) in strategies.iter().zip(&results).enumerate() {
            let base = &results[index - index % 4];
            let change = |this: u64, base: u64| match index % 4 {
                0 => String::new(),
                _ => format!("({:+.1} %)", 100.0 * (this as f64 / base as f64 - 1.0)),
            };
            println!(
                "  {strategy:<30}{:>7} {:<11}{:>7} tests {}",
                result.characters,
                change(result.characters, base.characters),
                result.tests,
                change(result.tests, base.tests)
            );
        }
        println!();
        Ok(results)
    }
}

fn csmith(seed: u32, options: &str, input: &Path) -> std::result::Result<(), String> {
    let mut csmith = Command::new("csmith");
    let program = run(csmith.args(["--seed", &seed.to_string()]).args(options.split(' ')))?;
    fs::write(input, program).map_err(|error| error.to_string())
}

fn archive_javac(archive: &Path, program: &Path) -> bool {
    let mut java = Command::new("java");
    java.arg(format!("-XX:ArchiveClassesAtExit={}", archive.display()));
    java.args(["-m", "jdk.compiler/com.sun.tools.javac.Main", "-d"]);
    run(java.arg(archive.with_extension("classes")).arg(program)).is_ok() && archive.exists()
}

/// What a command prints, if it succeeds.
fn run(command: &mut Command) -> std::result::Result<String, String> {
    let name = command.get_program().display().to_string();
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot run {name}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{name} failed: {}", output.status)),
    }
}
