//! What a tree asks the usage of its language.
//!
//! These are the questions of `questions.rs`, so every reducer and every pass asks them. An edge is mandatory for a node of the input
//! only as long as it has one such edge: the input may have two where the corpus always has one, and then one of them may be removed.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use lop_grammar::{Grammar, Label};

use super::LabelUse;
use crate::tree::{Kind, NodeId, Tree};

/// The usage of the labels of one grammar.
#[derive(Debug, Default)]
pub(in crate::tree) struct Resolved {
    mandatory: HashMap<Label, BTreeSet<String>>,
    /// The edges from a parent to a child.
    contexts: HashMap<(Label, Label), HashSet<String>>,
}

impl Resolved {
    pub(super) fn new(grammar: &Grammar, labels: &BTreeMap<String, LabelUse>) -> Resolved {
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
    /// Whether the usage of a node's parent says that the node must not be removed: it is the only one on a mandatory edge.
    pub fn is_mandatory(&self, node: NodeId) -> bool {
        !self.is_dispensable(node, node)
    }

    /// Whether usage allows to remove the siblings from the first to the last together. Always true without any usage.
    pub(in crate::tree) fn is_dispensable(&self, first: NodeId, last: NodeId) -> bool {
        let Some(parent) = self.parent(first) else { return true };
        let Some(edges) = self.mandatory(parent) else { return true };
        let is_on_edge =
            |node: &NodeId| edges.contains(self.edge(*node)) && self.is_on_an_edge(*node);
        let mut removed = self.siblings(first, last).filter(is_on_edge);
        // The scan ends at the first other node on that edge. If there are many children, most are on the same one.
        removed.all(|node| {
            let is_other = |other: &NodeId| !(first..=last).contains(other);
            let mut others = self.children(parent).filter(is_other);
            others.any(|other| self.edge(other) == self.edge(node) && self.is_on_an_edge(other))
        })
    }

    /// Whether usage allows a node without the children that are not among these.
    pub(in crate::tree) fn is_complete(&self, parent: NodeId, kept: &[NodeId]) -> bool {
        let Some(edges) = self.mandatory(parent) else { return true };
        edges.iter().all(|edge| {
            let is_on_it = |node: NodeId| self.edge(node) == edge && self.is_on_an_edge(node);
            kept.iter().any(|node| is_on_it(*node)) || !self.children(parent).any(is_on_it)
        })
    }

    /// Whether the usage of a kind allows it in the context of a place. Always true without any usage, at the root, for tokens and comments,
    /// and for the kind that is there.
    pub fn is_usual(&self, place: NodeId, kind: Kind) -> bool {
        let Some(parent) = self.parent(place) else { return true };
        let (dialect, _) = self.dialect(self.kind(parent));
        dialect.usage().is_none() || kind == self.kind(place) || self.was_seen(place, kind)
    }

    /// Whether there is usage of the language of a node's parent, and it has this kind, which is not a token, in the context of the node.
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
    fn mandatory(&self, node: NodeId) -> Option<&BTreeSet<String>> {
        let (dialect, label) = self.dialect(self.kind(node));
        dialect.usage()?.mandatory.get(&label).filter(|edges| !edges.is_empty())
    }

    /// Whether usage knows the label of a node.
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
