//! Usage: what is learned from examples, the file of a model, and what trees ask it.

mod common;

use std::sync::Arc;

use common::{find, parse};
use lop::tree::{Format, LabelUse, ModelError, NodeId, Tree, Usage};

/// The usage in some texts.
fn learned(format: &str, texts: &[&str]) -> Usage {
    let mut usage = Usage::default();
    texts.iter().for_each(|text| usage.learn(&parse(format, text)));
    usage
}

/// The usage of a label.
fn of<'u>(usage: &'u Usage, label: &str) -> &'u LabelUse {
    let (_, labels) = usage.grammars().next().expect("something was learned");
    &labels[label]
}

/// A text parsed with the usage in others.
fn informed(format: &str, corpus: &[&str], text: &str) -> Tree {
    let usage = Arc::new(learned(format, corpus));
    let format = Format::named(format).unwrap().with_usage(usage);
    Tree::parse(&Arc::new(text.into()), &format)
}

const IFS: &[&str] = &["if (a) b(); else c();\n", "if (d) { e(); f(); }\n"];

#[test]
fn an_edge_is_mandatory_if_every_node_has_it_once() {
    let usage = learned("javascript", IFS);
    let conditional = of(&usage, "if_statement");
    assert_eq!((usage.files(), conditional.nodes), (2, 2));
    assert!(conditional.is_mandatory("condition") && conditional.is_mandatory("consequence"));
    let alternative = conditional.edges["alternative"];
    assert_eq!((alternative.nodes, alternative.most), (1, 1));
    assert!(!conditional.is_mandatory("alternative") && !conditional.is_mandatory("unheard-of"));
}

#[test]
fn an_edge_that_nodes_have_in_different_numbers_is_not_mandatory() {
    let usage = learned("javascript", &["f(a, b);\n", "g(c);\n"]);
    let arguments = of(&usage, "arguments");
    let edge = arguments.edges[""];
    assert_eq!((edge.nodes, edge.least, edge.most), (2, 1, 2));
    assert!(!arguments.is_mandatory(""));
}

#[test]
fn children_without_a_field_are_mandatory_by_their_label_or_their_number() {
    let corpus = &["<a b='1' c='2'>d</a>", "<e/>", "<f></f>"];
    // Every attribute has a name and a value, every start tag one name.
    let tree = informed("xml", corpus, "<g h='3' i='4'>j</g>");
    for (label, text) in [("AttValue", "'3'"), ("Name", "h"), ("Name", "g")] {
        assert!(tree.is_mandatory(find(&tree, label, text)), "{text}");
    }
    for (label, text) in [("Attribute", "h='3'"), ("CharData", "j")] {
        assert!(!tree.is_mandatory(find(&tree, label, text)), "{text}");
    }
}

#[test]
fn a_declarator_is_seen_in_declarations_only() {
    let usage = learned("javascript", &["var a = 1, b;\nfor (var c;;) {}\n"]);
    let contexts: Vec<_> = of(&usage, "variable_declarator").contexts.iter().collect();
    assert_eq!(contexts, [(&("variable_declaration".into(), String::new()), &3)]);
}

#[test]
fn neither_comments_nor_errors_are_learned_from() {
    let usage = learned("javascript", &["(/* x */ a /* y */);\nif (b { c(); }\n"]);
    assert_eq!(usage.grammars().count(), 1);
    let (_, labels) = usage.grammars().next().unwrap();
    assert!(!labels.contains_key("comment"), "{:?}", labels.keys());
    // The condition of the `if` lacks a bracket.
    let brackets = &labels["parenthesized_expression"];
    assert!(brackets.nodes == 1 && brackets.is_mandatory(""), "{brackets:?}");
}

#[test]
fn the_least_text_of_a_label_is_remembered() {
    let usage = learned("javascript", &["longer; x;\n", "f(\"quoted\");\n"]);
    assert_eq!(of(&usage, "identifier").least.as_deref(), Some(&b"f"[..]));
}

#[test]
fn learning_from_both_is_merging_in_any_order() {
    let both = learned("javascript", IFS).to_bytes();
    let [first, second] = [&IFS[..1], &IFS[1..]].map(|texts| learned("javascript", texts));
    let mut merged = learned("javascript", &[]);
    merged.merge(second);
    merged.merge(first);
    assert_eq!(merged.to_bytes(), both);
}

/// A model of two languages.
fn model() -> Vec<u8> {
    let mut usage = learned("javascript", IFS);
    usage.merge(learned("json", &["{\"a\": [1, null]}", "[]"]));
    usage.to_bytes()
}

#[test]
fn a_model_is_the_same_after_writing_and_reading() {
    let usage = Usage::from_bytes(&model()).unwrap();
    assert_eq!(usage.to_bytes(), model());
    assert_eq!(usage.files(), 4);
    let grammars: Vec<&str> = usage.grammars().map(|(grammar, _)| grammar).collect();
    assert_eq!(grammars, ["javascript", "json"]);
    assert!(usage.knows(Usage::fingerprint(b"[]")) && !usage.knows(Usage::fingerprint(b"{}")));
    let empty = Usage::default().to_bytes();
    assert_eq!(Usage::from_bytes(&empty).unwrap().to_bytes(), empty);
}

#[test]
fn every_truncation_is_refused() {
    let model = model();
    assert_eq!(Usage::from_bytes(b"").unwrap_err(), ModelError::NotAModel);
    for length in 1..model.len() {
        assert_eq!(Usage::from_bytes(&model[..length]).unwrap_err(), ModelError::Truncated);
    }
}

#[test]
fn every_changed_byte_is_refused() {
    let mut random = lop_testing::random();
    let mut bytes = model();
    for at in 0..bytes.len() {
        let change = random.u8(1..);
        bytes[at] ^= change;
        assert!(Usage::from_bytes(&bytes).is_err(), "byte {at} was changed by {change}");
        bytes[at] ^= change;
    }
    bytes.push(0);
    assert_eq!(Usage::from_bytes(&bytes).unwrap_err(), ModelError::Damaged);
}

#[test]
fn a_wrong_body_with_the_right_checksum_is_refused_or_read() {
    // Someone may make such a file. It must neither panic nor ask for memory that its length does not justify.
    let mut random = lop_testing::random();
    let model = model();
    for _ in 0..20_000 {
        let mut bytes = model[..model.len() - 8].to_vec();
        for _ in 0..random.usize(1..4) {
            let at = random.usize(13..bytes.len());
            let any = random.u8(..);
            bytes[at] = *random.choice(&[0, 1, 0x7f, 0x80, 0xff, any]).unwrap();
        }
        let checksum = Usage::fingerprint(&bytes);
        bytes.extend(checksum.to_le_bytes());
        if let Ok(usage) = Usage::from_bytes(&bytes) {
            let mut twice = Usage::from_bytes(&bytes).unwrap();
            twice.merge(usage);
        }
    }
}

#[test]
fn a_newer_version_and_another_file_have_their_own_messages() {
    let mut newer = model();
    newer[b"lop model\n".len()] = 2;
    let error = Usage::from_bytes(&newer).unwrap_err();
    assert_eq!(error, ModelError::Newer { version: 2 });
    assert!(error.to_string().contains("version 2"), "{error}");
    for foreign in ["int main() {}", "lop journal", "x", "lop modem\n"] {
        assert_eq!(Usage::from_bytes(foreign.as_bytes()).unwrap_err(), ModelError::NotAModel);
    }
}

#[test]
fn a_mandatory_part_is_not_removed() {
    // Every `else` and every name of a function expression is optional for the grammar, but the corpus always has them.
    let corpus = ["x = function y() {};\nif (a) b(); else c();\n"];
    let text = "z = function named() {};\nif (p) q(); else r();\n";
    let (plain, tree) = (parse("javascript", text), informed("javascript", &corpus, text));
    for (label, text) in [("identifier", "named"), ("else_clause", "else r();")] {
        assert!(plain.is_removable(find(&plain, label, text)), "{text}");
        let node = find(&tree, label, text);
        assert!(tree.is_mandatory(node) && !tree.is_removable(node), "{text}");
    }
    let statement = find(&tree, "if_statement", "if (p) q(); else r();");
    assert!(!tree.is_mandatory(statement) && tree.is_removable(statement));
    let kept = |without: &str| {
        let children = tree.children(statement);
        children.filter(|child| tree.name(*child) != without).collect::<Vec<NodeId>>()
    };
    assert!(tree.stands(statement, kept("")) && !tree.stands(statement, kept("else_clause")));
}

#[test]
fn a_list_stays_a_list_where_the_corpus_has_one_element() {
    // The corpus has exactly one argument in each call, so one of several may be removed, and the last may not.
    let corpus = ["f(a);\n", "g(b);\n"];
    let tree = informed("javascript", &corpus, "h(1, 2, 3);\n");
    let list = find(&tree, "arguments", "(1, 2, 3)");
    let series = tree.series(list);
    assert_eq!(series.iter().map(|series| series.len()).collect::<Vec<_>>(), [3]);
    assert_eq!(series, parse("javascript", "h(1, 2, 3);\n").series(list));
    let [first, last] = ["1", "3"].map(|text| find(&tree, "number", text));
    assert!(!tree.is_mandatory(first) && !tree.may_cut(first, last));
    let one = informed("javascript", &corpus, "h(1);\n");
    assert!(one.is_mandatory(find(&one, "number", "1")));
}

#[test]
fn a_node_replaces_another_one_only_where_it_was_seen() {
    let corpus = ["if (a) b();\nwhile (c) { d(); }\n"];
    let text = "if (x) { while (y) z(); }\n";
    let (plain, tree) = (parse("javascript", text), informed("javascript", &corpus, text));
    let hoisted = |tree: &Tree| {
        let place = find(tree, "statement_block", "{ while (y) z(); }");
        let labels = tree.hoistable(place).map(|node| tree.name(node).to_owned());
        labels.collect::<Vec<_>>()
    };
    assert_eq!(hoisted(&plain), ["while_statement", "expression_statement"]);
    // The corpus has no loop as the consequence of an `if`.
    assert_eq!(hoisted(&tree), ["expression_statement"]);
    let place = find(&tree, "statement_block", "{ while (y) z(); }");
    assert!(tree.is_usual(place, tree.kind(place)), "its own kind is there already");
    let call = tree.kind(find(&tree, "expression_statement", "z();"));
    let repeat = tree.kind(find(&tree, "while_statement", "while (y) z();"));
    assert!(tree.is_usual(place, call) && !tree.is_usual(place, repeat));
}

#[test]
fn a_model_of_another_language_changes_nothing() {
    let usage = Arc::new(learned("json", &["[1]"]));
    let text = "f(a, b);\nif (c) d(); else e();\n";
    let plain = parse("javascript", text);
    let format = Format::named("javascript").unwrap().with_usage(usage);
    let tree = Tree::parse(&Arc::new(text.into()), &format);
    for node in plain.ids() {
        assert_eq!(plain.is_removable(node), tree.is_removable(node));
        assert_eq!(
            plain.hoistable(node).collect::<Vec<_>>(),
            tree.hoistable(node).collect::<Vec<_>>()
        );
    }
}
