//! A whole grammar: its rules, its tokens, its names resolved.

use std::collections::{HashMap, HashSet};

use crate::problem::Problem;
use crate::syntax::{Alternative, Element, Rule, What};

/// The number of a token type. 0 is the end of the text.
pub type TokenType = u16;

/// The end of the text, as a token.
pub const EOF: TokenType = 0;

/// The most token types, parser rules or lexer rules: their numbers have two bytes.
pub(crate) const MOST: usize = u16::MAX as usize - 1;

/// A grammar that texts can be parsed with.
#[derive(Debug)]
pub struct Grammar {
    /// Its name, that of its parser.
    pub name: String,
    /// Warnings about it.
    pub warnings: Vec<Problem>,
    /// Its code in a target language, none of which is run.
    pub code: Code,
    pub(crate) rules: Vec<Rule>,
    pub(crate) lexer_rules: Vec<LexerRule>,
    /// The names of the lexer's modes; the first is the default mode.
    pub(crate) modes: Vec<String>,
    pub(crate) tokens: Tokens,
    pub(crate) rule_numbers: HashMap<String, usize>,
}

/// Code in the target language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Code {
    /// The number of actions, which are skipped.
    pub actions: usize,
    /// The number of predicates, which count as true.
    pub predicates: usize,
    /// The class that a lexer or parser extends, if there is one: its methods may change the tokens.
    pub super_class: Option<String>,
}

impl Code {
    /// Whether texts may be parsed differently without that code.
    pub fn matters(&self) -> bool {
        self.predicates > 0 || self.super_class.is_some()
    }
}

#[derive(Debug)]
pub(crate) struct LexerRule {
    pub(crate) name: String,
    /// `None` for a fragment.
    pub(crate) token: Option<TokenType>,
    /// The index of its mode.
    pub(crate) mode: usize,
    pub(crate) is_case_insensitive: bool,
    pub(crate) alternatives: Vec<Alternative>,
}

/// The token types of a grammar.
#[derive(Debug)]
pub(crate) struct Tokens {
    /// By number.
    pub(crate) names: Vec<String>,
    numbers: HashMap<String, TokenType>,
    /// The types of texts in quotes.
    pub(crate) literals: HashMap<String, TokenType>,
    /// The text of each type that has only one.
    pub(crate) texts: HashMap<TokenType, String>,
}

impl Tokens {
    pub(crate) fn new() -> Tokens {
        let mut tokens = Tokens {
            names: Vec::new(),
            numbers: HashMap::new(),
            literals: HashMap::new(),
            texts: HashMap::new(),
        };
        tokens.add("EOF");
        tokens
    }

    pub(crate) fn add(&mut self, name: &str) -> TokenType {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        // The total number is checked at the end.
        let number = self.names.len().min(MOST) as TokenType;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    pub(crate) fn named(&self, name: &str) -> Option<TokenType> {
        self.numbers.get(name).copied()
    }

    pub(crate) fn literal(&self, text: &str) -> Option<TokenType> {
        self.literals.get(text).copied()
    }
}

impl Grammar {
    /// The names of its parser rules, in their order.
    pub fn rule_names(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(|rule| rule.name.text.as_str())
    }

    /// The names of its token types; the first is that of the end of the text.
    pub fn token_names(&self) -> impl Iterator<Item = &str> {
        self.tokens.names.iter().map(String::as_str)
    }

    /// The text of a token type that has only one.
    pub fn text_of(&self, token: TokenType) -> Option<&str> {
        self.tokens.texts.get(&token).map(String::as_str)
    }

    /// The number of a parser rule.
    pub fn rule(&self, name: &str) -> Option<usize> {
        self.rule_numbers.get(name).copied()
    }

    /// Makes all its lexer rules ignore the case of letters.
    pub fn ignore_case(&mut self) {
        self.lexer_rules.iter_mut().for_each(|rule| rule.is_case_insensitive = true);
    }

    /// The number of a mode by its name, or by its number.
    pub(crate) fn mode(&self, name: &str) -> Option<usize> {
        mode(&self.modes, name)
    }

    /// The rule with which a text is parsed by default: the first one that ends with the end of the text and isn't used
    /// by another, else the first that ends so, else the first that isn't used by another, else the first.
    pub fn start(&self) -> Option<usize> {
        let mut used = HashSet::new();
        for rule in &self.rules {
            each_reference(&rule.alternatives, &mut |name, _| {
                if name != rule.name.text {
                    used.insert(name.to_owned());
                }
            });
        }
        let unused =
            || (0..self.rules.len()).filter(|rule| !used.contains(&self.rules[*rule].name.text));
        // `EOF` alone, as in `';' | EOF`, is the end of a statement: something has to come before it.
        let ends = |rule: &usize| {
            self.rules[*rule].alternatives.iter().any(|alternative| {
                matches!(&alternative.elements[..], [_, .., Element { what: What::Reference(name), .. }] if name == "EOF")
            })
        };
        unused()
            .find(ends)
            .or_else(|| (0..self.rules.len()).find(ends))
            .or_else(|| unused().next())
            .or(Some(0).filter(|_| !self.rules.is_empty()))
    }
}

pub(crate) fn mode(modes: &[String], name: &str) -> Option<usize> {
    let number = || name.parse().ok().filter(|number| *number < modes.len());
    modes.iter().position(|mode| mode == name).or_else(number)
}

/// Calls a function with each rule and token that is used, and with its place.
pub(crate) fn each_reference(alternatives: &[Alternative], visit: &mut dyn FnMut(&str, &Element)) {
    let mut open: Vec<&Element> = alternatives.iter().flat_map(|each| &each.elements).collect();
    while let Some(element) = open.pop() {
        match &element.what {
            What::Reference(name) => visit(name, element),
            What::Not(elements) => open.extend(elements),
            What::Block(alternatives) => {
                open.extend(alternatives.iter().flat_map(|each| &each.elements))
            }
            What::Repeat(element, _) => open.push(element),
            What::Literal(_) | What::Set(_) | What::Any => {}
        }
    }
}
