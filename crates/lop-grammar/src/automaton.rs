//! The automaton of a rule: which words over labels the children of its node may spell.
//!
//! Hidden rules are expanded in place. A rule that is used inside itself cannot be: at that place, the automaton enters
//! the copy that is being expanded again. That is exact if the rule is used at its own end or at its own beginning
//! (then it is a loop), and accepts too much otherwise; such automata are marked as approximate.

use crate::label::{Label, RuleId};
use crate::part::{Definition, Part};
use crate::quantifier::Quantifier;

/// An edge that reads a label.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) label: Label,
    pub(crate) to: u32,
    /// The quantifier of its part of the rule.
    pub(crate) quantifier: Quantifier,
}

/// States with edges that read a label, and edges that read nothing.
///
/// Of the latter there are two kinds. Silent ones need nothing in the text. Unseen ones represent a token that may be
/// blank, such as a line end: if the parser saw it, the tree does not show it, and it is unknown whether the parser
/// would see it in another text.
#[derive(Default)]
pub(crate) struct Automaton {
    pub(crate) edges: Vec<Vec<Edge>>,
    pub(crate) silent: Vec<Vec<u32>>,
    pub(crate) unseen: Vec<Vec<u32>>,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Whether it accepts more words than the rule.
    pub(crate) is_approximate: bool,
}

impl Automaton {
    pub(crate) fn of(rules: &[Definition], rule: RuleId) -> Automaton {
        let mut construction = Construction {
            rules,
            automaton: Automaton::default(),
            open: Vec::new(),
            calls: Vec::new(),
        };
        let (start, end) = (construction.state(), construction.state());
        construction.open.push(Open { rule, start, end });
        if let Some(body) = &rules[rule.0 as usize].body {
            construction.build(body, Quantifier::One, start, end);
        }
        let Construction { mut automaton, calls, .. } = construction;
        (automaton.start, automaton.end) = (start, end);
        if !calls.is_empty() {
            // A rule that is used at its own very end or very beginning is a loop.
            let reversed = automaton.reversed();
            automaton.is_approximate = calls.iter().any(|call| {
                !automaton.is_silent(call.after, call.end)
                    && !reversed.is_silent(call.before, call.start)
            });
        }
        automaton
    }

    /// This automaton, read from its end.
    pub(crate) fn reversed(&self) -> Automaton {
        let mut reversed = Automaton {
            edges: vec![Vec::new(); self.edges.len()],
            silent: vec![Vec::new(); self.silent.len()],
            unseen: vec![Vec::new(); self.unseen.len()],
            start: self.end,
            end: self.start,
            is_approximate: self.is_approximate,
        };
        for (from, edges) in (0u32..).zip(&self.edges) {
            for edge in edges {
                reversed.edges[edge.to as usize].push(Edge { to: from, ..*edge });
            }
        }
        for (from, (silent, unseen)) in (0u32..).zip(self.silent.iter().zip(&self.unseen)) {
            silent.iter().for_each(|to| reversed.silent[*to as usize].push(from));
            unseen.iter().for_each(|to| reversed.unseen[*to as usize].push(from));
        }
        reversed
    }

    /// Whether no path from one state to another reads a label.
    fn is_silent(&self, from: u32, to: u32) -> bool {
        let mut seen = vec![false; self.edges.len()];
        let mut pending = vec![from];
        while let Some(state) = pending.pop() {
            if state == to || std::mem::replace(&mut seen[state as usize], true) {
                continue;
            }
            if !self.edges[state as usize].is_empty() {
                return false;
            }
            pending.extend(self.silent[state as usize].iter().chain(&self.unseen[state as usize]));
        }
        true
    }
}

/// A rule that is being expanded.
struct Open {
    rule: RuleId,
    start: u32,
    end: u32,
}

/// A place where an open rule is entered again.
struct Call {
    before: u32,
    after: u32,
    start: u32,
    end: u32,
}

struct Construction<'a> {
    rules: &'a [Definition],
    automaton: Automaton,
    open: Vec<Open>,
    calls: Vec<Call>,
}

impl Construction<'_> {
    fn state(&mut self) -> u32 {
        self.automaton.edges.push(Vec::new());
        self.automaton.silent.push(Vec::new());
        self.automaton.unseen.push(Vec::new());
        self.automaton.edges.len() as u32 - 1
    }

    fn silent(&mut self, from: u32, to: u32) {
        self.automaton.silent[from as usize].push(to);
    }

    fn read(&mut self, label: Label, quantifier: Quantifier, from: u32, to: u32) {
        self.automaton.edges[from as usize].push(Edge { label, to, quantifier });
    }

    /// Adds the edges for `rule` from one state to another.
    fn build(&mut self, rule: &Part, quantifier: Quantifier, from: u32, to: u32) {
        match rule {
            Part::Blank => self.silent(from, to),
            Part::Token(label, _) => self.read(*label, quantifier, from, to),
            Part::Invisible(lexeme) => {
                self.invisible(lexeme.may_be_blank, quantifier, from, to);
            }
            Part::Alias(_, label) => self.read(*label, quantifier, from, to),
            Part::Symbol(rule) => self.symbol(*rule, quantifier, from, to),
            Part::Seq(parts) => {
                let mut at = from;
                for part in parts {
                    let next = self.state();
                    self.build(part, quantifier, at, next);
                    at = next;
                }
                self.silent(at, to);
            }
            Part::Choice(parts) => {
                let optional = parts.contains(&Part::Blank);
                let quantifier = if optional { Quantifier::Optional } else { quantifier };
                for part in parts {
                    // Each part has its own states, so that loops inside do not leak into the others.
                    let (start, end) = (self.state(), self.state());
                    self.silent(from, start);
                    self.silent(end, to);
                    self.build(part, quantifier, start, end);
                }
            }
            Part::Repeat(part) => {
                self.silent(from, to);
                self.repeat(part, Quantifier::Star, from, to);
            }
            Part::Repeat1(part) => self.repeat(part, Quantifier::Plus, from, to),
        }
    }

    fn repeat(&mut self, part: &Part, quantifier: Quantifier, from: u32, to: u32) {
        let (start, end) = (self.state(), self.state());
        self.silent(from, start);
        self.silent(end, to);
        self.silent(end, start);
        self.build(part, quantifier, start, end);
    }

    /// Adds edges for a token without a node: it is seen as text between its neighbours, or often not at all if it may
    /// be blank.
    fn invisible(&mut self, may_be_blank: bool, quantifier: Quantifier, from: u32, to: u32) {
        self.read(Label::TEXT, quantifier, from, to);
        if may_be_blank {
            self.automaton.unseen[from as usize].push(to);
        }
    }

    fn symbol(&mut self, rule: RuleId, quantifier: Quantifier, from: u32, to: u32) {
        let rules = self.rules;
        let definition = &rules[rule.0 as usize];
        if let Some(label) = definition.label {
            return self.read(label, quantifier, from, to);
        }
        let Some(body) = &definition.body else {
            // Line ends, indentation, automatic semicolons: code decides about their text.
            return self.invisible(true, quantifier, from, to);
        };
        if definition.is_token {
            // The tree may show such a token as its own text or not at all.
            self.build(body, quantifier, from, to);
            if let Part::Token(_, lexeme) = body {
                self.invisible(lexeme.may_be_blank, quantifier, from, to);
            }
            return;
        }
        if let Some(open) = self.open.iter().rev().find(|open| open.rule == rule) {
            let (start, end) = (open.start, open.end);
            self.calls.push(Call { before: from, after: to, start, end });
            self.silent(from, start);
            self.silent(end, to);
            return;
        }
        let (start, end) = (self.state(), self.state());
        self.silent(from, start);
        self.silent(end, to);
        self.open.push(Open { rule, start, end });
        self.build(body, quantifier, start, end);
        self.open.pop();
    }
}
