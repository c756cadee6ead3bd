//! Which nodes come next, and how many at once: swaths of about the same number of tokens, the last first.
//!
//! Perses halves the largest lists again and again; Pardis takes the largest node by itself. Where little of a long list is
//! needed, halving wins by orders of magnitude; where much depends on much, largest first does. Neither is
//! known in advance, so this walk does both at the same scale: it sweeps over all removable nodes from the last to the first,
//! with single nodes that are as large as a swath and with smaller neighbours that make up one, and then again with swaths of half
//! the size.
//!
//! ```text
//! nodes ← the highest removable nodes
//! for width = tokens/2, tokens/4, … 1 do
//!     for each of nodes, from the last to the first do
//!         a node of at least width tokens: remove it, or replace it by the removable nodes below it
//!         smaller ones: remove as many neighbours as have about width tokens together
//! ```
//!
//! Within a sweep the order is that of opdd (`algorithms/opdd.rs`): uses come after definitions, so what nothing uses any more is tried after its
//! uses. A sweep stops to try small neighbours together once [`IN_VAIN`] such tests in a row have failed, so where they never succeed,
//! the walk costs a few tests for each width more than Pardis. While swaths can be removed, ever more is taken together, as in `gallop`.
//!
//! Guarantee: none by itself; repeated to the fixed point, no removable node can be removed. Cost: at most one test for each
//! node by itself, and where little is needed a logarithmic number for each needed node.

use std::rc::Rc;

use crate::tree::ViewId;

use super::hierarchy::InputTree;
use super::nullability::Filter;
use super::priority::Measures;
use super::traversal::Stack;

/// How many swaths of small nodes may fail in a row before a sweep tries no more of them.
const IN_VAIN: usize = 4;

/// How many swaths must have been removed in a row before several large nodes are taken together: at first, and at most. Each
/// failure of several doubles it.
const IN_A_ROW: [u32; 2] = [4, 32];

/// The state of a walk by swaths.
#[derive(Clone)]
pub(super) struct Swaths<'b> {
    shared: Rc<Shared>,
    /// The number of tokens of a swath in this sweep.
    width: u32,
    /// The nodes that this sweep has not come to, the last on top.
    ahead: Stack<'b>,
    /// Those that are left for the next sweep, the last first.
    behind: Stack<'b>,
    /// The swath that was handed out last, from right to left.
    current: Vec<ViewId>,
    /// How many swaths were removed in a row, and how many must be for several large nodes to be taken together.
    in_a_row: u32,
    wanted: u32,
    /// How many swaths of small nodes have failed in a row.
    in_vain: usize,
}

/// What does not change during a walk.
struct Shared {
    measures: Measures,
    /// The nodes that can be removed.
    tags: Vec<bool>,
}

impl Swaths<'static> {
    pub(super) fn new(tree: &InputTree<'_>) -> Self {
        let measures = Measures::new(tree.view);
        let tags = Filter::HighestNullable.tags(tree.view);
        let width = measures.tokens(tree.root()).div_ceil(2);
        let mut swaths = Swaths {
            shared: Rc::new(Shared { measures, tags }),
            width,
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
            ahead: self.ahead.fork(),
            behind: self.behind.fork(),
            current: self.current.clone(),
            ..*self
        }
    }

    /// Learns what became of the last swath, and returns the nodes of the next one, from left to right.
    pub(super) fn next(&mut self, tree: &InputTree<'_>) -> Option<Vec<ViewId>> {
        self.learn(tree);
        while self.current.is_empty() {
            match self.ahead.pop() {
                Some(node) => self.take(node),
                None if self.width <= 1 || self.behind.is_empty() => return None,
                None => self.turn_around(),
            }
        }
        Some(self.current.iter().rev().copied().collect())
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
                self.in_a_row += 1;
                if several.len() > 1 {
                    (self.in_vain, self.wanted) = (0, IN_A_ROW[0]);
                }
                return;
            }
            ([node], true) => self.expand(tree, *node),
            // Each of them is tried by itself.
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

    /// The next swath begins with this node.
    fn take(&mut self, node: ViewId) {
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
            sum = sum.saturating_add(self.shared.measures.tokens(next));
            if sum > most || self.is_large(next) && !ready {
                break;
            }
            self.current.push(next);
            self.ahead.pop();
        }
    }

    /// Whether a node makes up a swath by itself.
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

    /// Goes on with the removable nodes below a node that stays.
    fn expand(&mut self, tree: &InputTree<'_>, node: ViewId) {
        let mut found = Vec::new();
        let mut open: Vec<ViewId> = tree.children(node).collect();
        while let Some(node) = open.pop() {
            match self.shared.tags[node.index()] {
                true => found.push(node),
                false => open.extend(tree.children(node)),
            }
        }
        found.sort_unstable();
        found.into_iter().for_each(|node| self.ahead.push(node));
    }
}
