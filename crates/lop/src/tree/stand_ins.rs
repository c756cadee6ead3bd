//! Stand-ins for a node: the least text of every kind that fits in its place, while Φ is only the least of all.

use std::collections::HashMap;
use std::rc::Rc;

use lop_grammar::Wrapper;

use crate::text::size::Size;

use super::corpus::smallest;
use super::surroundings::Surroundings;
use super::{Corpus, Kind, NodeId, Tree};

/// The longest text from the grammar that may replace a node of another kind.
const LONGEST: usize = 4;

/// Finds the kinds that fit in a place, and the least text of each. Places with the same surroundings have the same stand-ins,
/// which are found once.
pub struct StandIns<'t> {
    tree: &'t Tree,
    smallest: HashMap<Kind, NodeId>,
    kinds: HashMap<Surroundings, Rc<[Kind]>>,
    texts: HashMap<Surroundings, Rc<Texts>>,
    wrappers: HashMap<(Surroundings, Kind), Option<Wrapper>>,
}

/// The texts that fit in a place.
struct Texts {
    /// The least first.
    least: Vec<Measure>,
    /// The kinds of which neither the text nor the grammar has an instance.
    gone: Vec<Kind>,
}

/// A text with its size, by which texts compare.
type Measure = (Size, Vec<u8>);

impl<'t> StandIns<'t> {
    /// The stand-ins for the nodes of a tree.
    pub fn new(tree: &'t Tree) -> Self {
        let smallest = smallest(tree);
        let (kinds, texts, wrappers) = (HashMap::new(), HashMap::new(), HashMap::new());
        StandIns { tree, smallest, kinds, texts, wrappers }
    }

    /// The least texts, of different kinds, that may replace a node and are less than its
    /// own; the least first.
    pub fn of(&mut self, node: NodeId) -> Vec<Vec<u8>> {
        self.texts(node).map_or(Vec::new(), |texts| self.less(&texts.least, node))
    }

    /// The least texts that may replace a node, for kinds of which only a corpus has an instance; the least first.
    pub fn seen(&mut self, node: NodeId, corpus: &Corpus) -> Vec<Vec<u8>> {
        let Some(texts) = self.texts(node) else { return Vec::new() };
        let seen = texts.gone.iter().filter_map(|kind| corpus.least(self.tree, *kind));
        self.less(&sorted(seen.map(sized).collect()), node)
    }

    fn texts(&mut self, node: NodeId) -> Option<Rc<Texts>> {
        let surroundings = self.tree.surroundings(node)?;
        if let Some(known) = self.texts.get(&surroundings) {
            return Some(known.clone());
        }
        let kinds = self.kinds(node, surroundings);
        let here = |kind: &Kind| self.smallest.get(kind).map(|node| self.tree.text_of(*node));
        let texts = kinds.iter().flat_map(|kind| [self.known(*kind), here(kind)]);
        let texts = texts.flatten().filter(|text| !text.is_empty());
        let least = sorted(texts.map(sized).collect());
        let is_gone = |kind: &Kind| here(kind).is_none() && self.known(*kind).is_none();
        let found = Rc::new(Texts { least, gone: kinds.iter().copied().filter(is_gone).collect() });
        self.texts.insert(surroundings, found.clone());
        Some(found)
    }

    /// The kinds that fit in the place of a node.
    fn kinds(&mut self, node: NodeId, surroundings: Surroundings) -> Rc<[Kind]> {
        let find = || self.tree.fitting(node).into();
        self.kinds.entry(surroundings).or_insert_with(find).clone()
    }

    fn less(&self, texts: &[Measure], node: NodeId) -> Vec<Vec<u8>> {
        let present = sized(self.tree.text_of(node));
        texts.iter().take_while(|text| **text < present).map(|(_, text)| text.clone()).collect()
    }

    /// The least text of a kind according to the grammar.
    fn known(&self, kind: Kind) -> Option<&'t [u8]> {
        let (dialect, label) = self.tree.dialect(kind);
        let known = dialect.parser().minimal(label).or_else(|| dialect.grammar().minimal(label));
        known.map(str::as_bytes).filter(|text| text.len() <= LONGEST && !has_letters(text))
    }

    /// The least text around a descendant with which it may replace a node that it cannot replace alone.
    pub fn wrapper(&mut self, node: NodeId, descendant: NodeId) -> Option<Wrapper> {
        let key = (self.tree.surroundings(node)?, self.tree.kind(descendant));
        if let Some(known) = self.wrappers.get(&key) {
            return known.clone();
        }
        let (other, inner) = self.tree.dialect(key.1);
        let kinds = self.kinds(node, key.0);
        let wrappers = kinds.iter().filter_map(|outer| {
            let (dialect, outer) = self.tree.dialect(*outer);
            let is_same = std::ptr::eq(dialect, other);
            is_same.then(|| dialect.grammar().wrapper(outer, inner)).flatten()
        });
        let wrappers = wrappers.filter(|wrapper| {
            !has_letters(wrapper.before.as_bytes()) && !has_letters(wrapper.after.as_bytes())
        });
        let found = wrappers.min_by_key(|wrapper| wrapper.before.len() + wrapper.after.len());
        self.wrappers.insert(key, found.clone());
        found
    }
}

fn sorted(mut texts: Vec<Measure>) -> Vec<Measure> {
    texts.sort();
    texts.dedup();
    texts
}

fn sized(text: &[u8]) -> Measure {
    (Size::of(text), text.to_vec())
}

/// Whether a text contains a name. A text from a grammar has undeclared names, so it is of little use.
fn has_letters(text: &[u8]) -> bool {
    text.iter().any(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}
