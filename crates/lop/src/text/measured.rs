//! Texts with their sizes.
//!
//! Every improvement is measured, and most of its text is that of the previous best. So a measured text keeps marks:
//! places where a token begins, with the number of tokens before them. In a text that is nearly the same, tokens are
//! counted only from the mark before the first difference to a mark after the last.
//!
//! The result is that of a full count because of how the lexer reads a text: which token begins at a place depends only
//! on the text after that place and on the token before it, and does not depend on later lines unless the token is one
//! of several lines, such as a comment, or a string that continues after a backslash. A token of several lines that is
//! never closed depends on all text after it, so such texts are counted whole.

use std::cmp::Ordering;
use std::sync::OnceLock;

use serde::{Serialize, Serializer};

use crate::text::forms::Forms;
use crate::text::lexer::Lexer;
use crate::text::size::{self, Size};
use crate::text::{Candidate, Gauge, Key, Text};

/// The number of tokens from one mark to the next.
const STRIDE: usize = 64;

/// A text with its size, ordered from the smallest.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The text.
    pub text: Text,
    /// Its size; for several files, without the headers between them.
    pub size: Size,
    /// Its size with everything in it.
    whole: Size,
    gauge: Gauge,
    /// In ascending order; the first is the beginning of the text.
    marks: Vec<Mark>,
    /// Whether there is a token of several lines that is never closed.
    has_open: bool,
    /// Whether it does not parse, if that matters. It is parsed only when needed, since that takes longest.
    is_broken: OnceLock<bool>,
}

/// A place where a token begins, the number of tokens before it, and the forms of the tokens here.
#[derive(Clone, Copy, Debug)]
struct Mark {
    at: usize,
    tokens: usize,
    forms: Forms,
}

impl Measured {
    /// Measures a text in no known language.
    pub fn new(text: Text) -> Self {
        Measured::by(&Gauge::default(), text)
    }

    /// Measures a text by a gauge.
    pub fn by(gauge: &Gauge, text: Text) -> Self {
        let start = Mark { at: 0, tokens: 0, forms: gauge.parts(&text)[0].1 };
        let characters = size::characters(&text);
        Measured::count(gauge, text, characters, vec![start], None)
    }

    /// Measures a text by the gauge of this one. The more similar they are, the less time it takes.
    pub fn nearly(&self, text: Text) -> Self {
        if self.has_open {
            return Measured::by(&self.gauge, text);
        }
        let (old, new) = (&self.text[..], &text[..]);
        let prefix = common_prefix(old, new);
        let suffix = common_suffix(&old[prefix..], &new[prefix..]);
        let (gone, come) = (&old[prefix..old.len() - suffix], &new[prefix..new.len() - suffix]);
        let characters = self.whole.characters - size::characters(gone) + size::characters(come);
        let line = line_start(&new[..prefix]);
        let marks = self.marks.iter().copied().take_while(|mark| mark.at <= line).collect();
        Measured::count(&self.gauge, text, characters, marks, Some((self, suffix)))
    }

    /// Counts tokens from the last mark on, up to a mark of another text within their common suffix: from there on,
    /// the tokens are the same.
    fn count(
        gauge: &Gauge,
        text: Text,
        characters: usize,
        mut marks: Vec<Mark>,
        other: Option<(&Measured, usize)>,
    ) -> Self {
        let bytes = text.len();
        let Mark { mut at, mut tokens, .. } = marks[marks.len() - 1];
        let mut previous = None;
        let mut stride = 0..STRIDE;
        let mut has_open = false;
        'parts: for (end, forms) in gauge.parts(&text) {
            let mut lexer = Lexer::new(&text[..end], at.min(end), forms);
            at = at.max(end);
            for token in lexer.by_ref() {
                // A token may depend on the word before it, so all of that must be in the suffix, too.
                if let Some((other, suffix)) = other
                    && previous.is_some_and(|previous| bytes - previous < suffix)
                    && let Some(rest) = other.marks_from(token.start + other.text.len() - bytes)
                    && rest[0].forms == forms
                {
                    let (from, to) = (rest[0], Mark { at: token.start, tokens, forms });
                    marks.extend(rest.iter().map(|mark| Mark {
                        at: to.at + (mark.at - from.at),
                        tokens: to.tokens + (mark.tokens - from.tokens),
                        ..*mark
                    }));
                    tokens += other.whole.tokens - from.tokens;
                    has_open |= lexer.has_open();
                    break 'parts;
                }
                if stride.next().is_none() {
                    marks.push(Mark { at: token.start, tokens, forms });
                    stride = 1..STRIDE;
                }
                previous = Some(token.start);
                tokens += 1;
            }
            has_open |= lexer.has_open();
        }
        let whole = Size { tokens, characters, bytes };
        let headers = gauge.headers(&text);
        let size = Size {
            tokens: tokens - headers.tokens,
            characters: characters - headers.characters,
            bytes: bytes - headers.bytes,
        };
        let (gauge, is_broken) = (gauge.clone(), OnceLock::new());
        Measured { size, whole, text, gauge, marks, has_open, is_broken }
    }

    /// This text, given whether it parses.
    pub(crate) fn that_parses(self, parses: bool) -> Self {
        let is_broken = OnceLock::from(!parses && self.gauge.prefers_parsed());
        Measured { is_broken, ..self }
    }

    /// Whether it can be less than another one, which may depend on whether it parses.
    pub(crate) fn may_beat(&self, other: &Measured) -> bool {
        self.order(other).is_lt() || self.size.tokens == other.size.tokens && other.is_broken()
    }

    /// Whether it is less than another one only if it parses.
    pub(crate) fn must_parse_to_beat(&self, other: &Measured) -> bool {
        let is_tie = self.size.tokens == other.size.tokens && self.gauge.prefers_parsed();
        is_tie && self.order(other).is_lt() != other.is_broken()
    }

    /// The order of two texts that both parse.
    fn order(&self, other: &Measured) -> Ordering {
        size::compare((&self.size, &self.text), (&other.size, &other.text))
    }

    /// Whether the text does not parse, if that matters.
    fn is_broken(&self) -> bool {
        *self.is_broken.get_or_init(|| self.gauge.is_broken(&self.text))
    }

    /// The marks from the one at this place on, if there is a mark here.
    fn marks_from(&self, place: usize) -> Option<&[Mark]> {
        let index = self.marks.binary_search_by_key(&place, |mark| mark.at).ok()?;
        Some(&self.marks[index..])
    }

    pub(crate) fn key(&self) -> Key {
        Candidate::whole(&self.text).key()
    }
}

/// A text is serialized as its size.
impl Serialize for Measured {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.size.serialize(serializer)
    }
}

impl PartialEq for Measured {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Measured {}

/// Fewer tokens are less. Of texts with as many tokens, those that parse are less, if that matters; then the order is that of sizes and of the
/// alphabet.
impl Ord for Measured {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.order(other);
        match order {
            _ if self.size.tokens != other.size.tokens => order,
            // The text is parsed only if that decides.
            Ordering::Equal => order,
            Ordering::Less if other.is_broken() => order,
            Ordering::Greater if !other.is_broken() => order,
            _ => self.is_broken().cmp(&other.is_broken()).then(order),
        }
    }
}

impl PartialOrd for Measured {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The start of the last line. A line after a backslash doesn't count, since a string may continue there.
fn line_start(text: &[u8]) -> usize {
    let is_end = |at: &usize| text[*at] == b'\n' && !text[..*at].ends_with(b"\\");
    (0..text.len()).rev().find(is_end).map_or(0, |at| at + 1)
}

/// Bytes are compared this many at a time.
const CHUNK: usize = 256;

fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    let chunks = left.chunks_exact(CHUNK).zip(right.chunks_exact(CHUNK));
    let start = CHUNK * chunks.take_while(|(left, right)| left == right).count();
    let bytes = left[start..].iter().zip(&right[start..]);
    start + bytes.take_while(|(left, right)| left == right).count()
}

fn common_suffix(left: &[u8], right: &[u8]) -> usize {
    let chunks = left.rchunks_exact(CHUNK).zip(right.rchunks_exact(CHUNK));
    let same = CHUNK * chunks.take_while(|(left, right)| left == right).count();
    let (left, right) = (&left[..left.len() - same], &right[..right.len() - same]);
    let bytes = left.iter().rev().zip(right.iter().rev());
    same + bytes.take_while(|(left, right)| left == right).count()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn check(measured: &Measured) {
        let expected = Measured::by(&measured.gauge, measured.text.clone());
        assert_eq!(measured.size, expected.size, "{}", String::from_utf8_lossy(&measured.text));
        assert_eq!(measured.has_open, expected.has_open);
    }

    /// Pieces that are difficult for lexers.
    const PIECES: [&str; 24] = [
        "/*", "*/", "//", "\"", "'", "\\", "r#\"", "\"#", "R\"(", "`", "[[", "--", "#", "\n", " ",
        "a", "1.5", "+", "/", "*", "return ", "word ", "x = 1;\n", "é",
    ];

    #[test]
    fn what_is_nearly_the_same_is_measured_as_if_it_was_new() {
        measure_nearly(lop_testing::seed());
    }

    fn measure_nearly(seed: u64) {
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..300 {
            let length = random.usize(..1500);
            // Half of the texts are mostly ordinary, so that there are marks to find.
            let choices = if random.bool() { 0..PIECES.len() } else { 13..PIECES.len() };
            let piece = |random: &mut fastrand::Rng| PIECES[random.usize(choices.clone())];
            let text: String = (0..length).map(|_| piece(&mut random)).collect();
            let gauge = match random.bool() {
                true => Gauge::default(),
                false => Gauge::new(Forms::filter(|_| random.bool())),
            };
            let mut measured = Measured::by(&gauge, Arc::new(text.into_bytes()));
            check(&measured);
            for _ in 0..20 {
                let mut text = measured.text.to_vec();
                for _ in 0..random.usize(1..3) {
                    let start = random.usize(..=text.len());
                    let end = (start + random.usize(..200)).min(text.len());
                    let end = if random.u8(..4) == 0 { start } else { end };
                    let put_in = if random.u8(..3) == 0 { piece(&mut random) } else { "" };
                    text.splice(start..end, put_in.bytes());
                }
                measured = measured.nearly(Arc::new(text));
                check(&measured);
            }
        }
    }

    #[test]
    fn little_of_a_long_text_is_counted_again() {
        let line = |number: usize| format!("int x{number} = {number};\n");
        let text: String = (0..10_000).map(line).collect();
        let measured = Measured::new(Arc::new(text.clone().into_bytes()));
        let shorter = text.replace(&line(5_000), "");
        let nearly = measured.nearly(Arc::new(shorter.into_bytes()));
        check(&nearly);
        // All marks stay, except those near the removed line.
        let is_old =
            |mark: &&Mark| measured.marks_from(mark.at).is_some_and(|m| m[0].tokens == mark.tokens);
        let moved = nearly.marks.iter().filter(|mark| {
            let place = mark.at + line(5_000).len();
            measured.marks_from(place).is_some_and(|m| m[0].tokens == mark.tokens + 5)
        });
        let new = nearly.marks.len() - nearly.marks.iter().filter(is_old).count() - moved.count();
        assert!(new <= 1, "{new} of {} marks are new", nearly.marks.len());
    }
}
