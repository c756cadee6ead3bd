//! Replaces nodes by the least text that fits: an instance from elsewhere in the text, the
//! grammar's least text of a kind, or an instance from a corpus.
//!
//! Large nodes come first, and for each of them the constants of the language and the least text. A few texts of
//! different sorts are tried, since a `0` may have the wrong type where a name or a string fits, and one text of the
//! corpus. The other names of the text come last, if there are few: one of them may work where the shortest does not.

use std::collections::{BTreeSet, HashMap};

use crate::tree::{Change, Corpus, NodeId, StandIns, Tree};

use super::names::names;
use super::nothing::nothings;
use super::{Proposal, largest_first};

/// The number of texts that are tried for a node with children, and for one without.
const TRIED: [usize; 2] = [3, 2];
/// The number of leaves inside a node that are tried for it.
const INSIDE: usize = 4;
/// A node with more nodes inside hardly ever has the value of one of them.
const LARGE: usize = 256;
/// From this many names on, only the shortest is tried.
const MANY: usize = 12;

pub(super) fn propose<'t>(
    tree: &'t Tree,
    corpus: &'t Corpus,
) -> impl Iterator<Item = Proposal> + 't {
    let mut stand_ins = StandIns::new(tree);
    let places = tree.ids().filter(|node| *node != tree.root() && tree.is_named(*node));
    let places = largest_first(tree, places.filter(|node| !tree.is_extra(*node)));
    let others = places.clone();
    let replaced = places.into_iter().flat_map(move |place: NodeId| {
        let is_leaf = tree.is_leaf(place);
        let mut texts = of_several_sorts(stand_ins.of(place));
        texts.truncate(TRIED[usize::from(is_leaf)]);
        if !is_leaf {
            let mut seen = stand_ins.seen(place, corpus).into_iter();
            texts.extend(seen.find(|text| !texts.contains(text)));
            let constants = tree.parser().constants().iter().copied();
            let constants = constants.chain(nothings(tree, place));
            texts.splice(..0, constants.map(|it| it.as_bytes().to_vec()));
        }
        texts.into_iter().map(move |text| vec![Change::Replace(place, text.into())])
    });
    let by_inside = others.clone().into_iter().flat_map(move |place| inside(tree, place));
    replaced.chain(by_inside).chain(other_names(tree, others))
}

/// The least text of each sort first, those without a sort last.
fn of_several_sorts(texts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut counts: HashMap<Sort, usize> = HashMap::new();
    let mut ranked: Vec<(usize, bool, Vec<u8>)> = Vec::new();
    for text in texts {
        let sort = Sort::of(&text);
        let before = counts.entry(sort).or_default();
        ranked.push((*before, sort == Sort::Other, text));
        *before += 1;
    }
    ranked.sort_by_key(|(before, is_other, _)| (*before, *is_other));
    ranked.into_iter().map(|(_, _, text)| text).collect()
}

/// The sort of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Sort {
    Number,
    Name,
    Quoted,
    Other,
}

impl Sort {
    fn of(text: &[u8]) -> Sort {
        match text {
            [b'"' | b'\'' | b'`', ..] => Sort::Quoted,
            [b'0'..=b'9', ..] => Sort::Number,
            [first, ..] if first.is_ascii_alphabetic() || *first == b'_' => Sort::Name,
            _ => Sort::Other,
        }
    }
}

/// Replaces a node by different leaves inside it that fit in its place: its value is often that of one of them.
fn inside(tree: &Tree, place: NodeId) -> Vec<Proposal> {
    let is_small = tree.descendants(place).nth(LARGE).is_none();
    let is_fit = |node: &NodeId| {
        tree.is_leaf(*node) && tree.is_named(*node) && tree.fits(place, tree.kind(*node))
    };
    let leaves = tree.descendants(place).filter(|_| is_small).filter(is_fit);
    let texts: BTreeSet<&[u8]> = leaves.map(|leaf| tree.text_of(leaf)).collect();
    let texts = texts.into_iter().filter(|text| !text.is_empty()).take(INSIDE);
    texts.map(|text| vec![Change::Replace(place, text.into())]).collect()
}

/// Replaces every node that is longer than a name by each name.
fn other_names(tree: &Tree, places: Vec<NodeId>) -> impl Iterator<Item = Proposal> {
    let names = Some(names(tree)).filter(|names| names.len() < MANY).unwrap_or_default();
    let larger = places.into_iter().filter(|place| !tree.is_leaf(*place));
    larger.flat_map(move |place| {
        let fitting = names.iter().filter(|(_, at)| tree.fits(place, tree.kind(at[0])));
        let put = |(name, _): (&&[u8], _)| vec![Change::Replace(place, (*name).into())];
        fitting.map(put).collect::<Vec<_>>()
    })
}
