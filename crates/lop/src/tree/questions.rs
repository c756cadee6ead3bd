//! What may go, and what may stand in for what.

use lop_grammar::{Label, Quantifier, States};

use super::Tree;
use super::arena::{Content, NodeId};
use super::dialect::Kind;

/// How many children a group that goes together may have when groups are looked for.
const LONGEST_GROUP: usize = 16;

impl Tree {
    /// Whether some siblings, from the first to the last, may go together.
    pub fn may_cut(&self, first: NodeId, last: NodeId) -> bool {
        let Some(parent) = self.parent(first) else { return false };
        match self.node(parent).content {
            Content::Rule(rule) => {
                let (dialect, _) = self.dialect(self.kind(parent));
                let (before, after) = (self.node(first).before, self.node(last).after);
                dialect.grammar().model(rule).states().meet(before, after)
            }
            Content::Opaque => first == last && self.is_extra(first),
            Content::Free => true,
            Content::Brackets => {
                first.0 != parent.0 + 1 && self.node(last).next != self.node(parent).next
            }
            Content::Island => false,
        }
    }

    /// Whether a node may go alone.
    pub fn is_removable(&self, node: NodeId) -> bool {
        self.may_cut(node, node)
    }

    /// The smallest groups of two or more children that may go together where their first one may
    /// not go alone: an element with its separator, an optional part of several tokens.
    pub fn groups(&self, parent: NodeId) -> Vec<(NodeId, NodeId)> {
        let children: Vec<NodeId> = self.children(parent).collect();
        let mut groups = Vec::new();
        for (start, first) in children.iter().enumerate() {
            if self.is_extra(*first) || self.is_removable(*first) {
                continue;
            }
            let candidates = children[start..].iter().take(LONGEST_GROUP).skip(1);
            let last = candidates.filter(|last| !self.is_extra(**last));
            if let Some(last) = last.into_iter().find(|last| self.may_cut(*first, **last)) {
                groups.push((*first, *last));
            }
        }
        groups
    }

    /// Whether something of this kind may stand in a node's place.
    pub fn fits(&self, place: NodeId, kind: Kind) -> bool {
        self.fits_sequence(place, [kind])
    }

    /// Whether a sequence, such as a block's statements, may stand in a node's place.
    pub fn fits_sequence(&self, place: NodeId, kinds: impl IntoIterator<Item = Kind>) -> bool {
        let Some(parent) = self.parent(place) else { return false };
        let mut kinds = kinds.into_iter();
        match self.node(parent).content {
            Content::Rule(rule) if !self.is_extra(place) => {
                let (dialect, _) = self.dialect(self.kind(parent));
                let (before, after) = (self.node(place).before, self.node(place).after);
                let mut states = dialect.grammar().model(rule).states();
                let set = kinds.try_fold(before, |set, kind| {
                    let (other, label) = self.dialect(kind);
                    std::ptr::eq(other, dialect).then(|| states.forward(set, label))
                });
                set.is_some_and(|set| states.meet(set, after))
            }
            // Without a rule, only the like is known to fit.
            _ => kinds.next() == Some(self.kind(place)) && kinds.next().is_none(),
        }
    }

    /// The descendants that may stand in a node's place, in pre-order.
    pub fn hoistable(&self, place: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.descendants(place).filter(move |node| {
            let node_is_smaller = self.range(*node) != self.range(place);
            node_is_smaller
                && !self.is_extra(*node)
                && !self.is_error(*node)
                && self.dialect(self.kind(*node)).1 != Label::TEXT
                && self.fits(place, self.kind(*node))
        })
    }

    /// Whether a node still stands with only these of its children.
    pub fn stands(&self, parent: NodeId, kept: impl IntoIterator<Item = NodeId>) -> bool {
        let kept = kept.into_iter();
        match self.node(parent).content {
            Content::Rule(rule) => {
                let (dialect, _) = self.dialect(self.kind(parent));
                let kept = kept.filter(|child| !self.is_extra(*child));
                let labels = kept.map(|child| self.dialect(self.kind(child)).1);
                let mut states = dialect.grammar().model(rule).states();
                states.fits(States::START, labels, States::START)
            }
            _ => {
                let kept: Vec<NodeId> = kept.collect();
                self.children(parent).all(|child| self.is_removable(child) || kept.contains(&child))
            }
        }
    }

    /// What makes a node optional or repeated in its parent's rule.
    pub fn quantifier(&self, node: NodeId) -> Quantifier {
        let Some(parent) = self.parent(node) else { return Quantifier::One };
        match self.node(parent).content {
            Content::Rule(rule) if !self.is_extra(node) => {
                let (dialect, _) = self.dialect(self.kind(parent));
                let (_, label) = self.dialect(self.kind(node));
                let states = dialect.grammar().model(rule).states();
                states.quantifier(self.node(node).before, label, self.node(node).after)
            }
            _ if self.is_removable(node) => Quantifier::Star,
            _ => Quantifier::One,
        }
    }

    /// Whether a parser should have the last word on what happens to a node's children, since the
    /// model of its rule accepts too much.
    pub fn is_approximate(&self, parent: NodeId) -> bool {
        match self.node(parent).content {
            Content::Rule(rule) => {
                let (dialect, _) = self.dialect(self.kind(parent));
                dialect.grammar().model(rule).is_approximate()
            }
            _ => true,
        }
    }
}
