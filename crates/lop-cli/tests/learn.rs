//! `lop learn`, `lop model` and `--model`.

mod common;

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use common::{Place, finished, start};
use serde_json::Value;

/// A place with a small corpus of JavaScript.
fn place() -> Place {
    let place = Place::new();
    place.write("corpus/a.js", "if (a) { b(); } else { c(); }\n");
    place.write("corpus/sub/b.js", "if (d) { e(1, 2); }\nvar f = 1, g;\n");
    place
}

fn learn(place: &Place, args: &[&str]) -> Vec<u8> {
    place.lop(["learn"].iter().chain(args)).expect(0, &[]);
    place.read(args.last().unwrap())
}

#[test]
fn a_model_is_learned_from_a_directory_and_explained() {
    let place = place();
    let output = place.lop(["learn", "--language", "javascript", "corpus", "-o", "js.model"]);
    output.expect(0, &["learned from 2 files", "js.model is a model of 2 files: javascript"]);

    let summary = place.lop(["model", "js.model"]);
    summary.expect(0, &[]);
    assert!(summary.stdout.contains("learned from 2 files: javascript"), "{}", summary.stdout);
    assert!(summary.stdout.lines().all(|line| line.chars().count() <= 80), "{}", summary.stdout);
    let row = summary.stdout.lines().find(|line| line.contains("if_statement")).unwrap();
    let row: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(row, ["if_statement", "2", "1", "condition,", "consequence"]);

    let label = place.lop(["model", "js.model", "if_statement"]);
    label.expect(0, &[]);
    let lines: Vec<Vec<&str>> =
        label.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    for line in [
        &["if_statement", "(javascript):", "2", "nodes"][..],
        &["condition", "100.0", "%", "mandatory"],
        &["alternative", "50.0", "%"],
        &["program", "(no", "field)", "2"],
    ] {
        assert!(lines.iter().any(|found| found == line), "{line:?} in {}", label.stdout);
    }

    let json = place.lop(["model", "js.model", "if_statement", "--json"]);
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    let statement = &json["languages"]["javascript"]["if_statement"];
    assert_eq!(statement["edges"]["condition"]["mandatory"], true);
    assert_eq!(statement["contexts"][0]["parent"], "program");
    assert_eq!(json["files"], 2);
}

#[test]
fn a_misspelt_label_gets_a_suggestion() {
    let place = place();
    learn(&place, &["corpus", "-o", "js.model"]);
    let output = place.lop(["model", "js.model", "if_statment"]);
    output.expect(2, &["no label `if_statment`; did you mean `if_statement`?", "lists its labels"]);
}

#[test]
fn the_model_does_not_depend_on_the_number_of_threads() {
    let place = place();
    for number in 0..40 {
        place.write(
            format!("corpus/{number}.js"),
            format!("f({number});\nif (x) y({number}, z);\n"),
        );
    }
    let [one, four] = ["1", "4"]
        .map(|jobs| learn(&place, &["corpus", "-j", jobs, "-o", &format!("{jobs}.model")]));
    assert_eq!(one, four);
}

#[test]
fn a_model_is_extended_and_merged_and_no_file_counts_twice() {
    let place = place();
    place.write("more/c.js", "while (h) i();\n");
    let all = learn(&place, &["corpus", "more", "-o", "all.model"]);

    learn(&place, &["corpus", "-o", "extended.model"]);
    let output = place.lop(["learn", "corpus", "more", "-o", "extended.model"]);
    output.expect(0, &["learned from 1 file,", "2 known already"]);
    assert_eq!(place.read("extended.model"), all);

    learn(&place, &["more", "-o", "more.model"]);
    learn(&place, &["corpus", "-o", "corpus.model"]);
    assert_eq!(learn(&place, &["corpus.model", "more.model", "-o", "merged.model"]), all);
}

#[test]
fn an_interrupted_run_goes_on() {
    let place = Place::new();
    for number in 0..300 {
        let text = format!("f({number});\nif (x) {{ y({number}, z); }}\n").repeat(20);
        place.write(format!("corpus/{number}.js"), text);
    }
    let whole = learn(&place, &["corpus", "-o", "whole.model"]);
    let mut interrupted = 0;
    for pause in [60, 90, 120, 0] {
        let args = ["learn", "corpus", "-j", "1", "-o", "parts.model"];
        let child = start(place.command(env!("CARGO_BIN_EXE_lop")).args(args));
        if pause > 0 {
            thread::sleep(Duration::from_millis(pause));
            let pid = child.id().to_string();
            let kill = Command::new("kill").args(["-INT", &pid]).stderr(Stdio::null()).status();
            assert!(kill.is_ok());
        }
        // An early signal ends lop before it handles signals, a late one finds it done.
        let output = finished(child);
        if output.code == 130 {
            output.expect(130, &["interrupted; the same command goes on"]);
            place.lop(["model", "parts.model"]).expect(0, &[]);
            interrupted += 1;
        }
    }
    assert_eq!(place.read("parts.model"), whole, "{interrupted} runs were interrupted");
}

#[test]
fn files_that_teach_nothing_are_skipped_and_counted() {
    let place = place();
    place.write("corpus/binary.js", b"var a\0 = 1;");
    place.write("corpus/huge.js", "x();\n".repeat(2 << 20));
    place.write("corpus/broken.js", "((( ]]] {{{ <<< ))) var if while ===\n".repeat(20));
    place.write("corpus/other.py", "print(1)\n");
    place.write("corpus/twin.js", place.read("corpus/a.js"));
    place.write("corpus/.git/c.js", "hidden();\n");
    let output = place.lop(["learn", "--language", "js", "corpus", "-o", "js.model"]);
    output.expect(0, &[
        "learned from 2 files",
        "1 known already, 1 in another language, 1 binary, 1 larger than 4 MB, 1 with many syntax errors",
    ]);
}

#[test]
fn a_corpus_of_binary_files_ends_with_a_message_and_no_model() {
    let place = Place::new();
    for number in 0..20u8 {
        place.write(format!("corpus/{number}.bin"), [number, 0, 1, 2].repeat(10_000));
    }
    let output = place.lop(["learn", "corpus", "-o", "x.model"]);
    output.expect(6, &["nothing was learned: files skipped: 20 binary", "lop languages"]);
    assert_eq!(place.names(), ["corpus"]);
}

#[test]
fn languages_are_guessed_for_each_file() {
    let place = place();
    place.write("corpus/x.json", "{\"a\": 1}");
    place.write("corpus/notes.txt", "nothing\n");
    let output = place.lop(["learn", "corpus", "-o", "two.model"]);
    output.expect(0, &["a model of 3 files: javascript, json", "1 in another language"]);
}

#[test]
fn only_models_are_extended_or_used() {
    let place = place();
    place.write("precious.txt", "my only copy\n");
    let output = place.lop(["learn", "corpus", "-o", "precious.txt"]);
    output.expect(2, &["cannot use `precious.txt` as a model: it is not a model of lop"]);
    assert_eq!(place.read("precious.txt"), b"my only copy\n");

    let model = learn(&place, &["corpus", "-o", "js.model"]);
    place.write("short.model", &model[..model.len() / 2]);
    place.lop(["model", "short.model"]).expect(2, &["truncated", "lop learn"]);
    let mut newer = model.clone();
    newer[10] = 9;
    place.write("newer.model", &newer);
    place.lop(["model", "newer.model"]).expect(2, &["version 9", "newer lop"]);
    place.lop(["model", "missing.model"]).expect(2, &["cannot read the model `missing.model`"]);
}

/// The result and the number of tests of a reduction.
fn reduce(place: &Place, more: &[&str]) -> (String, u64) {
    let mut args = vec!["./test.sh", "input.js", "--json", "--strategy", "pardis-wide*", "-j", "1"];
    args.extend(more);
    let output = place.lop(args);
    output.expect(0, &[]);
    let finished: Value = serde_json::from_str(output.stdout.lines().last().unwrap()).unwrap();
    (place.squeezed("input.lop.js"), finished["tests"].as_u64().unwrap())
}

#[test]
fn a_model_saves_tests_and_refuses_what_nobody_writes() {
    let place = place();
    place.write("input.js", "if (p) { if (q) { bug(1, 2); } else { r(); } } else { s(t, u); }\n");
    place.script("test.sh", "grep -q bug input.js");
    learn(&place, &["corpus", "-o", "js.model"]);
    let (plain, many) = reduce(&place, &[]);
    let (usual, few) = reduce(&place, &["--model", "js.model"]);
    assert!(few < many, "{few} tests with the model, {many} without");
    // The corpus has every call in the block of an `if`, and no block elsewhere.
    assert_eq!((plain.as_str(), usual.as_str()), ("{{bug}}", "if(p){if(q){bug()}}"));

    let tree = |more: &[&str]| {
        let output = place.lop(["tree", "input.js"].iter().chain(more));
        output.expect(0, &[]);
        output.stdout
    };
    let root = "└─ if_statement  ✂*  ↑ statement_block";
    assert!(tree(&[]).contains(root) && !tree(&["--model", "js.model"]).contains(root));
}

#[test]
fn a_model_of_another_language_is_refused() {
    let place = place();
    learn(&place, &["corpus", "-o", "js.model"]);
    place.write("input.py", "bug()\n");
    place.script("test.sh", "grep -q bug input.py");
    let output = place.lop(["./test.sh", "input.py", "--model", "js.model"]);
    output.expect(
        2,
        &[
            "the model `js.model` knows javascript, but not the input's language, python",
            "lop learn --language python",
        ],
    );
}

#[test]
fn the_least_nodes_of_a_model_replace_larger_ones() {
    let place = Place::new();
    place.write("call.py", "f(lambda: g(x))\n");
    place.write("corpus/other.py", "if a == None:\n    pass\nh(None)\n");
    place.script("test.sh", r"grep -qxE 'f\((None|lambda: g\(x\))\)' call.py");
    learn(&place, &["corpus", "-o", "py.model"]);
    place.lop(["./test.sh", "call.py", "--model", "py.model"]).expect(0, &[]);
    assert_eq!(place.read("call.lop/call.py"), b"f(None)\n");
}
