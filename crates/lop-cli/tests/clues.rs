//! Runs whose test prints where the failure is.

mod common;

use std::fs;
use std::process::Command;

use common::Place;

/// A program of 60 functions, and a tool that fails at one of their calls.
fn place() -> Place {
    let place = Place::new();
    let functions: String =
        (0..60).map(|n| format!("def f{n}(x):\n    y = x + {n}\n    return y * y\n")).collect();
    place.write("prog.py", format!("{functions}print(f7(1))\nneedle(f42(2))\nprint(f9(3))\n"));
    place.script("tool.sh", &tool("$1"));
    place
}

/// A tool that fails at one line of a file.
fn tool(file: &str) -> String {
    format!(
        "n=$(grep -n '^needle(' {file} | cut -d: -f1)\n[ -n \"$n\" ] || exit 0\n\
         echo \"{file}:$n: error: needle\" >&2\nexit 1"
    )
}

/// The size of what is left after two tests.
fn after_two_tests(place: &Place, args: &[&str]) -> usize {
    place
        .lop([&["--max-tests", "2", "--force", "-o", "out.py"], args].concat())
        .expect(0, &["the limit on tests"]);
    fs::read(place.path("out.py")).map_or(usize::MAX, |left| left.len())
}

#[test]
fn a_run_begins_with_the_lines_that_the_output_names() {
    let place = place();
    let named = after_two_tests(&place, &["prog.py", "--", "./tool.sh", "{}"]);
    assert!(named < 100, "{named}");
    place.script("test.sh", "! \"$LOP_DIR/tool.sh\" \"$1\"");
    let named = after_two_tests(&place, &["./test.sh", "prog.py"]);
    assert!(named < 100, "{named}");
    // Output that nobody shows names nothing.
    place.script("test.sh", "! \"$LOP_DIR/tool.sh\" \"$1\" 2>/dev/null");
    let hidden = after_two_tests(&place, &["./test.sh", "prog.py"]);
    assert!(hidden > 500, "{hidden}");
}

#[test]
fn what_the_test_only_searches_is_looked_at_as_well() {
    let place = place();
    for test in [
        "\"$LOP_DIR/tool.sh\" \"$1\" 2>&1 | grep -q needle",
        "\"$LOP_DIR/tool.sh\" prog.py >out.txt 2>&1\ngrep -qF 'error: needle' out.txt",
        "\"$LOP_DIR/tool.sh\" prog.py 2>&1 | egrep -c 'needle|no' >/dev/null",
        // The places around what it looks for, not the others.
        "{ seq 1 99 | sed 's/.*/prog.py:&:1: warning: unused/'; \"$LOP_DIR/tool.sh\" prog.py; } 2>&1 | grep -q needle",
    ] {
        place.script("test.sh", test);
        let named = after_two_tests(&place, &["./test.sh", "prog.py"]);
        assert!(named < 100, "{test}: {named}");
        assert_eq!(place.temporaries(), [""; 0], "{test}");
    }
    let inline = ["prog.py", "--", "$LOP_DIR/tool.sh {} 2>&1 | grep -q needle"];
    let named = after_two_tests(&place, &[&["--exit", "0"], &inline[..]].concat());
    assert!(named < 100, "{named}");
}

#[test]
fn of_several_files_the_lines_that_the_output_names_are_kept() {
    let place = place();
    let program = place.read("prog.py");
    for path in ["proj/a/main.py", "proj/b/main.py", "proj/c.py"] {
        place.write(path, &program);
    }
    place.script("tool.sh", &tool("$1/b/main.py"));
    let args = ["proj", "--", "./tool.sh", "{}"];
    place.lop([&["--max-tests", "2"], &args[..]].concat()).expect(0, &["the limit on tests"]);
    let left: usize = ["a/main.py", "b/main.py", "c.py"]
        .iter()
        .filter_map(|path| fs::read(place.path("proj.lop").join(path)).ok())
        .map(|content| content.len())
        .sum();
    assert!(left < 100, "{left}");
}

/// A program of 60 functions in a language, two of which are called, and its interpreter.
fn programs() -> Vec<(&'static str, &'static str, String)> {
    let all = |function: &dyn Fn(usize) -> String| (0..60).map(function).collect::<String>();
    let javascript =
        |n| format!("function f{n}(x) {{\n  const y = x + 'ü';\n  return y + y;\n}}\n");
    let python = |n| format!("def f{n}(x):\n    y = x + {n}\n    return y * y\n");
    let ruby = |n| format!("def f{n}(x)\n  y = x + {n}\n  y * y\nend\n");
    let lua = |n| format!("function f{n}(x)\n  local y = x + {n}\n  return y * y\nend\n");
    let perl = |n| format!("sub f{n} {{\n    my $y = $_[0] + {n};\n    return $y * $y;\n}}\n");
    vec![
        ("node", "prog.js", all(&javascript) + "f7('a');\nif (f42('b')) process.exit(3);\n"),
        ("python3", "prog.py", all(&python) + "f7(1)\nif f42(2): exit(3)\n"),
        ("ruby", "prog.rb", all(&ruby) + "f7(1)\nexit 3 if f42(2)\n"),
        ("lua5.4", "prog.lua", all(&lua) + "f7(1)\nif f42(2) then os.exit(3) end\n"),
        ("perl", "prog.pl", all(&perl) + "f7(1);\nexit 3 if f42(2);\n"),
    ]
}

#[test]
fn what_an_interpreter_does_not_reach_is_removed_first() {
    for (interpreter, name, program) in programs() {
        if Command::new(interpreter).arg("-v").output().is_err() {
            eprintln!("there is no {interpreter} here");
            continue;
        }
        let place = Place::new();
        // Their paths are in what node writes.
        for name in [name, &name.replace("prog", "a b%")] {
            place.write(name, &program);
            let test =
                format!("code=0; {interpreter} {name:?} >/dev/null 2>&1 || code=$?; [ $code = 3 ]");
            place.script("test.sh", &test);
            let args = ["./test.sh", name, "--max-tests", "2", "--force", "-o", "out"];
            place.lop(args).expect(0, &["the limit on tests"]);
            let left = place.read("out").len();
            assert!(left < program.len() / 10, "{name}: {left} of {}", program.len());
            assert_eq!(place.temporaries(), [""; 0], "{name}");
        }
    }
}

#[test]
fn of_several_files_what_an_interpreter_does_not_reach_is_removed_first() {
    let place = Place::new();
    let (_, _, program) = &programs()[1];
    let functions = &program[..program.find("f7(1)").unwrap()];
    place.write("proj/lib/functions.py", functions);
    place.write("proj/other.py", functions);
    place.write("proj/main.py", "from lib.functions import *\nf7(1)\nif f42(2): exit(3)\n");
    place.script("test.sh", "code=0; python3 proj/main.py || code=$?; [ $code = 3 ]");
    place.lop(["./test.sh", "proj", "--max-tests", "2"]).expect(0, &["the limit on tests"]);
    let left = place.read("proj.lop/lib/functions.py").len();
    assert!(left < functions.len() / 10, "{left} of {}", functions.len());
}

#[test]
fn a_stopped_run_that_began_with_the_named_lines_is_resumed() {
    let place = place();
    after_two_tests(&place, &["prog.py", "--", "./tool.sh", "{}"]);
    place.lop(["--resume", "--max-tests", "1000"]).expect(0, &["nothing more can be removed"]);
    assert_eq!(place.squeezed("out.py"), "needle(");
}
