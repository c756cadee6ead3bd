//! `lop tree` and `lop languages`, as users see them.

mod common;

use std::path::PathBuf;
use std::process::Command;

use common::{Place, finished, start};
use serde_json::Value;

const PROGRAM: &str = "int main() {\n  if (1) {\n    puts(\"hi\");\n  }\n}\n";

#[test]
fn a_tree_shows_removable_and_hoistable_nodes_and_the_smallest_replacement() {
    let place = Place::new();
    place.write("a.c", PROGRAM);
    let output = place.lop(["tree", "a.c"]);
    output.expect(0, &[]);
    for line in [
        "translation_unit",
        "├─ primitive_type “int”",
        "if_statement  ✂*  ↑ compound_statement 2:10, expression_statement 3:5",
        "compound_statement  Φ “{}”  ↑ compound_statement 2:10",
        "identifier “puts”  Φ “a”",
    ] {
        assert!(output.stdout.contains(line), "no `{line}` in:\n{}", output.stdout);
    }
    assert!(!output.stdout.contains('\x1b'), "colours are for terminals");
    let coloured = start(
        place.command(env!("CARGO_BIN_EXE_lop")).args(["tree", "a.c"]).env("CLICOLOR_FORCE", "1"),
    );
    assert!(finished(coloured).stdout.contains("\x1b[32m✂*"));
}

#[test]
fn a_tree_as_json_has_every_node_with_its_place_and_answers() {
    let place = Place::new();
    place.write("a.c", PROGRAM);
    let output = place.lop(["tree", "--json", "a.c"]);
    output.expect(0, &[]);
    let tree: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(tree["language"], "c");
    let nodes = tree["nodes"].as_array().unwrap();
    for (index, node) in nodes.iter().enumerate() {
        assert_eq!(node["id"], index);
        assert_eq!(node["parent"].is_null(), index == 0);
    }
    let conditional = nodes.iter().find(|node| node["label"] == "if_statement").unwrap();
    assert_eq!(conditional["removable"], true);
    assert_eq!(conditional["quantifier"], "*");
    assert_eq!(conditional["hoistable"][0]["label"], "compound_statement");
    let text = &PROGRAM[conditional["start"].as_u64().unwrap() as usize..];
    assert!(text.starts_with("if (1)"));
    let block = nodes.iter().find(|node| node["label"] == "compound_statement").unwrap();
    assert_eq!(block["minimal"], "{}");
    assert_eq!((&block["field"], &nodes[0]["field"]), (&"body".into(), &Value::Null));
}

#[test]
fn a_tree_for_graphviz_is_a_graph() {
    let place = Place::new();
    place.write("a.json", "[\"x\\\"y\"]");
    let output = place.lop(["tree", "--dot", "a.json"]);
    output.expect(0, &[]);
    assert!(output.stdout.starts_with("digraph tree {"));
    assert!(output.stdout.trim_end().ends_with('}'));
    assert!(output.stdout.contains("n0 -> n1;"));
    assert!(output.stdout.contains(r#"escape_sequence\n“\\\"”"#), "{}", output.stdout);
}

#[test]
fn views_and_depth_show_less() {
    let place = Place::new();
    place.write("a.c", PROGRAM);
    // A selector with a single name is squeezed.
    place.write("a.css", "a {}");
    let lines = |file: &str, args: &[&str]| {
        let output = place.lop([&["tree", file], args].concat());
        output.expect(0, &[]);
        output.stdout.lines().count()
    };
    assert!(lines("a.css", &["--view", "papers"]) < lines("a.css", &[]));
    let all = lines("a.c", &[]);
    assert!(lines("a.c", &["--view", "hide-unremovable"]) < all);
    assert!(lines("a.c", &["--view", "hidden-tokens"]) > all);
    assert!(lines("a.c", &["--view", "normal-form"]) > all, "lists have nodes of their own");
    assert_eq!(lines("a.c", &["--depth", "1"]), 4);
    place.lop(["tree", "a.c", "--view", "squeze"]).expect(2, &["squeze", "squeeze"]);
}

#[test]
fn the_output_for_a_deep_tree_grows_with_its_size_and_not_with_its_depth() {
    let place = Place::new();
    let shown = |depth: usize, args: &[&str]| {
        place.write("a.json", "[".repeat(depth) + &"]".repeat(depth));
        let output = place.lop([&["tree", "a.json"], args].concat());
        output.expect(0, &[]);
        output.stdout
    };
    for args in [&[][..], &["--json"], &["--dot"], &["--view", "normal-form"]] {
        let (small, large) = (shown(1000, args).len(), shown(4000, args).len());
        assert!(large < 5 * small, "{args:?}: {small} and {large} bytes");
    }
    // If every node visited all its descendants, this would take an hour.
    let deep = shown(100_000, &[]);
    // A legend, the extent, the document, and an array with its brackets on each level.
    assert_eq!(deep.lines().count(), 3 + 3 * 100_000);
    let innermost = deep.lines().rev().find(|line| line.contains("array")).unwrap();
    assert!(innermost.starts_with("… 99899 levels … "), "{innermost}");
    let outermost = deep.lines().nth(3).unwrap();
    assert!(outermost.ends_with("and 99996 more"), "{outermost}");
}

#[test]
fn json_lists_the_first_hoistable_nodes_and_counts_all() {
    let place = Place::new();
    place.write("a.json", "[".repeat(200) + &"]".repeat(200));
    let output = place.lop(["tree", "--json", "a.json"]);
    let tree: Value = serde_json::from_str(&output.stdout).unwrap();
    let outermost = &tree["nodes"][1];
    assert_eq!(outermost["hoistable_count"], 199);
    assert_eq!([&tree["height"], &tree["rules"], &tree["tokens"]], [201, 201, 400]);
    let starts = outermost["hoistable"].as_array().unwrap().iter().map(|it| it["start"].as_u64());
    assert!(starts.eq((1..=64).map(Some)), "{outermost}");
}

#[test]
fn the_language_is_chosen_by_extension_first_line_or_name() {
    let place = Place::new();
    let language = |args: &[&str]| {
        let output = place.lop([&["tree", "--json"], args].concat());
        output.expect(0, &[]);
        serde_json::from_str::<Value>(&output.stdout).unwrap()["language"].clone()
    };
    place.write("a.rs", "fn main() {}");
    assert_eq!(language(&["a.rs"]), "rust");
    place.write("run", "#!/usr/bin/env python3\nprint(1)\n");
    assert_eq!(language(&["run"]), "python");
    place.write("notes", "some (text)\n");
    assert_eq!(language(&["notes"]), "text");
    assert_eq!(language(&["notes", "--language", "s-expressions"]), "s-expressions");
    place.write("a.smt2", "(check-sat)");
    assert_eq!(language(&["a.smt2"]), "smt-lib");
}

#[test]
fn messages_about_mistakes_name_the_cure() {
    let place = Place::new();
    place.write("a.c", PROGRAM);
    place.lop(["tree", "b.c"]).expect(6, &["`b.c` does not exist"]);
    place
        .lop(["tree", "a.c", "--language", "pyhton"])
        .expect(2, &["`pyhton`", "`python`", "lop languages"]);
    place.lop(["tree", "a.c", "--grammar-lib", "x.so"]).expect(2, &["--grammar-json"]);
    let both = ["tree", "a.c", "--grammar-lib", "x.so", "--grammar-json", "g.json"];
    place.lop(both).expect(2, &["cannot read the grammar g.json"]);
    place.write("g.json", "{]");
    place.lop(both).expect(2, &["g.json", "not valid JSON"]);
    place.write("g.json", "{}");
    place.lop(both).expect(2, &["g.json", "does not look like tree-sitter's grammar.json"]);
    place.write("g.json", r#"{"name": "x", "rules": {"x": {"type": "BLANK"}}}"#);
    place.lop(both).expect(2, &["cannot load the parser x.so", "tree-sitter build"]);
}

#[test]
fn languages_are_listed() {
    let place = Place::new();
    let output = place.lop(["languages"]);
    output.expect(0, &[]);
    for line in [
        "  c                .c .h .i",
        "  typescript       .ts",
        "  s-expressions    Lisp",
        "--grammar-lib",
    ] {
        assert!(output.stdout.contains(line), "no `{line}` in:\n{}", output.stdout);
    }
}

/// The directory in which cargo keeps a package.
fn package(name: &str) -> PathBuf {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    // Packages for other platforms may not be installed.
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--format-version=1", "--filter-platform", host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let mut packages = metadata["packages"].as_array().unwrap().iter();
    let package = packages.find(|package| package["name"] == name).unwrap();
    PathBuf::from(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned()
}

#[test]
fn any_other_grammar_is_loaded_at_run_time() {
    let place = Place::new();
    let sources = package("tree-sitter-json").join("src");
    let library = place.path("parser.so");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-O0", "-o"])
        .arg(&library)
        .arg("-I")
        .arg(&sources)
        .arg(sources.join("parser.c"))
        .status()
        .unwrap();
    assert!(compiled.success());
    let grammar = sources.join("grammar.json");
    place.write("a.unheard", "[1, {\"a\": 2}]");
    let load = |grammar: &PathBuf| {
        let grammar = grammar.to_str().unwrap();
        place.lop([
            "tree",
            "a.unheard",
            "--json",
            "--grammar-lib",
            "parser.so",
            "--grammar-json",
            grammar,
        ])
    };
    let output = load(&grammar);
    output.expect(0, &[]);
    let tree: Value = serde_json::from_str(&output.stdout).unwrap();
    let nodes = tree["nodes"].as_array().unwrap();
    let labels: Vec<_> = nodes.iter().map(|node| node["label"].as_str().unwrap()).collect();
    assert_eq!(labels[..6], ["document", "array", "[", "number", ",", "object"]);
    // A grammar of another version or another language is rejected.
    let mut other: Value = serde_json::from_slice(&std::fs::read(&grammar).unwrap()).unwrap();
    let rules = other["rules"].as_object_mut().unwrap();
    rules.remove("array");
    let text = other.to_string().replace("\"array\"", "\"object\"");
    place.write("other.json", text);
    load(&place.path("other.json")).expect(2, &["was not made from the grammar", "array"]);
    place
        .write("c.json", std::fs::read(package("tree-sitter-c").join("src/grammar.json")).unwrap());
    load(&place.path("c.json")).expect(2, &["no function `tree_sitter_c`"]);
}
