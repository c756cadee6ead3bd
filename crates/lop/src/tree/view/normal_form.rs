//! Perses' normal form, without a transformation of the grammar.
//!
//! C. Sun et al., "Perses: Syntax-Guided Program Reduction", ICSE 2018, rewrite a grammar until all that
//! may go is under a quantifier, and parse with that. A tree-sitter parser cannot be rewritten, and need
//! not be: what the quantifiers of the normal form say is asked of the content model, which knows what
//! may go however the grammar is written, and the nodes that the rewriting would add are added to the
//! view. Case by case (`x` is anything, `a` and `b` are different):
//!
//! | the grammar has | the normal form | here |
//! |---|---|---|
//! | `x?`, `x \| ε` | `x?` | an optional node above a child, or a group of children, that may go but is not repeated |
//! | `x*`, `x+`, also with separators | the same | a list above neighbours that may go and are repeated: `Tree::series`; the list itself may go if all of them may |
//! | `r: a \| r b`, recursion to the left | `a b*` | `a`, and a list of the turns `b` of each `r` in `r`: without a turn, the inner `r` stands in the outer one's place |
//! | `r: a \| b r`, recursion to the right | `b* a` | the same from the other end |
//! | `r: a \| a b`, or `b a` | `a b?`, `b? a` | `a`, and an optional node above `b`: without it, `a` stands in the place of `r` |
//!
//! The last three are one: a node's first or last child may stand in its place. That may be so in one place
//! and not in another, where the rewriting would see one rule; and it is so also where the recursion goes through
//! other rules, as in `if (a) b`, which the rewriting leaves alone. Deeper descendants are no part of it: to
//! put them in a node's place is hoisting.
//!
//! Departures: neighbouring lists with the same quantifier are one; comments, which no rule mentions, are
//! optional.

use super::build::{Builder, Seed};
use super::{Origin, Role};
use crate::tree::{NodeId, Series};

impl Builder<'_> {
    /// Puts nodes above what is repeated or optional.
    pub(super) fn quantified(&self, children: Vec<Seed>) -> Vec<Seed> {
        let mut quantified = Vec::new();
        let mut children = children.into_iter().peekable();
        while let Some(seed) = children.next() {
            let Some((series, _)) = seed.element else {
                quantified.push(self.optional(seed));
                continue;
            };
            let nodes = self.series[series].nodes();
            let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
            let range = seed.range.start..self.tree.range(last).end;
            let mut inner = vec![seed];
            while let Some(seed) = children.next_if(|seed| seed.range.end <= range.end) {
                inner.push(seed);
            }
            let is_list = self.series[series].len() > 1 || self.tree.quantifier(first).repeats();
            let role = if is_list { Role::List } else { Role::Optional };
            let origin = Origin::Group { first, last };
            quantified.push(Seed { origin, role, range, element: None, inner });
        }
        quantified
    }

    /// Puts a node above something that may go alone.
    fn optional(&self, seed: Seed) -> Seed {
        match seed.origin {
            Origin::Nodes { place, .. } if self.tree.is_removable(place) => {
                let origin = Origin::Group { first: place, last: place };
                let range = seed.range.clone();
                Seed { origin, role: Role::Optional, range, element: None, inner: vec![seed] }
            }
            _ => seed,
        }
    }

    /// What a node with its first or last child in its place amounts to: that child, and the turns that
    /// make more of it.
    pub(super) fn recursion(&self, node: NodeId) -> Option<Vec<Seed>> {
        if !self.views.flatten {
            return None;
        }
        let side = self.side(node)?;
        let mut turns = Vec::new();
        let mut whole = node;
        let base = loop {
            let Some((kept, first, last)) = self.ends(whole, side) else { break whole };
            if !self.is_apart(whole, kept) {
                break whole;
            }
            let range = self.tree.range(first).start..self.tree.range(last).end;
            let origin = Origin::Turn { whole, kept };
            let (role, element, inner) = (Role::Regular, None, Vec::new());
            turns.push(Seed { origin, role, range, element, inner });
            whole = kept;
            if self.tree.kind(kept) != self.tree.kind(node) {
                break kept;
            }
        };
        if side == Side::Left {
            turns.reverse();
        }
        let turns = if self.views.quantify { vec![self.turns(node, base, turns)] } else { turns };
        let base = [self.seed(base)];
        Some(match side {
            Side::Left => base.into_iter().chain(turns).collect(),
            Side::Right => turns.into_iter().chain(base).collect(),
        })
    }

    /// Puts a node above the turns of a recursion.
    fn turns(&self, whole: NodeId, kept: NodeId, inner: Vec<Seed>) -> Seed {
        let role = if inner.len() > 1 { Role::List } else { Role::Optional };
        let range = inner[0].range.start..inner[inner.len() - 1].range.end;
        Seed { origin: Origin::Turn { whole, kept }, role, range, element: None, inner }
    }

    /// On which side of a node the child is that may stand in its place: on that of a recursion, if it
    /// is one.
    fn side(&self, node: NodeId) -> Option<Side> {
        let tree = self.tree;
        let kept = |side: Side| self.ends(node, side).map(|(kept, ..)| kept);
        let recurs =
            |side: &Side| kept(*side).is_some_and(|kept| tree.kind(kept) == tree.kind(node));
        let may_stay = |side: &Side| {
            kept(*side).is_some_and(|kept| {
                tree.is_named(kept)
                    && !tree.is_extra(kept)
                    && !tree.is_error(kept)
                    && !tree.is_removable(kept)
                    && tree.fits(node, tree.kind(kept))
            })
        };
        let sides = [Side::Left, Side::Right];
        let recursion = sides.into_iter().find(recurs);
        let side = recursion
            .or_else(|| sides.into_iter().find(may_stay).filter(|_| self.views.quantify))?;
        self.is_apart(node, kept(side)?).then_some(side)
    }

    /// Whether a child of a node is no part of a list there.
    fn is_apart(&self, node: NodeId, child: NodeId) -> bool {
        let is_in = |series: &Series| series.nodes().contains(&child);
        !self.views.group || !self.tree.series(node).iter().any(is_in)
    }

    /// The child at one end of a node, and the first and the last of the others.
    fn ends(&self, node: NodeId, side: Side) -> Option<(NodeId, NodeId, NodeId)> {
        let children: Vec<NodeId> = self.tree.children(node).collect();
        match (&children[..], side) {
            ([kept, first, .., last], Side::Left) | ([first, .., last, kept], Side::Right) => {
                Some((*kept, *first, *last))
            }
            ([left, right], Side::Left) => Some((*left, *right, *right)),
            ([left, right], Side::Right) => Some((*right, *left, *left)),
            _ => None,
        }
    }
}

/// One end of a node's children.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}
