//! Whether a candidate still parses. The parser decides if a content model accepts too much.

use std::any::Any;

use crate::text::Candidate;

use super::Tree;
use super::dialect::Learned;

impl Tree {
    /// Whether a candidate parses with no more errors than the text has. Always true if the parser
    /// accepts any text.
    pub fn still_parses(&self, candidate: &Candidate) -> bool {
        self.parser().still_parses(self, candidate)
    }

    /// Whether a candidate still parses, for a parser without a faster way to find out: parses the candidate from
    /// scratch, islands included, and counts the errors.
    pub fn parses_from_scratch(&self, candidate: &Candidate) -> bool {
        let errors = |tree: &Tree| tree.ids().filter(|node| tree.is_error(*node)).count();
        let text = candidate.text().clone();
        errors(&Tree::grow(&text, self.parser(), &Learned::default())) <= errors(self)
    }

    /// Whether there is text that a parser does not understand.
    pub fn has_errors(&self) -> bool {
        self.ids().any(|node| self.is_error(node))
    }

    /// The number of bytes that a parser does not understand.
    pub fn erroneous(&self) -> usize {
        let mut bytes = 0;
        let mut end = 0;
        for range in self.ids().filter(|node| self.is_error(*node)).map(|node| self.range(node)) {
            // Errors may be nested.
            bytes += range.end.saturating_sub(range.start.max(end));
            end = end.max(range.end);
        }
        bytes
    }

    /// Whether there are parts in other languages whose parsers are strict.
    pub fn has_strict_islands(&self) -> bool {
        self.dialects[1..].iter().any(|dialect| dialect.parser().is_strict())
    }

    /// The data that the parser keeps about the text to answer questions, made on first use.
    ///
    /// # Panics
    ///
    /// If the data has another type: only the parser of the tree may call this.
    pub fn remember<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> &T {
        let memory = self.memory.get_or_init(|| Box::new(make()));
        memory.downcast_ref().expect("a parser remembers one thing about a tree")
    }
}
