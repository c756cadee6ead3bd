//! Batches that are interrupted or killed, and go on later.

use std::collections::HashSet;
use std::fs;

use serde_json::Value;

use super::common::{Output, Place, finished, signal, start, until};
use super::{CRASHES, TARGET, batch, crash, place, records, results, runs, statuses};

/// A batch that is struck after this many runs of the target, and then goes on until it is done.
fn struck(signals: &[(usize, i32)]) -> (Place, Vec<Output>) {
    let place = place(&CRASHES);
    let log = place.outside("log");
    let count =
        || fs::read(&log).map_or(0, |log| log.iter().filter(|byte| **byte == b'\n').count());
    let mut outputs = Vec::new();
    for (after, which) in signals {
        let mut command = place.command(env!("CARGO_BIN_EXE_lop"));
        let lop = start(command.args([
            "batch",
            "crashes",
            "--all",
            "-j2",
            "--timeout",
            "100",
            "--",
            "./target",
            "{}",
        ]));
        until("a strike", || count() >= *after);
        signal(&lop, *which);
        outputs.push(finished(lop));
    }
    outputs.push(batch(&place, &["--all", "-j2", "--timeout", "100"]));
    (place, outputs)
}

#[test]
fn a_batch_that_is_interrupted_or_killed_goes_on_to_the_same_results() {
    let whole = place(&CRASHES);
    batch(&whole, &["--all", "-j2", "--timeout", "100"]).expect(0, &[]);
    let (total, expected) = (runs(&whole), results(&whole));
    let tests = |place: &Place| -> Vec<Value> {
        records(place, "crashes.reduced").into_values().map(|it| it["status"].clone()).collect()
    };
    for which in [libc::SIGINT, libc::SIGTERM, libc::SIGKILL] {
        let strikes = [4, total / 3, total / 2].map(|after| (after, which));
        let (place, outputs) = struck(&strikes);
        let (last, stopped) = outputs.split_last().unwrap();
        last.expect(0, &[]);
        if which != libc::SIGKILL {
            stopped
                .iter()
                .for_each(|it| it.expect(130, &["interrupted", "the same command goes on"]));
        }
        assert_eq!(results(&place), expected, "after signal {which}");
        assert_eq!(tests(&place), tests(&whole));
        // Each strike costs what was running, the looks at inputs and at the results so far; verdicts are not asked for again.
        let again = runs(&place);
        assert!(again < total + total / 2 + 100, "{again} runs instead of {total}");
        assert_eq!(place.temporaries(), [""; 0]);
    }
}

#[test]
fn verdicts_of_a_job_that_was_killed_are_not_asked_for_again() {
    let place = place(&[("large", "SEGV")]);
    let needed: String = (0..40).map(|n| format!("needed{n}\nother{n}\n")).collect();
    place.write("crashes/large", needed);
    let log = place.outside("log");
    // A line for each run says what was judged.
    place.script(
        "target",
        &format!(
            "cksum < \"$1\" >> {}\n[ $(grep -c needed \"$1\") -lt 30 ] || kill -SEGV $$",
            log.display()
        ),
    );
    let judged = || -> Vec<String> {
        let log = fs::read_to_string(&log).unwrap_or_default();
        log.lines().map(String::from).collect()
    };
    let args = ["batch", "crashes", "-j1", "--timeout", "100", "-o", "out", "--", "./target", "{}"];
    place.lop(args).expect(0, &[]);
    let total = runs(&place);
    assert!(total > 80, "{total}");
    let expected = place.read("out/large");
    fs::remove_dir_all(place.path("out")).unwrap();
    let lop = start(place.command(env!("CARGO_BIN_EXE_lop")).args(args));
    until("most of the job", || judged().len() >= total * 3 / 4);
    signal(&lop, libc::SIGKILL);
    finished(lop);
    let before: HashSet<String> = judged().into_iter().collect();
    runs(&place);
    place.lop(args).expect(0, &["1 to reduce"]);
    let again = judged().iter().filter(|it| before.contains(*it)).count();
    // The original, the empty file and the best so far are judged again, and what was running.
    assert!(again < 15, "{again} of {} are judged again", before.len());
    assert_eq!(place.read("out/large"), expected);
}

#[test]
fn an_interruption_while_new_inputs_are_looked_at_forgets_no_result() {
    let place = place(&CRASHES);
    batch(&place, &[]).expect(0, &[]);
    let log = place.outside("log").display().to_string();
    place.script(
        "hangs",
        &format!("LOG={log}\ncase $1 in */000-new) echo >> $LOG; sleep 1000;; esac\n{TARGET}"),
    );
    fs::copy(place.path("hangs"), place.path("target")).unwrap();
    // The program is another one now, so all results are outdated; they are not forgotten before they are replaced.
    crash(&place, "000-new", "SEGV");
    runs(&place);
    let mut command = place.command(env!("CARGO_BIN_EXE_lop"));
    let lop = start(command.args(["batch", "crashes", "-j1", "--", "./target", "{}"]));
    until("a look at the new input", || place.outside("log").exists());
    signal(&lop, libc::SIGINT);
    finished(lop).expect(130, &["the same command goes on"]);
    assert_eq!(statuses(&place).values().filter(|status| *status == "reduced").count(), 6);
}
