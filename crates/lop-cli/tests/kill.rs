//! Whenever lop is killed, the file on disk is interesting, and the run can be resumed.

mod common;

use std::fs;
use std::time::{Duration, Instant};

use common::{Place, start};

const KILLS: usize = 20;
/// The words that the test requires.
const NEEDED: [&str; 3] = ["word17 ", "word303 ", "word555 "];
const OUTPUT: &str = "input.lop.txt";
const JOURNAL: &str = "input.lop.txt.journal";

fn place() -> Place {
    let place = Place::new();
    let words = |line: usize| (0..10).map(|word| format!("word{} ", line * 10 + word)).collect();
    place.write("input.txt", (0..60).map(words).collect::<Vec<String>>().join("\n"));
    let checks = NEEDED.map(|word| format!("grep -q '{word}' input.txt"));
    place.script("test.sh", &checks.join(" && "));
    place
}

fn is_interesting(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    NEEDED.iter().all(|word| text.contains(word))
}

#[test]
fn a_run_killed_at_twenty_random_moments_always_leaves_an_interesting_file_and_resumes() {
    let mut random = lop_testing::random();
    let place = place();
    let original = place.read("input.txt");
    let started = Instant::now();
    place.lop(["./test.sh", "input.txt"]).expect(0, &["nothing more can be removed"]);
    let duration = started.elapsed();
    let expected = place.read(OUTPUT);

    let (mut kills, mut resumed) = (0, 0);
    while kills < KILLS {
        fs::remove_file(place.path(OUTPUT)).unwrap();
        // The same reduction is killed and resumed until it finishes.
        loop {
            let resumes = place.path(JOURNAL).exists();
            let mut command = place.command(env!("CARGO_BIN_EXE_lop"));
            command.args(if resumes { &["--resume"][..] } else { &["./test.sh", "input.txt"] });
            if kills == KILLS {
                let output = common::finished(start(&mut command));
                assert_eq!(output.code, 0, "{}", output.stderr);
                resumed += usize::from(resumes);
                break;
            }
            let mut child = start(&mut command);
            std::thread::sleep(duration.mul_f64(random.f64()).max(Duration::from_millis(1)));
            child.kill().unwrap();
            let output = common::finished(child);
            assert_eq!(place.read("input.txt"), original, "the input is untouched");
            if output.code == 0 {
                resumed += usize::from(resumes);
                break;
            }
            assert_eq!(output.code, -1, "it failed by itself: {}", output.stderr);
            kills += 1;
            if place.path(OUTPUT).exists() {
                assert!(is_interesting(&place.read(OUTPUT)), "after {kills} kills");
            } else {
                assert!(!place.path(JOURNAL).exists(), "a journal without a result");
            }
        }
        assert_eq!(place.read(OUTPUT), expected, "the result is the same as without kills");
        assert_eq!(place.names(), [OUTPUT, "input.txt", "test.sh"]);
    }
    println!("{kills} kills, {resumed} resumed runs came to their end");
    assert!(resumed > 0);
    assert_eq!(place.temporaries(), [""; 0], "a run clears up after those that were killed");
}

#[test]
fn a_resumed_run_whose_test_or_input_changed_is_refused() {
    let place = place();
    let interrupted = ["--max-tests", "20", "./test.sh", "input.txt"];
    place.lop(interrupted).expect(0, &["lop --resume"]);
    place.script("test.sh", "grep -q 'word17 ' input.txt");
    place.lop(["--resume", "./test.sh", "input.txt"]).expect(9, &["the test changed"]);

    place.lop(interrupted).expect(0, &[]);
    place.write("input.txt", "word17 and others");
    place.lop(["--resume", "./test.sh", "input.txt"]).expect(9, &["the input changed"]);
    place.lop(["--resume", "--seed", "3", "./test.sh", "input.txt"]).expect(9, &["changed"]);
}

#[test]
fn resuming_where_nothing_was_interrupted_says_so() {
    let place = place();
    place.lop(["--resume"]).expect(9, &["no run to resume"]);
    place.lop(["--resume", "./test.sh", "input.txt"]).expect(9, &["no journal", "input.lop.txt"]);
    place.lop(["./test.sh", "input.txt"]).expect(0, &[]);
    place.lop(["--resume"]).expect(9, &["no run to resume"]);
}

#[test]
fn resuming_one_of_several_runs_needs_its_name() {
    let place = place();
    place.write("other.txt", place.read("input.txt"));
    place.lop(["--max-tests", "9", "./test.sh", "input.txt"]).expect(0, &[]);
    let grep = ["--max-tests", "9", "--exit", "0", "other.txt", "--", "grep", "word17 ", "{}"];
    place.lop(grep).expect(0, &[]);
    place.lop(["--resume"]).expect(9, &["input.lop.txt.journal, other.lop.txt.journal"]);
    fs::remove_file(place.path(JOURNAL)).unwrap();
    // Options after --resume are added to those of the run.
    place
        .lop(["--resume", "-j", "1", "--max-tests", "100000"])
        .expect(0, &["nothing more can be removed"]);
    assert_eq!(place.squeezed("other.lop.txt"), "word17");
}

#[test]
fn an_interrupt_while_resuming_keeps_what_was_reached() {
    let place = place();
    let (slow, hangs) = (place.outside("slow"), place.outside("hangs"));
    let original = place.read("input.txt").len();
    // Once `slow` exists, the test hangs on all candidates but the original and the empty file.
    let hang = format!(
        "size=$(wc -c < input.txt); [ -e {} ] && [ $size -gt 0 ] && [ $size -lt {original} ] && \
         {{ : > {}; sleep 388.101; }}",
        slow.display(),
        hangs.display()
    );
    place.script("test.sh", &format!("{hang}\ngrep -q 'word17 ' input.txt"));
    place.lop(["--max-tests", "20", "./test.sh", "input.txt"]).expect(0, &[]);
    let reached = place.read(OUTPUT);
    assert!(reached.len() < original);

    fs::write(&slow, "").unwrap();
    let mut lop = start(place.command(env!("CARGO_BIN_EXE_lop")).arg("--resume"));
    while !hangs.exists() {
        assert!(lop.try_wait().unwrap().is_none(), "lop waits for the test");
        std::thread::yield_now();
    }
    assert!(
        place.command("kill").args(["-INT", &lop.id().to_string()]).status().unwrap().success()
    );
    assert_eq!(common::finished(lop).code, 130);
    assert_eq!(place.read(OUTPUT), reached);
}

#[test]
fn a_resumed_run_with_a_longer_time_limit_retries_candidates_that_timed_out() {
    let place = place();
    // The test is slow without the first line of the input.
    place.script(
        "test.sh",
        "grep -q 'word17 ' input.txt || exit 1; grep -q 'word0 ' input.txt || sleep 1",
    );
    let run = |more: &[&str]| {
        let strategy = ["--strategy", "opdd:lines*", "-j", "2", "./test.sh", "input.txt"];
        place.lop(more.iter().chain(&strategy)).expect(0, &[]);
        String::from_utf8(place.read(OUTPUT)).unwrap().lines().count()
    };
    // The last of these tests times out.
    assert_eq!(run(&["--timeout", "300ms", "--max-tests", "9"]), 2);
    assert!(String::from_utf8(place.read(JOURNAL)).unwrap().contains("\nt "));
    assert_eq!(run(&["--timeout", "20", "--resume"]), 1);
}

#[test]
fn a_second_lop_does_not_disturb_the_first() {
    let place = place();
    let hangs = place.outside("hangs");
    let hang = format!("[ -e {0} ] || {{ : > {0}; sleep 388.102; }}", hangs.display());
    let small = "[ $(wc -c < input.txt) -gt 3000 ] || [ ! -s input.txt ]";
    place.script("test.sh", &format!("{small} || {{ {hang}; }}; grep -q 'word17 ' input.txt"));
    let mut first =
        start(place.command(env!("CARGO_BIN_EXE_lop")).args(["./test.sh", "input.txt"]));
    while !hangs.exists() {
        assert!(first.try_wait().unwrap().is_none(), "the first lop waits for the test");
        std::thread::yield_now();
    }
    place.lop(["./test.sh", "input.txt"]).expect(7, &["another lop", "-o OUT"]);
    first.kill().unwrap();
    first.wait().unwrap();
    place.lop(["./test.sh", "input.txt"]).expect(0, &["starts anew", "--resume"]);
}

#[test]
fn a_run_in_place_is_resumed_from_its_backup() {
    let place = place();
    let original = place.read("input.txt");
    place.lop(["--in-place", "--max-tests", "20", "./test.sh", "input.txt"]).expect(0, &[]);
    assert_eq!(place.read("input.txt.orig"), original);
    place.lop(["--resume", "--max-tests", "100000"]).expect(0, &["nothing more can be removed"]);
    let reduced = place.read("input.txt");
    assert!(
        is_interesting(&reduced) && reduced.len() < 30,
        "{}",
        String::from_utf8_lossy(&reduced)
    );
    assert_eq!(place.read("input.txt.orig"), original);
    assert_eq!(place.names(), ["input.txt", "input.txt.orig", "test.sh"]);
}
