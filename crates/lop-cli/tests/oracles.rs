//! The examples with the oracles of a paper: S. Herfert, J. Patra and M. Pradel, "Automatically Reducing Tree-Structured Test Inputs"
//! (2017), with tools from pip and npm; and coverage as a property.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use common::Place;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether a command succeeds. If not, the test is skipped with a message; with LOP_TEST_ALL it fails.
fn works(command: &mut Command, what: &str) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    let works = status.is_ok_and(|status| status.success());
    if !works {
        let message = format!("{what}: this example was NOT tested");
        assert!(env::var_os("LOP_TEST_ALL").is_none(), "{message}");
        eprintln!("{message}");
    }
    works
}

/// Reduces the input of an example as its script does, and returns the result; nothing if its tools cannot be installed.
fn example(name: &str, tool: &str, input: &str, package: &str) -> Option<String> {
    let examples = root().join("examples");
    let mut install = Command::new(examples.join("install"));
    install.args([if tool == "python3" { "pip" } else { "npm" }, name, package]);
    let is_there = works(Command::new(tool).arg("--version"), &format!("{tool} is not installed"));
    if !is_there || !works(&mut install, &format!("{package} cannot be installed")) {
        return None;
    }
    let place = Place::new();
    let example = examples.join(name);
    if example.join(input).exists() {
        fs::copy(example.join(input), place.path(input)).unwrap();
    } else {
        let make =
            Command::new(tool).arg(example.join("make.py")).current_dir(place.path("")).status();
        assert!(make.unwrap().success());
    }
    // The first run of a test may record what the original does.
    let _ = fs::remove_file(root().join("target/examples").join(name).join("lines.json"));
    let test = example.join("test.sh");
    // These tools start slowly, and the first tests show enough.
    let words = ["-q", "--max-tests", "60", "-o", "result", test.to_str().unwrap(), input];
    place.lop(words).expect(0, &[]);
    let (original, result) = (place.read(input), place.read("result"));
    assert!(3 * result.len() < 2 * original.len(), "{}", String::from_utf8_lossy(&result));
    Some(String::from_utf8(result).unwrap())
}

#[test]
fn a_python_program_keeps_the_error_of_an_old_tool() {
    if let Some(result) = example("pasta", "python3", "inventory.py", "google-pasta==0.2.0") {
        let squeezed: String = result.split_whitespace().collect();
        assert!(squeezed.contains("/)"), "{result}");
    }
}

#[test]
fn a_javascript_program_keeps_the_difference_of_two_engines() {
    if let Some(result) = example("engines", "node", "report.js", "quickjs-emscripten@0.31.0") {
        assert!(result.contains("toLocaleString"), "{result}");
    }
}

#[test]
fn an_xml_file_keeps_the_covered_lines_of_a_validator() {
    if let Some(result) = example("coverage", "python3", "catalog.xml", "coverage==7.17.2") {
        // One of each mistake is needed.
        assert!(result.contains("-1") && result.contains("EUR"), "{result}");
    }
}

#[test]
fn a_pdf_document_keeps_the_error_of_a_library() {
    if let Some(result) = example("pdf", "python3", "notes.pdf", "pypdf==7.0.1") {
        assert!(result.matches("/H").count() >= 2, "{result}");
    }
}

/// A checker of tags, in C: enough to see which of its lines are covered.
const CHECKER: &str = r#"
#include <stdio.h>

int main(int count, char **words) {
    FILE *file = fopen(words[1], "r");
    int depth = 0, next;
    while ((next = fgetc(file)) != EOF) {
        if (next != '<')
            continue;
        next = fgetc(file);
        if (next == '/')
            depth--;
        else if (next == '!')
            puts("a comment");
        else
            depth++;
    }
    if (depth != 0)
        puts("not balanced");
    return 0;
}
"#;

#[test]
fn covers_reads_what_gcov_prints() {
    let gcc = works(Command::new("gcc").arg("--version"), "gcc is not installed");
    if !(gcc && works(Command::new("python3").arg("--version"), "python3 is not installed")) {
        return;
    }
    let place = Place::new();
    place.write("check.c", CHECKER);
    place.write("case.xml", "<a>\n  <b>\n    <!-- c -->\n    <d></d>\n  </b>\n  <e></e>\n</a>\n");
    // In two steps: the names of gcov's files then depend on the source alone.
    for words in [["--coverage", "-c", "check.c"], ["--coverage", "check.o", "-ocheck"]] {
        let gcc = Command::new("gcc").current_dir(place.path("")).args(words).status();
        assert!(gcc.unwrap().success());
    }
    let here = place.path("");
    let covers = root().join("scripts/covers").canonicalize().unwrap();
    place.script(
        "test.sh",
        &format!(
            "here={}\ncp $here/check.c $here/check.gcno .\n\
             GCOV_PREFIX=$PWD GCOV_PREFIX_STRIP=99 \"{}\" $here/lines.json -- \
             sh -c \"$here/check case.xml >/dev/null; gcov --json-format --stdout check.gcno\"",
            here.display(),
            covers.display()
        ),
    );
    place.lop(["-q", "./test.sh", "case.xml"]).expect(0, &[]);
    let squeezed = place.squeezed("case.lop.xml");
    // A tag that is opened, one that is closed, a comment; as balanced as it was.
    assert!(squeezed.len() < 20 && squeezed.contains("<!"), "{squeezed}");
}

#[test]
fn covers_compares_the_lines_of_each_kind_of_report() {
    if !works(Command::new("python3").arg("--version"), "python3 is not installed") {
        return;
    }
    let covers = root().join("scripts/covers").canonicalize().unwrap();
    let reports = [
        (
            r#"{"files": {"a.py": {"executed_lines": [1, 2]}}, "meta": {}}"#,
            r#"{"files": {"a.py": {"executed_lines": [1, 3]}}, "meta": {}}"#,
        ),
        (
            "SF:a.c\nDA:1,5\nDA:2,1\nDA:3,0\nend_of_record\n",
            "SF:a.c\nDA:1,1\nDA:2,0\nend_of_record\n",
        ),
        (
            r#"{"files": [{"file": "a.c", "lines": [{"line_number": 2, "count": 7}]}]}"#,
            r#"{"files": [{"file": "a.c", "lines": [{"line_number": 2, "count": 0}]}]}"#,
        ),
    ];
    for (original, other) in reports {
        let place = Place::new();
        let run = |report: &str, options: &[&str]| {
            place.write("report", report);
            let mut command = Command::new(&covers);
            command.current_dir(place.path("")).args(options);
            command.args(["lines.json", "--", "cat", "report"]);
            let output = command.output().unwrap();
            output.status.code().unwrap()
        };
        assert_eq!(run("no report", &[]), 2);
        assert_eq!(run(original, &[]), 0, "the first run records");
        assert_eq!(run(other, &[]), 1, "{other}");
        assert_eq!(run(original, &[]), 0);
        assert_eq!(run(other, &["--record"]), 0);
        assert_eq!(run(other, &[]), 0);
    }
}
