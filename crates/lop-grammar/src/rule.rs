//! Rules as values, from which a grammar is built.

/// The body of a rule. It refers to other rules by name, so rules can be written in any order.
///
/// ```
/// use lop_grammar::Rule;
///
/// // "(" (item ("," item)*)? ")"
/// let item = || Rule::symbol("item");
/// let more = Rule::seq([Rule::literal(","), item()]).repeated();
/// let items = Rule::seq([item(), more]).optional();
/// let list = Rule::seq([Rule::literal("("), items, Rule::literal(")")]);
/// assert!(matches!(list, Rule::Seq(parts) if parts.len() == 3));
/// ```
///
/// Precedence and associativity are not part of it: they determine which tree a parser prefers, not which children a
/// node may have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// Nothing.
    Blank,
    /// A token with one text. Its label is that text.
    Literal(String),
    /// A token, as a regular expression. It has no node, unless it is a rule by itself.
    Pattern(String),
    /// Everything within is one token.
    Token(Box<Rule>),
    /// Everything within is one token, with no gap before it.
    Immediate(Box<Rule>),
    /// Another rule, by its name.
    Symbol(String),
    /// One after the other.
    Seq(Vec<Rule>),
    /// One of them.
    Choice(Vec<Rule>),
    /// Any number of times.
    Repeat(Box<Rule>),
    /// At least once.
    Repeat1(Box<Rule>),
    /// The nodes and tokens within have another label.
    Alias {
        /// The rule whose nodes get the label.
        rule: Box<Rule>,
        /// The label.
        label: String,
        /// Whether the label is a name, not the text of a token.
        named: bool,
    },
    /// The nodes within are in a field.
    Field {
        /// The name of the field.
        name: String,
        /// The rule whose nodes are in it.
        rule: Box<Rule>,
    },
}

impl Rule {
    /// A token with one text.
    pub fn literal(text: &str) -> Rule {
        Rule::Literal(text.to_owned())
    }

    /// A token, as a regular expression.
    pub fn pattern(expression: &str) -> Rule {
        Rule::Pattern(expression.to_owned())
    }

    /// Another rule, by its name.
    pub fn symbol(name: &str) -> Rule {
        Rule::Symbol(name.to_owned())
    }

    /// A sequence of parts. A single part is returned as it is; no parts give [`Rule::Blank`].
    pub fn seq(parts: impl IntoIterator<Item = Rule>) -> Rule {
        let mut parts: Vec<Rule> = parts.into_iter().collect();
        match parts.len() {
            0 => Rule::Blank,
            1 => parts.remove(0),
            _ => Rule::Seq(parts),
        }
    }

    /// One of several parts. A single part is returned as it is.
    pub fn choice(parts: impl IntoIterator<Item = Rule>) -> Rule {
        let mut parts: Vec<Rule> = parts.into_iter().collect();
        if parts.len() == 1 { parts.remove(0) } else { Rule::Choice(parts) }
    }

    /// This or nothing.
    pub fn optional(self) -> Rule {
        Rule::Choice(vec![self, Rule::Blank])
    }

    /// This any number of times.
    pub fn repeated(self) -> Rule {
        Rule::Repeat(Box::new(self))
    }

    /// This at least once.
    pub fn repeated_once(self) -> Rule {
        Rule::Repeat1(Box::new(self))
    }

    /// All of this as one token.
    pub fn token(self) -> Rule {
        Rule::Token(Box::new(self))
    }

    /// This in a field.
    pub fn field(self, name: &str) -> Rule {
        Rule::Field { name: name.to_owned(), rule: Box::new(self) }
    }

    /// This with another label. `named` tells whether the label is a name, not the text of a token.
    pub fn alias(self, label: &str, named: bool) -> Rule {
        Rule::Alias { rule: Box::new(self), label: label.to_owned(), named }
    }

    /// Whether this is only a token.
    pub(crate) fn is_token(&self) -> bool {
        match self {
            Rule::Literal(_) | Rule::Pattern(_) | Rule::Token(_) | Rule::Immediate(_) => true,
            Rule::Field { rule, .. } => rule.is_token(),
            _ => false,
        }
    }

    /// The text of a token that has only one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Rule::Literal(text) => Some(text),
            Rule::Token(rule) | Rule::Immediate(rule) | Rule::Field { rule, .. } => rule.text(),
            _ => None,
        }
    }

    /// The regular expression of a token. `None` if there are other rules in it.
    pub(crate) fn regular_expression(&self) -> Option<String> {
        let all = |parts: &[Rule]| -> Option<Vec<String>> {
            parts.iter().map(Rule::regular_expression).collect()
        };
        Some(match self {
            Rule::Blank => String::new(),
            Rule::Literal(text) => regex_syntax::escape(text),
            Rule::Pattern(expression) => format!("(?:{expression})"),
            Rule::Seq(parts) => all(parts)?.concat(),
            Rule::Choice(parts) => format!("(?:{})", all(parts)?.join("|")),
            Rule::Repeat(rule) => format!("(?:{})*", rule.regular_expression()?),
            Rule::Repeat1(rule) => format!("(?:{})+", rule.regular_expression()?),
            Rule::Token(rule)
            | Rule::Immediate(rule)
            | Rule::Alias { rule, .. }
            | Rule::Field { rule, .. } => rule.regular_expression()?,
            Rule::Symbol(_) => return None,
        })
    }
}
