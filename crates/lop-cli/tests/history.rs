//! The accepted steps of a run: what is kept of them, and how a run goes on from one.

mod common;

use common::{Output, Place};

fn place() -> Place {
    let place = Place::new();
    let lines: String = (0..40).map(|number| format!("line {number}\n")).collect();
    place.write("input.txt", lines);
    place.script("test.sh", "grep -q '^line 7$' input.txt && grep -q 3 input.txt");
    place
}

/// The steps that `lop history` lists, each with its columns.
fn steps(listed: &Output) -> Vec<Vec<String>> {
    assert_eq!(listed.code, 0, "{listed:?}");
    let rows = listed.stdout.lines().skip(1);
    rows.map(|row| row.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
fn the_steps_of_a_run_are_listed_and_printed() {
    let place = place();
    assert_eq!(place.lop(["./test.sh", "input.txt"]).code, 0);
    let steps = steps(&place.lop(["history", "input.txt"]));
    assert!(steps.len() > 3, "{steps:?}");
    assert_eq!(steps[0].join(" "), "0 0 310 the original");
    let first = place.lop(["history", "input.txt", "0"]);
    assert_eq!(first.stdout.as_bytes(), place.read("input.txt"));
    // Each step is interesting, and no larger than the one before.
    let mut before = usize::MAX;
    for step in 1..steps.len() {
        let text = place.lop(["history", "input.lop.txt", &step.to_string()]).stdout;
        assert!(text.contains("line 7") && text.contains('3'), "{step}: {text}");
        assert!(text.len() <= before, "{step}: {text}");
        before = text.len();
    }
    let missing = place.lop(["history", "input.txt", "999"]);
    assert_eq!(missing.code, 2, "{missing:?}");
    assert!(missing.stderr.contains("has no step 999"), "{missing:?}");
}

#[test]
fn a_run_goes_on_from_a_step_of_the_last_one() {
    let place = place();
    assert_eq!(place.lop(["./test.sh", "input.txt"]).code, 0);
    let before = steps(&place.lop(["history", "input.txt"]));
    let second = place.lop(["history", "input.txt", "2"]).stdout;
    // Another test, which the end of the first run does not pass.
    place.script("test.sh", &format!("grep -q '^{}$' input.txt", second.lines().last().unwrap()));
    let run = place.lop(["./test.sh", "input.txt", "--from", "2"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(place.squeezed("input.lop.txt"), second.lines().last().unwrap().replace(' ', ""));
    let after = steps(&place.lop(["history", "input.txt"]));
    assert_eq!(after[..3], before[..3], "the steps until then are still there");
    assert_eq!(place.lop(["history", "input.txt", "2"]).stdout, second);
    let elsewhere = place.lop(["./test.sh", "input.txt", "--from", "2", "-o", "other.txt"]);
    assert_eq!(elsewhere.code, 0, "{elsewhere:?}");
    assert_eq!(place.squeezed("other.txt"), place.squeezed("input.lop.txt"));
    let missing = place.lop(["./test.sh", "input.txt", "--from", "999"]);
    assert_eq!(missing.code, 2, "{missing:?}");
    // A test that the original passes, and that step does not.
    place.script("test.sh", "[ $(wc -l < input.txt) -eq 40 ]");
    let other = place.lop(["./test.sh", "input.txt", "--from", "2"]);
    other.expect(3, &["the text is that of the step of --from"]);
}

#[test]
fn files_that_are_no_history_are_refused() {
    let place = place();
    let none = place.lop(["history", "input.txt"]);
    assert!(none.stderr.contains("there is no history of `input.txt`"), "{none:?}");
    assert!(none.stderr.contains("input.lop.txt.history"), "{none:?}");
    place.write("input.lop.txt.history", "hello\n");
    let wrong = place.lop(["history", "input.txt"]);
    assert!(wrong.stderr.contains("it isn't a history of lop"), "{wrong:?}");
    assert_ne!(wrong.code, 0);
}

#[test]
fn a_history_that_is_cut_off_has_the_steps_before() {
    let place = place();
    assert_eq!(place.lop(["./test.sh", "input.txt"]).code, 0);
    let whole = steps(&place.lop(["history", "input.txt"]));
    let bytes = place.read("input.lop.txt.history");
    place.write("input.lop.txt.history", &bytes[..bytes.len() - 3]);
    assert_eq!(steps(&place.lop(["history", "input.txt"])), whole[..whole.len() - 1]);
}

#[test]
fn a_run_without_a_history_writes_none() {
    let place = place();
    assert_eq!(place.lop(["./test.sh", "input.txt", "--no-history"]).code, 0);
    assert!(!place.path("input.lop.txt.history").exists());
}

#[test]
fn a_step_of_a_directory_is_printed_file_by_file() {
    let place = Place::new();
    place.write("dir/a.txt", "one\ntwo\n");
    place.write("dir/b.txt", "three\n");
    place.script("test.sh", "grep -q two dir/a.txt");
    assert_eq!(place.lop(["./test.sh", "dir"]).code, 0);
    let first = place.lop(["history", "dir", "0"]);
    assert_eq!(first.stdout, "==> dir/a.txt <==\none\ntwo\n==> dir/b.txt <==\nthree\n");
    let last = steps(&place.lop(["history", "dir"])).len() - 1;
    let last = place.lop(["history", "dir", &last.to_string()]).stdout;
    assert_eq!(last.trim(), "==> dir/a.txt <==\ntwo");
}
