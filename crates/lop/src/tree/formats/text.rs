//! Any text: brackets, blocks of lines that are indented deeper, lines, tokens.

use std::sync::OnceLock;

use lop_grammar::Grammar;

use crate::candidate::Text;
use crate::lexer;
use crate::tree::Tree;
use crate::tree::outline::{self, Role, Shape};

use super::{BRACKETS, Shaping, Token, own, tree};

/// Everything may go, but brackets only with each other.
pub(in crate::tree) fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    own(
        &GRAMMAR,
        "text",
        r#"
        document = _item* ;
        block    = _item+ ;
        line     = _item+ ;
        group    = "(" _item* ")" | "[" _item* "]" | "{" _item* "}" ;
        _item    = block | line | group | word | sign | stray ;
        stray    = /[(){}]/ ;
        word     = /\w+/ ;
        sign     = /\S/ ;
        "#,
    )
}

pub(in crate::tree) fn text(text: &Text) -> Tree {
    let tokens: Vec<Token> = lexer::tokens(text)
        .map(|range| {
            let token = &text[range.clone()];
            let role = match Role::of(token) {
                role @ Role::Bracket(_) => role,
                _ => Role::Plain,
            };
            Token { role, ..Token::new(label(token), range) }
        })
        .collect();
    tree(text, &tokens, &Shaping { grammar: grammar(), fold: outline::lines, label: shape })
}

fn label(token: &[u8]) -> (&'static str, bool) {
    match BRACKETS.iter().find(|bracket| bracket.as_bytes() == token) {
        Some(bracket) => (bracket, false),
        None if lexer::is_word(token[0]) => ("word", true),
        None => ("sign", true),
    }
}

fn shape(shape: Shape, _: &[Token]) -> &'static str {
    match shape {
        Shape::Group(_) => "group",
        Shape::Line | Shape::Pair => "line",
        Shape::Block => "block",
    }
}
