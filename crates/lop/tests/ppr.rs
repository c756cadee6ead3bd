//! Two versions of a program, reduced together.

#[path = "common/snippets.rs"]
mod snippets;

use std::sync::Arc;

use lop::passes::{Lore, PASSES};
use lop::tree::{Format, Tree};
use lop::{Bundle, Event, InputFile, Reduction, Report, Turn};
use lop_languages::TABLE;

/// The texts of two files that a pass proposes.
fn proposed(pass: &str, files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let files: Vec<InputFile> =
        files.iter().map(|(path, content)| InputFile::new(path, *content)).collect();
    let (bundle, text) = Bundle::pack(None, &files);
    let tree = Tree::parse(&text, &Format::of_files(&bundle, &text, Turn::Later));
    let pass = PASSES.iter().find(|each| each.name == pass).unwrap();
    let lore = Lore::default();
    let candidates = (pass.propose)(&tree, &lore).map(|changes| tree.candidate(&changes).bytes());
    candidates.map(|text| contents(&bundle, &text)).collect()
}

fn contents(bundle: &Bundle, text: &[u8]) -> Vec<String> {
    let members = bundle.members(text).into_iter();
    members.map(|file| String::from_utf8(text[file.content].to_vec()).unwrap()).collect()
}

#[track_caller]
fn proposes(left: &str, right: &str, expected: [&str; 2]) {
    let all = proposed("ppr", &[("a.c", left), ("b.c", right)]);
    assert!(all.iter().any(|it| it == &expected), "{left:?} and {right:?}: {all:#?}");
}

/// Reduces two files while a property of both holds, and the texts are without errors.
fn reduced(
    strategy: &str,
    [left, right]: [&str; 2],
    property: impl Fn(&str, &str) -> bool + Send + Sync,
) -> (Report, Vec<String>) {
    let files = [InputFile::new("a.c", left), InputFile::new("b.c", right)];
    let (bundle, text) = Bundle::pack(None, &files);
    let packed = bundle.clone();
    let format = Format::named("c").unwrap();
    let oracle = |text: &[u8]| {
        let is_whole = |text: &String| {
            let tree = Tree::parse(&Arc::new(text.clone().into()), &format);
            tree.ids().all(|node| !tree.is_error(node))
        };
        let files = contents(&packed, text);
        files.len() == 2 && property(&files[0], &files[1]) && files.iter().all(is_whole)
    };
    let mut reduction = Reduction::new(text, &oracle);
    reduction.bundle = Some(bundle.clone());
    reduction.strategy = strategy.parse().unwrap();
    let report = reduction.run().unwrap();
    let left = contents(&bundle, &report.best.text);
    (report, left)
}

/// What a program returns: the number behind the last `return`.
fn result(program: &str) -> Option<&str> {
    let (_, end) = program.split_once("int main(")?.1.rsplit_once("return ")?;
    end.split(';').next()
}

const PROGRAM: &str = "int g0;\nint g1 = 3;\n\
    int f(int a, int b) {\n    int c = a * 2;\n    if (c > b) { c = c - 1; }\n    return c + g0;\n}\n\
    int main(void) {\n    int x = f(1, 2);\n    g0 = x + 1;\n    while (x) { x = 0; f(g1, x); }\n    return N;\n}\n";

#[test]
fn two_programs_with_different_results_are_reduced_to_their_difference() {
    let programs = ["1", "2"].map(|number| PROGRAM.replace('N', number));
    let (_, left) = reduced("ppr*", programs.each_ref().map(String::as_str), |a, b| {
        result(a).zip(result(b)).is_some_and(|(a, b)| a != b)
    });
    assert_eq!(left, ["int main() {\n    return 1;\n}\n", "int main() {\n    return 2;\n}\n"]);
}

#[test]
fn where_both_must_stay_the_same_but_for_the_difference_only_lockstep_finds_anything() {
    let programs = ["17", "42"].map(|number| PROGRAM.replace('N', number));
    let programs = programs.each_ref().map(String::as_str);
    let property =
        |a: &str, b: &str| a.contains("main(") && a.contains("17") && a.replace("17", "42") == b;
    for one_file in ["scythe*", "perses", "hddr*+hoistr*", "[lift|splice|halve]*", "ddmin:tokens"] {
        let (_, left) = reduced(one_file, programs, property);
        assert_eq!(left, programs, "{one_file}");
    }
    let (_, left) = reduced("ppr*", programs, property);
    assert_eq!(left, ["int main() {\n    return 17;\n}\n", "int main() {\n    return 42;\n}\n"]);
}

#[test]
fn the_default_reduces_both_together_if_they_are_similar() {
    let programs = ["17", "42"].map(|number| PROGRAM.replace('N', number));
    let programs = programs.each_ref().map(String::as_str);
    let property =
        |a: &str, b: &str| a.contains("main(") && a.contains("17") && a.replace("17", "42") == b;
    let has_pass = |report: &Report| report.phases.iter().any(|phase| phase.name == "ppr");
    let (report, left) = reduced("default", programs, property);
    let (alone, without) = reduced("default~ppr", programs, property);
    assert!(has_pass(&report) && !has_pass(&alone));
    assert_eq!(left, without);
    let (tests, more) = (report.counts.tests, alone.counts.tests);
    assert!(tests < more, "{tests} tests with the pass, {more} without it");
    let other = "struct s { long y[3]; } *s;\nchar *name = \"abc\";\n";
    let (report, _) = reduced("default", [PROGRAM, other], |a, b| {
        a.contains("while (x) { x = 0; f(g1, x); }") && b.contains("long y[3]; } *s;")
    });
    assert!(!has_pass(&report));
}

#[test]
fn places_that_do_not_matter_become_the_same() {
    let left = "int a = 1;\nint b = 22;\nint f(void) { return a + b; }\nint c = 5;\n";
    let right = "int a = 2;\nint b = 3;\nint d;\nint f(void) { return a - b; }\nint c = 6;\n";
    // All of both is needed, but only one difference.
    let has_all = |it: &str| {
        ["int a =", "int b =", "return a", "int c ="].iter().all(|part| it.contains(part))
    };
    let (_, result) = reduced("ppr*", [left, right], |a, b| {
        has_all(a) && has_all(b) && a.contains("a + b") && b.contains("a - b")
    });
    let [a, b] = <[String; 2]>::try_from(result).unwrap();
    assert_eq!(a.replace('+', "-"), b);
    assert!(b.starts_with("int a = 0;\nint b = 0;\n") && !b.contains('d'), "{b}");
}

#[test]
fn a_part_of_the_difference_is_undone_in_either_direction() {
    let (left, right) = ("int a = b; int c[1];", "int a = d; int c[2][3];");
    proposes(left, right, ["int a = d; int c[1];", right]);
    proposes(left, right, [left, "int a = b; int c[2][3];"]);
    proposes(left, right, ["int a = b; int c[2][3];", right]);
    proposes(left, right, [left, "int a = d; int c[1];"]);
    proposes(left, right, [left, left]);
    proposes(left, right, [right, right]);
    // What only one file has is removed there, or put into the other file.
    proposes("f();", "static f();", ["f();", "f();"]);
    proposes("f();", "static f();", ["static f();", "static f();"]);
    proposes("f();", "f(), g();", ["f(), g();", "f(), g();"]);
    // Before and after the same token.
    proposes("f();", "static f x ();", ["static f x();", "static f x ();"]);
}

#[test]
fn the_places_of_a_new_name_become_the_same_together() {
    let left = "int counter;\nint f(void) { counter = 1; return counter; }\n";
    let right = left.replace("counter", "n").replace('1', "2");
    let declared = |it: &str| {
        ["counter", "n"].iter().any(|name| {
            it.contains(&format!("int {name};\nint f("))
                && it.contains(&format!("{{ {name} = "))
                && it.contains(&format!("return {name};"))
        })
    };
    let (_, result) = reduced("ppr*", [left, &right], |a, b| {
        declared(a) && declared(b) && a.contains("= 1") && b.contains("= 2")
    });
    assert_eq!(result[0].replace('1', "2"), result[1]);
    assert!(!result[0].contains("counter"), "{result:?}");
}

#[test]
fn a_node_is_removed_with_its_counterpart_even_where_they_differ() {
    proposes("int a; int b = 1;", "int a; int b = 2;", ["int a;", "int a;"]);
    proposes("int a; int b = 1;", "int a; int b = 2;", ["int b = 1;", "int b = 2;"]);
    proposes("int x = f(1, 2);", "int x = f(1, 3, 2);", ["int x = f(2);", "int x = f(3, 2);"]);
    proposes("int x = f(1, 2);", "int x = f(1, 3);", ["int x = f(1);", "int x = f(1);"]);
    proposes("int; int a;", "int; int b;", ["int a;", "int b;"]);
}

#[test]
fn a_node_has_its_counterpart_wherever_new_tokens_may_be_said_to_begin() {
    let (one, two) = ("int g(int p) { }", "int f(int p) { } int g(int p) { }");
    proposes(one, two, ["", "int f(int p) { }"]);
    proposes(two, one, ["int f(int p) { }", ""]);
    proposes("int g; int f;", "int g; int h; int f;", ["int g;", "int g; int h;"]);
    proposes("int g; int f;", "int g; int h; int f;", ["int f;", "int h; int f;"]);
}

#[test]
fn nodes_of_one_file_are_removed_alone() {
    let (one, two) = ("void f() { a(); }", "void f() { a(); if (b) { c(); d(); } }");
    proposes(one, two, [one, "void f() { a(); if (b) { d(); } }"]);
    proposes(one, two, [one, one]);
}

#[test]
fn other_passes_change_both_files_in_lockstep() {
    let files = ["1", "2"].map(|n| format!("void f() {{ if (a) {{ g({n}); h(30); }} }}"));
    let check = |expected: &str| {
        let expected = ["1", "2"].map(|n| expected.replace('N', n));
        proposes(&files[0], &files[1], expected.each_ref().map(String::as_str));
    };
    check("void f() { g(N); h(30); }");
    check("void f() { if (a) { g(N); h(0); } }");
    check("void f() { if (a) g(N); }");
    check("void f() { if (0) { g(N); h(30); } }");
}

#[test]
fn anything_but_two_versions_of_a_program_is_left_alone() {
    let (c, other) = (("a.c", "int a; int b;\n"), ("b.c", "int a; int c;\n"));
    assert!(!proposed("ppr", &[c, other]).is_empty());
    assert!(proposed("ppr", &[c]).is_empty());
    assert!(proposed("ppr", &[c, other, ("c.c", "int a;\n")]).is_empty());
    assert!(proposed("ppr", &[c, ("b.py", "a = 1\n")]).is_empty());
    assert!(proposed("ppr", &[c, ("b.c", "")]).is_empty());
    let [many, others] = ["a", "b"]
        .map(|name| -> String { (0..1500).map(|number| format!("{name}{number};\n")).collect() });
    assert!(proposed("ppr", &[("a.c", &many), ("b.c", &others)]).is_empty());
}

#[test]
fn a_note_says_why_nothing_is_found() {
    let notes = |strategy: &str, files: &[InputFile]| {
        let (bundle, text) = Bundle::pack(None, files);
        let mut notes = Vec::new();
        let mut observer = |event: &Event| {
            if let Event::Note { text } = event {
                notes.push(text.clone());
            }
        };
        let mut reduction = Reduction::new(text, &|_: &[u8]| true).observed_by(&mut observer);
        reduction.bundle = Some(bundle);
        reduction.strategy = strategy.parse().unwrap();
        reduction.max_tests = Some(1);
        reduction.run().unwrap();
        notes.iter().any(|note| note.starts_with("`ppr` finds nothing here"))
    };
    let [one, two, three] =
        ["a.c", "b.c", "c.c"].map(|name| InputFile::new(name, "int a; int b;\n"));
    let three = [one.clone(), two.clone(), three];
    assert!(notes("[ppr|lift]*", &three));
    assert!(!notes("lift*", &three));
    assert!(!notes("default", &three));
    assert!(!notes("ppr*", &[one, two]));
}

#[test]
fn every_proposal_for_two_versions_of_a_text_of_any_language_is_two_whole_files() {
    let mut random = lop_testing::random();
    for (language, text) in snippets::snippets() {
        let entry = TABLE.iter().find(|entry| entry.name == language.name()).unwrap();
        let extension = entry.extensions[0];
        let text = String::from_utf8(text.to_vec()).unwrap();
        let text: String = text.split_inclusive('\n').take(8).collect();
        let mut version = || -> String {
            let words = text.split_inclusive([' ', '(', ')', '.', '\n']);
            words.filter(|_| random.u8(..30) > 0).collect()
        };
        let files =
            [format!("a.{extension}"), format!("b.{extension}")].map(|path| (path, version()));
        let files = files.each_ref().map(|(path, text)| (path.as_str(), text.as_str()));
        let all = proposed("ppr", &files);
        assert!(all.iter().all(|left| left.len() == 2), "{}", language.name());
        // All of the difference can be undone.
        let tokens = |text: &String| -> String { text.split_whitespace().collect() };
        let is_undone = |it: &Vec<String>| tokens(&it[0]) == tokens(&it[1]);
        assert!(all.is_empty() || all.iter().any(is_undone), "{}", language.name());
    }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_workers() {
    let programs = ["17", "42"].map(|number| PROGRAM.replace('N', number));
    let files = ["a.c", "b.c"].map(str::to_owned).into_iter().zip(programs);
    let files: Vec<InputFile> = files.map(|(path, text)| InputFile::new(path, text)).collect();
    let (bundle, text) = Bundle::pack(None, &files);
    let run = |workers: usize| {
        let oracle = |text: &[u8]| {
            let files = contents(&bundle, text);
            files.len() == 2 && result(&files[0]) != result(&files[1]) && files[0].len() % 7 != 3
        };
        let mut reduction = Reduction::new(text.clone(), &oracle);
        reduction.bundle = Some(bundle.clone());
        reduction.strategy = "ppr*".parse().unwrap();
        reduction.workers = workers;
        let report = reduction.run().unwrap();
        (report.best.text, report.counts.tests, report.counts.hits)
    };
    let alone = run(1);
    for workers in [2, 8] {
        assert_eq!(run(workers), alone, "{workers} workers");
    }
}
