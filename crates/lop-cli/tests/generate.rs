//! `lop gen` and `lop tmin`: generators in several languages, with and without the protocol, and fuzz targets.

mod common;

use std::path::{Path, PathBuf};

use common::{Output, Place, finished, start};

/// An example of this package, which is built with the tests.
fn example(name: &str) -> String {
    let lop = Path::new(env!("CARGO_BIN_EXE_lop"));
    let path: PathBuf = lop.parent().unwrap().join("examples").join(name);
    assert!(path.exists(), "{} is not built: cargo build --examples", path.display());
    path.display().to_string()
}

/// A place with a test that requires a sum with a number of at least 50 in a maximum.
fn sums() -> Place {
    let place = Place::new();
    place.script("test.sh", r"grep -q 'max(.*(.* + [5-9][0-9])' $1");
    place
}

fn find_sum(place: &Place, more: &[&str]) -> Output {
    let generator = example("expression");
    let args =
        ["gen", "--find", "--seed", "3", "--generator", &generator, "./test.sh", "bug.choices"];
    place.lop(args.iter().chain(more))
}

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).unwrap()
}

#[test]
fn a_case_is_found_and_its_choices_are_reduced() {
    let place = sums();
    find_sum(&place, &[])
        .expect(0, &["is interesting", "choices", "bug.lop.choices", "bug.lop.case"]);
    assert_eq!(text(&place, "bug.lop.case"), "max((0 + 50))\n");
    assert_eq!(text(&place, "bug.lop.choices"), "lop-choices 1\n2\n1\n1\n0\n0\n0\n50\n0\n");
    assert!(text(&place, "bug.choices").contains("# made by `"), "where the choices come from");
    assert_eq!(place.temporaries(), [""; 0], "nothing is left behind");
}

#[test]
fn neither_the_number_of_workers_nor_the_kind_of_process_changes_the_result() {
    let place = sums();
    find_sum(&place, &["-j", "1"]).expect(0, &[]);
    let (found, reduced) = (text(&place, "bug.choices"), text(&place, "bug.lop.choices"));
    for more in [&["-j", "4"][..], &["--server", "-j", "1"], &["--server", "-j", "3"]] {
        find_sum(&place, more).expect(0, &[]);
        assert_eq!(text(&place, "bug.choices"), found, "{more:?}");
        assert_eq!(text(&place, "bug.lop.choices"), reduced, "{more:?}");
    }
}

#[test]
fn a_result_that_is_reduced_again_does_not_change() {
    let place = sums();
    find_sum(&place, &[]).expect(0, &[]);
    let generator = example("expression");
    let args = [
        "gen",
        "--generator",
        &generator,
        "./test.sh",
        "bug.lop.choices",
        "-o",
        "again.choices",
        "--json",
    ];
    let again = place.lop(args);
    again.expect(0, &[]);
    assert!(again.stdout.contains(r#""choices":{"before":8,"after":8,"#), "{}", again.stdout);
    assert_eq!(place.read("again.choices"), place.read("bug.lop.choices"));
}

#[test]
fn a_generator_in_c_speaks_through_the_header() {
    let place = Place::new();
    place.lop(["gen", "--clients", "clients"]).expect(0, &[]);
    place.write(
        "list.c",
        "#include \"clients/lop_choice.h\"\n\
         static void make(FILE *out) {\n\
           lop_list_begin();\n\
           for (size_t n = 0; lop_more(n, 1, 50); n++) fprintf(out, \"%lld\\n\", lop_int(-1000, 1000));\n\
           lop_list_end();\n\
         }\n\
         int main(void) { return lop_serve(make); }\n",
    );
    let compiled =
        start(place.command("cc").args(["-Wall", "-Wextra", "-Werror", "list.c", "-o", "list"]));
    finished(compiled).expect(0, &[]);
    place.script("test.sh", "awk '$1 > 300 { n++ } $1 < -20 { m++ } END { exit !(n && m) }' $1");
    for more in [&[][..], &["--server"]] {
        let args =
            ["gen", "--find", "--seed", "1", "--generator", "./list", "./test.sh", "bug.choices"];
        place.lop(args.iter().chain(more)).expect(0, &[]);
        assert_eq!(text(&place, "bug.lop.case"), "-21\n301\n", "{more:?}");
    }
}

#[test]
fn a_generator_in_python_speaks_through_the_module() {
    let place = Place::new();
    place.executable(
        "make.py",
        "#!/usr/bin/env python3\n\
         import lop_choice\n\
         @lop_choice.span('expression')\n\
         def expression():\n\
         \x20   if lop_choice.boolean(0.4):\n\
         \x20       return '[' + ', '.join(lop_choice.list(expression, most=4)) + ']'\n\
         \x20   return str(lop_choice.integer(0, 99))\n\
         lop_choice.main(lambda: expression() + '\\n')\n",
    );
    place.script("test.sh", r"grep -q '\[.*\[.*[5-9][0-9].*\].*\]' $1");
    for more in [&[][..], &["--server"]] {
        let args = [
            "gen",
            "--find",
            "--seed",
            "1",
            "--generator",
            "./make.py",
            "./test.sh",
            "bug.choices",
        ];
        place.lop(args.iter().chain(more)).expect(0, &[]);
        assert_eq!(text(&place, "bug.lop.case"), "[[50]]\n", "{more:?}");
    }
}

#[test]
fn a_command_can_be_the_test_and_its_failure_is_kept() {
    let place = Place::new();
    let generator = example("expression");
    let check = "if grep -q 'max(.*max(' {}; then echo 'error: nested' >&2; exit 3; fi; if grep -q '9' {}; then echo 'error: nine' >&2; exit 4; fi";
    let args = [
        "gen",
        "--find",
        "--seed",
        "12",
        "--generator",
        &generator,
        "bug.choices",
        "--stderr",
        "nested",
        "--",
        check,
    ];
    place.lop(args).expect(0, &["property of"]);
    assert_eq!(text(&place, "bug.lop.case"), "max(max(0))\n");
}

#[test]
fn messages_name_the_cause_and_the_cure() {
    let place = sums();
    let generator = example("expression");
    let gen_with = |generator: &str, choices: &str| {
        place.lop(["gen", "--generator", generator, "./test.sh", choices])
    };
    gen_with(&generator, "none.choices")
        .expect(6, &["cannot read the choices in `none.choices`", "lop gen --find makes some"]);
    place.write("few.choices", "lop-choices 1\n2\n");
    gen_with(&generator, "few.choices").expect(6, &["too few choices in `few.choices`"]);
    place.write("wrong.choices", "lop-choices 1\n2\nx\n");
    gen_with(&generator, "wrong.choices").expect(6, &["`wrong.choices`, line 3, `x`"]);
    place
        .lop(["gen", "--find", "--generator", "echo 5", "./test.sh", "new.choices"])
        .expect(6, &["drew nothing"]);
    gen_with("echo 5", "few.choices").expect(6, &["drew nothing", "lop gen --clients DIR"]);
    gen_with("./nowhere", "few.choices")
        .expect(5, &["the generator `./nowhere` is neither here nor on the PATH"]);
    place.script("fails.sh", "# LOP_CHOICES\necho 'out of ideas' >&2; exit 9");
    gen_with("./fails.sh", "few.choices")
        .expect(6, &["makes nothing of the choices", "exit 9: out of ideas"]);
    place.write("boring.choices", "lop-choices 1\n0\n5\n");
    gen_with(&generator, "boring.choices").expect(3, &["does not accept the original input"]);
    place.lop(["gen", "./test.sh", "few.choices"]).expect(2, &["--generator"]);
    place
        .lop(["gen", "--generator", &generator, "few.choices"])
        .expect(2, &["a test and a file with choices are needed"]);
}

#[test]
fn nothing_else_is_overwritten() {
    let place = sums();
    find_sum(&place, &["-o", "out.c", "--as", "case.c"])
        .expect(0, &["result:     out.c\n", "test case:  out.c.c\n"]);
    assert!(text(&place, "out.c").starts_with("lop-choices 1"), "the choices");
    assert_eq!(text(&place, "out.c.c"), "max((0 + 50))\n", "the case");
    place.write("precious.sh", "#!/bin/sh\n");
    let generator = example("expression");
    let args = ["gen", "--find", "--generator", &generator, "./test.sh", "precious.sh"];
    place.lop(args).expect(7, &["`precious.sh` is there already and holds no choices"]);
    assert_eq!(text(&place, "precious.sh"), "#!/bin/sh\n");
    find_sum(&place, &["-o", "/dev/stdout"]).expect(7, &["/dev/stdout"]);
}

#[test]
fn a_generator_that_is_not_a_server_is_reported() {
    let place = sums();
    let many: String = std::iter::once("lop-choices 1\n".to_owned())
        .chain((0..60_000).map(|_| "0\n".to_owned()))
        .collect();
    place.write("many.choices", many);
    let server = |generator: &str| {
        let args = [
            "gen",
            "--server",
            "--drive",
            "protocol",
            "--timeout",
            "1",
            "--generator",
            generator,
            "./test.sh",
            "many.choices",
        ];
        place.lop(args)
    };
    server("sleep 1000").expect(6, &["it ran out of time; does it speak"]);
    server("echo made 99999999999999").expect(6, &["is not followed by as many bytes"]);
    server("true").expect(6, &["it stopped before the case was made"]);
}

#[test]
fn the_time_of_a_run_ends_a_generator_that_hangs() {
    let place = Place::new();
    place.script("test.sh", "true");
    place.script("hangs.sh", "# LOP_CHOICES\nsleep 1000");
    place.write("some.choices", "lop-choices 1\n7\n");
    let run = |generator: &str, more: &[&str]| {
        let args =
            ["gen", "--max-time", "1", "--generator", generator, "./test.sh", "some.choices"];
        place.lop(args.iter().chain(more))
    };
    for more in [&[][..], &["--find"], &["--server"]] {
        run("./hangs.sh", more).expect(6, &["made no case in the 1s of --max-time", "by hand"]);
    }
    // It makes a case of these choices only.
    place.script(
        "later.sh",
        "read_it() { sed -n 2p $LOP_CHOICES; }\n[ \"$(read_it)\" = 7 ] || sleep 1000\n\
         echo 'i 0 99 0 7' >> $LOP_EVENTS; echo 7",
    );
    let output = run("./later.sh", &["--json"]);
    output.expect(0, &[]);
    assert_eq!(finished_event(&output)["end"], "max_time");
}

#[test]
fn the_first_interesting_case_is_found_even_if_later_ones_are_known_before_it() {
    let place = Place::new();
    let first = place.path("first");
    // The first interesting case of the run with one worker takes long from then on.
    place.script(
        "test.sh",
        &format!(
            "grep -q '[5-9][0-9]' $1 || exit 1\n[ -e {first} ] || cp $1 {first}\n\
             if cmp -s $1 {first}; then sleep 0.5; fi",
            first = first.display()
        ),
    );
    find_sum(&place, &["-j", "1"]).expect(0, &[]);
    let found = text(&place, "bug.choices");
    find_sum(&place, &["-j", "8"]).expect(0, &[]);
    assert_eq!(text(&place, "bug.choices"), found);
}

#[test]
fn a_search_that_finds_nothing_says_so() {
    let place = Place::new();
    place.script("test.sh", "exit 1");
    let generator = example("expression");
    let args = [
        "gen",
        "--find",
        "--seed",
        "1",
        "--max-tests",
        "20",
        "--generator",
        &generator,
        "./test.sh",
        "bug.choices",
    ];
    place.lop(args).expect(3, &["is interesting", "--max-tests"]);
}

/// Bytes that crash the fuzz target, most of which are not needed for that.
fn crash() -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::new();
    for number in 0..40_u16 {
        bytes.push(1);
        // The kind of the step, then a number.
        bytes.extend((u32::MAX / 16).to_le_bytes());
        bytes.extend((number * 1000).to_le_bytes());
    }
    bytes.push(1);
    bytes.extend((u32::MAX / 8 * 5).to_le_bytes());
    bytes.extend([3, 200]);
    bytes.extend([0; 30]);
    bytes
}

#[test]
fn the_bytes_of_a_fuzz_target_become_fewer_and_smaller() {
    let place = Place::new();
    place.write("crash", crash());
    let target = example("fuzz_target");
    let reduce =
        |jobs: &str| place.lop(["tmin", "-j", jobs, "crash", "--exit", "101", "--", &target, "{}"]);
    reduce("1").expect(0, &["317 → ", "nothing more can be removed", "crash.lop"]);
    let result = place.read("crash.lop");
    reduce("4").expect(0, &[]);
    assert_eq!(place.read("crash.lop"), result, "with any number of workers");
    let shown = finished(start(place.command(&target).arg("crash.lop").env("SHOW", "1")));
    assert_eq!(shown.stdout, "Ok([Push(0), Swap { first: 0, second: 1 }])\n", "{result:?}");
}

/// The last event of a run.
fn finished_event(output: &Output) -> serde_json::Value {
    serde_json::from_str(output.stdout.lines().last().unwrap()).unwrap()
}

#[test]
fn a_run_over_choices_that_was_stopped_is_resumed_and_repeats_no_test() {
    let place = sums();
    find_sum(&place, &["-j", "1"]).expect(0, &[]);
    let generator = example("expression");
    let run = |more: &[&str]| {
        let args = ["gen", "--generator", &generator, "./test.sh", "bug.choices", "--json"];
        let output = place.lop(args.iter().chain(more));
        output.expect(0, &[]);
        finished_event(&output)
    };
    let tests = |event: &serde_json::Value| event["tests"].as_u64().unwrap();
    let whole = run(&["-j", "1"]);
    assert_eq!(whole["end"], "complete");
    assert_eq!(whole["confirmed"], true);
    let result = place.read("bug.lop.choices");
    assert!(!place.path("bug.lop.choices.journal").exists(), "a complete run leaves no journal");
    for (most, jobs) in [("1", "1"), ("7", "1"), ("15", "4")] {
        let first = run(&["--max-tests", most, "-j", jobs]);
        assert_eq!(first["end"], "max_tests");
        assert_eq!(tests(&first).to_string(), most, "the limit counts tests");
        let second = run(&["--resume", "-j", jobs]);
        assert_eq!(place.read("bug.lop.choices"), result);
        assert_eq!(tests(&first) + tests(&second), tests(&whole));
    }
    place
        .lop(["gen", "--generator", &generator, "./test.sh", "bug.choices", "--resume"])
        .expect(9, &["there is no journal"]);
    // The command that is suggested works as it is, also after --find.
    let stopped = find_sum(&place, &["--max-tests", "12"]);
    stopped.expect(0, &["go on with: lop gen --resume --find --seed 3"]);
    find_sum(&place, &["--resume"]).expect(0, &["nothing more can be removed"]);
    assert_eq!(place.read("bug.lop.choices"), result);
    run(&["--max-tests", "1"]);
    place.script("test.sh", "true");
    place
        .lop(["gen", "--generator", &generator, "./test.sh", "bug.choices", "--resume"])
        .expect(9, &["the test changed"]);
}

#[test]
fn the_test_case_is_then_reduced_as_a_file() {
    let place = sums();
    find_sum(&place, &["--then-file", "--as", "case.txt"])
        .expect(0, &["bug.lop.choices", "bug.lop.txt", "bug.lop.file.txt"]);
    assert_eq!(text(&place, "bug.lop.txt"), "max((0 + 50))\n", "what the choices make");
    let file = text(&place, "bug.lop.file.txt");
    assert!(file.len() < text(&place, "bug.lop.txt").len(), "{file}");
    assert!(file.contains("max(") && file.contains("+ "), "{file}");
}

#[test]
fn a_case_whose_test_timed_out_has_another_chance() {
    let place = Place::new();
    let seen = place.path("seen");
    // The least case takes too long when it is tested for the first time.
    place.script(
        "test.sh",
        &format!(
            "grep -q 'max(.*(.* + [5-9][0-9])' $1 || exit 1\n\
             if grep -qx 'max((0 + 50))' $1 && [ ! -e {seen} ]; then touch {seen}; sleep 1.7; fi",
            seen = seen.display()
        ),
    );
    find_sum(&place, &["-j", "1"]).expect(0, &["retrying", "with a longer limit"]);
    assert_eq!(text(&place, "bug.lop.case"), "max((0 + 50))\n");
}

#[test]
fn a_result_that_is_not_interesting_again_is_reported() {
    let place = Place::new();
    let seen = place.path("seen");
    // The least case is interesting once.
    place.script(
        "test.sh",
        &format!(
            "grep -q 'max(.*(.* + [5-9][0-9])' $1 || exit 1\n\
             if grep -qx 'max((0 + 50))' $1; then [ ! -e {seen} ] && touch {seen}; fi",
            seen = seen.display()
        ),
    );
    find_sum(&place, &["-j", "1"]).expect(8, &["was interesting once, but not when"]);
}

#[test]
fn the_bytes_of_a_fuzz_target_are_resumed() {
    let place = Place::new();
    place.write("crash", crash());
    let target = example("fuzz_target");
    let run = |more: &[&str]| {
        let args = ["tmin", "-j", "1", "crash", "--exit", "101", "--json"];
        let output = place.lop(args.iter().chain(more).chain(&["--", &target, "{}"]));
        output.expect(0, &[]);
        finished_event(&output)["tests"].as_u64().unwrap()
    };
    let whole = run(&[]);
    let result = place.read("crash.lop");
    assert_eq!(run(&["--max-tests", "20"]), 20);
    assert_eq!(run(&["--resume"]), whole - 20);
    assert_eq!(place.read("crash.lop"), result);
}
