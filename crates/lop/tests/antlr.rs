//! Grammars of ANTLR: every question and every strategy works with them.

use std::path::Path;
use std::sync::Arc;

use lop::antlr::{Grammar, Parser};
use lop::passes::{Lore, PASSES};
use lop::reducers::REDUCERS;
use lop::strategy::Effort;
use lop::tree::{AntlrOptions, Change, Format, Tree};
use lop::{Reduction, Strategy, Text};

fn format(name: &str) -> Format {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lop-antlr/tests/grammars");
    let grammar = Grammar::load(&[folder.join(format!("{name}.g4"))]).unwrap();
    let start = grammar.start().unwrap();
    Format::antlr(Parser::new(grammar).unwrap(), start, &AntlrOptions::default()).unwrap()
}

fn text(text: &str) -> Text {
    Arc::new(text.into())
}

/// What a tree says may be removed, one node at a time.
fn removable(format: &Format, source: &str) -> Vec<String> {
    let tree = Tree::parse(&text(source), format);
    let pieces: Vec<u8> =
        tree.pieces().flat_map(|(_, range)| source.as_bytes()[range].to_vec()).collect();
    assert_eq!(pieces, source.as_bytes(), "no byte is lost");
    let nodes = tree.ids().filter(|node| tree.is_removable(*node));
    nodes.map(|node| String::from_utf8_lossy(tree.text_of(node)).into_owned()).collect()
}

#[test]
fn what_a_rule_makes_optional_may_be_removed() {
    assert_eq!(removable(&format("Sums"), "a + f(1);"), ["f", "1"]);
    let lisp = removable(&format("Lisp"), "(a #| b |# c)");
    assert_eq!(lisp, ["(a #| b |# c)", "a", "#| b |#", "c"]);
}

#[test]
fn what_may_be_removed_leaves_a_text_that_parses() {
    for (name, source) in [
        ("Json", r#"{"a": [1, {"b": null}], "c": ""}"#),
        ("Sums", "a = b + c * -d; f(1, 2)[3]; x ? y : z;"),
        ("Query", "SELECT a, b FROM t WHERE a IN (1, 2) AND NOT b; DELETE FROM x WHERE 1;"),
        ("Ambiguous", "if a then if b then c; else d e 1; {x;}"),
    ] {
        let format = format(name);
        let tree = Tree::parse(&text(source), &format);
        assert!(format.accepts(&text(source)));
        let mut asked = 0;
        for node in tree.ids().filter(|node| tree.is_removable(*node)) {
            let candidate = tree.candidate(&[Change::cut(node)]);
            assert!(
                format.accepts(&Arc::new(candidate.bytes())),
                "{name}: {}",
                String::from_utf8_lossy(&candidate.bytes())
            );
            asked += 1;
        }
        for place in tree.ids() {
            for node in tree.hoistable(place) {
                let change = Change::hoist(place, node);
                if !tree.is_sure(&change) {
                    continue;
                }
                let candidate = tree.candidate(&[change]);
                assert!(
                    format.accepts(&Arc::new(candidate.bytes())),
                    "{name}: {}",
                    String::from_utf8_lossy(&candidate.bytes())
                );
                asked += 1;
            }
        }
        assert!(asked > 5, "{name}: {asked}");
    }
}

#[test]
fn every_strategy_reduces_a_text_of_an_antlr_grammar() {
    let format = format("Query");
    let source = "SELECT a, COUNT(*) FROM t LEFT JOIN u ON t.x = u.y WHERE needle(1 + 2) > 3 AND b IN (4, 5) ORDER BY a;\n\
                  INSERT INTO t (a, b) VALUES (1, 2), (3, 4);\nDELETE FROM u WHERE c IS NOT NULL;\n";
    let reduce = |strategy: Strategy, wants_valid: bool| {
        let format = format.clone();
        let judged = format.clone();
        let oracle = move |candidate: &[u8]| {
            String::from_utf8_lossy(candidate).contains("needle(")
                && (!wants_valid || judged.accepts(&Arc::new(candidate.to_vec())))
        };
        let mut reduction = Reduction::new(text(source), &oracle);
        reduction.format = format;
        reduction.strategy = strategy;
        reduction.run().unwrap().best
    };
    for reducer in REDUCERS {
        let best = reduce(format!("{}*", reducer.name).parse().unwrap(), true);
        // Nodes that can be removed entirely have no smaller one of their label in them.
        let finds_nothing = reducer.name.starts_with("coarse-hoist");
        assert!(best.text.len() < source.len() || finds_nothing, "{}", reducer.name);
    }
    let best = reduce(Strategy::Default(Effort::Usual), true);
    assert!(best.size.tokens <= 9, "{}", String::from_utf8_lossy(&best.text));
}

/// Runs every reducer on a small program, and checks its result. `few` is the most tokens of a result that a grammar leads to.
fn check_reducers(name: &str, source: &str, few: usize) {
    let format = format(name);
    for reducer in REDUCERS {
        // These do not know the grammar: whether a candidate parses is part of their test.
        let is_blind = reducer.name.starts_with("gtr") || reducer.name == "hdd-blind";
        let judged = format.clone();
        let oracle = move |candidate: &[u8]| {
            String::from_utf8_lossy(candidate).contains("needle(")
                && (!is_blind || judged.accepts(&Arc::new(candidate.to_vec())))
        };
        let mut reduction = Reduction::new(text(source), &oracle);
        reduction.format = format.clone();
        reduction.strategy = format!("{}*", reducer.name).parse().unwrap();
        let best = reduction.run().unwrap().best;
        let shown = format!("{}: {}", reducer.name, String::from_utf8_lossy(&best.text));
        assert!(shown.contains("needle("), "{shown}");
        assert!(format.accepts(&Arc::new(best.text.to_vec())), "{shown}");
        // Hoisting alone removes nothing, and the blind ones keep brackets that they cannot replace.
        let is_partial = reducer.name.contains("hoist") || reducer.name == "hdd-blind";
        assert!(best.text.len() <= source.len(), "{shown}");
        assert!(is_partial || best.size.tokens <= few, "{shown}");
    }
}

#[test]
fn every_reducer_of_the_papers_reduces_c_to_a_text_that_parses() {
    let source = "#include <stdio.h>\nstatic int a[2] = {1, 2}, b;\nstruct s { int m; };\n\
                  int main(void) {\n  while (b) { b--; }\n  return g(needle(1 + b)) ? 0 : (b, 1);\n}\n";
    check_reducers("C", source, 10);
}

#[test]
fn every_reducer_of_the_papers_reduces_javascript_to_a_text_that_parses() {
    let source = "function f(x, ...y) { return x / y; }\nif (a) { f(needle(c => 1), /d/g); }\n";
    check_reducers("JavaScriptParser", source, 8);
}

#[test]
fn names_are_known_by_tokens_in_capitals() {
    let oracle = |candidate: &[u8]| String::from_utf8_lossy(candidate).matches("int").count() == 2;
    let mut reduction = Reduction::new(text("int number = 1; int *at = &number;\n"), &oracle);
    reduction.format = format("C");
    reduction.strategy = "rename".parse().unwrap();
    let best = reduction.run().unwrap().best;
    assert_eq!(String::from_utf8_lossy(&best.text), "int a = 1; int *b = &a;\n");
}

#[test]
fn values_replace_names_that_are_in_rules_of_their_own() {
    let oracle = |candidate: &[u8]| String::from_utf8_lossy(candidate).contains("f(");
    let mut reduction = Reduction::new(text("var a = [1]; f(a);\n"), &oracle);
    reduction.format = format("JavaScriptParser");
    reduction.strategy = "inline".parse().unwrap();
    let best = reduction.run().unwrap().best;
    // The semicolon is a statement without the declaration.
    assert_eq!(String::from_utf8_lossy(&best.text).trim(), "; f([1]);");
}

#[test]
fn a_text_with_errors_has_a_useful_tree() {
    let source = "SELECT a FROM t; SELEC b FROM; DELETE FROM u WHERE c;";
    let tree = Tree::parse(&text(source), &format("Query"));
    assert!(tree.has_errors());
    let statements = tree.ids().filter(|node| tree.name(*node) == "statement").count();
    assert!(statements >= 2, "{statements}");
}

/// What `lexemes` makes of a text.
fn shortened(format: &Format, source: &str) -> Vec<String> {
    let tree = Tree::parse(&text(source), format);
    let pass = PASSES.iter().find(|pass| pass.name == "lexemes").unwrap();
    let lore = Lore::default();
    let candidates = (pass.propose)(&tree, &lore).map(|changes| tree.candidate(&changes).bytes());
    candidates.map(|candidate| String::from_utf8(candidate).unwrap()).collect()
}

#[test]
fn tokens_become_shorter_as_the_rules_of_the_lexer_allow_it() {
    let json = format("Json");
    let all = shortened(&json, r#"["a\n\u0041b"]"#);
    let number = shortened(&json, "[-12.5e-10]");
    for new in all.iter().chain(&number) {
        assert!(json.accepts(&text(new)), "{new}");
    }
    assert_eq!(all[0], r#"[""]"#);
    for whole in [r#"["a\n"]"#, r#"["a\nb"]"#, r#"["a\u0041b"]"#, r#"["\n\u0041b"]"#] {
        assert!(all.iter().any(|it| it == whole), "{whole} {all:#?}");
    }
    let half = |it: &String| it.contains("u0041") && !it.contains("\\u0041") || it.contains("an");
    assert!(!all.iter().any(half), "{all:#?}");
    let position = |token: &str| number.iter().position(|it| it == token).ok_or(token.to_owned());
    let expected = ["[0]", "[-12]", "[-12.5]", "[-12e-10]", "[12.5e-10]"].map(position);
    assert!(expected.iter().all(Result::is_ok), "{expected:?} {number:#?}");
}
