//! Characters that are not white space: the last polish of a text whose layout should stay.
//!
//! A character of several bytes in UTF-8 is one atom; bytes that aren't UTF-8 are an atom each.

use super::{Atoms, Spans, some};

pub(super) fn characters(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    if level > 0 {
        return None;
    }
    let mut spans = Vec::new();
    let mut at = 0;
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            if !character.is_whitespace() {
                spans.push(at..at + character.len_utf8());
            }
            at += character.len_utf8();
        }
        spans.extend(
            chunk.invalid().iter().enumerate().map(|(offset, _)| at + offset..at + offset + 1),
        );
        at += chunk.invalid().len();
    }
    some(Spans(spans))
}

#[cfg(test)]
mod tests {
    use crate::reduce::units::tests::check;

    #[test]
    fn characters_go_whole_and_white_space_stays() {
        check("characters", 0, "a é\n", &[" é\n", "a \n"]);
        check("characters", 0, " \n", &[]);
    }
}
