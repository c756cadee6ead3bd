//! Labels of nodes, and numbers of rules.

use std::collections::HashMap;

/// What a node is called in the tree: a name, and whether it is that of a rule or the text of a
/// token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u16);

impl Label {
    /// Text of tokens that have no node.
    pub const TEXT: Label = Label(0);
    /// What the parser could make no sense of.
    pub const ERROR: Label = Label(1);
}

/// A rule's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u16);

/// Labels while a grammar is read.
pub(crate) struct Labels {
    pub(crate) names: Vec<(String, bool)>,
    pub(crate) index: HashMap<(String, bool), Label>,
}

impl Labels {
    pub(crate) fn new() -> Self {
        let mut labels = Labels { names: Vec::new(), index: HashMap::new() };
        // The order of `Label::TEXT` and `Label::ERROR`. No token is empty, so neither name can be
        // that of a label in the grammar.
        labels.intern("", false);
        labels.intern("ERROR", true);
        labels
    }

    pub(crate) fn intern(&mut self, name: &str, named: bool) -> Label {
        let key = (name.to_owned(), named);
        if let Some(label) = self.index.get(&key) {
            return *label;
        }
        let label = Label(self.names.len() as u16);
        self.names.push(key.clone());
        self.index.insert(key, label);
        label
    }
}
