//! A token as a tree: which part of its lexical rule makes which part of its text.
//!
//! The tree shows which parts can be removed or replaced so that the result is a token of the same rule:
//!
//! - the whole token, or an alternative, becomes the least text of its expression, which may be that of another
//!   alternative;
//! - a repetition loses iterations;
//! - a *phrase* loses neighbours, or all items from some place on. A phrase is a part that isn't repeated within the
//!   token, or within one iteration. Its rest may be of another alternative: without its fraction, a decimal number is
//!   an integer. For an iteration that would go too far: an escape sequence without its backslash is a letter. So an
//!   iteration keeps its alternative.

use std::collections::HashSet;
use std::ops::Range;

use crate::lexical::{Form, LexicalRule, has};

/// Of a sequence up to this length, all runs are removed; of a longer one halves, quarters and so on.
const SHORT: usize = 8;

/// A long sequence is cut into this many runs at most. The runs become shorter with it.
const RUNS: usize = 64;

/// How a lexical rule makes a text.
#[derive(Debug)]
pub struct Derivation<'a> {
    rule: &'a LexicalRule,
    text: &'a str,
    /// In pre-order.
    parts: Vec<Part>,
}

/// A part of a text that is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replacement {
    /// The part.
    pub range: Range<usize>,
    /// The text that replaces it.
    pub with: String,
}

/// A part of the text that an expression of the rule matches.
#[derive(Debug)]
struct Part {
    expression: usize,
    range: Range<usize>,
    /// The index after its last descendant.
    next: usize,
}

/// A mark that a step of a rule sets on a text.
#[derive(Debug)]
pub(crate) enum Mark {
    /// An expression begins to match here.
    Open(usize, usize),
    /// The one that began last ends here.
    Close(usize),
    /// A character or a literal.
    Leaf(usize, Range<usize>),
}

impl Replacement {
    /// The text with this part replaced.
    pub fn apply(&self, text: &str) -> String {
        [&text[..self.range.start], &self.with, &text[self.range.end..]].concat()
    }

    /// The number of bytes that the text loses.
    pub fn gain(&self) -> usize {
        self.range.len().saturating_sub(self.with.len())
    }
}

impl<'a> Derivation<'a> {
    pub(crate) fn new(rule: &'a LexicalRule, text: &'a str, marks: &[Mark]) -> Derivation<'a> {
        let mut parts: Vec<Part> = Vec::new();
        let mut open = Vec::new();
        for mark in marks {
            let next = parts.len() + 1;
            match mark {
                Mark::Open(expression, at) => {
                    open.push(parts.len());
                    parts.push(Part { expression: *expression, range: *at..*at, next });
                }
                Mark::Leaf(expression, range) => {
                    parts.push(Part { expression: *expression, range: range.clone(), next });
                }
                Mark::Close(at) => {
                    let closed = open.pop();
                    let end = parts.len();
                    if let Some(part) = closed.and_then(|number: usize| parts.get_mut(number)) {
                        (part.range.end, part.next) = (*at, end);
                    }
                }
            }
        }
        Derivation { rule, text, parts }
    }
}

impl Derivation<'_> {
    /// All replacements that make the text shorter and keep it a token of the same rule; those that remove most come
    /// first.
    pub fn shorter(&self) -> Vec<Replacement> {
        let mut found = Vec::new();
        if !self.parts.is_empty() {
            found.extend(self.least(0));
            self.without_items(0, self.rule.steps(), &mut found);
        }
        for number in 0..self.parts.len() {
            match self.form(number) {
                Form::Choice => found.extend(self.least(number)),
                Form::Repetition { min, .. } => self.without_iterations(number, *min, &mut found),
                Form::Character(_) | Form::Literal(_) | Form::Sequence => {}
            }
        }
        found.sort_by_key(|replacement| std::cmp::Reverse(replacement.gain()));
        let mut seen = HashSet::new();
        found.retain(|it| seen.insert((it.range.clone(), it.with.clone())));
        found
    }

    /// A part replaced by the least text of its expression, if that is shorter. Only a choice has other alternatives;
    /// any other shortening is that of a repetition, whose own iterations are better than the least ones.
    fn least(&self, number: usize) -> Option<Replacement> {
        let part = &self.parts[number];
        let least = &self.rule.expression(part.expression).least;
        let is_shorter = least.len() < part.range.len();
        is_shorter.then(|| Replacement { range: part.range.clone(), with: least.clone() })
    }

    /// The characters that the rule allows to be replaced.
    pub fn simpler(&self, canonical: impl Fn(char) -> char) -> Vec<Replacement> {
        let simpler = |part: &Part| {
            let Form::Character(class) = &self.rule.expression(part.expression).form else {
                return None;
            };
            let old = self.text[part.range.clone()].chars().next()?;
            let new = canonical(old);
            let is_allowed = new != old && has(class, new);
            is_allowed.then(|| Replacement { range: part.range.clone(), with: new.into() })
        };
        self.parts.iter().filter_map(simpler).collect()
    }

    fn form(&self, number: usize) -> &Form {
        &self.rule.expression(self.parts[number].expression).form
    }

    /// A repetition with fewer iterations, and each iteration with fewer items.
    fn without_iterations(&self, number: usize, min: usize, found: &mut Vec<Replacement>) {
        let iterations: Vec<usize> = self.children(number).collect();
        for run in halves(iterations.len()) {
            if iterations.len() - run.len() >= min {
                let range = self.range(&iterations[run]);
                found.push(Replacement { range, with: String::new() });
            }
        }
        for iteration in iterations {
            let is_choice = |number: &usize| matches!(self.form(*number), Form::Choice);
            // A choice has no part if its empty alternative matched.
            let inside = |number: &usize| {
                is_choice(number)
                    .then_some(number + 1)
                    .filter(|next| *next < self.parts[*number].next)
            };
            let chosen = std::iter::successors(Some(iteration), inside).last();
            if let Some(chosen) = chosen.filter(|chosen| !is_choice(chosen)) {
                let steps = self.rule.expression(self.parts[chosen].expression).steps.clone();
                self.without_items(chosen, steps, found);
            }
        }
    }

    /// A phrase with fewer items, if some steps of the rule match the rest.
    fn without_items(&self, phrase: usize, steps: Range<usize>, found: &mut Vec<Replacement>) {
        let all = self.parts[phrase].range.clone();
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut at = phrase;
        while at < self.parts[phrase].next {
            let part = &self.parts[at];
            ranges.push(part.range.start..all.end);
            match self.form(at) {
                Form::Sequence => {
                    let items: Vec<usize> = self.children(at).collect();
                    let is_short = items.len() <= SHORT;
                    let runs = if is_short { every_run(items.len()) } else { halves(items.len()) };
                    ranges.extend(runs.into_iter().map(|run| self.range(&items[run])));
                    at += 1;
                }
                Form::Choice | Form::Repetition { max: Some(1), .. } => at += 1,
                Form::Character(_) | Form::Literal(_) | Form::Repetition { .. } => at = part.next,
            }
        }
        let mut seen = HashSet::new();
        ranges.retain(|range| !range.is_empty() && *range != all && seen.insert(range.clone()));
        for range in ranges {
            let left = [&self.text[all.start..range.start], &self.text[range.end..all.end]];
            if self.rule.part_matches(steps.clone(), &left.concat()) {
                found.push(Replacement { range, with: String::new() });
            }
        }
    }

    /// The non-empty parts directly below a part.
    fn children(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.parts[number].next;
        let first = Some(number + 1).filter(|first| *first < end);
        let next = move |at: &usize| Some(self.parts[*at].next).filter(|next| *next < end);
        let is_empty = |number: &usize| self.parts[*number].range.is_empty();
        std::iter::successors(first, next).filter(move |number| !is_empty(number))
    }

    /// The part of the text from the first to the last of some parts.
    fn range(&self, parts: &[usize]) -> Range<usize> {
        self.parts[parts[0]].range.start..self.parts[parts[parts.len() - 1]].range.end
    }
}

/// All runs of neighbours among n items.
fn every_run(count: usize) -> Vec<Range<usize>> {
    (0..count).flat_map(|start| (start + 1..=count).map(move |end| start..end)).collect()
}

/// Halves of n items, then quarters, and so on, the last one first.
fn halves(count: usize) -> Vec<Range<usize>> {
    let shortest = count.div_ceil(RUNS).max(1);
    let sizes = std::iter::successors(Some(count.div_ceil(2)), |size| Some(size / 2));
    let sizes = sizes.take_while(|size| *size >= shortest);
    let runs = |size| (1..=count).rev().step_by(size).map(move |end| end.saturating_sub(size)..end);
    sizes.flat_map(runs).collect()
}
