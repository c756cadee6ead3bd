//! Grammars built from rules as values.

use lop_grammar::{Error, Grammar, GrammarBuilder, Label, Rule};

fn names(grammar: &Grammar) -> Vec<(String, bool)> {
    let name = |label| (grammar.label_name(label).to_owned(), grammar.is_named(label));
    grammar.labels().map(name).collect()
}

/// Checks that a grammar as a value is the same as in the short notation.
fn check(builder: &GrammarBuilder, notation: &str) -> Grammar {
    let built = builder.build().unwrap();
    let parsed = Grammar::parse("test", notation).unwrap();
    assert_eq!(names(&built), names(&parsed));
    for label in built.labels() {
        assert_eq!(built.producers(label), parsed.producers(label));
        assert_eq!(built.minimal(label), parsed.minimal(label));
        assert_eq!(built.is_extra(label), parsed.is_extra(label));
    }
    built
}

#[test]
fn a_grammar_as_a_value_is_the_same_as_in_the_short_notation() {
    let mut builder = GrammarBuilder::new("test");
    let items = Rule::seq([
        Rule::symbol("_item"),
        Rule::seq([Rule::literal(","), Rule::symbol("_item")]).repeated(),
    ]);
    let list = Rule::seq([Rule::literal("("), items.optional(), Rule::literal(")")]);
    builder.rule("list", list);
    builder.rule("_item", Rule::choice([Rule::symbol("list"), Rule::symbol("word")]));
    builder.rule("word", Rule::pattern("[a-z]+"));
    builder.rule("comment", Rule::pattern("#.*")).extra(Rule::symbol("comment"));
    check(
        &builder,
        r##"
        list    = "(" (_item ("," _item)*)? ")" ;
        _item   = list | word ;
        word    = /[a-z]+/ ;
        comment ~ /#.*/ ;
        "##,
    );
}

#[test]
fn numbers_do_not_depend_on_the_order_in_which_rules_are_added() {
    let rules = [
        ("b", Rule::seq([Rule::literal("x"), Rule::symbol("a")])),
        ("a", Rule::pattern("a")),
        ("c", Rule::literal("y")),
    ];
    let built = |rules: &[(&str, Rule)]| {
        let mut builder = GrammarBuilder::new("test");
        for (name, rule) in rules {
            builder.rule(name, rule.clone());
        }
        builder.build().unwrap()
    };
    let (forth, back) = (built(&rules), built(&rules.iter().rev().cloned().collect::<Vec<_>>()));
    assert_eq!(names(&forth), names(&back));
    let number = |grammar: &Grammar, name| grammar.rule(name).unwrap().0;
    for grammar in [&forth, &back] {
        assert_eq!(["a", "b", "c"].map(|name| number(grammar, name)), [0, 1, 2]);
    }
}

#[test]
fn numbers_do_not_depend_on_the_order_of_rules_in_a_grammar_json() {
    let json = |rules: &str| {
        Grammar::from_tree_sitter(&format!(r#"{{"name": "test", "rules": {{{rules}}}}}"#)).unwrap()
    };
    let a = r#""a": {"type": "STRING", "value": "x"}"#;
    let b = r#""b": {"type": "SEQ", "members": [{"type": "SYMBOL", "name": "a"}]}"#;
    for grammar in [json(&format!("{a}, {b}")), json(&format!("{b}, {a}"))] {
        assert_eq!(["a", "b"].map(|name| grammar.rule(name).unwrap().0), [0, 1]);
        let labels: Vec<_> = names(&grammar).into_iter().map(|(name, _)| name).collect();
        assert_eq!(labels, ["", "ERROR", "a", "x", "b"]);
    }
}

#[test]
fn hidden_rules_aliases_fields_and_externals_are_what_they_are_in_a_grammar_json() {
    let mut builder = GrammarBuilder::new("test");
    let kind = Rule::choice([Rule::symbol("word"), Rule::literal("auto")]).field("kind");
    let name = Rule::symbol("word").alias("name", true);
    let names = Rule::symbol("word").repeated().alias("names", true);
    builder.rule("node", Rule::seq([kind, name, names, Rule::symbol("_end")]));
    builder.rule("word", Rule::seq([Rule::pattern("[a-z]"), Rule::literal("!")]).token());
    builder.rule("upper", Rule::symbol("word")).hide("upper").external("_end").external("eof");
    builder.extra(Rule::pattern(r"\s"));
    let json = r#"{
        "name": "test",
        "rules": {
            "node": {"type": "SEQ", "members": [
                {"type": "FIELD", "name": "kind", "content": {"type": "CHOICE", "members": [
                    {"type": "SYMBOL", "name": "word"}, {"type": "STRING", "value": "auto"}]}},
                {"type": "ALIAS", "value": "name", "named": true,
                 "content": {"type": "PREC", "value": 1, "content": {"type": "SYMBOL", "name": "word"}}},
                {"type": "ALIAS", "value": "names", "named": true,
                 "content": {"type": "REPEAT", "content": {"type": "SYMBOL", "name": "word"}}},
                {"type": "SYMBOL", "name": "_end"}]},
            "word": {"type": "TOKEN", "content": {"type": "SEQ", "members": [
                {"type": "PATTERN", "value": "[a-z]"}, {"type": "STRING", "value": "!"}]}},
            "upper": {"type": "SYMBOL", "name": "word"}
        },
        "supertypes": ["upper"],
        "externals": [{"type": "SYMBOL", "name": "_end"}, {"type": "SYMBOL", "name": "eof"}],
        "extras": [{"type": "PATTERN", "value": "\\s"}]
    }"#;
    let (built, read) = (builder.build().unwrap(), Grammar::from_tree_sitter(json).unwrap());
    assert_eq!(names_of(&built), ["", "ERROR", "eof", "node", "auto", "name", "names", "word"]);
    assert_eq!(names_of(&built), names_of(&read));
    assert_eq!(built.between(), read.between());
    assert!(built.has_field("kind") && read.has_field("kind"));
    let label = |name, named| built.label(name, named).unwrap();
    for grammar in [&built, &read] {
        assert_eq!(grammar.minimal(label("word", true)), Some("a!"));
        let model = grammar.model(grammar.rule("node").unwrap());
        let [word, auto, name, names] =
            [("word", true), ("auto", false), ("name", true), ("names", true)]
                .map(|(name, named)| label(name, named));
        assert!(model.run(&[auto, name, names]).is_some());
        assert!(model.run(&[word, name, names]).is_some());
        assert!(model.run(&[word, word, names]).is_none());
    }
}

fn names_of(grammar: &Grammar) -> Vec<String> {
    names(grammar).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_rule_that_does_not_exist_is_named_with_the_rule_that_uses_it() {
    let mut builder = GrammarBuilder::new("test");
    builder.rule("node", Rule::symbol("nothing").repeated());
    let error = builder.build().err().unwrap();
    assert!(
        matches!(&error, Error::Undefined { rule, name } if rule == "node" && name == "nothing")
    );
    assert!(error.to_string().contains("`node`") && error.to_string().contains("`nothing`"));
}

#[test]
fn more_rules_or_labels_than_numbers_are_refused() {
    let built = |rules: usize, labels: usize| {
        let mut builder = GrammarBuilder::new("test");
        for rule in 0..rules {
            builder.rule(&format!("_{rule}"), Rule::Blank);
        }
        let texts = (0..labels).map(|label| Rule::Literal(format!("{label}")));
        builder.rule("_labels", Rule::choice(texts));
        builder.build()
    };
    // One rule has the labels; two labels are in every grammar.
    let most = usize::from(u16::MAX);
    let grammar = built(most - 1, 0).unwrap();
    assert_eq!(grammar.rule("_labels").map(|id| usize::from(id.0)), Some(most - 1));
    assert!(matches!(built(most, 0), Err(Error::TooLarge("rules"))));
    let grammar = built(0, most - 2).unwrap();
    assert_eq!(grammar.label_count(), most);
    assert_eq!(grammar.labels().last(), Some(Label(u16::MAX - 1)));
    assert!(matches!(built(0, most - 1), Err(Error::TooLarge("labels"))));
}
