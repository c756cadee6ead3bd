//! How a view is made of a tree, from the root to the leaves.

use std::ops::Range;
use std::sync::Arc;

use super::{Origin, View, ViewNode, Views};
use crate::tree::series::Series;
use crate::tree::{NodeId, Tree};

/// Looks at a tree.
pub(super) fn view(tree: &Tree, views: Views) -> View<'_> {
    let mut builder = Builder { tree, views, nodes: Vec::new(), series: Vec::new() };
    builder.build();
    View { tree, nodes: builder.nodes, series: builder.series }
}

struct Builder<'a> {
    tree: &'a Tree,
    views: Views,
    nodes: Vec<ViewNode>,
    series: Vec<Series>,
}

/// A node before its number is known.
struct Seed {
    origin: Origin,
    range: Range<usize>,
    element: Option<(usize, usize)>,
}

impl Builder<'_> {
    fn build(&mut self) {
        enum Step {
            Open(Seed, u32),
            Close(u32),
        }
        let mut pending = vec![Step::Open(self.seed(self.tree.root()), 0)];
        while let Some(step) = pending.pop() {
            match step {
                Step::Close(id) => self.nodes[id as usize].next = self.nodes.len() as u32,
                Step::Open(seed, parent) => {
                    if self.is_hidden(&seed) {
                        continue;
                    }
                    let id = self.nodes.len() as u32;
                    let children = self.children(&seed);
                    let Seed { origin, range, element } = seed;
                    self.nodes.push(ViewNode { origin, range, element, parent, next: 0 });
                    pending.push(Step::Close(id));
                    pending.extend(children.into_iter().rev().map(|seed| Step::Open(seed, id)));
                }
            }
        }
    }

    fn seed(&self, node: NodeId) -> Seed {
        Seed { origin: self.origin(node), range: self.tree.range(node), element: None }
    }

    /// What a node is in the view: with squeezing, the chain that it begins. The root stays by itself,
    /// since some walks look at children only, and so that what is in it has a place.
    fn origin(&self, place: NodeId) -> Origin {
        let mut node = place;
        if self.views.squeeze && place != self.tree.root() {
            while let Some(child) = self.only_child(node)
                && self.replacement(child) == self.replacement(node)
            {
                node = child;
            }
        }
        Origin::Nodes { place, node }
    }

    fn only_child(&self, node: NodeId) -> Option<NodeId> {
        let mut children = self.tree.children(node);
        let first = children.next()?;
        children.next().is_none().then_some(first)
    }

    /// What stands in for a node that is pruned.
    fn replacement(&self, node: NodeId) -> Arc<[u8]> {
        match self.tree.is_removable(node) {
            true => Arc::default(),
            false => self.tree.minimal(node).unwrap_or_else(|| self.tree.text_of(node).into()),
        }
    }

    fn is_hidden(&self, seed: &Seed) -> bool {
        match &seed.origin {
            Origin::Nodes { place, node } if self.views.hide_unremovable => {
                *place != self.tree.root()
                    && seed.element.is_none()
                    && self.tree.is_leaf(*node)
                    && !self.tree.is_removable(*place)
                    && self.tree.minimal(*place).is_none()
            }
            _ => false,
        }
    }

    fn children(&mut self, parent: &Seed) -> Vec<Seed> {
        let tree = self.tree;
        let children: Vec<Seed> = match &parent.origin {
            Origin::Layout => return Vec::new(),
            Origin::Turn { parts, .. } => parts.iter().map(|part| self.seed(*part)).collect(),
            Origin::Group { first, last } => self.between(*first, *last),
            Origin::Nodes { node, .. } => match self.recursion(*node) {
                Some(list) => list,
                None if self.views.group => self.grouped(*node),
                None => tree.children(*node).map(|child| self.seed(child)).collect(),
            },
        };
        if !self.views.hidden_tokens {
            return children;
        }
        let layout = |range| Seed { origin: Origin::Layout, range, element: None };
        let mut with_layout = Vec::new();
        let mut at = parent.range.start;
        let is_leaf = children.is_empty();
        for child in children {
            if at < child.range.start {
                with_layout.push(layout(at..child.range.start));
            }
            at = child.range.end;
            with_layout.push(child);
        }
        if at < parent.range.end && !is_leaf {
            with_layout.push(layout(at..parent.range.end));
        }
        with_layout
    }

    fn between(&self, first: NodeId, last: NodeId) -> Vec<Seed> {
        let siblings = self.tree.siblings(first, last);
        siblings.map(|node| self.seed(node)).collect()
    }

    /// The children of a node, with the elements of series that have several nodes as one.
    fn grouped(&mut self, parent: NodeId) -> Vec<Seed> {
        let tree = self.tree;
        let all = tree.series(parent);
        let offset = self.series.len();
        let numbers = |(series, each): (usize, &Series)| {
            (0..each.len()).map(move |index| (series, index)).collect::<Vec<_>>()
        };
        let mut elements = all.iter().enumerate().flat_map(numbers).peekable();
        let mut children = Vec::new();
        let mut behind = None;
        for child in tree.children(parent) {
            // A group has the nodes between its first and its last one already.
            if behind.is_some_and(|last| child <= last) {
                continue;
            }
            let mut seed = self.seed(child);
            if let Some((series, index)) =
                elements.next_if(|(series, index)| all[*series].element(*index)[0] == child)
            {
                seed.element = Some((offset + series, index));
                if let [first, .., last] = all[series].element(index) {
                    seed.origin = Origin::Group { first: *first, last: *last };
                    seed.range.end = tree.range(*last).end;
                    behind = Some(*last);
                }
            }
            children.push(seed);
        }
        drop(elements);
        self.series.extend(all);
        children
    }

    /// The list that a recursion to the left or to the right amounts to.
    fn recursion(&self, node: NodeId) -> Option<Vec<Seed>> {
        let tree = self.tree;
        if !self.views.flatten {
            return None;
        }
        let ends = |node: NodeId| -> Option<(NodeId, NodeId)> {
            let children: Vec<NodeId> = tree.children(node).collect();
            (children.len() > 1).then(|| (children[0], children[children.len() - 1]))
        };
        let is_same = |child: NodeId| tree.kind(child) == tree.kind(node);
        let (first, last) = ends(node)?;
        let to_the_left = is_same(first);
        if !to_the_left && !is_same(last) {
            return None;
        }
        let mut turns = Vec::new();
        let mut whole = node;
        let innermost = loop {
            let Some((first, last)) = ends(whole) else { break whole };
            let kept = if to_the_left { first } else { last };
            let parts: Vec<NodeId> = tree.children(whole).filter(|part| *part != kept).collect();
            let range = tree.range(parts[0]).start..tree.range(parts[parts.len() - 1]).end;
            let origin = Origin::Turn { whole, kept, parts };
            turns.push(Seed { origin, range, element: None });
            whole = kept;
            if !is_same(kept) {
                break kept;
            }
        };
        let base = self.seed(innermost);
        Some(if to_the_left {
            std::iter::once(base).chain(turns.into_iter().rev()).collect()
        } else {
            turns.into_iter().chain([base]).collect()
        })
    }
}
