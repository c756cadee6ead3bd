//! What will be asked next, as far as that can be guessed: for workers that would be idle otherwise.
//!
//! Each answer leads to another question, so what may be asked is a tree: below every question one branch for when
//! its nodes go, and one for when they stay. Branches are looked at in the order of how likely they are; how often
//! something went lately says how likely that is.
//!
//! Nothing depends on a guess but how long a run takes.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::tree::ViewId;

use super::Shape;
use super::hierarchy::InputTree;
use super::traversal::Walk;

/// Where less than this goes, it is a better guess that nothing will: then all that is tried of some nodes is known
/// as well, and not only that all of them go.
pub(super) const DOUBT: f64 = 0.25;

/// Over how many answers it is remembered how often something went.
pub(super) const MEMORY: f64 = 8.0;

/// Where the walk may be after some answers.
struct Branch {
    likely: f64,
    /// What comes first of those that are as likely.
    number: usize,
    walk: Walk,
    shape: Shape,
}

/// The shapes that may be asked about after some nodes; `hope` is how likely it is that nodes go.
pub(super) fn next<'t>(
    tags: &'t [bool],
    nodes: &'t [ViewId],
    walk: &'t Walk,
    tree: &'t InputTree<'_>,
    hope: f64,
) -> impl Iterator<Item = Shape> + 't {
    let hope = hope.clamp(0.05, 0.95);
    let mut branches: BinaryHeap<Branch> = BinaryHeap::new();
    let mut number = 0;
    let mut push =
        move |branches: &mut BinaryHeap<Branch>, likely: f64, walk: Walk, shape: Shape| {
            number += 1;
            branches.push(Branch { likely, number, walk, shape });
        };
    let mut has_begun = false;
    std::iter::from_fn(move || {
        // A walk may have a long queue, so it is copied only if someone asks.
        if !std::mem::replace(&mut has_begun, true) {
            let gone = tree.shape.without(tree.prunable(nodes));
            push(&mut branches, 1.0 - hope, walk.clone(), tree.shape.clone());
            push(&mut branches, hope, walk.clone(), gone);
        }
        while let Some(Branch { likely, mut walk, shape, .. }) = branches.pop() {
            let tree = InputTree { view: tree.view, shape };
            let group = std::iter::from_fn(|| walk.next(&tree));
            let mut groups = group.map(|nodes| tree.prunable(&tree.left(&nodes, tags)));
            let Some(nodes) = groups.find(|nodes| !nodes.is_empty()) else { continue };
            drop(groups);
            let question = tree.shape.without(nodes);
            push(&mut branches, likely * (1.0 - hope), walk.clone(), tree.shape);
            push(&mut branches, likely * hope, walk, question.clone());
            return Some(question);
        }
        None
    })
}

impl Ord for Branch {
    fn cmp(&self, other: &Self) -> Ordering {
        self.likely.total_cmp(&other.likely).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Branch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Branch {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Branch {}
