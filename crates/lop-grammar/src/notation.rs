//! A short notation for small grammars.
//!
//! ```text
//! grammar = { name ( "=" | "~" ) choice ";" }
//! choice  = sequence { "|" sequence }
//! sequence = { part [ "?" | "*" | "+" ] }
//! part    = name | "literal" | /regular expression/ | "(" choice ")"
//! ```
//!
//! As with tree-sitter, a rule whose name begins with `_` is hidden, and a rule that is only a literal or a regular
//! expression is a token. A rule written with `~` is allowed anywhere. In literals and regular expressions, a backslash
//! keeps the character after it from ending them.

use crate::builder::GrammarBuilder;
use crate::grammar::{Error, Grammar};
use crate::rule::Rule;

impl Grammar {
    /// Reads a grammar in the short notation.
    ///
    /// ```
    /// let grammar = lop_grammar::Grammar::parse("lists", r#"
    ///     list  = "(" _item* ")" ;
    ///     _item = list | word ;
    ///     word  = /[a-z]+/ ;
    /// "#).unwrap();
    /// let list = grammar.label("list", true).unwrap();
    /// assert_eq!(grammar.minimal(list), Some("()"));
    /// ```
    pub fn parse(name: &str, notation: &str) -> Result<Grammar, Error> {
        let mut reader = Reader { rest: notation };
        let mut builder = GrammarBuilder::new(name);
        while !reader.peek("") {
            let rule = reader.name()?;
            if reader.takes("~") {
                builder.extra(Rule::symbol(rule));
            } else {
                reader.expect("=")?;
            }
            let body = reader.choice()?;
            reader.expect(";")?;
            builder.rule(rule, body);
        }
        builder.build()
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn choice(&mut self) -> Result<Rule, Error> {
        let mut members = vec![self.sequence()?];
        while self.takes("|") {
            members.push(self.sequence()?);
        }
        Ok(Rule::choice(members))
    }

    fn sequence(&mut self) -> Result<Rule, Error> {
        let mut members = Vec::new();
        while !["|", ")", ";", ""].iter().any(|end| self.peek(end)) {
            members.push(self.repeated()?);
        }
        Ok(Rule::seq(members))
    }

    fn repeated(&mut self) -> Result<Rule, Error> {
        let part = self.part()?;
        Ok(if self.takes("?") {
            part.optional()
        } else if self.takes("*") {
            part.repeated()
        } else if self.takes("+") {
            part.repeated_once()
        } else {
            part
        })
    }

    fn part(&mut self) -> Result<Rule, Error> {
        if self.takes("(") {
            let inner = self.choice()?;
            self.expect(")")?;
            Ok(inner)
        } else if self.takes("\"") {
            Ok(Rule::literal(self.up_to('"')?))
        } else if self.takes("/") {
            Ok(Rule::pattern(self.up_to('/')?))
        } else {
            Ok(Rule::symbol(self.name()?))
        }
    }

    fn name(&mut self) -> Result<&'a str, Error> {
        let rest = self.rest.trim_start();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(length);
        if name.is_empty() {
            return self.wrong("a name");
        }
        self.rest = rest;
        Ok(name)
    }

    fn up_to(&mut self, end: char) -> Result<&'a str, Error> {
        let mut escaped = false;
        let closing = self.rest.find(|c: char| {
            let closes = c == end && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        });
        match closing {
            Some(closing) => {
                let text = &self.rest[..closing];
                self.rest = &self.rest[closing + 1..];
                Ok(text)
            }
            None => self.wrong(&format!("a closing {end}")),
        }
    }

    /// Whether this comes next; the empty word means the end.
    fn peek(&self, word: &str) -> bool {
        let rest = self.rest.trim_start();
        if word.is_empty() { rest.is_empty() } else { rest.starts_with(word) }
    }

    fn takes(&mut self, word: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, word: &str) -> Result<(), Error> {
        if self.takes(word) { Ok(()) } else { self.wrong(&format!("`{word}`")) }
    }

    fn wrong<T>(&self, expected: &str) -> Result<T, Error> {
        let found: String = self.rest.trim_start().chars().take(20).collect();
        Err(Error::Notation { expected: expected.to_owned(), found })
    }
}
