//! JSON, also with mistakes: missing or wrong brackets, too many or too few commas, comments, names
//! without quotes or with other quotes.

use std::sync::OnceLock;

use lop_grammar::Grammar;

use crate::text::lexer;
use crate::tree::PlainFormat;
use crate::tree::outline::{self, Binding, Cluster};

use super::{Token, own};

pub(in crate::tree) const JSON_LIKE: PlainFormat = PlainFormat {
    name: "json-like",
    about: "JSON with mistakes, comments, other quotes",
    extensions: &["json5", "jsonc", "hjson"],
    names: &[],
    looks: |_| false,
    grammar,
    rows: None,
    tokens,
    fold: outline::pairs,
    label: cluster_label,
    can_be_laid_out: true,
    is_strict: false,
    constants: &[],
    joins: b"",
    repair: |candidate| candidate,
};

fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    own(
        &GRAMMAR,
        "json-like",
        r#"
        document = _any* ;
        _any     = _value | pair | "," | ":" | stray | group ;
        object   = "{" (pair ("," pair)*)? ","? "}" ;
        array    = "[" (_value ("," _value)*)? ","? "]" ;
        pair     = _key ":" _value ;
        _key     = string | word ;
        _value   = object | array | string | word ;
        string   = /"[^"]*"/ ;
        word     = /[^\s]/ ;
        comment  ~ /\/\/.*/ ;
        group    = "(" _any* ")" ;
        stray    = /[{}]/ ;
        "#,
    )
}

fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for token in lexer::tokens(text).flat_map(|range| pieces(text, range)) {
        match tokens.last_mut() {
            // Adjacent words become one: the lexer splits `-1.5e-3` into several.
            Some(last)
                if last.range.end == token.range.start
                    && [last.label.0, token.label.0] == ["word"; 2] =>
            {
                last.range.end = token.range.end;
            }
            _ => tokens.push(token),
        }
    }
    tokens
}

/// A token of the lexer, which may have taken `:-` for one operator.
fn pieces(text: &[u8], range: std::ops::Range<usize>) -> Vec<Token> {
    let signs = [",", ":", "(", ")", "[", "]", "{", "}"];
    let token = &text[range.clone()];
    let sign = signs.iter().find(|sign| sign.as_bytes()[0] == token[0]);
    match (sign, token) {
        (Some(sign), _) => {
            let first = range.start..range.start + 1;
            let mut pieces = vec![Token {
                binding: Binding::of(&token[..1]),
                ..Token::new((sign, false), first)
            }];
            if token.len() > 1 {
                pieces.push(Token::new(("word", true), range.start + 1..range.end));
            }
            pieces
        }
        (None, [b'/', b'/' | b'*', ..]) => {
            vec![Token { binding: Binding::Apart, ..Token::new(("comment", true), range) }]
        }
        (None, [b'"' | b'\'' | b'`', _, ..]) => vec![Token::new(("string", true), range)],
        _ => vec![Token::new(("word", true), range)],
    }
}

fn cluster_label(cluster: Cluster, tokens: &[Token]) -> &'static str {
    match cluster {
        Cluster::Group(open) => match tokens[open].label.0 {
            "{" => "object",
            "[" => "array",
            _ => "group",
        },
        _ => "pair",
    }
}
