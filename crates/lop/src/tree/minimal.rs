//! Φ: the least text that can replace a node.
//!
//! It is the least text that the rule around the node allows in its place: a call may be replaced by `0`, since any
//! expression may. The texts come from the grammar, or are the smallest nodes of a kind in the text itself; choices of
//! the language's table, or of the user, for the node's own kind come first. A text is trusted if the parser accepts
//! it: it replaces some nodes in such places, and each time the whole text is parsed. It is found once for each kind of
//! node and of place.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::corpus::smallest;
use super::surroundings::Surroundings;
use super::{Change, Kind, NodeId, Tree};

/// The number of nodes for which a replacement is tried before it is trusted.
const TRIALS: usize = 3;

/// The number of texts that are tried for a place. The parser seldom refuses any.
const TEXTS: usize = 3;

/// The replacements found so far.
#[derive(Default)]
pub(super) struct Minimals {
    by_place: Mutex<HashMap<Place, Option<Arc<[u8]>>>>,
    instances: OnceLock<Instances>,
}

/// A kind of node in a kind of place.
type Place = (Kind, Option<Surroundings>);

/// The nodes of a text.
struct Instances {
    smallest: HashMap<Kind, NodeId>,
    /// Some nodes of each kind in each kind of place, from the whole text.
    samples: HashMap<Place, Vec<NodeId>>,
}

impl Tree {
    /// The least text that can replace a node, if it is less than the node's own.
    pub fn minimal(&self, node: NodeId) -> Option<Arc<[u8]>> {
        self.minimal_in_place(node).filter(|text| text.len() < self.range(node).len())
    }

    /// Whether the rule of a node's label allows the empty text.
    pub fn may_be_empty(&self, node: NodeId) -> bool {
        let (dialect, label) = self.dialect(self.kind(node));
        dialect.grammar().minimal(label) == Some("")
    }

    fn minimal_in_place(&self, node: NodeId) -> Option<Arc<[u8]>> {
        let place = (self.kind(node), self.surroundings(node));
        let known = self.minimals.by_place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(&place) {
            return known.clone();
        }
        drop(known);
        let found = self.find_minimal(node, &place);
        let mut known = self.minimals.by_place.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(place).or_insert(found).clone()
    }

    fn find_minimal(&self, node: NodeId, place: &Place) -> Option<Arc<[u8]>> {
        let (dialect, label) = self.dialect(place.0);
        let is_frame = dialect.parser().is_frame();
        if self.is_error(node) || is_frame || label == lop_grammar::Label::TEXT {
            return None;
        }
        let samples = self.instances().samples.get(place)?;
        // A chosen text need not be the shortest.
        let chosen = dialect.parser().minimal(label).map(str::as_bytes);
        let others = self.fitting(node).into_iter().filter(|kind| *kind != place.0);
        let mut texts: Vec<&[u8]> =
            [place.0].into_iter().chain(others).flat_map(|kind| self.least(kind)).collect();
        // Of equally long texts, those of the node's own kind come first.
        texts.sort_by_key(|text| text.len());
        texts.truncate(TEXTS);
        let own = self.least(place.0);
        chosen
            .into_iter()
            .chain(texts)
            .chain(own)
            // Only the root can be replaced by the empty text: any other node that may be empty can be removed.
            .filter(|text| !text.is_empty() || node == self.root())
            .find(|text| samples.iter().all(|place| self.takes(*place, text)))
            .map(Arc::from)
    }

    /// The least texts of a kind: that of the grammar, and the smallest node; the shorter one first.
    fn least(&self, kind: Kind) -> Vec<&[u8]> {
        let (dialect, label) = self.dialect(kind);
        let from_grammar = dialect.grammar().minimal(label).map(str::as_bytes);
        let from_text = self.instances().smallest.get(&kind).map(|node| self.text_of(*node));
        let mut texts: Vec<&[u8]> = from_grammar.into_iter().chain(from_text).collect();
        texts.sort_by_key(|text| text.len());
        texts
    }

    fn takes(&self, place: NodeId, text: &[u8]) -> bool {
        let replacement = Change::Replace(place, text.into());
        self.text_of(place) == text || self.still_parses(&self.candidate(&[replacement]))
    }

    fn instances(&self) -> &Instances {
        self.minimals.instances.get_or_init(|| {
            let nodes = || self.ids().filter(|node| !self.is_error(*node));
            let place = |node| (self.kind(node), self.surroundings(node));
            let mut counts: HashMap<Place, usize> = HashMap::new();
            nodes().for_each(|node| *counts.entry(place(node)).or_default() += 1);
            let mut seen: HashMap<Place, usize> = HashMap::new();
            let mut samples: HashMap<Place, Vec<NodeId>> = HashMap::new();
            for node in nodes() {
                let place = place(node);
                let index = seen.entry(place).or_default();
                if index.is_multiple_of(counts[&place].div_ceil(TRIALS)) {
                    samples.entry(place).or_default().push(node);
                }
                *index += 1;
            }
            Instances { smallest: smallest(self), samples }
        })
    }
}
