//! Hoisting: replaces nodes by their descendants.
//!
//! `hoisting ← TMIN^χ(nodes)` and `transform`, lines 5 and 6 of Figure 7(a), with χ of Figure 6, the
//! potentially hoistable descendants of a node:
//!
//! ```text
//! χ(n)      = ⋃ χ'(n, n')          over the children n' of n
//! χ'(n, n') = {n'}                 if compatible(n, n')
//!             ⋃ χ'(n, n'')         otherwise, over the children n'' of n'
//! ```
//!
//! That is the nearest compatible descendant of every branch; nodes below it are candidates only once it was hoisted
//! itself. Those that are further from n come first. A node with the same text as n counts as n, so the search
//! continues below it; a node without a label, such as a list's element with its separator, is compatible with nothing.
//!
//! Perses searches only some levels down, and tries the smallest first (see [`Reach`]).
//!
//! The average effect of hoisting in per cent, over four programs in C with 42 to 9,145 characters
//! (`cargo bench --bench hoisting -- hello c-uninit csmith-30 csmith-37`), and in Table 2 of the paper, over 32 inputs;
//! *before* is `hoist*+hdd*`, *interlaced* is `hddh*`:
//!
//! | | size, before | interlaced | tests, before | interlaced |
//! |---|---|---|---|---|
//! | `hdd*`: label | -45.7 | -46.8 | -11.5 | -7.1 |
//! | kind | -31.2 | -31.7 | -24.7 | -7.7 |
//! | the paper | -27.0 | -27.7 | +45.5 | -5.3 |
//! | `hddr*`: label | -42.7 | -41.7 | +20.1 | 0.0 |
//! | kind | -22.1 | -24.3 | -7.8 | -5.8 |
//! | the paper | -29.4 | -31.4 | +33.2 | -12.8 |
//! | `coarse-hdd*`: label | -21.5 | 0.0 | +35.7 | 0.0 |
//! | kind | -3.2 | 0.0 | -6.0 | 0.0 |
//! | the paper | -37.6 | +0.1 | +134.2 | +0.1 |
//! | `coarse-hddr*`: label | -24.9 | 0.0 | +78.2 | 0.0 |
//! | kind | -8.3 | 0.0 | +4.2 | 0.0 |
//! | the paper | -36.8 | +0.6 | +64.6 | 0.0 |
//!
//! The coarse rows are those of the first two programs only. There, hoisting before the reduction isn't coarse, as in the paper's
//! experiments, and interlaced it has no effect (see `Filter::Empty`). In the wide form `coarse-hddh-wide*` leaves 47 % less than `coarse-hdd*`.
//!
//! In all four, results by label are no larger than by kind. The paper's own programs in C shrink by 37 % before and 39
//! % interlaced with `hdd*` (Table A2), which is between the two meanings, and by about 42 % with `hddr*`, as by label;
//! its tests with `hddr*` become fewer, as by kind. Four inputs are too few for more than that.

use std::ops::ControlFlow;

use crate::search::{Search, Translated};
use crate::tree::{View, ViewId};

use super::hierarchy::InputTree;
use super::prune::after;
use super::{Shape, tmin};

/// Which of the compatible descendants are tried, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reach {
    /// χ: the nearest of each branch, the furthest first.
    Nearest,
    /// The nearest of each branch, down to this many levels, the smallest first; lists and optional nodes do not count as levels.
    Levels(usize),
}

/// Which descendants may replace a node.
pub struct Compatible {
    /// Its word in a strategy.
    pub name: &'static str,
    /// A line of help.
    pub about: &'static str,
    /// Whether the second node may replace the first.
    test: fn(&View<'_>, ViewId, ViewId) -> bool,
}

impl Compatible {
    /// Whether a node may replace another one, and then be in its place.
    pub fn allows(&self, view: &View<'_>, place: ViewId, node: ViewId) -> bool {
        (self.test)(view, place, node)
    }
}

/// All meanings of *compatible*.
pub const COMPATIBLE: &[&Compatible] = &[&LABEL, &KIND, &MODEL];

/// The meaning in the papers on hoisting, whose trees have a node for each non-terminal. In a tree of tree-sitter, a
/// non-terminal such as `statement` is a supertype without a node.
pub const LABEL: Compatible = Compatible {
    name: "label",
    about: "nodes of the same label, or of the same supertype, such as statements",
    test: |view, place, node| same_kind(view, place, node) || same_supertype(view, place, node),
};

/// The same label, and no supertypes.
pub const KIND: Compatible =
    Compatible { name: "kind", about: "nodes of the same label only", test: same_kind };

/// The meaning in Perses.
pub const MODEL: Compatible = Compatible {
    name: "model",
    about: "all nodes that the rule around a place allows there",
    test: |view, place, node| same_kind(view, place, node) || fits(view, place, node),
};

fn same_kind(view: &View<'_>, place: ViewId, node: ViewId) -> bool {
    view.kind(place).is_some() && view.kind(place) == view.kind(node)
}

/// A place may allow less than all nodes of a supertype, as the body of a function does, so the place is checked, too.
fn same_supertype(view: &View<'_>, place: ViewId, node: ViewId) -> bool {
    let (Some(old), Some(new)) = (view.kind(place), view.kind(node)) else { return false };
    view.tree().have_one_supertype(old, new) && fits(view, place, node)
}

fn fits(view: &View<'_>, place: ViewId, node: ViewId) -> bool {
    let tree = view.tree();
    let (Some(place), Some(top), Some(node)) =
        (view.place(place), view.place(node), view.node(node))
    else {
        return false;
    };
    !tree.is_extra(top)
        && tree.is_named(node)
        && (tree.fits(place, tree.kind(top)) || tree.fits(place, tree.kind(node)))
}

/// Replaces some nodes by their descendants where possible; returns early if the search stops.
pub(super) fn hoist<I: Iterator<Item = Shape>>(
    tree: &InputTree<'_>,
    what: (Reach, &Compatible),
    nodes: &[ViewId],
    next: impl Fn() -> I,
    search: &mut dyn Search<Shape>,
) -> ControlFlow<Shape, Shape> {
    let transformed = |t: &Vec<ViewId>| transformed(&tree.shape, nodes, t);
    let chi = |place, node| what.0.descendants(tree.view, what.1, place, node);
    let mut search = Translated::new(search, transformed, next);
    let hoisting = tmin::tmin(nodes, chi, &mut search);
    after(&search, transformed(&hoisting))
}

/// The shapes that are tried if nothing can be hoisted.
pub(super) fn attempts<'t>(
    tree: &'t InputTree<'_>,
    what: (Reach, &'t Compatible),
    nodes: Vec<ViewId>,
) -> impl Iterator<Item = Shape> + 't {
    let hoists = move |place: ViewId| {
        let hoistable = what.0.descendants(tree.view, what.1, place, place);
        hoistable.into_iter().map(move |node| tree.shape.transformed([(place, node)]))
    };
    nodes.into_iter().flat_map(hoists)
}

fn transformed(shape: &Shape, nodes: &[ViewId], t: &[ViewId]) -> Shape {
    let pairs = nodes.iter().copied().zip(t.iter().copied());
    shape.transformed(pairs.filter(|(place, node)| place != node))
}

impl Reach {
    /// The descendants of `node`, which is now in `place`, that are tried there.
    pub fn descendants(
        self,
        view: &View<'_>,
        compatible: &Compatible,
        place: ViewId,
        node: ViewId,
    ) -> Vec<ViewId> {
        match self {
            Reach::Nearest => chi(view, compatible, place, node),
            Reach::Levels(depth) => within(view, compatible, place, node, depth),
        }
    }
}

/// χ: the potentially hoistable descendants of `node`, which is now in `place`; the furthest first.
pub fn chi(view: &View<'_>, compatible: &Compatible, place: ViewId, node: ViewId) -> Vec<ViewId> {
    let mut found = Vec::new();
    // In pre-order and without recursion; `open` has the nodes between `node` and the next one.
    let mut open: Vec<ViewId> = Vec::new();
    let mut at = view.descendants(node).next();
    while let Some(n) = at.filter(|n| *n < view.next(node)) {
        while open.pop_if(|outer| view.next(*outer) <= n).is_some() {}
        // A node with the text of another one counts as that one.
        let is_smaller = view.range(n) != view.range(node);
        if is_smaller && compatible.allows(view, place, n) {
            found.push((open.len(), n));
            at = Some(view.next(n));
        } else {
            open.push(n);
            at = Some(view.descendants(n).next().unwrap_or(view.next(n)));
        }
    }
    found.sort_by_key(|(distance, _)| std::cmp::Reverse(*distance));
    found.into_iter().map(|(_, n)| n).collect()
}

/// The nearest compatible descendants of `node`, which is now in `place`, down to some depth; the smallest first.
fn within(
    view: &View<'_>,
    compatible: &Compatible,
    place: ViewId,
    node: ViewId,
    depth: usize,
) -> Vec<ViewId> {
    let mut found = Vec::new();
    let mut level = vec![node];
    for _ in 0..depth {
        let mut next = Vec::new();
        for parent in level {
            let mut open: Vec<ViewId> = view.children(parent).collect();
            while let Some(child) = open.pop() {
                // A list, an optional node, and a node with the text of the one above don't count as levels.
                let is_level =
                    view.node(child).is_some() && view.range(child) != view.range(parent);
                match is_level {
                    false => open.extend(view.children(child)),
                    true if compatible.allows(view, place, child) => found.push(child),
                    true => next.push(child),
                }
            }
        }
        level = next;
    }
    found.sort_by_key(|n| (view.range(*n).len(), *n));
    found
}
