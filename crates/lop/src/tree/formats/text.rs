//! Any text: brackets, blocks of lines that are indented deeper, lines, tokens.

use std::sync::OnceLock;

use lop_grammar::Grammar;

use crate::text::lexer;
use crate::tree::PlainFormat;
use crate::tree::outline::{self, Binding, Cluster};

use super::{BRACKETS, Token, own};

pub(in crate::tree) const TEXT: PlainFormat = PlainFormat {
    name: "text",
    about: "any text: brackets, indentation, lines, tokens",
    extensions: &[],
    names: &[],
    looks: |_| false,
    grammar,
    rows: None,
    tokens,
    fold: outline::lines,
    label: cluster_label,
    can_be_laid_out: false,
    is_strict: false,
    constants: &[],
    joins: b"",
    repair: |candidate| candidate,
};

/// Everything can be removed, but brackets only in pairs.
fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    own(
        &GRAMMAR,
        "text",
        r#"
        document  = _item* ;
        section   = _item+ ;
        block     = _item+ ;
        line      = _item+ ;
        statement = _item+ ;
        group     = "(" _item* ")" | "[" _item* "]" | "{" _item* "}" ;
        _item     = section | block | line | statement | group | word | sign | stray ;
        stray     = /[(){}]/ ;
        word      = /\w+/ ;
        sign      = /\S/ ;
        "#,
    )
}

fn tokens(text: &[u8]) -> Vec<Token> {
    bound_tokens(text, |_| Binding::Plain)
}

/// The tokens of a text; `binding` decides about those that aren't brackets.
pub(super) fn bound_tokens(text: &[u8], binding: fn(&[u8]) -> Binding) -> Vec<Token> {
    lexer::tokens(text)
        .map(|range| {
            let token = &text[range.clone()];
            let binding = match Binding::of(token) {
                bracket @ Binding::Bracket(_) => bracket,
                _ => binding(token),
            };
            Token { binding, ..Token::new(label(token), range) }
        })
        .collect()
}

fn label(token: &[u8]) -> (&'static str, bool) {
    match BRACKETS.iter().find(|bracket| bracket.as_bytes() == token) {
        Some(bracket) => (bracket, false),
        None if lexer::is_word(token[0]) => ("word", true),
        None => ("sign", true),
    }
}

fn cluster_label(cluster: Cluster, _: &[Token]) -> &'static str {
    match cluster {
        Cluster::Group(_) => "group",
        Cluster::Line | Cluster::Pair => "line",
        Cluster::Block => "block",
        Cluster::Statement => "statement",
        Cluster::Section => "section",
    }
}
