//! A grammar for lop-grammar: which children a node may have, and the least text of each rule and token.
//!
//! Rules are used as they are written: a rule that begins with itself has itself as its first child. A token with only
//! one text is that text; others have the name of their lexer rule, and the least text that it matches.

use std::collections::HashSet;

use lop_grammar::{GrammarBuilder, Rule};

use crate::charset::CharSet;
use crate::grammar::{Grammar, LexerRule};
use crate::syntax::{Alternative, Command, Element, What, is_token};

/// The deepest calls between lexer rules that are followed to find the least text of a token.
const DEEPEST: usize = 30;
/// The longest regular expression of a token: fragments that are used repeatedly multiply.
const LONGEST: usize = 100_000;

impl Grammar {
    /// This grammar as rules.
    ///
    /// # Errors
    ///
    /// If there are more rules or labels than can be numbered.
    pub fn to_rules(&self) -> Result<lop_grammar::Grammar, lop_grammar::Error> {
        let mut builder = GrammarBuilder::new(&self.name);
        for rule in &self.rules {
            builder.rule(&rule.name.text, self.alternatives(&rule.alternatives));
        }
        let mut named = HashSet::new();
        for rule in &self.lexer_rules {
            let Some(token) = rule.token else { continue };
            if self.tokens.texts.contains_key(&token) {
                continue;
            }
            named.insert(rule.name.clone());
            match self.regular_expression(rule) {
                Some(expression) => builder.rule(&rule.name, Rule::pattern(&expression)),
                None => builder.external(&rule.name),
            };
            if is_hidden(rule) {
                builder.extra(Rule::symbol(&rule.name));
            }
        }
        // Tokens without a lexer rule of their name: those of `tokens {…}` and of `-> type(…)`.
        for (token, name) in self.tokens.names.iter().enumerate().skip(1) {
            if !named.contains(name) && !self.tokens.texts.contains_key(&(token as u16)) {
                builder.external(name);
            }
        }
        builder.rule(ANY, self.any_but(&HashSet::new()));
        builder.build()
    }

    fn alternatives(&self, alternatives: &[Alternative]) -> Rule {
        let sequence = |alternative: &Alternative| {
            Rule::seq(alternative.elements.iter().map(|element| self.element(element)))
        };
        Rule::choice(alternatives.iter().map(sequence))
    }

    fn element(&self, element: &Element) -> Rule {
        let rule = match &element.what {
            What::Reference(name) if name == "EOF" => return Rule::Blank,
            What::Reference(name) if is_token(name) => self.token(name),
            What::Reference(name) => Rule::symbol(name),
            What::Literal(text) => Rule::literal(text),
            What::Any => Rule::symbol(ANY),
            What::Not(elements) => {
                let mut names = HashSet::new();
                self.names(elements, &mut names);
                self.any_but(&names)
            }
            What::Set(_) => Rule::Blank,
            What::Block(alternatives) => self.alternatives(alternatives),
            What::Repeat(inner, times) => {
                let inner = self.element(inner);
                match (times.at_least_once, times.more_than_once) {
                    (false, false) => inner.optional(),
                    (false, true) => inner.repeated(),
                    (true, _) => inner.repeated_once(),
                }
            }
        };
        match &element.label {
            Some(label) => rule.field(label),
            None => rule,
        }
    }

    /// A token by its name.
    fn token(&self, name: &str) -> Rule {
        let text = self.tokens.named(name).and_then(|token| self.tokens.texts.get(&token));
        text.map_or_else(|| Rule::symbol(name), |text| Rule::literal(text))
    }

    /// The tokens after `~`, by their names.
    fn names(&self, elements: &[Element], names: &mut HashSet<String>) {
        for element in elements {
            match &element.what {
                What::Reference(name) => {
                    names.insert(name.clone());
                }
                What::Literal(text) => {
                    let token = self.tokens.literal(text);
                    names.extend(token.map(|token| self.tokens.names[usize::from(token)].clone()));
                }
                What::Block(alternatives) => {
                    alternatives.iter().for_each(|each| self.names(&each.elements, names));
                }
                _ => {}
            }
        }
    }

    fn any_but(&self, names: &HashSet<String>) -> Rule {
        let tokens = self.tokens.names.iter().skip(1).filter(|name| !names.contains(*name));
        Rule::choice(tokens.map(|name| self.token(name)))
    }

    /// A lexer rule as a regular expression; `None` if it calls itself.
    fn regular_expression(&self, rule: &LexerRule) -> Option<String> {
        let expression = self.expression(&rule.alternatives, 0)?;
        (expression.len() <= LONGEST).then_some(expression)
    }

    fn expression(&self, alternatives: &[Alternative], depth: usize) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        let sequence = |alternative: &Alternative| -> Option<String> {
            let parts = alternative.elements.iter().map(|each| self.characters(each, depth));
            parts.collect::<Option<Vec<_>>>().map(|parts| parts.concat())
        };
        let all: Option<Vec<String>> = alternatives.iter().map(sequence).collect();
        Some(format!("(?:{})", all?.join("|"))).filter(|expression| expression.len() <= LONGEST)
    }

    fn characters(&self, element: &Element, depth: usize) -> Option<String> {
        Some(match &element.what {
            What::Literal(text) => regex_syntax::escape(text),
            What::Set(set) => set_expression(set),
            What::Any => "(?s:.)".into(),
            What::Not(elements) => {
                let [only] = &elements[..] else { return None };
                let inner = self.characters(only, depth + 1)?;
                let parsed = regex_syntax::Parser::new().parse(&inner).ok()?;
                set_expression(&class_of(&parsed)?.negated())
            }
            What::Reference(name) if name == "EOF" => String::new(),
            What::Reference(name) => {
                let rule = self.lexer_rules.iter().find(|rule| rule.name == *name)?;
                self.expression(&rule.alternatives, depth + 1)?
            }
            What::Block(alternatives) => self.expression(alternatives, depth + 1)?,
            What::Repeat(inner, times) => {
                let inner = self.characters(inner, depth + 1)?;
                let sign = match (times.at_least_once, times.more_than_once) {
                    (false, false) => "?",
                    (false, true) => "*",
                    (true, _) => "+",
                };
                format!("(?:{inner}){sign}")
            }
        })
    }
}

/// The name of the hidden rule for any token.
const ANY: &str = "_any_token";

fn is_hidden(rule: &LexerRule) -> bool {
    let hides = |command: &Command| match command {
        Command::Skip => true,
        Command::Channel(name) => !["DEFAULT_TOKEN_CHANNEL", "0"].contains(&name.as_str()),
        _ => false,
    };
    rule.alternatives.iter().any(|alternative| alternative.commands.iter().any(hides))
}

fn set_expression(set: &CharSet) -> String {
    let range = |(first, last): &(u32, u32)| format!("\\x{{{first:x}}}-\\x{{{last:x}}}");
    // Surrogates aren't characters.
    let valid = set
        .ranges()
        .iter()
        .flat_map(|(first, last)| [(*first, (*last).min(0xD7FF)), ((*first).max(0xE000), *last)]);
    let ranges: Vec<String> =
        valid.filter(|(first, last)| first <= last).map(|each| range(&each)).collect();
    match ranges.is_empty() {
        // Matches nothing: no character is both.
        true => "[a&&b]".into(),
        false => format!("[{}]", ranges.concat()),
    }
}

/// The characters of an expression that matches one character.
fn class_of(expression: &regex_syntax::hir::Hir) -> Option<CharSet> {
    use regex_syntax::hir::{Class, HirKind};
    match expression.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            let ranges = class.iter().map(|range| (range.start().into(), range.end().into()));
            Some(CharSet::of(ranges))
        }
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            let mut characters = text.chars();
            let only = characters.next().filter(|_| characters.next().is_none())?;
            Some(CharSet::one(only))
        }
        HirKind::Alternation(parts) => parts
            .iter()
            .try_fold(Default::default(), |all: CharSet, part| Some(all.with(&class_of(part)?))),
        HirKind::Capture(capture) => class_of(&capture.sub),
        _ => None,
    }
}
