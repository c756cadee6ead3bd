//! ANTLR's grammars as parsers. No other module knows lop-antlr.

use std::sync::{Mutex, PoisonError};

use lop_antlr::{Cache, NodeKind, Parsed};
use lop_grammar::{Grammar, Label};

use super::{Builder, Parser};

/// A grammar of ANTLR with its start rule.
pub(super) struct Antlr {
    parser: lop_antlr::Parser,
    start: usize,
    grammar: Grammar,
    /// The labels of rules and tokens, by their numbers.
    rules: Vec<Label>,
    tokens: Vec<Label>,
    /// What was found out about texts: one for each thread that has parsed at the same time.
    caches: Mutex<Vec<Cache>>,
}

impl Antlr {
    pub(super) fn new(parser: lop_antlr::Parser, start: usize, grammar: Grammar) -> Antlr {
        let label = |name: &str| {
            let text = name.strip_prefix('\'').and_then(|name| name.strip_suffix('\''));
            let label =
                grammar.label(name, true).or_else(|| grammar.label(text.unwrap_or(name), false));
            label.unwrap_or(Label::ERROR)
        };
        let rules = parser.grammar().rule_names().map(label).collect();
        let text_or_name =
            |(number, name): (usize, &str)| match parser.grammar().text_of(number as u16) {
                Some(text) => grammar.label(text, false).unwrap_or(Label::ERROR),
                None => label(name),
            };
        let tokens = parser.grammar().token_names().enumerate().map(text_or_name).collect();
        Antlr { parser, start, rules, tokens, grammar, caches: Mutex::default() }
    }

    fn parse(&self, text: &[u8]) -> Parsed {
        let caches = || self.caches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut cache = caches().pop().unwrap_or_default();
        let parsed = self.parser.parse(text, self.start, &mut cache);
        caches().push(cache);
        parsed
    }
}

impl Parser for Antlr {
    fn name(&self) -> &str {
        &self.parser.grammar().name
    }

    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn accepts(&self, text: &[u8]) -> Option<bool> {
        Some(self.parse(text).errors.is_empty())
    }

    fn build(&self, text: &[u8], tree: &mut Builder<'_>) {
        let parsed = self.parse(text);
        let firsts = first_tokens(&parsed);
        let mut walk = Walk { antlr: self, text, parsed: &parsed, firsts, tree, next: 0, at: 0 };
        walk.all();
    }
}

/// Puts the nodes of a parsed text into a tree.
struct Walk<'w, 't> {
    antlr: &'w Antlr,
    text: &'w [u8],
    parsed: &'w Parsed,
    /// The first token of each node, if it has any.
    firsts: Vec<Option<usize>>,
    tree: &'w mut Builder<'t>,
    /// The first token that is not in the tree yet.
    next: usize,
    /// The end of the token before it.
    at: usize,
}

impl Walk<'_, '_> {
    fn all(&mut self) {
        let fields: Vec<_> = (0..self.antlr.parser.field_count())
            .map(|field| match self.antlr.parser.field_name(field as u16) {
                "" => Default::default(),
                name => self.tree.field(name),
            })
            .collect();
        // The ends of the open rules.
        let mut open: Vec<usize> = Vec::new();
        for (number, node) in self.parsed.nodes.iter().enumerate() {
            while open.pop_if(|end| *end <= number).is_some() {
                self.tree.close(self.at);
            }
            let field = fields[usize::from(node.field)];
            match node.what {
                NodeKind::Rule(rule) => {
                    let first = self.firsts[number];
                    let start = match first {
                        // The root has all of the text.
                        _ if open.is_empty() => 0,
                        Some(token) => {
                            self.hidden_before(token);
                            self.parsed.tokens[token].start as usize
                        }
                        None => self.at,
                    };
                    self.tree.open(self.antlr.rules[usize::from(rule)], start).under(field);
                    open.push(number + 1 + node.below as usize);
                }
                NodeKind::Token(token) => {
                    self.hidden_before(token as usize);
                    let found = self.parsed.tokens[token as usize];
                    let label = self.antlr.tokens[usize::from(found.kind)];
                    self.tree.leaf(label, found.start as usize..found.end as usize).under(field);
                    self.pass(token as usize);
                }
                NodeKind::Error(token) => {
                    self.hidden_before(token as usize);
                    let found = self.parsed.tokens[token as usize];
                    self.tree.region(found.start as usize..found.end as usize);
                    self.pass(token as usize);
                }
                NodeKind::Missing(kind) => {
                    let label = self.antlr.tokens[usize::from(kind)];
                    self.tree.leaf(label, self.at..self.at).under(field).error(true);
                }
            }
        }
        while open.len() > 1 {
            open.pop();
            self.tree.close(self.at);
        }
        self.hidden_before(self.parsed.tokens.len());
        self.tree.close(self.text.len());
    }

    fn pass(&mut self, token: usize) {
        self.next = token + 1;
        self.at = self.parsed.tokens[token].end as usize;
    }

    /// Puts comments and the like into the tree. White space is layout.
    fn hidden_before(&mut self, token: usize) {
        while self.next < token {
            let hidden = self.parsed.tokens[self.next];
            let range = hidden.start as usize..hidden.end as usize;
            if !self.text[range.clone()].iter().all(u8::is_ascii_whitespace) {
                let label = self.antlr.tokens.get(usize::from(hidden.kind)).copied();
                self.tree.leaf(label.unwrap_or(Label::ERROR), range).extra(true);
            }
            self.pass(self.next);
        }
    }
}

/// The first token of each node, if it has any.
fn first_tokens(parsed: &Parsed) -> Vec<Option<usize>> {
    let mut firsts = vec![None; parsed.nodes.len()];
    // The next token in the text, and the node that it is.
    let mut next: Option<(usize, usize)> = None;
    for (number, node) in parsed.nodes.iter().enumerate().rev() {
        if let NodeKind::Token(token) | NodeKind::Error(token) = node.what {
            next = Some((number, token as usize));
        }
        let end = number + node.below as usize;
        firsts[number] = next.filter(|(at, _)| *at <= end).map(|(_, token)| token);
    }
    firsts
}
