//! Indentation blocks: a line and all the lines below it that are indented deeper.
//!
//! Blank lines belong to the block above them. A tab counts as one column: only comparisons within a file matter. A
//! line with only closing brackets ends the block of its opening line, so it belongs to that block.

use std::ops::Range;

use super::lines::line_ends;
use super::{Atoms, Spans, some};

pub(super) fn indents(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    let mut blocks: Vec<(usize, Range<usize>)> = Vec::new();
    // The blocks that are still open, as (column, index): each deeper than the one before.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut start = 0;
    for end in line_ends(text) {
        let line = &text[start..end];
        if let Some(at) = column(line) {
            while let Some((_, block)) = open.pop_if(|(column, _)| *column > at) {
                blocks[block].1.end = start;
            }
            let same = open.last().is_some_and(|(column, _)| *column == at);
            if !(same && closes(line)) {
                if let Some((_, block)) = open.pop_if(|_| same) {
                    blocks[block].1.end = start;
                }
                blocks.push((open.len(), start..text.len()));
                open.push((at, blocks.len() - 1));
            }
        }
        start = end;
    }
    let at_level = blocks.into_iter().filter(|(depth, _)| *depth == level);
    some(Spans(at_level.map(|(_, block)| block).collect()))
}

/// The column of the first character, if the line has one.
fn column(line: &[u8]) -> Option<usize> {
    line.iter().position(|byte| !byte.is_ascii_whitespace())
}

fn closes(line: &[u8]) -> bool {
    line.iter().all(|byte| byte.is_ascii_whitespace() || b")]};,".contains(byte))
}

#[cfg(test)]
mod tests {
    use crate::reduce::units::tests::check;

    #[test]
    fn a_line_goes_with_what_is_indented_below_it() {
        let text = "def f:\n  a\n  if b:\n    c\n\nd\n";
        check("indents", 0, text, &["d\n", "def f:\n  a\n  if b:\n    c\n\n"]);
        check("indents", 1, text, &["def f:\n  if b:\n    c\n\nd\n", "def f:\n  a\nd\n"]);
        check("indents", 2, text, &["def f:\n  a\n  if b:\nd\n"]);
        check("indents", 3, text, &[]);
    }

    #[test]
    fn a_closing_bracket_goes_with_its_block() {
        let text = "f {\n  a;\n}\ng;\n";
        check("indents", 0, text, &["g;\n", "f {\n  a;\n}\n"]);
    }

    #[test]
    fn blank_lines_alone_make_no_block() {
        check("indents", 0, "\n\n", &[]);
    }
}
