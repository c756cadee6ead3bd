//! Sizes know the language: the parser's tokens are counted.

#[path = "common/snippets.rs"]
mod snippets;

use std::borrow::Cow;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use lop::tree::{Change, Format, Tree};
use lop::{Bundle, Gauge, InputFile, Measured, Reduction, Text};

use snippets::snippets;

fn text(text: &str) -> Text {
    Arc::new(text.into())
}

fn tokens(language: &str, content: &str) -> usize {
    let format = Format::named(language).unwrap();
    let content = text(content);
    Measured::by(&Gauge::of(&content, &format), content).size.tokens
}

#[test]
fn in_every_language_removing_a_removable_node_never_raises_the_count() {
    for (language, text) in snippets() {
        let format = Format::from(language.clone());
        let measured = Measured::by(&Gauge::of(&text, &format), text.clone());
        let tree = Tree::parse(&text, &format);
        for node in tree.ids().filter(|node| tree.is_removable(*node)) {
            let gone = String::from_utf8_lossy(tree.text_of(node));
            let candidate = tree.candidate(&[Change::cut(node)]);
            // Without one of its quotes, a string is code.
            let is_quote = gone.matches('"').count() % 2 == 1;
            if is_quote || !tree.still_parses(&candidate) {
                continue;
            }
            let smaller = measured.nearly(candidate.text().clone());
            assert!(smaller.size.tokens <= measured.size.tokens, "{}: {gone:?}", language.name());
        }
    }
}

#[test]
fn in_every_language_nearly_all_tokens_are_tokens_of_the_parser() {
    for (language, text) in snippets() {
        let format = Format::from(language.clone());
        let tree = Tree::parse(&text, &format);
        let leaves = tree.ids().filter(|node| tree.is_leaf(*node));
        let leaves: Vec<_> = leaves.map(|leaf| tree.range(leaf)).collect();
        // A token is a node, such as a string, or it is in a leaf.
        let is_right = |token: &Range<usize>| {
            let leaf = leaves.partition_point(|leaf| leaf.end <= token.start);
            let ends = |node| text[..tree.range(node).end].trim_ascii_end().len();
            leaves.get(leaf).is_some_and(|leaf| token.end <= leaf.end)
                || tree.starting_at(token.start).any(|node| ends(node) == token.end)
        };
        let (right, wrong): (Vec<_>, Vec<_>) =
            Gauge::of(&text, &format).tokens(&text).partition(is_right);
        // Some signs in a row are taken for one, such as `><`.
        let wrong: Vec<_> =
            wrong.into_iter().map(|token| String::from_utf8_lossy(&text[token])).collect();
        assert!(25 * wrong.len() <= right.len(), "{}: {wrong:?}", language.name());
    }
}

#[test]
fn quotes_that_are_no_strings_swallow_nothing() {
    let numbers = "int a = 1'000; int b = f(1, 2, 3, 4) + f(5, 6, 7, 8); int c = 6'000;";
    assert_eq!(tokens("cpp", numbers), tokens("cpp", &numbers.replace('\'', "")));
    let regex = "var a=/'/,b=1,c=2,d=3,e='x';";
    assert_eq!(tokens("javascript", regex), tokens("javascript", &regex.replace("/'/", "1")));
    assert_eq!(tokens("ocaml", "let x' = f x y z in let y' = g x' in x' + y'"), 17);
    let bits = "module m; wire [3:0] a = 4'b01, b = c & 4'b10; endmodule";
    assert_eq!(tokens("verilog", bits), tokens("verilog", &bits.replace("'b", "")));
    assert_eq!(tokens("python", "x = a // (b + c)  # it's\n"), 10);
    assert_eq!(tokens("rust", "fn f<'a>(x: &'a str, y: char) -> &'a str { y == '\"'; x }"), 30);
}

#[test]
fn what_is_between_two_quotes_that_are_no_strings_can_go() {
    let input = text(
        "int f(int, int, int, int);\n\
         int a = 1'000; int b = f(1, 2, 3, 4) + f(5, 6, 7, 8); int c = 6'000;\n",
    );
    let is_interesting = |candidate: &[u8]| {
        let candidate = String::from_utf8_lossy(candidate);
        candidate.contains("f(1, 2, 3, 4)") && candidate.contains("f(5, 6, 7, 8)")
    };
    let mut reduction = Reduction::new(input, &is_interesting);
    reduction.format = Format::named("cpp").unwrap();
    let best = reduction.run().unwrap().best;
    assert_eq!(String::from_utf8_lossy(&best.text), "f(1, 2, 3, 4) f(5, 6, 7, 8)\n");
    assert_eq!(best.size.tokens, 20);
}

#[test]
fn each_of_several_files_is_measured_in_its_own_language() {
    let files = [("a.py", "x = 7 // 2 # it's\n"), ("b.js", "x = 7 // 2 # it's\n")]
        .map(|(path, content)| (PathBuf::from(path), content.as_bytes().to_vec()));
    let packed = files.clone().map(|(path, content)| InputFile::new(path, content));
    let (bundle, text) = Bundle::pack(None, &packed);
    let one = |path: &PathBuf, content: &[u8]| {
        let content: Text = Arc::new(content.to_vec());
        Gauge::of(&content, &Format::guess(path, &content))
    };
    let gauges = files.iter().map(|(path, content)| (path.clone(), one(path, content))).collect();
    let gauge = Gauge::of_several(&bundle, gauges);
    let tokens: Vec<_> =
        gauge.tokens(&text).map(|token| String::from_utf8_lossy(&text[token])).collect();
    assert!(tokens.ends_with(&["x", "=", "7", "// 2 # it's"].map(Into::into)), "{tokens:?}");
    let python: [Cow<str>; 6] = ["x", "=", "7", "//", "2", "# it's"].map(Into::into);
    assert!(tokens.windows(6).any(|window| *window == python), "{tokens:?}");
}
