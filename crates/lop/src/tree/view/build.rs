//! Builds a view of a tree, from the root to the leaves.

use std::ops::Range;
use std::sync::Arc;

use super::{Origin, Role, View, ViewNode, Views};
use crate::tree::series::Series;
use crate::tree::{NodeId, Tree};

/// A view of a tree.
pub(super) fn view(tree: &Tree, views: Views) -> View<'_> {
    let mut builder = ViewBuilder { tree, views, nodes: Vec::new(), series: Vec::new() };
    builder.build();
    View { tree, views, nodes: builder.nodes, series: builder.series }
}

pub(super) struct ViewBuilder<'a> {
    pub(super) tree: &'a Tree,
    pub(super) views: Views,
    nodes: Vec<ViewNode>,
    pub(super) series: Vec<Series>,
}

/// A node before its number is known.
pub(super) struct Seed {
    pub(super) origin: Origin,
    pub(super) role: Role,
    pub(super) range: Range<usize>,
    pub(super) element: Option<(usize, usize)>,
    /// Its children, if it isn't regular.
    pub(super) inner: Vec<Seed>,
}

impl Seed {
    /// The first and the last of the siblings that it represents.
    pub(super) fn siblings(&self) -> (NodeId, NodeId) {
        match self.origin {
            Origin::Group { first, last } => (first, last),
            Origin::Nodes { place, .. } => (place, place),
            Origin::Turn { .. } | Origin::Layout | Origin::Text => {
                unreachable!("only siblings are repeated")
            }
        }
    }

    pub(super) fn new(origin: Origin, range: Range<usize>) -> Seed {
        Seed { origin, role: Role::Regular, range, element: None, inner: Vec::new() }
    }
}

impl ViewBuilder<'_> {
    fn build(&mut self) {
        enum Task {
            Open(Seed, u32),
            Close(u32),
        }
        let mut pending = vec![Task::Open(self.seed(self.tree.root()), 0)];
        while let Some(task) = pending.pop() {
            match task {
                Task::Close(id) => self.nodes[id as usize].next = self.nodes.len() as u32,
                Task::Open(mut seed, parent) => {
                    if self.is_hidden(&seed) {
                        continue;
                    }
                    let id = self.nodes.len() as u32;
                    let children = self.children(&mut seed);
                    let element = seed.element.filter(|(series, _)| self.is_bound(*series));
                    self.nodes.push(ViewNode {
                        origin: seed.origin,
                        role: seed.role,
                        is_removable: element.is_some() || self.is_removable(seed.origin),
                        start: seed.range.start as u32,
                        end: seed.range.end as u32,
                        element: element.map(|(series, index)| (series as u32, index as u32)),
                        parent,
                        next: 0,
                    });
                    pending.push(Task::Close(id));
                    pending.extend(children.into_iter().rev().map(|seed| Task::Open(seed, id)));
                }
            }
        }
    }

    /// Whether a node can be removed without a replacement.
    pub(super) fn is_removable(&self, origin: Origin) -> bool {
        match origin {
            Origin::Text => false,
            // Without its header, a file would be part of the one before it.
            Origin::Nodes { place, .. } if self.views.abstract_syntax => {
                !self.tree.parser_of(place).is_frame() || self.tree.is_removable(place)
            }
            Origin::Nodes { place, .. } => self.tree.is_removable(place),
            Origin::Turn { whole, kept } => self.tree.fits(whole, self.tree.kind(kept)),
            Origin::Group { first, last } => self.tree.may_cut(first, last),
            Origin::Layout => true,
        }
    }

    /// Whether the removal of an element of a series depends on that of the others: because of the separators, or
    /// because one element must stay.
    fn is_bound(&self, series: usize) -> bool {
        let series = &self.series[series];
        let nodes = series.nodes();
        self.views.abstract_syntax
            || series.is_separated()
            || !self.tree.may_cut(nodes[0], nodes[nodes.len() - 1])
    }

    pub(super) fn seed(&self, node: NodeId) -> Seed {
        Seed::new(self.origin(node), self.tree.range(node))
    }

    /// The origin of a node in the view: with squeezing, the chain that it begins. The root is never squeezed,
    /// since some walks look at children only, and so that its descendants have a place.
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

    /// The replacement of a pruned node.
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

    fn children(&mut self, parent: &mut Seed) -> Vec<Seed> {
        let children: Vec<Seed> = match parent.origin {
            _ if parent.role != Role::Regular => std::mem::take(&mut parent.inner),
            Origin::Layout | Origin::Text => return Vec::new(),
            Origin::Nodes { node, .. } if self.views.abstract_syntax => self.abstract_parts(node),
            // All of them are removed together, or only those after the first.
            Origin::Group { first, last } => {
                let all: Vec<NodeId> = self.tree.siblings(first, last).collect();
                let series = self.tree.series_among(all.iter().copied().skip(1));
                self.grouped(all, series)
            }
            Origin::Turn { whole, kept } => {
                let parts = self.parts(whole).into_iter();
                let is_kept = |seed: &Seed| seed.range == self.tree.range(kept);
                parts.filter(|seed| !is_kept(seed)).collect()
            }
            Origin::Nodes { node, .. } => self.recursion(node).unwrap_or_else(|| self.parts(node)),
        };
        if !self.views.hidden_tokens {
            return children;
        }
        let layout = |range| Seed::new(Origin::Layout, range);
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

    /// The children of a node.
    pub(super) fn parts(&mut self, node: NodeId) -> Vec<Seed> {
        let children: Vec<NodeId> = self.tree.children(node).collect();
        let series = if self.views.group { self.tree.series(node) } else { Vec::new() };
        self.grouped(children, series)
    }

    /// Siblings, where an element of a series that has several nodes is one group.
    fn grouped(&mut self, siblings: Vec<NodeId>, all: Vec<Series>) -> Vec<Seed> {
        let tree = self.tree;
        let offset = self.series.len();
        let numbers = |(series, each): (usize, &Series)| {
            (0..each.len()).map(move |index| (series, index)).collect::<Vec<_>>()
        };
        let mut elements = all.iter().enumerate().flat_map(numbers).peekable();
        let mut children = Vec::new();
        let mut behind = None;
        for child in siblings {
            // This node is in the group that was added last.
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
        if self.views.group && self.views.quantify { self.quantified(children) } else { children }
    }
}
