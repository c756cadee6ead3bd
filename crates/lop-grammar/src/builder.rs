//! Builds a grammar from rules as values.
//!
//! Only the nodes that a parser shows matter: hidden rules have none, so they are replaced by their parts; a pattern in
//! the middle of a rule is a token without a node; an alias is passed down to the symbols and tokens it covers, and a
//! repetition below an alias becomes a rule of its own.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::grammar::{Error, Grammar};
use crate::label::{Label, Labels, RuleId};
use crate::part::{Definition, Lexeme, Part};
use crate::pattern;
use crate::rule::Rule;

/// Collects the rules of a grammar.
///
/// ```
/// use lop_grammar::{GrammarBuilder, Rule};
///
/// let mut builder = GrammarBuilder::new("lists");
/// let items = Rule::symbol("_item").repeated();
/// builder.rule("list", Rule::seq([Rule::literal("("), items, Rule::literal(")")]));
/// builder.rule("_item", Rule::choice([Rule::symbol("list"), Rule::symbol("word")]));
/// builder.rule("word", Rule::pattern("[a-z]+"));
/// let grammar = builder.build().unwrap();
/// let list = grammar.label("list", true).unwrap();
/// assert_eq!(grammar.minimal(list), Some("()"));
/// ```
///
/// Rules and labels get their numbers by the names of the rules, so the order in which rules are
/// added does not matter.
#[derive(Clone, Debug)]
pub struct GrammarBuilder {
    name: String,
    rules: BTreeMap<String, Rule>,
    externals: Vec<String>,
    hidden: HashSet<String>,
    supertypes: Vec<String>,
    extras: Vec<Rule>,
}

impl GrammarBuilder {
    /// A grammar without rules.
    pub fn new(name: &str) -> Self {
        GrammarBuilder {
            name: name.to_owned(),
            rules: BTreeMap::new(),
            externals: Vec::new(),
            hidden: HashSet::new(),
            supertypes: Vec::new(),
            extras: Vec::new(),
        }
    }

    /// Adds a rule; replaces one with the same name. A rule whose name begins with `_` is hidden; a rule that is only a
    /// literal, a pattern or a token is a token.
    pub fn rule(&mut self, name: &str, rule: Rule) -> &mut Self {
        self.rules.insert(name.to_owned(), rule);
        self
    }

    /// Adds a token that code outside of the grammar recognises. A rule with the same name takes precedence.
    pub fn external(&mut self, name: &str) -> &mut Self {
        self.externals.push(name.to_owned());
        self
    }

    /// Hides a rule: it makes no node, and is replaced by its parts.
    pub fn hide(&mut self, name: &str) -> &mut Self {
        self.hidden.insert(name.to_owned());
        self
    }

    /// Hides a rule that is a choice of others, which are of one type: see [`Grammar::have_one_supertype`].
    pub fn supertype(&mut self, name: &str) -> &mut Self {
        self.supertypes.push(name.to_owned());
        self.hide(name)
    }

    /// Allows a rule or a token anywhere: comments, white space.
    pub fn extra(&mut self, extra: Rule) -> &mut Self {
        self.extras.push(extra);
        self
    }

    /// Builds the grammar.
    ///
    /// # Errors
    ///
    /// If a rule is used that does not exist, or if there are more rules or labels than can be numbered.
    pub fn build(&self) -> Result<Grammar, Error> {
        let mut resolver = Resolver {
            labels: Labels::new(),
            ids: HashMap::new(),
            fields: HashSet::new(),
            externals: Vec::new(),
            extracted: Vec::new(),
            first_new: self.rules.len(),
        };
        for (index, name) in self.rules.keys().enumerate() {
            resolver.ids.insert(name.clone(), RuleId::new(index)?);
        }
        for name in &self.externals {
            resolver.external(name)?;
        }
        resolver.first_new += resolver.externals.len();
        let mut definitions = Vec::new();
        for (name, rule) in &self.rules {
            let is_hidden = name.starts_with('_') || self.hidden.contains(name);
            definitions.push(resolver.definition(name, rule, is_hidden)?);
        }
        definitions.extend(resolver.externals);
        definitions.extend(resolver.extracted);

        let mut grammar = Grammar::new(self.name.clone(), resolver.labels);
        grammar.fields = resolver.fields;
        let label = |extra: &Rule| match extra {
            Rule::Symbol(name) => grammar.label(name, true),
            _ => None,
        };
        grammar.extras = self.extras.iter().filter_map(label).collect();
        let tokens = self.extras.iter().filter(|extra| extra.is_token());
        grammar.between = tokens.filter_map(Rule::regular_expression).collect();
        let supertypes = self.supertypes.iter().filter_map(|name| resolver.ids.get(name));
        let supertypes: Vec<RuleId> = supertypes.copied().collect();
        Ok(grammar.with_rules(definitions).with_supertypes(&supertypes))
    }
}

/// Gives numbers to names.
struct Resolver {
    labels: Labels,
    ids: HashMap<String, RuleId>,
    fields: HashSet<String>,
    /// Tokens that code outside of the grammar recognises; their numbers follow those of the rules.
    externals: Vec<Definition>,
    /// Repetitions below an alias; their numbers follow.
    extracted: Vec<Definition>,
    first_new: usize,
}

impl Resolver {
    fn external(&mut self, name: &str) -> Result<(), Error> {
        if !self.ids.contains_key(name) {
            let id = RuleId::new(self.first_new + self.externals.len())?;
            self.ids.insert(name.to_owned(), id);
            let label = match name.starts_with('_') {
                true => None,
                false => Some(self.labels.intern(name, true)?),
            };
            let name = name.to_owned();
            self.externals.push(Definition {
                name,
                body: None,
                label,
                is_token: true,
                least: None,
            });
        }
        Ok(())
    }

    fn definition(
        &mut self,
        name: &str,
        rule: &Rule,
        is_hidden: bool,
    ) -> Result<Definition, Error> {
        // Interned before the labels within, since their numbers depend on it.
        let label = if is_hidden { None } else { Some(self.labels.intern(name, true)?) };
        let body = Some(self.part(name, rule, None)?);
        let is_token = rule.is_token();
        Ok(Definition { name: name.to_owned(), body, label, is_token, least: None })
    }

    /// Resolves a part of the rule called `within`.
    fn part(&mut self, within: &str, rule: &Rule, alias: Option<Label>) -> Result<Part, Error> {
        Ok(match rule {
            Rule::Blank => Part::Blank,
            Rule::Literal(_) | Rule::Pattern(_) | Rule::Token(_) | Rule::Immediate(_) => {
                let label = match (alias, rule.text()) {
                    (Some(alias), _) => Some(alias),
                    (None, Some(text)) => Some(self.labels.intern(text, false)?),
                    (None, None) => None,
                };
                let lexeme = lexeme(rule);
                label.map_or(Part::Invisible(lexeme.clone()), |label| Part::Token(label, lexeme))
            }
            Rule::Symbol(name) => {
                let undefined =
                    || Error::Undefined { rule: within.to_owned(), name: name.to_owned() };
                let id = self.ids.get(name).copied().ok_or_else(undefined)?;
                alias.map_or(Part::Symbol(id), |label| Part::Alias(id, label))
            }
            Rule::Seq(rules) => Part::Seq(self.parts(within, rules, alias)?),
            Rule::Choice(rules) => Part::Choice(self.parts(within, rules, alias)?),
            Rule::Repeat(rule) => {
                let body = Part::Repeat(Box::new(self.part(within, rule, None)?));
                self.extracted(within, body, alias)?
            }
            Rule::Repeat1(rule) => {
                let body = Part::Repeat1(Box::new(self.part(within, rule, None)?));
                self.extracted(within, body, alias)?
            }
            Rule::Alias { rule, label, named } => {
                let label = self.labels.intern(label, *named)?;
                self.part(within, rule, Some(label))?
            }
            Rule::Field { name, rule } => {
                self.fields.insert(name.clone());
                self.part(within, rule, alias)?
            }
        })
    }

    fn parts(
        &mut self,
        within: &str,
        rules: &[Rule],
        alias: Option<Label>,
    ) -> Result<Vec<Part>, Error> {
        rules.iter().map(|rule| self.part(within, rule, alias)).collect()
    }

    /// A repetition: itself, or, below an alias, a separate rule.
    fn extracted(&mut self, within: &str, body: Part, alias: Option<Label>) -> Result<Part, Error> {
        let Some(label) = alias else { return Ok(body) };
        let id = RuleId::new(self.first_new + self.extracted.len())?;
        let name = format!("{within}_repeat{}", self.extracted.len());
        let body = Some(body);
        self.extracted.push(Definition { name, body, label: None, is_token: false, least: None });
        Ok(Part::Alias(id, label))
    }
}

fn lexeme(token: &Rule) -> Lexeme {
    let expression = token.regular_expression().and_then(|text| pattern::parse(&text));
    Lexeme {
        shortest: expression.as_ref().and_then(pattern::shortest),
        may_be_blank: expression.as_ref().is_some_and(pattern::may_be_blank),
        immediate: matches!(token, Rule::Immediate(_)),
        expression: expression.map(Arc::new),
    }
}
