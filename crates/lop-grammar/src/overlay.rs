//! Content models that overlay those of a grammar: for labels without a model in the grammar, or instead of its own.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::grammar::Grammar;
use crate::label::Label;
use crate::model::Model;

/// Content models by label, for one grammar.
pub struct Overlay {
    labels: u64,
    order: Order,
    models: HashMap<Label, Model>,
}

/// Which model is used first for the children of a node if both a grammar and an overlay have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// The grammar's; the overlay's only if no rule of the grammar accepts the children.
    GrammarFirst,
    /// The overlay's; the grammar's only if the overlay has none or does not accept the children.
    OverlayFirst,
}

impl Overlay {
    /// An overlay without models.
    pub fn new(grammar: &Grammar, order: Order) -> Self {
        Overlay { labels: fingerprint(grammar), order, models: HashMap::new() }
    }

    /// Learns a model for each label that has examples: a node's label with the labels of its
    /// children. `window` is that of [`Model::from_words`].
    pub fn learned(
        grammar: &Grammar,
        order: Order,
        window: usize,
        examples: impl IntoIterator<Item = (Label, Vec<Label>)>,
    ) -> Self {
        let mut words: BTreeMap<Label, Vec<Vec<Label>>> = BTreeMap::new();
        for (label, word) in examples {
            words.entry(label).or_default().push(word);
        }
        let mut overlay = Overlay::new(grammar, order);
        for (label, words) in words {
            overlay.insert(label, Model::from_words(words, window));
        }
        overlay
    }

    /// Adds a model; replaces one for the same label.
    pub fn insert(&mut self, label: Label, model: Model) {
        self.models.insert(label, model);
    }

    /// The model for a label, if there is one.
    pub fn model(&self, label: Label) -> Option<&Model> {
        self.models.get(&label)
    }

    /// Which model is used first.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Whether it was made for this grammar, that is, for a grammar with the same name and labels.
    pub fn is_for(&self, grammar: &Grammar) -> bool {
        self.labels == fingerprint(grammar)
    }
}

fn fingerprint(grammar: &Grammar) -> u64 {
    let mut hasher = DefaultHasher::new();
    grammar.name.hash(&mut hasher);
    for label in grammar.labels() {
        (grammar.label_name(label), grammar.is_named(label)).hash(&mut hasher);
    }
    hasher.finish()
}
