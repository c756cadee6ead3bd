//! Views: a tree as the papers see it.
//!
//! Papers on hierarchical delta debugging prepare their trees before they reduce them: each repeated or optional part
//! of a rule gets a node, chains of single children become one node, recursion becomes a list, lists have nodes of
//! their own, tokens that cannot be reduced are left out, and white space may be reduced like everything else; or the
//! tree is an abstract one, without punctuation. Each of these is a view that can be on or off; with all of them off, a
//! view has exactly the nodes of its tree. The tree itself does not change: a node of a view refers to nodes of the
//! tree.

mod abstract_syntax;
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
    /// A repeated or optional part of a rule is one node: an element is removed with its separator.
    pub group: bool,
    /// A node and its single child with the same replacement become one node.
    pub squeeze: bool,
    /// `a + b + c`, which is `(a + b) + c` to a parser, is a list of `a`, `+ b` and `+ c`; likewise
    /// for recursion to the right.
    pub flatten: bool,
    /// A repeated or optional part of a rule has a node above it, as in Perses' normal form.
    pub quantify: bool,
    /// With `quantify`: the part of a rule before its last child, such as `if (a)`, is also optional.
    pub wide: bool,
    /// Tokens that cannot be removed and have no smaller replacement are left out.
    pub hide_unremovable: bool,
    /// White space between tokens is reduced, too.
    pub hidden_tokens: bool,
    /// Punctuation is left out and removed with the node that it belongs to, leaves have their text below them, and
    /// every node can be removed: see `abstract_syntax.rs`.
    pub abstract_syntax: bool,
}

impl Views {
    /// All off: the tree itself.
    pub const PLAIN: Views = Views {
        group: false,
        squeeze: false,
        flatten: false,
        quantify: false,
        wide: false,
        hide_unremovable: false,
        hidden_tokens: false,
        abstract_syntax: false,
    };

    /// The views of the papers' experiments.
    pub const PAPERS: Views = Views { group: true, squeeze: true, flatten: true, ..Views::PLAIN };

    /// The views that correspond to Perses' normal form of a grammar: see `normal_form.rs`.
    pub const NORMAL_FORM: Views =
        Views { group: true, flatten: true, quantify: true, ..Views::PLAIN };

    /// Perses' normal form, in which everything before a last child that could replace its parent is also optional:
    /// `if (a) b` may become `b`.
    pub const WIDE_NORMAL_FORM: Views = Views { wide: true, ..Views::NORMAL_FORM };

    /// The views that make an abstract syntax tree.
    pub const ABSTRACT: Views = Views { group: true, abstract_syntax: true, ..Views::PLAIN };
}

/// The number of a node in a view. Numbers grow in pre-order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ViewId(u32);

impl ViewId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A tree with some views on.
pub struct View<'a> {
    tree: &'a Tree,
    views: Views,
    nodes: Vec<ViewNode>,
    series: Vec<Series>,
}

/// Kept small, as nodes of trees are: each new candidate looks at all nodes removed so far.
struct ViewNode {
    origin: Origin,
    role: Role,
    is_removable: bool,
    start: u32,
    end: u32,
    /// The number of its series and its index in it, if its removal depends on the other elements.
    element: Option<(u32, u32)>,
    parent: u32,
    /// The first node after this one and its descendants.
    next: u32,
}

/// The role of a node for its parent and its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// An ordinary node.
    Regular,
    /// The parent of the elements of a list.
    List,
    /// The parent of a node that may be missing.
    Optional,
}

/// The part of the tree that a node of a view represents.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// A chain of single children: the first has the place, the last has the label.
    Nodes { place: NodeId, node: NodeId },
    /// Siblings that can be removed together.
    Group { first: NodeId, last: NodeId },
    /// The nodes that one turn of a recursion adds: without them, `kept` replaces `whole`.
    Turn { whole: NodeId, kept: NodeId },
    /// White space.
    Layout,
    /// The text of a leaf, which is the label of this node.
    Text,
}

impl<'a> View<'a> {
    /// A view of a tree.
    pub fn new(tree: &'a Tree, views: Views) -> View<'a> {
        build::view(tree, views)
    }

    /// The tree of this view.
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

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: every view has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A node's children, from left to right.
    pub fn children(&self, node: ViewId) -> impl Iterator<Item = ViewId> + Clone + '_ {
        let children = node.0 + 1..self.entry(node).next;
        arena::siblings(children, |child| self.nodes[child as usize].next).map(ViewId)
    }

    /// The first node after a node and its descendants; one past the last if there is none.
    pub fn next(&self, node: ViewId) -> ViewId {
        ViewId(self.entry(node).next)
    }

    /// The descendants of a node, in pre-order.
    pub fn descendants(&self, node: ViewId) -> impl DoubleEndedIterator<Item = ViewId> + use<> {
        (node.0 + 1..self.entry(node).next).map(ViewId)
    }

    /// The parent of a node; the root has none.
    pub fn parent(&self, node: ViewId) -> Option<ViewId> {
        (node.0 > 0).then(|| ViewId(self.entry(node).parent))
    }

    /// The last node that begins at a place of the text or before it.
    pub(crate) fn last_at(&self, place: usize) -> ViewId {
        let (mut low, mut high) = (0, self.nodes.len() as u32);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            match self.range(ViewId(middle)).start <= place {
                true => low = middle,
                false => high = middle,
            }
        }
        ViewId(low)
    }

    /// The range of a node in the text.
    pub fn range(&self, node: ViewId) -> Range<usize> {
        self.entry(node).start as usize..self.entry(node).end as usize
    }

    /// The node of the tree whose label this one has; `None` if this node exists only in the view.
    pub fn node(&self, node: ViewId) -> Option<NodeId> {
        match self.entry(node).origin {
            Origin::Nodes { node, .. } => Some(node),
            _ => None,
        }
    }

    /// The node of the tree whose place this one has; `None` if this node exists only in the view.
    pub fn place(&self, node: ViewId) -> Option<NodeId> {
        match self.entry(node).origin {
            Origin::Nodes { place, .. } => Some(place),
            _ => None,
        }
    }

    /// The kind of a node; `None` if it exists only in the view.
    pub fn kind(&self, node: ViewId) -> Option<Kind> {
        self.node(node).map(|node| self.tree.kind(node))
    }

    /// The role of a node for its parent and its children.
    pub fn role(&self, node: ViewId) -> Role {
        self.entry(node).role
    }

    /// The name of a node's label; `*` for lists and their groups, `?` for optional
    /// nodes, empty for white space and for the text of a leaf.
    pub fn name(&self, node: ViewId) -> &str {
        match self.entry(node).origin {
            _ if self.role(node) == Role::Optional => "?",
            Origin::Nodes { node, .. } => self.tree.name(node),
            Origin::Group { .. } | Origin::Turn { .. } => "*",
            Origin::Layout | Origin::Text => "",
        }
    }

    /// Whether a node can be removed without a replacement.
    pub fn is_removable(&self, node: ViewId) -> bool {
        self.entry(node).is_removable
    }

    /// Whether the rule of a node's own label allows the empty text, wherever the node is.
    pub fn may_be_empty(&self, node: ViewId) -> bool {
        self.node(node).is_some_and(|node| self.tree.may_be_empty(node))
    }

    /// The least text that can replace a node, if that is less than the node's own: the empty text, or the minimal
    /// replacement.
    pub fn minimal(&self, node: ViewId) -> Option<Arc<[u8]>> {
        match &self.entry(node).origin {
            _ if self.is_removable(node) => Some(Arc::default()),
            Origin::Nodes { place, .. } => self.tree.minimal(*place),
            Origin::Group { .. } | Origin::Turn { .. } | Origin::Layout | Origin::Text => None,
        }
    }

    /// The changes that prune some nodes: each is removed, or replaced by its minimal replacement. Nodes without one
    /// stay unchanged.
    pub fn prune(&self, nodes: impl IntoIterator<Item = ViewId>) -> Vec<Change> {
        let mut changes = Vec::new();
        // Which separators stay depends on all removed elements.
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
            let series = &self.series[elements[0].0 as usize];
            changes.extend(match self.views.abstract_syntax {
                true => self.tree.cut_elements(series, &gone),
                false => self.tree.without_elements(series, &gone),
            });
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
            Origin::Text => return None,
        })
    }

    fn entry(&self, node: ViewId) -> &ViewNode {
        &self.nodes[node.0 as usize]
    }
}
