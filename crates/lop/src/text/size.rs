//! The size of a result, and which of two results is smaller.
//!
//! The order is total, so that a run can never go in circles: fewer tokens, then fewer characters
//! that are not white space, then fewer bytes, then fewer files, then the lexicographically first.

use std::cmp::Ordering;

use serde::Serialize;

use crate::text::lexer;

/// The size of a text. Sizes compare by tokens first, then characters, then bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Size {
    /// Tokens, as a [`Gauge`](crate::Gauge) counts them.
    pub tokens: usize,
    /// Bytes that are not white space: the papers' tables count these.
    pub characters: usize,
    /// All bytes.
    pub bytes: usize,
}

impl Size {
    /// Measures a text in no known language.
    pub fn of(text: &[u8]) -> Self {
        Size {
            tokens: lexer::tokens(text).count(),
            characters: characters(text),
            bytes: text.len(),
        }
    }
}

/// The number of bytes that are not white space. They are counted in parts small enough for the count to fit in a byte, so that
/// the compiler counts sixteen or more at once.
pub(crate) fn characters(text: &[u8]) -> usize {
    let count =
        |part: &[u8]| -> u8 { part.iter().map(|byte| u8::from(!byte.is_ascii_whitespace())).sum() };
    text.chunks(u8::MAX.into()).map(|part| usize::from(count(part))).sum()
}

/// Compares two results whose sizes are known; `Less` is the better one.
pub(crate) fn compare(left: (&Size, &[u8]), right: (&Size, &[u8])) -> Ordering {
    // The headers of several files don't count: an empty file adds only to the length.
    left.0.cmp(right.0).then(left.1.len().cmp(&right.1.len())).then_with(|| left.1.cmp(right.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(left: &str, right: &str) -> Ordering {
        let (left, right) = (left.as_bytes(), right.as_bytes());
        compare((&Size::of(left), left), (&Size::of(right), right))
    }

    #[test]
    fn fewer_tokens_then_fewer_characters_then_fewer_bytes_then_first_in_the_alphabet() {
        assert_eq!(order("abcdef", "a b"), Ordering::Less);
        assert_eq!(order("ab c", "abc d"), Ordering::Less);
        assert_eq!(order("a b", "a  b"), Ordering::Less);
        assert_eq!(order("a b", "a c"), Ordering::Less);
        assert_eq!(order("a b", "a b"), Ordering::Equal);
    }
}
