//! The parser's last word: does a candidate still parse?
//!
//! The guard asks this if a content model is known to accept too much. Tree-sitter parses the candidate and reuses the
//! unchanged parts of the tree of the text, so that this costs far less than a full parse.

use ::tree_sitter::{InputEdit, Point};
use lop_languages::{Language, errors};

use crate::text::{Candidate, Edit};
use crate::tree::Tree;

/// Tree-sitter's tree of the text. The text is parsed again when this is first needed: keeping the tree-sitter tree
/// from which our tree was made would take three times as much memory as our tree itself.
struct Parsed {
    tree: Option<::tree_sitter::Tree>,
    errors: usize,
}

pub(super) fn still_parses(language: &Language, tree: &Tree, candidate: &Candidate) -> bool {
    let text = kept(language, tree);
    let old = text.tree.clone().map(|mut old| {
        apply(&mut old, tree, candidate.edits());
        old
    });
    let parsed = language.parser().parse(candidate.text().as_slice(), old.as_ref());
    parsed.is_some_and(|parsed| errors(&parsed) <= text.errors)
}

/// Tree-sitter's tree of the text of our tree.
pub(super) fn parsed<'t>(language: &Language, tree: &'t Tree) -> Option<&'t ::tree_sitter::Tree> {
    kept(language, tree).tree.as_ref()
}

fn kept<'t>(language: &Language, tree: &'t Tree) -> &'t Parsed {
    tree.remember(|| {
        let parsed = language.parser().parse(&**tree.text(), None);
        Parsed { errors: parsed.as_ref().map_or(0, errors), tree: parsed }
    })
}

fn apply(old: &mut ::tree_sitter::Tree, tree: &Tree, edits: &[Edit]) {
    // From the last to the first, so that the places of earlier edits stay the same.
    for Edit { range, with } in edits.iter().rev() {
        let start = point(tree, range.start);
        let newlines = with.iter().filter(|byte| **byte == b'\n').count();
        let last_line = with.iter().rev().take_while(|byte| **byte != b'\n').count();
        let new_end = Point {
            row: start.row + newlines,
            column: if newlines == 0 { start.column + last_line } else { last_line },
        };
        old.edit(&InputEdit {
            start_byte: range.start,
            old_end_byte: range.end,
            new_end_byte: range.start + with.len(),
            start_position: start,
            old_end_position: point(tree, range.end),
            new_end_position: new_end,
        });
    }
}

fn point(tree: &Tree, at: usize) -> Point {
    let (row, column) = tree.position(at);
    Point { row, column }
}
