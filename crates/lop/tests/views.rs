//! Small texts as the papers see them, node by node: lists, chains, recursion, hidden tokens.

mod common;

use common::{check, check_view, find, parse};
use lop::tree::{Change, Series, Tree, View, Views};

const HELLO_WORLD: &str = "int main() {\n  if (1) {\n    printf(\"Hello world!\\n\");\n  }\n}\n";

#[test]
fn hello_world_has_the_tree_of_the_paper() {
    // Figure 3(b) of the paper on hoisting, with tree-sitter's names: functionDefinition,
    // typeSpecifier, directDeclarator, compoundStatement, selectionStatement, compoundStatement,
    // expressionStatement, postfixExpression.
    check_view(
        "c",
        HELLO_WORLD,
        Views::PAPERS,
        "translation_unit(function_definition(primitive_type \
         function_declarator(identifier parameter_list('(' ')')) \
         compound_statement('{' \
         if_statement('if' parenthesized_expression('(' number_literal ')') \
         compound_statement('{' \
         expression_statement(call_expression(identifier \
         argument_list('(' string_literal('\"' string_content escape_sequence '\"') ')')) ';') \
         '}')) \
         '}')))",
    );
}

#[test]
fn hello_world_has_the_hoisting_pair_of_the_paper() {
    let tree = parse("c", HELLO_WORLD);
    let view = View::new(&tree, Views::PAPERS);
    let mut pairs = Vec::new();
    for outer in view.ids() {
        for inner in view.descendants(outer) {
            if tree.is_named(view.node(outer).unwrap()) && view.kind(outer) == view.kind(inner) {
                pairs.push((outer, inner));
            }
        }
    }
    // Identical labels in ancestor and descendant: the two blocks, and nothing else.
    let [(outer, inner)] = pairs[..] else { panic!("{} pairs", pairs.len()) };
    assert_eq!(view.name(outer), "compound_statement");
    let (place, node) = (view.place(outer).unwrap(), view.node(inner).unwrap());
    assert!(tree.hoistable(place).any(|hoistable| hoistable == node));
    let hoisted = tree.candidate(&[Change::hoist(place, node)]).bytes();
    let text: String = String::from_utf8(hoisted).unwrap().split_whitespace().collect();
    assert_eq!(text, "intmain(){printf(\"Helloworld!\\n\");}");
}

#[test]
fn recursion_to_the_left_and_to_the_right_become_lists() {
    let flatten = Views { flatten: true, ..Views::PLAIN };
    check_view(
        "javascript",
        "a + b + c",
        flatten,
        "program(expression_statement(\
         binary_expression(identifier *('+' identifier) *('+' identifier))))",
    );
    check_view(
        "javascript",
        "a = b = c",
        flatten,
        "program(expression_statement(\
         assignment_expression(*(identifier '=') *(identifier '=') identifier)))",
    );
    let tree = parse("javascript", "a + b + c");
    let view = View::new(&tree, flatten);
    let turns: Vec<_> = view.ids().filter(|node| view.name(*node) == "*").collect();
    let without = |index: usize| {
        assert!(view.is_removable(turns[index]));
        tree.candidate(&view.prune([turns[index]])).bytes()
    };
    assert_eq!(without(0), b"a + c");
    assert_eq!(without(1), b"a + b");
    let both = view.prune([turns[0], turns[1]]);
    assert_eq!(tree.candidate(&both).bytes(), b"a");
}

#[test]
fn lists_and_optional_parts_are_groups_that_may_go() {
    let group = Views { group: true, ..Views::PLAIN };
    let removable = |format: &str, text: &str| {
        let tree = parse(format, text);
        let view = View::new(&tree, group);
        let nodes = view.ids().filter(|node| view.is_removable(*node));
        let texts = nodes.map(|node| String::from_utf8_lossy(&text.as_bytes()[view.range(node)]));
        texts.map(std::borrow::Cow::into_owned).collect::<Vec<_>>()
    };
    // An element of one node isn't grouped with a separator: which one is removed with it depends on the other removed elements.
    assert_eq!(removable("json", "[10, 20, 30]"), ["[10, 20, 30]", "10", "20", "30"]);
    // A part of several nodes is a node of the view.
    check_view(
        "python",
        "def f() -> a:\n    b\n",
        group,
        "module(function_definition('def' identifier parameters('(' ')') *('->' type(identifier)) \
         ':' block(expression_statement(identifier))))",
    );
    let parts = removable("python", "def f() -> a:\n    b\n");
    assert!(parts.contains(&"-> a".to_owned()), "{parts:?}");
}

#[test]
fn whatever_elements_go_the_separators_that_stay_are_between_the_others() {
    let text = "f(a, b, c, d)";
    let tree = parse("javascript", text);
    let view = View::new(&tree, Views::PAPERS);
    let elements: Vec<_> = view
        .ids()
        .filter(|node| view.name(*node) == "identifier" && view.range(*node).start > 1)
        .collect();
    assert_eq!(elements.len(), 4);
    for kept in 0..16usize {
        let is_kept = |index: usize| kept & (1 << index) != 0;
        let pruned = (0..4).filter(|index| !is_kept(*index)).map(|index| elements[index]);
        let left: Vec<_> = (0..4).filter(|index| is_kept(*index)).map(|i| &"abcd"[i..=i]).collect();
        let candidate = tree.candidate(&view.prune(pruned)).bytes();
        assert_eq!(String::from_utf8(candidate).unwrap(), format!("f({})", left.join(", ")));
    }
}

#[test]
fn what_merely_alternates_is_no_list() {
    // Each of these may be removed alone, so none is a separator.
    let tree = parse("typescript", "class A extends B { public static override x; }");
    let has_separators = |tree: &Tree, node| tree.series(node).iter().any(Series::is_separated);
    assert!(!tree.ids().any(|node| has_separators(&tree, node)));
    let tree = parse("rust", "fn f() { m!(aa + b - c, d); }");
    let body = find(&tree, "token_tree", "(aa + b - c, d)");
    assert!(!has_separators(&tree, body));
    // Here `1s` and `b` are neighbours of a comma, but not the only ones.
    let tree = parse("css", "a { transition: aa 1s, b 2s; }");
    let declaration = find(&tree, "declaration", "transition: aa 1s, b 2s;");
    assert!(!has_separators(&tree, declaration));
}

#[test]
fn a_list_that_needs_an_element_keeps_the_least_of_one() {
    let tree = parse("c", "int alpha, beta, gamma;");
    let view = View::new(&tree, Views::PAPERS);
    let names = view.ids().filter(|node| view.name(*node) == "identifier");
    assert_eq!(tree.candidate(&view.prune(names)).bytes(), b"int a;");
}

#[test]
fn chains_with_the_same_replacement_become_one_node() {
    let squeeze = Views { squeeze: true, ..Views::PLAIN };
    check("css", "a {}", "stylesheet(rule_set(selectors(tag_name) block('{' '}')))");
    check_view("css", "a {}", squeeze, "stylesheet(rule_set(tag_name block('{' '}')))");
}

#[test]
fn tokens_that_nothing_can_be_done_to_can_be_hidden() {
    let hide = Views { hide_unremovable: true, ..Views::PLAIN };
    check_view("json", "[10, {}]", hide, "document(array(number object))");
    check_view("json", "[[0]]", hide, "document(array(array(number)))");
}

#[test]
fn white_space_can_take_part() {
    let view = Views { hidden_tokens: true, ..Views::PLAIN };
    check_view("json", "[1, 2]", view, "document(array('[' number ',' ' ' number ']'))");
    let tree = parse("json", "[1, 2]");
    let view = View::new(&tree, view);
    let blank = view.ids().find(|node| view.node(*node).is_none()).unwrap();
    assert_eq!(tree.candidate(&view.prune([blank])).bytes(), b"[1,2]");
}

#[test]
fn a_view_always_has_a_root() {
    let tree = parse("c", " ");
    let view = View::new(&tree, Views { hide_unremovable: true, ..Views::PLAIN });
    assert_eq!(view.children(view.root()).count(), 0);
}
