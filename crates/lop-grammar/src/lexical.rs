//! The lexical rule of a token: its regular expression as a program, and the texts that it matches.
//!
//! The program is run by backtracking. Each step is tried only once at each place in the text, since the outcome does
//! not depend on the way there. So the work is at most the product of both lengths, whatever the expression, and a
//! product above a limit is refused.

use std::ops::Range;

use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};

use crate::derivation::{Derivation, Mark};
use crate::label::RuleId;
use crate::pattern;

/// The most steps of a program: counted repetitions are written out.
const LARGEST: usize = 20_000;

/// The most work for a text, in steps of the program times bytes of the text.
const WORK: usize = 1 << 23;

/// The lexical rule of a token.
///
/// ```
/// let grammar = lop_grammar::Grammar::parse("numbers", "number = /[0-9]+(\\.[0-9]+)?f?/ ;").unwrap();
/// let number = grammar.label("number", true).unwrap();
/// let rule = &grammar.lexical_rules(number)[0];
/// assert!(rule.matches("1.5f") && !rule.matches("1."));
/// assert_eq!(rule.least(), "0");
/// ```
#[derive(Debug)]
pub struct LexicalRule {
    producer: Option<RuleId>,
    steps: Vec<Step>,
    expressions: Vec<Expression>,
    least: String,
}

/// A part of a regular expression.
#[derive(Debug)]
pub(crate) struct Expression {
    pub(crate) form: Form,
    /// Its steps in the program.
    pub(crate) steps: Range<usize>,
    /// The least text that it matches.
    pub(crate) least: String,
}

#[derive(Debug)]
pub(crate) enum Form {
    /// One character of a class.
    Character(ClassUnicode),
    Literal(String),
    /// One after the other.
    Sequence,
    /// One of them.
    Choice,
    /// From `min` times to `max` times.
    Repetition {
        min: usize,
        max: Option<u32>,
    },
}

#[derive(Debug)]
enum Step {
    /// Reads a character or a literal.
    Read(usize),
    /// Begins a part of the text that an expression matches.
    Open(usize),
    /// Ends it.
    Close,
    /// Continues at the first place; if that fails, at the second one.
    Split(usize, usize),
    Jump(usize),
}

impl LexicalRule {
    /// The rule of an expression; `None` if it is too large, if it matches no text, or if it uses look-around.
    pub(crate) fn new(producer: Option<RuleId>, expression: &Hir) -> Option<LexicalRule> {
        let least = pattern::shortest(expression)?;
        let mut rule = LexicalRule { producer, steps: Vec::new(), expressions: Vec::new(), least };
        rule.compile(expression)?;
        Some(rule)
    }

    /// The rule of the grammar; `None` for a token in the middle of another rule.
    pub fn producer(&self) -> Option<RuleId> {
        self.producer
    }

    /// The least text of the rule.
    pub fn least(&self) -> &str {
        &self.least
    }

    /// Whether a text is a token of the rule. False if that is too much work.
    pub fn matches(&self, text: &str) -> bool {
        self.run(0..self.steps.len(), text).is_some()
    }

    /// The derivation of a text by the rule; `None` if there is none, or if that is too much work.
    pub fn derive<'a>(&'a self, text: &'a str) -> Option<Derivation<'a>> {
        let marks = self.run(0..self.steps.len(), text)?;
        Some(Derivation::new(self, text, &marks))
    }

    pub(crate) fn expression(&self, number: usize) -> &Expression {
        &self.expressions[number]
    }

    /// Whether a part of the rule matches a text.
    pub(crate) fn part_matches(&self, steps: Range<usize>, text: &str) -> bool {
        self.run(steps, text).is_some()
    }

    /// All steps of the program.
    pub(crate) fn steps(&self) -> Range<usize> {
        0..self.steps.len()
    }

    fn compile(&mut self, expression: &Hir) -> Option<()> {
        if self.steps.len() > LARGEST {
            return None;
        }
        match expression.kind() {
            HirKind::Empty => {}
            HirKind::Capture(capture) => self.compile(&capture.sub)?,
            HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => return None,
            HirKind::Class(Class::Unicode(class)) => {
                self.read(expression, Form::Character(class.clone()))?;
            }
            HirKind::Literal(literal) => {
                let text = String::from_utf8(literal.0.to_vec()).ok()?;
                self.read(expression, Form::Literal(text))?;
            }
            HirKind::Concat(parts) => {
                let number = self.open(expression, Form::Sequence)?;
                parts.iter().try_for_each(|part| self.compile(part))?;
                self.close(number);
            }
            HirKind::Alternation(parts) => {
                let number = self.open(expression, Form::Choice)?;
                let mut ends = Vec::new();
                let (last, others) = parts.split_last()?;
                for part in others {
                    let split = self.step(Step::Jump(0));
                    self.compile(part)?;
                    ends.push(self.step(Step::Jump(0)));
                    self.steps[split] = Step::Split(split + 1, self.steps.len());
                }
                self.compile(last)?;
                let end = self.steps.len();
                ends.into_iter().for_each(|jump| self.steps[jump] = Step::Jump(end));
                self.close(number);
            }
            HirKind::Repetition(repetition) => {
                let (min, max) = (repetition.min as usize, repetition.max);
                let number = self.open(expression, Form::Repetition { min, max })?;
                let split = |greedy: bool, again: usize, end: usize| match greedy {
                    true => Step::Split(again, end),
                    false => Step::Split(end, again),
                };
                let mut last = self.steps.len();
                for _ in 0..min {
                    last = self.steps.len();
                    self.compile(&repetition.sub)?;
                }
                match max {
                    // The last required iteration is the loop.
                    None if min > 0 => {
                        let end = self.steps.len() + 1;
                        self.step(split(repetition.greedy, last, end));
                    }
                    None => {
                        let start = self.step(Step::Jump(0));
                        self.compile(&repetition.sub)?;
                        self.step(Step::Jump(start));
                        self.steps[start] = split(repetition.greedy, start + 1, self.steps.len());
                    }
                    Some(max) => {
                        let mut starts = Vec::new();
                        for _ in repetition.min..max {
                            starts.push(self.step(Step::Jump(0)));
                            self.compile(&repetition.sub)?;
                        }
                        let end = self.steps.len();
                        for start in starts {
                            self.steps[start] = split(repetition.greedy, start + 1, end);
                        }
                    }
                }
                self.close(number);
            }
        }
        Some(())
    }

    fn step(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    fn read(&mut self, expression: &Hir, form: Form) -> Option<()> {
        let number = self.add(expression, form)?;
        self.step(Step::Read(number));
        self.expressions[number].steps.end = self.steps.len();
        Some(())
    }

    fn open(&mut self, expression: &Hir, form: Form) -> Option<usize> {
        let number = self.add(expression, form)?;
        self.step(Step::Open(number));
        Some(number)
    }

    fn close(&mut self, number: usize) {
        self.step(Step::Close);
        self.expressions[number].steps.end = self.steps.len();
    }

    fn add(&mut self, expression: &Hir, form: Form) -> Option<usize> {
        let at = self.steps.len();
        let least = pattern::shortest(expression)?;
        self.expressions.push(Expression { form, steps: at..at, least });
        Some(self.expressions.len() - 1)
    }

    /// The marks that some steps set on the way through the whole text.
    fn run(&self, steps: Range<usize>, text: &str) -> Option<Vec<Mark>> {
        let width = steps.len() + 1;
        let states = width.checked_mul(text.len() + 1).filter(|states| *states <= WORK)?;
        let mut tried = vec![0u64; states.div_ceil(64)];
        let mut is_new = |step: usize, at: usize| {
            let state = at * width + step - steps.start;
            let (word, bit) = (&mut tried[state / 64], 1 << (state % 64));
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        };
        let mut marks = Vec::new();
        let mut open = vec![(steps.start, 0, 0)];
        while let Some((mut step, mut at, known)) = open.pop() {
            marks.truncate(known);
            while is_new(step, at) {
                if step == steps.end {
                    if at == text.len() {
                        return Some(marks);
                    }
                    break;
                }
                match &self.steps[step] {
                    Step::Read(number) => {
                        let Some(length) = self.expressions[*number].read(&text[at..]) else {
                            break;
                        };
                        marks.push(Mark::Leaf(*number, at..at + length));
                        at += length;
                        step += 1;
                    }
                    Step::Open(number) => {
                        marks.push(Mark::Open(*number, at));
                        step += 1;
                    }
                    Step::Close => {
                        marks.push(Mark::Close(at));
                        step += 1;
                    }
                    Step::Split(first, second) => {
                        open.push((*second, at, marks.len()));
                        step = *first;
                    }
                    Step::Jump(to) => step = *to,
                }
            }
        }
        None
    }
}

impl Expression {
    /// The length of the character or literal at the beginning of a text.
    fn read(&self, text: &str) -> Option<usize> {
        match &self.form {
            Form::Character(class) => {
                let first = text.chars().next()?;
                has(class, first).then_some(first.len_utf8())
            }
            Form::Literal(literal) => text.starts_with(literal.as_str()).then_some(literal.len()),
            Form::Sequence | Form::Choice | Form::Repetition { .. } => None,
        }
    }
}

/// Whether a class has a character.
pub(crate) fn has(class: &ClassUnicode, character: char) -> bool {
    let ranges = class.ranges();
    let behind = ranges.partition_point(|range| range.end() < character);
    ranges.get(behind).is_some_and(|range| range.start() <= character)
}
