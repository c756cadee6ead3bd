//! Rules as a grammar keeps them: names are numbers, and parts that make no node are left out.
//!
//! [`crate::Rule`] is the form that people and readers of grammars write; `builder.rs` translates it to this one.

use std::sync::Arc;

use regex_syntax::hir::Hir;

use crate::label::{Label, RuleId};

/// A part of a rule.
///
/// Precedence, associativity and field names are not part of it: they determine which tree a parser prefers, not which
/// children a node may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Nothing.
    Blank,
    /// A token that is seen in the tree, by its label: an anonymous `"if"`, or one with an alias.
    Token(Label, Lexeme),
    /// A token without a node: its text is in a gap between its neighbours.
    Invisible(Lexeme),
    /// Another rule. If it is hidden, its children replace it.
    Symbol(RuleId),
    /// Another rule whose node has another label here.
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
    /// The label of its nodes; `None` for hidden rules, which make none: they are replaced by their
    /// parts.
    pub(crate) label: Option<Label>,
    /// Whether it is a token, so its node has no children.
    pub(crate) is_token: bool,
    /// Its least text, if one was set.
    pub(crate) least: Option<String>,
}

/// The properties of a token's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme {
    /// Its regular expression, if that is known.
    pub(crate) expression: Option<Arc<Hir>>,
    /// Its shortest text, if that is known.
    pub(crate) shortest: Option<String>,
    /// Whether it may be empty or white space.
    pub(crate) may_be_blank: bool,
    /// Whether it must follow without a gap.
    pub(crate) immediate: bool,
}
