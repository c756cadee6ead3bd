//! Trees with grammar knowledge: which parts of a text can be removed, and which can replace others.
//!
//! ```
//! # if !lop_languages::is_bundled("c") { return }
//! use std::sync::Arc;
//! use lop::tree::{Change, Format, Tree};
//!
//! let text = Arc::new(b"int f(void) { if (1) { g(); } return 0; }".to_vec());
//! let tree = Tree::parse(&text, &Format::named("c").unwrap());
//!
//! // Statements may be removed, and a block may replace the block around it.
//! let block = tree.ids().find(|node| tree.name(*node) == "compound_statement").unwrap();
//! let statements: Vec<_> = tree.children(block).filter(|node| tree.may_cut(*node, *node)).collect();
//! assert_eq!(statements.len(), 2);
//! let inner = tree.hoistable(block).next().unwrap();
//! assert_eq!(tree.text_of(inner), b"{ g(); }");
//!
//! let candidate = tree.candidate(&[Change::hoist(block, inner)]);
//! assert_eq!(candidate.bytes(), b"int f(void) { g(); }");
//! ```
//!
//! A tree is an arena in pre-order: the descendants of a node are the nodes right after it, so that no walk needs
//! recursion, however deep the nesting. Every node has a range of the text; the text between the leaves is layout, and
//! stays where its neighbours stay. A tree loses no byte of the text: leaves and the gaps between them concatenate to
//! it, even where the parser does not understand it.
//!
//! The content model of the rule that made a node decides which children it may have (see [`lop_grammar`]), or to a
//! learned model that overlays the grammar ([`Format::with_models`]). Where a text has no grammar, or does not follow
//! it, the tree consists of brackets and lines.
//!
//! Trees are made by a [`Parser`]. Those of tree-sitter and of some plain formats come with lop.

mod antlr;
mod arena;
mod builder;
mod changes;
mod containers;
mod corpus;
mod dialect;
mod files;
mod format;
mod formats;
mod gauge;
mod layout;
mod matching;
mod minimal;
mod outline;
mod parser;
mod questions;
mod series;
mod stand_ins;
mod style;
mod surroundings;
mod tree_sitter;
mod usage;
mod validity;
mod view;

use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use lop_grammar::Label;

use crate::text::Text;

use arena::{Content, Node};
use dialect::{Dialect, Learned};
use minimal::Minimals;

pub use antlr::{AntlrError, AntlrIsland, AntlrOptions};
pub use arena::NodeId;
pub use builder::{Builder, Field, Opened};
pub use changes::Change;
pub use containers::{CONTAINERS, Container};
pub use corpus::Corpus;
pub use dialect::Kind;
pub(crate) use files::FileNode;
pub use format::{FORMATS, Format, PlainFormat};
pub use parser::{Match, Parser, Pattern, PatternError};
pub use series::Series;
pub use stand_ins::StandIns;
pub use style::Style;
pub use usage::{EdgeUse, LabelUse, ModelError, Usage};
pub use view::{Role, View, ViewId, Views};

/// A text as a tree.
pub struct Tree {
    text: Text,
    /// In pre-order; the first is the root.
    nodes: Vec<Node>,
    /// The languages of its parts; the first is that of the root.
    dialects: Vec<Dialect>,
    /// The names of the fields of nodes.
    fields: Vec<String>,
    minimals: Minimals,
    /// The data that the parser keeps about the text.
    memory: OnceLock<Box<dyn Any + Send + Sync>>,
    /// The starts of the lines.
    lines: OnceLock<Vec<usize>>,
}

impl Tree {
    /// The longest text that has a tree.
    pub const LONGEST: usize = u32::MAX as usize;

    /// Parses a text. Parts that the parser does not understand become brackets, lines and tokens.
    ///
    /// # Panics
    ///
    /// If the text is longer than [`Tree::LONGEST`].
    pub fn parse(text: &Text, format: &Format) -> Tree {
        assert!(text.len() <= Tree::LONGEST, "a text of {} bytes has no tree", text.len());
        format.parse(text)
    }

    /// The tree that a parser makes, with learned knowledge about its language.
    fn grow(text: &Text, parser: &Arc<dyn Parser>, learned: &Learned) -> Tree {
        let (mut nodes, dialects, fields) = Builder::new(text, learned).grow(parser);
        matching::match_all(&mut nodes, &dialects);
        Tree {
            text: text.clone(),
            nodes,
            dialects,
            fields,
            minimals: Minimals::default(),
            memory: OnceLock::new(),
            lines: OnceLock::new(),
        }
    }

    /// The text.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The parser that made this tree.
    pub fn parser(&self) -> &Arc<dyn Parser> {
        self.dialects[0].parser()
    }

    /// The parsers of all parts of the text.
    pub(crate) fn parsers(&self) -> impl Iterator<Item = &Arc<dyn Parser>> {
        self.dialects.iter().map(Dialect::parser)
    }

    /// The parser that made a node.
    pub(crate) fn parser_of(&self, node: NodeId) -> &Arc<dyn Parser> {
        self.dialect(self.kind(node)).0.parser()
    }

    /// The matches of a pattern of the parser with this name, in the whole text or in the parts in its language.
    pub(crate) fn matches(&self, parser: &str, pattern: &Pattern) -> Vec<Match> {
        if self.parser().name() == parser {
            return self.parser().matches(self, pattern);
        }
        let parts = self.parser().parts(self).into_iter();
        let parts = parts.filter(|(_, part)| part.parser().name() == parser);
        let found = parts.flat_map(|(start, part)| {
            let found = part.parser().matches(part, pattern).into_iter();
            found.map(move |captures| {
                let shift = |(index, range): (usize, Range<usize>)| {
                    (index, start + range.start..start + range.end)
                };
                captures.into_iter().map(shift).collect()
            })
        });
        found.collect()
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// All nodes, parents before their children, from left to right.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: every tree has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A node's children, from left to right.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        let children = node.0 + 1..self.node(node).next;
        arena::siblings(children, |child| self.nodes[child as usize].next).map(NodeId)
    }

    /// Siblings from the first to the last.
    pub fn siblings(&self, first: NodeId, last: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let siblings = first.0..self.node(last).next;
        arena::siblings(siblings, |node| self.nodes[node as usize].next).map(NodeId)
    }

    /// The descendants of a node, in pre-order.
    pub fn descendants(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (node.0 + 1..self.node(node).next).map(NodeId)
    }

    /// The parent of a node; the root has none.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node.0 > 0).then(|| NodeId(self.node(node).parent))
    }

    /// Whether a node has no children.
    pub fn is_leaf(&self, node: NodeId) -> bool {
        self.node(node).next == node.0 + 1
    }

    /// The range of a node in the text.
    pub fn range(&self, node: NodeId) -> Range<usize> {
        self.node(node).start as usize..self.node(node).end as usize
    }

    /// A node's part of the text.
    pub fn text_of(&self, node: NodeId) -> &[u8] {
        &self.text[self.range(node)]
    }

    /// The highest node with this range, if there is one.
    pub fn node_at(&self, range: &Range<usize>) -> Option<NodeId> {
        self.starting_at(range.start).find(|node| self.range(*node).end == range.end)
    }

    /// The nodes that begin at a place, the highest first.
    pub fn starting_at(&self, start: usize) -> impl Iterator<Item = NodeId> + '_ {
        let first = self.nodes.partition_point(|node| (node.start as usize) < start);
        let starting = (first as u32..self.nodes.len() as u32).map(NodeId);
        starting.take_while(move |node| self.range(*node).start == start)
    }

    /// The text from left to right: its leaves, and the gaps between them, which are layout.
    pub fn pieces(&self) -> impl Iterator<Item = (Option<NodeId>, Range<usize>)> + '_ {
        let leaves = self.ids().filter(|node| self.is_leaf(*node));
        let ends = leaves.map(|leaf| (Some(leaf), self.range(leaf)));
        let end = self.text.len();
        let mut at = 0;
        ends.chain([(None, end..end)]).flat_map(move |(leaf, range)| {
            let gap = (None, at..range.start);
            at = range.end;
            [gap, (leaf, range)]
                .into_iter()
                .filter(|(leaf, range)| leaf.is_some() || !range.is_empty())
        })
    }

    /// The line and the column of a place in the text, both from 0.
    pub fn position(&self, at: usize) -> (usize, usize) {
        let lines = self.lines.get_or_init(|| {
            let newlines = self.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect()
        });
        let line = lines.partition_point(|line| *line <= at) - 1;
        (line, at - lines[line])
    }

    /// The kind of a node: its label and its language.
    pub fn kind(&self, node: NodeId) -> Kind {
        self.node(node).kind
    }

    /// The name of a node's label; empty for text without a node in the grammar.
    pub fn name(&self, node: NodeId) -> &str {
        let (dialect, label) = self.dialect(self.kind(node));
        dialect.grammar().label_name(label)
    }

    /// Whether a node's label is the name of a rule, not the text of a token.
    pub fn is_named(&self, node: NodeId) -> bool {
        let (dialect, label) = self.dialect(self.kind(node));
        dialect.grammar().is_named(label)
    }

    /// The field under which a node's parent holds it, if there is one: for example, the `condition` of an `if`.
    pub fn field(&self, node: NodeId) -> Option<&str> {
        self.field_name(self.node(node).field)
    }

    fn field_name(&self, field: Field) -> Option<&str> {
        field.index().map(|index| self.fields[index].as_str())
    }

    /// Examples to learn models from, in the form of [`lop_grammar::Overlay::learned`]: the label of each node that has children and is in the language
    /// of the root, with the labels of these children.
    /// Comments are left out, and so are nodes that touch an error.
    pub fn examples(&self) -> impl Iterator<Item = (Label, Vec<Label>)> + '_ {
        let label = |node: NodeId| {
            let (dialect, label) = self.dialect(self.kind(node));
            std::ptr::eq(dialect, &self.dialects[0]).then_some(label)
        };
        let inner = self.ids().filter(|node| !self.is_leaf(*node) && !self.is_error(*node));
        inner.filter_map(move |node| {
            let children = self.children(node).filter(|child| !self.is_extra(*child));
            let word = children.map(|child| label(child).filter(|_| !self.is_error(child)));
            Some((label(node)?, word.collect::<Option<_>>()?))
        })
    }

    /// Whether a node is allowed anywhere, as comments are.
    pub fn is_extra(&self, node: NodeId) -> bool {
        self.node(node).is_extra()
    }

    /// Whether a node is text that the parser does not understand, or a token that it invented.
    pub fn is_error(&self, node: NodeId) -> bool {
        self.node(node).is_error()
    }

    /// Whether the content model of its rule accepts a node's children; `None` for a node that has
    /// no model, or that touches an error.
    pub fn is_matched(&self, node: NodeId) -> Option<bool> {
        let touched =
            || self.is_error(node) || self.children(node).any(|child| self.is_error(child));
        if self.is_leaf(node) {
            return None;
        }
        match self.node(node).content() {
            Content::Rule(_) | Content::Overlaid => Some(true),
            Content::Opaque if !touched() => Some(false),
            Content::Opaque | Content::Free | Content::Brackets | Content::Island => None,
        }
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    fn dialect(&self, kind: Kind) -> (&Dialect, Label) {
        dialect::of(&self.dialects, kind)
    }
}
