//! The properties that lop finds by itself and those that users can ask for, beyond exit codes and patterns.

mod common;

use std::process::Command;

use common::{Place, place, reduced_to};
use serde_json::Value;

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn an_ordinary_error_is_the_property_of_a_command_and_other_errors_with_its_code_are_not() {
    let place = place();
    // As compilers do: the line number and the name depend on the input, and another error has the same code.
    let error = "echo \"$1:$(wc -l < $1): error: '$(head -n 1 $1)' has no member named 'y'\"";
    place.script("tool.sh", &format!("if grep -q needle $1; then {error}; else echo \"$1:1: error: expected ';'\"; fi >&2; exit 1"));
    let output = reduced_to(&place, &["prog.c", "--", "./tool.sh", "{}"], "needle");
    output.expect(0, &["exit 1, “error: '…' has no member named '…'”, no new errors"]);
    assert!(!output.stderr.contains("note:"), "{}", output.stderr);
}

#[test]
fn an_error_that_the_original_does_not_have_is_not_accepted_beside_the_one_that_it_has() {
    let place = place();
    let script = "grep -q needle $1 && echo 'x: error: this'; grep -q four $1 || echo 'x: error: that'; exit 1";
    place.script("tool.sh", script);
    reduced_to(&place, &["prog.c", "--", "./tool.sh", "{}"], "needlefour");
    reduced_to(&place, &["--stdout", "this", "prog.c", "--", "./tool.sh", "{}"], "needle");
}

#[test]
fn a_solver_reports_errors_on_standard_output_in_its_own_way() {
    let place = place();
    let script = "if grep -q needle $1; then echo '(error \"line 86 column 10: model is not available\")'; \
                  else echo '(error \"line 1 column 1: invalid command\")'; fi; exit 1";
    place.script("solver.sh", script);
    let output = reduced_to(&place, &["prog.c", "--", "./solver.sh", "{}"], "needle");
    output.expect(0, &["line N column N: model is not available"]);
}

#[test]
fn the_error_of_a_real_compiler_stays_and_no_other_appears() {
    if !is_there("gcc") {
        return;
    }
    let place = place();
    let program = "struct p { int x; };\nint g(int a) { return a + 1; }\nint f(struct p *q) { return g(q->y); }\n";
    place.write("prog.c", program);
    place.lop(["prog.c", "--", "gcc", "-fsyntax-only", "{}"]).expect(0, &["has no member named"]);
    let output = place.command("gcc").args(["-fsyntax-only", "prog.lop.c"]).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("has no member named"), "{errors}");
    assert_eq!(errors.matches("error:").count(), 1, "{errors}");
    assert!(place.read("prog.lop.c").len() < 50, "{}", place.squeezed("prog.lop.c"));
}

#[test]
fn if_only_an_exit_code_can_be_kept_lop_says_so_and_names_the_option_that_helps() {
    let place = place();
    place.script("tool.sh", "grep -q needle $1 && echo 'a bad needle'; exit 3");
    let output = place.lop(["--allow-trivial", "prog.c", "--", "./tool.sh", "{}"]);
    output.expect(0, &["note: only `exit 3` is kept", "--stdout 'a bad needle'"]);
    let json = place.lop(["--json", "--allow-trivial", "prog.c", "--", "./tool.sh", "{}"]);
    let mut events = json.stdout.lines().map(|line| line.parse::<Value>().unwrap());
    let first = events.find(|event| event["event"] == "note").expect("there is a note");
    assert!(first["text"].as_str().unwrap().contains("only `exit 3`"), "{first}");
    // One who names the exit code knows.
    let asked = place.lop(["--exit", "3", "--allow-trivial", "prog.c", "--", "./tool.sh", "{}"]);
    assert!(!asked.stderr.contains("only `exit 3`"), "{}", asked.stderr);
}

#[test]
fn with_a_pattern_the_exit_status_of_the_original_is_kept_unless_any_will_do() {
    let place = place();
    // A warning, and an error if a part is missing.
    place.script("tool.sh", "grep needle $1 >&2; grep -q four $1");
    let pattern = ["--stderr", "needle", "prog.c", "--", "./tool.sh", "{}"];
    let output = reduced_to(&place, &pattern, "needlefour");
    output.expect(0, &["exit 0, stderr matches /needle/"]);
    reduced_to(&place, &[&["--any-exit"], &pattern[..]].concat(), "needle");
    // A test is no different, and another status than 0 is kept as well.
    place.script("check.sh", "grep needle $1 >&2; grep -q four $1 && exit 5");
    let output = reduced_to(&place, &["--stderr", "needle", "./check.sh", "prog.c"], "needlefour");
    output.expect(0, &["exit 5, stderr matches"]);
    place.lop(["--any-exit", "--exit", "0", "./check.sh", "prog.c"]).expect(2, &["--any-exit"]);
}

#[test]
fn a_test_that_looks_for_a_line_by_its_number_is_noted() {
    let place = Place::new();
    place.write("prog.c", "one\ntwo\nneedle\n");
    let said = |pattern: &str| {
        place.script(
            "test.sh",
            &format!("# as in line 3\ngrep -Hn needle prog.c | grep -q '{pattern}'"),
        );
        let output = place.lop(["--strategy", "ddmin:lines", "./test.sh", "prog.c"]);
        output.expect(0, &[]);
        output.stderr.contains("note: the test looks for line 3")
    };
    assert!(said(r"prog\.c:3:needle"));
    assert!(!said(r"prog\.c:.*:needle"));
}

#[test]
fn a_test_that_is_slower_than_a_time_is_kept() {
    let place = place();
    let options = ["--slower-than", "2s", "--strategy", "ddmin:lines", "-j2"];
    // It ends by itself, and how it ends is kept.
    place.script("check.sh", "grep -q needle $1 || exit 1; sleep 2; grep -q four $1 && exit 4");
    let output = reduced_to(
        &place,
        &[&options[..], &["./check.sh", "prog.c"]].concat(),
        "theneedleisherefour",
    );
    output.expect(0, &["exit 4, takes at least 2 s"]);
    // One that the time limit ends is slow, however it would have ended.
    place.script("check.sh", "grep -q needle $1 && sleep 1000; exit 1");
    let limited = ["--timeout", "3", "./check.sh", "prog.c"];
    reduced_to(&place, &[&options[..], &limited].concat(), "theneedleishere");
}

#[test]
#[cfg(target_os = "linux")]
fn a_test_that_takes_more_memory_than_a_size_is_kept() {
    let place = place();
    let large = "x=$(head -c 100000000 /dev/zero | tr '\\0' x); sleep 0.1";
    place.script(
        "check.sh",
        &format!("grep -q needle $1 || exit 1; {large}; grep -q four $1 && exit 4"),
    );
    let options = ["--more-memory-than", "50M", "--strategy", "ddmin:lines"];
    let args = [&options[..], &["./check.sh", "prog.c"]].concat();
    let output = reduced_to(&place, &args, "theneedleisherefour");
    output.expect(0, &["exit 4, takes more memory than 50 MB"]);
    reduced_to(&place, &[&["--any-exit"], &args[..]].concat(), "theneedleishere");
    // One that is ended since it takes even more is no different.
    reduced_to(&place, &[&["--memory", "60M"], &args[..]].concat(), "theneedleishere");
}

#[test]
fn limits_that_hide_the_property_are_refused_and_an_original_without_it_is_measured() {
    let place = place();
    place.script("check.sh", "exit 0");
    for (options, essentials) in [
        (&["--slower-than", "2", "--timeout", "2"][..], &["--timeout", "--slower-than"][..]),
        (&["--more-memory-than", "1G", "--memory", "500M"], &["--memory", "--more-memory-than"]),
        (&["--slower-than", "2", "--hang", "--timeout", "3"], &["--hang"]),
        (&["--also-interesting", "segv"], &["an exit code, or crash"]),
    ] {
        place.lop([options, &["./check.sh", "prog.c"]].concat()).expect(2, essentials);
    }
    place.lop(["--slower-than", "100", "./check.sh", "prog.c"]).expect(3, &["(exit 0, ", " s)"]);
    place
        .lop(["--more-memory-than", "9G", "./check.sh", "prog.c"])
        .expect(3, &["exit 0, ", " MB)"]);
}

#[test]
fn more_slow_tests_than_cores_distort_each_other() {
    let place = place();
    place.script("check.sh", "exit 0");
    place
        .lop(["--slower-than", "100", "-j1024", "./check.sh", "prog.c"])
        .expect(3, &["note: 1024 tests"]);
}

#[test]
fn candidates_that_fail_in_another_way_are_saved_apart_and_told_at_the_end() {
    let place = Place::new();
    place.write("prog.c", "four\none\ntwo\nsix\nthe needle is here\n");
    // Without the needle there is an assertion, or a code, or an ordinary error.
    let script = "grep -q needle $1 && kill -SEGV $$\n\
                  grep -q two $1 && { echo \"x: y.c:1: f: Assertion \\`a' failed.\" >&2; exit 134; }\n\
                  grep -q four $1 && exit 7\n\
                  echo \"$1:1: error: no\" >&2; exit 1";
    place.script("tool.sh", script);
    let options = ["--also-interesting", "crash", "--also-interesting", "7", "-j1"];
    let rest = ["--strategy", "ddmin:lines", "prog.c", "--", "./tool.sh", "{}"];
    let output = reduced_to(&place, &[&options[..], &rest].concat(), "theneedleishere");
    let assertion = "prog.lop.c.also/2.c (exit 134, “x: PATH: f: Assertion `a' failed.”)";
    output.expect(0, &["also saved: prog.lop.c.also/1.c (exit 7)", assertion]);
    assert_eq!(place.squeezed("prog.lop.c.also/1.c"), "fourone");
    assert_eq!(place.squeezed("prog.lop.c.also/2.c"), "two");
    let index = String::from_utf8(place.read("prog.lop.c.also/index.tsv")).unwrap();
    let mut index: Vec<Vec<&str>> = index.lines().map(|line| line.split('\t').collect()).collect();
    index.sort();
    assert_eq!(index.len(), 2, "{index:?}");
    assert_eq!([index[0][0], index[0][2]], ["1.c", "exit 7"]);
    assert_eq!(index[1][1], place.read("prog.lop.c.also/2.c").len().to_string());

    // What is there is not overwritten, and a program sees what a person sees.
    let output = place.lop([&["--json", "--also-interesting", "7", "-j1"], &rest[..]].concat());
    let events: Vec<Value> = output.stdout.lines().map(|line| line.parse().unwrap()).collect();
    let also = events.iter().find(|event| event["event"] == "also_interesting").unwrap();
    assert_eq!((&also["signature"], &also["bytes"]), (&"exit 7".into(), &9.into()));
    let last = events.last().unwrap();
    assert_eq!(
        last["also"],
        serde_json::json!([{ "signature": "exit 7", "path": "prog.lop.c.also/3.c" }])
    );
    assert_eq!(place.names().iter().filter(|name| name.contains("also")).count(), 1);
}

#[test]
fn a_directory_is_saved_apart_as_a_directory() {
    let place = Place::new();
    place.write("dir/a.txt", "one\nneedle\ntwo\n");
    place.write("dir/b.txt", "two\n");
    place.script(
        "check.sh",
        "grep -q needle dir/a.txt && exit 0; [ -s dir/a.txt ] && exit 7; exit 1",
    );
    let output = place.lop(["--also-interesting", "7", "./check.sh", "dir"]);
    output.expect(0, &["dir.lop.also/1 (exit 7)"]);
    assert!(!place.read("dir.lop.also/1/a.txt").is_empty());
}

#[test]
fn output_is_matched_to_its_end() {
    let place = place();
    place.script("check.sh", "head -c 20000000 /dev/zero | tr '\\0' 'x'; echo; cat $1");
    reduced_to(
        &place,
        &["--stdout", "needle", "--strategy", "ddmin:lines", "./check.sh", "prog.c"],
        "theneedleishere",
    );
}

#[test]
fn a_test_whose_exit_codes_look_inverted_gets_a_hint() {
    let place = place();
    place.script("check.sh", "grep -q needle $1 && { echo 'a bad needle'; exit 3; }; exit 0");
    let output = place.lop(["./check.sh", "prog.c"]);
    output.expect(3, &["(exit 3)", "a bad needle", "exit 0 means interesting", "--exit 3"]);
    reduced_to(&place, &["--exit", "3", "./check.sh", "prog.c"], "needle");
    // The empty file says nothing here, so there is nothing to guess.
    place.script("check.sh", "exit 3");
    let output = place.lop(["./check.sh", "prog.c"]);
    assert!(!output.stderr.contains("--exit"), "{}", output.stderr);
}
