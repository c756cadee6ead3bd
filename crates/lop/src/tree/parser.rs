//! Parsers: each makes trees of the texts of one language or format.
//!
//! A parser reads a text and puts nodes into a [`Builder`]; its grammar answers later which children
//! a node may have. Tree-sitter's parsers are one implementation (`tree_sitter/`), the
//! formats that lop reads itself are another (`formats/`). A parser of your own needs a grammar and a
//! walk:
//!
//! ```
//! use std::sync::Arc;
//! use lop::grammar::{Grammar, Label};
//! use lop::tree::{Builder, Format, Parser, Tree};
//!
//! /// Words with blanks between them; each may be removed.
//! struct Words(Grammar);
//!
//! impl Parser for Words {
//!     fn name(&self) -> &str {
//!         "words"
//!     }
//!     fn grammar(&self) -> &Grammar {
//!         &self.0
//!     }
//!     fn is_strict(&self) -> bool {
//!         false
//!     }
//!     fn build(&self, text: &[u8], tree: &mut Builder<'_>) {
//!         let label = |name| self.0.label(name, true).unwrap_or(Label::ERROR);
//!         tree.open(label("words"), 0);
//!         for word in text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
//!             let start = word.as_ptr() as usize - text.as_ptr() as usize;
//!             tree.leaf(label("word"), start..start + word.len());
//!         }
//!         tree.close(text.len());
//!     }
//! }
//!
//! let grammar = Grammar::parse("words", r"words = word+ ; word = /\S+/ ;").unwrap();
//! let format = Format::new(Arc::new(Words(grammar)));
//! let tree = Tree::parse(&Arc::new(b"a b".to_vec()), &format);
//! let words: Vec<_> = tree.children(tree.root()).collect();
//! assert!(tree.is_removable(words[0]) && !tree.may_cut(words[0], words[1]));
//! ```

use std::any::Any;
use std::ops::Range;

use lop_grammar::{Grammar, Label};

use crate::text::Candidate;

use super::{Builder, Tree};

/// Makes trees of texts.
pub trait Parser: Send + Sync {
    /// The name of its language or format, as in `--language`.
    fn name(&self) -> &str;

    /// The grammar that the labels of its nodes are from. Every call returns the same one.
    fn grammar(&self) -> &Grammar;

    /// Builds the nodes of a text: one root that covers the whole text, whatever it is. Each byte that isn't layout
    /// belongs to exactly one leaf. Parts that the parser does not understand become a [`Builder::region`], parts in
    /// another language a [`Builder::island`].
    fn build(&self, text: &[u8], tree: &mut Builder<'_>);

    /// Whether there are texts in which it finds errors. The grammar of a strict parser describes a language, so a node
    /// that does not follow it stays unchanged, and it makes sense to ask whether a candidate still parses. A parser
    /// that isn't strict makes a tree of any text, and where the grammar does not fit, everything except brackets can
    /// be removed.
    fn is_strict(&self) -> bool;

    /// Whether a candidate has no more errors than the text of a tree by this parser. By default the
    /// candidate is parsed from scratch.
    fn still_parses(&self, tree: &Tree, candidate: &Candidate) -> bool {
        tree.parses_from_scratch(candidate)
    }

    /// Whether it finds no error in a text; `None` if it has no faster way to know than to make a tree.
    fn accepts(&self, _text: &[u8]) -> Option<bool> {
        None
    }

    /// Whether the grammar accepts children of nodes with this label that the parser rejects, so that candidates should
    /// be parsed.
    fn is_approximate(&self, _label: Label) -> bool {
        false
    }

    /// The least text of a label, if the grammar's own isn't good enough.
    fn minimal(&self, _label: Label) -> Option<&str> {
        None
    }

    /// The characters of words besides letters and digits.
    fn joins(&self) -> &[u8] {
        b""
    }

    /// Whether white space between tokens is layout, which may change with the tokens around it.
    fn has_layout(&self) -> bool {
        true
    }

    /// Whether a result can be laid out anew: white space between tokens has no meaning. In a text of no known language
    /// it may have any meaning.
    fn can_be_laid_out(&self) -> bool {
        self.is_strict()
    }

    /// Rewrites the parts that depend on other parts of the text, such as lengths and check sums. The base of the
    /// candidate is a text of this parser's format.
    fn repair(&self, candidate: Candidate) -> Candidate {
        candidate
    }

    /// A copy of a text in which names replace numbers that depend on order, so that parts of it can be removed; `None`
    /// if there are no such numbers.
    fn named(&self, _text: &[u8]) -> Option<Vec<u8>> {
        None
    }

    /// Whether the structure of a text is brackets alone, so that the rest is unreadable without one of them.
    fn is_bracketed(&self) -> bool {
        false
    }

    /// Words that may replace an expression of any length, if its type allows it.
    fn constants(&self) -> &[&'static str] {
        &[]
    }

    /// Whether indentation makes blocks.
    fn is_indented(&self) -> bool {
        false
    }

    /// Whether its nodes are a frame around texts in other languages: they can be removed, but not replaced.
    fn is_frame(&self) -> bool {
        false
    }

    /// A part of a text that shows its kind.
    fn sample(&self, text: &[u8]) -> Range<usize> {
        0..text.len()
    }

    /// The texts within the frame, each with its place and its own tree.
    fn parts<'t>(&self, _tree: &'t Tree) -> Vec<(usize, &'t Tree)> {
        Vec::new()
    }

    /// Reads a pattern over its nodes, for rewrite rules. `None` if this parser has no patterns.
    fn pattern(&self, _pattern: &str) -> Option<Result<Pattern, PatternError>> {
        None
    }

    /// The matches of a pattern of this parser in a tree by this parser.
    fn matches(&self, _tree: &Tree, _pattern: &Pattern) -> Vec<Match> {
        Vec::new()
    }
}

/// A pattern over nodes, in the notation of the parser that read it.
pub struct Pattern {
    captures: Vec<String>,
    inner: Box<dyn Any + Send + Sync>,
}

impl Pattern {
    /// A pattern with the names of its captures and its parser's own representation.
    pub fn new(captures: Vec<String>, inner: impl Any + Send + Sync) -> Self {
        Pattern { captures, inner: Box::new(inner) }
    }

    /// The names of its captures; a [`Match`] has their indices.
    pub fn captures(&self) -> &[String] {
        &self.captures
    }

    /// The parser's own representation; `None` if it is another parser's.
    pub fn inner<T: Any>(&self) -> Option<&T> {
        self.inner.downcast_ref()
    }
}

/// The captures of one match: for each, its index and its range of the text.
pub type Match = Vec<(usize, Range<usize>)>;

/// An error in a pattern, with its place, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The line of the pattern.
    pub row: usize,
    /// The byte in that line.
    pub column: usize,
    /// The message.
    pub message: String,
}
