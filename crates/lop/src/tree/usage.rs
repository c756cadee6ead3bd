//! Usage: what the nodes of a corpus look like, and where they are.
//!
//! S. Herfert, J. Patra and M. Pradel, "Automatically Reducing Tree-Structured Test Inputs", ASE 2017, Section IV-B: examples of a
//! language show, for each label of a node,
//!
//! - its *mandatory edges*: those that are on all nodes of that label. A child under such an edge is not removed;
//! - its *allowed contexts*: the labels of the parents and edges under which there were such nodes. A node replaces another one only
//!   in a context that is allowed for it.
//!
//! What the section leaves open: an edge that occurs twice on one node is never mandatory, since then every statement of a block
//! would be. A label that the corpus does not have has no mandatory edges and no allowed contexts. The root has no context, so every node may
//! replace it. Nothing is learned about tokens, nor about nodes that touch an error.
//!
//! Labels and edges are those of [`Views::ABSTRACT`], by their names: a model is valid for every version of a grammar that has them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use lop_grammar::{Grammar, Label};

use super::{Kind, NodeId, Tree, View, Views};

/// The usage of all labels in a corpus.
#[derive(Debug, Default)]
pub struct Usage {
    /// By the names of grammars and labels.
    grammars: BTreeMap<String, BTreeMap<String, LabelUse>>,
    files: u64,
    /// For the grammars that were asked about.
    resolved: Mutex<HashMap<String, Arc<Resolved>>>,
}

/// The usage of one label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelUse {
    /// The number of its nodes.
    pub nodes: u64,
    /// The edges below it.
    pub edges: BTreeMap<String, EdgeUse>,
    /// The contexts of its nodes: the labels of a parent and of an edge, with the number of nodes.
    pub contexts: BTreeMap<(String, String), u64>,
}

/// The usage of the edges with one label below the nodes with one label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeUse {
    /// The number of nodes that have such an edge.
    pub nodes: u64,
    /// Whether one of them has several.
    pub repeats: bool,
}

impl LabelUse {
    /// Whether every node has exactly one such edge.
    pub fn is_mandatory(&self, edge: &str) -> bool {
        self.edges.get(edge).is_some_and(|edge| edge.nodes == self.nodes && !edge.repeats)
    }

    fn merge(&mut self, other: LabelUse) {
        self.nodes += other.nodes;
        for (edge, more) in other.edges {
            let edge = self.edges.entry(edge).or_default();
            edge.nodes += more.nodes;
            edge.repeats |= more.repeats;
        }
        for (context, nodes) in other.contexts {
            *self.contexts.entry(context).or_default() += nodes;
        }
    }
}

impl Usage {
    /// Learns from a text.
    pub fn learn(&mut self, tree: &Tree) {
        let view = View::new(tree, Views::ABSTRACT);
        // By kinds first: names are looked up once for each kind, not for each node.
        let mut seen: HashMap<Kind, Seen<'_>> = HashMap::new();
        let mut edges: Vec<&str> = Vec::new();
        for id in view.ids() {
            let Some(node) = view.node(id).filter(|node| tree.is_learned(*node)) else { continue };
            let uses = seen.entry(tree.kind(node)).or_default();
            uses.nodes += 1;
            edges.clear();
            edges.extend(
                view.children(id)
                    .filter(|child| !view.is_text(*child))
                    .map(|child| view.edge(child)),
            );
            edges.sort_unstable();
            for same in edges.chunk_by(|left, right| left == right) {
                let edge = uses.edges.entry(same[0]).or_default();
                edge.nodes += 1;
                edge.repeats |= same.len() > 1;
            }
            let parent = view.parent(id).and_then(|parent| view.node(parent));
            if let Some(parent) = parent.filter(|parent| tree.is_learned(*parent)) {
                *uses.contexts.entry((tree.kind(parent), view.edge(id))).or_default() += 1;
            }
        }
        for (kind, uses) in seen {
            let (dialect, label) = tree.dialect(kind);
            let grammar = dialect.grammar();
            let name = |kind: Kind| {
                let (dialect, label) = tree.dialect(kind);
                dialect.grammar().label_name(label).to_owned()
            };
            let uses = LabelUse {
                nodes: uses.nodes,
                edges: uses.edges.into_iter().map(|(edge, uses)| (edge.to_owned(), uses)).collect(),
                contexts: uses
                    .contexts
                    .into_iter()
                    .map(|((parent, edge), nodes)| ((name(parent), edge.to_owned()), nodes))
                    .collect(),
            };
            self.insert(&grammar.name, grammar.label_name(label), uses);
        }
        self.files += 1;
    }

    /// Adds what was learned elsewhere about a label of a grammar.
    pub fn insert(&mut self, grammar: &str, label: &str, uses: LabelUse) {
        self.resolved = Mutex::default();
        let labels = self.grammars.entry(grammar.to_owned()).or_default();
        labels.entry(label.to_owned()).or_default().merge(uses);
    }

    /// Adds what another one knows.
    pub fn merge(&mut self, other: Usage) {
        for (grammar, labels) in other.grammars {
            for (label, uses) in labels {
                self.insert(&grammar, &label, uses);
            }
        }
        self.files += other.files;
    }

    /// The number of files that it was learned from.
    pub fn files(&self) -> u64 {
        self.files
    }

    /// The names of the grammars that it knows, with the usage of their labels.
    pub fn grammars(&self) -> impl Iterator<Item = (&str, &BTreeMap<String, LabelUse>)> {
        self.grammars.iter().map(|(grammar, labels)| (grammar.as_str(), labels))
    }

    /// The part about one grammar, by its labels; `None` if it knows nothing about it.
    pub(super) fn resolve(&self, grammar: &Grammar) -> Option<Arc<Resolved>> {
        let labels = self.grammars.get(&grammar.name)?;
        let mut resolved = self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Resolved::new(grammar, labels));
        Some(resolved.entry(grammar.name.clone()).or_insert_with(new).clone())
    }
}

/// What was seen of a kind in one text.
#[derive(Default)]
struct Seen<'t> {
    nodes: u64,
    edges: HashMap<&'t str, EdgeUse>,
    contexts: HashMap<(Kind, &'t str), u64>,
}

/// The usage of the labels of one grammar.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    mandatory: HashMap<Label, BTreeSet<String>>,
    /// The edges from a parent to a child.
    contexts: HashMap<(Label, Label), HashSet<String>>,
}

impl Resolved {
    fn new(grammar: &Grammar, labels: &BTreeMap<String, LabelUse>) -> Resolved {
        let mut resolved = Resolved::default();
        for (name, uses) in labels {
            let Some(label) = grammar.label(name, true) else { continue };
            let mandatory = uses.edges.keys().filter(|edge| uses.is_mandatory(edge)).cloned();
            resolved.mandatory.insert(label, mandatory.collect());
            for (parent, edge) in uses.contexts.keys() {
                if let Some(parent) = grammar.label(parent, true) {
                    resolved.contexts.entry((parent, label)).or_default().insert(edge.clone());
                }
            }
        }
        resolved
    }
}

impl Tree {
    /// Whether the usage of a node's parent says that the node is on a mandatory edge.
    pub fn is_mandatory(&self, node: NodeId) -> bool {
        let Some(parent) = self.parent(node) else { return false };
        let (dialect, label) = self.dialect(self.kind(parent));
        let edges = dialect.usage().and_then(|usage| usage.mandatory.get(&label));
        edges.is_some_and(|edges| edges.contains(self.field(node).unwrap_or_default()))
    }

    /// Whether the usage of a kind allows it in the context of a place. Always true without any usage, and at the root.
    pub fn is_usual(&self, place: NodeId, kind: Kind) -> bool {
        let Some(parent) = self.parent(place) else { return true };
        let (dialect, parent) = self.dialect(self.kind(parent));
        let Some(usage) = dialect.usage() else { return true };
        let (other, label) = self.dialect(kind);
        let edges = usage.contexts.get(&(parent, label)).filter(|_| std::ptr::eq(dialect, other));
        edges.is_some_and(|edges| edges.contains(self.field(place).unwrap_or_default()))
    }

    /// Whether there is something to learn from a node.
    fn is_learned(&self, node: NodeId) -> bool {
        let touches_error = || self.children(node).any(|child| self.is_error(child));
        self.is_named(node) && !self.is_error(node) && !self.is_extra(node) && !touches_error()
    }
}
