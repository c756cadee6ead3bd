//! Generalized tree reduction: the trees, traces and promises of S. Herfert, J. Patra and M. Pradel, "Automatically Reducing
//! Tree-Structured Test Inputs", ASE 2017.

mod common;
#[path = "common/snippets.rs"]
mod snippets;

use std::sync::{Arc, Mutex};

use lop::Reduction;
use lop::grammar::Grammar;
use lop::reducers::{
    Action, CHILD, CHILD_FILTERED, COMPATIBLE, DELETE, Filter, REDUCERS, Reducer, Shape, Step,
    Transformation, Traversal,
};
use lop::search::Inline;
use lop::tree::{Builder, Format, Parser, Tree, Usage, View, ViewId, Views};

/// A tree that is drawn: `label[…]`, `label'text'` for a token of a rule, `'text'` for any other token, each maybe under an `edge:`.
struct Drawn {
    grammar: Grammar,
    drawing: &'static str,
}

impl Drawn {
    fn tree(grammar: &str, drawing: &'static str) -> Tree {
        let text = Arc::new(Drawn::text(drawing));
        let grammar = Grammar::parse("drawn", grammar).unwrap();
        Tree::parse(&text, &Format::new(Arc::new(Drawn { grammar, drawing })))
    }

    /// The texts of all tokens.
    fn text(drawing: &str) -> Vec<u8> {
        drawing.split('\'').skip(1).step_by(2).collect::<String>().into_bytes()
    }
}

impl Parser for Drawn {
    fn name(&self) -> &str {
        "drawn"
    }

    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn build(&self, text: &[u8], tree: &mut Builder<'_>) {
        assert_eq!(text, Drawn::text(self.drawing), "only this text has a drawing");
        let (mut rest, mut at) = (self.drawing.trim_start(), 0);
        while let Some(found) = rest.find(['[', ']', '\'']) {
            let (name, tail) = (&rest[..found], &rest[found + 1..]);
            let (edge, label) = name.split_once(':').unwrap_or(("", name));
            let field = if edge.is_empty() { Default::default() } else { tree.field(edge) };
            rest = match &rest[found..=found] {
                "[" => {
                    tree.open(self.grammar.label(label, true).unwrap(), at).under(field);
                    tail
                }
                "]" => {
                    tree.close(at);
                    tail
                }
                _ => {
                    let (token, tail) = tail.split_once('\'').unwrap();
                    let is_named = !label.is_empty();
                    let label = if is_named { label } else { token.trim() };
                    let end = at + token.len();
                    let range = at..at + token.trim_end().len();
                    tree.leaf(self.grammar.label(label, is_named).unwrap(), range).under(field);
                    at = end;
                    tail
                }
            };
            rest = rest.trim_start();
        }
    }
}

/// Figure 1.
const FIGURE_1: (&str, &str) = (
    r#" IfStmt    = "if" "(" _expression ")" BlockStmt "else" BlockStmt ;
        UnaryExpr = "!" Ident ;
        BlockStmt = "{" _statement* "}" ;
        VarDecls  = "var" VarDecl ";" ;
        VarDecl   = Ident "=" Lit ;
        ExprStmt  = CallExpr ";" ;
        CallExpr  = Ident "(" Lit ")" ;
        Ident     = /[a-zN]+/ ;
        Lit       = /[0-9]/ ;
        _statement  = IfStmt | BlockStmt | VarDecls | ExprStmt ;
        _expression = UnaryExpr | CallExpr | Ident | Lit ; "#,
    "IfStmt['if' '(' test:UnaryExpr[operator:'!' argument:Ident'c'] ')'
        cons:BlockStmt['{' body:VarDecls['var ' declarations:VarDecl[id:Ident'a' '=' init:Lit'5'] ';'] '}']
        'else' alt:BlockStmt['{' body:ExprStmt[
            expression:CallExpr[callee:Ident'isNaN' '(' arguments:Lit'2' ')'] ';'] '}']]",
);

fn named<'v>(view: &'v View<'_>, name: &'v str) -> impl Iterator<Item = ViewId> + 'v {
    view.ids().filter(move |node| view.label(*node) == name.as_bytes())
}

#[test]
fn figure_1_has_19_nodes_on_six_levels_with_labels_and_contexts() {
    let tree = Drawn::tree(FIGURE_1.0, FIGURE_1.1);
    assert_eq!(**tree.text(), *b"if(!c){var a=5;}else{isNaN(2);}");
    let view = View::new(&tree, Views::ABSTRACT);
    assert_eq!((view.size(view.root()), view.depth()), (19, 5));
    let unary = named(&view, "UnaryExpr").next().unwrap();
    assert_eq!(view.context(unary), Some((&b"IfStmt"[..], "test")));
    assert_eq!(view.context(view.root()), None);
    let sizes: Vec<usize> = view.children(view.root()).map(|child| view.size(child)).collect();
    assert_eq!(sizes, [4, 7, 7]);
    let labels = |level| {
        let nodes = view.level(level).into_iter();
        nodes.map(|node| String::from_utf8_lossy(view.label(node)).into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(labels(1), ["UnaryExpr", "BlockStmt", "BlockStmt"]);
    assert_eq!(labels(2), ["!", "Ident", "VarDecls", "ExprStmt"]);
    assert_eq!(labels(5), ["a", "5", "isNaN", "2"], "the label of a leaf is its text");
    assert!(labels(6).is_empty());
}

#[test]
fn the_size_of_an_abstract_tree_is_known_without_its_view() {
    for (language, text) in snippets::snippets() {
        let tree = Tree::parse(&text, &Format::from(language));
        let view = View::new(&tree, Views::ABSTRACT);
        assert_eq!(tree.abstract_size(), view.len(), "{}", tree.parser().name());
    }
}

#[test]
fn punctuation_and_separators_are_removed_with_the_node_that_they_belong_to() {
    let without = |format: &str, text: &str, gone: &str| {
        let tree = common::parse(format, text);
        let view = View::new(&tree, Views::ABSTRACT);
        let is_it = |node: &ViewId| tree.text()[view.range(*node)] == *gone.as_bytes();
        let node = view.ids().find(is_it).unwrap_or_else(|| panic!("{gone} is a node"));
        String::from_utf8(tree.candidate(&view.prune([node])).bytes()).unwrap()
    };
    assert_eq!(without("javascript", "f(a, b)", "b"), "f(a)");
    assert_eq!(without("javascript", "f(a, b)", "a"), "f(b)");
    assert_eq!(without("javascript", "var a = 5;", "5"), "var a;");
    assert_eq!(
        without("java", "class A { void f() { if (a) b(); else c(); } }", "c();"),
        "class A { void f() { if (a) b(); } }"
    );
    // The grammar forbids it, and it is done all the same.
    assert_eq!(without("javascript", "if (a) b();", "(a)"), "if b();");
    assert_eq!(without("python", "x = f(a)\n", "f(a)"), "x =\n");
}

/// The questions of a reducer over one tree, with a closure as the oracle, and the text of its result.
fn run(
    reducer: &Reducer,
    tree: &Tree,
    interesting: impl Fn(&str) -> bool,
) -> (Vec<String>, String) {
    let view = View::new(tree, reducer.views);
    let text =
        |shape: &Shape| String::from_utf8(tree.candidate(&shape.changes(&view)).bytes()).unwrap();
    let mut asked = Vec::new();
    let mut search = Inline(|shape: &Shape| {
        asked.push(text(shape));
        interesting(&asked[asked.len() - 1])
    });
    let shape = reducer.run(&view, COMPATIBLE[0], &mut search);
    (asked, text(&shape))
}

fn reducer(name: &str) -> &'static Reducer {
    REDUCERS.iter().find(|each| each.name == name).unwrap()
}

#[test]
fn gtr_takes_the_steps_of_section_iv_c_on_figure_1() {
    let tree = Drawn::tree(FIGURE_1.0, FIGURE_1.1);
    let (asked, _) = run(reducer("gtr-unfiltered"), &tree, |text| text.contains("var a=5"));
    // Deletes the root, then replaces it by its children. The second block is not smaller than the first, which succeeded.
    assert_eq!(asked[..3], ["", "!c", "{var a=5;}"]);
    assert!(!asked.iter().any(|text| text.contains("isNaN")), "{asked:?}");
    // The second round of Algorithm 3 asks for one candidate again, the engine knows the answer; then comes level 1.
    assert_eq!(asked[3..5], ["!c", "{}"]);
}

#[test]
fn gtr_to_the_fixed_point_leaves_the_root_cause_of_figure_1() {
    let text = "if (!c) {\n  var a = 5; // root cause of failure\n} else {\n  isNaN(2);\n}\n";
    let mut asked = Vec::new();
    let oracle = |candidate: &[u8]| String::from_utf8_lossy(candidate).contains("var a = 5");
    for strategy in ["gtr*", "gtr-unfiltered*"] {
        let mut reduction = Reduction::new(Arc::new(text.into()), &oracle);
        reduction.format = Format::named("javascript").unwrap();
        reduction.strategy = strategy.parse().unwrap();
        let best = reduction.run().unwrap().best;
        asked.push(String::from_utf8_lossy(&best.text).trim().to_owned());
    }
    assert_eq!(asked, ["var a = 5;"; 2]);
}

#[test]
fn nothing_is_tested_twice() {
    let text = "if (a) { f(b, c); } else { g(); }\nfor (;;) { h(d); }\nvar e = [1, 2];\n";
    for strategy in ["gtr*", "gtr-unfiltered*", "hdd-blind*"] {
        let tested = Mutex::new(Vec::new());
        let oracle = |candidate: &[u8]| {
            tested.lock().unwrap().push(candidate.to_vec());
            let candidate = String::from_utf8_lossy(candidate);
            candidate.contains("h(d)") && candidate.contains("b, c")
        };
        let mut reduction = Reduction::new(Arc::new(text.into()), &oracle);
        reduction.format = Format::named("javascript").unwrap();
        reduction.strategy = strategy.parse().unwrap();
        reduction.run().unwrap();
        // At the end, the result is confirmed by one more test.
        let mut tested = tested.into_inner().unwrap();
        tested.pop();
        let all = tested.len();
        tested.sort();
        tested.dedup();
        assert!(all > 10 && tested.len() == all, "{strategy}: {} of {all}", tested.len());
    }
}

#[test]
fn a_later_replacement_lets_an_earlier_node_be_replaced_in_the_same_call() {
    // Section IV-C, b: `a = b = 0; if (a) crash(b);` becomes `b = 0; crash(b);`.
    let grammar = r#"
        Program = _statement* ;
        Assign  = Ident "=" _expression ;
        If      = "if" "(" Ident ")" _statement ;
        Call    = Ident "(" Ident ")" ;
        _statement  = Assign ";" | If | Call ";" ;
        _expression = Assign | Ident | Lit ;
        Ident   = /[a-z]+/ ;
        Lit     = /[0-9]/ ; "#;
    let drawing = "Program[
        body:Assign[left:Ident'a' '=' right:Assign[left:Ident'b' '=' right:Lit'0']] '; '
        body:If['if' '(' test:Ident'a' ')' body:Call[callee:Ident'crash' '(' arg:Ident'b' ')']] ';']";
    let tree = Drawn::tree(grammar, drawing);
    assert_eq!(**tree.text(), *b"a=b=0; if(a)crash(b);");
    let interesting = |text: &str| {
        let is_defined =
            |name| text.contains(&format!("{name}=")) || !text.contains(&format!("({name})"));
        text.contains("crash(b)") && is_defined("a") && is_defined("b")
    };
    // One level: nothing else than one call of Algorithm 3 replaces the two statements.
    const CHILDREN: Reducer = Reducer {
        name: "children",
        about: "",
        views: Views::ABSTRACT,
        traversal: Traversal::Levels,
        steps: &[Step { filter: Filter::All, action: Action::Apply(&CHILD) }],
    };
    let (asked, result) = run(&CHILDREN, &tree, interesting);
    assert_eq!(result, "b=0; crash(b);");
    let at = |text: &str| asked.iter().position(|each| each == text).unwrap();
    let first_try = at("b=0; if(a)crash(b);");
    assert!(first_try < at("a=b=0; crash(b);") && at("a=b=0; crash(b);") < at("b=0; crash(b);"));
}

#[test]
fn with_deletion_alone_gtr_asks_what_blind_hdd_asks() {
    const DELETIONS: Reducer = Reducer {
        name: "deletions",
        about: "",
        views: Views::ABSTRACT,
        traversal: Traversal::Levels,
        steps: &[Step { filter: Filter::All, action: Action::Apply(&DELETE) }],
    };
    let mut random = lop_testing::random();
    for _ in 0..30 {
        let names: Vec<String> = (0..random.usize(1..9)).map(|name| format!("x{name}")).collect();
        let mut text = String::new();
        for name in &names {
            match random.u8(..4) {
                0 => text.push_str(&format!("if ({name}) {{ f({name}, g({name})); }} else h();\n")),
                1 => text.push_str(&format!("var {name} = [1, {name}, 3];\n")),
                2 => text.push_str(&format!("for (var {name} of y) {{ break; }}\n")),
                _ => text.push_str(&format!("{name}++;\n")),
            }
        }
        let needed: Vec<&String> = names.iter().filter(|_| random.u8(..3) == 0).collect();
        let tree = common::parse("javascript", &text);
        let interesting = |text: &str| {
            needed.iter().all(|name| text.contains(name.as_str())) && text.len() % 7 != 3
        };
        let gtr = run(&DELETIONS, &tree, interesting);
        assert_eq!(gtr, run(reducer("hdd-blind"), &tree, interesting), "{text}");
        assert!(!gtr.0.is_empty());
    }
}

/// What a corpus with some texts shows.
fn usage(format: &str, texts: &[&str]) -> Arc<Usage> {
    let mut usage = Usage::default();
    texts.iter().for_each(|text| usage.learn(&common::parse(format, text)));
    Arc::new(usage)
}

#[test]
fn a_corpus_keeps_mandatory_children_and_allows_the_contexts_that_it_shows() {
    let usage = usage(
        "javascript",
        &[
            "if (a) { b(); } else { var c = 1, d; c(); }\nif (e) { f(); }\n",
            "function g() { return; }\n",
        ],
    );
    let format = Format::named("javascript").unwrap().with_usage(usage);
    let text = "if (!x) { var y = 5; }\n";
    let tree = Tree::parse(&Arc::new(text.into()), &format);
    let view = View::new(&tree, Views::ABSTRACT);
    let deletable = |name: &str| {
        let node = named(&view, name).next().unwrap();
        !(lop::reducers::DELETE_FILTERED.apply)(&view, node, node).is_empty()
    };
    // Every if has a condition and a consequence, not every one an else.
    assert!(!deletable("parenthesized_expression") && !deletable("statement_block"));
    assert!(deletable("if_statement") && deletable("variable_declaration"));
    let children = |name: &str| {
        let node = named(&view, name).next().unwrap();
        let children = (CHILD_FILTERED.apply)(&view, node, node).into_iter();
        let label = |child| match child {
            Transformation::Node(child) => String::from_utf8_lossy(view.label(child)).into_owned(),
            other => panic!("{other:?} is no child"),
        };
        children.map(label).collect::<Vec<_>>()
    };
    // A declarator was never seen in a block, nor a block in a program.
    assert_eq!(children("variable_declaration"), [""; 0]);
    assert_eq!(children("if_statement"), [""; 0]);
    // The root has no context.
    assert_eq!(children("program"), ["if_statement"]);
}

/// The labels of the nodes that may replace a node of a text, after a corpus.
fn candidates(format: &str, corpus: &str, text: &str, node: &str) -> Vec<String> {
    let format = Format::named(format).unwrap().with_usage(usage(format, &[corpus]));
    let tree = Tree::parse(&Arc::new(text.into()), &format);
    let view = View::new(&tree, Views::ABSTRACT);
    let node = named(&view, node).next().unwrap();
    let candidates = (CHILD_FILTERED.apply)(&view, node, node).into_iter();
    let label = |child| match child {
        Transformation::Node(child) => String::from_utf8_lossy(view.label(child)).into_owned(),
        other => panic!("{other:?} is not a child"),
    };
    candidates.map(label).collect()
}

#[test]
fn what_is_in_a_child_that_fits_nowhere_else_may_replace_the_node_above_it() {
    let corpus = "x = a + b;\nx = f(c);\nif (a) { b(); } else { c(); }\n";
    let found = candidates("javascript", corpus, "x = f(d + e);", "call_expression");
    assert_eq!(found, ["binary_expression"], "no corpus has arguments there, but a sum");
    let found =
        candidates("javascript", corpus, "if (p) { q(); } else if (r) s();", "if_statement");
    assert_eq!(
        found,
        ["expression_statement", "if_statement"],
        "the block and the else are passed over"
    );
}

#[test]
fn the_elements_of_a_list_without_brackets_may_replace_the_node_above_it() {
    // A module has no block, and no name alone, but it has statements.
    let corpus = "def f():\n    return 1\nfor x in y: pass\nreturn\n";
    let text = "def f():\n    return 2\n    for a in b: pass\n";
    let found = candidates("python", corpus, text, "function_definition");
    assert_eq!(found, ["block", "return_statement", "for_statement"]);
    // There is one element at the root, so the content does not fit there.
    let found = candidates("xml", "<a><b/><c>d</c></a>", "<x><y>z</y></x>", "element");
    assert!(
        !found.contains(&"content".to_owned()) && !found.contains(&"CharData".to_owned()),
        "{found:?}"
    );
    assert!(found.contains(&"element".to_owned()), "{found:?}");
}

#[test]
fn the_filter_saves_tests_and_the_result_is_interesting() {
    let corpus = [
        "function f(a, b) { if (a) { g(b); } else { return a + b; } }\nvar x = f(1, 2);\n",
        "for (var i = 0; i < 10; i++) { if (i) { h(i); } }\nh();\n{ h(); }\n",
    ];
    let usage = usage("javascript", &corpus);
    let text =
        "function k(p) {\n  if (p) {\n    var q = p + 1;\n    for (;;) { bug(q, 2); }\n  }\n}\n";
    let oracle = |candidate: &[u8]| {
        let format = Format::named("javascript").unwrap();
        let text = Arc::new(candidate.to_vec());
        format.accepts(&text) && String::from_utf8_lossy(candidate).contains("bug(")
    };
    let reduce = |strategy: &str| {
        let mut reduction = Reduction::new(Arc::new(text.into()), &oracle);
        reduction.format = Format::named("javascript").unwrap().with_usage(usage.clone());
        reduction.strategy = strategy.parse().unwrap();
        let report = reduction.run().unwrap();
        (String::from_utf8_lossy(&report.best.text).trim().to_owned(), report.counts.tests)
    };
    let (filtered, tests) = reduce("gtr*");
    let (unfiltered, more) = reduce("gtr-unfiltered*");
    assert_eq!(unfiltered, "bug()");
    assert!(filtered.contains("bug()") && tests < more, "{filtered}: {tests} and {more} tests");
}

#[test]
fn the_example_of_the_introduction_becomes_a_block_of_the_two_calls() {
    let text = "for (var i = 0; i < 10; i++) {\n  if (cond1 || cond2) {\n    partOfBug();\n  }\n  if (cond3) {\n    \
                otherPartOfBug();\n  }\n}\n";
    let reduce = |strategy: &str| {
        let oracle = |candidate: &[u8]| {
            let candidate = String::from_utf8_lossy(candidate);
            let parts = ["partOfBug();", "otherPartOfBug();"];
            parts.iter().all(|part| candidate.contains(part))
                && Format::named("javascript")
                    .unwrap()
                    .accepts(&Arc::new(candidate.as_bytes().to_vec()))
        };
        let mut reduction = Reduction::new(Arc::new(text.into()), &oracle);
        reduction.format = Format::named("javascript").unwrap();
        reduction.strategy = strategy.parse().unwrap();
        let best = reduction.run().unwrap().best;
        String::from_utf8_lossy(&best.text).split_whitespace().collect::<String>()
    };
    // The printed result, without the braces, takes more than the two templates.
    assert_eq!(reduce("gtr*"), "{partOfBug();otherPartOfBug();}");
    assert_eq!(reduce("(gtr+splice)*"), "partOfBug();otherPartOfBug();");
    // Blind HDD only removes what is not needed: both ifs and the loop stay.
    let hdd = reduce("hdd-blind*");
    assert!(hdd.starts_with("for(") && hdd.matches("if(").count() == 2, "{hdd}");
}
