//! Usage: the structure and the places of the nodes of a corpus.
//!
//! S. Herfert, J. Patra and M. Pradel, "Automatically Reducing Tree-Structured Test Inputs", ASE 2017, Section IV-B: examples of a
//! language show, for each label of a node,
//!
//! - its *mandatory edges*: those that all nodes of that label have. A child under such an edge isn't removed;
//! - its *allowed contexts*: the labels of the parents and edges above such nodes. A node replaces another one only in
//!   a context that is allowed for it.
//!
//! Where the section is silent: an edge is mandatory only if every node has the same number of such edges, usually one;
//! otherwise every statement of a block would be mandatory. Many rules have children without a field. All such children
//! are on one edge, and each is also on an edge of its own label: a pair of a key and a value without fields has two
//! children, and one key. A label that isn't in the corpus has no mandatory edges and no allowed contexts. The root has
//! no context, so every node may replace it. Nothing is learned about tokens without a field, about comments, or about
//! nodes that touch an error.
//!
//! Labels and edges have names, not numbers: a model is valid for every version of a grammar that has them. Sums,
//! unions and minima do not depend on an order, so neither the order of the files nor the number of threads changes the
//! result.
//!
//! `learn.rs` learns from a tree, `file.rs` is the file of a model, `resolved.rs` answers the questions of a tree.

mod file;
mod learn;
mod resolved;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use lop_grammar::Grammar;
use xxhash_rust::xxh3::xxh3_64;

use crate::text::size::Size;

pub use file::ModelError;
pub(super) use resolved::Resolved;

/// The usage of all labels in a corpus.
#[derive(Debug, Default)]
pub struct Usage {
    /// By the names of grammars and labels.
    grammars: BTreeMap<String, BTreeMap<String, LabelUse>>,
    /// The fingerprints of the texts that it was learned from.
    learned: BTreeSet<u64>,
    /// The parts for the grammars that were used.
    resolved: Mutex<HashMap<String, Arc<Resolved>>>,
}

/// The usage of one label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LabelUse {
    /// The number of its nodes.
    pub nodes: u64,
    /// The edges below it.
    pub edges: BTreeMap<String, EdgeUse>,
    /// The contexts of its nodes: the labels of a parent and of an edge, with the number of nodes.
    pub contexts: BTreeMap<(String, String), u64>,
    /// The least text of such a node, if there is a short one.
    pub least: Option<Vec<u8>>,
}

/// The usage of the edges with one label below the nodes with one label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EdgeUse {
    /// The number of nodes that have such an edge.
    pub nodes: u64,
    /// The least number of such edges on one of them.
    pub least: u64,
    /// The largest number of such edges on one of them.
    pub most: u64,
}

impl LabelUse {
    /// Whether every node has exactly one such edge, or in general the same number of them.
    pub fn is_mandatory(&self, edge: &str) -> bool {
        self.required(edge) > 0
    }

    /// The number of such edges that every node has; 0 if it differs.
    pub(super) fn required(&self, edge: &str) -> u64 {
        let edge = self.edges.get(edge).filter(|edge| edge.nodes == self.nodes);
        edge.filter(|edge| edge.least == edge.most).map_or(0, |edge| edge.most)
    }

    fn merge(&mut self, other: LabelUse) {
        // A file may hold any numbers, so sums must not overflow.
        self.nodes = self.nodes.saturating_add(other.nodes);
        for (edge, more) in other.edges {
            let edge = self.edges.entry(edge).or_default();
            edge.least = if edge.nodes == 0 { more.least } else { edge.least.min(more.least) };
            edge.most = edge.most.max(more.most);
            edge.nodes = edge.nodes.saturating_add(more.nodes);
        }
        for (context, more) in other.contexts {
            let nodes = self.contexts.entry(context).or_default();
            *nodes = nodes.saturating_add(more);
        }
        let size = |text: &Vec<u8>| (Size::of(text), text.clone());
        self.least = self.least.take().into_iter().chain(other.least).min_by_key(size);
    }
}

impl Usage {
    /// The number by which the model remembers a text.
    pub fn fingerprint(text: &[u8]) -> u64 {
        xxh3_64(text)
    }

    /// Whether it was learned from the text with this fingerprint, among others.
    pub fn knows(&self, fingerprint: u64) -> bool {
        self.learned.contains(&fingerprint)
    }

    /// Adds usage of a label of a grammar.
    pub fn insert(&mut self, grammar: &str, label: &str, uses: LabelUse) {
        self.resolved = Mutex::default();
        let labels = self.grammars.entry(grammar.to_owned()).or_default();
        labels.entry(label.to_owned()).or_default().merge(uses);
    }

    /// Adds another usage. A text that both have learned from counts twice in the numbers, which changes neither the
    /// mandatory edges nor the contexts.
    pub fn merge(&mut self, other: Usage) {
        for (grammar, labels) in other.grammars {
            for (label, uses) in labels {
                self.insert(&grammar, &label, uses);
            }
        }
        self.learned.extend(other.learned);
    }

    /// The number of texts that it was learned from.
    pub fn files(&self) -> u64 {
        self.learned.len() as u64
    }

    /// The names of the grammars in it, with the usage of their labels.
    pub fn grammars(&self) -> impl Iterator<Item = (&str, &BTreeMap<String, LabelUse>)> {
        self.grammars.iter().map(|(grammar, labels)| (grammar.as_str(), labels))
    }

    /// The part about one grammar, by its labels; `None` if there is none.
    pub(super) fn resolve(&self, grammar: &Grammar) -> Option<Arc<Resolved>> {
        let labels = self.grammars.get(&grammar.name)?;
        let mut resolved = self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Resolved::new(grammar, labels));
        Some(resolved.entry(grammar.name.clone()).or_insert_with(new).clone())
    }
}
