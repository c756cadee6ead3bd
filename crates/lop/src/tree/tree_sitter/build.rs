//! From tree-sitter's tree to ours.
//!
//! They differ in four ways: text outside of tree-sitter's nodes, because the grammar gives its token no name, becomes
//! a leaf, so that only layout is outside of leaves. Text that the parser does not understand is put into brackets and
//! lines. A leaf in another language gets the tree of that language below it. A variable of PHP is one word with its
//! `$`.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use ::tree_sitter::{Node, TreeCursor};
use lop_grammar::Label;
use lop_languages::Language;
use regex::bytes::Regex;

use crate::tree::outline::{self, Binding, Item, Visit};
use crate::tree::{Builder, Field, Parser};

use super::TreeSitter;

/// Builds the nodes of a text in a language.
pub(super) fn build(language: &Language, text: &[u8], tree: &mut Builder<'_>) {
    let Some(parsed) = language.parser().parse(text, None) else {
        // Parsing fails only without a language or with a time limit.
        return debug_assert!(false, "parsing does not fail");
    };
    tree.reserve(parsed.root_node().descendant_count());
    let blank = Blank::new(language);
    Growth { language, text, tree, blank, fields: Vec::new() }.grow(parsed.walk());
}

/// A tree that is being built.
struct Growth<'a, 't> {
    language: &'a Language,
    text: &'a [u8],
    tree: &'a mut Builder<'t>,
    blank: Blank<'a>,
    /// The tree's fields, by tree-sitter's numbers.
    fields: Vec<Option<Field>>,
}

/// A node of tree-sitter's whose children are being visited.
struct Frame {
    /// The place up to which the text belongs to children, or is known to be layout.
    covered: usize,
    /// The end of the node.
    end: usize,
    /// For an error: how its children are put into brackets and lines.
    plan: Option<std::vec::IntoIter<Visit>>,
}

impl Growth<'_, '_> {
    fn grow(&mut self, mut cursor: TreeCursor<'_>) {
        let language = self.language;
        let mut frames: Vec<Frame> = Vec::new();
        loop {
            let node = cursor.node();
            // The root covers the whole text, including layout before and after tree-sitter's root.
            let range = match frames.is_empty() {
                true => 0..self.text.len(),
                false => node.byte_range(),
            };
            if let Some(frame) = frames.last_mut() {
                self.gap(frame, range.start);
                self.open_planned(frame, range.start);
            }
            let field = self.field(&cursor);
            self.tree
                .open(language.label(node.kind_id()), range.start)
                .rule(language.rule(node.grammar_id()))
                .extra(node.is_extra())
                .error(node.is_error() || node.is_missing())
                .under(field);
            let plan = node.is_error().then(|| plan(&cursor).into_iter());
            if !is_variable(node) && cursor.goto_first_child() {
                frames.push(Frame { covered: range.start, end: range.end, plan });
                continue;
            }
            self.island(&cursor, &range);
            self.close(&mut frames, range.end);
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                let Some(mut frame) = frames.pop() else { return };
                let end = frame.end;
                self.gap(&mut frame, end);
                self.close(&mut frames, end);
            }
        }
    }

    /// The field under which the parent holds the node of a cursor.
    fn field(&mut self, cursor: &TreeCursor<'_>) -> Field {
        let Some(id) = cursor.field_id() else { return Field::default() };
        let index = usize::from(id.get());
        if self.fields.len() <= index {
            self.fields.resize(index + 1, None);
        }
        let name = || cursor.field_name().unwrap_or_default();
        *self.fields[index].get_or_insert_with(|| self.tree.field(name()))
    }

    /// Ends a node, and the clusters that were planned to end with it.
    fn close(&mut self, frames: &mut [Frame], end: usize) {
        self.tree.close(end);
        let Some(frame) = frames.last_mut() else { return };
        frame.covered = frame.covered.max(end);
        let Some(plan) = &mut frame.plan else { return };
        while plan.as_slice().first() == Some(&Visit::Close) {
            plan.next();
            self.tree.close(end);
        }
    }

    /// Begins the clusters that were planned to begin with the next child.
    fn open_planned(&mut self, frame: &mut Frame, start: usize) {
        let Some(plan) = &mut frame.plan else { return };
        while let Some(Visit::Open(cluster)) = plan.next() {
            self.tree.open_cluster(cluster, start);
        }
    }

    /// Makes a leaf of the text before the next child, unless it is layout.
    fn gap(&mut self, frame: &mut Frame, until: usize) {
        let gap = frame.covered..until.max(frame.covered);
        let text = &self.text[gap.clone()];
        frame.covered = gap.end;
        if text.iter().all(u8::is_ascii_whitespace) || self.blank.is(text) {
            return;
        }
        let is_blank = u8::is_ascii_whitespace;
        let leading = text.iter().take_while(|byte| is_blank(byte)).count();
        let trailing = text.iter().rev().take_while(|byte| is_blank(byte)).count();
        self.tree.leaf(Label::TEXT, gap.start + leading..gap.end - trailing);
    }

    /// Puts the tree of another language below the open node, if its text is in another language.
    fn island(&mut self, cursor: &TreeCursor<'_>, range: &Range<usize>) {
        if self.language.islands().is_empty() || range.is_empty() {
            return;
        }
        let inside = self.tree.outer_name();
        let node = cursor.node().kind();
        let mut islands = self.language.islands().iter();
        let island = islands.find(|island| island.node == node && inside == Some(island.inside));
        if let Some(other) = island.and_then(|island| lop_languages::find(island.language)) {
            let parser: Arc<dyn Parser> = Arc::new(TreeSitter::new(other));
            self.tree.island(range.clone(), &parser);
        }
    }
}

/// Whether a node is a variable whose name has a sigil: both are treated as one name.
fn is_variable(node: Node<'_>) -> bool {
    let is_leaf = |at: u32| node.child(at).is_some_and(|child| child.child_count() == 0);
    node.kind() == "variable_name"
        && node.child_count() == 2
        && node.child(0).is_some_and(|child| child.kind() == "$")
        && is_leaf(1)
        && !node.has_error()
}

/// Puts the children of an error into brackets and lines.
fn plan(cursor: &TreeCursor<'_>) -> Vec<Visit> {
    let node = cursor.node();
    let mut children = node.walk();
    let items: Vec<Item> = node
        .children(&mut children)
        .map(|child| Item {
            rows: (child.start_position().row, child.end_position().row),
            column: child.start_position().column,
            binding: if child.is_named() {
                Binding::Plain
            } else {
                Binding::of(child.kind().as_bytes())
            },
        })
        .collect();
    outline::outline(&items, outline::lines)
}

/// The text that a language treats as layout besides white space. Few texts have any, so the regular expression is
/// compiled when it is first needed.
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
            // An expression that the regex library cannot read is rare and only costs precision.
            Regex::new(&format!(r"^(?:{parts}|\s)*$")).ok()
        });
        expression.as_ref().is_some_and(|blank| blank.is_match(text))
    }
}
