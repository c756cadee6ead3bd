//! Surroundings of a place, which decide the kinds that fit there.

use super::arena::Content;
use super::{Field, Kind, NodeId, Tree};

/// The surroundings that decide which kinds fit in a place: the parent's kind, its model, and the model's states before
/// and after the place; without a model, or for a node that no model covers, such as a comment, the kind of the node
/// itself; with usage, also the field and the kind of the node.
pub(super) type Surroundings = (Kind, Result<Content, Kind>, u16, u16, Option<(Field, Kind)>);

impl Tree {
    /// The surroundings of a node; the root has none.
    pub(super) fn surroundings(&self, node: NodeId) -> Option<Surroundings> {
        let parent = self.parent(node)?;
        let model = match self.node(parent).content() {
            model @ (Content::Rule(_) | Content::Overlaid) if !self.is_extra(node) => Ok(model),
            _ => Err(self.kind(node)),
        };
        let (dialect, _) = self.dialect(self.kind(parent));
        let usual = dialect.usage().map(|_| (self.node(node).field, self.kind(node)));
        Some((self.kind(parent), model, self.node(node).before, self.node(node).after, usual))
    }

    /// The kinds that may replace a node.
    pub(super) fn fitting(&self, node: NodeId) -> Vec<Kind> {
        let Some(parent) = self.parent(node) else { return Vec::new() };
        let (dialect, _) = self.dialect(self.kind(parent));
        let grammar = dialect.grammar();
        let named =
            grammar.labels().filter(|label| grammar.is_named(*label) && !grammar.is_extra(*label));
        named.map(|label| dialect.kind(label)).filter(|kind| self.fits(node, *kind)).collect()
    }
}
