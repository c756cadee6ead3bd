//! Φ: the least text that can replace a node.
//!
//! It comes from the table of the language or from the user, else from its grammar, else it is the smallest node of the
//! kind in the text itself, if the parser accepts that: it replaces some nodes of the kind,
//! and each time the whole text is parsed. It is found once for each kind.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Change, Kind, NodeId, Tree};

/// The number of places in which a replacement is tried before it is trusted.
const TRIALS: usize = 4;

/// The replacements found so far.
#[derive(Default)]
pub(super) struct Minimals {
    by_kind: Mutex<HashMap<Kind, Option<Arc<[u8]>>>>,
    instances: OnceLock<HashMap<Kind, Instances>>,
}

/// The nodes of a kind.
struct Instances {
    smallest: NodeId,
    count: usize,
    /// Some of them, from all over the text.
    samples: Vec<NodeId>,
}

impl Tree {
    /// The least text that can replace a node, if it is less than the node's own.
    pub fn minimal(&self, node: NodeId) -> Option<Arc<[u8]>> {
        self.minimal_of_kind(node).filter(|text| text.len() < self.range(node).len())
    }

    fn minimal_of_kind(&self, node: NodeId) -> Option<Arc<[u8]>> {
        let kind = self.kind(node);
        let known = self.minimals.by_kind.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&kind) {
            return known.clone();
        }
        drop(known);
        let found = self.find_minimal(node);
        let mut known = self.minimals.by_kind.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(kind).or_insert(found).clone()
    }

    fn find_minimal(&self, node: NodeId) -> Option<Arc<[u8]>> {
        let kind = self.kind(node);
        let (dialect, label) = self.dialect(kind);
        let is_frame = dialect.parser().is_frame();
        if self.is_error(node) || is_frame || label == lop_grammar::Label::TEXT {
            return None;
        }
        let instances = self.instances().get(&kind)?;
        let from_text = self.text_of(instances.smallest);
        let chosen = dialect.parser().minimal(label).map(str::as_bytes);
        let from_grammar = dialect.grammar().minimal(label).map(str::as_bytes);
        // What someone has chosen need not be the shortest.
        [chosen, from_grammar.filter(|text| text.len() <= from_text.len()), Some(from_text)]
            .into_iter()
            .flatten()
            // Only the root may be replaced by the empty text: any other node that may be empty may be removed.
            .filter(|text| !text.is_empty() || node == self.root())
            .find(|text| instances.samples.iter().all(|place| self.takes(*place, text)))
            .map(Arc::from)
    }

    fn takes(&self, place: NodeId, text: &[u8]) -> bool {
        let replacement = Change::Replace(place, text.into());
        self.text_of(place) == text || self.still_parses(&self.candidate(&[replacement]))
    }

    fn instances(&self) -> &HashMap<Kind, Instances> {
        self.minimals.instances.get_or_init(|| {
            let nodes = || self.ids().filter(|node| !self.is_error(*node));
            let mut instances: HashMap<Kind, Instances> = HashMap::new();
            for node in nodes() {
                let found = instances.entry(self.kind(node)).or_insert_with(|| Instances {
                    smallest: node,
                    count: 0,
                    samples: Vec::new(),
                });
                found.count += 1;
                if self.range(node).len() < self.range(found.smallest).len() {
                    found.smallest = node;
                }
            }
            let mut seen: HashMap<Kind, usize> = HashMap::new();
            for node in nodes() {
                let Some(found) = instances.get_mut(&self.kind(node)) else { continue };
                let index = seen.entry(self.kind(node)).or_default();
                if index.is_multiple_of(found.count.div_ceil(TRIALS)) {
                    found.samples.push(node);
                }
                *index += 1;
            }
            instances
        })
    }
}
