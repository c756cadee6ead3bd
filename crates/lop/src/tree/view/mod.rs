//! Views: a tree as the papers see it.
//!
//! Papers on hierarchical delta debugging prepare their trees before they reduce them: what a
//! grammar repeats or makes optional is a node, chains of single children become one node, recursion
//! becomes a list, lists have nodes of their own, tokens that nothing can be done to are left out, and
//! white space may take part like everything else. Each of these is a view that can be on or off; with all
//! of them off, a view has the nodes of its tree and no others. The tree itself stays as it is: what a node
//! of a view stands for is asked of the tree.

mod build;
mod normal_form;

use std::ops::Range;
use std::sync::Arc;

use super::arena;
use super::series::Series;
use super::{Change, Kind, NodeId, Tree};

/// Which views are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Views {
    /// What a rule repeats or makes optional may go as one: an element goes with its separator.
    pub group: bool,
    /// A node with a single child and the same replacement is one node with it.
    pub squeeze: bool,
    /// `a + b + c`, which is `(a + b) + c` to a parser, is a list of `a`, `+ b` and `+ c`; likewise
    /// for recursion to the right.
    pub flatten: bool,
    /// What a rule repeats or makes optional has a node above it, as in Perses' normal form.
    pub quantify: bool,
    /// Tokens that cannot go and have no smaller replacement are left out.
    pub hide_unremovable: bool,
    /// White space between tokens takes part, too.
    pub hidden_tokens: bool,
}

impl Views {
    /// All off: the tree as it is.
    pub const PLAIN: Views = Views {
        group: false,
        squeeze: false,
        flatten: false,
        quantify: false,
        hide_unremovable: false,
        hidden_tokens: false,
    };

    /// What the experiments of the papers use.
    pub const PAPERS: Views = Views { group: true, squeeze: true, flatten: true, ..Views::PLAIN };

    /// What Perses' normal form of a grammar makes of a tree: see `normal_form.rs`.
    pub const NORMAL_FORM: Views =
        Views { group: true, flatten: true, quantify: true, ..Views::PLAIN };
}

/// The number of a node in a view. Numbers grow in pre-order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ViewId(u32);

impl ViewId {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A tree with some views on.
pub struct View<'a> {
    tree: &'a Tree,
    nodes: Vec<ViewNode>,
    series: Vec<Series>,
}

/// Kept small, as nodes of trees are: whoever makes a candidate looks at all that is gone so far.
struct ViewNode {
    origin: Origin,
    role: Role,
    is_removable: bool,
    start: u32,
    end: u32,
    /// The series that it is an element of, and the number in it, if it matters which others go.
    element: Option<(u32, u32)>,
    parent: u32,
    /// The first node that is not below this one.
    next: u32,
}

/// What a node is to those above and below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// Something with a place of its own.
    Regular,
    /// What is above the elements of a list.
    List,
    /// What is above something that may be missing.
    Optional,
}

/// What a node of a view stands for.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// A chain of single children: the first has the place, the last has the label.
    Nodes { place: NodeId, node: NodeId },
    /// Siblings that may go together.
    Group { first: NodeId, last: NodeId },
    /// What one turn of a recursion adds: without it, `kept` stands in the place of `whole`.
    Turn { whole: NodeId, kept: NodeId },
    /// White space.
    Layout,
}

impl<'a> View<'a> {
    /// Looks at a tree.
    pub fn new(tree: &'a Tree, views: Views) -> View<'a> {
        build::view(tree, views)
    }

    /// The tree that is looked at.
    pub fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// The root.
    pub fn root(&self) -> ViewId {
        ViewId(0)
    }

    /// All nodes, parents before their children, from left to right.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ViewId> + use<> {
        (0..self.nodes.len() as u32).map(ViewId)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: there is a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A node's children, from left to right.
    pub fn children(&self, node: ViewId) -> impl Iterator<Item = ViewId> + Clone + '_ {
        let children = node.0 + 1..self.entry(node).next;
        arena::siblings(children, |child| self.nodes[child as usize].next).map(ViewId)
    }

    /// The first node after a node and all that is below it; one past the last if there is none.
    pub fn next(&self, node: ViewId) -> ViewId {
        ViewId(self.entry(node).next)
    }

    /// All that is below a node, in pre-order.
    pub fn descendants(&self, node: ViewId) -> impl DoubleEndedIterator<Item = ViewId> + use<> {
        (node.0 + 1..self.entry(node).next).map(ViewId)
    }

    /// The node above; the root has none.
    pub fn parent(&self, node: ViewId) -> Option<ViewId> {
        (node.0 > 0).then(|| ViewId(self.entry(node).parent))
    }

    /// Where a node stands in the text.
    pub fn range(&self, node: ViewId) -> Range<usize> {
        self.entry(node).start as usize..self.entry(node).end as usize
    }

    /// The node of the tree whose label this one bears; none for what only a view shows.
    pub fn node(&self, node: ViewId) -> Option<NodeId> {
        match self.entry(node).origin {
            Origin::Nodes { node, .. } => Some(node),
            _ => None,
        }
    }

    /// The node of the tree in whose place this one stands; none for what only a view shows.
    pub fn place(&self, node: ViewId) -> Option<NodeId> {
        match self.entry(node).origin {
            Origin::Nodes { place, .. } => Some(place),
            _ => None,
        }
    }

    /// The kind of a node; none for what only a view shows.
    pub fn kind(&self, node: ViewId) -> Option<Kind> {
        self.node(node).map(|node| self.tree.kind(node))
    }

    /// What a node is to those above and below it.
    pub fn role(&self, node: ViewId) -> Role {
        self.entry(node).role
    }

    /// The name of a node's label; `*` for lists and what may go together, `?` for what may be
    /// missing, empty for white space.
    pub fn name(&self, node: ViewId) -> &str {
        match self.entry(node).origin {
            _ if self.role(node) == Role::Optional => "?",
            Origin::Nodes { node, .. } => self.tree.name(node),
            Origin::Group { .. } | Origin::Turn { .. } => "*",
            Origin::Layout => "",
        }
    }

    /// Whether a node may go and leave nothing.
    pub fn is_removable(&self, node: ViewId) -> bool {
        self.entry(node).is_removable
    }

    /// The least that can stand in for a node, if that is less than it is: nothing, or the minimal
    /// replacement.
    pub fn minimal(&self, node: ViewId) -> Option<Arc<[u8]>> {
        match &self.entry(node).origin {
            _ if self.is_removable(node) => Some(Arc::default()),
            Origin::Nodes { place, .. } => self.tree.minimal(*place),
            Origin::Group { .. } | Origin::Turn { .. } | Origin::Layout => None,
        }
    }

    /// What is done to nodes that are pruned: they go, or their minimal replacements stand in for
    /// them. Nothing is done to those that have none.
    pub fn prune(&self, nodes: impl IntoIterator<Item = ViewId>) -> Vec<Change> {
        let mut changes = Vec::new();
        // What of a separator stays depends on all that goes.
        let mut elements: Vec<(u32, u32)> = Vec::new();
        for node in nodes {
            match self.entry(node).element {
                Some(element) => elements.push(element),
                None => changes.extend(self.prune_alone(node)),
            }
        }
        elements.sort();
        elements.dedup();
        for elements in elements.chunk_by(|left, right| left.0 == right.0) {
            let gone: Vec<usize> = elements.iter().map(|(_, index)| *index as usize).collect();
            changes.extend(self.tree.without_elements(&self.series[elements[0].0 as usize], &gone));
        }
        changes
    }

    fn prune_alone(&self, node: ViewId) -> Option<Change> {
        let entry = self.entry(node);
        Some(match entry.origin {
            Origin::Nodes { place, .. } if !entry.is_removable => {
                Change::Replace(place, (*self.tree.minimal(place)?).into())
            }
            _ if !entry.is_removable => return None,
            Origin::Nodes { place, .. } => Change::cut(place),
            Origin::Group { first, last } => Change::Cut(first, last),
            Origin::Turn { whole, kept } => Change::hoist(whole, kept),
            Origin::Layout => Change::Layout(self.range(node)),
        })
    }

    fn entry(&self, node: ViewId) -> &ViewNode {
        &self.nodes[node.0 as usize]
    }
}
