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
    place.lop(["grammar", "check", "prog.c"]).expect(2, &["`prog.c` is not a grammar", ".g4 file"]);
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

#[test]
fn least_texts_of_rules_and_tokens_can_be_set() {
    let place = Place::new();
    place.write("in.query", b"DELETE FROM needle WHERE a + b > c;\n");
    place.write("least.json", br#"{"expression": "1 = 1", "name": "nobody"}"#);
    let query = grammar("Query.g4");
    let shown = ["grammar", "show", "statement", &query, "--replacements", "least.json"];
    let shown = place.lop(shown);
    shown.expect(0, &[]);
    assert!(shown.stdout.contains("Φ `delete from nobody`"), "{}", shown.stdout);
    place.script("check.sh", "grep -q 'needle WHERE ' \"$1\"");
    let words = ["./check.sh", "in.query", "--grammar", &query, "--strategy", "hdd"];
    place.lop(words.into_iter().chain(["--replacements", "least.json"])).expect(0, &[]);
    assert_eq!(place.squeezed("in.lop.query"), "DELETEFROMneedleWHERE1=1;");

    for (text, reason) in [
        (r#"{"expresion": ""}"#, "no rule or token `expresion`; did you mean `expression`?"),
        (r#"{"';'": ""}"#, "the token `';'` has one text only"),
        (r#"{"NAME": 1}"#, "cannot read the replacements `least.json`: invalid type"),
    ] {
        place.write("least.json", text.as_bytes());
        let words = ["./check.sh", "in.query", "--grammar", &query, "--replacements", "least.json"];
        place.lop(words).expect(2, &[reason]);
    }
    place
        .lop(["./check.sh", "in.query", "--replacements", "least.json"])
        .expect(2, &["--replacements and --islands need --grammar"]);
}

#[test]
fn a_token_in_another_language_is_reduced_as_that_language() {
    let place = Place::new();
    place.write(
        "Page.g4",
        b"grammar Page;\npage : (SCRIPT | QUERY | WORD)* EOF ;\n\
          SCRIPT : '<script>' .*? '</script>' ;\nQUERY : '\"' ~'\"'* '\"' ;\n\
          WORD : [a-z]+ ;\nWS : [ \\n]+ -> skip ;\n",
    );
    place.write(
        "in.page",
        b"hello <script>function f(a, b) { if (a) { needle(a, 1 + 2); } return b; }</script>\n\
          world \"SELECT a FROM t WHERE needle(1 + 2); DELETE FROM u;\" bye\n",
    );
    let query = grammar("Query.g4");
    let islands = format!(
        r#"{{"SCRIPT": {{"language": "javascript", "within": "(?s)<script>(.*)</script>"}},
            "QUERY": {{"grammar": ["{query}"], "start": "script", "within": "\"(.*)\""}}}}"#
    );
    place.write("islands.json", islands.as_bytes());
    let tree = ["tree", "in.page", "--grammar", "Page.g4", "--islands", "islands.json"];
    let tree = place.lop(tree);
    tree.expect(0, &[]);
    for label in ["SCRIPT", "function_declaration", "QUERY", "statement"] {
        assert!(tree.stdout.contains(label), "{label} in {}", tree.stdout);
    }
    place.script(
        "check.sh",
        "tr -d '\\n' < \"$1\" | grep -q '<script>[^\"]*needle([^\"]*)[^\"]*</script>.*[\"].*needle(.*[\"]'",
    );
    let words = ["./check.sh", "in.page", "--grammar", "Page.g4", "--islands", "islands.json"];
    place.lop(words.into_iter().chain(["--valid"])).expect(0, &[]);
    let result = place.squeezed("in.lop.page").to_lowercase();
    let expected = |table| format!("<script>needle()</script>\"select*from{table}whereneedle();\"");
    assert!(["a", "t"].map(expected).contains(&result), "{result}");

    for (text, reason) in [
        (r#"{"SCRIP": {"language": "c"}}"#, "no token `SCRIP`; did you mean `SCRIPT`?"),
        (r#"{"WORD": {"language": "klingon"}}"#, "the island `WORD` is in an unknown language"),
        (r#"{"WORD": {}}"#, "the island `WORD` needs either a `language` or a `grammar`"),
        (r#"{"WORD": {"language": "c", "within": "("}}"#, "the island `WORD` is wrong: regex"),
        (r#"{"WORD": {"lang": "c"}}"#, "unknown field `lang`"),
    ] {
        place.write("islands.json", text.as_bytes());
        place.lop(words).expect(2, &[reason]);
    }
}

#[test]
fn a_collection_has_its_grammars_and_examples_where_its_descriptions_say() {
    let place = Place::new();
    let grammar = |name: &str| {
        format!("grammar {name}; file : 'A'+ EOF ; part : 'B' EOF ; WS : [ \\r\\n]+ -> skip ;")
    };
    // Tests with start rules and inputs of their own, and a copy of the grammar for a target.
    place.write("all/a/b/One.g4", grammar("One"));
    place.write("all/a/b/Java/One.g4", "grammar One; broken");
    place.write(
        "all/a/b/desc.xml",
        "<desc><!-- <entry-point>none</entry-point> --><targets>Java;Go</targets>\
         <test><name>x</name><inputs>good/**/*.txt</inputs></test>\
         <test><entry-point>part</entry-point><inputs>parts</inputs></test></desc>",
    );
    place.write("all/a/b/good/deep/one.txt", "\u{feff}A A\r\n");
    place.write("all/a/b/good/other.md", "not an input");
    place.write("all/a/b/parts/part.txt", "B");
    // Examples with errors, and files that are no examples.
    place.write("all/c/Two.g4", grammar("Two"));
    for (file, text) in [
        ("bad.txt", "C"),
        ("bad.txt.errors", "1:0 C"),
        ("good.txt", "A"),
        ("good.txt.errors", ""),
        ("good.txt.tree", "(file A)"),
        (".gitattributes", "* text"),
    ] {
        place.write(format!("all/c/examples/{file}"), text);
    }
    // Of several grammars the one that the examples are of, without regard to case, with predicates.
    place.write("all/d/Old.g4", "grammar Old; file : 'A' EOF ;");
    place.write("all/d/Words.g4", "lexer grammar NewLexer; A : 'A' {p()}? ;");
    place.write(
        "all/d/NewParser.g4",
        "parser grammar NewParser; options { tokenVocab = NewLexer; } file : A A EOF ;",
    );
    place.write(
        "all/d/pom.xml",
        "<project><entryPoint>file</entryPoint><exampleFiles>tests/</exampleFiles>\
         <caseInsensitiveType>UPPER</caseInsensitiveType></project>",
    );
    place.write("all/d/tests/one.txt", "aA");
    // A start rule that does not ask for the end of the text accepts a beginning of it, as in ANTLR.
    place.write("all/e/Open.g4", "grammar Open; file : 'A'+ ; WS : [ \\n]+ -> skip ; B : 'B' ;");
    place.write("all/e/examples/one.txt", "A A B A");
    place.write("all/e/examples/two.txt", "B A");
    let tried = place.lop(["grammar", "collection", "all"]);
    tried.expect(0, &[]);
    for part in [
        "5 grammars loaded, 0 not",
        "all grammars: 5 of 6 examples parsed (83.3 %), 1 of them up to the end of a start rule \
         without `EOF`, 1 of 1 with errors refused",
        "two.txt:1:1: `B` does not fit here",
        "grammars with code: 1 of 1 examples",
        "grammars without code: 4 of 5 examples",
    ] {
        assert!(tried.stdout.contains(part), "{part} in {}", tried.stdout);
    }
}
