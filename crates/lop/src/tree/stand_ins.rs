//! Stand-ins for a node: the least text of every kind that fits in its place.
//!
//! Φ is the least text of a node's own kind; but an expression may be replaced by any other expression, and a
//! `0` is less than the least call.

use std::collections::HashMap;
use std::rc::Rc;

use lop_grammar::Wrapper;

use crate::text::size::Size;

use super::arena::Content;
use super::corpus::smallest;
use super::{Corpus, Field, Kind, NodeId, Tree};

/// The longest text from the grammar that may replace a node of another kind.
const LONGEST: usize = 4;

/// The surroundings decide which kinds fit in a place: the parent's kind, its model, and the model's states before and after the place; without a
/// model, the kind of the node itself; with usage, the field and the kind of the node, too.
type Surroundings = (Kind, Result<Content, Kind>, u16, u16, Option<(Field, Kind)>);

/// Finds the kinds that fit in a place, and the least text of each. Places with the same surroundings have the same stand-ins,
/// which are found once.
pub struct StandIns<'t> {
    tree: &'t Tree,
    smallest: HashMap<Kind, NodeId>,
    texts: HashMap<Surroundings, Rc<Texts>>,
    wrappers: HashMap<(Surroundings, Kind), Option<Wrapper>>,
}

/// The texts that fit in a place.
struct Texts {
    /// The least first.
    least: Vec<Measure>,
    /// The kinds for which neither the text nor the grammar has an instance.
    gone: Vec<Kind>,
}

/// A text with its size, by which texts compare.
type Measure = (Size, Vec<u8>);

impl<'t> StandIns<'t> {
    /// The stand-ins for the nodes of a tree.
    pub fn new(tree: &'t Tree) -> Self {
        let smallest = smallest(tree);
        StandIns { tree, smallest, texts: HashMap::new(), wrappers: HashMap::new() }
    }

    fn surroundings(&self, node: NodeId) -> Option<Surroundings> {
        let tree = self.tree;
        let parent = tree.parent(node)?;
        let model = match tree.node(parent).content() {
            model @ (Content::Rule(_) | Content::Overlaid) => Ok(model),
            _ => Err(tree.kind(node)),
        };
        let (dialect, _) = tree.dialect(tree.kind(parent));
        let usual = dialect.usage().map(|_| (tree.node(node).field, tree.kind(node)));
        Some((tree.kind(parent), model, tree.node(node).before, tree.node(node).after, usual))
    }

    /// The kinds that may replace a node.
    fn fitting(&self, node: NodeId) -> Vec<Kind> {
        let tree = self.tree;
        let Some(parent) = tree.parent(node) else { return Vec::new() };
        let (dialect, _) = tree.dialect(tree.kind(parent));
        let grammar = dialect.grammar();
        let named =
            grammar.labels().filter(|label| grammar.is_named(*label) && !grammar.is_extra(*label));
        named.map(|label| dialect.kind(label)).filter(|kind| tree.fits(node, *kind)).collect()
    }

    /// The least texts, of different kinds, that may replace a node and are less than its
    /// own; the least first.
    pub fn of(&mut self, node: NodeId) -> Vec<Vec<u8>> {
        self.texts(node).map_or(Vec::new(), |texts| self.less(&texts.least, node))
    }

    /// The least texts that may replace a node, of kinds of which only a corpus has an instance; the least first.
    pub fn seen(&mut self, node: NodeId, corpus: &Corpus) -> Vec<Vec<u8>> {
        let Some(texts) = self.texts(node) else { return Vec::new() };
        let seen = texts.gone.iter().filter_map(|kind| corpus.least(self.tree, *kind));
        self.less(&sorted(seen.map(sized).collect()), node)
    }

    fn texts(&mut self, node: NodeId) -> Option<Rc<Texts>> {
        let surroundings = self.surroundings(node)?;
        if let Some(known) = self.texts.get(&surroundings) {
            return Some(known.clone());
        }
        let kinds = self.fitting(node);
        let here = |kind: &Kind| self.smallest.get(kind).map(|node| self.tree.text_of(*node));
        let texts = kinds.iter().flat_map(|kind| [self.known(*kind), here(kind)]);
        let texts = texts.flatten().filter(|text| !text.is_empty());
        let least = sorted(texts.map(sized).collect());
        let is_gone = |kind: &Kind| here(kind).is_none() && self.known(*kind).is_none();
        let found = Rc::new(Texts { least, gone: kinds.into_iter().filter(is_gone).collect() });
        self.texts.insert(surroundings, found.clone());
        Some(found)
    }

    fn less(&self, texts: &[Measure], node: NodeId) -> Vec<Vec<u8>> {
        let present = sized(self.tree.text_of(node));
        texts.iter().take_while(|text| **text < present).map(|(_, text)| text.clone()).collect()
    }

    /// The least text of a kind according to the grammar.
    fn known(&self, kind: Kind) -> Option<&'t [u8]> {
        let (dialect, label) = self.tree.dialect(kind);
        let known = dialect.grammar().minimal(label).map(str::as_bytes);
        known.filter(|text| text.len() <= LONGEST && !has_letters(text))
    }

    /// The least text around a descendant with which it may replace a node that it may not replace
    /// alone.
    pub fn wrapper(&mut self, node: NodeId, descendant: NodeId) -> Option<Wrapper> {
        let key = (self.surroundings(node)?, self.tree.kind(descendant));
        if let Some(known) = self.wrappers.get(&key) {
            return known.clone();
        }
        let (other, inner) = self.tree.dialect(key.1);
        let wrappers = self.fitting(node).into_iter().filter_map(|outer| {
            let (dialect, outer) = self.tree.dialect(outer);
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

/// Whether a text has a name in it. A text made by a grammar has names that are not declared, so it is of little use.
fn has_letters(text: &[u8]) -> bool {
    text.iter().any(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}
