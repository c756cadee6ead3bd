//! Results: where they are written, what they contain, and what lop prints about them.

mod common;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use common::{Place, start};
use serde_json::Value;

const INPUT: &[u8] = b"one\ntwo\nthe needle is here\nfour\nfive\n";

/// A place with an input of this name and a test that requires a needle.
fn place(name: &str) -> Place {
    let place = Place::new();
    place.write(name, INPUT);
    place.script("check.sh", "grep -q needle \"$1\"");
    place
}

#[test]
fn a_well_formed_xml_file_stays_well_formed_unless_that_is_not_wanted() {
    // Neither is the bomb expanded nor the file fetched: lop reads the text of entities only.
    let bomb = "<!DOCTYPE r [<!ENTITY a \"0123456789\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\
                <!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY x SYSTEM \"file:///none\">]>\n";
    let xml = format!(
        "<?xml version='1.0'?>\n{bomb}<r a='1'><!-- n --><s>&c;&x;</s><needle b='2'/><![CDATA[<]]></r>\n"
    );
    let place = Place::new();
    place.write("doc.xml", xml.as_bytes());
    place.script("check.sh", "grep -q needle \"$1\"");
    place.lop(["./check.sh", "doc.xml"]).expect(0, &[]);
    assert_eq!(place.squeezed("doc.lop.xml"), "<needle/>");
    place.lop(["./check.sh", "doc.xml", "--valid=no"]).expect(0, &[]);
    assert_eq!(place.squeezed("doc.lop.xml"), "needle");
    // What was not well-formed need not become so.
    place.write("bad.xml", b"<a><b>needle</a>");
    place.lop(["./check.sh", "bad.xml"]).expect(0, &[]);
    assert_eq!(place.squeezed("bad.lop.xml"), "needle");
}

#[test]
fn the_result_is_next_to_the_input_and_its_name_keeps_the_extension() {
    for (input, result) in [
        ("prog.c", "prog.lop.c"),
        ("Makefile", "Makefile.lop"),
        ("dir/a.tar.gz", "dir/a.tar.lop.gz"),
        // The compilers of these languages want the name of the original.
        ("bank.rs", "bank.lop/bank.rs"),
        ("src/Main.java", "src/Main.lop/Main.java"),
        ("test_it.py", "test_it.lop/test_it.py"),
    ] {
        let place = place(input);
        place.lop(["./check.sh", input]).expect(0, &[result, &format!("diff {input} {result}")]);
        assert_eq!(place.squeezed(result), "needle");
        assert_eq!(place.read(input), INPUT);
    }
}

#[test]
fn a_run_whose_result_has_a_directory_of_its_own_is_resumed() {
    let place = place("bank.rs");
    place.lop(["--max-tests", "2", "./check.sh", "bank.rs"]).expect(0, &["lop --resume"]);
    assert!(place.path("bank.lop/bank.rs.journal").exists());
    place.lop(["--resume", "--max-tests", "1000"]).expect(0, &["bank.lop/bank.rs"]);
    assert_eq!(place.squeezed("bank.lop/bank.rs"), "needle");
    assert_eq!(place.names_in("bank.lop"), ["bank.rs", "bank.rs.history"]);
}

#[test]
fn a_valid_result_parses_and_a_format_without_grammar_has_none() {
    let place = Place::new();
    place.write("list.json", "[{\"a\": [1, 2]}, {\"needle\": [3, 4]}, 5]");
    place.write("list.txt", "a needle");
    place.script("check.sh", "grep -q 'needle\\(\":\\|$\\)' \"$1\"");
    place.lop(["./check.sh", "list.json"]).expect(0, &[]);
    assert_eq!(place.squeezed("list.lop.json"), "\"needle\":");
    for strategy in ["default", "no-guard+opdd:characters*+opdd:tokens*"] {
        place.lop(["--valid", "--strategy", strategy, "./check.sh", "list.json"]).expect(0, &[]);
        let result = String::from_utf8(place.read("list.lop.json")).unwrap();
        assert!(serde_json::from_str::<Value>(&result).is_ok(), "{strategy}: {result}");
        assert!(result.contains("needle") && result.len() < 40, "{strategy}: {result}");
    }
    // Without an option, it depends on the property and on the original.
    for (more, result) in [("--exit=0", "{\"needle\":0}"), ("--valid=no", "\"needle\":")] {
        let property = ["--stdout", "needle\":", more];
        let args = [&property[..], &["list.json", "--", "cat", "{}"]].concat();
        place.lop(args).expect(0, &[]);
        assert_eq!(place.squeezed("list.lop.json"), result, "{more}");
    }
    place.write("list.json", "[1, {\"needle\": 2");
    place.lop(["--stdout", "needle\":", "list.json", "--", "cat", "{}"]).expect(0, &[]);
    assert_eq!(place.squeezed("list.lop.json"), "\"needle\":");
    place.lop(["--valid", "./check.sh", "list.txt"]).expect(2, &["no grammar", "--language"]);
}

#[test]
fn the_result_is_written_to_the_output_option() {
    let place = place("prog.c");
    fs::create_dir(place.path("out")).unwrap();
    place.lop(["-o", "out/small.txt", "./check.sh", "prog.c"]).expect(0, &["out/small.txt"]);
    assert_eq!(place.squeezed("out/small.txt"), "needle");
    assert_eq!(place.read("prog.c"), INPUT);
    assert_eq!(place.names(), ["check.sh", "out", "prog.c"]);
    assert_eq!(place.names_in("out"), ["small.txt", "small.txt.history"]);
}

#[test]
fn in_place_keeps_the_original_and_never_overwrites_a_backup() {
    let place = place("prog.c");
    place.chmod("prog.c", 0o751);
    place.lop(["--in-place", "./check.sh", "prog.c"]).expect(0, &["diff", "prog.c.orig"]);
    assert_eq!(place.squeezed("prog.c"), "needle");
    assert_eq!(place.mode("prog.c"), 0o751);
    assert_eq!(place.read("prog.c.orig"), INPUT);

    place.write("prog.c", "another needle");
    place.lop(["--in-place", "./check.sh", "prog.c"]).expect(0, &["prog.c.orig.2"]);
    assert_eq!(place.squeezed("prog.c"), "needle");
    assert_eq!(place.read("prog.c.orig"), INPUT);
    assert_eq!(place.read("prog.c.orig.2"), b"another needle");
    assert_eq!(place.names(), ["check.sh", "prog.c", "prog.c.orig", "prog.c.orig.2"]);
}

#[test]
fn in_place_reduces_what_a_link_points_to() {
    let place = place("real/prog.c");
    std::os::unix::fs::symlink("real/prog.c", place.path("link.c")).unwrap();
    place.lop(["--in-place", "./check.sh", "link.c"]).expect(0, &[]);
    assert!(place.path("link.c").is_symlink());
    assert!(!place.path("real/prog.c").is_symlink());
    assert_eq!(place.squeezed("real/prog.c"), "needle");
    let backups: Vec<_> = ["link.c.orig", "real/prog.c.orig"]
        .into_iter()
        .filter(|name| place.path(name).exists() && place.read(name) == INPUT)
        .collect();
    assert_eq!(backups.len(), 1);
}

#[test]
fn all_bytes_are_kept_as_they_are() {
    let place = Place::new();
    let input = b"one\r\n\xfftwo\r\nkeep\r\nthree\0four\r\n\xc3\x28\r\n";
    place.write("prog.bin", input);
    // Unusual bytes are replaced by capitals, which the input does not have.
    let visible = "LC_ALL=C tr '\\r\\n\\000\\377' 'RNZF' < prog.bin > visible";
    let all = "grep -q keepRN visible && grep -q Z visible && grep -q F visible";
    place.script("check.sh", &format!("{visible}; {all}"));
    place.lop(["./check.sh", "prog.bin"]).expect(0, &[]);
    assert_eq!(place.read("prog.lop.bin"), b"\xffkeep\r\n\0");
    assert_eq!(place.read("prog.bin"), input);
}

#[test]
fn a_name_need_not_be_text() {
    let place = Place::new();
    let [input, result] = [b"pr\xffog.c".as_slice(), b"pr\xffog.lop.c"].map(OsStr::from_bytes);
    // Some file systems refuse such names.
    if let Err(error) = fs::write(place.path(input), INPUT) {
        println!("skipped: the name cannot be used here: {error}");
        return;
    }
    place.script("check.sh", "grep -q needle \"$1\" && [ \"$(ls)\" = \"$(basename \"$1\")\" ]");
    place.lop([OsStr::new("./check.sh"), input]).expect(0, &[]);
    assert_eq!(place.squeezed(result), "needle");
    let command = ["--exit", "0", "--", "grep", "-q", "needle", "{}"].map(OsStr::new);
    place.lop([&command[..2], &[input], &command[2..]].concat()).expect(0, &[]);
    assert_eq!(place.squeezed(result), "needle");
}

#[test]
fn the_summary_has_the_sizes_and_the_path_of_the_result() {
    let place = place("prog.c");
    let output = place.lop(["./check.sh", "prog.c"]);
    output.expect(0, &["37 → ", "% gone", "tests in", "prog.lop.c", "diff prog.c prog.lop.c"]);
    assert_eq!(output.stdout, "");
}

#[test]
fn the_summary_fits_a_usual_terminal_and_breaks_lines_between_words() {
    let place = place("a_program_with_a_rather_long_name_for_a_test.c");
    let output = place.lop(["./check.sh", "a_program_with_a_rather_long_name_for_a_test.c"]);
    output.expect(0, &["% gone),\n  8 → 1 token; nothing more can be removed\n"]);
    let summary = output.stderr.lines().skip_while(|line| !line.contains(" → "));
    // Commands can be copied as they are.
    for line in summary.filter(|line| !line.contains("diff ")) {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn nothing_is_wholly_gone_while_something_is_left() {
    let place = place("prog.c");
    place.write("prog.c", format!("{}needle\n", "void;\n".repeat(4000)));
    place.lop(["--fast", "./check.sh", "prog.c"]).expect(0, &["(99.9 % gone)"]);
}

#[test]
fn quiet_means_that_nothing_is_printed() {
    let place = place("prog.c");
    let output = place.lop(["-q", "./check.sh", "prog.c"]);
    output.expect(0, &[]);
    assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("", ""));
    assert_eq!(place.squeezed("prog.lop.c"), "needle");
    // Errors are still reported.
    place.lop(["-q", "./check.sh", "nowhere.c"]).expect(6, &["nowhere.c"]);
}

#[test]
fn verbose_prints_more() {
    let place = place("prog.c");
    let output = place.lop(["-v", "-j3", "--strategy", "opdd:lines", "./check.sh", "prog.c"]);
    output.expect(0, &["3 workers", "phase opdd:lines", "bytes"]);
}

#[test]
fn events_are_objects_one_per_line_and_nothing_else_is_printed() {
    let place = place("prog.c");
    let output = place.lop(["--json", "./check.sh", "prog.c"]);
    output.expect(0, &[]);
    assert_eq!(output.stderr, "");
    let events: Vec<Value> =
        output.stdout.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let names: BTreeSet<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    for name in ["started", "phase", "improved", "finished"] {
        assert!(names.contains(name), "{names:?}");
    }
    let find = |name| events.iter().find(|event| event["event"] == name).unwrap();
    assert_eq!(find("started")["size"]["bytes"], 37);
    assert!(find("improved")["size"]["bytes"].as_u64().unwrap() < 37);
    let last = events.last().unwrap();
    assert_eq!(last["event"], "finished");
    assert_eq!(last["size"]["bytes"], place.read("prog.lop.c").len());
    assert_eq!(last["output"], "prog.lop.c");
    assert_eq!(last["end"], "complete");
    assert_eq!(last["confirmed"], true);
    assert!(last["tests"].as_u64().unwrap() > 0);
}

/// A place with many lines and a test that requires some of them.
fn many_lines() -> Place {
    let place = Place::new();
    let lines: String = (0..200).map(|n| format!("line {n}: f(x{n}, {{{}}});\n", n * n)).collect();
    place.write("prog.c", lines);
    let script = "for n in 3 77 78 150; do grep -q \"x$n,\" \"$1\" || exit 1; done";
    place.script("check.sh", script);
    place
}

#[test]
fn a_limited_run_is_the_same_with_any_number_of_workers_and_can_be_resumed() {
    let mut results = Vec::new();
    for workers in ["-j1", "-j2", "-j8"] {
        let place = many_lines();
        let original = place.read("prog.c");
        let output = place.lop([workers, "--max-tests", "40", "./check.sh", "prog.c"]);
        output.expect(0, &["the limit on tests", "40 tests", "--resume"]);
        assert_eq!(place.names(), ["check.sh", "prog.c", "prog.lop.c", "prog.lop.c.journal"]);
        let result = place.read("prog.lop.c");
        let tested = place.command("./check.sh").arg(place.path("prog.lop.c")).status().unwrap();
        assert!(tested.success());
        assert!(result.len() < original.len());

        place
            .lop(["--resume", "--max-tests", "100000"])
            .expect(0, &["nothing more can be removed"]);
        assert_eq!(place.names(), ["check.sh", "prog.c", "prog.lop.c"]);
        let complete = place.squeezed("prog.lop.c");
        assert!(complete.len() < result.len());
        results.push((result, complete));
    }
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
    assert_eq!(results[0].1, "x3,x77,x78,x150,");
}

#[test]
fn a_run_stops_when_its_time_is_over() {
    let place = many_lines();
    place.script("slow.sh", "sleep 0.05; ./check.sh \"$1\" 2>/dev/null || grep -q x150, \"$1\"");
    let output = place.lop(["-j1", "--max-time", "300ms", "./slow.sh", "prog.c"]);
    output.expect(0, &["the limit on time", "--resume"]);
    assert!(place.path("prog.lop.c.journal").exists());
    assert!(String::from_utf8_lossy(&place.read("prog.lop.c")).contains("x150,"));
}

#[test]
fn strategies_are_listed_and_chosen_and_mistakes_are_answered_with_the_nearest_name() {
    let place = place("prog.c");
    let list = place.lop(["strategies"]);
    list.expect(0, &[]);
    for word in ["ddmin", "opdd", "probdd", "lines", "tokens", "brackets", "indents", "bytes"] {
        assert!(list.stdout.contains(&format!("  {word} ")), "{word} is not in:\n{}", list.stdout);
    }
    for (strategy, result) in
        [("ddmin:lines", "theneedleishere"), ("opdd:lines+probdd:bytes", "needle")]
    {
        place.lop(["--strategy", strategy, "./check.sh", "prog.c"]).expect(0, &[]);
        assert_eq!(place.squeezed("prog.lop.c"), result, "{strategy}");
    }
    for (strategy, nearest) in [("ddmni:lines", "`ddmin`"), ("ddmin:byte", "`bytes`")] {
        let output = place.lop(["--strategy", strategy, "./check.sh", "prog.c"]);
        output.expect(2, &["did you mean", nearest]);
    }
}

#[test]
fn a_run_whose_output_is_closed_still_finishes() {
    let place = place("prog.c");
    for args in [&["./check.sh", "prog.c"][..], &["-v", "./check.sh", "prog.c"], &["strategies"]] {
        let mut lop = start(place.command(env!("CARGO_BIN_EXE_lop")).args(args));
        drop((lop.stdout.take(), lop.stderr.take()));
        assert_eq!(lop.wait().unwrap().code(), Some(0), "{args:?}");
    }
}

#[test]
fn names_stay_as_they_are_if_that_is_wanted() {
    let place = Place::new();
    let program = "int height = 3;\nint width(int depth) { int length = depth + height; return length; }\n\
                   int main(void) { int volume = width(4); return volume * width(height); }\n";
    place.write("prog.c", program);
    // A function calls itself or another one.
    place.script(
        "check.sh",
        "grep -qE 'int [a-z]+\\(' \"$1\" && grep -qE '[^ ] *= *[a-z]+\\([a-z0-9]+\\)' \"$1\"",
    );
    let names = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect()
    };
    let left = |args: &[&str]| {
        place.lop([&["./check.sh", "prog.c", "--force"], args].concat()).expect(0, &[]);
        names(&String::from_utf8(place.read("prog.lop.c")).unwrap())
    };
    assert!(!left(&[]).is_subset(&names(program)), "usually they are shortened");
    for args in [&["--keep-names"][..], &["--keep-names", "--thorough"]] {
        let left = left(args);
        let digits = |name: &String| name.chars().all(|c| c.is_ascii_digit());
        assert!(left.iter().all(|name| digits(name) || names(program).contains(name)), "{left:?}");
    }
}

#[test]
fn a_result_that_no_longer_parses_is_noted() {
    let place = Place::new();
    place.write("prog.c", "int f(void) { return 1; }\nint g(void) { return f() + 2; }\n");
    place.script("check.sh", "grep -q 'f() +' prog.c");
    let note = "the result does not parse, though the original does";
    place.lop(["./check.sh", "prog.c"]).expect(0, &[note, "--valid"]);
    let valid = place.lop(["--valid", "./check.sh", "prog.c"]);
    valid.expect(0, &[]);
    assert!(!valid.stderr.contains(note), "{}", valid.stderr);
}
