//! Parsers that do not come with lop, fields, and models that overlay those of a grammar.

use std::path::Path;
use std::sync::Arc;

use lop::grammar::{Grammar, GrammarBuilder, Label, Order, Overlay, Rule};
use lop::rules::Rules;
use lop::strategy::{Effort, default_for};
use lop::tree::{Builder, Change, FORMATS, Format, NodeId, Parser, Tree};
use lop::{Candidate, Edit, Text};

/// A parser of lists, `(a (b) c)`. The first item of a list is its `head`; text in angle brackets
/// may be in another language; anything else is an error.
struct Lists {
    grammar: Grammar,
    is_strict: bool,
    island: Option<Arc<dyn Parser>>,
}

const LISTS: &str = r#"
    document = _item* ;
    list     = "(" _item* ")" ;
    _item    = list | word | other ;
    word     = /[a-z]+/ ;
    other    = /<[^>]*>/ ;
"#;

impl Lists {
    fn new(grammar: &str) -> Lists {
        let grammar = Grammar::parse("lists", grammar).unwrap();
        Lists { grammar, is_strict: true, island: None }
    }

    fn format(self) -> Format {
        Format::new(Arc::new(self))
    }

    fn label(&self, name: &str) -> Label {
        self.grammar.label(name, !"()".contains(name)).unwrap()
    }
}

impl Parser for Lists {
    fn name(&self) -> &str {
        "lists"
    }

    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn is_strict(&self) -> bool {
        self.is_strict
    }

    fn build(&self, text: &[u8], tree: &mut Builder<'_>) {
        let (mut at, mut depth, mut is_head) = (0, 0, false);
        let head = tree.field("head");
        tree.open(self.label("document"), 0);
        while at < text.len() {
            let field = if std::mem::take(&mut is_head) { head } else { Default::default() };
            let end = |ends: fn(&u8) -> bool| {
                text[at..].iter().position(ends).map_or(text.len(), |end| at + end)
            };
            let next = match text[at] {
                b' ' => at + 1,
                b'(' => {
                    tree.open(self.label("list"), at).under(field);
                    tree.leaf(self.label("("), at..at + 1);
                    (depth, is_head) = (depth + 1, true);
                    at + 1
                }
                b')' if depth > 0 => {
                    tree.leaf(self.label(")"), at..at + 1);
                    tree.close(at + 1);
                    depth -= 1;
                    at + 1
                }
                b'a'..=b'z' => {
                    let end = end(|byte| !byte.is_ascii_lowercase());
                    tree.leaf(self.label("word"), at..end).under(field);
                    end
                }
                b'<' => {
                    let end = end(|byte| *byte == b'>');
                    tree.open(self.label("other"), at);
                    if let Some(island) = &self.island {
                        tree.island(at + 1..end, island);
                    }
                    tree.close((end + 1).min(text.len()));
                    (end + 1).min(text.len())
                }
                _ => {
                    let end = end(|byte| byte.is_ascii_lowercase());
                    tree.region(at..end);
                    end
                }
            };
            at = next;
        }
        for _ in 0..depth {
            tree.leaf(self.label(")"), at..at).error(true);
            tree.close(at);
        }
        tree.close(text.len());
    }
}

fn text(text: &str) -> Text {
    Arc::new(text.as_bytes().to_vec())
}

/// A tree as brackets; a removable node has an exclamation mark, and a token is a dot.
fn draw(tree: &Tree, node: NodeId) -> String {
    let children: Vec<String> = tree.children(node).map(|child| draw(tree, child)).collect();
    let name = if tree.is_named(node) { tree.name(node) } else { "·" };
    let name = if name.is_empty() { "·" } else { name };
    let sign = if tree.is_removable(node) { "!" } else { "" };
    match children.is_empty() {
        true => format!("{name}{sign}"),
        false => format!("{name}{sign}[{}]", children.join(" ")),
    }
}

fn drawn(source: &str, format: &Format) -> String {
    let tree = Tree::parse(&text(source), format);
    let pieces: Vec<u8> =
        tree.pieces().flat_map(|(_, range)| source.as_bytes()[range].to_vec()).collect();
    assert_eq!(pieces, source.as_bytes(), "no byte is lost");
    draw(&tree, tree.root())
}

#[test]
fn a_parser_from_outside_makes_trees_that_know_what_may_go() {
    let format = Lists::new(LISTS).format();
    assert_eq!(format.name(), "lists");
    assert_eq!(drawn("a (b (c))", &format), "document[word! list![· word! list![· word! ·] ·]]");
    let tree = Tree::parse(&text("a (b (c))"), &format);
    let outer = tree.children(tree.root()).last().unwrap();
    let inner = tree.hoistable(outer).find(|node| tree.name(*node) == "list").unwrap();
    assert_eq!(tree.candidate(&[Change::hoist(outer, inner)]).bytes(), b"a (c)");
}

#[test]
fn a_strict_parser_says_whether_a_candidate_still_parses() {
    let source = text("(a ! b)");
    let cut = |range| Candidate::new(&source, vec![Edit::cut(range)]);
    let tree = Tree::parse(&source, &Lists::new(LISTS).format());
    // The text already has one error.
    assert!(tree.still_parses(&cut(1..2)) && tree.still_parses(&cut(2..5)));
    assert!(!tree.still_parses(&cut(6..7)));
    let lax = Lists { is_strict: false, ..Lists::new(LISTS) };
    let tree = Tree::parse(&source, &lax.format());
    assert!(!tree.still_parses(&cut(6..7)), "it is still the parser that answers");
}

#[test]
fn a_plain_format_accepts_any_text() {
    for plain in FORMATS.iter().filter(|plain| plain.name != "smt-lib") {
        let format = Format::from(plain);
        assert!(!format.parser().is_strict(), "{}", plain.name);
        let source = text("{ [a] <b></b> }");
        let tree = Tree::parse(&source, &format);
        let broken = Candidate::new(&source, vec![Edit::cut(3..9)]);
        assert!(tree.still_parses(&broken), "{}", plain.name);
    }
    assert_eq!(Format::default().name(), "text");
}

#[test]
fn a_stray_bracket_is_an_error_in_smt_lib_and_its_strategy_leaves_none() {
    let format = Format::named("smt-lib").unwrap();
    let source = text("(assert (< a 0))");
    let cut = |range| Candidate::new(&source, vec![Edit::cut(range)]);
    let tree = Tree::parse(&source, &format);
    assert!(tree.still_parses(&cut(9..11)) && !tree.still_parses(&cut(15..16)));
    assert!(format.accepts(&source) && !format.accepts(&text("(assert")));
    let strategy = default_for(&source, &format, Effort::Usual).to_string();
    assert!(strategy.contains("guard") && !strategy.contains("no-guard"), "{strategy}");
}

#[test]
fn a_parser_that_is_strict_gets_the_strategy_for_trees() {
    let strategy = |text: &str, format: &Format| {
        default_for(text.as_bytes(), format, Effort::Usual).to_string()
    };
    let c = Format::named("c").expect("C is part of every build");
    let of_c = strategy("int a;", &c);
    assert_eq!(strategy("(a)", &Lists::new(LISTS).format()), of_c);
    assert!(of_c.contains("guard"), "what does not parse is not tested");
    let lax = Lists { is_strict: false, ..Lists::new(LISTS) };
    assert_eq!(strategy("(a)", &lax.format()), strategy("(a)", &Format::default()));
}

#[test]
fn lines_and_brackets_race_with_nodes_in_a_text_that_its_parser_does_not_understand() {
    let c = Format::named("c").expect("C is part of every build");
    let strategy = |text: &str| default_for(text.as_bytes(), &c, Effort::Usual).to_string();
    let program = "int f(int a) { return a + 1; }\n".repeat(20);
    let first_race = |text: &str| strategy(text).split(']').next().unwrap().to_string();
    assert!(!first_race(&program).contains("lines"));
    let one_error = format!("{program}int g(= {{ }}\n");
    assert!(!first_race(&one_error).contains("lines"), "a small error says little");
    let another_dialect =
        format!("{program}{}", "WHEN new.a <> old.b THEN\n  PRINT @ 5;\n".repeat(5));
    let race = first_race(&another_dialect);
    assert!(race.contains("opdd:lines") && race.contains("opdd:brackets"), "{race}");
}

#[test]
fn where_no_rule_fits_a_strict_parser_keeps_all_and_another_lets_all_go() {
    let grammar = LISTS.replace("_item* \")\"", "word \")\"");
    let strict = Lists::new(&grammar).format();
    assert_eq!(drawn("(a b)", &strict), "document[list![· word word ·]]");
    let lax = Lists { is_strict: false, ..Lists::new(&grammar) }.format();
    assert_eq!(drawn("(a b)", &lax), "document[list![· word! word! ·]]");
}

#[test]
fn what_a_parser_does_not_understand_becomes_brackets_and_tokens() {
    let format = Lists::new(LISTS).format();
    assert_eq!(
        drawn("a ![1 2](", &format),
        "document[word! ERROR![line! …]]"
            .replace("line! …", "sign! group![· word! word! ·] stray!")
    );
    let tree = Tree::parse(&text("a !1"), &format);
    let errors: Vec<_> = tree.ids().filter(|node| tree.is_error(*node)).collect();
    assert_eq!(errors.iter().map(|node| tree.text_of(*node)).collect::<Vec<_>>(), [b"!1"]);
}

#[test]
fn a_parser_that_puts_nothing_down_still_has_a_root() {
    struct Nothing(Grammar);
    impl Parser for Nothing {
        fn name(&self) -> &str {
            "nothing"
        }
        fn grammar(&self) -> &Grammar {
            &self.0
        }
        fn is_strict(&self) -> bool {
            true
        }
        fn build(&self, _: &[u8], _: &mut Builder<'_>) {}
    }
    let format = Format::new(Arc::new(Nothing(Grammar::parse("nothing", "").unwrap())));
    assert_eq!(drawn("a b", &format), "ERROR[word! word!]");
    assert_eq!(drawn("", &format), "ERROR");
}

#[test]
fn an_island_is_parsed_by_its_own_parser_and_its_errors_count() {
    let inner: Arc<dyn Parser> = Arc::new(Lists::new(LISTS));
    let outer = Lists { island: Some(inner), ..Lists::new(LISTS) };
    let format = outer.format();
    let source = text("a <(b)>");
    let tree = Tree::parse(&source, &format);
    assert_eq!(draw(&tree, tree.root()), "document[word! other![document[list![· word! ·]]]]");
    let island = tree.ids().filter(|node| tree.name(*node) == "document").last().unwrap();
    assert_eq!(tree.text_of(island), b"(b)");
    assert!(tree.has_strict_islands());
    assert!(tree.still_parses(&Candidate::new(&source, vec![Edit::cut(4..5)])));
    assert!(!tree.still_parses(&Candidate::new(&source, vec![Edit::cut(5..6)])));
}

#[test]
fn an_island_for_whose_labels_there_is_no_room_stays_a_leaf() {
    let with_labels = |count: usize| {
        let mut builder = GrammarBuilder::new("lists");
        let rules = [("document", "item"), ("word", "a"), ("other", "b"), ("list", "c")];
        for (name, text) in rules {
            builder.rule(name, Rule::literal(text));
        }
        let texts = (0..count).map(|label| Rule::Literal(format!("{label}")));
        builder.rule("_many", Rule::choice(texts.chain([Rule::literal("("), Rule::literal(")")])));
        builder.build().unwrap()
    };
    let parser = |count| Lists { grammar: with_labels(count), is_strict: true, island: None };
    let island = |inner: usize, outer: usize| {
        let inner: Arc<dyn Parser> = Arc::new(parser(inner));
        let format = Lists { island: Some(inner), ..parser(outer) }.format();
        let tree = Tree::parse(&text("<a>"), &format);
        tree.ids().filter(|node| tree.name(*node) == "document").count() == 2
    };
    assert!(island(30_000, 30_000));
    assert!(!island(40_000, 40_000));
}

#[test]
fn rules_for_a_parser_without_patterns_are_refused() {
    let format = Lists::new(LISTS).format();
    let error = Rules::read("(list) @it\n=>\n", &**format.parser()).err().unwrap();
    assert_eq!((error.line, error.column), (1, 1));
    assert!(error.message.contains("no patterns for `lists`"), "{error}");
}

#[test]
fn nodes_know_the_field_under_which_their_parent_holds_them() {
    let fields = |source: &str, format: &Format| -> Vec<String> {
        let tree = Tree::parse(&text(source), format);
        let held = tree.ids().filter_map(|node| Some((tree.field(node)?, tree.text_of(node))));
        held.map(|(field, text)| format!("{field}: {}", String::from_utf8_lossy(text))).collect()
    };
    let lists = Lists::new(LISTS).format();
    assert_eq!(fields("((a) b) c", &lists), ["head: (a)", "head: a"]);
    let c = Format::named("c").expect("C is part of every build");
    assert_eq!(
        fields("int f() { if (x) y; else z; }", &c),
        [
            "type: int",
            "declarator: f()",
            "declarator: f",
            "parameters: ()",
            "body: { if (x) y; else z; }",
            "condition: (x)",
            "consequence: y;",
            "alternative: else z;",
        ]
    );
    assert_eq!(fields("{a: 1}", &Format::named("json-like").unwrap()), Vec::<String>::new());
}

#[test]
fn every_field_of_every_language_is_one_of_its_grammar() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snippets");
    let mut count = 0;
    for file in std::fs::read_dir(directory).unwrap() {
        let path = file.unwrap().path();
        let source = Arc::new(std::fs::read(&path).unwrap());
        let tree = Tree::parse(&source, &Format::guess(&path, &source));
        if tree.has_strict_islands() {
            continue;
        }
        for field in tree.ids().filter_map(|node| tree.field(node)) {
            assert!(tree.parser().grammar().has_field(field), "{} {field}", path.display());
            count += 1;
        }
    }
    assert!(count > 500, "{count}");
}

/// The removable nodes of a list, with models that were learned from other lists.
fn overlaid(grammar: &str, order: Order, examples: &[&str], source: &str) -> String {
    let lists = Lists::new(grammar).format();
    let trees: Vec<Tree> =
        examples.iter().map(|example| Tree::parse(&text(example), &lists)).collect();
    let examples = trees.iter().flat_map(Tree::examples);
    let overlay = Overlay::learned(lists.parser().grammar(), order, 2, examples);
    drawn(source, &lists.with_models(Arc::new(overlay)))
}

#[test]
fn a_learned_model_answers_where_the_grammar_accepts_no_rule() {
    let grammar = LISTS.replace("_item* \")\"", "word \")\"");
    let check = |examples: &[&str], expected: &str| {
        assert_eq!(overlaid(&grammar, Order::GrammarFirst, examples, "(a (b) c)"), expected);
    };
    check(&[], "document[list![· word list[· word ·] word ·]]");
    // A word may follow a word: the list between them may be removed.
    check(&["(a (b) c)", "(a c)"], "document[list![· word list![· word ·] word ·]]");
    check(&["(a (b) c)", "((b) c)"], "document[list![· word! list[· word ·] word ·]]");
    // Children that were never seen in this order stay unknown.
    check(&["(a b)"], "document[list![· word list[· word ·] word ·]]");
}

#[test]
fn a_learned_model_can_take_the_place_of_the_grammars() {
    let check = |order, examples: &[&str], expected: &str| {
        assert_eq!(overlaid(LISTS, order, examples, "(a b) c"), expected);
    };
    let all = "document[list![· word! word! ·] word!]";
    check(Order::OverlayFirst, &[], all);
    check(Order::GrammarFirst, &["(a b) c"], all);
    // All lists that were seen have two words, all documents a list and a word.
    check(Order::OverlayFirst, &["(a b) c"], "document[list[· word! word! ·] word]");
    check(Order::OverlayFirst, &["(a b) c", "c"], "document[list![· word! word! ·] word]");
    // Children that were never seen are left to the grammar.
    check(Order::OverlayFirst, &["a (b)"], all);
}

#[test]
fn models_for_another_grammar_have_no_effect() {
    let lists = Lists::new(LISTS).format();
    let without = drawn("(a)", &lists);
    let check = |name: &str, expected: &str| {
        let grammar = Grammar::parse(name, LISTS).unwrap();
        let tree = Tree::parse(&text("(a)"), &lists);
        let overlay = Overlay::learned(&grammar, Order::OverlayFirst, 2, tree.examples());
        assert_eq!(drawn("(a)", &lists.clone().with_models(Arc::new(overlay))), expected);
    };
    check("lists", "document[list[· word ·]]");
    check("other", &without);
}

#[test]
fn errors_comments_and_islands_are_no_examples() {
    let inner: Arc<dyn Parser> = Arc::new(Lists::new(LISTS));
    let format = Lists { island: Some(inner), ..Lists::new(LISTS) }.format();
    let tree = Tree::parse(&text("(a !1 b) <(c)> d"), &format);
    let grammar = tree.parser().grammar();
    let examples: Vec<String> = tree
        .examples()
        .map(|(label, word)| {
            let names: Vec<_> = word.iter().map(|label| grammar.label_name(*label)).collect();
            format!("{}: {}", grammar.label_name(label), names.join(" "))
        })
        .collect();
    assert_eq!(examples, ["document: list other word"]);
}
