//! The tests that `lop init` writes.

mod common;

use common::Place;

fn place() -> Place {
    let place = Place::new();
    place.write("prog.txt", "one\nneedle\nthree\n");
    // Fails on a needle, with a message.
    place.script(
        "tool",
        "if grep -q needle \"$1\"; then echo \"assertion at tool.c:7\" >&2; exit 3; fi; cat \"$1\"",
    );
    place
}

fn tool(place: &Place) -> String {
    format!("{} {{}}", place.path("tool").display())
}

#[test]
fn a_test_for_a_crash_is_written_tried_and_reduces() {
    let place = place();
    let command = tool(&place);
    let arguments =
        ["init", "prog.txt", "--for", "crash", "--command", &command, "--message", "tool.c:7"];
    let output = place.lop(arguments);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.contains("it accepts prog.txt"), "{output:?}");
    assert!(output.stdout.contains("lop doctor ./test.sh prog.txt"), "{output:?}");
    let text = String::from_utf8(place.read("test.sh")).unwrap();
    assert!(text.contains("slippage") && !text.contains('@'), "{text}");
    place.lop(["./test.sh", "prog.txt"]).expect(0, &[]);
    assert_eq!(place.squeezed("prog.lop.txt"), "needle");
    let again = place.lop(arguments);
    again.expect(7, &["exists", "--force"]);
}

#[test]
fn a_test_for_each_situation_accepts_the_file() {
    let place = place();
    let tool = tool(&place);
    place.script("slow", "grep -q needle \"$1\" && sleep 5; exit 0");
    let slow = format!("{} {{}}", place.path("slow").display());
    let run = |situation: &str, more: &[&str]| {
        let mut arguments =
            vec!["init", "prog.txt", "--force", "--seconds", "2", "--for", situation];
        arguments.extend(more);
        let output = place.lop(arguments);
        assert_eq!(output.code, 0, "{situation}: {output:?}");
    };
    run("exception", &["--command", &tool, "--message", "assertion"]);
    run("fuzz", &["--command", &tool, "--message", "assertion"]);
    run("server", &["--command", &tool, "--message", "assertion"]);
    // A limit holds for all of several commands, and so does what they print.
    let two = format!("cd . && {tool} | cat; echo done");
    run("crash", &["--command", &two, "--message", "assertion"]);
    run("hang", &["--command", &format!("true && {slow}")]);
    run("hang", &["--command", &slow]);
    run("output", &["--command", "cat {}", "--against", "tac {}"]);
}

#[test]
fn a_test_for_different_output_of_c_has_guards() {
    let place = Place::new();
    place.script("one", "cc -O2 \"$1\" -o prog && ./prog");
    place.script("two", "cc -DX \"$1\" -o prog && echo other");
    let (one, two) = (place.path("one"), place.path("two"));
    let (one, two) = (format!("{} {{}}", one.display()), format!("{} {{}}", two.display()));
    place.write("prog.c", "#include <stdio.h>\nint main(void) { puts(\"a\"); return 0; }\n");
    let output =
        place.lop(["init", "prog.c", "--for", "output", "--command", &one, "--against", &two]);
    assert_eq!(output.code, 0, "{output:?}");
    let text = String::from_utf8(place.read("test.sh")).unwrap();
    assert!(text.contains("-fsanitize=address,undefined"), "{text}");
}

#[test]
fn a_test_that_does_not_accept_the_file_is_told() {
    let place = place();
    let command = tool(&place);
    let output = place.lop([
        "init",
        "prog.txt",
        "--for",
        "crash",
        "--command",
        &command,
        "--message",
        "no such thing",
    ]);
    output.expect(3, &["does not accept `prog.txt`", "edit it"]);
    place.lop(["init", "prog.txt", "--force"]).expect(2, &["the situation is missing", "--for"]);
    place
        .lop(["init", "prog.txt", "--force", "--for", "hang"])
        .expect(2, &["--command is missing"]);
    place.lop(["init", "none.txt", "--force"]).expect(6, &["cannot read `none.txt`"]);
}
