//! The order of nodes: the prioritizers ρ, and the queue that they order.
//!
//! G. Gharachorlu and N. Sumner, "Pardis: Priority Aware Test Case Reduction", FASE 2019, Figure 4 and the
//! loops of Algorithms 1 and 2:
//!
//! ```text
//! ρ_Pardis(n)         = (tokens(n), bfsOrder(n))
//! ρ_Perses(n)         = (tokens(parent(n)), bfsOrder(parent(n)), bfsOrder(n))
//! ρ_Pardis Hybrid(n)  = (tokens(n), bfsOrder(parent(n)), bfsOrder(n))
//!
//! queue ← max-heap of the root, by ρ                          line 1
//! while queue ≠ ∅ do                                               2
//!     nodes ← the next one, or all of its weight and parent        3
//!     ...                                                          4, 5    filter and step
//!     queue ← queue ∪ the children of those that are left          6, 7
//! ```
//!
//! bfsOrder falls from the root to the leaves and from right to left, so of nodes of the same weight the highest comes
//! first, and then the last: uses usually come after definitions. Weights are taken from the tree at the start of a
//! run, and count its leaves: the parser's tokens, not those by which results are compared.
//!
//! Our measurements (`cargo bench --bench priorities`: eight programs of Csmith with 2,200 to 78,000 tokens; the property is
//! certain warnings of gcc or a checksum) compared to the paper; the first four were measured with the wide normal form:
//!
//! - The better of Pardis and Pardis Hybrid asks 32 to 90 % less than Perses with ddmin (the paper: 46 to 80 %), in 37
//!   to 93 % less time (23 to 87 %), though 3 % in another run for a small one; Perses in one pass and Perses node by
//!   node ask more than that, except for one input in one pass. Hybrid asks less than Pardis for the largest inputs and
//!   about as much for the small ones.
//! - Perses with ddmin left less of the two largest (95 and 54 tokens against 291 and 67), for five to ten times as
//!   many tests; elsewhere all six leave the same, give or take three tokens. In the paper, Pardis leaves less on
//!   average. Of the six only ddmin also asks for single parts of a list without all the others.
//! - Of the nullable nodes 26 % are redundant optional nodes and 1 % redundant elements of lists (the paper: 17
//!   and 44 %). In its grammar, as in that of the C standard, an expression is a chain of more than a dozen rules,
//!   each of which is a list of one element in the normal form; tree-sitter's trees have a node for each operator
//!   that is there.
//! - A redundant node gives the same candidate, for which the cache has the answer, so without pruning there are 16 to 34 %
//!   more queries, but only up to 4 % more tests.
//! - Perses with replacement, measured with four of the programs (2,186 to 2,673 tokens): where the property is certain
//!   warnings, `perses-replace*` leaves 15 to 31 % of the tokens that `perses*` leaves, for 32 % fewer to 4 % more
//!   queries (three inputs). Where it is a checksum, both leave the same, and replacement takes 20 % more (one input). In
//!   the paper it takes more than three times as many for little (three inputs; eleven timed out), perhaps because its
//!   tests reject undefined behaviour, which replacements bring in easily; a warning survives them.
//! - With the same four, a token is part of 4.0 to 12.6 removal attempts on average in Perses N, and of 3.5 to 12.6 in
//!   Pardis without pruning, which differs in the order only: 16 % fewer to 14 % more in Perses N, so there is no clear
//!   effect of the order. The paper finds more in Perses N, for one program of 148,931 tokens. Perses with ddmin needs
//!   39 to 60 attempts, Pardis 3.3 to 10.1.

use std::rc::Rc;

use crate::tree::{View, ViewId};

use super::heap::Heap;

/// A prioritizer.
#[derive(Debug)]
pub struct Priority {
    /// ρ: the node with the largest value comes first.
    rho: fn(&Measures, &View<'_>, ViewId) -> Rho,
    /// Which nodes are visited together.
    together: Together,
}

/// Which nodes are visited together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Together {
    /// Each alone.
    One,
    /// Those whose priorities differ in the last number only.
    Alike,
    /// Those whose priorities differ in the last number only; and more and more, whatever their priorities, while all
    /// of them can be removed.
    Run,
}

/// The value of a prioritizer.
type Rho = [u32; 3];

/// ρ_Pardis: a node by its own weight.
pub const PARDIS: Priority =
    Priority { rho: |of, _, n| [of.tokens(n), of.bfs_order(n), 0], together: Together::One };

/// ρ_Perses: a node by the weight of its parent, and one at a time.
pub const PERSES_N: Priority = Priority { rho: rho_perses, together: Together::One };

/// ρ_Perses, with the children of a node together.
pub const PERSES: Priority = Priority { rho: rho_perses, together: Together::Alike };

/// ρ_Pardis Hybrid: a node by its own weight, and those of the same parent and weight together.
pub const HYBRID: Priority = Priority { rho: rho_hybrid, together: Together::Alike };

/// ρ_Pardis Hybrid, with more and more nodes together while all of them can be removed.
pub const GALLOP: Priority = Priority { rho: rho_hybrid, together: Together::Run };

fn rho_hybrid(of: &Measures, view: &View<'_>, n: ViewId) -> Rho {
    [of.tokens(n), of.bfs_order(parent(view, n)), of.bfs_order(n)]
}

fn rho_perses(of: &Measures, view: &View<'_>, n: ViewId) -> Rho {
    let parent = parent(view, n);
    [of.tokens(parent), of.bfs_order(parent), of.bfs_order(n)]
}

/// The parent of a node; the root counts as its own parent.
fn parent(view: &View<'_>, n: ViewId) -> ViewId {
    view.parent(n).unwrap_or(n)
}

/// The measures of nodes that prioritizers use.
pub(super) struct Measures {
    tokens: Vec<u32>,
    bfs_order: Vec<u32>,
}

impl Measures {
    pub(super) fn new(view: &View<'_>) -> Measures {
        let count = view.len();
        let mut tokens = vec![0; count];
        for node in view.ids().rev() {
            if view.children(node).next().is_none() && !view.range(node).is_empty() {
                tokens[node.index()] = 1;
            }
            if let Some(parent) = view.parent(node) {
                tokens[parent.index()] += tokens[node.index()];
            }
        }
        let mut order = vec![view.root()];
        for at in 0..count {
            let children = order.len();
            order.extend(view.children(order[at]).collect::<Vec<_>>());
            order[children..].reverse();
        }
        let mut bfs_order = vec![0; count];
        for (place, node) in order.iter().enumerate() {
            bfs_order[node.index()] = (count - place) as u32;
        }
        Measures { tokens, bfs_order }
    }

    pub(super) fn tokens(&self, node: ViewId) -> u32 {
        self.tokens[node.index()]
    }

    pub(super) fn bfs_order(&self, node: ViewId) -> u32 {
        self.bfs_order[node.index()]
    }
}

/// How many nodes must have been removed in a row before several are tried together: at first, and at most. Each
/// failure of several doubles it.
const IN_A_ROW: [usize; 2] = [4, 32];

/// The nodes that are still to be visited.
#[derive(Clone)]
pub(super) struct Queue<'b> {
    priority: &'static Priority,
    measures: Rc<Measures>,
    heap: Heap<'b, (Rho, ViewId)>,
    /// How many nodes were removed in a row, and how many must be for several to be tried together.
    in_a_row: usize,
    wanted: usize,
    /// How many removable nodes are tried together.
    width: usize,
}

impl Queue<'_> {
    pub(super) fn new(priority: &'static Priority, view: &View<'_>) -> Self {
        let measures = Rc::new(Measures::new(view));
        let heap = Heap::new();
        Queue { priority, measures, heap, in_a_row: 0, wanted: IN_A_ROW[0], width: 1 }
    }

    /// A fork of this queue, without a copy of its nodes.
    pub(super) fn fork(&self) -> Queue<'_> {
        let measures = self.measures.clone();
        Queue { measures, heap: self.heap.fork(), ..*self }
    }

    pub(super) fn push(&mut self, view: &View<'_>, nodes: impl IntoIterator<Item = ViewId>) {
        let rho = |node| (self.priority.rho)(&self.measures, view, node);
        self.heap.extend(nodes.into_iter().map(|node| (rho(node), node)));
    }

    /// Learns from nodes that were tried together: how many could have been removed, and how many were.
    pub(super) fn learn(&mut self, could: usize, did: usize) {
        if could == 0 {
            return;
        }
        if did == could {
            self.in_a_row += did;
            if self.width > 1 {
                self.wanted = IN_A_ROW[0];
            }
            self.width =
                if self.in_a_row >= self.wanted { self.width.saturating_mul(2) } else { 1 };
        } else {
            if self.width > 1 {
                self.wanted = IN_A_ROW[1].min(2 * self.wanted);
            }
            (self.in_a_row, self.width) = (0, 1);
        }
    }

    /// The next nodes, from left to right.
    pub(super) fn pop(&mut self, view: &View<'_>) -> Option<Vec<ViewId>> {
        let (first, node) = self.heap.pop()?;
        let mut nodes = vec![node];
        let mut removable = usize::from(view.is_removable(node));
        while let Some((rho, next)) = self.heap.peek() {
            let is_alike = rho[..2] == first[..2];
            let belongs = match self.priority.together {
                Together::One => false,
                Together::Alike => is_alike,
                Together::Run => is_alike || self.width > 1 && removable < self.width,
            };
            if !belongs {
                break;
            }
            removable += usize::from(view.is_removable(*next));
            nodes.push(*next);
            self.heap.pop();
        }
        nodes.sort_unstable();
        Some(nodes)
    }
}
