//! Rules as a grammar keeps them: names are numbers, and what makes no node is gone.
//!
//! [`crate::Rule`] is what people and readers write; `builder.rs` makes these of it.

use crate::label::{Label, RuleId};

/// What a rule is made of.
///
/// Precedence, associativity and field names are not part of it: they say which tree a parser
/// prefers, not which children a node may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Nothing.
    Blank,
    /// A token that is seen in the tree, by its label: an anonymous `"if"`, or one with an alias.
    Token(Label, Lexeme),
    /// A token without a node: its text stands in a gap between its neighbours.
    Invisible(Lexeme),
    /// Another rule. Where it is hidden, its children stand in its place.
    Symbol(RuleId),
    /// Another rule whose node bears another label here.
    Alias(RuleId, Label),
    /// One after the other.
    Seq(Vec<Part>),
    /// One of them.
    Choice(Vec<Part>),
    /// Any number of times.
    Repeat(Box<Part>),
    /// At least once.
    Repeat1(Box<Part>),
}

/// A named rule.
pub(crate) struct Definition {
    pub(crate) name: String,
    /// `None` for tokens that code outside of the grammar recognises.
    pub(crate) body: Option<Part>,
    /// The label of its nodes; `None` for hidden rules, which make none: what they consist of stands
    /// in their place.
    pub(crate) label: Option<Label>,
    /// Whether it is a token, so its node has no children.
    pub(crate) is_token: bool,
}

/// What a token looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme {
    /// The shortest text of it, if that is known.
    pub(crate) shortest: Option<String>,
    /// Whether there is one of it that is empty or white space.
    pub(crate) may_be_blank: bool,
    /// Whether it must follow without a gap.
    pub(crate) immediate: bool,
}
