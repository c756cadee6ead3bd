//! Files beside the input: those that the test gets, and what lop says about those that it lacks.

mod common;

use std::fs;

use common::{Output, Place, finished, start};

/// A place with a source that needs a header and a data file beside it.
fn place() -> Place {
    let place = Place::new();
    place.write("src/prog.c", "int a;\nint b = WIDTH;\nint c;\n");
    place.write("src/sizes.h", "#define WIDTH 80\n");
    place.write("src/data/list.txt", "b\n");
    // The test changes the files as much as it likes.
    place.script(
        "needs.sh",
        "grep -q 'WIDTH 80' sizes.h && grep -q b data/list.txt && grep -q WIDTH \"$1\" || exit 1\n\
         echo changed > sizes.h; rm -r data; touch dropping; mkdir more; exit 0",
    );
    place
}

const NEEDED: [&str; 4] = ["--with", "src/sizes.h", "--with", "src/data"];

#[test]
fn files_beside_the_input_are_beside_each_candidate_and_restored_after_each_test() {
    let place = place();
    for workers in ["-j1", "-j3"] {
        let args = [&NEEDED[..], &[workers, "./needs.sh", "src/prog.c"]].concat();
        place.lop(args).expect(0, &["nothing more can be removed"]);
        assert_eq!(place.squeezed("src/prog.lop.c"), "WIDTH");
    }
    assert_eq!(place.read("src/sizes.h"), b"#define WIDTH 80\n");
    assert_eq!(place.read("src/data/list.txt"), b"b\n");
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn the_whole_directory_of_the_input_can_be_beside_it() {
    let place = place();
    let needs = "[ -s sizes.h ] && [ -s data/list.txt ] && [ ! -e prog.lop.c ]";
    place.script("needs.sh", &format!("{needs} && grep -q WIDTH \"$1\""));
    for _ in 0..2 {
        // The input and the result are in that directory.
        place.lop(["--with", "src", "./needs.sh", "src/prog.c"]).expect(0, &[]);
        assert_eq!(place.squeezed("src/prog.lop.c"), "WIDTH");
    }
}

#[test]
fn a_directory_is_reduced_with_files_beside_it_and_without_a_part_of_it() {
    let place = place();
    place.write("proj/main.c", "int x;\nint NEEDED;\n");
    place.write("proj/fixtures/big.txt", "one\ntwo\nthree\n");
    place.script(
        "test.sh",
        "[ $(wc -l < proj/fixtures/big.txt) = 3 ] && [ -s src/sizes.h ] && grep -q NEEDED proj/main.c",
    );
    let with = ["--with", "proj/fixtures", "--with", "src/sizes.h"];
    place.lop([&with[..], &["./test.sh", "proj"]].concat()).expect(0, &[]);
    assert_eq!(place.squeezed("proj.lop/main.c"), "NEEDED");
    assert!(!place.path("proj.lop/fixtures").exists());
    // Several files have the paths that the user gave, and so have those beside them.
    let args = ["./test.sh", "proj/main.c", "src/prog.c", "-o", "out"];
    place.lop([&with[..], &args].concat()).expect(0, &[]);
    assert_eq!(place.squeezed("out/proj/main.c"), "NEEDED");
}

#[test]
fn a_stopped_run_is_resumed_if_the_files_beside_the_input_are_the_same() {
    let place = place();
    let args = [&NEEDED[..], &["--max-tests", "2", "./needs.sh", "src/prog.c"]].concat();
    place.lop(&args).expect(0, &["--resume"]);
    let go_on = [&NEEDED[..], &["--resume", "./needs.sh", "src/prog.c"]].concat();
    place.write("src/sizes.h", "#define WIDTH 80 // more\n");
    place.lop(&go_on).expect(9, &["the files of --with changed"]);
    place.write("src/sizes.h", "#define WIDTH 80\n");
    place.lop(&go_on).expect(0, &["nothing more can be removed"]);
    assert_eq!(place.squeezed("src/prog.lop.c"), "WIDTH");
}

#[test]
fn strategies_are_compared_and_choices_reduced_with_files_beside_the_candidate() {
    let place = place();
    let compared = ["compare", "-q", "./needs.sh", "src/prog.c", "--strategies", "opdd:lines"];
    place.lop([&compared[..], &NEEDED].concat()).expect(0, &[]);
    place.write("sizes.h", "x");
    place.write("bug.bin", "one two q three");
    place.script("has.sh", "[ -s sizes.h ] && grep -q q \"$1\"");
    let tmin = ["tmin", "-q", "./has.sh", "bug.bin"];
    place.lop(tmin).expect(3, &["--with FILE"]);
    place.lop([&tmin[..], &["--with", "sizes.h"]].concat()).expect(0, &[]);
    assert_eq!(place.read("bug.lop.bin"), b"q");
}

#[test]
fn variables_name_the_original_and_its_directory() {
    let place = place();
    let script = format!(
        "[ \"$LOP_DIR\" = '{}' ] && [ \"$LOP_FILE\" = '{}' ] && [ -s \"$LOP_DIR/sizes.h\" ] \
         && grep -q WIDTH \"$1\"",
        place.path("src").display(),
        place.path("src/prog.c").display()
    );
    place.script("test.sh", &script);
    place.lop(["./test.sh", "src/prog.c"]).expect(0, &[]);
    assert_eq!(place.squeezed("src/prog.lop.c"), "WIDTH");
}

#[test]
fn an_original_that_needs_its_neighbours_is_recognised_and_the_option_is_named() {
    let place = place();
    let names = place.names();
    place.script("needs.sh", "cat sizes.h && : > dropping && grep -q WIDTH \"$1\"");
    let output = place.lop(["./needs.sh", "src/prog.c"]);
    output.expect(3, &["the other files of", "needs, --with src/sizes.h\n", "$LOP_DIR"]);
    // Without a word about the file, it cannot be named; nor does this command fail without it.
    let fails = "cat sizes.h > /dev/null 2>&1 && exit 7; exit 0";
    let silent = place.lop(["src/prog.c", "--", fails]);
    silent.expect(3, &["needs, --with FILE\n", "all of them: --with src)"]);
    assert_eq!(place.names(), names, "nothing is left behind");
    assert_eq!(fs::read_dir(place.path("src")).unwrap().count(), 3);
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn a_script_of_the_current_directory_is_missed_by_name() {
    let place = place();
    place.script("tool.sh", "grep -q WIDTH src/prog.c");
    let args = ["src/prog.c", "--exit", "0", "--stderr", ".*", "--", "./tool.sh {} || exit 1"];
    place.lop(args).expect(3, &["--with tool.sh", "all of them: --with .)"]);
}

#[test]
fn a_failure_that_mentions_a_neighbour_is_noted() {
    let place = place();
    place.write("src/prog.c", "#include \"sizes.h\"\nint b = WIDTH;\n");
    // Only the exit code is kept, so nothing tells whether it is another failure with the neighbour.
    let output = place.lop(["src/prog.c", "--", "cat sizes.h; grep -q WIDTH {} && exit 3"]);
    output
        .expect(0, &["note: the output of the test mentions `src/sizes.h`", "--with src/sizes.h"]);
    let with = ["src/prog.c", "--with", "src/sizes.h", "--"];
    let output = place.lop([&with[..], &["cat sizes.h; grep -q WIDTH {} && exit 3"]].concat());
    output.expect(0, &[]);
    assert!(!output.stderr.contains("mentions"), "{}", output.stderr);
}

#[test]
fn a_failure_that_is_another_one_with_a_neighbour_is_refused() {
    let place = place();
    place.write("src/prog.c", "#include \"sizes.h\"\nint b = WIDE;\n");
    place.write("src/sizes.h", "#define WIDTH 3\n");
    let command = ["--", "cc", "-c", "{}"];
    let output = place.lop([&["src/prog.c"][..], &command].concat());
    output.expect(3, &["does not find `src/sizes.h`", "--with src/sizes.h"]);
    let with = ["src/prog.c", "--with", "src/sizes.h"];
    place.lop([&with[..], &command].concat()).expect(0, &["undeclared"]);
}

#[test]
fn what_cannot_be_put_beside_the_input_is_refused() {
    let place = place();
    let with = |path: &'static str| place.lop(["--with", path, "./needs.sh", "src/prog.c"]);
    with("none.h").expect(2, &["`none.h` of --with"]);
    with("src/prog.c").expect(2, &["no file besides the input", "--with PATH"]);
}

/// Runs the command that lop prints for a test that does not accept the original.
#[track_caller]
fn by_hand(place: &Place, output: &Output) -> (String, Output) {
    output.expect(3, &["by hand"]);
    let line = output.stderr.lines().find(|line| line.contains("mktemp")).unwrap().trim();
    let done = finished(start(place.command("sh").args(["-c", line])));
    (line.to_owned(), done)
}

#[test]
fn the_command_to_run_by_hand_does_what_lop_does() {
    let place = place();
    place.script("src/my tool.sh", "cat > /dev/null; echo \"ran on $1\" $(ls); exit 5");
    place.write("sp ace's.c", "int x;\n");
    let tool = "src/my tool.sh";
    for (args, said) in [
        (&[tool, "src/prog.c"][..], "ran on prog.c prog.c\n5\n"),
        (&["--exit", "0", "src/prog.c", "--", tool, "{}"], "ran on prog.c prog.c\n5\n"),
        (&[tool, "src"], "ran on src src\n5\n"),
        (&[tool, "src/prog.c", "src/sizes.h"], "ran on src/prog.c src\n5\n"),
        (&["--exit", "4", "sp ace's.c", "--", "cat {} '{}' \"{}\"; wc -l"], "1\n0\n"),
        (
            &["--exit", "4", "--with", "src/data", "src/prog.c", "--", "ls; ls data"],
            "data\nprog.c\nlist.txt\n0\n",
        ),
        (
            &["--exit", "4", "--with", "src", "src/prog.c", "--", "ls"],
            "my tool.sh\nprog.c\nsizes.h\n0\n",
        ),
        (&["--exit", "4", "src/prog.c", "--", "basename $LOP_DIR"], "src\n0\n"),
    ] {
        let output = place.lop(args);
        let (line, done) = by_hand(&place, &output);
        assert!(done.stdout.ends_with(said), "{line}\n{}{}", done.stdout, done.stderr);
        assert_eq!(done.stderr, "", "{line}");
    }
}
