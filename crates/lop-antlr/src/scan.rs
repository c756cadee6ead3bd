//! The tokens of the grammar language.

use std::ops::Range;
use std::sync::Arc;

use crate::problem::{Place, Problem, Source};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Identifier,
    Number,
    /// `'…'`
    Literal,
    /// `"…"`, in options only.
    Text,
    /// `[…]`: characters in a lexer rule, arguments in a parser rule.
    Brackets,
    /// `{…}`
    Action,
    /// `->`
    Arrow,
    /// `+=`
    PlusEquals,
    /// `..`
    Range,
    /// `::`
    DoubleColon,
    /// Any other character.
    Sign(u8),
    End,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) range: Range<usize>,
}

/// All tokens of a source; the last is [`Kind::End`].
pub(crate) fn scan(source: &Arc<Source>, problems: &mut Vec<Problem>) -> Vec<Token> {
    let mut scanner = Scanner { text: source.text.as_bytes(), at: 0, is_lexer_rule: false };
    let mut tokens: Vec<Token> = Vec::new();
    // Whether the colon of a rule was seen, and its semicolon was not.
    let mut in_rule = false;
    loop {
        scanner.skip_layout();
        let start = scanner.at;
        let found = scanner.next();
        let range = start..scanner.at;
        let place = || Place {
            source: source.clone(),
            range: start
                ..(start + 1).max(scanner.at.min(start + 40)).min(source.text.len().max(start)),
        };
        match found {
            Ok(kind) => {
                // A rule begins with its name, whose case decides whether brackets in it contain characters.
                let begins_rule = match tokens.last() {
                    None => true,
                    Some(_) if in_rule => false,
                    Some(last) => {
                        matches!(last.kind, Kind::Sign(b';') | Kind::Action)
                            || &source.text[last.range.clone()] == "fragment"
                    }
                };
                match kind {
                    Kind::Sign(b':') => in_rule = true,
                    Kind::Sign(b';') => in_rule = false,
                    _ => {}
                }
                if kind == Kind::Identifier && begins_rule {
                    scanner.is_lexer_rule =
                        source.text[range.clone()].starts_with(char::is_uppercase);
                }
                tokens.push(Token { kind, range });
                if kind == Kind::End {
                    return tokens;
                }
            }
            Err(message) => problems.push(Problem::error(place(), message)),
        }
    }
}

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    is_lexer_rule: bool,
}

impl Scanner<'_> {
    fn peek(&self, offset: usize) -> Option<u8> {
        self.text.get(self.at + offset).copied()
    }

    fn skip_layout(&mut self) {
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(byte), _) if byte.is_ascii_whitespace() => self.at += 1,
                (Some(b'/'), Some(b'/')) => {
                    self.skip_until(|text| matches!(text[0], b'\n' | b'\r'), 0)
                }
                (Some(b'/'), Some(b'*')) => {
                    self.at += 2;
                    self.skip_until(|text| text.starts_with(b"*/"), 2);
                }
                // A byte order mark.
                (Some(0xEF), Some(0xBB)) if self.peek(2) == Some(0xBF) => self.at += 3,
                _ => return,
            }
        }
    }

    /// Moves on until the rest of the text satisfies a condition, and some bytes further.
    fn skip_until(&mut self, is_end: impl Fn(&[u8]) -> bool, further: usize) {
        while self.at < self.text.len() && !is_end(&self.text[self.at..]) {
            self.at += 1;
        }
        self.at = (self.at + further).min(self.text.len());
    }

    fn next(&mut self) -> Result<Kind, String> {
        let Some(first) = self.peek(0) else { return Ok(Kind::End) };
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        match first {
            b'0'..=b'9' => {
                self.skip_until(|text| !text[0].is_ascii_alphanumeric(), 0);
                Ok(Kind::Number)
            }
            _ if is_word(first) => {
                self.skip_until(|text| !is_word(text[0]), 0);
                Ok(Kind::Identifier)
            }
            b'\'' => self.quoted(b'\'', Kind::Literal),
            b'"' => self.quoted(b'"', Kind::Text),
            b'[' if self.is_lexer_rule => self.characters(),
            b'[' => self.code(b'[', b']', Kind::Brackets),
            b'{' => self.code(b'{', b'}', Kind::Action),
            b'-' if self.peek(1) == Some(b'>') => self.sign(Kind::Arrow),
            b'+' if self.peek(1) == Some(b'=') => self.sign(Kind::PlusEquals),
            b'.' if self.peek(1) == Some(b'.') => self.sign(Kind::Range),
            b':' if self.peek(1) == Some(b':') => self.sign(Kind::DoubleColon),
            sign => {
                self.at += 1;
                Ok(Kind::Sign(sign))
            }
        }
    }

    fn sign(&mut self, kind: Kind) -> Result<Kind, String> {
        self.at += 2;
        Ok(kind)
    }

    fn quoted(&mut self, quote: u8, kind: Kind) -> Result<Kind, String> {
        let mut at = self.at + 1;
        loop {
            match self.text.get(at) {
                Some(byte) if *byte == quote => {
                    self.at = at + 1;
                    return Ok(kind);
                }
                Some(b'\\') if at + 1 < self.text.len() => at += 2,
                None | Some(b'\n') => {
                    self.at = at;
                    return Err(format!(
                        "a text begins here and has no closing {}",
                        char::from(quote)
                    ));
                }
                Some(_) => at += 1,
            }
        }
    }

    /// `[…]` in a lexer rule: a bracket in it is escaped by a backslash.
    fn characters(&mut self) -> Result<Kind, String> {
        self.quoted(b']', Kind::Brackets)
            .map_err(|_| "a set of characters begins here and has no closing ]".into())
    }

    /// Brackets with code in between, which may contain texts, comments and brackets.
    fn code(&mut self, open: u8, close: u8, kind: Kind) -> Result<Kind, String> {
        let start = self.at;
        // ANTLR treats every quote as the beginning of a text. If that fails, one may be an apostrophe or a lifetime.
        for text in [text_in_line, short_text] {
            if self.nested(open, close, text) {
                return Ok(kind);
            }
            self.at = start;
        }
        // Only the bracket is skipped, so that the rest of the file is read.
        self.at = start + 1;
        Err(format!("{} begins here and has no closing {}", char::from(open), char::from(close)))
    }

    /// Moves past the closing bracket, if there is one. `text` returns how much of the code after a quote is a text.
    fn nested(&mut self, open: u8, close: u8, text: fn(&[u8], u8) -> usize) -> bool {
        let mut depth = 0usize;
        while let Some(byte) = self.peek(0) {
            match byte {
                _ if byte == open => depth += 1,
                _ if byte == close => {
                    depth -= 1;
                    if depth == 0 {
                        self.at += 1;
                        return true;
                    }
                }
                b'\\' => self.at += 1,
                b'\'' | b'"' => self.at += text(&self.text[self.at + 1..], byte),
                b'/' if matches!(self.peek(1), Some(b'/' | b'*')) => {
                    self.skip_layout();
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        false
    }
}

/// The length of a text with its closing quote; 0 if the line has none.
fn text_in_line(rest: &[u8], quote: u8) -> usize {
    let mut is_escaped = false;
    let end = rest.iter().position(|byte| {
        let is_end = !is_escaped && (*byte == quote || *byte == b'\n');
        is_escaped = !is_escaped && *byte == b'\\';
        is_end
    });
    end.filter(|end| rest[*end] == quote).map_or(0, |end| end + 1)
}

/// The same for a few characters between single quotes.
fn short_text(rest: &[u8], quote: u8) -> usize {
    let most = if quote == b'"' { rest.len() } else { rest.len().min(10) };
    text_in_line(&rest[..most], quote)
}
