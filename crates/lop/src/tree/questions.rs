//! Questions to a tree: which nodes can be removed, and which can replace others.

use lop_grammar::{Gap, Label, LexicalRule, Model, Quantifier};

use super::arena::{Content, Flags, NodeId};
use super::dialect::Kind;
use super::{Change, Tree};

impl Tree {
    /// Whether the siblings from the first to the last may be removed together.
    pub fn may_cut(&self, first: NodeId, last: NodeId) -> bool {
        self.rule_allows_cut(first, last) && self.is_dispensable(first, last)
    }

    fn rule_allows_cut(&self, first: NodeId, last: NodeId) -> bool {
        let Some(parent) = self.parent(first) else { return false };
        if let Some(model) = self.model(parent) {
            return model.fits(self.before(first), &[], self.after(last));
        }
        match self.node(parent).content() {
            Content::Rule(_) | Content::Overlaid | Content::Opaque => {
                // If no rule applies, usage alone decides.
                let is_known = || self.is_on_an_edge(first) && self.is_familiar(parent);
                first == last && (self.is_extra(first) || is_known())
            }
            Content::Free => true,
            Content::Brackets => {
                first.0 != parent.0 + 1 && self.node(last).next != self.node(parent).next
            }
            Content::Island => false,
        }
    }

    /// Whether a node may be removed alone.
    pub fn is_removable(&self, node: NodeId) -> bool {
        self.may_cut(node, node)
    }

    /// Whether a node of this kind may replace a node.
    pub fn fits(&self, place: NodeId, kind: Kind) -> bool {
        self.fits_all(place, &[kind])
    }

    /// Whether a sequence of nodes, such as a block's statements, may replace a node.
    pub fn fits_sequence(&self, place: NodeId, kinds: impl IntoIterator<Item = Kind>) -> bool {
        self.fits_all(place, &kinds.into_iter().collect::<Vec<_>>())
    }

    fn fits_all(&self, place: NodeId, kinds: &[Kind]) -> bool {
        self.rule_allows(place, kinds) && kinds.iter().all(|kind| self.is_usual(place, *kind))
    }

    fn rule_allows(&self, place: NodeId, kinds: &[Kind]) -> bool {
        let Some(parent) = self.parent(place) else { return false };
        let (dialect, _) = self.dialect(self.kind(parent));
        if dialect.parser().is_frame() {
            return false;
        }
        match self.model(parent) {
            Some(model) if !self.is_extra(place) => {
                let (before, after) = (self.before(place), self.after(place));
                let set = kinds.iter().try_fold(before, |set, kind| {
                    let (other, label) = self.dialect(*kind);
                    if other.grammar().is_extra(label) {
                        return Some(set);
                    }
                    std::ptr::eq(other, dialect).then(|| model.forward(set, label))
                });
                set.is_some_and(|set| model.fits(set, &[], after))
            }
            // Without a rule, only a node of the same kind is known to fit, or one that was seen in such a place.
            Some(_) => kinds == [self.kind(place)],
            None => match kinds {
                [kind] => *kind == self.kind(place) || self.was_seen(place, *kind),
                _ => false,
            },
        }
    }

    /// Whether nodes of two kinds are of one supertype of a grammar, such as statements.
    pub fn have_one_supertype(&self, left: Kind, right: Kind) -> bool {
        let ((dialect, left), (other, right)) = (self.dialect(left), self.dialect(right));
        std::ptr::eq(dialect, other) && dialect.grammar().have_one_supertype(left, right)
    }

    /// The descendants that may replace a node, in pre-order, without plain tokens.
    pub fn hoistable(&self, place: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.descendants(place).filter(move |node| {
            let node_is_smaller = self.range(*node) != self.range(place);
            node_is_smaller
                && !self.is_extra(*node)
                && !self.is_error(*node)
                && self.is_named(*node)
                && self.fits(place, self.kind(*node))
        })
    }

    /// Whether a node is still valid with only these of its children.
    pub fn stands(&self, parent: NodeId, kept: impl IntoIterator<Item = NodeId>) -> bool {
        let kept: Vec<NodeId> = kept.into_iter().collect();
        let is_allowed = match self.model(parent) {
            Some(model) => {
                let kept = kept.iter().filter(|child| !self.is_extra(**child));
                let labels: Vec<Label> = kept.map(|child| self.label(*child)).collect();
                model.fits(Model::START, &labels, Model::START)
            }
            None => {
                self.children(parent).all(|child| self.is_removable(child) || kept.contains(&child))
            }
        };
        is_allowed && self.is_complete(parent, &kept)
    }

    /// The quantifier that makes a node optional or repeated in its parent's rule.
    pub fn quantifier(&self, node: NodeId) -> Quantifier {
        let Some(parent) = self.parent(node) else { return Quantifier::One };
        match self.model(parent) {
            Some(model) if !self.is_extra(node) => {
                let (before, after) = (self.before(node), self.after(node));
                model.quantifier(before, self.label(node), after)
            }
            _ if self.is_removable(node) => Quantifier::Star,
            _ => Quantifier::One,
        }
    }

    /// The lexical rules that may have made a node: for a token, all of its kind; for a node that consists of tokens
    /// without gaps, the rule that it follows. Plain formats accept any text as a token, so their rules don't count.
    pub(crate) fn lexical_rules(&self, node: NodeId) -> Vec<&LexicalRule> {
        let (dialect, label) = self.dialect(self.kind(node));
        if !dialect.parser().is_strict() {
            return Vec::new();
        }
        let rules = dialect.grammar().lexical_rules(label).iter();
        match self.node(node).content() {
            _ if self.is_leaf(node) => rules.collect(),
            Content::Rule(own) => rules.filter(|rule| rule.producer() == Some(own)).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether a change that the model allows can be trusted without parsing the candidate (see
    /// [`Tree::still_parses`]). It cannot if the model accepts too much, if there is an error nearby, or if the parser
    /// would need a line end that isn't there.
    pub fn is_sure(&self, change: &Change) -> bool {
        match change {
            Change::Cut(first, last) => self.is_sure_between(*first, *last, None),
            Change::Keep { place, first, last } => {
                let range = self.range(*place);
                let moves = self.is_indented(*place) && self.text[range].contains(&b'\n');
                first == last
                    && !moves
                    && !self.ends_unseen(*first)
                    && self.is_sure_between(*place, *place, Some(*first))
            }
            // The least text of a kind was tried in only a few places.
            Change::Replace(..) => false,
            // Line ends may be tokens, or the ends of comments.
            Change::Layout(range) => !self.text[range.clone()].contains(&b'\n'),
        }
    }

    /// Whether a node, or the last node in it, ends with an invisible token, such as an
    /// automatic semicolon: in another place, the parser may not assume it.
    fn ends_unseen(&self, node: NodeId) -> bool {
        let mut node = node;
        loop {
            let Some(last) = self.children(node).filter(|child| !self.is_extra(*child)).last()
            else {
                return false;
            };
            let ends = |model: &Model| model.ends_after(self.before(last), self.label(last));
            if self.model(node).is_some_and(|model| !ends(model)) {
                return true;
            }
            node = last;
        }
    }

    fn is_sure_between(&self, first: NodeId, last: NodeId, new: Option<NodeId>) -> bool {
        let Some(parent) = self.parent(first) else { return false };
        let Some(model) = self.model(parent) else {
            return self.is_extra(first) && first == last;
        };
        let (dialect, parent_label) = self.dialect(self.kind(parent));
        let is_near_error = |node: NodeId| self.node(node).flags.has(Flags::NEAR_ERROR);
        if is_near_error(if parent == self.root() { first } else { parent })
            || dialect.parser().is_approximate(parent_label)
            || model.is_approximate()
        {
            return false;
        }
        let step = |node: NodeId, set: u32, step: fn(&Model, u32, Label) -> u32| {
            if self.is_extra(node) { set } else { step(model, set, self.label(node)) }
        };
        let (before, after) = (self.before(first), self.after(last));
        let left = Gap { before, after: step(first, self.after(first), Model::backward) };
        let right = Gap { before: step(last, self.before(last), Model::forward), after };
        model.is_sure(left, new.map(|node| self.label(node)), right)
    }

    /// The content model that accepted a node's children.
    fn model(&self, node: NodeId) -> Option<&Model> {
        let (dialect, label) = self.dialect(self.kind(node));
        match self.node(node).content() {
            Content::Rule(rule) => Some(dialect.grammar().model(rule)),
            Content::Overlaid => dialect.models()?.model(label),
            _ => None,
        }
    }

    /// A node's label in its language.
    pub(in crate::tree) fn label(&self, node: NodeId) -> Label {
        self.dialect(self.kind(node)).1
    }

    /// The states of the parent's model before a node.
    fn before(&self, node: NodeId) -> u32 {
        self.node(node).before.into()
    }

    /// The states of the parent's model from which a node's right siblings are accepted.
    fn after(&self, node: NodeId) -> u32 {
        self.node(node).after.into()
    }

    /// Whether a node is in a language in which indentation makes blocks.
    pub(super) fn is_indented(&self, node: NodeId) -> bool {
        self.dialect(self.kind(node)).0.parser().is_indented()
    }
}
