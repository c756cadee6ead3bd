//! Set-ups that cannot work: lop detects each before the reduction, prints a message with the cure, exits with the
//! right code, and changes nothing on disk.

mod common;

use std::fs;
use std::path::Path;

use common::{Output, Place, finished, start};

const INPUT: &[u8] = b"one\ntwo\nthe needle is here\nfour\nfive\n";
const NEEDLE: &str = "grep -q needle prog.c";

/// A place with an input and a test that requires a needle.
fn place() -> Place {
    let place = Place::new();
    place.write("prog.c", INPUT);
    place.script("check.sh", NEEDLE);
    place
}

/// Runs lop and checks that it gives up with this code and message and leaves no trace.
#[track_caller]
fn refused(place: &Place, args: &[&str], code: i32, essentials: &[&str]) {
    refused_by(place, |place| place.lop(args), code, essentials);
}

#[track_caller]
fn refused_by(place: &Place, lop: impl Fn(&Place) -> Output, code: i32, essentials: &[&str]) {
    let before = place.names();
    let output = lop(place);
    output.expect(code, essentials);
    assert_eq!(output.stdout, "");
    assert_eq!(place.names(), before);
    assert_eq!(place.temporaries(), [""; 0]);
    // The test of an unreadable input compares it itself.
    if before.iter().any(|name| name == "prog.c") && fs::File::open(place.path("prog.c")).is_ok() {
        assert_eq!(place.read("prog.c"), INPUT);
    }
}

#[test]
fn an_original_that_is_not_interesting() {
    let place = place();
    place.script("check.sh", "echo first >&2; echo 'prog.c:3: cannot parse this' >&2; exit 7");
    let by_hand = format!("cp {} .", place.path("prog.c").display());
    let essentials = [
        "`./check.sh`",
        "`prog.c`",
        "exit 7",
        "prog.c:3: cannot parse this",
        "by hand",
        "empty directory",
        &by_hand,
    ];
    refused(&place, &["./check.sh", "prog.c"], 3, &essentials);
}

#[test]
fn an_original_without_the_property() {
    let place = place();
    let args = ["--exit", "0", "--stdout", "abc+", "prog.c", "--", "cat", "{}"];
    refused(&place, &args, 3, &["`cat {}`", "`prog.c`", "exit 0", "abc+", "the needle is here"]);
}

#[test]
fn a_command_is_shown_as_it_can_be_typed() {
    let args = ["--exit", "3", "prog.c", "--", "sh", "-c", "cat \"$0\"", "{}"];
    let essentials = ["`sh -c 'cat \"$0\"' {}`", "sh -c 'cat \"$0\"' prog.c < prog.c"];
    refused(&place(), &args, 3, &essentials);
}

#[test]
fn an_original_that_takes_too_long() {
    let place = place();
    place.script("check.sh", "sleep 1000");
    let args = ["--timeout", "100ms", "./check.sh", "prog.c"];
    refused(&place, &args, 3, &["`./check.sh`", "--timeout", "--hang"]);
}

#[test]
fn what_lop_waits_for_is_said_if_the_original_takes_long() {
    let place = place();
    place.script("check.sh", "sleep 1000");
    let args = ["--timeout", "6", "./check.sh", "prog.c"];
    refused(&place, &args, 3, &["still running on the original; it may take 6 s", "--timeout"]);
}

#[test]
fn a_test_that_hangs_runs_once_and_no_longer_than_the_whole_run() {
    let place = place();
    let runs = place.outside("runs");
    place.script("check.sh", &format!("echo >> {}; sleep 1000", runs.display()));
    let args = ["--max-time", "300ms", "-j1", "./check.sh", "prog.c"];
    refused(&place, &args, 3, &["it ran out of time", "--timeout"]);
    assert_eq!(std::fs::read_to_string(runs).unwrap(), "\n");
}

#[test]
fn an_inline_command_that_does_not_fail() {
    refused(&place(), &["prog.c", "--", "true", "{}"], 3, &["`true {}`", "--exit", "--stderr"]);
}

#[test]
fn an_empty_file_that_is_interesting() {
    let place = place();
    place.script("check.sh", "exit 0");
    let args = ["./check.sh", "prog.c"];
    refused(
        &place,
        &args,
        4,
        &["empty file", "seems not to open the candidate", "--allow-trivial"],
    );
    place.script("check.sh", "cat prog.c");
    refused(&place, &args, 4, &["empty file", "stricter", "--allow-trivial"]);
    let args = ["prog.c", "--", "ls", "missing"];
    refused(&place, &args, 4, &["empty file", "write {} where it takes the file"]);

    let output = place.lop(["--allow-trivial", "./check.sh", "prog.c"]);
    output.expect(0, &["accepts the empty file"]);
    assert_eq!(place.read("prog.lop.c"), b"");
    assert_eq!(place.read("prog.c"), INPUT);
}

#[test]
fn a_test_that_is_not_executable() {
    let place = place();
    place.chmod("check.sh", 0o644);
    let essentials = ["`./check.sh` is not executable", "chmod +x ./check.sh"];
    refused(&place, &["./check.sh", "prog.c"], 5, &essentials);
}

#[test]
fn a_test_that_does_not_exist() {
    let place = place();
    let essentials = ["`./nowhere.sh` does not exist", "lop TEST FILE"];
    refused(&place, &["./nowhere.sh", "prog.c"], 5, &essentials);
    refused(&place, &["nowhere.sh", "prog.c"], 5, &["`nowhere.sh`", "PATH", "lop TEST FILE"]);
}

#[test]
fn a_test_that_is_a_directory() {
    let place = place();
    fs::create_dir(place.path("tests")).unwrap();
    refused(&place, &["./tests", "prog.c"], 5, &["`./tests` is a directory", "lop TEST FILE"]);
}

#[test]
fn a_test_whose_interpreter_is_missing() {
    let place = place();
    for (first_line, name) in [
        ("#!/nowhere/nonexistent-shell", "`/nowhere/nonexistent-shell`"),
        ("#! /nowhere/nonexistent-shell -e", "`/nowhere/nonexistent-shell`"),
        ("#!/usr/bin/env nonexistent-thing", "`nonexistent-thing`"),
        ("#!/usr/bin/env -S nonexistent-thing -x", "`nonexistent-thing`"),
    ] {
        place.executable("check.sh", &format!("{first_line}\n{NEEDLE}\n"));
        refused(&place, &["./check.sh", "prog.c"], 5, &["./check.sh", name, "first line"]);
    }
}

#[test]
fn a_test_with_windows_line_endings() {
    let place = place();
    for first_line in ["#!/bin/sh", "#!/bin/sh -e", "#!/usr/bin/env sh"] {
        place.executable("check.sh", &format!("{first_line}\r\n{NEEDLE}\r\n"));
        refused(&place, &["./check.sh", "prog.c"], 5, &["Windows line endings", "sed -i"]);
    }
}

#[test]
fn a_test_without_an_interpreter_is_read_by_the_shell() {
    let place = place();
    place.executable("check.sh", &format!("{NEEDLE}\n"));
    place.lop(["./check.sh", "prog.c"]).expect(0, &[]);
    assert_eq!(place.squeezed("prog.lop.c"), "needle");
}

#[test]
fn an_inline_command_that_does_not_exist() {
    let place = place();
    let essentials = ["nonexistent-compiler", "PATH"];
    refused(&place, &["prog.c", "--", "nonexistent-compiler", "{}"], 5, &essentials);
    refused(&place, &["prog.c", "--", "./nowhere", "{}"], 5, &["`./nowhere` does not exist"]);
}

#[test]
fn an_input_that_does_not_exist() {
    let essentials = ["`nowhere.c` does not exist", "lop TEST FILE"];
    refused(&place(), &["./check.sh", "nowhere.c"], 6, &essentials);
}

#[test]
fn a_directory_that_is_empty_or_not_alone() {
    let place = place();
    fs::create_dir(place.path("sources")).unwrap();
    refused(&place, &["./check.sh", "sources"], 6, &["`sources` has no files"]);
    let essentials = ["`sources` is a directory", "lop TEST DIR"];
    refused(&place, &["./check.sh", "prog.c", "sources"], 6, &essentials);
}

#[test]
fn several_files_where_one_is_needed() {
    let place = place();
    place.write("other.c", "int x;\n");
    let files = ["./check.sh", "prog.c", "other.c"];
    let with = |options: &[&'static str]| [options, &files[..]].concat();
    refused(&place, &with(&["--format", "cat"]), 2, &["one formatter", "--format"]);
    refused(&place, &with(&["--language", "c"]), 2, &["several files", "--language"]);
    place.write("full/of/files", "x");
    refused(&place, &with(&["-o", "full"]), 7, &["`full` is there already"]);
    let same = ["./check.sh", "prog.c", "./prog.c"];
    refused(&place, &same, 6, &["have the name `prog.c`", "lop TEST DIR"]);
}

#[test]
fn rules_that_are_wrong() {
    let place = place();
    place.write("my.rules", "(if_statement) @it\n=> ;\n\n(if_statment) @it\n=> ;\n");
    let rules = ["--rules", "my.rules", "./check.sh", "prog.c"];
    refused(&place, &rules, 2, &["my.rules:4:2: ", "if_statment", "`lop tree`"]);
    refused(&place, &["--rules", "none", "./check.sh", "prog.c"], 2, &["cannot read", "`none`"]);
    let text = ["--rules", "my.rules", "--language", "text", "./check.sh", "prog.c"];
    refused(&place, &text, 2, &["--rules", "`text`", "--language"]);
}

#[test]
fn a_corpus_in_another_language_or_without_files() {
    let place = place();
    place.write("notes.txt", "nothing to learn");
    let none = ["--corpus", "notes.txt", "./check.sh", "prog.c"];
    refused(&place, &none, 2, &["the corpus `notes.txt`", "the input's language, c"]);
    let missing = ["--corpus", "none.c", "./check.sh", "prog.c"];
    refused(&place, &missing, 2, &["the corpus `none.c`", "--corpus"]);
}

#[test]
fn an_input_that_is_a_pipe() {
    let place = place();
    assert!(place.command("mkfifo").arg("pipe").status().unwrap().success());
    refused(&place, &["./check.sh", "pipe"], 6, &["`pipe` is not a regular file"]);
}

#[test]
fn an_output_that_is_a_device() {
    for output in ["/dev/null", "/dev/stdout", "/proc/self/fd/1"] {
        let args = ["-o", output, "./check.sh", "prog.c"];
        refused(&place(), &args, 7, &["is not a regular file"]);
    }
}

#[test]
fn an_input_that_is_empty() {
    let place = place();
    place.write("empty.c", "");
    refused(&place, &["./check.sh", "empty.c"], 6, &["`empty.c` is empty", "nothing to reduce"]);
    assert_eq!(place.read("empty.c"), b"");
}

#[test]
fn an_input_that_cannot_be_read() {
    let place = place();
    place.chmod("prog.c", 0o000);
    let lop = |place: &Place| place.lop_unprivileged(&["./check.sh", "prog.c"]);
    refused_by(&place, lop, 6, &["cannot read the input `prog.c`", "chmod +r prog.c"]);
    place.chmod("prog.c", 0o600);
    assert_eq!(place.read("prog.c"), INPUT);
}

#[test]
fn an_output_in_a_directory_that_does_not_exist() {
    let args = ["-o", "nowhere/out.c", "./check.sh", "prog.c"];
    refused(&place(), &args, 7, &["`nowhere/out.c`", "mkdir -p nowhere"]);
}

#[test]
fn an_output_that_is_a_directory() {
    let place = place();
    fs::create_dir(place.path("results")).unwrap();
    let essentials = ["`results` is a directory", "-o results/prog.lop.c"];
    refused(&place, &["-o", "results", "./check.sh", "prog.c"], 7, &essentials);
    assert_eq!(fs::read_dir(place.path("results")).unwrap().count(), 0);
}

#[test]
fn an_output_that_is_the_input() {
    let place = place();
    std::os::unix::fs::symlink("prog.c", place.path("link.c")).unwrap();
    for output in ["prog.c", "./prog.c", "link.c"] {
        let args = ["-o", output, "./check.sh", "prog.c"];
        refused(&place, &args, 2, &[output, "the input itself", "--in-place"]);
    }
}

#[test]
fn an_output_in_a_directory_that_cannot_be_written() {
    let place = place();
    fs::create_dir(place.path("closed")).unwrap();
    place.chmod("closed", 0o500);
    let args = ["-o", "closed/out.c", "./check.sh", "prog.c"];
    let essentials = ["`closed/out.c`", "ermission denied", "-o OUT"];
    refused_by(&place, |place| place.lop_unprivileged(&args), 7, &essentials);
    assert_eq!(fs::read_dir(place.path("closed")).unwrap().count(), 0);
}

#[test]
fn temporary_files_that_cannot_be_written() {
    let place = place();
    let lop = |place: &Place| {
        let mut command = place.command(env!("CARGO_BIN_EXE_lop"));
        command.env("TMPDIR", place.path("nowhere")).args(["./check.sh", "prog.c"]);
        finished(start(&mut command))
    };
    refused_by(&place, lop, 5, &["nowhere", "set TMPDIR"]);
}

#[test]
fn a_disk_that_is_too_full_for_the_result() {
    let place = place();
    let input = large();
    place.write("prog.c", &input);
    let Some((output, left)) = with_little_room(&place, "-o full/out.c ./check.sh prog.c") else {
        return;
    };
    output.expect(7, &["`full/out.c`", "disk is full", "-o OUT"]);
    assert_eq!(left, "");
    assert_eq!(place.read("prog.c"), input);
}

#[test]
fn a_disk_that_is_too_full_for_a_backup() {
    let place = place();
    let input = large();
    place.write("prog.c", &input);
    // The input just fits on the disk, so there is no room for a backup.
    let lop = "cp prog.c full && lop --in-place ./check.sh full/prog.c; code=$?; \
               cmp prog.c full/prog.c && rm full/prog.c && exit $code; exit 99";
    let Some((output, left)) = in_little_room(&place, 400, lop) else { return };
    output.expect(7, &["full/prog.c", "disk is full"]);
    assert_eq!(left, "");
}

#[test]
fn a_disk_that_is_too_full_for_the_tests() {
    let place = place();
    let input = large();
    place.write("prog.c", &input);
    let lop = "TMPDIR=$PWD/full lop ./check.sh prog.c";
    let Some((output, left)) = in_little_room(&place, 64, lop) else { return };
    output.expect(5, &["`./check.sh`", "disk is full", "TMPDIR"]);
    assert_eq!(left, "");
    assert_eq!(place.names(), ["check.sh", "full", "left", "prog.c"]);
    assert_eq!(place.read("prog.c"), input);
}

#[test]
fn a_disk_that_is_full_on_the_way_keeps_an_interesting_result() {
    let place = place();
    // Interesting files have at least 30,000 bytes, and the disk has no room for two of them.
    place.script("check.sh", "[ $(wc -c < prog.c) -ge 30000 ] && grep -q needle prog.c");
    let input = &large()[..40_000];
    place.write("prog.c", input);
    let lop = "lop -o full/out.c ./check.sh prog.c; code=$?; cp full/out.c out.c; exit $code";
    let Some((output, _)) = in_little_room(&place, 64, lop) else { return };
    output.expect(7, &["`full/out.c`", "disk is full"]);
    assert_eq!(place.read("out.c"), input);
    assert_eq!(place.read("prog.c"), input);
}

/// An input with its needle at the start that does not fit on a small disk.
fn large() -> Vec<u8> {
    let filler = (0..20_000).map(|number| format!("line {number}\n")).collect::<String>();
    [INPUT, filler.as_bytes()].concat()
}

fn with_little_room(place: &Place, args: &str) -> Option<(Output, String)> {
    in_little_room(place, 64, &format!("lop {args}"))
}

/// Runs shell commands with a small disk at `full`; also returns the names of the files that are left on it. No other
/// process sees the disk, and it disappears with the commands, whatever happens to this test.
fn in_little_room(place: &Place, kilobytes: u32, commands: &str) -> Option<(Output, String)> {
    fs::create_dir(place.path("full")).unwrap();
    let mount = format!("mount -t tmpfs -o size={kilobytes}k tmpfs full");
    let script = format!(
        "{mount} || exit 77; lop() {{ {} \"$@\"; }}; ({commands}); code=$?; ls -A full > left; exit $code",
        env!("CARGO_BIN_EXE_lop")
    );
    let flags: &[&str] = if place.is_root() { &["-m"] } else { &["-r", "-m"] };
    let output = if Path::new("/usr/bin/unshare").exists() {
        finished(start(place.command("unshare").args(flags).args(["sh", "-c", &script])))
    } else {
        Output { code: 1, stdout: String::new(), stderr: "there is no unshare".into() }
    };
    if !place.path("left").exists() {
        println!("skipped: no small disk can be mounted here: {}", output.stderr);
        return None;
    }
    let left = String::from_utf8(place.read("left")).unwrap();
    Some((output, left))
}

#[test]
fn options_that_do_not_exist() {
    let args = ["--alow-trivial", "./check.sh", "prog.c"];
    refused(&place(), &args, 2, &["--alow-trivial", "--allow-trivial"]);
}

#[test]
fn options_that_make_no_sense() {
    let place = place();
    for (options, essentials) in [
        (&["--hang"][..], &["--timeout"][..]),
        (&["--timeout", "soon"], &["soon", "500ms"]),
        (&["--timeout", "0"], &["more than nothing"]),
        (&["--memory", "much"], &["much", "2G"]),
        (&["--signal", "NOISE"], &["NOISE"]),
        (&["--stderr", "(unclosed"], &["(unclosed", "unclosed group"]),
        (&["--confirm", "5/2"], &["5/2", "two of five"]),
        (&["-o", "out.c", "--in-place"], &["--in-place"]),
        (&["--exit", "256"], &["0..=255"]),
        (&["-j", "0"], &["1..=1024"]),
        (&["--fast", "--thorough"], &["--thorough"]),
        (&["--fast", "--strategy", "hdd"], &["--strategy"]),
        (&["--keep", "("], &["--keep", "unclosed group"]),
    ] {
        refused(&place, &[options, &["./check.sh", "prog.c"]].concat(), 2, essentials);
    }
}

#[test]
fn words_that_are_too_few_or_too_many() {
    let place = place();
    let usage = ["lop TEST FILE", "lop FILE -- COMMAND {}"];
    refused(&place, &[], 2, &usage);
    refused(&place, &["prog.c"], 2, &usage);
    refused(&place, &["--", "cat", "{}"], 2, &usage);
    refused(&place, &["./check.sh", "prog.c", "other.c"], 6, &["`other.c` does not exist"]);
    let essentials = [&usage[..], &["both a test and a command"]].concat();
    refused(&place, &["./check.sh", "prog.c", "--", "cat", "{}"], 2, &essentials);
}

#[test]
fn a_test_and_a_file_that_are_swapped() {
    let essentials = ["the test comes first: lop ./check.sh prog.c"];
    refused(&place(), &["prog.c", "./check.sh"], 5, &essentials);
}

#[test]
fn a_candidate_with_another_extension() {
    let args = ["prog.c", "--", "grep", "-q", "needle", "@@.cpp"];
    refused(&place(), &args, 2, &["`@@.cpp`", "`prog.c`", "extension"]);
}

#[test]
fn nothing_to_resume() {
    let place = place();
    refused(&place, &["--resume"], 9, &["no run to resume"]);
    let essentials = ["prog.lop.c.journal", "without --resume"];
    refused(&place, &["--resume", "./check.sh", "prog.c"], 9, &essentials);
}

/// A place whose test accepts the needle in every second run only.
fn flaky() -> Place {
    let place = place();
    let counter = place.outside("counter");
    fs::write(&counter, "0").unwrap();
    let count = format!("n=$(cat {0}); echo $((n + 1)) > {0}", counter.display());
    place.script("check.sh", &format!("{count}; {NEEDLE} && [ $((n % 2)) -eq 0 ]"));
    place
}

#[test]
fn a_flaky_test() {
    let essentials = ["`./check.sh` is flaky", "2 of 3", "--confirm"];
    refused(&flaky(), &["-j1", "./check.sh", "prog.c"], 8, &essentials);
}

#[test]
fn a_flaky_test_works_with_several_runs() {
    let place = flaky();
    let output = place.lop(["-j1", "--confirm", "2/6", "./check.sh", "prog.c"]);
    output.expect(0, &["flaky", "2/6"]);
    assert_eq!(place.squeezed("prog.lop.c"), "needle");
    assert_eq!(place.read("prog.c"), INPUT);
}

#[test]
fn a_flaky_test_that_does_not_reach_the_votes() {
    let essentials = ["3/3", "--confirm N/M"];
    refused(&flaky(), &["-j1", "--confirm", "3", "./check.sh", "prog.c"], 8, &essentials);
}

#[test]
fn a_result_that_is_not_interesting_when_it_is_tested_again() {
    let place = place();
    let seen = place.outside("seen");
    // The result is the only candidate that is tested twice.
    let once = format!("[ ! -e {0} ] && : > {0}", seen.display());
    place.script(
        "check.sh",
        &format!("{NEEDLE} || exit 1; [ $(wc -c < prog.c) -gt 7 ] || {{ {once}; }}"),
    );
    let output = place.lop(["-j1", "./check.sh", "prog.c"]);
    output.expect(8, &["`prog.lop.c`", "tested again", "--confirm"]);
    assert_eq!(place.squeezed("prog.lop.c"), "needle");
    assert_eq!(place.read("prog.c"), INPUT);
}

#[test]
fn a_command_that_runs_the_original_is_told_to_name_the_candidate() {
    let place = Place::new();
    std::fs::create_dir(place.path("shop")).unwrap();
    place.write("shop/report.sh", "echo broken; exit 3\n");
    let output = place.lop(["shop", "--exit", "3", "--", "sh", "shop/report.sh"]);
    output.expect(4, &["accepts empty files", "write {} where the command names the input"]);
}

#[test]
fn several_files_with_nothing_in_them_are_refused_as_the_empty_file_is() {
    let place = Place::new();
    for name in ["fixed", "open"] {
        std::fs::create_dir_all(place.path("d")).unwrap();
        place.write(format!("d/{name}"), "text\n");
    }
    let run = |more: &[&str]| place.lop([&["d", "--fixed", "fixed", "--exit", "0"], more].concat());
    run(&["--", "grep -q text d/fixed"]).expect(4, &["accepts empty files too"]);
    run(&["--", "test -f d/open"]).expect(4, &["accepts empty files too"]);
    run(&["--allow-trivial", "--", "test -f d/open"]).expect(0, &["note", "accepts empty files"]);
    run(&["--", "grep -q text d/open"]).expect(0, &[]);
}

#[test]
fn the_part_of_the_output_that_is_offered_as_a_pattern_is_in_that_of_candidates() {
    let place = Place::new();
    place.write("in.txt", "one\ntwo\nx\n");
    place.script(
        "tool",
        "grep -q x \"$1\" && echo \"tool: $PWD/$1 (3) was  not read [or so]\" && exit 3",
    );
    let run =
        |options: &[&str]| place.lop([&["in.txt"], options, &["--", "./tool", "{}"]].concat());
    let offered = "--stdout '\\(3\\) was  not read \\[or so\\]'";
    run(&["--with", "tool"]).expect(0, &["only `exit 3` is kept", offered]);
    let pattern = offered.trim_start_matches("--stdout ").trim_matches('\'');
    run(&["--with", "tool", "--force", "--stdout", pattern]).expect(0, &[]);
}
