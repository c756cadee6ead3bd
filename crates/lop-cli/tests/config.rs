//! The options of `lop.toml`.

mod common;

use common::Place;

fn place() -> Place {
    let place = Place::new();
    place.write("src/prog.c", "int a;\nint needle;\nint b;\n");
    place.script("test.sh", "grep -q needle prog.c");
    place
}

#[test]
fn options_are_taken_from_a_file_beside_the_input_or_above_it_and_the_command_line_wins() {
    let place = place();
    place.write("lop.toml", "max-tests = 1\nverbose = true\nkeep = ['int b']\n");
    let run = place.lop(["./test.sh", "src/prog.c"]);
    run.expect(0, &["lop.toml", "1 test"]);
    let run = place.lop(["./test.sh", "src/prog.c", "--max-tests", "1000"]);
    run.expect(0, &[]);
    let left = place.squeezed("src/prog.lop.c");
    assert!(left.contains("intb") && left.contains("needle") && !left.contains("inta"), "{left}");
    // A nearer one is taken instead.
    place.write("src/lop.toml", "");
    place.lop(["./test.sh", "src/prog.c"]).expect(0, &[]);
    assert_eq!(place.squeezed("src/prog.lop.c"), "needle");
    place.lop(["./test.sh", "src/prog.c", "--no-config"]).expect(0, &[]);
}

#[test]
fn mistakes_in_the_file_are_named_with_their_cure() {
    let place = place();
    let run = |text: &str| {
        place.write("lop.toml", text);
        place.lop(["./test.sh", "src/prog.c"])
    };
    run("max-test = 1\n")
        .expect(2, &["lop.toml", "no option `max-test`", "did you mean `max-tests`?"]);
    run("resume = true\n").expect(2, &["no option `resume`"]);
    run("max-tests = 'many'\n").expect(2, &["lop.toml", "invalid value 'many'", "--no-config"]);
    run("a = 1\nmax-tests = = 1\n").expect(2, &["line 2"]);
    run("[jobs]\nmost = 1\n").expect(2, &["the value of `jobs`"]);
    assert!(!place.path("src/prog.lop.c").exists());
}

#[test]
fn a_run_is_resumed_with_the_options_of_the_file() {
    let place = place();
    place.write("lop.toml", "max-tests = 1\nkeep = 'int b'\n");
    place.lop(["./test.sh", "src/prog.c"]).expect(0, &["lop --resume"]);
    let run = place.lop(["--resume", "./test.sh", "src/prog.c", "--max-tests", "1000"]);
    run.expect(0, &[]);
    assert!(place.squeezed("src/prog.lop.c").contains("intb"));
}
