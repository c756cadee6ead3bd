//! Directories and several files: their order, what mentions them, modes, links, and --in-place.

mod common;

use std::fs;
use std::os::unix::fs::symlink;

use common::Place;

/// The names of all files and links below a directory, in order.
fn below(place: &Place, directory: &str) -> Vec<String> {
    let output = place.command("find").args([directory, "-mindepth", "1"]).output().unwrap();
    let mut names: Vec<String> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| line[directory.len() + 1..].to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn every_file_gets_its_big_cuts_before_any_is_polished() {
    let place = Place::new();
    let functions = |name: &str| -> String {
        (0..32).map(|n| format!("int {name}{n}(int x) {{ return x * {n} + {name}; }}\n")).collect()
    };
    for name in ["a", "b", "c"] {
        place.write(format!("d/{name}.c"), functions(name));
    }
    place.script(
        "test.sh",
        "for f in a b c; do grep -q \"int ${f}7(int x)\" d/$f.c || exit 1; done",
    );
    place.lop(["./test.sh", "d", "-j1", "--max-tests", "100"]).expect(0, &[]);
    for name in ["a", "b", "c"] {
        let left = place.read(format!("d.lop/{name}.c")).len();
        assert!(left < functions(name).len() / 4, "{left} bytes of {name} are left");
    }
}

#[test]
fn a_file_is_removed_with_what_mentions_it() {
    let place = Place::new();
    place.write("d/main.c", "#include \"a.h\"\n#include \"b.h\"\nint needed;\n");
    place.write("d/a.h", "#include \"b.h\"\nint a;\n");
    place.write("d/b.h", "int b;\n");
    place.write("d/Makefile", "OBJS = main.o a.o b.o\nprog: $(OBJS)\n\tcc -o prog $(OBJS)\n");
    // A header is there if and only if it is included, and so is its object.
    let test = "grep -q needed d/main.c && grep -q prog: d/Makefile && \
                for h in a b; do \
                  set -- $(grep -l \"include \\\"$h.h\\\"\" d/*); \
                  if test -e d/$h.h; then test $# -ge 1 && grep -q $h.o d/Makefile; \
                  else test $# -eq 0 && ! grep -q $h.o d/Makefile; fi || exit 1; \
                done";
    place.script("test.sh", test);
    place.lop(["./test.sh", "d", "--strategy", "files"]).expect(0, &[]);
    assert_eq!(below(&place, "d.lop"), ["Makefile", "main.c"]);
    assert_eq!(place.read("d.lop/main.c"), b"int needed;\n");
    let makefile = "OBJS = main.o\nprog: $(OBJS)\n\tcc -o prog $(OBJS)\n";
    assert_eq!(String::from_utf8(place.read("d.lop/Makefile")).unwrap(), makefile);
}

#[test]
fn a_file_whose_name_is_needed_is_emptied() {
    let place = Place::new();
    place.write("d/main.c", "int needed;\n");
    place.write("d/config.txt", "a\nb\n");
    place.write("d/other.txt", "");
    place.script("test.sh", "grep -q needed d/main.c && test -e d/config.txt");
    place.lop(["./test.sh", "d"]).expect(0, &[]);
    assert_eq!(below(&place, "d.lop"), ["config.txt", "main.c"]);
    assert_eq!(place.read("d.lop/config.txt"), b"");
}

/// A directory with all modes and links that there can be.
fn varied() -> Place {
    let place = Place::new();
    place.write("outside/shared.txt", "shared\n");
    place.write("d/run", "#!/bin/sh\necho needed\n");
    place.write("d/secret", "needed\n");
    place.write("d/junk", "junk\n");
    place.chmod("d/run", 0o755);
    place.chmod("d/secret", 0o640);
    fs::create_dir_all(place.path("d/empty/deep")).unwrap();
    fs::create_dir_all(place.path("d/sub")).unwrap();
    symlink("../secret", place.path("d/sub/link")).unwrap();
    symlink(place.path("d/secret"), place.path("d/sub/absolute")).unwrap();
    symlink("../outside/shared.txt", place.path("d/shared.txt")).unwrap();
    symlink("../outside", place.path("d/elsewhere")).unwrap();
    symlink("nowhere", place.path("d/dangling")).unwrap();
    place
}

const NEEDS_ALL: &str = "cd d && ./run | grep -q needed && grep -q needed secret && \
     test \"$(stat -c %a run secret | xargs)\" = '755 640' && test -d empty/deep && \
     test \"$(readlink sub/link)\" = ../secret && test sub/absolute -ef secret && \
     grep -q shared shared.txt && test -e elsewhere/shared.txt && test -L dangling";

#[test]
fn modes_links_and_empty_directories_survive() {
    let place = varied();
    place.script("test.sh", NEEDS_ALL);
    place.lop(["./test.sh", "d"]).expect(0, &[]);
    let left = below(&place, "d.lop");
    assert!(!left.contains(&"junk".to_owned()), "{left:?}");
    place.command("mkdir").arg("again").status().unwrap();
    fs::rename(place.path("d.lop"), place.path("again/d")).unwrap();
    place.command("cp").args(["-r", "outside", "again"]).status().unwrap();
    let result =
        place.command("sh").current_dir(place.path("again")).args(["-c", NEEDS_ALL]).status();
    assert!(result.unwrap().success(), "the result itself is interesting");

    // What is not needed is removed.
    place.script("test.sh", "cd d && ./run | grep -q needed");
    place.lop(["./test.sh", "d"]).expect(0, &[]);
    assert_eq!(below(&place, "d.lop"), ["run"]);
}

#[test]
fn a_directory_is_reduced_in_place_and_its_original_is_kept() {
    let place = varied();
    place.script("test.sh", NEEDS_ALL);
    let before = below(&place, "d");
    let size = |path: &str| fs::metadata(place.path(path)).unwrap().len();
    let original = size("d/secret");
    place.write("d/secret", "needed\nnot this\nnor this\n");
    let stopped = ["./test.sh", "d", "--in-place", "--max-tests", "3"];
    place.lop(stopped).expect(0, &["--resume"]);
    place.lop(["--resume", "--max-tests", "1000"]).expect(0, &["diff -r", "d.orig"]);
    assert_eq!(below(&place, "d.orig"), before);
    assert_eq!(place.read("d.orig/secret"), b"needed\nnot this\nnor this\n");
    assert!(size("d/secret") <= original && !below(&place, "d").contains(&"junk".to_owned()));
    assert_eq!(place.mode("d/secret"), 0o640);
    assert!(place.path("d/shared.txt").is_symlink(), "a file that did not change is not replaced");
    let again = place.command("sh").args(["-c", NEEDS_ALL]).status();
    assert!(again.unwrap().success(), "the directory is interesting");
}

#[test]
fn several_files_are_reduced_in_place_each_with_a_backup() {
    let place = Place::new();
    place.write("a.txt", "needed\nother\n");
    place.write("b/c.txt", "more\nneeded\n");
    place.chmod("b/c.txt", 0o600);
    place.script("test.sh", "grep -q needed a.txt && grep -q needed b/c.txt");
    let files = ["./test.sh", "a.txt", "b/c.txt", "--in-place"];
    place.lop([&files[..], &["--max-tests", "2"]].concat()).expect(0, &["--resume"]);
    place.lop(["--resume", "--max-tests", "1000"]).expect(0, &["a.txt.orig"]);
    assert_eq!(place.read("a.txt"), b"needed\n");
    assert_eq!(place.read("b/c.txt"), b"needed\n");
    assert_eq!(place.read("a.txt.orig"), b"needed\nother\n");
    assert_eq!(place.read("b/c.txt.orig"), b"more\nneeded\n");
    assert_eq!((place.mode("b/c.txt"), place.mode("b/c.txt.orig")), (0o600, 0o600));
    assert_eq!(place.names(), ["a.txt", "a.txt.orig", "b", "test.sh"]);
}

#[test]
fn fixed_files_stay_and_others_come_first() {
    let place = Place::new();
    let lines: String = (0..40).map(|n| format!("line {n}\n")).collect();
    for name in ["src/a.txt", "src/b.txt", "Makefile", "doc/c.txt"] {
        place.write(format!("d/{name}"), &lines);
    }
    place.script("test.sh", "cat d/*/a.txt d/src/b.txt | grep -c 'line 7$' | grep -q 2");
    let fixed = ["./test.sh", "d", "--fixed", "Makefile", "--fixed", "doc"];
    place.lop(fixed).expect(0, &[]);
    assert_eq!(
        below(&place, "d.lop"),
        ["Makefile", "doc", "doc/c.txt", "src", "src/a.txt", "src/b.txt"]
    );
    assert_eq!(place.read("d.lop/Makefile"), lines.as_bytes());
    assert_eq!(place.read("d.lop/doc/c.txt"), lines.as_bytes());
    assert_eq!(place.read("d.lop/src/a.txt"), b"line 7\n");

    let first = ["./test.sh", "d", "-o", "first", "--first", "src/b.txt", "--max-tests", "12"];
    place.lop(first).expect(0, &[]);
    assert!(place.read("first/src/b.txt").len() < lines.len() / 2);
    for untouched in ["src/a.txt", "Makefile", "doc/c.txt"] {
        assert_eq!(place.read(format!("first/{untouched}")), lines.as_bytes(), "{untouched}");
    }

    let none = ["./test.sh", "d", "--fixed", "*.rs"];
    place.lop(none).expect(2, &["no file of the input matches `*.rs`"]);
    place.lop(["./test.sh", "d", "--fixed", "**"]).expect(2, &["nothing to reduce"]);
    place.lop(["./test.sh", "d/Makefile", "--first", "x"]).expect(2, &["there is one", "--keep"]);
}

#[test]
fn the_size_of_a_directory_is_that_of_its_files() {
    let place = Place::new();
    place.write("d/a.txt", "abc def\nx\n");
    place.write("d/b.txt", "y\n");
    place.script("test.sh", "grep -q abc d/a.txt");
    place.lop(["./test.sh", "d"]).expect(0, &["d: 12 → 4 bytes", "4 → 1 token;"]);
    assert!(!place.path("d.lop/b.txt").exists());
}
