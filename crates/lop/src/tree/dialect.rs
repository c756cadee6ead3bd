//! The languages of a tree's parts.

use std::sync::Arc;

use lop_grammar::{Grammar, Label};
use lop_languages::Language;

/// What kind of node something is, within one tree: a label of one of its languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(pub(super) u16);

/// A language of a tree, with the kinds that are its labels.
pub(super) struct Dialect {
    first: u16,
    knowledge: Knowledge,
}

/// Where a language's grammar comes from.
pub(super) enum Knowledge {
    Language(Arc<Language>),
    /// A format that lop reads itself.
    Plain(&'static Grammar),
}

impl Dialect {
    pub(super) fn grammar(&self) -> &Grammar {
        match &self.knowledge {
            Knowledge::Language(language) => language.grammar(),
            Knowledge::Plain(grammar) => grammar,
        }
    }

    pub(super) fn language(&self) -> Option<&Arc<Language>> {
        match &self.knowledge {
            Knowledge::Language(language) => Some(language),
            Knowledge::Plain(_) => None,
        }
    }

    /// Whether the parser should be asked about what nodes with this label may consist of.
    pub(super) fn is_approximate(&self, label: Label) -> bool {
        self.language().is_some_and(|language| language.is_approximate(label))
    }

    /// The characters that make up words beside letters and digits.
    pub(super) fn joins(&self) -> &'static [u8] {
        match &self.knowledge {
            Knowledge::Language(language) => language.joins().as_bytes(),
            Knowledge::Plain(grammar) if grammar.name == "s-expressions" => b"!$%&*/:<=>?^~+-.@#|",
            Knowledge::Plain(_) => b"",
        }
    }

    pub(super) fn kind(&self, label: Label) -> Kind {
        Kind(self.first + label.0)
    }
}

/// Adds a language to a list; one that is there already is not added again.
pub(super) fn add(dialects: &mut Vec<Dialect>, knowledge: Knowledge) -> usize {
    let same = |dialect: &Dialect| match (&dialect.knowledge, &knowledge) {
        (Knowledge::Language(left), Knowledge::Language(right)) => Arc::ptr_eq(left, right),
        (Knowledge::Plain(left), Knowledge::Plain(right)) => std::ptr::eq(*left, *right),
        _ => false,
    };
    dialects.iter().position(same).unwrap_or_else(|| {
        let first =
            dialects.last().map_or(0, |last| last.first + last.grammar().label_count() as u16);
        dialects.push(Dialect { first, knowledge });
        dialects.len() - 1
    })
}

/// The language of a kind, and its label there.
pub(super) fn of(dialects: &[Dialect], kind: Kind) -> (&Dialect, Label) {
    // Most trees have one language, the others two or three.
    let dialect = dialects.iter().rev().find(|dialect| dialect.first <= kind.0);
    let dialect = dialect.expect("every kind belongs to a language of its tree");
    (dialect, Label(kind.0 - dialect.first))
}
