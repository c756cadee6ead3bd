//! From tree-sitter's tree to ours.
//!
//! What differs: text that belongs to no node of theirs, because the grammar gives its token no
//! name, becomes a leaf, so that nothing but layout is ever outside of a leaf. What the parser could
//! make no sense of is put into brackets and lines. A leaf in another language gets the tree of that
//! language below it.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use lop_grammar::Label;
use lop_languages::Language;
use regex::bytes::Regex;
use tree_sitter::TreeCursor;

use crate::candidate::Text;

use super::Tree;
use super::arena::{Builder, Content, Flags, Node};
use super::dialect::{self, Dialect, Knowledge};
use super::formats;
use super::outline::{self, Item, Role, Shape, Step};

/// Parses a text in a language.
pub(super) fn parse(text: &Text, language: &Arc<Language>) -> Tree {
    let mut growth = Growth { text, builder: Builder::default(), dialects: Vec::new() };
    growth.grow(0..text.len(), language);
    Tree::new(text, growth.builder.nodes, growth.dialects)
}

/// A tree that is being made.
struct Growth<'a> {
    text: &'a [u8],
    builder: Builder,
    dialects: Vec<Dialect>,
}

/// A node of tree-sitter's whose children are being visited.
struct Frame {
    /// Up to where the text belongs to children, or is known to be layout.
    covered: usize,
    /// Where the node ends.
    end: usize,
    /// For what is not understood: how its children are put into brackets and lines.
    plan: Option<std::vec::IntoIter<Step>>,
}

impl Growth<'_> {
    /// Adds the tree of a part of the text.
    fn grow(&mut self, part: Range<usize>, language: &Arc<Language>) {
        let index = dialect::add(&mut self.dialects, Knowledge::Language(language.clone()));
        let Some(parsed) = language.parser().parse(&self.text[part.clone()], None) else {
            // Only a parser without a language or with a time limit gives up.
            return debug_assert!(false, "parsing does not fail");
        };
        let blank = Blank::new(language);
        self.builder.nodes.reserve(parsed.root_node().descendant_count());
        let mut cursor = parsed.walk();
        let mut frames: Vec<Frame> = Vec::new();
        loop {
            let node = cursor.node();
            // The root has all of the text, also what the parser passes over before and after it.
            let range = match frames.is_empty() {
                true => part.clone(),
                false => part.start + node.start_byte()..part.start + node.end_byte(),
            };
            if let Some(frame) = frames.last_mut() {
                self.gap(frame, range.start, &blank, index);
                self.open_planned(frame, range.start);
            }
            let kind = self.dialects[index].kind(language.label(node.kind_id()));
            let hint = language.rule(node.grammar_id());
            self.builder.open(Node {
                content: hint.map_or(Content::Opaque, Content::Rule),
                flags: Flags::EXTRA
                    .when(node.is_extra())
                    .with(Flags::ERROR.when(node.is_error() || node.is_missing())),
                ..Node::new(kind, range.start)
            });
            let plan = node.is_error().then(|| self.plan(&cursor).into_iter());
            let first = cursor.goto_first_child();
            if first {
                frames.push(Frame { covered: range.start, end: range.end, plan });
                continue;
            }
            self.island(&cursor, &range, language);
            self.close(&mut frames, range.end);
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                let Some(mut frame) = frames.pop() else { return };
                let end = frame.end;
                self.gap(&mut frame, end, &blank, index);
                self.close(&mut frames, end);
            }
        }
    }

    /// Ends a node, and what was planned to end with it.
    fn close(&mut self, frames: &mut [Frame], end: usize) {
        self.builder.close(end);
        let Some(frame) = frames.last_mut() else { return };
        frame.covered = frame.covered.max(end);
        let Some(plan) = &mut frame.plan else { return };
        while plan.as_slice().first() == Some(&Step::Close) {
            plan.next();
            self.builder.close(end);
        }
    }

    /// Begins what was planned to begin with the next child.
    fn open_planned(&mut self, frame: &mut Frame, start: usize) {
        let Some(plan) = &mut frame.plan else { return };
        while let Some(Step::Open(shape)) = plan.next() {
            let grammar = formats::text_grammar();
            let index = dialect::add(&mut self.dialects, Knowledge::Plain(grammar));
            let (label, content) = match shape {
                Shape::Group(_) => ("group", Content::Brackets),
                Shape::Line => ("line", Content::Free),
                Shape::Block | Shape::Pair => ("block", Content::Free),
            };
            let label = grammar.label(label, true).unwrap_or(Label::ERROR);
            let kind = self.dialects[index].kind(label);
            self.builder.open(Node { content, ..Node::new(kind, start) });
        }
    }

    /// Puts the children of what is not understood into brackets and lines.
    fn plan(&self, cursor: &TreeCursor<'_>) -> Vec<Step> {
        let node = cursor.node();
        let mut children = node.walk();
        let items: Vec<Item> = node
            .children(&mut children)
            .map(|child| Item {
                rows: (child.start_position().row, child.end_position().row),
                column: child.start_position().column,
                role: if child.is_named() {
                    Role::Plain
                } else {
                    Role::of(child.kind().as_bytes())
                },
            })
            .collect();
        outline::outline(&items, outline::lines)
    }

    /// Makes a leaf of the text before the next child, if it is more than layout.
    fn gap(&mut self, frame: &mut Frame, until: usize, blank: &Blank<'_>, dialect: usize) {
        let gap = frame.covered..until.max(frame.covered);
        let text = &self.text[gap.clone()];
        frame.covered = gap.end;
        if text.iter().all(u8::is_ascii_whitespace) || blank.is(text) {
            return;
        }
        let is_blank = u8::is_ascii_whitespace;
        let leading = text.iter().take_while(|byte| is_blank(byte)).count();
        let trailing = text.iter().rev().take_while(|byte| is_blank(byte)).count();
        let kind = self.dialects[dialect].kind(Label::TEXT);
        self.builder.leaf(Node::new(kind, gap.start + leading), gap.end - trailing);
    }

    /// Puts the tree of another language below the node that is open, if its text is in one.
    fn island(&mut self, cursor: &TreeCursor<'_>, range: &Range<usize>, language: &Language) {
        if language.islands().is_empty() || range.is_empty() {
            return;
        }
        let inside = self.builder.outer_kind().map(|kind| {
            let (dialect, label) = dialect::of(&self.dialects, kind);
            dialect.grammar().label_name(label)
        });
        let node = cursor.node().kind();
        let mut islands = language.islands().iter();
        let island = islands.find(|island| island.node == node && inside == Some(island.inside));
        if let Some(other) = island.and_then(|island| lop_languages::find(island.language)) {
            self.builder.set_content(Content::Island);
            self.grow(range.clone(), &other);
        }
    }
}

/// What a language takes for layout besides white space. Few texts have any, so the expression is made
/// when it is first needed.
struct Blank<'a> {
    language: &'a Language,
    expression: OnceCell<Option<Regex>>,
}

impl<'a> Blank<'a> {
    fn new(language: &'a Language) -> Self {
        Blank { language, expression: OnceCell::new() }
    }

    fn is(&self, text: &[u8]) -> bool {
        let expression = self.expression.get_or_init(|| {
            let parts = self.language.grammar().between().join("|");
            // An expression that this library cannot read is rare and costs precision only.
            Regex::new(&format!(r"^(?:{parts}|\s)*$")).ok()
        });
        expression.as_ref().is_some_and(|blank| blank.is_match(text))
    }
}
