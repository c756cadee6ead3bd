//! The syntax of PDF: tokens, and values made of them.
//!
//! No function recurses, since values may be nested as deeply as the input likes.

use std::collections::HashSet;
use std::ops::Range;

/// A token, without the white space before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    start: u32,
    end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    OpenDictionary,
    CloseDictionary,
    OpenArray,
    CloseArray,
    Name,
    Number,
    String,
    HexString,
    Reference,
    Boolean,
    Null,
    /// A keyword, such as `endobj` or the operator of a content stream.
    Word,
}

impl Token {
    pub(super) fn start(self) -> usize {
        self.start as usize
    }

    pub(super) fn end(self) -> usize {
        self.end as usize
    }

    pub(super) fn text(self, text: &[u8]) -> &[u8] {
        &text[self.start()..self.end()]
    }

    /// Whether it is a name. `name` has no slash.
    pub(super) fn is_name(self, text: &[u8], name: &str) -> bool {
        self.kind == Kind::Name && self.text(text)[1..] == *name.as_bytes()
    }

    /// The value of a whole number that isn't negative.
    pub(super) fn whole(self, text: &[u8]) -> Option<u64> {
        str::from_utf8(self.text(text)).ok()?.parse().ok()
    }

    /// The number and the generation of the object that a reference refers to.
    pub(super) fn target(self, text: &[u8]) -> Option<(u32, u32)> {
        if self.kind != Kind::Reference {
            return None;
        }
        let first = plain(text, self.start())?;
        let second = plain(text, first.end())?;
        Some((first.whole(text)?.try_into().ok()?, second.whole(text)?.try_into().ok()?))
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | 9 | 10 | 12 | 13 | 32)
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

pub(super) fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !is_delimiter(byte)
}

/// The place after white space and comments.
pub(super) fn skip(text: &[u8], mut at: usize) -> usize {
    while let Some(byte) = text.get(at) {
        match byte {
            b'%' => at += text[at..].iter().take_while(|byte| !b"\r\n".contains(byte)).count(),
            byte if is_space(*byte) => at += 1,
            _ => break,
        }
    }
    at
}

/// The next token; `None` at the end, or if there is none. Two numbers and an `R` are one token.
pub(super) fn next(text: &[u8], at: usize) -> Option<Token> {
    let token = plain(text, at)?;
    let is_whole = |token: Token| token.text(text).iter().all(u8::is_ascii_digit);
    if token.kind != Kind::Number || !is_whole(token) {
        return Some(token);
    }
    let last = || {
        let second = plain(text, token.end()).filter(|it| it.kind == Kind::Number)?;
        let last = plain(text, second.end()).filter(|_| is_whole(second))?;
        (last.text(text) == b"R").then_some(last)
    };
    Some(last().map_or(token, |last| Token { kind: Kind::Reference, end: last.end, ..token }))
}

fn plain(text: &[u8], at: usize) -> Option<Token> {
    let start = skip(text, at);
    let rest = text.get(start..)?;
    let regular =
        |from: usize| from + rest[from..].iter().take_while(|it| is_regular(**it)).count();
    let (kind, length) = match rest.first()? {
        b'<' if rest.starts_with(b"<<") => (Kind::OpenDictionary, 2),
        b'>' if rest.starts_with(b">>") => (Kind::CloseDictionary, 2),
        b'[' => (Kind::OpenArray, 1),
        b']' => (Kind::CloseArray, 1),
        b'/' => (Kind::Name, regular(1)),
        b'(' => (Kind::String, string(rest)?),
        b'<' => {
            let is_inside = |byte: &&u8| byte.is_ascii_hexdigit() || is_space(**byte);
            let length = 1 + rest[1..].iter().take_while(is_inside).count();
            (Kind::HexString, (rest.get(length) == Some(&b'>')).then_some(length + 1)?)
        }
        byte if is_regular(*byte) => {
            let length = regular(0);
            (word(&rest[..length]), length)
        }
        _ => return None,
    };
    let place = |at: usize| u32::try_from(at).ok();
    Some(Token { kind, start: place(start)?, end: place(start + length)? })
}

/// The length of a string in parentheses.
fn string(text: &[u8]) -> Option<usize> {
    let mut depth = 0;
    let mut at = 0;
    loop {
        match text.get(at)? {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

fn word(word: &[u8]) -> Kind {
    let digits = word.strip_prefix(b"-").or(word.strip_prefix(b"+")).unwrap_or(word);
    let points = digits.iter().filter(|byte| **byte == b'.').count();
    let is_number = digits.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
        && points <= 1
        && digits.len() > points;
    match word {
        _ if is_number => Kind::Number,
        b"true" | b"false" => Kind::Boolean,
        b"null" => Kind::Null,
        _ => Kind::Word,
    }
}

/// The position of the reader in a value.
enum Open {
    Array,
    /// In a dictionary, before a key.
    Key,
    /// In a dictionary, after a key.
    Value,
}

/// Reads one value, and returns the place after it.
pub(super) fn value(text: &[u8], mut at: usize, tokens: &mut Vec<Token>) -> Option<usize> {
    let mut open = Vec::new();
    loop {
        let token = next(text, at)?;
        at = token.end();
        tokens.push(token);
        match (token.kind, open.last_mut()) {
            (Kind::CloseDictionary, Some(Open::Key)) | (Kind::CloseArray, Some(Open::Array)) => {
                open.pop();
            }
            (Kind::Name, Some(place @ Open::Key)) => *place = Open::Value,
            (_, Some(Open::Key)) => return None,
            (Kind::Word | Kind::CloseDictionary | Kind::CloseArray, _) => return None,
            (kind, place) => {
                if let Some(place @ Open::Value) = place {
                    *place = Open::Key;
                }
                match kind {
                    Kind::OpenDictionary => open.push(Open::Key),
                    Kind::OpenArray => open.push(Open::Array),
                    _ => {}
                }
            }
        }
        if open.is_empty() {
            return Some(at);
        }
    }
}

/// An entry of a dictionary: the indices of its key and of the tokens of its value.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) key: usize,
    pub(super) value: Range<usize>,
}

/// The entries of a dictionary, without those of dictionaries in it. `value` has the indices of the dictionary's tokens; if it is
/// another value, it has no entries.
pub(super) fn pairs(tokens: &[Token], value: &Range<usize>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    if tokens.get(value.start).is_none_or(|first| first.kind != Kind::OpenDictionary) {
        return pairs;
    }
    let mut key = value.start + 1;
    while key + 1 < value.end {
        let end = end_of(tokens, key + 1);
        pairs.push(Pair { key, value: key + 1..end });
        key = end;
    }
    pairs
}

/// The elements of an array, each with the indices of its tokens.
pub(super) fn elements(tokens: &[Token], value: &Range<usize>) -> Vec<Range<usize>> {
    let mut elements = Vec::new();
    if tokens.get(value.start).is_none_or(|first| first.kind != Kind::OpenArray) {
        return elements;
    }
    let mut at = value.start + 1;
    while at + 1 < value.end {
        let end = end_of(tokens, at);
        elements.push(at..end);
        at = end;
    }
    elements
}

/// The index after the value that begins at an index.
pub(super) fn end_of(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token.kind {
            Kind::OpenDictionary | Kind::OpenArray => depth += 1,
            Kind::CloseDictionary | Kind::CloseArray => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// The value of a key of a dictionary.
pub(super) fn get(
    text: &[u8],
    tokens: &[Token],
    dictionary: &Range<usize>,
    key: &str,
) -> Option<Pair> {
    pairs(tokens, dictionary).into_iter().find(|pair| tokens[pair.key].is_name(text, key))
}

/// Whether a dictionary in a value has a key twice.
pub(super) fn has_twins(text: &[u8], tokens: &[Token]) -> bool {
    // The keys of the open dictionaries; arrays have none. A name is a key if the token before it ended a value or opened the dictionary.
    let mut open: Vec<(Kind, HashSet<&[u8]>, bool)> = Vec::new();
    for token in tokens {
        if let Some((Kind::OpenDictionary, keys, is_key)) = open.last_mut() {
            let is_twin = *is_key && token.kind == Kind::Name && !keys.insert(token.text(text));
            if is_twin {
                return true;
            }
            *is_key = !*is_key;
        }
        match token.kind {
            Kind::OpenDictionary | Kind::OpenArray => open.push((token.kind, HashSet::new(), true)),
            Kind::CloseDictionary | Kind::CloseArray => drop(open.pop()),
            _ => {}
        }
    }
    false
}
