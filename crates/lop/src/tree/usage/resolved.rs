//! A tree's questions to the usage of its language.
//!
//! `questions.rs` asks them, so they apply to every reducer and every pass. An edge is mandatory for a node of the
//! input only while it has no more such edges than the nodes of the corpus: it may have two where they always have one,
//! and then one can be removed.

use std::collections::{BTreeMap, HashMap, HashSet};

use lop_grammar::{Grammar, Label};

use super::LabelUse;
use crate::tree::{Kind, NodeId, Tree};

/// The usage of the labels of one grammar.
#[derive(Debug, Default)]
pub(in crate::tree) struct Resolved {
    /// By labels, the mandatory edges, with their numbers.
    mandatory: HashMap<Label, Vec<(Edge, usize)>>,
    /// The edges from a parent to a child.
    contexts: HashMap<(Label, Label), HashSet<String>>,
}

/// Children that are on one edge.
#[derive(Debug)]
enum Edge {
    /// Those under this field; if it is empty, those without a field.
    Field(String),
    /// Those with this label that have no field.
    Label(Label),
}

impl Edge {
    /// The edge with a name; `None` if the grammar does not have the label in that name.
    fn named(grammar: &Grammar, name: &str) -> Option<Edge> {
        match name.strip_prefix(':') {
            Some(label) => grammar.label(label, true).map(Edge::Label),
            None => Some(Edge::Field(name.to_owned())),
        }
    }
}

impl Resolved {
    pub(super) fn new(grammar: &Grammar, labels: &BTreeMap<String, LabelUse>) -> Resolved {
        let mut resolved = Resolved::default();
        for (name, uses) in labels {
            let Some(label) = grammar.label(name, true) else { continue };
            let required = |name: &String| {
                let number = usize::try_from(uses.required(name)).unwrap_or(usize::MAX);
                let edge = Edge::named(grammar, name).filter(|_| number > 0)?;
                Some((edge, number))
            };
            let mandatory = uses.edges.keys().filter_map(required);
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
    /// Whether the usage of a node's parent forbids its removal: it is the only one on a mandatory edge.
    pub fn is_mandatory(&self, node: NodeId) -> bool {
        !self.is_dispensable(node, node)
    }

    /// Whether usage allows the siblings from the first to the last to be removed together. Always true without any
    /// usage.
    pub(in crate::tree) fn is_dispensable(&self, first: NodeId, last: NodeId) -> bool {
        let Some(parent) = self.parent(first) else { return true };
        let Some(edges) = self.mandatory(parent) else { return true };
        edges.iter().all(|(edge, number)| {
            let is_removed = self.siblings(first, last).any(|node| self.is_on(node, edge));
            // The scan ends as soon as there are enough others.
            let is_other =
                |other: &NodeId| !(first..=last).contains(other) && self.is_on(*other, edge);
            !is_removed || self.children(parent).filter(is_other).take(*number).count() == *number
        })
    }

    /// Whether usage allows a node with only these children.
    pub(in crate::tree) fn is_complete(&self, parent: NodeId, kept: &[NodeId]) -> bool {
        let Some(edges) = self.mandatory(parent) else { return true };
        edges.iter().all(|(edge, number)| {
            let are_kept = kept.iter().filter(|node| self.is_on(**node, edge)).count();
            let before = self.children(parent).filter(|node| self.is_on(*node, edge));
            are_kept >= before.take(*number).count()
        })
    }

    /// Whether the usage of a kind allows it in the context of a place. Always true without any usage, at the root, for
    /// tokens and comments, and for the present kind.
    pub fn is_usual(&self, place: NodeId, kind: Kind) -> bool {
        let Some(parent) = self.parent(place) else { return true };
        let (dialect, _) = self.dialect(self.kind(parent));
        dialect.usage().is_none() || kind == self.kind(place) || self.was_seen(place, kind)
    }

    /// Whether there is usage of the language of a node's parent, and it has this kind, which isn't a token, in the
    /// context of the node.
    pub(in crate::tree) fn was_seen(&self, place: NodeId, kind: Kind) -> bool {
        let Some(parent) = self.parent(place) else { return false };
        let (dialect, parent) = self.dialect(self.kind(parent));
        let Some(usage) = dialect.usage() else { return false };
        let (other, label) = self.dialect(kind);
        let grammar = other.grammar();
        if !grammar.is_named(label) || grammar.is_extra(label) {
            return true;
        }
        let edges = usage.contexts.get(&(parent, label)).filter(|_| std::ptr::eq(dialect, other));
        edges.is_some_and(|edges| edges.contains(self.edge(place)))
    }

    /// The mandatory edges of a node's label; `None` if there are none.
    fn mandatory(&self, node: NodeId) -> Option<&[(Edge, usize)]> {
        let (dialect, label) = self.dialect(self.kind(node));
        dialect.usage()?.mandatory.get(&label).map(Vec::as_slice).filter(|edges| !edges.is_empty())
    }

    fn is_on(&self, node: NodeId, edge: &Edge) -> bool {
        let is_it = match edge {
            Edge::Field(field) => self.edge(node) == field,
            Edge::Label(label) => self.label(node) == *label && self.field(node).is_none(),
        };
        // The elements of a list have no field. In a small corpus, all lists may have the same length.
        let is_element = || self.field(node).is_none() && self.may_be_several(node);
        is_it && self.is_on_an_edge(node) && !is_element()
    }

    /// Whether the label of a node occurs in the usage.
    pub(in crate::tree) fn is_familiar(&self, node: NodeId) -> bool {
        let (dialect, label) = self.dialect(self.kind(node));
        dialect.usage().is_some_and(|usage| usage.mandatory.contains_key(&label))
    }

    fn edge(&self, node: NodeId) -> &str {
        self.field(node).unwrap_or_default()
    }

    /// Whether the edge to a node may be mandatory.
    pub(in crate::tree) fn is_on_an_edge(&self, node: NodeId) -> bool {
        self.has_edge(node) && !self.is_error(node)
    }
}
