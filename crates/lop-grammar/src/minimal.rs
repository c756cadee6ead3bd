//! Φ: the least text of each rule, by fix-point.
//!
//! A rule's text consists of those of its parts: for a choice the shortest, for a repetition none or one. At first no
//! text is known; each round over the rules can only make texts known or shorter, so the rounds come to an end. A text
//! that was set stays. Tokens that code outside of the grammar recognises have no known text, except for line ends and
//! indentation, which are recognised by their names; so some rules have no least text, and need an instance from a real
//! text.

use std::cmp::Ordering;

use crate::label::RuleId;
use crate::part::{Definition, Part};

/// The least text of each label: the shortest of those of its producers.
pub(crate) fn of_labels(rules: &[Definition], producers: &[Vec<RuleId>]) -> Vec<Option<String>> {
    let known = of_rules(rules);
    let mut texts: Vec<Option<String>> = producers
        .iter()
        .map(|producers| {
            let texts = producers.iter().filter_map(|rule| known[rule.0 as usize].as_ref());
            texts.map(|text| text.text.clone()).min_by(|left, right| shortlex(left, right))
        })
        .collect();
    // Tokens with their own label in the middle of a rule.
    let bodies = rules.iter().filter_map(|rule| rule.body.as_ref());
    let mut pending: Vec<&Part> = bodies.collect();
    while let Some(rule) = pending.pop() {
        match rule {
            Part::Token(label, lexeme) => {
                if let Some(text) = &lexeme.shortest {
                    let known = &mut texts[label.0 as usize];
                    if known.as_ref().is_none_or(|known| shortlex(text, known).is_lt()) {
                        *known = Some(text.clone());
                    }
                }
            }
            Part::Seq(parts) | Part::Choice(parts) => pending.extend(parts),
            Part::Repeat(part) | Part::Repeat1(part) => pending.push(part),
            Part::Blank | Part::Invisible(_) | Part::Symbol(_) | Part::Alias(..) => {}
        }
    }
    texts
}

/// A text, and whether its first token must follow without a gap.
#[derive(Clone, Debug, Default)]
struct Minimal {
    text: String,
    immediate: bool,
}

fn of_rules(rules: &[Definition]) -> Vec<Option<Minimal>> {
    let external = |name: &str| {
        let known = ["newline", "line_end", "eol", "semicolon", "terminator"];
        // The texts at the start and the end of a string or a comment are unknown.
        let empty = ["indent", "dedent", "layout", "implicit"];
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        match name.starts_with('_') {
            true if has(&known) => Some("\n"),
            true if has(&empty) || name == "_start" => Some(""),
            _ => None,
        }
    };
    let mut texts: Vec<Option<Minimal>> = rules
        .iter()
        .map(|rule| {
            let outside = || external(&rule.name).filter(|_| rule.body.is_none());
            let text = rule.least.as_deref().or_else(outside)?;
            Some(Minimal { text: text.to_owned(), immediate: false })
        })
        .collect();
    loop {
        let mut changed = false;
        for (index, rule) in rules.iter().enumerate() {
            let Some(body) = rule.body.as_ref().filter(|_| rule.least.is_none()) else { continue };
            let Some(found) = evaluate(body, &texts) else { continue };
            if texts[index].as_ref().is_none_or(|known| shortlex(&found.text, &known.text).is_lt())
            {
                texts[index] = Some(found);
                changed = true;
            }
        }
        if !changed {
            return texts;
        }
    }
}

fn evaluate(rule: &Part, known: &[Option<Minimal>]) -> Option<Minimal> {
    match rule {
        Part::Blank | Part::Repeat(_) => Some(Minimal::default()),
        Part::Token(_, lexeme) | Part::Invisible(lexeme) => {
            Some(Minimal { text: lexeme.shortest.clone()?, immediate: lexeme.immediate })
        }
        Part::Symbol(rule) | Part::Alias(rule, _) => known[rule.0 as usize].clone(),
        Part::Seq(parts) => {
            let mut whole = Minimal::default();
            for part in parts {
                let part = evaluate(part, known)?;
                if whole.text.is_empty() {
                    whole = part;
                } else {
                    if !part.immediate && would_glue(&whole.text, &part.text) {
                        whole.text.push(' ');
                    }
                    whole.text.push_str(&part.text);
                }
            }
            Some(whole)
        }
        Part::Choice(parts) => {
            let texts = parts.iter().filter_map(|part| evaluate(part, known));
            texts.min_by(|left, right| shortlex(&left.text, &right.text))
        }
        Part::Repeat1(part) => evaluate(part, known),
    }
}

/// The order of texts: shorter ones first, then alphabetical, so that it is total.
fn shortlex(left: &str, right: &str) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| left.cmp(right))
}

pub(crate) fn would_glue(left: &str, right: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    left.ends_with(is_word) && right.starts_with(is_word)
}
