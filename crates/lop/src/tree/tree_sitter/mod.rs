//! Tree-sitter's parsers. No other module knows tree-sitter.

mod build;
mod llvm;
mod reparse;

use std::sync::Arc;

use ::tree_sitter::{Query, QueryCursor, StreamingIterator};
use lop_grammar::{Grammar, Label};
use lop_languages::{Language, Layout};

use crate::text::Candidate;

use super::{Builder, Match, Parser, Pattern, PatternError, Tree};

/// A language's parser.
pub(super) struct TreeSitter {
    language: Arc<Language>,
}

impl TreeSitter {
    pub(super) fn new(language: Arc<Language>) -> Self {
        TreeSitter { language }
    }
}

impl Parser for TreeSitter {
    fn name(&self) -> &str {
        self.language.name()
    }

    fn grammar(&self) -> &Grammar {
        self.language.grammar()
    }

    fn build(&self, text: &[u8], tree: &mut Builder<'_>) {
        build::build(&self.language, text, tree);
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn still_parses(&self, tree: &Tree, candidate: &Candidate) -> bool {
        // Islands have their own parsers, all of which must be asked.
        match tree.has_strict_islands() {
            true => tree.parses_from_scratch(candidate),
            false => reparse::still_parses(&self.language, tree, candidate),
        }
    }

    fn accepts(&self, text: &[u8]) -> Option<bool> {
        // Islands have their own parsers.
        self.language.islands().is_empty().then(|| self.language.errors_in(text) == 0)
    }

    fn is_approximate(&self, label: Label) -> bool {
        self.language.is_approximate(label)
    }

    fn minimal(&self, label: Label) -> Option<&str> {
        self.language.minimal(label)
    }

    fn named(&self, text: &[u8]) -> Option<Vec<u8>> {
        if self.language.name() == "llvm" { llvm::named(text) } else { None }
    }

    fn joins(&self) -> &[u8] {
        self.language.joins().as_bytes()
    }

    fn is_indented(&self) -> bool {
        matches!(self.language.layout(), Layout::Indented(_))
    }

    /// Patterns are tree-sitter's queries.
    fn pattern(&self, pattern: &str) -> Option<Result<Pattern, PatternError>> {
        let query = self.language.query(pattern).map_err(|error| {
            let message = error.to_string();
            // Tree-sitter's message repeats the place and draws it; one line is enough.
            let message = message.split_once(". ").map_or(message.as_str(), |(_, rest)| rest);
            let message = message.lines().next().unwrap_or("this is not a query").to_owned();
            PatternError { row: error.row, column: error.column, message }
        });
        Some(query.map(|query| {
            let names = query.capture_names().iter().map(|name| (*name).to_owned()).collect();
            Pattern::new(names, query)
        }))
    }

    fn matches(&self, tree: &Tree, pattern: &Pattern) -> Vec<Match> {
        let Some(query) = pattern.inner::<Query>() else { return Vec::new() };
        let Some(parsed) = reparse::parsed(&self.language, tree) else { return Vec::new() };
        let mut cursor = QueryCursor::new();
        let mut found = cursor.matches(query, parsed.root_node(), tree.text().as_slice());
        let mut all = Vec::new();
        while let Some(found) = found.next() {
            let captures = found.captures.iter();
            let capture = |capture: &::tree_sitter::QueryCapture<'_>| {
                (capture.index as usize, capture.node.byte_range())
            };
            all.push(captures.map(capture).collect());
        }
        all
    }
}
