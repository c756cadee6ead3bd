//! Transformation templates: the changes that are tried for one node.
//!
//! S. Herfert, J. Patra and M. Pradel, "Automatically Reducing Tree-Structured Test Inputs", ASE 2017, Section IV-A: a template is
//! a function T → P(T) ∪ {DEL} from a node to its possible replacements. A reducer applies a list of them, in order, so another
//! template is another value:
//!
//! ```text
//! deletion(tree)             DEL
//! SBC TEMPLATE(tree)         candidates ← ∅                                         Algorithm 1
//!                            for i ∈ [0, |tree.c|] do
//!                                c ← tree.c[i].t
//!                                if context(tree) ∈ allowedContexts(tree.c[i].l)    only if filtered
//!                                    candidates ← candidates ∪ {c}
//! ```
//!
//! The *filtered* templates ask the usage of a corpus (see the tree's `usage/`): mandatory children are not deleted,
//! and a child replaces its parent only in a context in which its label occurs in the corpus. Without a corpus, nothing
//! is filtered.
//!
//! Some grammars have a node for a list without brackets, such as Python's `block` and the `content` of an XML element.
//! The paper's trees do not: there, statements are children of the function. So the elements of such a list are
//! candidates besides the list. In the corpus, the list itself occurs in no other context; it counts as usual where its
//! elements are, if several are allowed.
//!
//! Other nodes, too, are only a part of their parent in the paper's trees: `arguments`, `else_clause`, a condition in
//! brackets. The unfiltered template reaches their content through a text that no corpus has, such as `(a)` for `f(a)`.
//! The filtered one skips a child that isn't usual in the context, and uses its children as candidates.
//!
//! Hoisting and Φ of the other papers are templates, too. Φ may invent text, so only without it is a result derived
//! from the input by deletions and moves alone, as Section III demands.
//!
//! Departures: line 3 of Algorithm 1 counts one child too many; candidates are in the order of the children, which the
//! paper's example has, too. The text of a leaf is neither deleted nor a candidate: the whole text would be the same as
//! with another candidate, or unchanged.

use std::iter;

use crate::tree::{View, ViewId};

use super::hoist::{LABEL, chi};

/// A transformation template.
pub struct Template {
    /// Its name, as in the papers.
    pub name: &'static str,
    /// A line of help.
    pub about: &'static str,
    /// Whether no node has more than one transformation.
    pub is_single: bool,
    /// The transformations of a node in a place.
    pub apply: fn(&View<'_>, place: ViewId, node: ViewId) -> Vec<Transformation>,
}

/// A transformation of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transformation {
    /// Deletes it: DEL.
    Delete,
    /// Replaces it by the least text that its place allows: Φ.
    Least,
    /// Replaces it by another node, or by itself.
    Node(ViewId),
}

impl Transformation {
    /// The number of nodes that remain.
    pub fn size(self, view: &View<'_>) -> usize {
        match self {
            Transformation::Delete => 0,
            Transformation::Least => 1,
            Transformation::Node(node) => view.size(node),
        }
    }
}

/// All templates.
pub const TEMPLATES: &[&Template] =
    &[&DELETE, &DELETE_FILTERED, &CHILD, &CHILD_FILTERED, &PHI, &HOISTING];

/// The deletion template.
pub const DELETE: Template = Template {
    name: "delete",
    about: "deletes a node",
    is_single: true,
    apply: |view, place, _| {
        view.is_removable(place).then_some(Transformation::Delete).into_iter().collect()
    },
};

/// The deletion template, specialised by a corpus.
pub const DELETE_FILTERED: Template = Template {
    name: "delete-filtered",
    about: "deletes a node that the corpus does not always have",
    is_single: true,
    apply: |view, place, node| {
        let is_mandatory = |node| view.tree().is_mandatory(node);
        if view.place(place).is_some_and(is_mandatory) {
            return Vec::new();
        }
        (DELETE.apply)(view, place, node)
    },
};

/// The substitute-by-child template.
pub const CHILD: Template = Template {
    name: "child",
    about: "replaces a node by one of its children",
    is_single: false,
    apply: |view, _, node| {
        let children = |node| view.children(node).filter(|child| !view.is_text(*child));
        let with_elements = |child| {
            let list = Some(child).filter(|child| view.is_bare_list(*child));
            iter::once(child).chain(list.into_iter().flat_map(children))
        };
        children(node).flat_map(with_elements).map(Transformation::Node).collect()
    },
};

/// The substitute-by-child template, specialised by a corpus.
pub const CHILD_FILTERED: Template = Template {
    name: "child-filtered",
    about: "replaces a node by one of its children that the corpus has in this context",
    is_single: false,
    apply: |view, place, node| {
        let is_usual = |child: &ViewId| {
            let known = view.place(place).zip(view.kind(*child));
            known.is_none_or(|(place, kind)| view.tree().is_usual(place, kind))
        };
        let children = |node| view.children(node).filter(|child| !view.is_text(*child));
        let candidates = children(node).flat_map(|child| {
            let is_list = view.is_bare_list(child);
            let is_sequence = || is_list && view.may_be_several(place);
            let fits =
                is_usual(&child) || is_sequence() && children(child).all(|each| is_usual(&each));
            let is_passed_over = is_list || !is_usual(&child);
            let parts = Some(child).filter(|_| is_passed_over).into_iter().flat_map(children);
            Some(child).filter(|_| fits).into_iter().chain(parts.filter(is_usual))
        });
        candidates.map(Transformation::Node).collect()
    },
};

/// Pruning by the least replacement, as in HDD.
pub const PHI: Template = Template {
    name: "phi",
    about: "replaces a node by the least text that its place allows",
    is_single: true,
    apply: |view, place, _| {
        let least = view.place(place).and_then(|place| view.tree().minimal(place));
        least.map(|_| Transformation::Least).into_iter().collect()
    },
};

/// Hoisting.
pub const HOISTING: Template = Template {
    name: "hoist",
    about: "replaces a node by its nearest descendants of the same label",
    is_single: false,
    apply: |view, place, node| {
        chi(view, &LABEL, place, node).into_iter().map(Transformation::Node).collect()
    },
};
