//! Passes: reductions of a text other than removing and hoisting nodes of its tree.
//!
//! A pass looks at a tree and proposes changes to that tree; one search (`sweep.rs`) finds out which of them can be
//! made together. A pass knows no language: the tree shows which nodes are names, lists or numbers, and the parser and
//! the oracle decide whether a change makes sense. Reductions that are peculiar to a language are rules (see
//! [`crate::rules`]).
//!
//! Passes propose lazily: work for proposals that the search never asks for is wasted. A pass that sorts its proposals
//! by what they remove needs all of them first, so it takes time in proportion to the text.
//!
//! Guarantee: none; every accepted candidate is interesting and smaller. Cost: see `sweep.rs`.

mod alike;
mod calls;
mod columns;
mod comments;
mod cuts;
mod declared;
mod dissolve;
mod expand;
mod files;
mod halve;
mod includes;
mod inline;
mod join;
mod leap;
mod lexemes;
mod lift;
mod links;
mod literals;
mod names;
mod needs;
mod nothing;
mod numbered;
mod pair;
mod pieces;
mod ppr;
mod reached;
mod rewrite;
mod shapes;
mod sidesteps;
mod slice;
mod splice;
mod statements;
mod substitute;
mod sweep;
mod tidy;
mod trim;
mod types;
mod unbind;
mod unify;
mod wrap;

pub(crate) use numbered::Numbered;
pub(crate) use ppr::{is_pair, is_similar_pair};
pub(crate) use sidesteps::{SIDESTEPS, Sidesteps};
pub use sweep::sweep;

use cuts::{cut, cut_around};

use crate::reduce::rules::Rules;
use crate::text::Clues;
use crate::tree::{Change, Corpus, NodeId, Tree};

/// Changes to a tree that are tried together.
pub type Proposal = Vec<Change>;

/// Proposals, the most promising first. A pass makes them on demand: a large text has hundreds of thousands, and a few
/// tests later it has changed.
pub type Proposals<'t> = Box<dyn Iterator<Item = Proposal> + 't>;

/// A named pass.
pub struct Pass {
    /// Its word in a strategy.
    pub name: &'static str,
    /// A line of help.
    pub about: &'static str,
    /// Whether all proposals together are tried first.
    pub together: bool,
    /// Its proposals for a tree.
    pub propose: for<'t> fn(&'t Tree, &'t Lore) -> Proposals<'t>,
}

/// Knowledge besides the tree.
#[derive(Clone, Default)]
pub struct Lore {
    /// Rewrite rules besides those that come with lop for its language.
    pub rules: Rules,
    /// The least instances that were seen in this text and in others.
    pub corpus: Corpus,
    /// What the run of the test reports about places of the input.
    pub clues: Clues,
}

/// The pass that begins where the run of the test reports the failure.
pub(crate) const SLICE: Pass = Pass {
    name: "slice",
    about: "keeps the statements that the output of the test names, with the definitions that they need, or those that an interpreter ran",
    together: false,
    propose: |tree, lore| Box::new(slice::propose(tree, &lore.clues)),
};

/// The pass that removes whole files.
pub(crate) const FILES: Pass = Pass {
    name: "files",
    about: "removes files of a directory, alone or with the parts of other files that mention them",
    together: false,
    propose: |tree, _| Box::new(files::propose(tree)),
};

/// The pass that reduces two files in lockstep.
pub(crate) const PPR: Pass = Pass {
    name: "ppr",
    about: "reduces two versions of a program together, and makes them more alike: PPR (Zhang et al. 2023); for exactly two files in one language, and part of the default if these are similar",
    together: false,
    propose: ppr::propose,
};

/// All passes.
#[rustfmt::skip]
pub const PASSES: &[Pass] = &[
    FILES,
    SLICE,
    Pass { name: "comments", together: false, propose: |tree, _| Box::new(comments::propose(tree)),
        about: "removes all comments, and whatever else the grammar allows anywhere, in one step" },
    Pass { name: "halve", together: false, propose: |tree, _| Box::new(halve::propose(tree)),
        about: "removes halves of the heaviest lists" },
    Pass { name: "leap", together: false, propose: |tree, _| Box::new(leap::propose(tree)),
        about: "replaces heavy nodes by descendants far below them: deep nesting is gone in a few tests" },
    Pass { name: "includes", together: false, propose: |tree, _| Box::new(includes::propose(tree)),
        about: "removes what brings other files in, such as `#include` and `import`, so that tests are faster" },
    Pass { name: "columns", together: false, propose: |tree, _| Box::new(columns::propose(tree)),
        about: "removes a column of a table: the n-th element of several lists" },
    Pass { name: "lift", together: false, propose: |tree, _| Box::new(lift::propose(tree)),
        about: "replaces nodes by descendants, wherever the grammar allows it" },
    Pass { name: "splice", together: false, propose: |tree, _| Box::new(splice::propose(tree)),
        about: "replaces an element of a list by the elements of a list inside it: a block becomes its statements" },
    Pass { name: "wrap", together: false, propose: |tree, _| Box::new(wrap::propose(tree)),
        about: "replaces nodes by descendants with the tokens that these need: `if (f()) g;` becomes `f();`" },
    Pass { name: "substitute", together: false, propose: |tree, lore| Box::new(substitute::propose(tree, &lore.corpus)),
        about: "replaces nodes by the smallest text that fits, from the input, the grammar, --corpus or --model" },
    Pass { name: "unlink", together: false, propose: |tree, _| Box::new(links::propose(tree)),
        about: "removes a declaration with all its uses, a parameter with the argument of every call, a field with its initialisers" },
    Pass { name: "inline", together: false, propose: |tree, _| Box::new(inline::propose(tree)),
        about: "replaces a name by its value: `var a = [1]; f(a)` becomes `f([1])`; also a parameter by its argument or default, and a field by its value" },
    Pass { name: "expand", together: false, propose: |tree, _| Box::new(expand::propose(tree)),
        about: "replaces the few calls of a function or method by its body, and an object by the value of the one field that is used" },
    Pass { name: "dissolve", together: false, propose: |tree, _| Box::new(dissolve::propose(tree)),
        about: "makes functions of the methods and variables of the fields of a class that has one object, and takes a namespace away: `a.f(1)` becomes `f(1)`" },
    Pass { name: "unbind", together: false, propose: |tree, _| Box::new(unbind::propose(tree)),
        about: "replaces a node by the part that uses a name which it binds, with a value for the name: `for (x of f(a)) g(x)` becomes `g(a)`" },
    Pass { name: "join", together: false, propose: |tree, _| Box::new(join::propose(tree)),
        about: "makes two neighbours one, with the content of both: two methods, two classes, two blocks" },
    Pass { name: "alike", together: false, propose: |tree, _| Box::new(alike::propose(tree)),
        about: "changes all occurrences of the same text in the same way: every `a.b` becomes `a` in one step" },
    Pass { name: "unify", together: false, propose: |tree, _| Box::new(unify::propose(tree)),
        about: "merges two names into one, and removes one of the declarations" },
    Pass { name: "types", together: true, propose: |tree, _| Box::new(types::propose(tree)),
        about: "replaces types by the simplest type of the input" },
    Pass { name: "literals", together: true, propose: |tree, _| Box::new(literals::propose(tree)),
        about: "makes numbers smaller and strings shorter, down to 0 and the empty string" },
    Pass { name: "lexemes", together: false, propose: |tree, _| Box::new(lexemes::propose(tree)),
        about: "makes numbers, strings and other tokens shorter and simpler, as their lexical rules allow it: T-Rec (Xu et al. 2024)" },
    Pass { name: "trim", together: false, propose: |tree, _| Box::new(trim::propose(tree)),
        about: "removes characters of tokens, but not of names and keywords" },
    Pass { name: "rename", together: true, propose: |tree, _| Box::new(names::propose(tree)),
        about: "replaces long names by short ones" },
    Pass { name: "rewrite", together: false, propose: |tree, lore| Box::new(rewrite::propose(tree, &lore.rules)),
        about: "applies the rewrite rules of the language, and those of --rules" },
    PPR,
    Pass { name: "tidy", together: true, propose: |tree, _| Box::new(tidy::propose(tree)),
        about: "removes blank lines, and white space at line ends" },
];

/// Nodes, the largest first.
fn largest_first(tree: &Tree, nodes: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = nodes.collect();
    nodes.sort_by_key(|node| (std::cmp::Reverse(tree.range(*node).len()), *node));
    nodes
}

/// The nearest good descendants of a node in each branch.
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

/// The children of a node if it may have several.
fn elements(tree: &Tree, node: NodeId) -> Vec<NodeId> {
    let repeats = |child: &NodeId| {
        tree.is_named(*child) && !tree.is_extra(*child) && tree.quantifier(*child).repeats()
    };
    tree.children(node).filter(repeats).collect()
}

/// Replaces all of some nodes by the same text.
fn put(places: &[NodeId], text: &[u8]) -> Proposal {
    places.iter().map(|place| Change::Replace(*place, text.into())).collect()
}

/// Proposals, those that remove most first.
fn most_first(tree: &Tree, mut proposals: Vec<Proposal>) -> impl Iterator<Item = Proposal> + use<> {
    proposals.sort_by_cached_key(|proposal| std::cmp::Reverse(removed(tree, proposal)));
    proposals.into_iter()
}

/// The number of bytes that a proposal removes.
fn removed(tree: &Tree, proposal: &Proposal) -> usize {
    let length = |change: &Change| match change {
        Change::Cut(first, last) => tree.range(*last).end - tree.range(*first).start,
        Change::Replace(node, with) => tree.range(*node).len().saturating_sub(with.len()),
        Change::Keep { .. } | Change::Layout(_) => 0,
    };
    proposal.iter().map(length).sum()
}

/// Whether a proposal makes the text longer.
fn grows(tree: &Tree, proposal: &Proposal) -> bool {
    tree.candidate(proposal).len() > tree.text().len()
}
