//! Several files, protected text, formatters, rules and corpora.

mod common;

use std::fs;

use common::{Place, finished, signal, start, until};

/// A project with sources, a binary file and a script.
fn project() -> Place {
    let place = Place::new();
    place.write("proj/src/main.c", "#include \"a.h\"\nint x;\nint main(void) { return NEEDED; }\n");
    place.write("proj/src/a.h", "#define NEEDED 1\n#define OTHER 2\n");
    place.write("proj/src/unused.c", "int unused;\n");
    place.write("proj/data.bin", b"\0\x01\x02NEEDED\xff\xfe\0");
    place.write("proj/README", "nothing\nof interest\n");
    place.executable("proj/run", "#!/bin/sh\n# NEEDED\nexit 0\n");
    place
}

fn files_below(place: &Place, directory: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![place.path(directory)];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            match entry.file_type().unwrap().is_dir() {
                true => open.push(entry.path()),
                false => {
                    let path = entry.path().strip_prefix(place.path(directory)).unwrap().to_owned();
                    found.push(path.display().to_string());
                }
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_directory_is_reduced_whole_files_first_and_binary_files_by_bytes() {
    let place = project();
    place.script(
        "test.sh",
        "test -x proj/run && ./proj/run && grep -q NEEDED proj/src/main.c && \
         grep -q NEEDED proj/data.bin && test \"$1\" = \"$PWD/proj\"",
    );
    place.lop(["./test.sh", "proj"]).expect(0, &["result:     proj.lop", "diff -r proj proj.lop"]);
    assert_eq!(files_below(&place, "proj.lop"), ["data.bin", "run", "src/main.c"]);
    assert_eq!(place.read("proj.lop/data.bin"), b"NEEDED");
    assert_eq!(place.read("proj.lop/src/main.c"), b"NEEDED\n");
    assert_eq!(place.mode("proj.lop/run") & 0o111, 0o111);
    assert_eq!(files_below(&place, "proj").len(), 6, "the input stays as it was");
    // Another run replaces the result of this one, and keeps other files in the directory.
    place.write("proj.lop/note", "mine");
    place.script("test.sh", "grep -q OTHER proj/src/a.h");
    place.lop(["./test.sh", "proj/"]).expect(0, &["result:     proj.lop"]);
    assert_eq!(files_below(&place, "proj.lop"), ["note", "src/a.h"]);
    place.lop(["./test.sh", "proj", "-o", "proj/out"]).expect(2, &["inside of the input"]);
}

#[test]
fn the_test_finds_several_files_under_the_paths_that_the_user_gave() {
    let place = project();
    let path = "test \"$1\" = \"$PWD/proj/src/main.c\"";
    place.script("test.sh", &format!("{path} && cat proj/src/* | grep -q NEEDED"));
    let files = ["./test.sh", "proj/src/main.c", "proj/src/a.h", "-o", "out"];
    place.lop(files).expect(0, &["result:     out"]);
    assert_eq!(files_below(&place, "out").len(), 1);
}

#[test]
fn a_stopped_run_over_a_directory_is_resumed() {
    let place = project();
    place.script("test.sh", "grep -q NEEDED proj/src/main.c && grep -q OTHER proj/src/a.h");
    place.lop(["./test.sh", "proj", "--max-tests", "9"]).expect(0, &["--resume"]);
    place.lop(["--resume", "--max-tests", "1000"]).expect(0, &["nothing more can be removed"]);
    assert_eq!(files_below(&place, "proj.lop"), ["src/a.h", "src/main.c"]);
    assert_eq!(place.read("proj.lop/src/a.h"), b"OTHER\n");
}

#[test]
fn protected_text_is_kept() {
    let place = Place::new();
    let text = "int a;\n/* lop-keep-begin */\nint b;\n/* lop-keep-end */\nint kept1;\nint c;\n";
    place.write("prog.c", text);
    place.script("test.sh", "grep -q 'int b' prog.c");
    place.lop(["./test.sh", "prog.c", "--keep", "int kept\\d;"]).expect(0, &[]);
    let left = String::from_utf8(place.read("prog.lop.c")).unwrap();
    assert_eq!(left, "/* lop-keep-begin */\nint b;\n/* lop-keep-end */\nint kept1;\n");
}

#[test]
fn what_a_pattern_protects_still_matches_it() {
    let place = Place::new();
    let lines: String = (10..60).map(|number| format!("{number}\n")).collect();
    place.write("numbers.txt", lines);
    place.script("test.sh", "grep -q 30 numbers.txt");
    place.lop(["./test.sh", "numbers.txt", "--keep", "(?m)^4[0-3]$"]).expect(0, &[]);
    assert_eq!(place.read("numbers.lop.txt"), b"30\n40\n41\n42\n43\n");
}

#[test]
fn the_output_of_a_formatter_is_the_result_if_it_is_interesting() {
    let place = Place::new();
    place.write("prog.c", "int a;\nint f() { return 1; }\nint b;\n");
    place.script("test.sh", "grep -q return prog.c && ! grep -q wrong prog.c");
    place.lop(["./test.sh", "prog.c", "--format", "sed 's/^/  /'"]).expect(0, &[]);
    assert_eq!(place.read("prog.lop.c"), b"  return\n");
    let unsuited = ["./test.sh", "prog.c", "--format", "echo wrong"];
    place.lop(unsuited).expect(0, &["`echo wrong`", "not interesting", "not used"]);
    assert_eq!(place.read("prog.lop.c"), b"return\n");
    let misspelt = ["./test.sh", "prog.c", "--format", "clang-fromat -i"];
    place.lop(misspelt).expect(2, &["the formatter `clang-fromat`", "check its name"]);
    let missing = ["./test.sh", "prog.c", "--format", "exit 3"];
    place.lop(missing).expect(0, &["`exit 3`", "did not format"]);
}

#[test]
fn the_result_of_a_stopped_run_is_laid_out_too() {
    let stopped = |options: &[&str]| {
        let place = Place::new();
        place.write("prog.c", "void f()\n{\n    if (x) {\n\n        first(1);\n    }\n}\n");
        // Once, it hangs on its way.
        let hangs = place.outside("hangs");
        let hang = format!("{{ touch {}; sleep 1000; }}", hangs.display());
        let script = format!(
            "grep -q 'first(1);' prog.c || exit 1\ngrep -q }} prog.c || [ -e {} ] || {hang}",
            hangs.display()
        );
        place.script("test.sh", &script);
        let args = ["./test.sh", "prog.c", "-j1", "--timeout", "1000", "--strategy", "opdd:tokens"];
        let args = [&args, options].concat();
        let lop = start(place.command(env!("CARGO_BIN_EXE_lop")).args(args));
        until("a hang", || hangs.exists());
        signal(&lop, libc::SIGINT);
        finished(lop).expect(130, &["interrupted"]);
        String::from_utf8(place.read("prog.lop.c")).unwrap()
    };
    let (laid_out, as_found) = (stopped(&[]), stopped(&["--format", "none"]));
    assert_eq!(laid_out, "{\n    first(1);\n}\n}\n");
    assert_eq!(as_found, "{\n\n        first(1);\n    }\n}\n");
}

#[test]
fn the_result_is_laid_out_like_the_original_unless_the_user_says_otherwise() {
    let place = Place::new();
    place.write(
        "prog.c",
        "void f()\n{\n    if (x) {\n        first(1);\n        second(2);\n    }\n}\n",
    );
    place.script("test.sh", "grep -q 'first(1);' prog.c && grep -q 'second(2);' prog.c");
    let lop = |options: &[&str]| {
        let run = place.lop(
            [&["./test.sh", "prog.c", "--json", "--strategy", "opdd:tokens"], options].concat(),
        );
        run.expect(0, &[]);
        let finished = run.stdout.lines().last().unwrap().to_owned();
        let finished: serde_json::Value = serde_json::from_str(&finished).unwrap();
        let result = String::from_utf8(place.read("prog.lop.c")).unwrap();
        assert_eq!(finished["size"]["bytes"], result.len());
        (result, finished["tests"].clone())
    };
    let (laid_out, tests) = lop(&[]);
    assert_eq!(laid_out, "first(1);\nsecond(2);\n");
    let (as_found, same) = lop(&["--format", "none"]);
    assert_eq!(as_found, "first(1);\n        second(2);\n");
    assert_eq!(tests, same);
    let (formatted, _) = lop(&["--format", "tr ';' '\\n' | cat; echo 'first(1);second(2);'"]);
    assert!(formatted.ends_with("\nfirst(1);second(2);\n"), "{formatted:?}");
}

#[test]
fn rules_of_the_user_are_applied() {
    let place = Place::new();
    place.write("prog.c", "int f(int x) { return other(x, 1); }\n");
    place.script("test.sh", "grep -q -e 'other(x, 1)' -e special prog.c");
    place.write("my.rules", "(call_expression) @it\n=> special\n");
    let rules = ["./test.sh", "prog.c", "--rules", "my.rules", "--strategy", "rewrite"];
    place.lop(rules).expect(0, &[]);
    let left = String::from_utf8(place.read("prog.lop.c")).unwrap();
    assert!(left.ends_with("{ return special; }\n"), "{left}");
}

#[test]
fn fast_gives_a_larger_result_than_usual_and_thorough_does_not() {
    let place = Place::new();
    let lines: String = (0..30).map(|n| format!("int v{n} = f(v{n} + {n}, 7);\n")).collect();
    place.write("prog.c", format!("{lines}int main(void) {{ return g(v3 + 12345); }}\n"));
    place.script("test.sh", "grep -q 'g(' prog.c && grep -q ')' prog.c");
    let size = |options: &[&'static str]| {
        place.lop([&["./test.sh", "prog.c"], options].concat()).expect(0, &[]);
        place.read("prog.lop.c").len()
    };
    let (fast, usual, thorough) = (size(&["--fast"]), size(&[]), size(&["--thorough"]));
    assert!(fast > usual && usual >= thorough, "{fast} {usual} {thorough}");
}

#[test]
fn the_smallest_nodes_of_a_corpus_replace_larger_ones() {
    let place = Place::new();
    place.write("call.py", "f(lambda: g(x))\n");
    place.write("corpus/other.py", "if a == None:\n    pass\n");
    place.write("corpus/notes.txt", "None of this is read.\n");
    place.script("test.sh", r"grep -qxE 'f\((None|lambda: g\(x\))\)' call.py");
    place.lop(["./test.sh", "call.py"]).expect(0, &["nothing more can be removed"]);
    assert_eq!(place.read("call.lop/call.py"), b"f(lambda: g(x))\n");
    place
        .lop(["./test.sh", "call.py", "--corpus", "corpus"])
        .expect(0, &["nothing more can be removed"]);
    assert_eq!(place.read("call.lop/call.py"), b"f(None)\n");
}

#[test]
fn that_a_file_of_several_does_not_parse_any_more_is_noted() {
    let place = Place::new();
    place.write("a.c", "int f(void) { return 1; }\nint needle(void) { return 2; }\n");
    place.write("b.c", "int g(void) { return thread; }\n");
    place.script("test.sh", "grep -q 'needle(' a.c && grep -q thread b.c");
    let note = "the result does not parse";
    let difference = "for file in a.c b.c; do diff $file a.c.lop/$file; done";
    place.lop(["./test.sh", "a.c", "b.c"]).expect(0, &[note, difference]);
    let output = place.lop(["--valid", "./test.sh", "a.c", "b.c"]);
    output.expect(0, &[]);
    assert!(!output.stderr.contains(note), "{}", output.stderr);
}
