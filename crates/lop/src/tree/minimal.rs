//! Φ: the least text that can stand in for a node.
//!
//! What the grammar says first, if a parser takes it: it is put in the place of one node of the
//! kind, and the whole is parsed. Else the smallest node of the kind in the text itself, which is
//! known to be one. Found once for each kind.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Change, Kind, NodeId, Tree};

/// What was found so far.
#[derive(Default)]
pub(super) struct Minimals {
    by_kind: Mutex<HashMap<Kind, Option<Arc<[u8]>>>>,
    /// Per kind, its smallest node.
    smallest: OnceLock<HashMap<Kind, NodeId>>,
}

impl Tree {
    /// The least text that can stand in for a node, if it is less than what stands there.
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
        if self.is_error(node) || label == lop_grammar::Label::TEXT {
            return None;
        }
        let smallest = *self.smallest().get(&kind)?;
        let from_text: Arc<[u8]> = self.text_of(smallest).into();
        // The place of a large node, so that most of what follows stays as it was parsed.
        let from_grammar = dialect.grammar().minimal(label).filter(|text| {
            let replacement = Change::Replace(node, text.as_bytes().into());
            text.len() < from_text.len() && self.still_parses(&self.candidate(&[replacement]))
        });
        Some(from_grammar.map_or(from_text, |text| text.as_bytes().into()))
    }

    fn smallest(&self) -> &HashMap<Kind, NodeId> {
        self.minimals.smallest.get_or_init(|| {
            let mut smallest: HashMap<Kind, NodeId> = HashMap::new();
            for node in self.ids().filter(|node| !self.is_error(*node)) {
                let best = smallest.entry(self.kind(node)).or_insert(node);
                if self.range(node).len() < self.range(*best).len() {
                    *best = node;
                }
            }
            smallest
        })
    }
}
