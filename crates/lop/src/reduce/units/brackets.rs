//! Balanced brackets: `()`, `[]`, `{}`.
//!
//! Brackets in strings and comments do not count, and a bracket without its partner is ordinary
//! text. Of brackets that are nested wrongly, as in `( [ )`, some have no partner: the
//! closing one matches the nearest open one of its kind, and those in between are ordinary text.

use std::ops::Range;

use crate::search::Subset;
use crate::text::brackets::{Bracket, partners};
use crate::text::lexer;
use crate::text::{Candidate, Edit, Text};

use super::{Atoms, Spans, some};

/// Whole blocks, brackets included.
pub(super) fn brackets(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    some(Spans(blocks(text, |depth| depth == level)))
}

/// The text inside brackets; the brackets stay.
pub(super) fn insides(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    some(Spans(insides_of(blocks(text, |depth| depth == level))))
}

/// The text between brackets, if there is any.
pub(super) fn insides_of(blocks: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let insides = blocks.into_iter().map(|block| block.start + 1..block.end - 1);
    insides.filter(|inside| !inside.is_empty()).collect()
}

/// The two brackets alone; the text inside stays. There is a single level, since a pair is removed without the pairs
/// inside it.
pub(super) fn pairs(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    (level == 0).then(|| Pairs(blocks(text, |_| true))).and_then(some)
}

/// The balanced blocks at some depths, in the order of their beginnings. Depth counts only balanced
/// blocks, so it is known once all are closed.
pub(super) fn blocks(text: &[u8], wanted: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut blocks = balanced(text);
    blocks.sort_unstable_by_key(|block| block.start);
    let mut around: Vec<usize> = Vec::new();
    blocks.retain(|block| {
        while around.last().is_some_and(|end| *end <= block.start) {
            around.pop();
        }
        around.push(block.end);
        wanted(around.len() - 1)
    });
    blocks
}

fn balanced(text: &[u8]) -> Vec<Range<usize>> {
    let tokens = lexer::tokens(text);
    let brackets =
        tokens.filter_map(|token| Some((token.start, Bracket::of(&text[token.clone()])?)));
    partners(brackets).into_iter().map(|(open, close)| open..close + 1).collect()
}

/// Atoms of two bytes each: a bracket and its partner.
struct Pairs(Vec<Range<usize>>);

impl Atoms for Pairs {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn keep(&self, text: &Text, kept: &Subset) -> Candidate {
        let gone = kept.gaps(self.len()).flatten().map(|pair| &self.0[pair]);
        let mut brackets: Vec<usize> =
            gone.flat_map(|block| [block.start, block.end - 1]).collect();
        brackets.sort_unstable();
        let edit = |at: usize| {
            let left = at.checked_sub(1).map(|left| &text[left]);
            // A blank takes as many bytes as the bracket, but isn't a token.
            let glue = lexer::would_glue(left, text.get(at + 1));
            Edit { range: at..at + 1, with: if glue { b" "[..].into() } else { Box::default() } }
        };
        Candidate::new(text, brackets.into_iter().map(edit).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::reduce::units::tests::check;

    #[test]
    fn blocks_go_level_by_level() {
        let text = "f(a[0]){b}";
        check("brackets", 0, text, &["f{b}", "f(a[0])"]);
        check("brackets", 1, text, &["f(a){b}"]);
        check("brackets", 2, text, &[]);
    }

    #[test]
    fn insides_go_and_brackets_stay() {
        check("insides", 0, "f(a)(){b}", &["f()(){b}", "f(a)(){}"]);
        check("insides", 1, "f((a))", &["f(())"]);
    }

    #[test]
    fn a_pair_goes_and_its_inside_stays() {
        check("pairs", 0, "f((a))", &["f(a)", "f(a)"]);
        check("pairs", 0, "{x}", &["x"]);
        check("pairs", 0, "if(x)y", &["if x y"]);
    }

    #[test]
    fn strings_comments_and_lonely_brackets_do_not_count() {
        check("brackets", 0, "\"(\" /* { */ )", &[]);
        check("brackets", 0, "( [ )", &[""]);
        check("brackets", 0, "} { (x)", &["} { "]);
    }

    #[test]
    fn a_hundred_thousand_nested_brackets_are_no_problem() {
        let n = 100_000;
        let text = [b"(".repeat(n), b")".repeat(n)].concat();
        assert_eq!(super::blocks(&text, |_| true).len(), n);
        let text = [b"[".repeat(n), b")".repeat(n)].concat();
        assert!(super::blocks(&text, |_| true).is_empty());
    }
}
