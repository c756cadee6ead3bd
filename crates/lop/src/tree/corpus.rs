//! The corpus: the least instance of every kind that was seen in texts of the same language.
//!
//! lop learns from the input before it is reduced: when all instances of a kind have been removed, one of them may
//! still be the least text that fits a place. The user may add more texts of the language.

use std::collections::{BTreeMap, HashMap};

use crate::text::size::Size;

use super::{Kind, NodeId, Tree, Usage};

/// The longest instance that is kept: a longer one is hardly ever the least that fits.
pub(super) const LONGEST: usize = 16;

/// The least instances that were seen, by the names of their grammars and their labels. Tokens are left out, since they
/// replace nothing.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    least: BTreeMap<String, BTreeMap<String, (Size, Vec<u8>)>>,
}

impl Corpus {
    /// Learns from a text.
    pub fn learn(&mut self, tree: &Tree) {
        for (kind, node) in smallest(tree) {
            let text = tree.text_of(node);
            let (dialect, label) = tree.dialect(kind);
            let grammar = dialect.grammar();
            if text.len() <= LONGEST && grammar.is_named(label) {
                self.insert(&grammar.name, grammar.label_name(label), text);
            }
        }
    }

    /// Adds the least instances of a model.
    pub fn add(&mut self, usage: &Usage) {
        for (grammar, labels) in usage.grammars() {
            for (label, uses) in labels {
                if let Some(text) = &uses.least {
                    self.insert(grammar, label, text);
                }
            }
        }
    }

    fn insert(&mut self, grammar: &str, label: &str, text: &[u8]) {
        let labels = self.least.entry(grammar.to_owned()).or_default();
        let new = (Size::of(text), text.to_vec());
        let known = labels.entry(label.to_owned()).or_insert_with(|| new.clone());
        *known = new.min(known.clone());
    }

    /// The least instance of a kind.
    pub(super) fn least(&self, tree: &Tree, kind: Kind) -> Option<&[u8]> {
        let (dialect, label) = tree.dialect(kind);
        let grammar = dialect.grammar();
        let (_, text) = self.least.get(&grammar.name)?.get(grammar.label_name(label))?;
        Some(text)
    }
}

/// The smallest node of every kind that is not empty.
pub(super) fn smallest(tree: &Tree) -> HashMap<Kind, NodeId> {
    let mut smallest: HashMap<Kind, NodeId> = HashMap::new();
    let is_one = |node: &NodeId| !tree.is_error(*node) && !tree.range(*node).is_empty();
    for node in tree.ids().filter(is_one) {
        let least = smallest.entry(tree.kind(node)).or_insert(node);
        if tree.range(node).len() < tree.range(*least).len() {
            *least = node;
        }
    }
    smallest
}
