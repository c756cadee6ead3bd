//! Tests that stay: `--serve`, its helpers, and the advice to use it.

mod common;

use std::process::Command;

use common::{Place, finished, start};

/// A place with many lines, two of which matter.
fn place() -> Place {
    place_with(40)
}

/// A place with n lines besides the two that matter.
fn place_with(n: usize) -> Place {
    let place = Place::new();
    let lines = |range: std::ops::Range<usize>| {
        range.map(|line| format!("line {line} of many;\n")).collect::<String>()
    };
    let text = format!("{}the needle;\n{}and the thread;\n", lines(0..n / 2), lines(n / 2..n));
    place.write("in.txt", text);
    place
}

/// A shell script that stays and writes a line to the file `starts` whenever it is started.
fn script(place: &Place, check: &str) {
    let starts = place.outside("starts");
    place.script(
        "test.sh",
        &format!(
            "check() {{ {check}\n}}\n\
             echo >> {}\n\
             [ -n \"$LOP_CANDIDATES\" ] || {{ check \"$1\"; exit; }}\n\
             exec 3<\"$LOP_CANDIDATES\" 4>\"$LOP_ANSWERS\"; echo lop-serve 1 >&4\n\
             while read -r number path <&3; do check \"$path\"; echo $number $? >&4; done",
            starts.display()
        ),
    );
}

const CHECK: &str = "grep -q needle \"$1\" && grep -q thread \"$1\"";

/// A strategy with few tests, for tests that take long.
const LINES: &str = "--strategy=ddmin:lines";

/// Runs lop without and with --serve, and checks that the results are the same; returns the last messages.
#[track_caller]
fn same(place: &Place, args: &[&str]) -> String {
    let lop = |more: &[&str]| {
        let output = place.lop([more, &["--force"], args].concat());
        output.expect(0, &[]);
        output.stderr
    };
    lop(&[]);
    let expected = place.read("in.lop.txt");
    lop(&["--serve", "-j1"]);
    assert_eq!(place.read("in.lop.txt"), expected);
    let said = lop(&["--serve", "-j4"]);
    assert_eq!(place.read("in.lop.txt"), expected);
    said
}

#[test]
fn a_test_that_stays_gives_the_same_result_with_fewer_processes() {
    let place = place();
    script(&place, CHECK);
    let said = same(&place, &["./test.sh", "in.txt"]);
    assert!(!said.contains("note:"), "{said}");
    let starts = |args: &[&str]| {
        std::fs::write(place.outside("starts"), "").unwrap();
        let args = [args, &["--strategy", "ddmin:characters*"]].concat();
        place.lop([&args, &["--force", "-j1", "./test.sh", "in.txt"][..]].concat()).expect(0, &[]);
        std::fs::read(place.outside("starts")).unwrap().len()
    };
    let (served, new) = (starts(&["--serve"]), starts(&[]));
    assert!(served * 2 < new, "{served} and {new}");
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn patterns_on_the_output_work() {
    let place = place();
    script(&place, "grep -o needle \"$1\" >&2; grep -o 'the thread' \"$1\"; return 3");
    let said = same(&place, &["--stderr", "needle", "--stdout", "thread", "./test.sh", "in.txt"]);
    assert!(!said.contains("note:"), "{said}");
    assert_eq!(place.squeezed("in.lop.txt").replace("the", ""), "needlethread".replace("the", ""));
}

#[test]
fn a_test_that_dies_is_started_again_and_its_death_can_be_the_property() {
    let place = place();
    // Candidates without the thread kill the process, too.
    script(
        &place,
        "grep -q thread \"$1\" || kill -KILL $$; grep -q needle \"$1\" && kill -SEGV $$",
    );
    let said = same(&place, &["--signal", "SEGV", "./test.sh", "in.txt"]);
    assert!(!said.contains("note:"), "{said}");
}

#[test]
fn a_test_that_hangs_is_started_again() {
    let place = place();
    script(&place, "grep -q thread \"$1\" || sleep 377.201; grep -q needle \"$1\"");
    let options = ["--serve", "-j2", "--timeout", "2", LINES];
    let output = place.lop([&options[..], &["./test.sh", "in.txt"]].concat());
    output.expect(0, &["without an answer"]);
    assert_eq!(place.read("in.lop.txt"), b"the needle;\nand the thread;\n");
}

#[test]
fn a_test_that_remembers_earlier_candidates_is_found_out_and_the_result_is_interesting() {
    let place = place();
    // After two candidates, it accepts everything.
    script(&place, &format!("n=$((n + 1)); [ $n -gt 2 ] || {{ {CHECK}; }}"));
    let said = same(&place, &["./test.sh", "in.txt"]);
    let notes = said.matches("remembers earlier candidates").count();
    assert_eq!(notes, 1, "{said}");
}

#[test]
fn a_test_that_writes_nonsense_is_no_longer_served() {
    let place = place();
    script(&place, &format!("[ -z \"$LOP_CANDIDATES\" ] || echo ready >&4; {CHECK}"));
    let said = same(&place, &["./test.sh", "in.txt"]);
    assert!(said.contains("wrote `ready`, which isn't an answer"), "{said}");
}

#[test]
fn a_test_that_does_not_speak_the_protocol_is_refused() {
    let place = place();
    place.script("test.sh", &CHECK.replace("$1", "in.txt"));
    place.lop(["--serve", "./test.sh", "in.txt"]).expect(
        5,
        &["does not stay", "ended with exit 0", "docs/src/guides/serve.md", "leave out --serve"],
    );
    place
        .lop(["--serve", "--slower-than", "1s", "./test.sh", "in.txt"])
        .expect(2, &["--slower-than"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_leaves_no_process() {
    let place = place();
    let hangs = place.outside("hangs");
    script(
        &place,
        &format!(
            "(setsid sleep 377.202 &); n=$((n + 1)); [ $n -lt 4 ] || {{ : > {}; sleep 377.202; }}; {CHECK}",
            hangs.display()
        ),
    );
    let args = ["--serve", "-j2", "--timeout", "1000", "./test.sh", "in.txt"];
    let mut lop = start(place.command(env!("CARGO_BIN_EXE_lop")).args(args));
    while !hangs.exists() {
        assert!(lop.try_wait().unwrap().is_none(), "lop waits for the test");
        std::thread::yield_now();
    }
    let kill = place.command("kill").args(["-INT", &lop.id().to_string()]).status();
    assert!(kill.unwrap().success());
    assert_eq!(finished(lop).code, 130);
    let alive = place.command("pgrep").args(["-f", "sleep 377.202"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&alive.stdout), "");
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn a_slow_start_is_noted_and_a_slow_test_is_not() {
    let place = place();
    let said = |script: &str| {
        place.script("test.sh", script);
        let output = place.lop(["--force", "--max-tests", "1", "./test.sh", "in.txt"]);
        output.expect(0, &[]);
        output.stderr
    };
    let slow_start = said("sleep 0.6; grep -q needle in.txt");
    assert_eq!(slow_start.contains("see --serve"), cfg!(target_os = "linux"), "{slow_start}");
    let slow_test = said("cat in.txt > /dev/null; sleep 0.6; grep -q needle in.txt");
    assert!(!slow_test.contains("see --serve"), "{slow_test}");
}

/// Whether a program can be run.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        println!("skipped: there is no {program}");
    }
    found
}

#[test]
fn the_helper_for_python_judges_by_values_exits_and_exceptions() {
    if !has("python3") {
        return;
    }
    let place = place_with(6);
    place.lop(["helpers", "."]).expect(0, &[]);
    for fork in ["False", "True"] {
        let text = format!(
            "#!/usr/bin/env python3\n\
             import os, sys\n\
             from lop_serve import serve\n\
             def check(path):\n    \
                 text = open(path).read()\n    \
                 if not text: return True\n    \
                 if 'many' not in text and 'thread' not in text: sys.exit('no thread')\n    \
                 if 'thread' not in text: os.kill(os.getpid(), 6)\n    \
                 if 'needle' not in text: return 4\n    \
                 raise ValueError('the needle')\n\
             serve(check, fork={fork})\n"
        );
        place.executable("test.py", &text);
        let args =
            ["--stderr", "ValueError: the needle", "--exit", "1", LINES, "./test.py", "in.txt"];
        let said = same(&place, &args);
        assert!(!said.contains("note:"), "{said}");
        let result = place.squeezed("in.lop.txt");
        assert!(result.contains("needle") && result.contains("thread"), "{result}");
    }
}

#[test]
fn the_helper_for_node_judges_by_values_promises_exits_and_exceptions() {
    if !has("node") {
        return;
    }
    let place = place_with(6);
    place.lop(["helpers", "."]).expect(0, &[]);
    place.executable(
        "test.js",
        "#!/usr/bin/env node\n\
         const { serve } = require('./lop-serve.js');\n\
         const fs = require('node:fs');\n\
         serve(async (path) => {\n\
           const text = fs.readFileSync(path, 'utf8');\n\
           if (text.length < 9) process.exit(0);\n\
           await new Promise((done) => setTimeout(done, 1));\n\
           if (!text.includes('needle')) return text.includes('many');\n\
           if (!text.includes('thread')) return 4;\n\
           throw new TypeError('the needle');\n\
         });\n",
    );
    let args = ["--stderr", "TypeError: the needle", "--exit", "1", LINES, "./test.js", "in.txt"];
    let said = same(&place, &args);
    assert!(!said.contains("note:"), "{said}");
}

#[test]
fn the_helper_for_java_judges_by_codes_and_exceptions() {
    if !has("javac") {
        return;
    }
    let place = place_with(6);
    place.lop(["helpers", "."]).expect(0, &[]);
    place.write(
        "Check.java",
        "import java.nio.file.*;\n\
         public class Check {\n\
           public static void main(String[] args) throws Exception {\n\
             LopServe.serve(args, path -> {\n\
               String text = Files.readString(Path.of(path));\n\
               if (!text.contains(\"needle\")) return 0;\n\
               if (!text.contains(\"thread\")) System.exit(4);\n\
               throw new IllegalStateException(\"the needle\");\n\
             });\n\
           }\n\
         }\n",
    );
    let compiled = finished(start(place.command("javac").args(["Check.java", "LopServe.java"])));
    assert_eq!(compiled.code, 0, "{}", compiled.stderr);
    let class_path = place.path("").display().to_string();
    let options = ["--stderr", "IllegalState", "--exit", "1", LINES];
    let command = ["in.txt", "--", "java", "-Xshare:auto", "-cp", &class_path, "Check", "{}"];
    let said = same(&place, &[&options[..], &command].concat());
    assert!(!said.contains("remembers"), "{said}");
}
