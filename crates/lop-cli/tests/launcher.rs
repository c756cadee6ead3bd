//! `--launcher`: tests that another program launches.

mod common;

use std::fs;

use common::{INPUT, Output, Place, place};

/// A program that does as ssh does: what is behind the host is joined by blanks and read by a shell, elsewhere and with another environment.
const SSH: &str = "shift; cd /; exec env -i PATH=\"$PATH\" sh -c \"$*\"";

/// Launchers that run the test on this machine.
const LAUNCHERS: [&str; 7] = [
    "env {}",
    "nice -n 1 {}",
    "sh -c 'exec \"$@\"' sh {}",
    "sh -c '\"$@\"' sh {}",
    "sh -c {quoted}",
    "setsid -w {}",
    "./ssh board 'cd {dir} && {quoted}; exit $?'",
];

fn run(place: &Place, launcher: &str, rest: &[&str]) -> Output {
    place.script("ssh", SSH);
    place.lop([&["--launcher", launcher][..], rest].concat())
}

#[test]
fn the_result_and_the_number_of_tests_are_those_of_a_run_without_a_launcher() {
    let place = place();
    place.script("check.sh", "grep -q needle prog.c && [ \"$1\" = \"$PWD/prog.c\" ]");
    let figures = |output: &Output| {
        let line = output.stderr.lines().find(|line| line.contains(" tests in ")).unwrap();
        line.split(" tests in ").next().unwrap().to_owned()
    };
    let plain = place.lop(["-j1", "./check.sh", "prog.c"]);
    plain.expect(0, &[]);
    let result = place.read("prog.lop.c");
    for launcher in LAUNCHERS {
        let output = run(&place, launcher, &["-j1", "./check.sh", "prog.c"]);
        output.expect(0, &[]);
        assert_eq!(place.read("prog.lop.c"), result, "{launcher}");
        assert_eq!(figures(&output), figures(&plain), "{launcher}");
    }
}

#[test]
fn exit_codes_and_output_come_back() {
    for launcher in LAUNCHERS {
        let place = place();
        let rest = [
            "prog.c",
            "--exit",
            "7",
            "--stdout",
            "ye+s",
            "--",
            "grep -q needle {} && echo yees && exit 7",
        ];
        run(&place, launcher, &rest).expect(0, &[]);
        assert_eq!(place.squeezed("prog.lop.c"), "needle", "{launcher}");
    }
}

#[test]
fn a_signal_comes_back_where_the_launcher_becomes_the_test_or_reports_it_as_shells_do() {
    // setsid takes a signal for an exit code.
    for launcher in LAUNCHERS.into_iter().filter(|it| !it.starts_with("setsid")) {
        let place = place();
        let rest = [
            "prog.c",
            "--signal",
            "SEGV",
            "--",
            "sh",
            "-c",
            "grep -q needle \"$1\" && kill -SEGV $$",
            "sh",
            "{}",
        ];
        run(&place, launcher, &rest).expect(0, &[]);
        assert_eq!(place.squeezed("prog.lop.c"), "needle", "{launcher}");
    }
}

#[test]
fn words_with_blanks_quotes_and_dollars_reach_the_test_as_they_are() {
    for launcher in LAUNCHERS {
        let place = Place::new();
        place.write("a 'b' $c;d.txt", INPUT);
        place.script(
            "check.sh",
            "[ \"$2\" = \"it's \\$HOME; \\\"x\\\"\" ] && grep -q needle -- \"$1\"",
        );
        let rest = [
            "a 'b' $c;d.txt",
            "-o",
            "out",
            "--exit",
            "0",
            "--",
            "./check.sh",
            "{}",
            "it's $HOME; \"x\"",
        ];
        run(&place, launcher, &rest).expect(0, &[]);
        assert_eq!(place.squeezed("out"), "needle", "{launcher}");
    }
}

#[test]
fn a_directory_for_temporary_files_with_a_blank_in_its_name_is_quoted() {
    let place = place();
    place.script("ssh", SSH);
    let tmp = place.outside("t m p");
    fs::create_dir(&tmp).unwrap();
    let mut lop = place.command(env!("CARGO_BIN_EXE_lop"));
    let template = "./ssh board 'cd {dir} && test -f {file} && {quoted}; exit $?'";
    lop.args(["--launcher", template, "prog.c", "--exit", "0", "--", "grep", "-q", "needle", "{}"]);
    let output = common::finished(common::start(lop.env("TMPDIR", &tmp)));
    output.expect(0, &[]);
    assert_eq!(place.squeezed("prog.lop.c"), "needle");
}

#[test]
fn the_candidate_is_on_standard_input_for_machines_that_do_not_see_its_file() {
    let place = place();
    let rest = ["prog.c", "--exit", "0", "--", "grep", "-q", "needle"];
    run(&place, "./ssh board {quoted}", &rest).expect(0, &[]);
    assert_eq!(place.squeezed("prog.lop.c"), "needle");
}

#[cfg(target_os = "linux")]
#[test]
fn time_limits_reach_through_a_launcher_and_nothing_is_left() {
    for launcher in LAUNCHERS {
        let place = place();
        // No other process has this number in its command line.
        place.script("check.sh", "grep -q needle prog.c || { sleep 377.301; exit 1; }");
        let rest = ["-j4", "--timeout", "1", "--strategy", "ddmin:lines", "./check.sh", "prog.c"];
        run(&place, launcher, &rest).expect(0, &["without an answer"]);
        assert_eq!(place.read("prog.lop.c"), b"the needle is here\n", "{launcher}");
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let lines = processes.filter_map(|it| fs::read(it.path().join("cmdline")).ok());
        let left = lines.filter(|line| String::from_utf8_lossy(line).contains("377.301"));
        assert_eq!(left.count(), 0, "{launcher}");
    }
}

#[test]
fn a_launcher_that_fails_now_and_then_changes_nothing_but_the_time() {
    let place = place();
    place.script("check.sh", "grep -q needle prog.c");
    place.lop(["-j1", "./check.sh", "prog.c"]).expect(0, &[]);
    let result = place.read("prog.lop.c");
    // Its name tells that 255 is its own failure; every third call fails.
    let count = place.outside("count");
    let fails = format!(
        "n=$(wc -l < {0}); echo >> {0}; [ $((n % 3)) -ne 1 ] || {{ echo 'connection refused' >&2; exit 255; }}; {SSH}",
        count.display()
    );
    fs::write(&count, "").unwrap();
    place.script("bin/ssh", &fails);
    place.script("bin/other", &fails);
    let template = |name: &str| format!("bin/{name} board 'cd {{dir}} && {{quoted}}; exit $?'");
    let run = |name: &str, more: &[&str]| {
        let template = template(name);
        place.lop([&["--launcher", &template], more, &["-j1", "./check.sh", "prog.c"]].concat())
    };
    run("ssh", &[]).expect(0, &[]);
    assert_eq!(place.read("prog.lop.c"), result);
    run("other", &["--launcher-fails", "7,255"]).expect(0, &[]);
    assert_eq!(place.read("prog.lop.c"), result);
    // Nobody knows what the exit code of this one means: the original is now boring, now interesting.
    run("other", &[]).expect(8, &["is flaky"]);
    run("ssh", &["--launcher-fails", "none"]).expect(8, &["is flaky"]);
}

#[test]
fn a_launcher_that_always_fails_ends_the_run_with_its_words() {
    let place = place();
    place.script("check.sh", "exit 0");
    place.script("bin/ssh", "echo 'ssh: connect to host board: Connection refused' >&2; exit 255");
    let output = place.lop(["--launcher", "bin/ssh board {quoted}", "./check.sh", "prog.c"]);
    output.expect(5, &["the launcher `bin/ssh board {quoted}` failed: exit 255, “ssh: connect to host board: Connection refused”"]);
}

#[test]
fn a_launcher_that_disappears_ends_the_run_and_the_best_is_kept() {
    let place = place();
    let count = place.outside("count");
    fs::write(&count, "").unwrap();
    let script = format!(
        "echo >> {0}; [ $(wc -l < {0}) -lt 9 ] || rm -f launch; exec \"$@\"",
        count.display()
    );
    place.script(
        "launch",
        &script.replace("rm -f launch", &format!("rm -f {}", place.path("launch").display())),
    );
    place.script("check.sh", "grep -q needle prog.c");
    let output = place.lop(["-j1", "--launcher", "./launch {}", "./check.sh", "prog.c"]);
    output.expect(5, &["cannot run the test `./check.sh`", "No such file", "lop --resume goes on"]);
    assert!(String::from_utf8_lossy(&place.read("prog.lop.c")).contains("needle"));
}

#[test]
fn doctor_and_compare_launch_tests_too() {
    let place = place();
    let log = place.outside("log");
    place.script("launch", &format!("echo >> {}; exec \"$@\"", log.display()));
    place.script("check.sh", "grep -q needle prog.c");
    for words in [&["doctor"][..], &["compare", "--strategies", "ddmin:lines"]] {
        let _ = fs::remove_file(&log);
        let args = [words, &["--launcher", "./launch {}", "./check.sh", "prog.c"]].concat();
        place.lop(&args);
        assert!(log.exists(), "{words:?}");
    }
}
