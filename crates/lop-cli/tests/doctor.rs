//! What `lop doctor` finds wrong with tests.

mod common;

use common::{Output, Place};

/// The examination of a test with these lines.
fn examined(lines: &str) -> (Place, Output) {
    let place = Place::new();
    place.write("prog.c", "int needle(void) { return 1; }\nint main(void) { return needle(); }\n");
    place.script("test.sh", lines);
    let output = place.lop(["doctor", "./test.sh", "prog.c"]);
    (place, output)
}

fn problems(output: &Output) -> Vec<&str> {
    output.stdout.lines().filter_map(|line| line.strip_prefix("problem: ")).collect()
}

#[test]
fn nothing_is_wrong_with_a_good_test() {
    let (_, output) = examined("grep -q 'needle();' prog.c");
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(problems(&output), [""; 0], "{output:?}");
    assert!(output.stdout.ends_with("nothing is wrong with this test\n"), "{output:?}");
    let note = "note: it accepts the original with a syntax error behind it";
    assert!(output.stdout.contains(note), "{output:?}");
    let (_, output) = examined("cc -fsyntax-only prog.c && grep -q 'needle();' prog.c");
    assert!(!output.stdout.contains(note), "{output:?}");
}

#[test]
fn a_test_that_accepts_syntax_errors_or_comments_is_found_out() {
    let (_, output) = examined("test -s prog.c");
    let found = problems(&output);
    assert_eq!(output.code, 5, "{output:?}");
    assert_eq!(found.len(), 3, "{output:?}");
    assert!(found[1].contains("a file of comments"), "{output:?}");
    let (_, output) = examined("grep -q needle prog.c");
    assert_eq!(
        problems(&output),
        ["it accepts half of the original with a syntax error behind it"]
    );
}

#[test]
fn a_message_that_the_tool_quotes_in_a_syntax_error_is_found_out() {
    let place = Place::new();
    place.write("in.json", "{\"book\": [1, \"already lent\"]}\n");
    // Prints the message of the failure, or quotes what is wrong.
    let tool = "grep -q ']}$' in.json && echo 'error: already lent' || cat in.json";
    place.script("test.sh", &format!("{{ {tool}; }} | grep -q 'already lent'"));
    let output = place.lop(["doctor", "./test.sh", "in.json"]);
    assert_eq!(
        problems(&output),
        ["it accepts `\"already lent\"`, a part of the original that it looks for"]
    );
    place.script("test.sh", &format!("{{ {tool}; }} | grep -q 'error: already lent'"));
    let output = place.lop(["doctor", "./test.sh", "in.json"]);
    assert_eq!(problems(&output), [""; 0], "{output:?}");
}

#[test]
fn a_test_that_needs_the_home_directory_is_found_out() {
    let place = Place::new();
    place.write("prog.c", "int needle;\n");
    place.write("home/settings", "needle\n");
    place.script("test.sh", "cat \"$HOME/settings\" > /dev/null && grep -q 'needle;' prog.c");
    let mut command = place.command(env!("CARGO_BIN_EXE_lop"));
    command.args(["doctor", "./test.sh", "prog.c"]).env("HOME", place.path("home"));
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("note: it does not accept the original if $HOME"), "{text}");
    assert!(text.contains("--with"), "{text}");
}

#[test]
fn a_file_that_each_run_writes_again_is_found_out() {
    let (_, output) = examined("echo ran >> \"$LOP_DIR/steady.log\"; grep -q 'needle();' prog.c");
    let found = problems(&output);
    assert_eq!(found.len(), 1, "{output:?}");
    assert!(found[0].starts_with("it leaves `") && found[0].contains("steady.log"), "{output:?}");
}

#[test]
fn a_test_that_leaves_files_is_found_out() {
    let place = Place::new();
    place.write("prog.c", "int needle;\n");
    let outside = place.path("dropping");
    place.script("test.sh", &format!("touch {}.$$; grep -q 'needle;' prog.c", outside.display()));
    let output = place.lop(["doctor", "./test.sh", "prog.c"]);
    let found = problems(&output);
    assert_eq!(found.len(), 1, "{output:?}");
    assert!(found[0].starts_with("it leaves `") && found[0].contains("dropping."), "{output:?}");
}

#[test]
fn a_test_that_is_flaky_is_found_out() {
    // The first three runs, by which every reduction begins, agree.
    let place = Place::new();
    place.write("prog.c", "int needle;\n");
    place.write("count", "");
    let count = place.path("count");
    let count = count.display();
    place.script(
        "test.sh",
        &format!("echo x >> {count}; test $(wc -l < {count}) -lt 9 && grep -q 'needle;' prog.c"),
    );
    let output = place.lop(["doctor", "./test.sh", "prog.c"]);
    assert!(problems(&output)[0].contains("more runs only"), "{output:?}");
    assert!(output.stdout.contains("--confirm"), "{output:?}");
}

#[test]
fn a_test_whose_time_is_set_up_is_found_out() {
    let (_, output) = examined("sleep 0.3; grep -q 'needle();' prog.c");
    let found = problems(&output);
    assert_eq!(found.len(), 1, "{output:?}");
    assert!(found[0].contains("most of it is set-up"), "{output:?}");
}
