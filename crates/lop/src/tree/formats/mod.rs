//! Plain formats, which need no parser of a language.
//!
//! Each still has a small grammar of our own, so that content models answer the same questions as everywhere else.
//! Where a text does not follow it, everything except brackets can be removed; only SMT-LIB is strict.

mod hunks;
mod json_like;
mod lines;
mod rows;
mod s_expressions;
mod table;
mod text;
mod xml_like;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use lop_grammar::{Grammar, Label};

use crate::text::Candidate;

use super::format::PlainFormat;
use super::outline::{self, Binding, Item, Visit};
use super::{Builder, Parser, Tree};

pub(super) use json_like::JSON_LIKE;
pub(super) use lines::{
    ASSEMBLY, DIFF, DOCKERFILE, INI, LOG, MAKEFILE, MBOX, PROPERTIES, PROTOBUF,
};
pub(super) use rows::Rows;
pub(super) use s_expressions::{S_EXPRESSIONS, SMT_LIB};
pub(super) use table::{CSV, TSV};
pub(super) use text::TEXT;
pub(super) use xml_like::{XML_LIKE, deepest_tags};

/// A token of a format's lexer.
pub(super) struct Token {
    /// The name of its label in the grammar, and whether that is the name of a rule.
    label: (&'static str, bool),
    range: Range<usize>,
    binding: Binding,
    /// Its parts, if it isn't a leaf.
    parts: Vec<Token>,
}

impl Token {
    fn new(label: (&'static str, bool), range: Range<usize>) -> Token {
        Token { label, range, binding: Binding::Plain, parts: Vec::new() }
    }
}

/// The brackets, as labels.
const BRACKETS: [&str; 6] = ["(", ")", "[", "]", "{", "}"];

impl Parser for &'static PlainFormat {
    fn name(&self) -> &str {
        self.name
    }

    fn grammar(&self) -> &Grammar {
        (self.grammar)()
    }

    fn is_strict(&self) -> bool {
        self.is_strict
    }

    fn can_be_laid_out(&self) -> bool {
        self.can_be_laid_out
    }

    fn still_parses(&self, tree: &Tree, candidate: &Candidate) -> bool {
        let before = || *tree.remember(|| strays(self, tree.text()));
        !self.is_strict || strays(self, candidate.text()) <= before()
    }

    fn accepts(&self, text: &[u8]) -> Option<bool> {
        Some(!self.is_strict || strays(self, text) == 0)
    }

    fn joins(&self) -> &[u8] {
        self.joins
    }

    fn is_bracketed(&self) -> bool {
        self.is_strict
    }

    fn constants(&self) -> &[&'static str] {
        self.constants
    }

    fn repair(&self, candidate: Candidate) -> Candidate {
        (self.repair)(candidate)
    }

    fn build(&self, text: &[u8], tree: &mut Builder<'_>) {
        tree.open(label(self.grammar(), ("document", true)), 0);
        match self.rows {
            None => put(self, text, 0, tree),
            Some(rows) => rows::put(self, rows, text, tree),
        }
        tree.close(text.len());
    }
}

/// The number of brackets without a partner.
fn strays(format: &PlainFormat, text: &[u8]) -> usize {
    let items = items(text, &(format.tokens)(text));
    let balanced = outline::balanced(&items);
    let is_bracket = |item: &Item| matches!(item.binding, Binding::Bracket(_));
    items
        .iter()
        .zip(balanced)
        .filter(|(item, is_balanced)| is_bracket(item) && !is_balanced)
        .count()
}

/// The parser of any text, also for parts that another parser does not understand.
pub(super) fn text_parser() -> Arc<dyn Parser> {
    Arc::new(PlainFormat::TEXT)
}

fn label(grammar: &Grammar, (name, named): (&str, bool)) -> Label {
    let label = grammar.label(name, named);
    debug_assert!(label.is_some(), "the grammar has a label {name}");
    label.unwrap_or(Label::ERROR)
}

/// Builds the nodes of a text that begins at a place: its tokens and their clusters.
pub(super) fn put(format: &PlainFormat, text: &[u8], start: usize, tree: &mut Builder<'_>) {
    let tokens = (format.tokens)(text);
    let items = items(text, &tokens);
    let balanced = outline::balanced(&items);
    let visits = outline::outline_balanced(&items, &balanced, format.fold);
    put_visits(format, &tokens, &balanced, &visits, start, tree);
}

fn put_visits(
    format: &PlainFormat,
    tokens: &[Token],
    balanced: &[bool],
    visits: &[Visit],
    start: usize,
    tree: &mut Builder<'_>,
) {
    let grammar = (format.grammar)();
    let mut end = start;
    for (index, visit) in visits.iter().enumerate() {
        match visit {
            Visit::Item(item) => {
                let token = &tokens[*item];
                end = start + token.range.end;
                let is_bracket = matches!(token.binding, Binding::Bracket(_));
                if is_bracket && !balanced[*item] {
                    let stray = label(grammar, ("stray", true));
                    let leaf = tree.leaf(stray, start + token.range.start..end);
                    leaf.error(format.is_strict);
                    continue;
                }
                let own = label(grammar, token.label);
                tree.open(own, start + token.range.start).extra(grammar.is_extra(own));
                for part in &token.parts {
                    let range = start + part.range.start..start + part.range.end;
                    tree.leaf(label(grammar, part.label), range);
                }
                tree.close(end);
            }
            Visit::Open(cluster) => {
                let first = visits[index..].iter().find_map(|visit| match visit {
                    Visit::Item(item) => Some(start + tokens[*item].range.start),
                    _ => None,
                });
                let together = (format.label)(*cluster, tokens);
                tree.open(label(grammar, (together, true)), first.unwrap_or(end));
            }
            Visit::Close => tree.close(end),
        }
    }
}

/// Tokens as items, with their lines and columns.
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
        Item { rows: (first, last), column, binding: token.binding }
    };
    tokens.iter().map(item).collect()
}

/// Finds ends, such as that of a comment, ignoring case. An end that was not found once isn't searched again, so that a
/// text full of beginnings without an end takes no longer than any other.
struct EndFinder<'a> {
    text: &'a [u8],
    missing: Vec<&'static [u8]>,
}

impl<'a> EndFinder<'a> {
    fn new(text: &'a [u8]) -> Self {
        EndFinder { text, missing: Vec::new() }
    }

    /// The place after the first `end` at or after `from`. Callers only move forward.
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
