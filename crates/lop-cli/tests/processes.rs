//! No process that a test started outlives the test, however the test ends and however lop ends.
//!
//! Each script starts a sleeper that leaves its session and its parent. The time that it sleeps identifies it: no
//! other process has this number in its command line.
#![cfg(target_os = "linux")]

mod common;

use std::fs::{self, OpenOptions};
use std::io::{PipeWriter, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::process::Child;
use std::time::Duration;

use common::{Output, Place, finished, signal, start, start_with, until};

const INPUT: &[u8] = b"one\ntwo\nthe needle is here\nfour\nfive\n";

fn place() -> Place {
    let place = Place::new();
    place.write("prog.c", INPUT);
    place
}

/// Shell commands that leave a sleeper behind, in a session of its own and without its parent.
fn leave(sleeper: &str) -> String {
    format!("(setsid sh -c '(setsid sleep {sleeper} &); sleep {sleeper}' &)")
}

/// The number of processes with this word in their command line.
fn alive(word: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let commands = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    commands.filter(|command| String::from_utf8_lossy(command).contains(word)).count()
}

#[track_caller]
fn end_of(mut lop: Child) -> Output {
    until("the end of lop", || lop.try_wait().unwrap().is_some());
    finished(lop)
}

#[test]
fn no_process_is_left_by_a_complete_run() {
    let place = place();
    // The script waits for the sleeper and writes a file, so that there is certainly a process to kill.
    let started = place.outside("started");
    let script = format!(
        "{}; while ! pgrep -f 'sleep 377.101' > /dev/null; do :; done; : > {}; grep -q needle prog.c",
        leave("377.101"),
        started.display()
    );
    place.script("check.sh", &script);
    place.lop(["-j4", "./check.sh", "prog.c"]).expect(0, &[]);
    assert_eq!(alive("377.101"), 0);
    assert!(started.exists());
    assert_eq!(place.squeezed("prog.lop.c"), "needle");
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn no_process_is_left_by_candidates_that_run_out_of_time() {
    let place = place();
    let hang = format!("{{ {}; setsid sleep 377.102; }}", leave("377.102"));
    place.script("check.sh", &format!("{}; grep -q needle prog.c || {hang}", leave("377.102")));
    let options = ["-j4", "--timeout", "1", "--strategy", "ddmin:lines"];
    let output = place.lop([&options[..], &["./check.sh", "prog.c"]].concat());
    output.expect(0, &["without an answer"]);
    assert_eq!(alive("377.102"), 0);
    assert_eq!(place.read("prog.lop.c"), b"the needle is here\n");
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn no_process_is_left_by_a_set_up_that_is_refused() {
    let place = place();
    place.script("check.sh", &format!("{}; exit 1", leave("377.103")));
    place.lop(["./check.sh", "prog.c"]).expect(3, &[]);
    assert_eq!(alive("377.103"), 0);
    assert_eq!(place.temporaries(), [""; 0]);
}

/// A place whose test hangs from its 12th run on, and then writes to a file.
fn hanging_on_the_way(sleeper: &str) -> Place {
    let place = place();
    let lines: String = (0..200).map(|number| format!("line {number}\n")).collect();
    place.write("prog.c", [INPUT, lines.as_bytes()].concat());
    let count = place.outside("count");
    let hang = format!("{{ echo >> {}; sleep {sleeper}; }}", place.outside("hangs").display());
    let script = format!(
        "{}; echo >> {1}; [ $(wc -l < {1}) -lt 12 ] || {hang}; grep -q needle prog.c",
        leave(sleeper),
        count.display()
    );
    place.script("check.sh", &script);
    place
}

fn start_and_hang(place: &Place) -> Child {
    let args = ["-j2", "--timeout", "1000", "./check.sh", "prog.c"];
    let lop = start(place.command(env!("CARGO_BIN_EXE_lop")).args(args));
    until("a hang", || place.outside("hangs").exists());
    lop
}

#[track_caller]
fn is_interrupted(place: &Place, output: &Output, sleeper: &str) {
    output.expect(130, &["interrupted", "prog.lop.c", "lop --resume"]);
    assert_eq!(alive(sleeper), 0);
    assert_eq!(place.temporaries(), [""; 0]);
    assert_eq!(place.names(), ["check.sh", "prog.c", "prog.lop.c", "prog.lop.c.journal"]);
    let result = place.read("prog.lop.c");
    assert!(String::from_utf8_lossy(&result).contains("needle"));
    assert!(result.len() < place.read("prog.c").len());
}

#[test]
fn no_process_is_left_by_an_interrupt() {
    let place = hanging_on_the_way("377.104");
    let lop = start_and_hang(&place);
    signal(&lop, libc::SIGINT);
    is_interrupted(&place, &end_of(lop), "377.104");
}

#[test]
fn no_process_is_left_when_lop_is_asked_to_end() {
    for (number, sleeper) in [(libc::SIGTERM, "377.105"), (libc::SIGHUP, "377.106")] {
        let place = hanging_on_the_way(sleeper);
        let lop = start_and_hang(&place);
        signal(&lop, number);
        is_interrupted(&place, &end_of(lop), sleeper);
    }
}

#[test]
fn a_request_to_end_that_comes_twice_at_once_is_one() {
    let place = hanging_on_the_way("377.114");
    let lop = start_and_hang(&place);
    signal(&lop, libc::SIGTERM);
    // Both together would be one signal.
    std::thread::sleep(Duration::from_millis(5));
    signal(&lop, libc::SIGTERM);
    is_interrupted(&place, &end_of(lop), "377.114");
}

#[test]
fn no_process_is_left_by_an_interrupt_before_anything_is_reduced() {
    let place = place();
    let started = place.outside("started");
    let script = format!("{}; : > {}; sleep 377.107", leave("377.107"), started.display());
    place.script("check.sh", &script);
    let lop = start(place.command(env!("CARGO_BIN_EXE_lop")).args(["./check.sh", "prog.c"]));
    until("the first test", || started.exists());
    signal(&lop, libc::SIGINT);
    end_of(lop).expect(130, &["interrupted"]);
    assert_eq!(alive("377.107"), 0);
    assert_eq!(place.temporaries(), [""; 0]);
    assert_eq!(place.names(), ["check.sh", "prog.c"]);
}

#[test]
fn no_process_is_left_by_interrupts_in_a_row() {
    for _ in 0..5 {
        let place = hanging_on_the_way("377.108");
        let mut lop = start_and_hang(&place);
        until("the end of lop", || {
            let over = lop.try_wait().unwrap().is_some();
            if !over {
                signal(&lop, libc::SIGINT);
            }
            over
        });
        let output = finished(lop);
        assert_eq!(output.code, 130, "{}", output.stderr);
        // The process that is killed last may take a moment to end.
        until("the end of all sleepers", || alive("377.108") == 0);
        let result = place.read("prog.lop.c");
        assert!(String::from_utf8_lossy(&result).contains("needle"));
    }
}

#[test]
fn a_second_interrupt_ends_lop_immediately_and_the_next_run_cleans_up() {
    let place = hanging_on_the_way("377.109");
    // The pipe for the events is full and never read, so lop cannot end by itself.
    let (_reader, writer) = std::io::pipe().unwrap();
    let mut command = place.command(env!("CARGO_BIN_EXE_lop"));
    command.args(["--json", "-j2", "--timeout", "1000", "./check.sh", "prog.c"]);
    let mut lop = start_with(&mut command, writer.try_clone().unwrap());
    until("a hang", || place.outside("hangs").exists());
    fill(&writer);
    signal(&lop, libc::SIGINT);
    until("the end of all sleepers", || alive("377.109") == 0);
    assert!(lop.try_wait().unwrap().is_none());
    signal(&lop, libc::SIGINT);
    end_of(lop).expect(130, &[]);
    assert!(String::from_utf8_lossy(&place.read("prog.lop.c")).contains("needle"));

    place.script("check.sh", "grep -q needle prog.c");
    place.lop(["./check.sh", "prog.c"]).expect(0, &[]);
    assert_eq!(place.temporaries(), [""; 0]);
}

/// Writes to a pipe until it is full. Opens the pipe again, so that only this writer does not block.
fn fill(pipe: &PipeWriter) {
    let path = format!("/proc/self/fd/{}", pipe.as_raw_fd());
    let mut pipe =
        OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path).unwrap();
    while pipe.write(b" ").is_ok() {}
}

/// A place with a server as a generator, in a language that makes it easy to leave a sleeper behind. The server makes a
/// number below 100, and hangs on numbers above 50. The test requires a number above 20.
fn serving(sleeper: &str) -> Place {
    let place = Place::new();
    let script = r#"
        # LOP_CHOICES
        LEAVE > /dev/null
        while ! pgrep -f 'sleep SLEEPER' > /dev/null; do :; done
        while read -r line; do
            case $line in
                lop-choices*) number= ;;
                end)
                    [ -n "$number" ] || { printf '? i 0 99 0\nout\n'; continue; }
                    [ "$number" -ge 0 ] && [ "$number" -le 99 ] || number=0
                    [ "$number" -le 50 ] || { echo >> HANGS; sleep SLEEPER; }
                    printf 'i 0 99 0 %s\nmade %s\n%s\n\n' "$number" $((${#number} + 1)) "$number" ;;
                *) number=${number:-$line} ;;
            esac
        done"#;
    let script = script
        .replace("LEAVE", &leave(sleeper))
        .replace("SLEEPER", sleeper)
        .replace("HANGS", &place.outside("hangs").display().to_string());
    place.script("make.sh", &script);
    place.script("check.sh", "[ $(cat $1) -gt 20 ]");
    place.write("bug.choices", "lop-choices 1\n45\n");
    place.write("hang.choices", "lop-choices 1\n60\n");
    place
}

fn serve(timeout: &str, choices: &str) -> Vec<String> {
    let generator = ["gen", "--server", "-j2", "--timeout", timeout, "--generator", "./make.sh"];
    generator.into_iter().chain(["./check.sh", choices]).map(str::to_owned).collect()
}

#[test]
fn no_process_is_left_by_a_generator_that_makes_many_cases() {
    let place = serving("377.110");
    place.lop(serve("20", "bug.choices")).expect(0, &["bug.lop.choices"]);
    assert_eq!(alive("377.110"), 0);
    assert_eq!(place.read("bug.lop.case"), b"21\n");
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn no_process_is_left_by_a_generator_that_runs_out_of_time() {
    let place = serving("377.111");
    place.lop(serve("1", "hang.choices")).expect(6, &["it ran out of time"]);
    assert!(place.outside("hangs").exists());
    assert_eq!(alive("377.111"), 0);
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn no_process_is_left_by_a_generator_that_is_interrupted() {
    let place = serving("377.112");
    let args = serve("1000", "hang.choices");
    let lop = start(place.command(env!("CARGO_BIN_EXE_lop")).args(args));
    until("a hang", || place.outside("hangs").exists());
    signal(&lop, libc::SIGINT);
    end_of(lop).expect(130, &["interrupted"]);
    assert_eq!(alive("377.112"), 0);
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn no_process_is_left_by_a_generator_after_interrupts_in_a_row() {
    for _ in 0..3 {
        let place = serving("377.113");
        let args = serve("1000", "hang.choices");
        let mut lop = start(place.command(env!("CARGO_BIN_EXE_lop")).args(args));
        until("a hang", || place.outside("hangs").exists());
        until("the end of lop", || {
            let over = lop.try_wait().unwrap().is_some();
            if !over {
                signal(&lop, libc::SIGINT);
            }
            over
        });
        assert_eq!(finished(lop).code, 130);
        until("the end of all sleepers", || alive("377.113") == 0);
    }
}
