//! A lexer for any text, whatever its language.
//!
//! Words, numbers, quoted strings, comments, operators of up to three characters,
//! and otherwise single bytes. Which quotes and comments there are depends on the language: see [`Gauge`](super::Gauge). The
//! lexer works on bytes: a byte that isn't ASCII counts as part of a word, so a
//! character of several bytes is never split. Every byte that is not white space belongs to
//! exactly one token; a quote or comment that is never closed is an ordinary character.

use std::ops::Range;

use super::forms::{FormFinder, Forms};

/// The tokens of a text in no known language, in order.
pub fn tokens(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    Lexer::new(text, 0, Forms::PLAIN)
}

/// Whether two tokens would become one without white space between them.
pub fn would_glue(left: Option<&u8>, right: Option<&u8>) -> bool {
    matches!((left, right), (Some(&left), Some(&right)) if is_word(left) && is_word(right))
}

pub(crate) fn is_word(byte: u8) -> bool {
    Class::WORD.has(byte)
}

/// The word that ends at a place.
pub(crate) fn word_before(text: &[u8], at: usize) -> &[u8] {
    let length = text[..at].iter().rev().take_while(|byte| is_word(**byte)).count();
    &text[at - length..at]
}

/// A set of classes of bytes. A table has those of each byte, since the lexer needs them for every byte of every
/// smaller text.
#[derive(Clone, Copy)]
struct Class(u8);

impl Class {
    const SPACE: Class = Class(1);
    const WORD: Class = Class(2);
    const DIGIT: Class = Class(4);
    const POINT: Class = Class(8);
    const OPERATOR: Class = Class(16);

    const OF: [u8; 256] = {
        let mut classes = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let this = byte as u8;
            if this.is_ascii_whitespace() {
                classes[byte] |= Class::SPACE.0;
            }
            if this.is_ascii_alphanumeric() || matches!(this, b'_' | b'$') || !this.is_ascii() {
                classes[byte] |= Class::WORD.0;
            }
            if this.is_ascii_digit() {
                classes[byte] |= Class::DIGIT.0;
            }
            if this == b'.' {
                classes[byte] |= Class::POINT.0;
            }
            byte += 1;
        }
        let operators = b"-+*/%&|^=!<>?:.";
        let mut index = 0;
        while index < operators.len() {
            classes[operators[index] as usize] |= Class::OPERATOR.0;
            index += 1;
        }
        classes
    };

    fn has(self, byte: u8) -> bool {
        Class::OF[byte as usize] & self.0 != 0
    }

    const fn or(self, other: Class) -> Class {
        Class(self.0 | other.0)
    }
}

/// The number of bytes at the start of a text that are of a class.
fn run(text: &[u8], class: Class) -> usize {
    text.iter().take_while(|byte| class.has(**byte)).count()
}

/// An iterator over tokens.
pub(crate) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    forms: Forms,
    finder: FormFinder<'a>,
}

impl Iterator for Lexer<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if self.forms == Forms::BYTES {
            self.at += 1;
            return (self.at <= self.text.len()).then(|| self.at - 1..self.at);
        }
        self.at += run(&self.text[self.at..], Class::SPACE);
        let start = self.at;
        self.at += self.token_length(start);
        (self.at > start).then_some(start..self.at)
    }
}

impl<'a> Lexer<'a> {
    /// The tokens from a place on at which a token or the text begins.
    pub(crate) fn new(text: &'a [u8], at: usize, forms: Forms) -> Self {
        Lexer { text, at, forms, finder: FormFinder::new(text) }
    }

    /// Whether there was a form of several lines that is never closed.
    pub(crate) fn has_open(&self) -> bool {
        self.finder.has_open()
    }

    fn token_length(&mut self, at: usize) -> usize {
        if let Some(length) = self.finder.length(self.forms, at) {
            return length;
        }
        let rest = &self.text[at..];
        match rest {
            [] => 0,
            [digit, ..] if Class::DIGIT.has(*digit) => number(rest),
            [first, ..] if is_word(*first) => run(rest, Class::WORD),
            // The start of a comment that is never closed.
            [b'/', b'*', ..] => 1,
            [first, ..] if Class::OPERATOR.has(*first) => {
                // An operator does not include the start of a comment or a regular expression.
                let length = run(&rest[..rest.len().min(3)], Class::OPERATOR);
                let mut more = 1..length;
                let begins = |more: &usize| self.finder.begins(self.forms, at + more);
                more.find(begins).unwrap_or(length)
            }
            _ => 1,
        }
    }
}

/// The length of the number at the beginning of a text. Two points are an operator.
fn number(text: &[u8]) -> usize {
    let length = run(text, Class::WORD.or(Class::POINT));
    let points = text[..length].windows(2).position(|pair| pair == b"..");
    points.unwrap_or(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = tokens(text.as_bytes()).map(|range| &text[range]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn words_numbers_operators_and_brackets_are_tokens() {
        check("int x1=0x2F+1.5;", &["int", "x1", "=", "0x2F", "+", "1.5", ";"]);
        check("a<<=b>>>c", &["a", "<<=", "b", ">>>", "c"]);
        check("0..10", &["0", "..", "10"]);
        check("f(a)[0]", &["f", "(", "a", ")", "[", "0", "]"]);
        check("", &[]);
        check(" \r\n\t", &[]);
    }

    #[test]
    fn a_string_is_one_token_if_it_closes_on_its_line() {
        check(r#"x = "a \" b" 'c'"#, &["x", "=", r#""a \" b""#, "'c'"]);
        check("don't\nstop", &["don", "'", "t", "stop"]);
        check("don't, can't", &["don", "'", "t", ",", "can", "'", "t"]);
        check("1'000 6'000", &["1", "'", "000", "6", "'", "000"]);
        check("b'x y' u8\"x y\"", &["b", "'x y'", "u8", "\"x y\""]);
        check("\"ends in a backslash\\", &["\"", "ends", "in", "a", "backslash", "\\"]);
    }

    #[test]
    fn a_comment_is_one_token_if_it_closes() {
        check("a // b c\nd", &["a", "// b c", "d"]);
        check("a/* b\n c */d", &["a", "/* b\n c */", "d"]);
        check("a=/*b*/c", &["a", "=", "/*b*/", "c"]);
        check("/* a", &["/", "*", "a"]);
    }

    #[test]
    fn what_never_closes_is_looked_for_once() {
        // Each of these took minutes when every opening quote or comment was searched for its end.
        let n = 200_000;
        for text in ["/* ".repeat(n), format!("\"{}", "a\\\"b ".repeat(n)), "'\\".repeat(n)] {
            assert!(tokens(text.as_bytes()).count() >= n / 2);
        }
        check("\"a\\\"b 'c'", &["\"", "a", "\\", "\"", "b", "'c'"]);
        check("\"a\n\"b\"", &["\"", "a", "\"b\""]);
    }

    #[test]
    fn characters_of_several_bytes_stay_whole() {
        check("naïve→x", &["naïve→x"]);
    }

    #[test]
    fn every_byte_but_white_space_is_in_exactly_one_token() {
        let mut random = lop_testing::random();
        for _ in 0..300 {
            let alphabet = b"ab1_.+-*/\"'`\\\n (){}\0\xff";
            let text: Vec<u8> =
                (0..random.usize(..60)).map(|_| alphabet[random.usize(..alphabet.len())]).collect();
            let mut covered = vec![0; text.len()];
            let mut last = 0;
            for token in tokens(&text) {
                assert!(token.start >= last && !token.is_empty());
                last = token.end;
                token.for_each(|at| covered[at] += 1);
            }
            for (byte, count) in text.iter().zip(covered) {
                assert!(count == 1 || byte.is_ascii_whitespace(), "{text:?}");
            }
        }
    }
}
