//! Balanced brackets: `()`, `[]`, `{}`.
//!
//! Brackets in strings and comments do not count, and a bracket without its partner is ordinary
//! text. Brackets that hold each other wrongly, as in `( [ )`, are not balanced either: the
//! closing one looks for its partner among those still open and drops the others.

use std::ops::Range;

use crate::candidate::{Candidate, Edit, Text};
use crate::lexer;
use crate::search::Subset;

use super::{Atoms, Spans, some};

/// Whole blocks, brackets included.
pub(super) fn brackets(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    some(Spans(blocks(text, level)))
}

/// What is inside; brackets stay.
pub(super) fn insides(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    let inside = |block: Range<usize>| block.start + 1..block.end - 1;
    let insides: Vec<_> = all_blocks(text)
        .into_iter()
        .map(|(depth, block)| (depth, inside(block)))
        .filter(|(_, inside)| !inside.is_empty())
        .collect();
    some(Spans(at_level(&insides, level)))
}

/// The two brackets alone; what is inside stays. All levels at once, since a pair that goes takes
/// nothing with it.
pub(super) fn pairs(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    let mut blocks: Vec<_> = all_blocks(text).into_iter().map(|(_, block)| block).collect();
    blocks.sort_unstable_by_key(|block| block.start);
    (level == 0).then_some(Pairs(blocks)).and_then(some)
}

fn blocks(text: &[u8], level: usize) -> Vec<Range<usize>> {
    at_level(&all_blocks(text), level)
}

fn at_level(blocks: &[(usize, Range<usize>)], level: usize) -> Vec<Range<usize>> {
    let mut found: Vec<_> = blocks
        .iter()
        .filter(|(depth, _)| *depth == level)
        .map(|(_, range)| range.clone())
        .collect();
    found.sort_unstable_by_key(|block| block.start);
    found
}

/// Every balanced block with its depth among the balanced ones.
pub(super) fn all_blocks(text: &[u8]) -> Vec<(usize, Range<usize>)> {
    let mut open: Vec<usize> = Vec::new();
    let mut closed: Vec<Range<usize>> = Vec::new();
    for token in lexer::tokens(text).filter(|token| token.len() == 1) {
        let partner = match text[token.start] {
            b'(' | b'[' | b'{' => {
                open.push(token.start);
                continue;
            }
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            _ => continue,
        };
        if let Some(place) = open.iter().rposition(|at| text[*at] == partner) {
            closed.push(open[place]..token.end);
            open.truncate(place);
        }
    }
    // Depth counts balanced blocks only, so it is known once all are closed.
    closed.sort_unstable_by_key(|block| block.start);
    let mut around: Vec<usize> = Vec::new();
    let mut blocks = Vec::with_capacity(closed.len());
    for block in closed {
        while around.last().is_some_and(|end| *end <= block.start) {
            around.pop();
        }
        blocks.push((around.len(), block.clone()));
        around.push(block.end);
    }
    blocks
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
            // A blank costs what the bracket cost in bytes, but no token.
            let glue = lexer::would_glue(left, text.get(at + 1));
            Edit { range: at..at + 1, with: if glue { b" "[..].into() } else { Box::default() } }
        };
        Candidate::new(text, brackets.into_iter().map(edit).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::units::tests::check;

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
        assert_eq!(super::all_blocks(&text).len(), n);
    }
}
