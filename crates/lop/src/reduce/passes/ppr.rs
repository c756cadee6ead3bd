//! Pairwise program reduction: two versions of a program become smaller in lockstep, and more alike.
//!
//! M. Zhang, Z. Xu, Y. Tian, Y. Jiang, C. Sun, "PPR: Pairwise Program Reduction", ESEC/FSE 2023. One of two slightly
//! different programs shows a behaviour that the other does not. PPR minimises both their common parts and their
//! differences:
//!
//! ```text
//! repeat
//!     remove from both programs what they have in common      largest first, as Perses does
//!     undo hunks of the difference                            delta debugging over its hunks
//! until neither finds anything
//! ```
//!
//! The pass proposes one round of it; `ppr*` is the algorithm. `pair.rs` finds the common parts. The races of the
//! default strategy have this pass if the input is two similar files.
//!
//! Guarantee: none by itself; at the fixed point no removable node can be removed together with its counterpart, no hunk can be undone
//! by a shorter text, and no removable node without counterpart can be removed. Cost: at most one test for each pair of
//! nodes and for each node without counterpart, about 5·h for h hunks, and those of the passes of `LOCKSTEP`.
//!
//! Departures: a result must be smaller than the one before in lop's order of sizes, so a hunk is not undone in a
//! direction that makes the text longer, and a smaller pair wins over a smaller difference. Neither file is the seed:
//! each can get the text of the other. Nodes with different contents are also removed from both files, and nodes in
//! only one file from that one. Other passes also make their changes in both files.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use crate::text::Hunk;
use crate::tree::{Change, NodeId, Tree};

use super::cuts::Cuts;
use super::pair::Pair;
use super::{Lore, PASSES, Proposal, Proposals, halve, largest_first};

/// The passes whose proposals for one file are made in both. Passes that change all uses of a name, or all equal texts,
/// change both files anyway.
const LOCKSTEP: [&str; 6] = ["lift", "splice", "wrap", "substitute", "rewrite", "literals"];

pub(super) fn propose<'t>(tree: &'t Tree, lore: &'t Lore) -> Proposals<'t> {
    let Some(pair) = Pair::of(tree).map(Rc::new) else { return Box::new(std::iter::empty()) };
    let steps = [without_common, without_hunks, without_different, changed_in_lockstep];
    Box::new(steps.into_iter().flat_map(move |step| step(&pair, lore)))
}

/// Whether a text is two files of which the pass proposes changes.
pub(crate) fn is_pair(tree: &Tree) -> bool {
    Pair::of(tree).is_some()
}

/// Whether the default strategy expects that two files have to change together: most of their tokens are the same, and
/// the parser knows their language.
pub(crate) fn is_similar_pair(tree: &Tree) -> bool {
    Pair::of(tree).is_some_and(|pair| pair.is_similar())
}

/// Removes halves of long lists from both files, then nodes with their counterparts, the largest first, and then optional parts of several
/// nodes.
fn without_common<'t>(pair: &Rc<Pair<'t>>, _: &'t Lore) -> Proposals<'t> {
    let tree = pair.tree;
    let halves = in_both(pair.clone(), halve::propose(tree));
    let (here, mut cuts) = (pair.clone(), Cuts::new(tree));
    let nodes = largest_first(tree, pair.common())
        .into_iter()
        .filter_map(move |node| Some([cuts.of(node)?, cuts.of(here.counterpart(node)?)?].concat()));
    let parents = pair.sides[0].nodes.clone().into_iter();
    let groups = parents.flat_map(|parent| tree.groups(parent));
    let groups = groups.map(|(first, last)| vec![Change::Cut(first, last)]);
    Box::new(halves.chain(nodes).chain(in_both(pair.clone(), groups)))
}

/// Undoes hunks: many neighbours and then ever fewer, from the last to the first, as OPDD does. Hunks with the same texts come before those
/// neighbours, since all uses of a name have to change together.
fn without_hunks<'t>(pair: &Rc<Pair<'t>>, _: &'t Lore) -> Proposals<'t> {
    let pair = pair.clone();
    let count = pair.hunks.len();
    let halved = |size: &usize| (*size > 1).then(|| size.div_ceil(2));
    let sizes = std::iter::successors((count > 0).then_some(count), halved);
    let chunks = sizes.flat_map(move |size| {
        let starts = (0..count).step_by(size).rev();
        starts.map(move |start| (start..count.min(start + size)).collect::<Vec<usize>>())
    });
    let undone = same_hunks(&pair).into_iter().chain(chunks).flat_map(move |chunk| {
        let hunks = chunk.into_iter().map(|hunk| &pair.hunks[hunk]);
        [[0, 1], [1, 0]].map(|direction| undone(&pair, hunks.clone(), direction))
    });
    Box::new(undone.filter(|proposal| !proposal.is_empty()))
}

/// The numbers of hunks that have the same texts on both sides, if there are several.
fn same_hunks(pair: &Pair<'_>) -> Vec<Vec<usize>> {
    let texts = |hunk: &Hunk| -> [Vec<&[u8]>; 2] {
        let tokens =
            [&pair.sides[0].tokens[hunk.left.clone()], &pair.sides[1].tokens[hunk.right.clone()]];
        tokens.map(|tokens| tokens.iter().map(|token| pair.tree.text_of(*token)).collect())
    };
    let mut same: BTreeMap<[Vec<&[u8]>; 2], Vec<usize>> = BTreeMap::new();
    for (number, hunk) in pair.hunks.iter().enumerate() {
        same.entry(texts(hunk)).or_default().push(number);
    }
    same.into_values().filter(|numbers| numbers.len() > 1).collect()
}

/// Puts one side of some hunks into the places of the other side.
fn undone<'h>(
    pair: &Pair<'_>,
    hunks: impl Iterator<Item = &'h Hunk>,
    [from, to]: [usize; 2],
) -> Proposal {
    let mut parts: Vec<[Range<usize>; 2]> = Vec::new();
    for hunk in hunks {
        let sides = [&hunk.left, &hunk.right];
        let [mut new, mut old] = [from, to].map(|side| sides[side].clone());
        // Tokens can only replace other tokens, so a side without tokens takes a token next to it.
        match old.start {
            _ if !old.is_empty() => {}
            0 => (new.end, old.end) = (new.end + 1, old.end + 1),
            _ => (new.start, old.start) = (new.start - 1, old.start - 1),
        }
        match parts.last_mut() {
            // Both come with the same token.
            Some([all_new, all_old]) if old.start < all_old.end => {
                (all_new.end, all_old.end) = (new.end, old.end);
            }
            _ => parts.push([new, old]),
        }
    }
    let [theirs, ours] = [from, to].map(|side| &pair.sides[side].tokens);
    let put = |[new, old]: [Range<usize>; 2]| match (theirs.get(new), ours.get(old)) {
        (Some(new), Some(old)) => replaced(pair.tree, old, new),
        _ => Vec::new(),
    };
    parts.into_iter().flat_map(put).collect()
}

/// Replaces some neighbouring tokens by others.
fn replaced(tree: &Tree, old: &[NodeId], new: &[NodeId]) -> Vec<Change> {
    let ([first, .., last] | [first @ last]) = new else {
        return old.iter().map(|token| Change::cut(*token)).collect();
    };
    let text = tree.range(*first).start..tree.range(*last).end;
    let put = Change::Replace(old[0], tree.text()[text].into());
    std::iter::once(put).chain(old[1..].iter().map(|token| Change::cut(*token))).collect()
}

/// Removes nodes that only one of the files has, the largest first.
fn without_different<'t>(pair: &Rc<Pair<'t>>, _: &'t Lore) -> Proposals<'t> {
    let tree = pair.tree;
    let mut cuts = Cuts::new(tree);
    let nodes = largest_first(tree, pair.different()).into_iter();
    Box::new(nodes.filter_map(move |node| cuts.of(node)))
}

/// Makes the proposals of other passes in both files.
fn changed_in_lockstep<'t>(pair: &Rc<Pair<'t>>, lore: &'t Lore) -> Proposals<'t> {
    let pair = pair.clone();
    let passes = PASSES.iter().filter(|pass| LOCKSTEP.contains(&pass.name));
    Box::new(passes.flat_map(move |pass| in_both(pair.clone(), (pass.propose)(pair.tree, lore))))
}

/// The proposals for the left file that can also be made in the right one, in both.
fn in_both<'t>(
    pair: Rc<Pair<'t>>,
    proposals: impl Iterator<Item = Proposal> + 't,
) -> impl Iterator<Item = Proposal> + 't {
    proposals.filter_map(move |proposal| {
        let there: Option<Proposal> = proposal.iter().map(|change| there(&pair, change)).collect();
        Some([proposal, there?].concat())
    })
}

/// The counterpart of a change of the left file in the right one.
fn there(pair: &Pair<'_>, change: &Change) -> Option<Change> {
    let tree = pair.tree;
    let run = |first: NodeId, last: NodeId| -> Option<[NodeId; 2]> {
        let [first, last] = [pair.counterpart(first)?, pair.counterpart(last)?];
        (first <= last && tree.parent(first) == tree.parent(last)).then_some([first, last])
    };
    match change {
        Change::Cut(first, last) => {
            run(*first, *last).map(|[first, last]| Change::Cut(first, last))
        }
        Change::Replace(node, text) => {
            Some(Change::Replace(pair.counterpart(*node)?, text.clone()))
        }
        Change::Keep { place, first, last } => {
            let (place, [first, last]) = (pair.counterpart(*place)?, run(*first, *last)?);
            let is_below = place < first && tree.range(last).end <= tree.range(place).end;
            is_below.then_some(Change::Keep { place, first, last })
        }
        Change::Layout(_) => None,
    }
}
