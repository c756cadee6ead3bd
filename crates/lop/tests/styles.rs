//! Results in the style of their originals.

mod common;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use common::parse;
use lop::tree::{Format, Style, Tree};
use lop::{Bundle, InputFile, Layout, Reduction};

/// The layouts of a text in the style of another one.
fn layouts(format: &str, original: &str, text: &str) -> Vec<String> {
    let style = Style::of(&parse(format, original));
    let format_of_text = Format::named(format).expect("the format is part of every build");
    let layouts = style.layouts(&parse(format, text), &format_of_text);
    layouts.into_iter().map(|layout| String::from_utf8(layout).unwrap()).collect()
}

/// Checks the best layout of a text in the style of another one.
fn check(format: &str, original: &str, text: &str, expected: &str) {
    let layouts = layouts(format, original, text);
    assert_eq!(layouts.first().map(String::as_str), Some(expected), "{layouts:#?}");
}

const C: &str = "int f(int a, int b)\n{\n  if (a) {\n    g(a, b);\n    return a + 1;\n  }\n  \
                 for (;;) {}\n  return f(b, 2);\n}\n\nint x = 1;\nint y;\n";

#[test]
fn blocks_that_are_left_are_indented_like_the_original() {
    let text = "int f()\n{\n      g(a);  return\n 1;\n}\n";
    check("c", C, text, "int f()\n{\n  g(a);\n  return 1;\n}\n");
    check("c", C, "    int x  =1  ;   int y;", "int x = 1;\nint y;\n");
    check("c", C, "int f(){if(a){g( a,b );}}", "int f()\n{\n  if (a) {\n    g(a, b);\n  }\n}\n");
    let tabs = C.replace("  ", "\t");
    check("c", &tabs, "int f()\n{ g();\n}\n", "int f()\n{\n\tg();\n}\n");
    let crlf = C.replace('\n', "\r\n");
    check("c", &crlf, "int x ;\r\n   int y;", "int x;\r\nint y;\r\n");
}

#[test]
fn what_the_original_has_no_example_of_is_laid_out_as_usual() {
    let minified = format!("{}\n", "f(1);".repeat(50));
    let text = "function f(){ g( 1 , 2 );  return\n[ 3 ]}";
    let expected = "function f(){\n    g(1, 2);\n    return [3]\n}\n";
    check("javascript", &minified, &text.replace('\n', " "), expected);
    let text = "class A {\n  ; a() {}\n\n   }\n";
    check("javascript", "f()\n", text, "class A {\n    ;\n    a() {}\n}\n");
    check("c", "x;", "int f( ) { g();}\nint x;", "int f() {\n    g();\n}\nint x;");
    check("rust", "", "fn f() { let\n    x = 1; }", "fn f() {\n    let x = 1;\n}");
}

#[test]
fn a_star_is_beside_its_bracket_unless_that_begins_a_comment() {
    let original = "def f(a, *, b=1):\n    return a\n";
    check("python", original, "def f( *, b=1):\n    return b\n", "def f(*, b=1):\n    return b\n");
    check("ocaml", "let f = (a, b)\n", "let f =  ( * )\n", "let f = ( * )\n");
}

#[test]
fn layout_that_has_a_meaning_keeps_it() {
    let original = "class A:\n    def f(self):\n        if x:\n            return 1\n\n\nA().f()\n";
    let text = "class A:\n      def f():return 1\nA( )\n";
    check("python", original, text, "class A:\n    def f():\n        return 1\nA()\n");
    check(
        "python",
        original,
        "if x:\n      f()\n      A()\nA()\n",
        "if x:\n    f()\n    A()\nA()\n",
    );
    check("yaml", "a:\n  b: 1\n  c:\n    - 2\n", "a:\n     c:  3\n", "a:\n  c: 3\n");
    let define = "#define A (1)\n#define B(x) x\nint y = A;\n";
    check("c", define, "#define A   (1)\nint  y;\n", "#define A (1)\nint y;\n");
    let shell = "if true; then\n    cat <<E\n  a\nE\nfi\n";
    check("bash", shell, "  cat <<E\n  a\nE\n", "cat <<E\n  a\nE\n");
}

#[test]
fn white_space_between_elements_is_laid_out_but_not_text() {
    let original = "<a>\n  <b>\n    <c/>\n    <c>d</c>\n  </b>\n  <b>\n    <c/>\n  </b>\n</a>\n";
    let text = "<a>\n\n      <b><c/>\n   <c> d  e </c></b>\n</a>\n";
    let expected = "<a>\n  <b>\n    <c/>\n    <c> d  e </c>\n  </b>\n</a>\n";
    check("xml", original, text, expected);
}

#[test]
fn strings_comments_and_templates_stay_as_they_are() {
    let text = "let  a = `  x ${ b  } ,y `; // two  blanks\nlet c = '  ( ';\n";
    let original = "let a = `x ${b}`;\nlet c = '';\n";
    let expected = "let a = `  x ${b} ,y `; // two  blanks\nlet c = '  ( ';\n";
    check("javascript", original, text, expected);
}

#[test]
fn every_layout_of_every_snippet_has_its_tokens() {
    let mut random = lop_testing::random();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snippets");
    for path in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
        let text = Arc::new(fs::read(&path).unwrap());
        let format = Format::guess(&path, &text);
        let tree = Tree::parse(&text, &format);
        let style = Style::of(&tree);
        // Some of its nodes, with the layout that removing the others leaves.
        let removable: Vec<_> = tree.ids().filter(|node| tree.is_removable(*node)).collect();
        for _ in 0..4 {
            let cuts = removable.iter().filter(|_| random.u8(..8) == 0);
            let cuts: Vec<_> = cuts.map(|node| lop::tree::Change::cut(*node)).collect();
            let tree = Tree::parse(tree.candidate(&cuts).text(), &format);
            let solid = |text: &[u8]| -> Vec<u8> {
                text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
            };
            for layout in style.layouts(&tree, &format) {
                assert_eq!(
                    String::from_utf8_lossy(&solid(&layout)).replace('\\', ""),
                    String::from_utf8_lossy(&solid(tree.text())).replace('\\', ""),
                    "{}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn a_result_is_laid_out_if_that_is_interesting() {
    let oracle = |text: &[u8]| text.windows(4).any(|part| part == b"g(a,");
    let result = |layout: Layout<'_>, oracle: &dyn lop::oracle::Oracle| {
        let mut reduction = Reduction::new(Arc::new(C.into()), oracle);
        reduction.format = Format::named("c").expect("C is part of every build");
        reduction.strategy = "gallop".parse().unwrap();
        reduction.layout = layout;
        let report = reduction.run().unwrap();
        let gauge = lop::Gauge::of(&Arc::new(C.into()), &Format::named("c").unwrap());
        let measured = lop::Measured::by(&gauge, report.best.text.clone());
        assert_eq!(report.best.size, measured.size, "the size is that of what is written");
        (String::from_utf8(report.best.text.to_vec()).unwrap(), report.counts.tests)
    };
    let (ragged, tests) = result(Layout::AsFound, &oracle);
    let (tidy, same) = result(Layout::AsOriginal, &oracle);
    assert_ne!(ragged, tidy);
    assert_eq!(tests, same, "the search is the same");
    assert_eq!(tidy, "{\n  {\n    g(a, b);\n  }\n}\n");
    // If it must be exactly what was found, it stays.
    let solid = |text: &[u8]| text.iter().filter(|byte| !byte.is_ascii_whitespace()).count();
    let exact = |text: &[u8]| {
        oracle(text) && (text == ragged.as_bytes() || solid(text) > solid(ragged.as_bytes()))
    };
    assert_eq!(result(Layout::AsOriginal, &exact).0, ragged);
    // A formatter comes first.
    let upper = |_: &Format, text: &[u8]| Some([b"/* by me */ ", text].concat());
    let (formatted, _) = result(Layout::By(&upper), &oracle);
    assert_eq!(formatted, format!("/* by me */ {ragged}"));
    let silly = |_: &Format, _: &[u8]| Some(b"silly".to_vec());
    assert_eq!(result(Layout::By(&silly), &oracle).0, tidy);
}

#[test]
fn each_of_several_files_is_laid_out_in_its_own_language() {
    let files = [("a.c", C), ("b.json", "{\n\t\"a\": 1,\n\t\"b\": [2]\n}\n")];
    let files = files.map(|(path, text)| InputFile::new(path, text));
    let (bundle, text) = Bundle::pack(None, &files);
    let oracle = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        // The files may be in one candidate only.
        text.contains("g(a") && text.contains("[2]") && text.contains("{")
    };
    let mut reduction = Reduction::new(text, &oracle);
    reduction.bundle = Some(bundle.clone());
    reduction.layout = Layout::AsOriginal;
    reduction.strategy = "gallop".parse().unwrap();
    let best = reduction.run().unwrap().best.text;
    let contents: Vec<String> = bundle
        .members(&best)
        .into_iter()
        .map(|member| String::from_utf8(best[member.content].to_vec()).unwrap())
        .collect();
    assert_eq!(contents, ["{\n  {\n    g(a);\n  }\n}\n", "{\n\t\"\": [2]\n}\n"]);
}
