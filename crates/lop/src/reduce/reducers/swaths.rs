//! Which nodes come next, and how many together: swaths of about the same number of tokens, the last first.
//!
//! Perses halves the largest lists again and again; Pardis takes the largest node by itself. If little of a long list
//! is needed, halving wins by orders of magnitude; if there are many dependencies, largest first does. Which case it is
//! isn't known in advance. So this walk begins as Pardis does, with the nodes that have at least 1/32 of all tokens;
//! while most of them can be removed, it tries several together, as many as make the expected gain largest. Then it
//! does both at the same scale: it sweeps over all removable nodes from the last to the first, with single nodes that
//! are as large as a swath and with smaller neighbours that make up one, and then again with swaths of half the size.
//! How wide the first swaths are depends on how many of the large nodes were removed.
//!
//! ```text
//! nodes ← the highest removable nodes
//! while there are nodes of at least tokens/32 do
//!     the largest, or as many as can be expected to go: remove them, or halve them, or replace a single one by those below it
//! for width = the expected best, half of it, … 1 do
//!     for each of nodes, from the last to the first do
//!         a node of at least width tokens: remove it, or replace it by the removable nodes below it
//!         smaller ones: remove as many neighbours as have about width tokens together
//! ```
//!
//! Within a sweep the order is that of opdd (`algorithms/opdd.rs`): uses come after definitions, so unused definitions
//! are tried after their uses. A sweep stops to try small neighbours together once [`IN_VAIN`] such tests in a row have
//! failed, so where they never succeed, the walk costs a few tests for each width more than Pardis. While swaths can be
//! removed, they become larger and larger, as in `gallop`.
//!
//! Guarantee: none by itself; repeated to the fixed point, no removable node can be removed. Cost: at most one test for
//! each node by itself, and if little is needed, a logarithmic number for each needed node.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::tree::{Change, View, ViewId};

use super::heap::Heap;
use super::hierarchy::InputTree;
use super::nullability::Filter;
use super::priority::Measures;
use super::traversal::Stack;
use super::uses::{Gone, Uses};

/// How many swaths of small nodes may fail in a row before a sweep stops trying them.
const IN_VAIN: usize = 4;

/// How many swaths must have been removed in a row before several large nodes are tried together: at first, and at
/// most. Each failure of several doubles it.
const IN_A_ROW: [u32; 2] = [4, 32];

/// A large node has at least one of this many parts of all tokens.
const LARGE: u32 = 32;

/// The share of large nodes that can be removed, before anything is known.
const SHARE: f64 = 0.5;
/// Sweeps begin when one of this many parts of the small nodes has more tokens than any large node.
const PART: u32 = 8;
/// How many large nodes must have been tried before their share means anything.
const FEW: usize = 5;
/// The number of nodes that weigh as much as everything learned before them.
const MEMORY: f64 = 4.0;

/// The state of a walk by swaths.
#[derive(Clone)]
pub(super) struct Swaths<'b> {
    shared: Rc<Shared>,
    /// The large nodes that are still to be visited, until sweeps begin.
    large: Option<Heap<'b, (u32, u32, ViewId)>>,
    /// Large nodes that are tried together, the next ones last.
    groups: Vec<Vec<ViewId>>,
    /// The share of large nodes that could be removed, and how many of them were tried.
    share: f64,
    tried: usize,
    /// The tokens of small nodes that wait for sweeps.
    small: u32,
    /// Nodes that could not be removed alone, and those of them that were tried again.
    stayed: Vec<ViewId>,
    revived: BTreeSet<ViewId>,
    gone: Gone,
    /// The number of tokens of a swath in this sweep.
    width: u32,
    /// The nodes that this sweep has not reached, the last on top.
    ahead: Stack<'b>,
    /// The nodes for the next sweep, the last first.
    behind: Stack<'b>,
    /// The swath that was handed out last, from right to left.
    current: Vec<ViewId>,
    /// How many swaths were removed in a row, and how many must be for several large nodes to be tried together.
    in_a_row: u32,
    wanted: u32,
    /// How many swaths of small nodes have failed in a row.
    in_vain: usize,
}

/// The constants of a walk.
struct Shared {
    measures: Measures,
    /// The nodes that can be removed.
    tags: Vec<bool>,
    uses: Uses,
}

impl Swaths<'static> {
    pub(super) fn new(tree: &InputTree<'_>) -> Self {
        let measures = Measures::new(tree.view);
        let tags = Filter::HighestNullable.tags(tree.view);
        let large = (measures.tokens(tree.root()) / LARGE).max(2);
        let mut swaths = Swaths {
            shared: Rc::new(Shared { measures, tags, uses: Uses::new(tree.view.tree().text()) }),
            stayed: Vec::new(),
            revived: BTreeSet::new(),
            gone: Gone::default(),
            large: Some(Heap::new()),
            groups: Vec::new(),
            share: SHARE,
            tried: 0,
            small: 0,
            // Until sweeps begin, it is that of a large node.
            width: large,
            ahead: Stack::default(),
            behind: Stack::default(),
            current: Vec::new(),
            in_a_row: 0,
            wanted: IN_A_ROW[0],
            in_vain: 0,
        };
        swaths.expand(tree, tree.root());
        swaths
    }
}

impl Swaths<'_> {
    /// A fork of this walk, without a copy of its nodes.
    pub(super) fn fork(&self) -> Swaths<'_> {
        Swaths {
            shared: self.shared.clone(),
            large: self.large.as_ref().map(Heap::fork),
            groups: self.groups.clone(),
            stayed: self.stayed.clone(),
            revived: self.revived.clone(),
            gone: self.gone.clone(),
            ahead: self.ahead.fork(),
            behind: self.behind.fork(),
            current: self.current.clone(),
            ..*self
        }
    }

    /// Learns from the verdict on the last swath, and returns the nodes of the next one, from left to right.
    pub(super) fn next(&mut self, tree: &InputTree<'_>) -> Option<Vec<ViewId>> {
        match self.large {
            Some(_) => self.learn_of_large(tree),
            None => self.learn(tree),
        }
        while self.current.is_empty() {
            if self.large.is_some() {
                match self.next_large(tree) {
                    Some(nodes) => self.current = nodes,
                    None => self.begin_sweeps(),
                }
                continue;
            }
            match self.ahead.pop() {
                Some(node) if self.gone.has(tree.view.range(node)) => {}
                Some(node) => self.take(tree, node),
                None if self.width <= 1 || self.behind.is_empty() => return None,
                None => self.turn_around(),
            }
        }
        Some(self.current.iter().rev().copied().collect())
    }

    fn learn_of_large(&mut self, tree: &InputTree<'_>) {
        let nodes = std::mem::take(&mut self.current);
        let is_left = nodes.iter().any(|node| tree.shape.at(*node).is_some());
        let (could, did) =
            if is_left { (1.0, 0.0) } else { (nodes.len() as f64, nodes.len() as f64) };
        if !is_left {
            self.revive(tree, &nodes);
        }
        if !nodes.is_empty() {
            self.share = (MEMORY * self.share + did) / (MEMORY + could);
            self.tried += 1;
        }
        match &nodes[..] {
            [node] if is_left => self.expand(tree, *node),
            several if is_left => {
                let (left, right) = several.split_at(several.len() / 2);
                self.groups.extend([right.to_vec(), left.to_vec()]);
            }
            _ => {}
        }
    }

    /// Returns to nodes that stayed and declare a name whose last use was removed.
    fn revive(&mut self, tree: &InputTree<'_>, removed: &[ViewId]) {
        let view = tree.view;
        removed.iter().for_each(|node| self.gone.add(view.range(*node)));
        for node in removed {
            for left in self.shared.uses.lost_in(view.range(*node), &self.gone) {
                // The node that is removed with the first place of a name is its declaration, except a part that
                // another node needs, such as `int f()` before a body.
                let is_around = |node: &ViewId| view.range(*node).contains(&left.start);
                let is_cut =
                    |node: ViewId| !matches!(view.prune([node])[..], [Change::Keep { .. }]);
                let mut around = above(view, left.start).filter(is_around);
                let declaration =
                    around.find(|node| self.shared.tags[node.index()] && is_cut(*node));
                let has_all = |node: &ViewId| left.end <= view.range(*node).end;
                let Some(declaration) = declaration.filter(has_all) else { continue };
                let Some(at) = self.stayed.iter().position(|node| *node == declaration) else {
                    continue;
                };
                self.revived.insert(self.stayed.swap_remove(at));
                match self.large {
                    Some(_) => self.groups.push(vec![declaration]),
                    None => self.ahead.push(declaration),
                }
            }
        }
    }

    /// The large nodes to be tried next, from right to left.
    fn next_large(&mut self, tree: &InputTree<'_>) -> Option<Vec<ViewId>> {
        while let Some(group) = self.groups.pop() {
            if !group.iter().all(|node| self.gone.has(tree.view.range(*node))) {
                return Some(group);
            }
        }
        // A part of the small nodes together may promise more than the largest node.
        let top = self.large.as_ref()?.peek().map_or(0, |(tokens, ..)| *tokens);
        if self.small / PART > top {
            return None;
        }
        // With m nodes, the expected number of removed ones is m·shareᵐ, which is largest here.
        let most = (-1.0 / self.share.clamp(0.01, 0.999).ln()).max(1.0) as usize;
        let (heap, gone) = (self.large.as_mut()?, &self.gone);
        let nodes = std::iter::from_fn(|| heap.pop()).map(|(.., node)| node);
        let nodes = nodes.filter(|node| !gone.has(tree.view.range(*node))).take(most);
        let mut nodes: Vec<ViewId> = nodes.collect();
        nodes.sort_unstable_by(|left, right| right.cmp(left));
        Some(nodes).filter(|nodes| !nodes.is_empty())
    }

    /// Continues with all remaining nodes. If nodes of w tokens can be removed with a probability of e^(-w/λ), swaths
    /// of λ tokens have the largest expected gain; until enough nodes were tried to tell, swaths begin with half of
    /// all.
    fn begin_sweeps(&mut self) {
        let mut heap = self.large.take().unwrap_or_else(Heap::new);
        let large = std::iter::from_fn(|| heap.pop()).map(|(.., node)| node);
        let small = std::iter::from_fn(|| self.ahead.pop());
        let mut nodes: Vec<ViewId> = small.chain(large).collect();
        nodes.sort_unstable();
        let tokens: u32 = nodes.iter().map(|node| self.shared.measures.tokens(*node)).sum();
        nodes.into_iter().for_each(|node| self.ahead.push(node));
        let half = tokens.div_ceil(2).max(1);
        let best = f64::from(self.width) / -self.share.clamp(0.01, 0.999).ln();
        self.width = if self.tried < FEW { half } else { (best as u32).clamp(1, half) };
    }

    fn learn(&mut self, tree: &InputTree<'_>) {
        let swath = std::mem::take(&mut self.current);
        if swath.is_empty() {
            return;
        }
        let has_large = swath.iter().any(|node| self.is_large(*node));
        let is_left = swath.iter().any(|node| tree.shape.at(*node).is_some());
        match (&swath[..], is_left) {
            (several, false) => {
                self.revive(tree, several);
                self.in_a_row += 1;
                if several.len() > 1 {
                    (self.in_vain, self.wanted) = (0, IN_A_ROW[0]);
                }
                return;
            }
            ([node], true) => self.expand(tree, *node),
            // Each of them is tried alone.
            (several, true) if has_large => {
                several.iter().rev().for_each(|node| self.ahead.push(*node));
                self.wanted = IN_A_ROW[1].min(2 * self.wanted);
            }
            (several, true) => {
                several.iter().for_each(|node| self.behind.push(*node));
                self.in_vain += 1;
            }
        }
        self.in_a_row = 0;
    }

    /// Begins the next swath with this node.
    fn take(&mut self, tree: &InputTree<'_>, node: ViewId) {
        let is_large = self.is_large(node);
        if !is_large && self.in_vain >= IN_VAIN {
            self.behind.push(node);
            return;
        }
        self.current.push(node);
        let ready = self.in_a_row >= self.wanted;
        let double = match (is_large, ready) {
            (true, false) => return,
            (true, true) => self.in_a_row - self.wanted + 1,
            (false, _) => self.in_a_row,
        };
        let most = self.width.saturating_mul(1 << double.min(16));
        let mut sum = self.shared.measures.tokens(node);
        while let Some(next) = self.ahead.peek() {
            if self.gone.has(tree.view.range(next)) {
                self.ahead.pop();
                continue;
            }
            sum = sum.saturating_add(self.shared.measures.tokens(next));
            if sum > most || self.is_large(next) && !ready {
                break;
            }
            self.current.push(next);
            self.ahead.pop();
        }
    }

    /// Whether a node is a swath by itself.
    fn is_large(&self, node: ViewId) -> bool {
        self.shared.measures.tokens(node) >= self.width
    }

    /// Begins the next sweep.
    fn turn_around(&mut self) {
        while let Some(node) = self.behind.pop() {
            self.ahead.push(node);
        }
        self.width /= 2;
        (self.in_a_row, self.in_vain) = (0, 0);
    }

    /// Continues with the removable nodes below a node that stays, unless it has stayed before.
    fn expand(&mut self, tree: &InputTree<'_>, node: ViewId) {
        self.stayed.push(node);
        if self.revived.contains(&node) {
            return;
        }
        let mut found = Vec::new();
        let mut open: Vec<ViewId> = tree.children(node).collect();
        while let Some(node) = open.pop() {
            match self.shared.tags[node.index()] {
                true => found.push(node),
                false => open.extend(tree.children(node)),
            }
        }
        found.sort_unstable();
        for node in found {
            let measures = &self.shared.measures;
            match &mut self.large {
                Some(heap) if measures.tokens(node) >= self.width => {
                    heap.extend([(measures.tokens(node), measures.bfs_order(node), node)]);
                }
                _ => {
                    self.small += measures.tokens(node);
                    self.ahead.push(node);
                }
            }
        }
    }
}

/// The last node that begins at a place or before it, and those above it. Searching for it from the root takes time in
/// a long list.
fn above<'v>(view: &'v View<'_>, place: usize) -> impl Iterator<Item = ViewId> + 'v {
    let last = view.last_at(place);
    std::iter::successors(Some(last), |node| view.parent(*node))
}
