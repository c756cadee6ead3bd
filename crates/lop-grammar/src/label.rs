//! Labels of nodes, and numbers of rules.

use std::collections::HashMap;

use crate::grammar::Error;

/// The label of a node: a name, and whether it is that of a rule or the text of a
/// token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u16);

impl Label {
    /// Text of tokens that have no node.
    pub const TEXT: Label = Label(0);
    /// Text that the parser does not understand.
    pub const ERROR: Label = Label(1);

    /// All possible labels.
    pub(crate) fn all() -> impl Iterator<Item = Label> + use<> {
        (0..u16::MAX).map(Label)
    }
}

/// A rule's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub u16);

impl RuleId {
    /// The number of the rule at an index, if it fits.
    pub(crate) fn new(index: usize) -> Result<RuleId, Error> {
        number(index).map(RuleId).ok_or(Error::TooLarge("rules"))
    }

    /// All numbers that rules can have.
    pub(crate) fn all() -> impl Iterator<Item = RuleId> + use<> {
        (0..u16::MAX).map(RuleId)
    }
}

/// An index as a number of 16 bits. The largest one isn't used, so that the count also fits in 16 bits.
fn number(index: usize) -> Option<u16> {
    u16::try_from(index).ok().filter(|number| *number < u16::MAX)
}

/// The labels of a grammar that is being built.
pub(crate) struct Labels {
    pub(crate) names: Vec<(String, bool)>,
    pub(crate) index: HashMap<(String, bool), Label>,
}

impl Labels {
    pub(crate) fn new() -> Self {
        let mut labels = Labels { names: Vec::new(), index: HashMap::new() };
        // The order of `Label::TEXT` and `Label::ERROR`. No token is empty, so neither name can be
        // that of a label in the grammar.
        for (label, name, named) in [(Label::TEXT, "", false), (Label::ERROR, "ERROR", true)] {
            labels.names.push((name.to_owned(), named));
            labels.index.insert((name.to_owned(), named), label);
        }
        labels
    }

    /// The label with this name, a new one if there is none yet.
    pub(crate) fn intern(&mut self, name: &str, named: bool) -> Result<Label, Error> {
        let key = (name.to_owned(), named);
        if let Some(label) = self.index.get(&key) {
            return Ok(*label);
        }
        let label = number(self.names.len()).map(Label).ok_or(Error::TooLarge("labels"))?;
        self.names.push(key.clone());
        self.index.insert(key, label);
        Ok(label)
    }
}
