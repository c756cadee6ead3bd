//! The languages of a tree's parts.

use std::sync::Arc;

use lop_grammar::{Grammar, Label, Overlay};

use super::parser::Parser;
use super::usage::{Resolved, Usage};

/// The kind of a node, within one tree: a label of one of its languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(pub(super) u16);

/// A language of a tree, with the kinds that are its labels.
pub(super) struct Dialect {
    first: u16,
    parser: Arc<dyn Parser>,
    /// The models that overlay those of the grammar.
    models: Option<Arc<Overlay>>,
    usage: Option<Arc<Resolved>>,
}

/// Knowledge that was learned from examples.
#[derive(Clone, Default)]
pub(super) struct Learned {
    /// Content models of one grammar.
    pub(super) models: Option<Arc<Overlay>>,
    /// The usage of labels, of any grammar.
    pub(super) usage: Option<Arc<Usage>>,
}

impl Dialect {
    pub(super) fn parser(&self) -> &Arc<dyn Parser> {
        &self.parser
    }

    pub(super) fn grammar(&self) -> &Grammar {
        self.parser.grammar()
    }

    pub(super) fn models(&self) -> Option<&Overlay> {
        self.models.as_deref()
    }

    pub(super) fn usage(&self) -> Option<&Resolved> {
        self.usage.as_deref()
    }

    pub(super) fn kind(&self, label: Label) -> Kind {
        Kind(self.first + label.0)
    }
}

/// Adds a language to a list, unless it is in it already. `None` if there are more labels than
/// kinds.
pub(super) fn add(
    dialects: &mut Vec<Dialect>,
    parser: &Arc<dyn Parser>,
    learned: &Learned,
) -> Option<usize> {
    let grammar = parser.grammar();
    let same = |dialect: &Dialect| std::ptr::eq(dialect.grammar(), grammar);
    if let Some(known) = dialects.iter().position(same) {
        return Some(known);
    }
    let count = |grammar: &Grammar| u16::try_from(grammar.label_count()).ok();
    let first = match dialects.last() {
        None => 0,
        Some(last) => last.first.checked_add(count(last.grammar())?)?,
    };
    first.checked_add(count(grammar)?)?;
    let models = learned.models.as_ref().filter(|models| models.is_for(grammar)).cloned();
    let usage = learned.usage.as_ref().and_then(|usage| usage.resolve(grammar));
    dialects.push(Dialect { first, parser: parser.clone(), models, usage });
    Some(dialects.len() - 1)
}

/// The language of a kind, and its label there.
pub(super) fn of(dialects: &[Dialect], kind: Kind) -> (&Dialect, Label) {
    // Most trees have one language, the others two or three.
    let dialect = dialects.iter().rev().find(|dialect| dialect.first <= kind.0);
    let dialect = dialect.expect("every kind belongs to a language of its tree");
    (dialect, Label(kind.0 - dialect.first))
}
