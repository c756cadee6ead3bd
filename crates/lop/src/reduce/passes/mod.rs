//! Passes: what else can be done to a text than to take nodes of its tree away.
//!
//! A pass looks at a tree and proposes changes, all of which are to that tree; one search (`sweep.rs`)
//! finds out which of them can be made together. A pass knows no language: what is a name, a list or
//! a number is asked of the tree, and whether a change makes sense is for the parser and the oracle to say. What is
//! peculiar to a language is written down as rules (see [`crate::rules`]).
//!
//! Guarantee: none; whatever is accepted was found interesting and is smaller. Cost: see `sweep.rs`.

mod alike;
mod comments;
mod halve;
mod inline;
mod lift;
mod links;
mod literals;
mod names;
mod rewrite;
mod splice;
mod substitute;
mod sweep;
mod tidy;
mod types;
mod unify;
mod wrap;

pub use sweep::sweep;

use crate::reduce::rules::Rules;
use crate::tree::{Change, Corpus, NodeId, Tree};

/// Changes to a tree that are made together.
pub type Proposal = Vec<Change>;

/// A named pass.
pub struct Pass {
    /// The word in a strategy.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Whether all proposals together are tried first.
    pub together: bool,
    /// What it proposes, what is most promising first.
    pub propose: fn(&Tree, &Lore) -> Vec<Proposal>,
}

/// What is known beside the tree.
#[derive(Default)]
pub struct Lore {
    /// Rewrite rules beside those that come with lop for its language.
    pub rules: Rules,
    /// What was seen in this text and others.
    pub corpus: Corpus,
}

/// All passes.
#[rustfmt::skip]
pub const PASSES: &[Pass] = &[
    Pass { name: "comments", together: false, propose: |tree, _| comments::propose(tree),
        about: "all comments, and whatever else may stand anywhere, go at once" },
    Pass { name: "halve", together: false, propose: |tree, _| halve::propose(tree),
        about: "halves of the heaviest lists" },
    Pass { name: "lift", together: false, propose: |tree, _| lift::propose(tree),
        about: "descendants in the places of nodes, wherever the grammar allows them" },
    Pass { name: "splice", together: false, propose: |tree, _| splice::propose(tree),
        about: "the elements of a list in the place of an element of a list above it" },
    Pass { name: "wrap", together: false, propose: |tree, _| wrap::propose(tree),
        about: "descendants in the places of nodes, with the tokens that they need there" },
    Pass { name: "substitute", together: false, propose: |tree, lore| substitute::propose(tree, &lore.corpus),
        about: "the least that fits, from the text, the grammar or a corpus, in the places of nodes" },
    Pass { name: "unlink", together: false, propose: |tree, _| links::propose(tree),
        about: "all occurrences of a name go together; parameters go with their arguments" },
    Pass { name: "inline", together: false, propose: |tree, _| inline::propose(tree),
        about: "what a name stands for in the places where it is used; arguments in those of parameters" },
    Pass { name: "alike", together: false, propose: |tree, _| alike::propose(tree),
        about: "a part of what occurs several times, or the least that fits, in all of its places" },
    Pass { name: "unify", together: false, propose: |tree, _| unify::propose(tree),
        about: "two names become one, with or without the declaration of one of them" },
    Pass { name: "types", together: true, propose: |tree, _| types::propose(tree),
        about: "the simplest type of the text in the places of others" },
    Pass { name: "literals", together: true, propose: |tree, _| literals::propose(tree),
        about: "numbers towards 0, strings towards nothing" },
    Pass { name: "rename", together: true, propose: |tree, _| names::propose(tree),
        about: "short names for long ones" },
    Pass { name: "rewrite", together: false, propose: |tree, lore| rewrite::propose(tree, &lore.rules),
        about: "the rules of the language, and those of --rules" },
    Pass { name: "tidy", together: true, propose: |tree, _| tidy::propose(tree),
        about: "blank lines and blanks at line ends go" },
];

/// The places of the proposals: of two for the same place only one is accepted.
pub(crate) fn places(proposals: &[Proposal]) -> Vec<u32> {
    let place = |change: &Change| match change {
        Change::Cut(node, _) | Change::Replace(node, _) | Change::Keep { place: node, .. } => {
            node.0
        }
        Change::Layout(range) => range.start as u32,
    };
    proposals.iter().map(|proposal| proposal.first().map_or(0, place)).collect()
}

/// Nodes, the largest first.
fn largest_first(tree: &Tree, nodes: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = nodes.collect();
    nodes.sort_by_key(|node| (std::cmp::Reverse(tree.range(*node).len()), *node));
    nodes
}

/// The nearest nodes below one, in each branch, that are good for something.
fn nearest(tree: &Tree, node: NodeId, is_good: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
    let mut found: Vec<NodeId> = Vec::new();
    for below in tree.descendants(node) {
        let is_below = |above: &NodeId| tree.range(*above).end >= tree.range(below).end;
        let is_whole = tree.is_named(below) && !tree.is_extra(below) && !tree.is_error(below);
        let is_empty = tree.range(below).is_empty();
        if is_whole && !is_empty && !found.last().is_some_and(is_below) && is_good(below) {
            found.push(below);
        }
    }
    found
}

/// The same text in all of some places.
fn put(places: &[NodeId], text: &[u8]) -> Proposal {
    places.iter().map(|place| Change::Replace(*place, text.into())).collect()
}

/// Proposals, those that take most away first.
fn most_first(tree: &Tree, mut proposals: Vec<Proposal>) -> Vec<Proposal> {
    proposals.sort_by_cached_key(|proposal| std::cmp::Reverse(removed(tree, proposal)));
    proposals
}

/// How many bytes a proposal takes away.
fn removed(tree: &Tree, proposal: &Proposal) -> usize {
    let length = |change: &Change| match change {
        Change::Cut(first, last) => tree.range(*last).end - tree.range(*first).start,
        Change::Replace(node, with) => tree.range(*node).len().saturating_sub(with.len()),
        Change::Keep { .. } | Change::Layout(_) => 0,
    };
    proposal.iter().map(length).sum()
}

/// What is done if a node goes with the smallest thing around it that may go, and with what would be nothing but
/// punctuation without it.
fn cut_around(tree: &Tree, node: NodeId) -> Option<(NodeId, Vec<Change>)> {
    let above = std::iter::successors(Some(node), |node| tree.parent(*node));
    let mut above = above.take_while(|node| *node != tree.root());
    let mut found = above.find_map(|node| Some((node, cut(tree, node)?)))?;
    while let Some(outer) = tree.parent(found.0).filter(|outer| *outer != tree.root()) {
        let mut others = tree.children(outer).filter(|child| *child != found.0);
        if others.any(|child| tree.is_named(child)) {
            break;
        }
        let Some(whole) = cut(tree, outer) else { break };
        found = (outer, whole);
    }
    Some(found)
}

/// What is done if a node goes, alone or with a separator beside it.
fn cut(tree: &Tree, node: NodeId) -> Option<Vec<Change>> {
    if tree.is_removable(node) && !tree.is_extra(node) {
        let in_list = tree.parent(node).and_then(|parent| in_series(tree, parent, node));
        return Some(in_list.unwrap_or_else(|| vec![Change::cut(node)]));
    }
    in_series(tree, tree.parent(node)?, node)
}

fn in_series(tree: &Tree, parent: NodeId, node: NodeId) -> Option<Vec<Change>> {
    tree.series(parent).iter().find_map(|series| {
        let index = (0..series.len()).find(|index| series.element(*index).contains(&node))?;
        (series.len() > 1 || series.is_separated()).then(|| tree.without_elements(series, &[index]))
    })
}
