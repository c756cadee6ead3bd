//! Tree-sitter and ANTLR's grammars as front ends: the same inputs, tests and strategies with the trees of both.
//!
//! `cargo bench --bench frontends` prints, for C and JavaScript, the tokens left and the number of tests. Tokens are counted alike for both
//! front ends, by the lexer for any text. The grammars for ANTLR are those of the tests. A third of the inputs is held out and reported
//! apart: whoever changes lop because of how these are reduced takes others. Arguments choose inputs by name; `--show` prints the results.
//!
//! Needs gcc, csmith with its headers (`apt install csmith libcsmith-dev`), and node. Inputs whose tools are missing are reported and
//! skipped.

mod cases;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};

use lop::antlr::{Grammar, Parser};
use lop::tree::{AntlrOptions, Format};
use lop::{Reduction, Size};

const STRATEGIES: [&str; 4] = ["hddr*", "pardis*", "pardis-hybrid*", "default"];

/// Programs in C, by the names that all benches share.
const C: [&str; 5] = ["hello", "c-uninit", "csmith-30", "csmith-37", "csmith-38"];

/// A script: its name, its file, and the arguments of its judge.
struct Script {
    name: &'static str,
    file: &'static str,
    property: &'static [&'static str],
}

#[rustfmt::skip]
const SCRIPTS: [Script; 6] = [
    Script { name: "js-class", file: "cases/js-class/input.js",
        property: &["throws", "ReferenceError: Must call super constructor in derived class"] },
    Script { name: "js-proxy", file: "cases/js-proxy/input.js",
        property: &["throws", "TypeError: 'ownKeys' on proxy: trap returned duplicate entries"] },
    Script { name: "js-reduce", file: "cases/js-reduce/input.js",
        property: &["throws", "TypeError: Reduce of empty array with no initial value"] },
    Script { name: "differ", file: "examples/engines/differ.js", property: &["has", "await", "newFunction(", "=>"] },
    Script { name: "report", file: "examples/engines/report.js", property: &["has", "for (", "`", "return"] },
    Script { name: "scripts", file: "crates/lop-cli/benches/corpus/scripts.js",
        property: &["has", "readdirSync(", "catch", "? -1"] },
];

const HELD_OUT: [&str; 4] = ["c-uninit", "csmith-38", "js-proxy", "differ"];

/// The result of a strategy with a front end.
#[derive(Clone, Copy)]
struct Outcome {
    tokens: u64,
    tests: u64,
}

/// An input with the outcomes of each strategy: with tree-sitter, and with ANTLR.
struct Row {
    is_held_out: bool,
    outcomes: Vec<[Outcome; 2]>,
}

fn main() {
    let mut rows = cases::each(&C, |case, dir| {
        let text = read(&dir.join(case.file))?;
        let test = fs::canonicalize(dir.join("test.sh")).map_err(|error| error.to_string())?;
        reduce(case.name, text, ["c", "C.g4"], &|candidate| {
            let place = tempfile::tempdir().expect("a temporary directory");
            fs::write(place.path().join(case.file), candidate).expect("a file of that directory");
            let status = Command::new(&test)
                .current_dir(place.path())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            status.expect("a test that runs").success()
        })
    });
    let words = words();
    let names: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| *wanted == name);
    for script in SCRIPTS.iter().filter(|script| is_wanted(script.name)) {
        let row = read(&cases::root().join(script.file)).and_then(|text| {
            let judge = Judge::start(script.property)?;
            let languages = ["javascript", "JavaScriptParser.g4"];
            reduce(script.name, text, languages, &|candidate| judge.accepts(candidate))
        });
        match row {
            Ok(row) => rows.push(row),
            Err(why) => println!("{}: skipped: {why}\n", script.name),
        }
    }
    for (title, is_held_out) in [("seen", false), ("held out", true)] {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.is_held_out == is_held_out).collect();
        if !rows.is_empty() {
            summary(title, &rows);
        }
    }
}

fn words() -> Vec<String> {
    std::env::args().skip(1).collect()
}

fn read(path: &Path) -> Result<Arc<Vec<u8>>, String> {
    fs::read(path).map(Arc::new).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reduces an input by all strategies with both front ends, and prints the results.
fn reduce(
    name: &'static str,
    text: Arc<Vec<u8>>,
    [language, grammar]: [&str; 2],
    accepts: &(dyn Fn(&[u8]) -> bool + Sync),
) -> Result<Row, String> {
    if !accepts(&text) {
        return Err("its property does not hold".into());
    }
    let is_held_out = HELD_OUT.contains(&name);
    let mark = if is_held_out { ", held out" } else { "" };
    println!("{name}: {} tokens{mark}", Size::of(&text).tokens);
    println!("  {:<16}{:>22}{:>22}", "", "tree-sitter", "ANTLR");
    let formats =
        [Format::named(language).ok_or("its language is not part of this build")?, antlr(grammar)];
    let mut outcomes = Vec::new();
    for strategy in STRATEGIES {
        let run = |format: &Format| {
            let mut reduction = Reduction::new(text.clone(), &accepts);
            reduction.format = format.clone();
            reduction.strategy = strategy.parse().expect("a strategy");
            let report = reduction.run().map_err(|error| error.to_string())?;
            if words().iter().any(|word| word == "--show") {
                println!("{}", String::from_utf8_lossy(&report.best.text));
            }
            let tokens = Size::of(&report.best.text).tokens as u64;
            Ok::<_, String>(Outcome { tokens, tests: report.counts.tests })
        };
        let both = [run(&formats[0])?, run(&formats[1])?];
        let shown = both.map(|each| format!("{:>8} tokens {:>5} t", each.tokens, each.tests));
        println!("  {strategy:<16}{:>22}{:>22}", shown[0], shown[1]);
        outcomes.push(both);
    }
    println!();
    Ok(Row { is_held_out, outcomes })
}

fn antlr(file: &str) -> Format {
    let path = cases::root().join("crates/lop-antlr/tests/grammars").join(file);
    let grammar = Grammar::load(&[path]).expect("a grammar of the tests");
    let start = grammar.start().expect("a start rule");
    let parser = Parser::new(grammar).expect("a parser");
    Format::antlr(parser, start, &AntlrOptions::default()).expect("not too many rules")
}

/// Prints the sums over some inputs.
fn summary(title: &str, rows: &[&Row]) {
    println!("{title}, {} inputs:{:>13}tokens left{:>18}tests", rows.len(), "", "");
    println!("  {:<16}{:>12}{:>8}{:>14}{:>8}", "", "tree-sitter", "ANTLR", "tree-sitter", "ANTLR");
    for (index, strategy) in STRATEGIES.iter().enumerate() {
        let sum = |end: usize, measure: fn(&Outcome) -> u64| -> u64 {
            rows.iter().map(|row| measure(&row.outcomes[index][end])).sum()
        };
        let [tokens, others] = [0, 1].map(|end| sum(end, |outcome| outcome.tokens));
        let [tests, more] = [0, 1].map(|end| sum(end, |outcome| outcome.tests));
        println!("  {strategy:<16}{tokens:>12}{others:>8}{tests:>14}{more:>8}");
    }
    println!();
}

/// A process that judges scripts.
struct Judge {
    process: Mutex<(Child, ChildStdin, BufReader<ChildStdout>)>,
}

impl Judge {
    fn start(property: &[&str]) -> Result<Judge, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/frontends/judge.js");
        let mut node = Command::new("node");
        node.arg(script).args(property).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = node.spawn().map_err(|error| format!("cannot run node: {error}"))?;
        let input = child.stdin.take().expect("its input is a pipe");
        let output = child.stdout.take().expect("its output is a pipe");
        Ok(Judge { process: Mutex::new((child, input, BufReader::new(output))) })
    }

    fn accepts(&self, candidate: &[u8]) -> bool {
        let mut process = self.process.lock().expect("no judge panics");
        let (_, input, output) = &mut *process;
        let mut message = format!("{}\n", candidate.len()).into_bytes();
        message.extend(candidate);
        input.write_all(&message).expect("node is running");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("node answers");
        answer == "1\n"
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        let (child, ..) = self.process.get_mut().expect("no judge panics");
        // It may have ended by itself.
        let _ = child.kill();
        let _ = child.wait();
    }
}
