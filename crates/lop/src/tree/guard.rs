//! The parser's last word: does a candidate still parse?
//!
//! Asked where a content model is known to accept too much. The candidate is parsed again, with what
//! is unchanged taken over from the tree of the text, so that a look costs far less than parsing it
//! all.

use std::sync::Arc;

use tree_sitter::{InputEdit, Point};

use crate::candidate::{Candidate, Edit};

use super::{Tree, syntax};

/// The text as tree-sitter has parsed it. Parsed again when it is first needed: to keep what the tree
/// was made from would cost three times as much memory as the tree itself.
pub(super) struct Guard {
    parsed: Option<tree_sitter::Tree>,
    errors: usize,
}

impl Tree {
    /// Whether a candidate parses with no more errors than the text has. Always true for formats
    /// without a parser.
    pub fn still_parses(&self, candidate: &Candidate) -> bool {
        let Some(language) = self.dialects[0].language() else { return true };
        if self.dialects.iter().filter(|dialect| dialect.language().is_some()).count() > 1 {
            // Islands have parsers of their own, so it takes all of them.
            let text = Arc::new(candidate.bytes());
            let errors = |tree: &Tree| tree.ids().filter(|node| tree.is_error(*node)).count();
            return errors(&syntax::parse(&text, language)) <= errors(self);
        }
        let mut parser = language.parser();
        let guard = self.guard(&mut parser);
        let old = guard.parsed.clone().map(|mut old| {
            self.apply(&mut old, candidate.edits());
            old
        });
        let parsed = parser.parse(candidate.bytes(), old.as_ref());
        parsed.is_some_and(|parsed| errors(&parsed) <= guard.errors)
    }

    /// The text as tree-sitter has parsed it; `None` for formats without a parser.
    pub fn syntax(&self) -> Option<tree_sitter::Tree> {
        let mut parser = self.dialects[0].language()?.parser();
        self.guard(&mut parser).parsed.clone()
    }

    fn guard(&self, parser: &mut tree_sitter::Parser) -> &Guard {
        self.guard.get_or_init(|| {
            let parsed = parser.parse(&**self.text, None);
            Guard { errors: parsed.as_ref().map_or(0, errors), parsed }
        })
    }

    fn apply(&self, tree: &mut tree_sitter::Tree, edits: &[Edit]) {
        // From the last to the first, so that the places of those before stay as they are.
        for Edit { range, with } in edits.iter().rev() {
            let start = self.point(range.start);
            let newlines = with.iter().filter(|byte| **byte == b'\n').count();
            let last_line = with.iter().rev().take_while(|byte| **byte != b'\n').count();
            let new_end = Point {
                row: start.row + newlines,
                column: if newlines == 0 { start.column + last_line } else { last_line },
            };
            tree.edit(&InputEdit {
                start_byte: range.start,
                old_end_byte: range.end,
                new_end_byte: range.start + with.len(),
                start_position: start,
                old_end_position: self.point(range.end),
                new_end_position: new_end,
            });
        }
    }

    fn point(&self, at: usize) -> Point {
        let (row, column) = self.position(at);
        Point { row, column }
    }
}

/// How many nodes the parser could make no sense of, or has invented.
pub fn errors(tree: &tree_sitter::Tree) -> usize {
    let mut cursor = tree.walk();
    let mut errors = 0;
    loop {
        let node = cursor.node();
        errors += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return errors;
            }
        }
    }
}
