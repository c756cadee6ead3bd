//! Rules as text, without labels, actions and options.

use crate::grammar::{Grammar, each_reference};
use crate::syntax::{Alternative, Element, What, is_token};

impl Grammar {
    /// A rule as lop understands it, in the notation of grammars; `None` if there is no such rule.
    pub fn shown(&self, name: &str) -> Option<String> {
        let parser = self.rules.iter().find(|rule| rule.name.text == name);
        let lexer = || self.lexer_rules.iter().find(|rule| rule.name == name);
        let alternatives = match parser {
            Some(rule) => &rule.alternatives,
            None => &lexer()?.alternatives,
        };
        Some(format!("{name} : {} ;", shown(alternatives)))
    }

    /// The rules that begin with themselves.
    pub fn left_recursive(&self) -> impl Iterator<Item = &str> {
        let is_recursive = |name: &str, alternative: &Alternative| {
            let first = alternative.elements.first().map(|element| &element.what);
            matches!(first, Some(What::Reference(first)) if first == name)
        };
        let rules = self.rules.iter().filter(move |rule| {
            rule.alternatives.iter().any(|alternative| is_recursive(&rule.name.text, alternative))
        });
        rules.map(|rule| rule.name.text.as_str())
    }

    /// The rules that no text needs that is parsed with this one.
    pub fn unreachable_from(&self, start: usize) -> Vec<&str> {
        let mut reached = vec![false; self.rules.len()];
        let mut open = vec![start];
        while let Some(rule) = open.pop() {
            if std::mem::replace(&mut reached[rule], true) {
                continue;
            }
            each_reference(&self.rules[rule].alternatives, &mut |name, _| {
                if !is_token(name) {
                    open.extend(self.rule(name));
                }
            });
        }
        let rules = self.rules.iter().zip(reached).filter(|(_, reached)| !reached);
        rules.map(|(rule, _)| rule.name.text.as_str()).collect()
    }
}

fn shown(alternatives: &[Alternative]) -> String {
    let sequence = |alternative: &Alternative| {
        let elements = alternative.elements.iter().map(|element| part(&element.what));
        elements.collect::<Vec<_>>().join(" ")
    };
    alternatives.iter().map(sequence).collect::<Vec<_>>().join(" | ")
}

fn part(what: &What) -> String {
    match what {
        What::Reference(name) => name.clone(),
        What::Literal(text) => format!("'{}'", text.escape_default()),
        What::Set(set) => {
            let character = |code: u32| {
                char::from_u32(code).map_or("?".into(), |c| c.escape_default().to_string())
            };
            let range = |(first, last): &(u32, u32)| match first == last {
                true => character(*first),
                false => format!("{}-{}", character(*first), character(*last)),
            };
            format!("[{}]", set.ranges().iter().map(range).collect::<String>())
        }
        What::Any => ".".into(),
        What::Not(elements) => {
            let elements: Vec<String> =
                elements.iter().map(|element: &Element| part(&element.what)).collect();
            format!("~{}", elements.join(" "))
        }
        What::Block(alternatives) => format!("({})", shown(alternatives)),
        What::Repeat(inner, times) => {
            let sign = match (times.at_least_once, times.more_than_once) {
                (false, false) => "?",
                (false, true) => "*",
                (true, _) => "+",
            };
            format!("{}{sign}{}", part(&inner.what), if times.is_greedy { "" } else { "?" })
        }
    }
}
