//! Standard input as the input, standard output as the output, and files that are not overwritten.

mod common;

use common::{Output, Place, finished, start};

const INPUT: &str = "int a;\nint needle;\nint b;\n";

fn place() -> Place {
    let place = Place::new();
    place.write("prog.c", INPUT);
    place.script("check.sh", "grep -q needle \"$1\"");
    place
}

/// Runs lop in a pipe behind the input.
fn piped(place: &Place, args: &str) -> Output {
    let script = format!("cat prog.c | {} {args}", env!("CARGO_BIN_EXE_lop"));
    finished(start(place.command("sh").args(["-c", &script])))
}

#[test]
fn standard_input_is_reduced_to_standard_output() {
    let place = place();
    let output = piped(&place, "./check.sh -");
    output.expect(0, &["stdin: 26 → 7 bytes", "result:     standard output"]);
    assert_eq!(output.stdout.trim_end(), "needle");
    assert_eq!(place.names(), ["check.sh", "prog.c"]);
    assert_eq!(place.temporaries(), [""; 0]);
    piped(&place, "-o out.c ./check.sh -").expect(0, &["result:     out.c"]);
    assert_eq!(place.squeezed("out.c"), "needle");
    piped(&place, "compare -q --strategies opdd:lines ./check.sh -").expect(0, &[]);
    let tree = piped(&place, "tree --language c++ -");
    tree.expect(0, &[]);
    assert!(tree.stdout.contains("declaration"), "{}", tree.stdout);
}

#[test]
fn the_candidate_of_standard_input_has_a_name_of_its_language_or_of_the_user() {
    let place = place();
    place.script("check.sh", "basename \"$1\" >&2; grep -q needle \"$1\"");
    for (options, name) in [("", "stdin"), ("--language C++", "stdin.cpp"), ("--as b.py", "b.py")] {
        let output = piped(&place, &format!("--stderr '^{name}$' --exit 0 {options} ./check.sh -"));
        output.expect(0, &[&format!("{name}: 26 → ")]);
    }
    let renamed =
        ["--as", "other.h", "--stderr", "^other.h$", "--exit", "0", "./check.sh", "prog.c"];
    place.lop(renamed).expect(0, &["prog.lop.c"]);
}

#[test]
fn a_command_reads_the_candidate_from_standard_input_unless_it_names_it() {
    let place = place();
    for command in ["grep needle", "grep needle {} && ! grep needle"] {
        place.lop(["--exit", "0", "prog.c", "--", command]).expect(0, &["26 → 7 bytes"]);
    }
    place.lop(["--exit", "0", "prog.c", "--", "grep", "needle"]).expect(0, &["26 → 7 bytes"]);
    let named = ["--exit", "1", "prog.c", "--", "sh", "-c", "grep needle", "{}"];
    place.lop(named).expect(4, &["accepts the empty file too"]);
}

#[test]
fn a_file_is_reduced_to_standard_output_and_the_best_is_printed_when_the_run_is_stopped() {
    let place = place();
    let output = place.lop(["-o", "-", "-v", "./check.sh", "prog.c"]);
    output.expect(0, &["standard output"]);
    assert_eq!(output.stdout.trim_end(), "needle");
    let stopped = place.lop(["-o", "-", "--max-tests", "1", "./check.sh", "prog.c"]);
    stopped.expect(0, &["the limit on tests"]);
    assert!(stopped.stdout.contains("needle"));
    assert!(!stopped.stderr.contains("--resume"), "{}", stopped.stderr);
    assert_eq!(place.names(), ["check.sh", "prog.c"]);
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn what_standard_input_and_output_cannot_do_is_said() {
    let place = place();
    place.write("dir/a.c", INPUT);
    for (args, why) in [
        (&["-o", "-", "--json", "./check.sh", "prog.c"][..], "--json"),
        (&["-o", "-", "./check.sh", "dir"], "several files"),
        (&["-o", "-", "--resume", "./check.sh", "prog.c"], "nothing to resume"),
        (&["--in-place", "./check.sh", "-"], "standard input"),
        (&["./check.sh", "-", "prog.c", "-o", "out"], "standard input"),
        (&["tmin", "-o", "-", "./check.sh", "prog.c"], "standard output"),
        (&["--as", "x.c", "./check.sh", "dir"], "--as"),
    ] {
        place.lop(args).expect(2, &[why, "help:"]);
    }
    place.lop(["./check.sh", "-"]).expect(6, &["`-` is empty"]);
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn a_file_that_is_no_result_of_lop_is_not_overwritten_without_force() {
    let place = place();
    place.write("thesis.txt", "years of work\n");
    for args in [
        &["-o", "thesis.txt", "./check.sh", "prog.c"][..],
        &["tmin", "-o", "thesis.txt", "./check.sh", "prog.c"],
    ] {
        place.lop(args).expect(7, &["thesis.txt` is there already", "--force"]);
        assert_eq!(place.read("thesis.txt"), b"years of work\n");
        assert_eq!(place.names(), ["check.sh", "prog.c", "thesis.txt"]);
    }
    place.lop(["--force", "-o", "thesis.txt", "./check.sh", "prog.c"]).expect(0, &[]);
    assert_eq!(place.squeezed("thesis.txt"), "needle");
    place.write("prog.lop.c", "years of work\n");
    let run = place.lop(["./check.sh", "prog.c"]);
    match has_attributes(&place) {
        true => {
            run.expect(7, &["prog.lop.c` is there already", "--force"]);
            assert_eq!(place.read("prog.lop.c"), b"years of work\n");
        }
        // Nothing tells it from a result there.
        false => run.expect(0, &["note: the result overwrites `prog.lop.c`"]),
    }
}

#[test]
fn a_result_of_lop_is_overwritten_as_long_as_nobody_has_changed_it() {
    let place = place();
    let run = || place.lop(["-o", "small.c", "./check.sh", "prog.c"]);
    run().expect(0, &[]);
    if !has_attributes(&place) {
        println!("skipped: this file system has no extended attributes");
        return;
    }
    run().expect(0, &[]);
    // A stopped run leaves a journal.
    place.lop(["--max-tests", "1", "-o", "other.c", "./check.sh", "prog.c"]).expect(0, &[]);
    place.lop(["-o", "other.c", "./check.sh", "prog.c"]).expect(0, &["starts anew"]);
    place.write("small.c", "needle, and my comments\n");
    run().expect(7, &["--force"]);
    place.write("small.c", "");
    run().expect(0, &[]);
    let note = place.lop(["./check.sh", "prog.c"]);
    note.expect(0, &[]);
    let again = place.lop(["./check.sh", "prog.c"]);
    assert!(!again.stderr.contains("overwrites"), "{}", again.stderr);
}

/// Whether files can be marked here.
fn has_attributes(place: &Place) -> bool {
    let path = place.path("prog.c");
    rustix::fs::setxattr(path, "user.lop.test", b"x", rustix::fs::XattrFlags::empty()).is_ok()
}
