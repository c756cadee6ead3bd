//! Tokens of the language-agnostic lexer.
//!
//! White space belongs to no atom. If tokens are removed, one of the gaps stays: the last one with a line break if
//! there is any, so that a line does not run into the next, else the shorter of those on both sides. A blank is
//! inserted where two words would glue.

use std::ops::Range;

use crate::search::Subset;
use crate::text::lexer;
use crate::text::{Candidate, Edit, Text};

use super::{Atoms, some};

pub(super) fn tokens(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    (level == 0).then(|| Tokens(lexer::tokens(text).collect())).and_then(some)
}

struct Tokens(Vec<Range<usize>>);

impl Tokens {
    /// The white space before a token; for the index past the end, the white space after the last token.
    fn gap(&self, text: &Text, token: usize) -> Range<usize> {
        let start = if token == 0 { 0 } else { self.0[token - 1].end };
        start..self.0.get(token).map_or(text.len(), |next| next.start)
    }

    /// Replaces tokens and the gaps around them by the one gap that stays.
    fn cut(&self, text: &Text, gone: Range<usize>) -> Edit {
        let range = self.gap(text, gone.start).start..self.gap(text, gone.end).end;
        let gap = |token| &text[self.gap(text, token)];
        let shorter = std::cmp::min_by_key(gap(gone.end), gap(gone.start), |gap| gap.len());
        let mut gaps = (gone.start..=gone.end).rev().map(gap);
        let stays = gaps.find(|gap| gap.contains(&b'\n')).unwrap_or(shorter);
        let left = range.start.checked_sub(1).map(|at| &text[at]);
        if range.start == 0 {
            // No token precedes: no layout is needed there.
            Edit::cut(range)
        } else if gone.end == self.len() {
            // No token follows: the text ends as it did before.
            Edit { with: gap(gone.end).into(), range }
        } else if stays.is_empty() && lexer::would_glue(left, text.get(range.end)) {
            Edit { range, with: b" "[..].into() }
        } else {
            Edit { range, with: stays.into() }
        }
    }
}

impl Atoms for Tokens {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn keep(&self, text: &Text, kept: &Subset) -> Candidate {
        Candidate::new(text, kept.gaps(self.len()).map(|gone| self.cut(text, gone)).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::reduce::units::tests::check;

    #[test]
    fn a_token_goes_with_one_of_its_gaps() {
        check("tokens", 0, "int x;\n", &["x;\n", "int;\n", "int x\n"]);
        check("tokens", 0, "a b c", &["b c", "a c", "a b"]);
    }

    #[test]
    fn words_do_not_glue() {
        check("tokens", 0, "a+b", &["+b", "a b", "a+"]);
    }

    #[test]
    fn lines_do_not_run_into_each_other() {
        check(
            "tokens",
            0,
            "#if a\nb\n  c",
            &["if a\nb\n  c", "#a\nb\n  c", "#if\nb\n  c", "#if a\n  c", "#if a\nb"],
        );
    }
}
