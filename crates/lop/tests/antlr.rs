//! Grammars of ANTLR: every question and every strategy works with them.

use std::path::Path;
use std::sync::Arc;

use lop::antlr::{Grammar, Parser};
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

#[test]
fn a_text_with_errors_has_a_useful_tree() {
    let source = "SELECT a FROM t; SELEC b FROM; DELETE FROM u WHERE c;";
    let tree = Tree::parse(&text(source), &format("Query"));
    assert!(tree.has_errors());
    let statements = tree.ids().filter(|node| tree.name(*node) == "statement").count();
    assert!(statements >= 2, "{statements}");
}
