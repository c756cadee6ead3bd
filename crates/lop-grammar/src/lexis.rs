//! The lexical rules of a grammar: which labels have one, and its regular expression.
//!
//! Besides rules that are tokens, these are rules that are equivalent to a token: a choice of tokens, and a sequence of
//! tokens of which some follow without a gap. Many grammars write strings in this way, to have a node for each escape
//! sequence. The whole rule must be known: if a scanner recognises a part of it, or if it contains itself, it isn't
//! lexical.

use std::collections::HashSet;

use regex_syntax::hir::{Hir, Repetition};

use crate::label::{Label, RuleId};
use crate::lexical::LexicalRule;
use crate::part::{Definition, Part};

/// The most parts of a lexical rule, with those of the rules that it uses.
const LARGEST: usize = 10_000;
/// The longest chain of rules in which each uses the next one.
const DEEPEST: usize = 100;

/// The lexical rules of a label, of which each matches some of its nodes.
pub(crate) fn of_label(
    rules: &[Definition],
    producers: &[RuleId],
    label: Label,
) -> Vec<LexicalRule> {
    let lexis = Lexis { rules };
    let mut known: Vec<(Option<RuleId>, Hir)> = Vec::new();
    for rule in producers {
        let body =
            lexis.body(*rule).filter(|body| lexis.is_one_token(body) || lexis.has_immediate(body));
        known.extend(body.and_then(|body| Some((Some(*rule), lexis.expression(body)?))));
    }
    // Tokens with their own label in the middle of a rule.
    let mut pending: Vec<&Part> = rules.iter().filter_map(|rule| rule.body.as_ref()).collect();
    while let Some(part) = pending.pop() {
        match part {
            Part::Token(own, lexeme) if *own == label => {
                let expression = lexeme.expression.as_deref();
                let is_new = |new: &&Hir| known.iter().all(|(_, old)| old != *new);
                known.extend(expression.filter(is_new).map(|new| (None, new.clone())));
            }
            Part::Seq(parts) | Part::Choice(parts) => pending.extend(parts),
            Part::Repeat(part) | Part::Repeat1(part) => pending.push(part),
            _ => {}
        }
    }
    known.iter().filter_map(|(rule, expression)| LexicalRule::new(*rule, expression)).collect()
}

struct Lexis<'g> {
    rules: &'g [Definition],
}

impl Lexis<'_> {
    fn definition(&self, rule: RuleId) -> &Definition {
        &self.rules[rule.0 as usize]
    }

    fn body(&self, rule: RuleId) -> Option<&Part> {
        self.definition(rule).body.as_ref()
    }

    /// Whether a part is one token, whatever is chosen.
    fn is_one_token(&self, part: &Part) -> bool {
        let mut seen = HashSet::new();
        let mut pending = vec![part];
        while let Some(part) = pending.pop() {
            match part {
                Part::Token(..) | Part::Invisible(_) => {}
                Part::Choice(parts) => pending.extend(parts),
                Part::Symbol(rule) if self.definition(*rule).label.is_none() => {
                    let Some(body) = self.body(*rule) else { return false };
                    pending.extend(seen.insert(*rule).then_some(body));
                }
                _ => return false,
            }
        }
        true
    }

    /// Whether a token must follow without a gap in a part itself, not in another node.
    fn has_immediate(&self, part: &Part) -> bool {
        // Hidden rules use each other again and again, so each is visited once.
        let mut seen = HashSet::new();
        let mut pending = vec![part];
        while let Some(part) = pending.pop() {
            match part {
                Part::Token(_, lexeme) | Part::Invisible(lexeme) if lexeme.immediate => {
                    return true;
                }
                Part::Seq(parts) | Part::Choice(parts) => pending.extend(parts),
                Part::Repeat(part) | Part::Repeat1(part) => pending.push(part),
                Part::Symbol(rule) | Part::Alias(rule, _) => {
                    let definition = self.definition(*rule);
                    if (definition.is_token || definition.label.is_none()) && seen.insert(*rule) {
                        pending.extend(&definition.body);
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// The regular expression of a part.
    fn expression(&self, part: &Part) -> Option<Hir> {
        let mut left = LARGEST;
        self.build(part, &mut Vec::new(), &mut left)
    }

    fn build(&self, part: &Part, open: &mut Vec<RuleId>, left: &mut usize) -> Option<Hir> {
        *left = left.checked_sub(1)?;
        let repeated = |min: u32, sub: Hir| {
            Hir::repetition(Repetition { min, max: None, greedy: true, sub: Box::new(sub) })
        };
        Some(match part {
            Part::Blank => Hir::empty(),
            Part::Token(_, lexeme) | Part::Invisible(lexeme) => {
                lexeme.expression.as_deref()?.clone()
            }
            Part::Symbol(rule) | Part::Alias(rule, _) => {
                if open.contains(rule) || open.len() == DEEPEST {
                    return None;
                }
                open.push(*rule);
                let expression = self.build(self.body(*rule)?, open, left)?;
                open.pop();
                expression
            }
            Part::Seq(parts) => Hir::concat(self.build_all(parts, open, left)?),
            Part::Choice(parts) => Hir::alternation(self.build_all(parts, open, left)?),
            Part::Repeat(part) => repeated(0, self.build(part, open, left)?),
            Part::Repeat1(part) => repeated(1, self.build(part, open, left)?),
        })
    }

    fn build_all(
        &self,
        parts: &[Part],
        open: &mut Vec<RuleId>,
        left: &mut usize,
    ) -> Option<Vec<Hir>> {
        parts.iter().map(|part| self.build(part, open, left)).collect()
    }
}
