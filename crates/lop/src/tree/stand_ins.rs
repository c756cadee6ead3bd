//! What else could stand in a place: the least of every kind that fits there.
//!
//! Φ is the least text of a node's own kind; but where an expression stands, any expression may, and a
//! `0` is less than the least of all calls.

use std::collections::HashMap;

use lop_grammar::{Label, RuleId, Wrapper};

use crate::size::Size;

use super::arena::Content;
use super::{Kind, NodeId, Tree};

/// The longest text of a grammar that is put into a text where nothing of its kind stands.
const LONGEST: usize = 4;

/// What decides which kinds fit: the rule, and the states of its model around the place; without a rule,
/// what stands there.
type Place = (Result<RuleId, Kind>, u16, u16);

/// Which kinds fit where, and what the least of them is. Places with the same neighbours are alike, so each is
/// looked at once.
pub struct StandIns<'t> {
    tree: &'t Tree,
    fitting: HashMap<Place, Vec<Kind>>,
    wrappers: HashMap<(Kind, Kind), Option<Wrapper>>,
    smallest: HashMap<Kind, NodeId>,
}

impl<'t> StandIns<'t> {
    /// Those of a tree.
    pub fn new(tree: &'t Tree) -> Self {
        let mut smallest: HashMap<Kind, NodeId> = HashMap::new();
        for node in tree.ids().filter(|node| !tree.is_error(*node)) {
            let least = smallest.entry(tree.kind(node)).or_insert(node);
            if tree.range(node).len() < tree.range(*least).len() {
                *least = node;
            }
        }
        StandIns { tree, fitting: HashMap::new(), wrappers: HashMap::new(), smallest }
    }

    /// The kinds of which something may stand in a place.
    fn fitting(&mut self, place: NodeId) -> &[Kind] {
        let tree = self.tree;
        let Some(parent) = tree.parent(place) else { return &[] };
        let (before, after) = (tree.node(place).before, tree.node(place).after);
        let rule = match tree.node(parent).content {
            Content::Rule(rule) => Ok(rule),
            _ => Err(tree.kind(place)),
        };
        self.fitting.entry((rule, before, after)).or_insert_with(|| {
            let (dialect, _) = tree.dialect(tree.kind(parent));
            let grammar = dialect.grammar();
            let labels = (0..grammar.label_count()).map(|label| Label(label as u16));
            let named =
                labels.filter(|label| grammar.is_named(*label) && !grammar.is_extra(*label));
            named.map(|label| dialect.kind(label)).filter(|kind| tree.fits(place, *kind)).collect()
        })
    }

    /// The least texts, of different kinds, that may stand in a node's place and are less than what
    /// does; the least first.
    pub fn of(&mut self, place: NodeId) -> Vec<Vec<u8>> {
        let tree = self.tree;
        let size = |text: &[u8]| (Size::of(text), text.to_vec());
        let present = size(tree.text_of(place));
        let kinds = self.fitting(place).to_vec();
        let texts = kinds.into_iter().flat_map(|kind| {
            let (dialect, label) = tree.dialect(kind);
            let known = dialect.grammar().minimal(label).map(str::as_bytes);
            let known = known.filter(|text| !text.is_empty() && text.len() <= LONGEST);
            let here = self.smallest.get(&kind).map(|node| tree.text_of(*node));
            let known = known.filter(|text| !has_letters(text));
            [known, here]
        });
        let mut sized: Vec<_> = texts.flatten().map(size).filter(|it| *it < present).collect();
        sized.sort();
        sized.dedup();
        sized.into_iter().map(|(_, text)| text).collect()
    }

    /// The least text around a descendant that lets it stand in a node's place where it may not stand
    /// alone.
    pub fn wrapper(&mut self, place: NodeId, node: NodeId) -> Option<Wrapper> {
        let tree = self.tree;
        let inner = tree.kind(node);
        let kinds = self.fitting(place).to_vec();
        let wrappers = kinds.into_iter().filter_map(|outer| {
            let found = self.wrappers.entry((outer, inner)).or_insert_with(|| {
                let ((dialect, outer), (other, inner)) = (tree.dialect(outer), tree.dialect(inner));
                let is_same = std::ptr::eq(dialect, other);
                is_same.then(|| dialect.grammar().wrapper(outer, inner)).flatten()
            });
            found.clone()
        });
        let wrappers = wrappers.filter(|wrapper| {
            !has_letters(wrapper.before.as_bytes()) && !has_letters(wrapper.after.as_bytes())
        });
        wrappers.min_by_key(|wrapper| wrapper.before.len() + wrapper.after.len())
    }
}

/// Whether there is a name in a text that a grammar has made up: nobody has declared it, so it is of little use.
fn has_letters(text: &[u8]) -> bool {
    text.iter().any(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
}
