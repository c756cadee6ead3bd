//! ANTLR grammars on the command line: `--grammar`, `lop grammar`.

mod common;

use std::path::Path;

use common::Place;

fn grammar(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lop-antlr/tests/grammars");
    folder.join(name).display().to_string()
}

const QUERY: &[u8] =
    b"SELECT a, b FROM t WHERE needle(1 + 2) > 3 AND b IN (4, 5);\nDELETE FROM u WHERE c;\n";

#[test]
fn a_file_is_reduced_by_the_grammar_of_its_user() {
    let place = Place::new();
    place.write("in.query", QUERY);
    place.script("check.sh", "grep -q 'needle(' \"$1\"");
    let query = grammar("Query.g4");
    place.lop(["./check.sh", "in.query", "--grammar", &query, "--valid"]).expect(0, &[]);
    assert_eq!(place.squeezed("in.lop.query").to_lowercase(), "select*fromawhereneedle();");
    let tree = place.lop(["tree", "in.query", "--grammar", &query, "--depth", "2"]);
    tree.expect(0, &[]);
    assert!(tree.stdout.contains("script") && tree.stdout.contains("statement"), "{}", tree.stdout);
}

#[test]
fn a_lexer_and_a_parser_are_given_together_or_found_beside_each_other() {
    let place = Place::new();
    place.write("in.markup", b"<a b=\"c\"><d>needle</d><!-- e --></a>\n");
    place.script("check.sh", "grep -q needle \"$1\"");
    let (lexer, parser) = (grammar("MarkupLexer.g4"), grammar("MarkupParser.g4"));
    for words in [vec!["--grammar", &lexer, "--grammar", &parser], vec!["--grammar", &parser]] {
        let words = ["./check.sh", "in.markup", "--valid", "--force"].into_iter().chain(words);
        place.lop(words.collect::<Vec<_>>()).expect(0, &[]);
        assert_eq!(place.squeezed("in.lop.markup"), "<d>needle</d>");
    }
}

#[test]
fn a_grammar_is_checked_and_shown_and_files_are_parsed_with_it() {
    let place = Place::new();
    place.write("good.query", QUERY);
    place.write("bad.query", b"SELECT a FROM t;\nSELECT FROM;\n");
    let query = grammar("Query.g4");
    let checked = place.lop(["grammar", "check", &query, "good.query"]);
    checked.expect(0, &[]);
    for part in [
        "it starts with `script`",
        "left-recursive: expression",
        "Φ `delete from a`",
        "good.query: parsed",
    ] {
        assert!(checked.stdout.contains(part), "{part} in {}", checked.stdout);
    }
    let failed = place.lop(["grammar", "check", "-q", &query, "bad.query"]);
    assert!(failed.stdout.contains("bad.query:2:8: `FROM` does not fit here"), "{}", failed.stdout);
    let shown = place.lop(["grammar", "show", "limit", &query]);
    shown.expect(0, &[]);
    assert!(shown.stdout.contains("limit : 'limit' NUMBER ;"), "{}", shown.stdout);
}

#[test]
fn mistakes_in_grammars_and_names_are_answered() {
    let place = Place::new();
    place.write("in.txt", b"x");
    place.write("Bad.g4", b"grammar Bad;\na : b ;\n");
    place.script("check.sh", "true");
    let query = grammar("Query.g4");
    place
        .lop(["./check.sh", "in.txt", "--grammar", "Bad.g4"])
        .expect(2, &["Bad.g4:2:5: error: the rule `b` is not defined", "2 | a : b ;"]);
    place
        .lop(["./check.sh", "in.txt", "--grammar", &query, "--start", "statment"])
        .expect(2, &["no rule `statment`; did you mean `statement`?"]);
    place
        .lop(["./check.sh", "in.txt", "--grammar", "none.g4"])
        .expect(2, &["cannot read the grammar `none.g4`"]);
}

#[test]
fn a_collection_of_grammars_is_tried_with_its_examples() {
    let place = Place::new();
    let text = |name: &str| std::fs::read(grammar(name)).unwrap();
    place.write("all/json/Json.g4", text("Json.g4"));
    place.write("all/json/examples/one.json", b"[1]");
    place.write("all/json/examples/two.json", b"[1");
    place.write("all/sums/Sums.g4", text("Sums.g4"));
    place.write("all/sums/desc.xml", b"<desc><entry-point>expression</entry-point></desc>");
    place.write("all/sums/examples/sum.txt", b"1 + 2");
    let tried = place.lop(["grammar", "collection", "all"]);
    tried.expect(0, &[]);
    for part in ["2 grammars loaded, 0 not", "2 of 3 examples parsed (66.7 %)", "two.json"] {
        assert!(tried.stdout.contains(part), "{part} in {}", tried.stdout);
    }
}
