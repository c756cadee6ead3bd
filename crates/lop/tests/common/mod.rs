//! Helpers of the tests of small trees.

// Each test file is a crate of its own and uses its part of this.
#![allow(dead_code)]

use std::fmt::Write;
use std::sync::Arc;

use lop::reducers::{COMPATIBLE, REDUCERS, Shape};
use lop::search::Inline;
use lop::tree::{Format, NodeId, Tree, View, Views};

pub(crate) fn parse(format: &str, text: &str) -> Tree {
    let format = Format::named(format).unwrap_or_else(|| panic!("{format} is part of this build"));
    Tree::parse(&Arc::new(text.into()), &format)
}

/// A view as an expression: `label(child child)`, tokens in quotes.
pub(crate) fn draw(view: &View<'_>) -> String {
    let tree = view.tree();
    let mut drawn = String::new();
    let mut open = Vec::new();
    for node in view.ids() {
        while open.pop_if(|end| *end <= node.index()).is_some() {
            drawn.push(')');
        }
        if !drawn.is_empty() && !drawn.ends_with('(') {
            drawn.push(' ');
        }
        let text = String::from_utf8_lossy(&tree.text()[view.range(node)]).into_owned();
        let is_leaf = view.children(node).next().is_none();
        match view.node(node) {
            Some(origin) if tree.is_named(origin) => drawn.push_str(view.name(node)),
            None if !is_leaf => drawn.push_str(view.name(node)),
            _ => write!(drawn, "'{text}'").unwrap(),
        }
        if !is_leaf {
            drawn.push('(');
            open.push(view.next(node).index());
        }
    }
    drawn.extend(open.iter().map(|_| ')'));
    drawn
}

pub(crate) fn check(format: &str, text: &str, expected: &str) {
    let tree = parse(format, text);
    assert_eq!(draw(&View::new(&tree, Views::PLAIN)), expected, "{text}");
}

pub(crate) fn check_view(format: &str, text: &str, views: Views, expected: &str) {
    let tree = parse(format, text);
    assert_eq!(draw(&View::new(&tree, views)), expected, "{text}");
}

/// The node with this text and label.
pub(crate) fn find(tree: &Tree, name: &str, text: &str) -> NodeId {
    let is_it = |node: &NodeId| tree.name(*node) == name && tree.text_of(*node) == text.as_bytes();
    tree.ids().find(is_it).unwrap_or_else(|| panic!("there is a {name} `{text}`"))
}

/// The candidates that a reducer, such as `hoist` or `hoist:model`, tries in one run over a text, with a closure as the oracle.
pub(crate) fn trials(
    reducer: &str,
    format: &str,
    text: &str,
    interesting: impl Fn(&str) -> bool,
) -> Vec<String> {
    let (reducer, compatible) = reducer.split_once(':').unwrap_or((reducer, ""));
    let reducer = REDUCERS.iter().find(|each| each.name == reducer).unwrap();
    let named = COMPATIBLE.iter().find(|each| each.name == compatible).copied();
    let tree = parse(format, text);
    let view = View::new(&tree, reducer.views);
    let mut tried = Vec::new();
    let mut search = Inline(|shape: &Shape| {
        let text = tree.candidate(&shape.changes(&view)).bytes();
        let text = String::from_utf8(text).unwrap();
        let is_interesting = interesting(&text);
        tried.push(text);
        is_interesting
    });
    let compatible = named.or(reducer.compatible()).unwrap_or(COMPATIBLE[0]);
    reducer.run(&view, compatible, &mut search);
    tried
}
