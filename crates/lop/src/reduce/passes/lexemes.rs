//! Token reduction: tokens become shorter and simpler tokens of the same kind.
//!
//! Z. Xu, Y. Tian, M. Zhang, J. Zhang, P. Liu, Y. Jiang, C. Sun, "T-Rec: Fine-Grained Language-Agnostic Program Reduction
//! Guided by Lexical Syntax", TOSEM 2024. Reducers of trees leave tokens whole; T-Rec reduces inside of them, in this order:
//!
//! ```text
//! for each token that is not a name
//!     replace it by a canonical token of its kind    the shortest ones that its lexical rule allows
//!     remove parts of it                             large ones first
//!     replace its characters by canonical ones       digits by 0, letters by a
//! ```
//!
//! Each is tried for all tokens of the same text together, then for one token.
//!
//! Guarantee: none by itself; at the fixed point no single character of a token of up to 64 can be removed. Cost: at most about 2·m
//! tests for a token of m characters, and twice as many if its text occurs several times.
//!
//! Departures: T-Rec replaces names by a, b, …; here, that is what `rename` and `unify` do, so names are left out. The models of
//! grammars keep the shortest text of a lexical rule, not the rule: parts are runs of characters instead of nodes of the rule, and
//! whether a text is still of the same kind is decided by its *shape* before the test (see `Shape`), and by the parser, whose
//! guard skips candidates with new errors. T-Rec takes the candidate that is best of all; here, the first one that
//! is interesting is taken, and the next run goes on from there.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use crate::text::lexer;
use crate::tree::{Kind, NodeId, Tree};

use super::names::is_name;
use super::{Proposal, put};

/// A long token is cut into this many parts at most, so that its proposals take no more memory than many copies of it. As it becomes
/// shorter, so do the parts.
const PARTS: usize = 64;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let lexemes = lexemes(tree);
    let simplest = simplest(&lexemes);
    let count = lexemes.len();
    (0..3 * count).flat_map(move |number| {
        let (step, lexeme) = (number / count, &lexemes[number % count]);
        let mut texts = match step {
            0 => canonical(tree, &simplest, lexeme),
            // Words that are not names are keywords: no part of one is of its kind.
            _ if lexeme.shape == Shape::Word => Vec::new(),
            1 => without_parts(lexeme.text),
            _ => simpler_characters(lexeme.text),
        };
        texts.retain(|new| lexeme.shape.has(new) && is_simpler(new, lexeme.text));
        let together = Some(&lexeme.at[..]).filter(|all| all.len() > 1);
        let places = together.into_iter().chain(lexeme.at.chunks(1));
        let put_all = |at| texts.iter().map(move |new| put(at, new.as_bytes()));
        places.flat_map(put_all).collect::<Vec<_>>()
    })
}

/// All tokens of one kind, shape and text.
struct Lexeme<'t> {
    kind: Kind,
    shape: Shape,
    text: &'t str,
    at: Vec<NodeId>,
}

/// The tokens that may have other texts: leaves that the grammar names, but not names, since these have passes of their own.
fn lexemes(tree: &Tree) -> Vec<Lexeme<'_>> {
    let tokens: HashSet<Range<usize>> = lexer::tokens(tree.text()).collect();
    let mut lexemes: BTreeMap<(Kind, Shape, &str), Vec<NodeId>> = BTreeMap::new();
    for node in tree.ids() {
        let is_token = tree.is_leaf(node)
            && tree.is_named(node)
            && !tree.is_extra(node)
            && !tree.is_error(node)
            && !is_name(tree, node);
        if let (true, Ok(text)) = (is_token, std::str::from_utf8(tree.text_of(node))) {
            let is_whole = tokens.contains(&tree.range(node));
            let shape = if is_whole { Shape::of(text) } else { Shape::Free };
            lexemes.entry((tree.kind(node), shape, text)).or_default().push(node);
        }
    }
    lexemes.into_iter().map(|((kind, shape, text), at)| Lexeme { kind, shape, text, at }).collect()
}

/// The simplest text of each kind and shape.
type Simplest<'t> = HashMap<(Kind, Shape), &'t str>;

fn simplest<'t>(lexemes: &[Lexeme<'t>]) -> Simplest<'t> {
    let mut simplest = Simplest::new();
    for Lexeme { kind, shape, text, .. } in lexemes {
        let known = simplest.entry((*kind, *shape)).or_insert(text);
        if is_simpler(text, known) {
            *known = text;
        }
    }
    simplest
}

/// The shortest text that the grammar allows, and the simplest token of the same kind in the text.
fn canonical(tree: &Tree, simplest: &Simplest<'_>, lexeme: &Lexeme<'_>) -> Vec<String> {
    // The least text of a keyword's place may be a name.
    let least = tree.minimal(lexeme.at[0]).filter(|_| lexeme.shape != Shape::Word);
    let least = least.and_then(|least| String::from_utf8(least.to_vec()).ok());
    let simplest = simplest[&(lexeme.kind, lexeme.shape)].to_owned();
    let mut texts: Vec<String> = least.into_iter().chain([simplest]).collect();
    texts.dedup();
    texts
}

/// The text without each part of half its length, then of a quarter, and so on, the last part first.
pub(super) fn without_parts(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let length = characters.len();
    let shortest = length.div_ceil(PARTS);
    let sizes = std::iter::successors(Some(length.div_ceil(2)), |size| Some(size / 2));
    let mut texts = Vec::new();
    for size in sizes.take_while(|size| *size >= shortest.max(1)) {
        for end in (1..=length).rev().step_by(size) {
            let start = end.saturating_sub(size);
            texts.push(characters[..start].iter().chain(&characters[end..]).collect());
        }
    }
    texts
}

/// The text with all characters canonical, then with one of them.
fn simpler_characters(text: &str) -> Vec<String> {
    let canonical = |character: char| match character {
        '1'..='9' => '0',
        'b'..='z' => 'a',
        'B'..='Z' => 'A',
        other => other,
    };
    let all: String = text.chars().map(canonical).collect();
    let places = text.char_indices().filter(|(_, old)| canonical(*old) != *old).take(PARTS);
    let one = places.map(|(at, old)| {
        [&text[..at], canonical(old).encode_utf8(&mut [0; 4]), &text[at + old.len_utf8()..]]
            .concat()
    });
    std::iter::once(all.clone()).chain(one.filter(|one| *one != all)).collect()
}

/// Whether a text is shorter, or as long and earlier in the alphabet: the order of results.
fn is_simpler(new: &str, old: &str) -> bool {
    (new.chars().count(), new) < (old.chars().count(), old)
}

/// What a token looks like, whatever its language: a text of another shape is of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Shape {
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
    fn of(text: &str) -> Shape {
        match text.as_bytes() {
            [first, ..] if first.is_ascii_digit() => Shape::Number,
            [quote @ (b'"' | b'\'' | b'`'), .., last] if quote == last => Shape::Quoted(*quote),
            [_, ..] if text.bytes().all(lexer::is_word) => Shape::Word,
            _ => Shape::Free,
        }
    }

    /// Whether a text has this shape, and is one token.
    fn has(self, text: &str) -> bool {
        let is_token = || lexer::tokens(text.as_bytes()).next() == Some(0..text.len());
        self == Shape::Free || self == Shape::of(text) && is_token()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_become_smaller_and_the_last_comes_first() {
        assert_eq!(without_parts("abcd"), ["ab", "cd", "abc", "abd", "acd", "bcd"]);
        assert_eq!(without_parts("x"), [""]);
        assert!(without_parts("").is_empty());
        let long = "x".repeat(10_000);
        assert!(without_parts(&long).len() <= 2 * PARTS);
    }

    #[test]
    fn characters_become_canonical_together_and_alone() {
        assert_eq!(simpler_characters("0x1F"), ["0a0A", "0a1F", "0x0F", "0x1A"]);
        assert_eq!(simpler_characters("a0é"), ["a0é"]);
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
