//! Formats that need no grammar of a language.
//!
//! Each has a grammar all the same, a small one of our own, so that the same questions are asked
//! and answered as everywhere else. Where a text does not keep to it, everything but brackets may
//! go.

mod json_like;
mod s_expressions;
mod text;
mod xml_like;

use std::ops::Range;
use std::sync::OnceLock;

use lop_grammar::{Grammar, Label};

use crate::candidate::Text;

use super::arena::{Builder, Flags, Node};
use super::dialect::{self, Knowledge};
use super::outline::{self, Fold, Item, Role, Shape, Step};
use super::{Kind, Tree};

pub(super) use json_like::json_like;
pub(super) use s_expressions::{s_expressions, smt_lib};
pub(super) use text::{grammar as text_grammar, text};
pub(super) use xml_like::{deepest_tags, xml_like};

/// A piece of text as a lexer gives it.
struct Token {
    /// The name of its label in the grammar, and whether that is the name of a rule.
    label: (&'static str, bool),
    range: Range<usize>,
    role: Role,
    /// What it consists of, if it is more than a leaf.
    parts: Vec<Token>,
}

impl Token {
    fn new(label: (&'static str, bool), range: Range<usize>) -> Token {
        Token { label, range, role: Role::Plain, parts: Vec::new() }
    }
}

/// The brackets, as labels.
const BRACKETS: [&str; 6] = ["(", ")", "[", "]", "{", "}"];

/// How the tokens of a format become a tree.
struct Shaping {
    grammar: &'static Grammar,
    fold: Fold,
    /// The label of what several tokens make together.
    label: fn(Shape, &[Token]) -> &'static str,
}

/// The tree of some tokens.
fn tree(text: &Text, tokens: &[Token], shaping: &Shaping) -> Tree {
    let mut dialects = Vec::new();
    dialect::add(&mut dialects, Knowledge::Plain(shaping.grammar));
    let kind = |(name, named): (&str, bool)| -> Kind {
        let label = shaping.grammar.label(name, named);
        debug_assert!(label.is_some(), "the grammar has a label {name}");
        dialects[0].kind(label.unwrap_or(Label::ERROR))
    };

    let is_extra = |token: &Token| {
        let label = shaping.grammar.label(token.label.0, token.label.1);
        label.is_some_and(|label| shaping.grammar.is_extra(label))
    };
    let items = items(text, tokens);
    let balanced = outline::balanced(&items);
    let steps = outline::outline_balanced(&items, &balanced, shaping.fold);
    let mut builder = Builder::default();
    builder.open(Node::new(kind(("document", true)), 0));
    let mut end = 0;
    for (index, step) in steps.iter().enumerate() {
        match step {
            Step::Item(item) => {
                let token = &tokens[*item];
                let is_bracket = matches!(token.role, Role::Bracket(_));
                if is_bracket && !balanced[*item] {
                    builder
                        .leaf(Node::new(kind(("stray", true)), token.range.start), token.range.end);
                    end = token.range.end;
                    continue;
                }
                builder.open(Node {
                    flags: Flags::EXTRA.when(is_extra(token)),
                    ..Node::new(kind(token.label), token.range.start)
                });
                for part in &token.parts {
                    builder.leaf(Node::new(kind(part.label), part.range.start), part.range.end);
                }
                builder.close(token.range.end);
                end = token.range.end;
            }
            Step::Open(shape) => {
                let first = steps[index..].iter().find_map(|step| match step {
                    Step::Item(item) => Some(tokens[*item].range.start),
                    _ => None,
                });
                let label = (shaping.label)(*shape, tokens);
                builder.open(Node::new(kind((label, true)), first.unwrap_or(end)));
            }
            Step::Close => builder.close(end),
        }
    }
    builder.close(text.len());
    Tree::new(text, builder.nodes, dialects)
}

/// Where tokens stand, by lines and columns.
fn items(text: &[u8], tokens: &[Token]) -> Vec<Item> {
    let (mut row, mut line, mut at) = (0, 0, 0);
    let mut advance = |to: usize| {
        for (index, byte) in text[at..to].iter().enumerate() {
            if *byte == b'\n' {
                row += 1;
                line = at + index + 1;
            }
        }
        at = to;
        (row, to - line)
    };
    let item = |token: &Token| {
        let (first, column) = advance(token.range.start);
        let (last, _) = advance(token.range.end);
        Item { rows: (first, last), column, role: token.role }
    };
    tokens.iter().map(item).collect()
}

/// Finds where things end, in capital letters or small ones. What was not found once is not looked for again, so that a text full of
/// beginnings without an end takes no longer than any other.
struct Finder<'a> {
    text: &'a [u8],
    missing: Vec<&'static [u8]>,
}

impl<'a> Finder<'a> {
    fn new(text: &'a [u8]) -> Self {
        Finder { text, missing: Vec::new() }
    }

    /// Where the first `end` at or after `from` ends. Callers only go forward.
    fn after(&mut self, end: &'static [u8], from: usize) -> Option<usize> {
        if self.missing.contains(&end) {
            return None;
        }
        let rest = self.text.get(from..).unwrap_or_default();
        let found = rest.windows(end.len()).position(|window| window.eq_ignore_ascii_case(end));
        if found.is_none() {
            self.missing.push(end);
        }
        found.map(|found| from + found + end.len())
    }
}

/// A grammar of our own, read once.
fn own(cell: &'static OnceLock<Grammar>, name: &str, notation: &str) -> &'static Grammar {
    cell.get_or_init(|| Grammar::parse(name, notation).expect("our own grammars are well-formed"))
}
