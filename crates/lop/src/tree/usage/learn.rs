//! Learns from a tree.
//!
//! Learning visits every node of a corpus, so it needs neither the view of the tree nor its content models: it counts
//! by numbers, and looks names up once for each kind.

use std::collections::{BTreeMap, HashMap};

use super::{EdgeUse, LabelUse, Usage};
use crate::tree::builder::Field;
use crate::tree::corpus::LONGEST;
use crate::tree::{Kind, NodeId, Tree};

/// A field; without one, also the label of the child.
type Edge = (Field, Option<Kind>);

/// The usage of a kind in one text.
#[derive(Default)]
struct Seen {
    nodes: u64,
    edges: Vec<(Edge, EdgeUse)>,
    least: Option<NodeId>,
}

impl Usage {
    /// The edge to the children with a label that are under no field. It is not the name of any field.
    pub(super) fn edge_of(label: &str) -> String {
        format!(":{label}")
    }

    /// Learns from a text.
    pub fn learn(&mut self, tree: &Tree) {
        let mut seen: BTreeMap<Kind, Seen> = BTreeMap::new();
        let mut contexts: HashMap<(Kind, Kind, Field), u64> = HashMap::new();
        let mut edges: Vec<Edge> = Vec::new();
        // Whether each node is learned from. Visiting the children of the parent again for each of them would be
        // quadratic.
        let mut learned: Vec<bool> = Vec::with_capacity(tree.len());
        for node in tree.ids() {
            edges.clear();
            let mut is_whole = tree.is_example(node);
            for child in tree.children(node) {
                is_whole &= !tree.is_error(child);
                if tree.has_edge(child) {
                    edges.push((tree.node(child).field, None));
                    let label = Some(tree.kind(child)).filter(|_| tree.field(child).is_none());
                    edges.extend(label.map(|label| (Field::default(), Some(label))));
                }
            }
            learned.push(is_whole);
            if !is_whole {
                continue;
            }
            let uses = seen.entry(tree.kind(node)).or_default();
            uses.count(&mut edges);
            let length = tree.range(node).len();
            let is_less = |least: NodeId| length < tree.range(least).len();
            if (1..=LONGEST).contains(&length) && uses.least.is_none_or(is_less) {
                uses.least = Some(node);
            }
            if let Some(parent) = tree.parent(node).filter(|parent| learned[parent.index()]) {
                let context = (tree.kind(node), tree.kind(parent), tree.node(node).field);
                *contexts.entry(context).or_default() += 1;
            }
        }
        self.add(tree, seen, contexts);
        self.learned.insert(Usage::fingerprint(tree.text()));
    }

    fn add(
        &mut self,
        tree: &Tree,
        seen: BTreeMap<Kind, Seen>,
        contexts: HashMap<(Kind, Kind, Field), u64>,
    ) {
        let name = |kind: Kind| {
            let (dialect, label) = tree.dialect(kind);
            dialect.grammar().label_name(label)
        };
        let edge = |field: Field| tree.field_name(field).unwrap_or_default().to_owned();
        let mut uses: BTreeMap<Kind, LabelUse> = BTreeMap::new();
        for (kind, seen) in seen {
            let named = |(field, label): Edge| match label {
                Some(label) => Usage::edge_of(name(label)),
                None => edge(field),
            };
            let edges = seen.edges.into_iter().map(|(edge, uses)| (named(edge), uses));
            let least = seen.least.map(|node| tree.text_of(node).to_vec());
            let found =
                LabelUse { nodes: seen.nodes, edges: edges.collect(), least, ..Default::default() };
            uses.insert(kind, found);
        }
        for ((kind, parent, field), nodes) in contexts {
            let context = (name(parent).to_owned(), edge(field));
            *uses.entry(kind).or_default().contexts.entry(context).or_default() += nodes;
        }
        let is_strict = tree.parser().is_strict();
        for (kind, uses) in uses {
            let (dialect, _) = tree.dialect(kind);
            // Where a strict parser fails, the tree has lines and brackets instead of its language: they aren't
            // examples.
            if dialect.parser().is_strict() || !is_strict {
                self.insert(&dialect.grammar().name, name(kind), uses);
            }
        }
    }
}

impl Seen {
    /// Counts a node with these edges.
    fn count(&mut self, edges: &mut [Edge]) {
        self.nodes += 1;
        edges.sort_unstable();
        for same in edges.chunk_by(|left, right| left == right) {
            let known = self.edges.iter().position(|(edge, _)| *edge == same[0]);
            let known = known.unwrap_or_else(|| {
                self.edges.push((same[0], EdgeUse::default()));
                self.edges.len() - 1
            });
            let edge = &mut self.edges[known].1;
            let times = same.len() as u64;
            edge.least = if edge.nodes == 0 { times } else { edge.least.min(times) };
            edge.most = edge.most.max(times);
            edge.nodes += 1;
        }
    }
}

impl Tree {
    /// Whether a node is an example, unless a child is an error.
    fn is_example(&self, node: NodeId) -> bool {
        self.is_named(node) && !self.is_error(node) && !self.is_extra(node)
    }

    /// Whether the edge to a node counts: tokens without a field have none, and comments may be anywhere.
    pub(super) fn has_edge(&self, node: NodeId) -> bool {
        (self.is_named(node) || self.field(node).is_some()) && !self.is_extra(node)
    }
}
