//! Rules and what they are made of.

use crate::label::{Label, RuleId};

/// What a rule is made of.
///
/// Precedence, associativity and field names are not part of it: they say which tree a parser
/// prefers, not which children a node may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
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
    Seq(Vec<Rule>),
    /// One of them.
    Choice(Vec<Rule>),
    /// Any number of times.
    Repeat(Box<Rule>),
    /// At least once.
    Repeat1(Box<Rule>),
}

/// A named rule.
pub(crate) struct Definition {
    pub(crate) name: String,
    /// `None` for tokens that code outside of the grammar recognises.
    pub(crate) body: Option<Rule>,
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

/// What makes a child optional or repeated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantifier {
    /// Nothing: it stands there once.
    #[default]
    One,
    /// `?`: at most once.
    Optional,
    /// `+`: at least once.
    Plus,
    /// `*`: any number of times.
    Star,
}

impl Quantifier {
    /// Whether there may be several in a row.
    pub fn repeats(self) -> bool {
        matches!(self, Quantifier::Plus | Quantifier::Star)
    }

    /// The sign for people.
    pub fn sign(self) -> &'static str {
        match self {
            Quantifier::One => "",
            Quantifier::Optional => "?",
            Quantifier::Plus => "+",
            Quantifier::Star => "*",
        }
    }
}
