//! The builder of trees: a parser puts nodes into it, one after the other.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use lop_grammar::{Label, RuleId};

use super::arena::{Content, Flags, Node};
use super::dialect::{self, Dialect, Kind, Learned};
use super::format::PlainFormat;
use super::formats;
use super::outline::Cluster;
use super::parser::Parser;

/// Takes the nodes of a tree in pre-order. A parser sees its own text only: it counts all places from
/// the beginning of that text.
pub struct Builder<'t> {
    text: &'t [u8],
    nodes: Vec<Node>,
    /// The nodes that are open, the innermost last.
    open: Vec<u32>,
    dialects: Vec<Dialect>,
    fields: Fields,
    learned: &'t Learned,
    /// The part of the text that is being parsed, and its language.
    start: usize,
    dialect: usize,
}

/// A field under which a node is held by its parent, within one tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Field(u16);

/// A new node, which can get further attributes.
pub struct Opened<'b> {
    node: &'b mut Node,
}

impl Opened<'_> {
    /// The rule that made it. A hint: this rule is tried before the others that make nodes of this label.
    pub fn rule(self, rule: Option<RuleId>) -> Self {
        self.node.set_content(rule.map_or(Content::Opaque, Content::Rule));
        self
    }

    /// Whether it is allowed anywhere, as comments are.
    pub fn extra(self, is_extra: bool) -> Self {
        self.flag(Flags::EXTRA, is_extra)
    }

    /// Whether it is text that the parser does not understand, or a token that it invented.
    pub fn error(self, is_error: bool) -> Self {
        self.flag(Flags::ERROR, is_error)
    }

    /// The field under which its parent holds it (see [`Builder::field`]).
    pub fn under(self, field: Field) -> Self {
        self.node.field = field;
        self
    }

    fn flag(self, flag: Flags, is_set: bool) -> Self {
        self.node.flags = self.node.flags.with(flag.when(is_set));
        self
    }
}

impl<'t> Builder<'t> {
    pub(super) fn new(text: &'t [u8], learned: &'t Learned) -> Self {
        Builder {
            text,
            nodes: Vec::new(),
            open: Vec::new(),
            dialects: Vec::new(),
            fields: Fields::default(),
            learned,
            start: 0,
            dialect: 0,
        }
    }

    /// Begins a child of the innermost open node.
    pub fn open(&mut self, label: Label, start: usize) -> Opened<'_> {
        let dialect = &self.dialects[self.dialect];
        debug_assert!(usize::from(label.0) < dialect.grammar().label_count());
        let kind = dialect.kind(label);
        self.open_kind(kind, start)
    }

    /// Ends the node that was opened last.
    pub fn close(&mut self, end: usize) {
        let Some(id) = self.open.pop() else { return debug_assert!(false, "a node is open") };
        let next = self.nodes.len() as u32;
        let end = (self.start + end) as u32;
        let node = &mut self.nodes[id as usize];
        debug_assert!(node.start <= end);
        (node.end, node.next) = (end, next);
    }

    /// Adds a node without children.
    pub fn leaf(&mut self, label: Label, range: Range<usize>) -> Opened<'_> {
        self.open(label, range.start);
        let node = self.nodes.len() - 1;
        self.close(range.end);
        Opened { node: &mut self.nodes[node] }
    }

    /// The field with this name. There are at most 65,535; a node under any further field counts as under none.
    pub fn field(&mut self, name: &str) -> Field {
        self.fields.intern(name)
    }

    /// Adds a part of the text that the parser does not understand: brackets, lines and tokens, below a node
    /// that is an error.
    pub fn region(&mut self, range: Range<usize>) {
        self.open(Label::ERROR, range.start).error(true);
        let outer = (self.start, self.dialect);
        if let Some(dialect) = self.add(&formats::text_parser()) {
            (self.start, self.dialect) = (self.start + range.start, dialect);
            let text = &self.text[self.start..outer.0 + range.end];
            formats::put(PlainFormat::TEXT, text, 0, self);
            (self.start, self.dialect) = outer;
        }
        self.close(range.end);
    }

    /// Puts the tree of another language below the open node, whose text is in that language. If there is no room for
    /// the labels of that language, nothing is added, and `false` is returned.
    pub fn island(&mut self, range: Range<usize>, parser: &Arc<dyn Parser>) -> bool {
        let range = self.start + range.start..self.start + range.end;
        let dialect = self.add(parser);
        if let Some(dialect) = dialect {
            self.set_content(Content::Island);
            self.graft(range, dialect);
        }
        dialect.is_some()
    }

    /// Lets a parser build the root of a tree, and everything below it.
    pub(super) fn grow(
        mut self,
        parser: &Arc<dyn Parser>,
    ) -> (Vec<Node>, Vec<Dialect>, Vec<String>) {
        let dialect = self.add(parser).expect("there is room for the labels of one grammar");
        self.graft(0..self.text.len(), dialect);
        (self.nodes, self.dialects, self.fields.names)
    }

    fn graft(&mut self, part: Range<usize>, dialect: usize) {
        let outer = (self.start, self.dialect);
        let (first, depth) = (self.nodes.len(), self.open.len());
        (self.start, self.dialect) = (part.start, dialect);
        let text = &self.text[part];
        let parser = self.dialects[dialect].parser().clone();
        parser.build(text, self);
        debug_assert_eq!(self.open.len(), depth, "{} closes what it opens", parser.name());
        while self.open.len() > depth {
            self.close(text.len());
        }
        if self.nodes.len() == first {
            // The parser added no node, but every tree needs a root.
            self.region(0..text.len());
        }
        (self.start, self.dialect) = outer;
    }

    fn add(&mut self, parser: &Arc<dyn Parser>) -> Option<usize> {
        dialect::add(&mut self.dialects, parser, self.learned)
    }

    /// Makes room for `count` more nodes.
    pub(super) fn reserve(&mut self, count: usize) {
        self.nodes.reserve(count);
    }

    /// Begins brackets or lines in a part that the parser does not understand.
    pub(super) fn open_cluster(&mut self, cluster: Cluster, start: usize) {
        let (label, content) = match cluster {
            Cluster::Group(_) => ("group", Content::Brackets),
            Cluster::Line => ("line", Content::Free),
            Cluster::Block | Cluster::Pair | Cluster::Statement | Cluster::Section => {
                ("block", Content::Free)
            }
        };
        let parser = formats::text_parser();
        let label = parser.grammar().label(label, true).unwrap_or(Label::ERROR);
        // If there is no room for the labels of brackets and lines, it is just an error.
        let kind = match self.add(&parser) {
            Some(dialect) => self.dialects[dialect].kind(label),
            None => self.dialects[self.dialect].kind(Label::ERROR),
        };
        self.open_kind(kind, start).node.set_content(content);
    }

    /// The name of the label of the open node's parent.
    pub(super) fn outer_name(&self) -> Option<&str> {
        let outer = self.open.len().checked_sub(2)?;
        let kind = self.nodes[self.open[outer] as usize].kind;
        let (dialect, label) = dialect::of(&self.dialects, kind);
        Some(dialect.grammar().label_name(label))
    }

    fn open_kind(&mut self, kind: Kind, start: usize) -> Opened<'_> {
        let id = self.nodes.len();
        let parent = self.open.last().copied().unwrap_or(0);
        self.nodes.push(Node::new(kind, parent, self.start + start));
        self.open.push(id as u32);
        Opened { node: &mut self.nodes[id] }
    }

    fn set_content(&mut self, content: Content) {
        if let Some(id) = self.open.last() {
            self.nodes[*id as usize].set_content(content);
        }
    }
}

/// The fields of a tree.
#[derive(Default)]
struct Fields {
    names: Vec<String>,
    numbers: HashMap<String, Field>,
}

impl Fields {
    fn intern(&mut self, name: &str) -> Field {
        if let Some(field) = self.numbers.get(name) {
            return *field;
        }
        let Ok(number) = u16::try_from(self.names.len() + 1) else { return Field::default() };
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), Field(number));
        Field(number)
    }
}

impl Field {
    /// Its index among the names of a tree's fields; `None` if it isn't a field.
    pub(super) fn index(self) -> Option<usize> {
        usize::from(self.0).checked_sub(1)
    }
}
