//! The shape of a token whose lexical rule is unknown, and its reductions: runs of characters are removed, and others
//! become canonical.

use crate::text::lexer;

/// A long token is cut into this many parts at most, so that its proposals take no more memory than many copies of it.
/// The parts become shorter with the token.
pub(super) const PARTS: usize = 64;

/// The shape of a token, whatever its language: a text of another shape is of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Shape {
    /// It begins with a digit.
    Number,
    /// It is a word.
    Word,
    /// It is in these quotes.
    Quoted(u8),
    /// Anything else, such as the content of a string: the parser and the test decide.
    Free,
}

impl Shape {
    pub(super) fn of(text: &str) -> Shape {
        match text.as_bytes() {
            [first, ..] if first.is_ascii_digit() => Shape::Number,
            [quote @ (b'"' | b'\'' | b'`'), .., last] if quote == last => Shape::Quoted(*quote),
            [_, ..] if text.bytes().all(lexer::is_word) => Shape::Word,
            _ => Shape::Free,
        }
    }

    /// Whether a text has this shape, and is one token.
    pub(super) fn has(self, text: &str) -> bool {
        let is_token = || lexer::tokens(text.as_bytes()).next() == Some(0..text.len());
        self == Shape::Free || self == Shape::of(text) && is_token()
    }
}

/// The characters of a text, each as a piece of it.
pub(super) fn characters(text: &str) -> Vec<&str> {
    text.char_indices().map(|(at, character)| &text[at..at + character.len_utf8()]).collect()
}

/// The text that some pieces make, without each part of half its length, then of a quarter, and so on, the last part first.
pub(super) fn without_parts(pieces: &[&str]) -> Vec<String> {
    let length = pieces.len();
    let shortest = length.div_ceil(PARTS);
    let sizes = std::iter::successors(Some(length.div_ceil(2)), |size| Some(size / 2));
    let mut texts = Vec::new();
    for size in sizes.take_while(|size| *size >= shortest.max(1)) {
        for end in (1..=length).rev().step_by(size) {
            let start = end.saturating_sub(size);
            texts.push([&pieces[..start], &pieces[end..]].concat().concat());
        }
    }
    texts
}

/// The text that some pieces make, with all characters canonical, then with one of them. Longer pieces stay.
pub(super) fn simpler_characters(pieces: &[&str]) -> Vec<String> {
    let simpler = |piece: &str| {
        let mut characters = piece.chars();
        let only = characters.next().filter(|_| characters.next().is_none());
        only.map(|only| canonical(only).to_string()).filter(|new| new != piece)
    };
    let all: String =
        pieces.iter().map(|piece| simpler(piece).unwrap_or((*piece).to_owned())).collect();
    let each = (0..pieces.len()).filter_map(|at| {
        let new = simpler(pieces[at])?;
        Some([&pieces[..at], &[new.as_str()], &pieces[at + 1..]].concat().concat())
    });
    std::iter::once(all.clone()).chain(each.take(PARTS).filter(|one| *one != all)).collect()
}

/// The simplest character of the same kind.
pub(super) fn canonical(character: char) -> char {
    match character {
        '1'..='9' => '0',
        'b'..='z' => 'a',
        'B'..='Z' => 'A',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_become_smaller_and_the_last_comes_first() {
        assert_eq!(without_parts(&characters("abcd")), ["ab", "cd", "abc", "abd", "acd", "bcd"]);
        assert_eq!(without_parts(&characters("x")), [""]);
        assert!(without_parts(&[]).is_empty());
        let long = "x".repeat(10_000);
        assert!(without_parts(&characters(&long)).len() <= 2 * PARTS);
    }

    #[test]
    fn characters_become_canonical_together_and_alone() {
        assert_eq!(simpler_characters(&characters("0x1F")), ["0a0A", "0a1F", "0x0F", "0x1A"]);
        assert_eq!(simpler_characters(&characters("a0é")), ["a0é"]);
        assert_eq!(simpler_characters(&["7", "\\n", "a"]), ["0\\na"]);
    }

    #[test]
    fn a_shape_tells_kinds_of_tokens_apart() {
        let shapes = ["17UL", "a1", "'a'", "\"\"", "\"", "+=", "a b"].map(Shape::of);
        use Shape::{Free, Number, Quoted, Word};
        assert_eq!(shapes, [Number, Word, Quoted(b'\''), Quoted(b'"'), Free, Free, Free]);
        assert!(Shape::Number.has("1U") && !Shape::Number.has("U") && !Shape::Number.has("1+1"));
        assert!(Quoted(b'"').has("\"\"") && !Quoted(b'"').has("\"") && !Quoted(b'"').has("'a'"));
        assert!(Free.has("") && Free.has("a b"));
    }
}
