//! The places of an input that the output of its test names.

use std::path::Path;
use std::time::Duration;

use lop::oracle::{Outcome, Property, Requirement, Signature, clues};
use lop::{Bundle, InputFile, Status, Text};

/// The lines, counted from 1, that some output names in a text of five lines in the file `dir/input.x`.
fn named(stderr: &str) -> Vec<usize> {
    named_in("one\ntwo\nthree\n  four\nfive\n", stderr, Vec::new())
}

fn named_in(text: &str, stderr: &str, property: Vec<Requirement>) -> Vec<usize> {
    let outcome = outcome(stderr);
    let text = Text::new(text.into());
    let property = Property::new(property);
    let clues = clues(&outcome, &property, Path::new("dir/input.x"), &text, None);
    let line = |place: usize| 1 + text[..place].iter().filter(|byte| **byte == b'\n').count();
    clues.places(&text).iter().map(|place| line(place.start)).collect()
}

fn outcome(stderr: &str) -> Outcome {
    let mut outcome = Outcome::new(Status::Exit(1), Duration::ZERO);
    outcome.stderr = stderr.into();
    outcome
}

#[test]
fn places_are_found_as_compilers_interpreters_and_databases_name_them() {
    let all = [
        // gcc, clang, Go, Haskell
        ("input.x:2:5: error: expected ';'", vec![2]),
        ("/tmp/some dir/input.x:2:5: error: bad", vec![2]),
        // rustc
        ("error[E0308]: mismatched types\n --> ./input.x:3:9", vec![3]),
        // tsc, C#
        ("input.x(4,1): error TS2304: Cannot find name 'a'.", vec![4]),
        // Python
        (
            "Traceback:\n  File \"/tmp/x/input.x\", line 5, in <module>\n  File \"input.x\", line 2, in f",
            vec![2, 5],
        ),
        // node
        (
            "/tmp/x/input.x:3\nthrow new Error()\n    at f (/tmp/x/input.x:3:9)\n    at Object.<anonymous> (/tmp/x/input.x:5:1)",
            vec![3, 5],
        ),
        // PHP
        (
            "PHP Fatal error:  Uncaught Error: no in /tmp/input.x:4\nStack trace:\n#0 /tmp/input.x(5): f()\n  thrown in /tmp/input.x on line 4",
            vec![4, 5],
        ),
        // Ruby, Lua
        (
            "input.x:1:in `f': undefined method `a' for nil (NoMethodError)\n\tfrom input.x:4:in `<main>'",
            vec![1, 4],
        ),
        // sqlite3, MySQL, psql
        ("Parse error near line 2: no such column: a", vec![2]),
        ("ERROR 1054 (42S22) at line 3: Unknown column", vec![3]),
        ("psql:input.x:4: ERROR:  relation does not exist", vec![4]),
        // A sanitizer
        (
            "==1==ERROR: AddressSanitizer: heap-use-after-free\n    #0 0x55 in f /tmp/x/input.x:2\n    #1 0x66 in main /tmp/x/input.x:5",
            vec![2, 5],
        ),
        // Other files, lines that are not there, times
        ("/usr/include/stdio.h:3:1: note: declared here", vec![]),
        ("input.x:9:1: error: unexpected end", vec![]),
        ("12:04:05 started\nversion 1.2.3", vec![]),
    ];
    for (stderr, expected) in all {
        assert_eq!(named(stderr), expected, "{stderr}");
    }
}

#[test]
fn of_several_messages_that_of_the_property_counts() {
    let text = "one\ntwo\nthree\nfour\nfive\n";
    let stderr = "input.x:1:1: warning: unused\ninput.x:3:1: error: no match\ninput.x:4:1: note: candidate\ninput.x:5:1: error: other";
    let pattern = regex::bytes::Regex::new("no match").unwrap();
    assert_eq!(named_in(text, stderr, vec![Requirement::Stderr(pattern)]), [3, 4]);
    assert_eq!(named_in(text, stderr, vec![Requirement::Exit(1)]), [1, 3, 4, 5]);
    let signature = Signature::of(&outcome("input.x:3:1: error: no match")).unwrap();
    assert_eq!(named_in(text, stderr, vec![Requirement::Signature(signature)]), [3, 4]);
    // Where an error is thrown again comes before its message.
    let pattern = regex::bytes::Regex::new("^TypeError: no").unwrap();
    let stderr = "input.x:5: info\n/tmp/input.x:3\n  throw e;\n  ^\n\nTypeError: no\n    at f (/tmp/input.x:1:5)\n\ninput.x:2: other";
    assert_eq!(named_in(text, stderr, vec![Requirement::Stderr(pattern)]), [1, 3]);
}

#[test]
fn lines_are_those_of_the_files_that_line_markers_name() {
    let text = "# 1 \"/usr/include/a.h\"\nint a;\n# 7 \"main.c\"\nint b;\nint c;\n";
    assert_eq!(named_in(text, "main.c:8:5: error: redefinition of c", Vec::new()), [5]);
    assert_eq!(named_in(text, "/usr/include/a.h:1:5: note: here", Vec::new()), [2]);
    let text = "# 1 \"<built-in>\"\n# 1 \"<stdin>\"\nint b;\nint c;\n";
    assert_eq!(named_in(text, "<stdin>:2:5: error: redefinition of c", Vec::new()), [4]);
}

#[test]
fn of_a_long_line_only_a_column_is_a_place() {
    let text = Text::new(format!("{}\nb\n", "a".repeat(1000)).into());
    let places = |stderr: &str| {
        let property = Property::new(Vec::new());
        let clues = clues(&outcome(stderr), &property, Path::new("input.x"), &text, None);
        clues.places(&text).iter().map(|place| (place.start, place.end)).collect::<Vec<_>>()
    };
    assert_eq!(places("input.x:1:500: bad"), [(499, 500)]);
    assert!(places("input.x:1: bad").is_empty());
    assert_eq!(places("input.x:2: bad"), [(1001, 1002)]);
}

#[test]
fn several_files_are_told_apart_by_their_paths() {
    let files = [("a/mod.py", "one\ntwo\n"), ("b/mod.py", "three\nfour\n")];
    let files = files.map(|(path, content)| InputFile::new(path, content));
    let (bundle, text) = Bundle::pack(None, &files);
    let place = |stderr: &str| {
        let property = Property::new(Vec::new());
        let clues = clues(&outcome(stderr), &property, Path::new("dir"), &text, Some(&bundle));
        let line = |place: &std::ops::Range<usize>| {
            String::from_utf8_lossy(&text[place.clone()]).into_owned()
        };
        clues.places(&text).iter().map(line).collect::<Vec<_>>()
    };
    assert_eq!(place("File \"/tmp/x/b/mod.py\", line 2, in f"), ["four"]);
    assert_eq!(place("File \"/tmp/x/a/mod.py\", line 2, in f"), ["two"]);
    assert_eq!(place("line 2"), [""; 0]);
}

#[test]
fn output_that_names_everything_names_nothing() {
    let text: String = (0..200).map(|n| format!("line{n}\n")).collect();
    let stderr: String = (1..=200).map(|n| format!("input.x:{n}:1: warning: unused\n")).collect();
    assert_eq!(named_in(&text, &stderr, Vec::new()), [0; 0]);
}
