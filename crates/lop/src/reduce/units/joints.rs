//! White space between words, line ends included: without it, the words are joined into one. Other white space is
//! layout, which helps people to read the result.

use crate::text::lexer;

use super::{Atoms, Spans, some};

pub(super) fn joints(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    if level > 0 {
        return None;
    }
    let tokens: Vec<_> = lexer::tokens(text).collect();
    let gaps = tokens.windows(2).map(|pair| pair[0].end..pair[1].start);
    let is_joint = |gap: &std::ops::Range<usize>| {
        !gap.is_empty() && lexer::would_glue(text.get(gap.start - 1), text.get(gap.end))
    };
    some(Spans(gaps.filter(is_joint).collect()))
}

#[cfg(test)]
mod tests {
    use crate::reduce::units::tests::check;

    #[test]
    fn words_are_joined_and_other_layout_stays() {
        check("joints", 0, "a b\n  c;\nd", &["ab\n  c;\nd", "a bc;\nd"]);
        check("joints", 1, "a b", &[]);
    }
}
