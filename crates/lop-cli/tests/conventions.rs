//! The environment of a test or a command, and the properties that can be kept.

mod common;

use common::{INPUT, Place, place, reduced_to};

#[test]
fn the_candidate_is_alone_in_the_directory_and_is_argument_one_and_standard_input() {
    let place = place();
    place.write("dir/prog.c", INPUT);
    place.write("dir/neighbour.c", "");
    // If the candidate was missing in one of these ways, the result would be larger.
    let script = "[ \"$(ls -A)\" = prog.c ] && [ $# -eq 1 ] && case $1 in /*) ;; *) exit 1 ;; esac \
                  && [ \"$1\" -ef prog.c ] && cmp -s prog.c - && grep -q needle prog.c";
    place.script("check.sh", script);
    place.lop(["./check.sh", "dir/prog.c"]).expect(0, &[]);
    assert_eq!(place.squeezed("dir/prog.lop.c"), "needle");
}

#[test]
fn each_test_finds_a_clean_place_and_nothing_is_left_of_it() {
    let place = place();
    let drops =
        "mkdir -p a/b && touch a/b/c .hidden \"$TMPDIR/d\" && ln -s / link && chmod 500 a/b a";
    let clean = "[ \"$(ls -A)\" = prog.c ] && [ -z \"$(ls -A \"$TMPDIR\")\" ]";
    place.script("check.sh", &format!("{clean} && {drops} && grep -q needle prog.c && rm prog.c"));
    reduced_to(&place, &["-j4", "./check.sh", "prog.c"], "needle");
    assert_eq!(place.temporaries(), [""; 0]);
    assert_eq!(place.names(), ["check.sh", "prog.c", "prog.lop.c"]);
}

#[test]
fn an_inline_command_gets_the_candidate_in_many_ways() {
    let place = place();
    for command in [
        &["grep", "-q", "needle", "{}"][..],
        &["grep", "-q", "needle", "@@"],
        &["grep", "-q", "needle", "@@.c"],
        &["grep", "-q", "needle", "prog.c"],
        &["grep", "-q", "needle", "./prog.c"],
        &["grep", "-q", "needle"],
        &["grep -q needle {}"],
        &["grep -q needle < @@.c"],
        &["grep -q needle prog.c && true"],
        &["sh", "-c", "cat \"${0#--in=}\" | grep -q needle", "--in={}"],
    ] {
        reduced_to(&place, &[&["--exit", "0", "prog.c", "--"], command].concat(), "needle");
    }
}

#[test]
fn a_shell_command_gets_a_path_with_blanks_however_it_is_quoted() {
    let place = Place::new();
    let name = "it's a\tfile.c";
    place.write(name, INPUT);
    for command in [
        "grep -q needle {}",
        "grep -q needle '{}'",
        "grep -q needle \"{}\"",
        "cat < @@ | grep -q needle",
        "test -n \"$(grep needle {})\"",
    ] {
        place.lop(["--exit", "0", name, "--", command]).expect(0, &[]);
        assert_eq!(place.squeezed("it's a\tfile.lop.c"), "needle", "{command}");
    }
}

#[test]
fn words_that_name_the_input_are_replaced_by_the_candidate_and_other_files_are_not() {
    let place = Place::new();
    place.write("dir/prog.c", INPUT);
    place.write("patterns", "needle\n");
    let command = ["grep", "-q", "-f", "patterns", "dir/prog.c"];
    place.lop([&["--exit", "0", "dir/prog.c", "--"], &command[..]].concat()).expect(0, &[]);
    assert_eq!(place.squeezed("dir/prog.lop.c"), "needle");
}

#[test]
fn an_exit_code_is_kept() {
    let place = place();
    place.script("check.sh", "grep -q needle prog.c && exit 3; grep -q o prog.c && exit 4; exit 0");
    reduced_to(&place, &["--exit", "3", "./check.sh", "prog.c"], "needle");
    reduced_to(&place, &["--exit", "3", "prog.c", "--", "./check.sh", "{}"], "needle");
}

#[test]
fn a_signal_is_kept() {
    let place = place();
    place
        .script("direct.sh", "grep -q needle prog.c && kill -SEGV $$; grep -q o prog.c && kill $$");
    place.script("child.sh", "sh -c 'grep -q needle prog.c && kill -SEGV $$'; exit $?");
    for script in ["./direct.sh", "./child.sh"] {
        for name in ["SEGV", "sigsegv", "11"] {
            reduced_to(&place, &["--signal", name, "prog.c", "--", script, "{}"], "needle");
        }
    }
}

#[test]
fn all_that_is_asked_of_the_output_is_kept() {
    let place = place();
    place.script("to-stdout.sh", "cat prog.c; cat prog.c | tr a-z A-Z >&2");
    place.script("to-stderr.sh", "cat prog.c >&2; cat prog.c | tr a-z A-Z");
    for stream in ["stdout", "stderr"] {
        let (option, script) = (format!("--{stream}"), format!("./to-{stream}.sh"));
        let args = [&option, "^o.e", &option, "fi.e", "prog.c", "--", &script, "{}"];
        reduced_to(&place, &args, "onefive");
    }
    // `^` and `$` match at line ends, as in grep.
    let line = ["--stdout", "^fo.r$", "./to-stdout.sh", "prog.c"];
    reduced_to(&place, &line, "four");
    // Both streams and the exit code together.
    let both = ["--stdout", "four", "--stderr", "TWO", "--exit", "0", "./to-stdout.sh", "prog.c"];
    reduced_to(&place, &both, "twofour");
}

#[test]
fn a_pattern_that_the_output_must_not_match_never_appears() {
    let place = place();
    for stream in ["stdout", "stderr"] {
        let to = if stream == "stdout" { "" } else { " >&2" };
        let script =
            format!("(grep needle prog.c; grep -q four prog.c || echo invalid){to}; exit 0");
        place.script("check.sh", &script);
        let (wanted, unwanted) = (format!("--{stream}"), format!("--not-{stream}"));
        let args = [&wanted, "needle", &unwanted, "inval.d", "./check.sh", "prog.c"];
        reduced_to(&place, &args, "needlefour");
    }
}

#[test]
fn a_hang_is_kept() {
    let place = place();
    place.script("check.sh", "grep -q needle prog.c && sleep 1000; exit 0");
    // Few candidates hang with this strategy; each of them runs until the time limit.
    let options = ["--hang", "--timeout", "1", "-j4", "--strategy", "ddmin:lines"];
    let said =
        reduced_to(&place, &[&options[..], &["./check.sh", "prog.c"]].concat(), "theneedleishere")
            .stderr;
    assert!(said.contains("still running"), "{said}");
}

#[test]
fn a_hang_of_the_original_is_the_property_of_a_command() {
    let place = place();
    place.script("tool.sh", "grep -q needle prog.c && sleep 1000; exit 3");
    let options = ["--timeout", "1", "-j4", "--strategy", "ddmin:lines"];
    let said = reduced_to(
        &place,
        &[&options[..], &["prog.c", "--", "./tool.sh", "{}"]].concat(),
        "theneedleishere",
    )
    .stderr;
    assert!(said.contains("property of `./tool.sh {}`: out of time"), "{said}");
}

#[test]
fn a_candidate_that_runs_out_of_time_is_not_accepted() {
    let place = place();
    place.script("check.sh", "grep -q needle prog.c || sleep 1000");
    let options = ["--timeout", "1", "-j4", "--strategy", "ddmin:lines"];
    let said =
        reduced_to(&place, &[&options[..], &["./check.sh", "prog.c"]].concat(), "theneedleishere")
            .stderr;
    assert!(said.contains("without an answer"), "{said}");
}

#[test]
fn the_failure_of_the_original_is_the_property_of_a_command() {
    let place = place();
    // The line number and the process id change from run to run; the assertion does not.
    let fails = "fails() { echo \"tool[$$]: note\" >&2; echo \"tool: src/ir.c:$(wc -l < prog.c): f: \
                 Assertion '$1' failed.\" >&2; exit 134; }";
    let which =
        "grep -q needle prog.c && fails 'a == b'; grep -q o prog.c && fails 'a != b'; exit 1";
    place.script("tool.sh", &format!("{fails}\n{which}"));
    let said = reduced_to(&place, &["prog.c", "--", "./tool.sh", "{}"], "needle").stderr;
    assert!(said.contains("property of `./tool.sh {}`"), "{said}");
    assert!(said.contains("exit 134"), "{said}");
    assert!(said.contains("Assertion 'a == b' failed"), "{said}");
    assert!(!said.contains("src/ir.c"), "{said}");
}

#[test]
fn a_plain_exit_code_is_the_property_of_a_command_that_prints_nothing() {
    let place = place();
    place.script("tool.sh", "grep -q needle prog.c && exit 3; grep -q o prog.c && exit 4; exit 0");
    let said = reduced_to(&place, &["prog.c", "--", "./tool.sh", "{}"], "needle").stderr;
    assert!(said.contains("exit 3"), "{said}");
}

#[test]
fn the_output_of_a_test_is_not_mixed_into_that_of_lop() {
    let place = place();
    place.script("check.sh", "echo NOISE; echo NOISE >&2; grep -q needle prog.c");
    for options in [&[][..], &["-v"], &["--json"], &["--stderr", "NOIS.", "--exit", "0"]] {
        let output = place.lop([options, &["./check.sh", "prog.c"]].concat());
        output.expect(0, &[]);
        assert!(!output.stdout.contains("NOISE"), "{}", output.stdout);
        assert!(!output.stderr.contains("NOISE"), "{}", output.stderr);
    }
}
