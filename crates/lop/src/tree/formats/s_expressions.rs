//! S-expressions: SMT-LIB, Lisp and its kin, WebAssembly text.
//!
//! Comments begin with `;`, or are enclosed in `(;` and `;)` or `#|` and `|#`. Quotes before an expression, as in `'x`
//! or `` `(a ,b)``, are separate atoms.

use std::collections::HashSet;
use std::sync::OnceLock;

use lop_grammar::Grammar;

use crate::text::lexer;
use crate::tree::PlainFormat;
use crate::tree::outline::{self, Binding};

use super::{BRACKETS, EndFinder, Token, own};

pub(in crate::tree) const S_EXPRESSIONS: PlainFormat = PlainFormat {
    name: "s-expressions",
    about: "Lisp, Scheme, Clojure, WebAssembly text",
    extensions: &[
        "lisp", "lsp", "cl", "el", "scm", "ss", "rkt", "clj", "cljs", "edn", "wat", "wast", "sexp",
    ],
    names: &[],
    looks: |_| false,
    grammar,
    rows: None,
    tokens: |text| tokens(text, true),
    fold: outline::flat,
    label: |_, _| "list",
    can_be_laid_out: true,
    is_strict: false,
    constants: &[],
    joins: b"!$%&*/:<=>?^~+-.@#|",
    repair: |candidate| candidate,
};

/// SMT-LIB has no escapes in strings.
pub(in crate::tree) const SMT_LIB: PlainFormat = PlainFormat {
    name: "smt-lib",
    about: "S-expressions without escapes in strings",
    extensions: &["smt2", "smt", "sy"],
    tokens: smt_tokens,
    is_strict: true,
    constants: &["true", "false"],
    ..S_EXPRESSIONS
};

/// Words of SMT-LIB and its theories. Other words are names in the text.
const WORDS: &str = "Array BitVec Bool Float16 Float32 Float64 Int Real RegLan RoundingMode Seq Set String \
    abs and as assert concat const distinct div echo exists exit extract false forall is ite lambda let match mod not \
    or par pop push repeat reset select store true xor";

fn smt_tokens(text: &[u8]) -> Vec<Token> {
    let words: HashSet<&[u8]> = WORDS.split(' ').map(str::as_bytes).collect();
    let mut tokens = tokens(text, false);
    for token in tokens.iter_mut().filter(|token| token.label == ("atom", true)) {
        let word = &text[token.range.clone()];
        let is_plain = word.iter().all(|byte| lexer::is_word(*byte)) && !word[0].is_ascii_digit();
        if is_plain && !word.starts_with(b"bv") && !words.contains(word) {
            token.label = ("symbol", true);
        }
    }
    tokens
}

fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    own(
        &GRAMMAR,
        "s-expressions",
        r#"
        document = _item* ;
        list     = "(" _item* ")" | "[" _item* "]" | "{" _item* "}" ;
        _item    = list | atom | symbol | string | quote | stray ;
        stray    = /[()]/ ;
        atom     = /[^\s()]+/ ;
        symbol   = /[a-z]+/ ;
        string   = /"[^"]*"/ ;
        quote    = /'/ ;
        comment  ~ /;.*/ ;
        "#,
    )
}

fn tokens(text: &[u8], escapes: bool) -> Vec<Token> {
    let mut finder = EndFinder::new(text);
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let token = token(&mut finder, at, escapes);
        at = token.range.end;
        tokens.push(token);
    }
    tokens
}

fn token(finder: &mut EndFinder<'_>, at: usize, escapes: bool) -> Token {
    let rest = &finder.text[at..];
    let delimited = match rest {
        [b';', ..] => {
            let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            Some(("comment", at + line))
        }
        [b'(', b';', ..] => nested(finder, at, [b"(;", b";)"]).map(|end| ("comment", end)),
        [b'#', b'|', ..] => nested(finder, at, [b"#|", b"|#"]).map(|end| ("comment", end)),
        // A character literal, also of a bracket or a semicolon.
        [b'#', b'\\', _, rest @ ..] => {
            let letters = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            Some(("atom", at + 3 + letters))
        }
        [b'"', ..] => string(finder, at, escapes).map(|end| ("string", end)),
        [b'|', ..] => finder.after(b"|", at + 1).map(|end| ("atom", end)),
        [b'\'' | b'`' | b',', ..] => Some(("quote", at + 1)),
        _ => None,
    };
    if let Some((label, end)) = delimited {
        return Token::new((label, true), at..end);
    }
    if let Some(bracket) = BRACKETS.iter().find(|bracket| rest.starts_with(bracket.as_bytes())) {
        return Token {
            binding: Binding::of(&rest[..1]),
            ..Token::new((bracket, false), at..at + 1)
        };
    }
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"()[]{}\";".contains(byte);
    let length = 1 + rest[1..].iter().take_while(|byte| !ends(byte)).count();
    Token::new(("atom", true), at..at + length)
}

/// The end of a comment that may contain others, if it is closed.
fn nested(
    finder: &mut EndFinder<'_>,
    start: usize,
    [open, close]: [&'static [u8]; 2],
) -> Option<usize> {
    let (mut at, mut depth) = (start, 0);
    loop {
        let end = finder.after(close, at)?;
        // All comments that open before this end must close, too.
        let opened = finder.text[at..end].windows(2).filter(|window| *window == open).count();
        depth += opened;
        at = end;
        depth -= 1;
        if depth == 0 {
            return Some(end);
        }
    }
}

/// The end of a string, if it is closed. `""` is a quote in it, and so is `\"` in formats with escapes.
fn string(finder: &mut EndFinder<'_>, start: usize, escapes: bool) -> Option<usize> {
    let mut end = finder.after(b"\"", start + 1)?;
    loop {
        let text = finder.text;
        let backslashes = text[start + 1..end - 1].iter().rev().take_while(|byte| **byte == b'\\');
        if !escapes || backslashes.count() % 2 == 0 {
            if text.get(end) != Some(&b'"') {
                return Some(end);
            }
            end += 1;
        }
        end = finder.after(b"\"", end)?;
    }
}
