//! The automaton of a lexer: one graph of states for each rule, with calls between them.

use std::collections::HashMap;

use crate::charset::CharSet;
use crate::grammar::{Grammar, LexerRule, TokenType};
use crate::syntax::{Alternative, Command, Element, Times, What};

pub(super) type StateId = u32;

/// The end of the text, as a character.
pub(super) const END: u32 = 0x0011_0000;

#[derive(Debug)]
pub(super) enum State {
    /// Continues with any of these, the first before the others. A non-greedy one prefers to leave a loop.
    Split { to: Vec<StateId>, is_greedy: bool },
    /// Takes a character of a set, or the end of the text.
    Take(Set, StateId),
    /// Goes through another rule and returns.
    Call(usize, StateId),
    /// The end of a rule; for a token's rule, also the index of its actions.
    Stop(Option<u32>),
}

#[derive(Debug)]
pub(super) enum Set {
    Characters(CharSet),
    End,
}

impl Set {
    pub(super) fn has(&self, character: u32) -> bool {
        match self {
            Set::Characters(set) => set.has(character),
            Set::End => character == END,
        }
    }
}

/// The actions of a token's rule at its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Actions {
    /// The type of the token.
    pub(super) token: TokenType,
    /// Whether the token is left out.
    pub(super) skip: bool,
    /// Whether the next rule continues the token.
    pub(super) more: bool,
    /// Whether the parser does not see it.
    pub(super) hidden: bool,
    pub(super) modes: Vec<ModeChange>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModeChange {
    To(usize),
    Push(usize),
    Pop,
}

#[derive(Debug, Default)]
pub(super) struct Nfa {
    pub(super) states: Vec<State>,
    /// The first state of each rule.
    pub(super) starts: Vec<StateId>,
    /// The rules of each mode that make tokens, in their order.
    pub(super) modes: Vec<Vec<usize>>,
    pub(super) actions: Vec<Actions>,
}

impl Nfa {
    pub(super) fn new(grammar: &Grammar) -> Nfa {
        let rules = &grammar.lexer_rules;
        let numbers: HashMap<&str, usize> =
            rules.iter().enumerate().map(|(number, rule)| (rule.name.as_str(), number)).collect();
        let mut nfa = Nfa { modes: vec![Vec::new(); grammar.modes.len()], ..Nfa::default() };
        nfa.starts = rules.iter().map(|_| nfa.split(true)).collect();
        for (number, rule) in rules.iter().enumerate() {
            let mut builder = Builder { nfa: &mut nfa, grammar, rule, numbers: &numbers };
            builder.rule(number);
            if rule.token.is_some() {
                nfa.modes[rule.mode].push(number);
            }
        }
        nfa
    }

    fn add(&mut self, state: State) -> StateId {
        self.states.push(state);
        (self.states.len() - 1) as StateId
    }

    fn split(&mut self, is_greedy: bool) -> StateId {
        self.add(State::Split { to: Vec::new(), is_greedy })
    }

    fn link(&mut self, from: StateId, next: StateId) {
        if let State::Split { to, .. } = &mut self.states[from as usize] {
            to.push(next);
        }
    }
}

struct Builder<'b> {
    nfa: &'b mut Nfa,
    grammar: &'b Grammar,
    rule: &'b LexerRule,
    numbers: &'b HashMap<&'b str, usize>,
}

impl Builder<'_> {
    fn rule(&mut self, number: usize) {
        let start = self.nfa.starts[number];
        for alternative in &self.rule.alternatives {
            let action = self.rule.token.map(|token| {
                self.nfa.actions.push(self.actions(token, &alternative.commands));
                (self.nfa.actions.len() - 1) as u32
            });
            let stop = self.nfa.add(State::Stop(action));
            let first = self.sequence(&alternative.elements, stop);
            self.nfa.link(start, first);
        }
    }

    fn actions(&self, token: TokenType, commands: &[Command]) -> Actions {
        let mut actions = Actions { token, ..Actions::default() };
        let mode = |name: &str| self.grammar.mode(name).unwrap_or(0);
        for command in commands {
            match command {
                // The last of these three wins: in ANTLR each of them sets the type.
                Command::Skip => (actions.skip, actions.more) = (true, false),
                Command::More => (actions.skip, actions.more) = (false, true),
                Command::Type(name) => {
                    (actions.skip, actions.more) = (false, false);
                    actions.token = self.grammar.tokens.named(&name.text).unwrap_or(token);
                }
                Command::Channel(name) => {
                    actions.hidden = !["DEFAULT_TOKEN_CHANNEL", "0"].contains(&name.as_str())
                }
                Command::Mode(name) => actions.modes.push(ModeChange::To(mode(&name.text))),
                Command::PushMode(name) => actions.modes.push(ModeChange::Push(mode(&name.text))),
                Command::PopMode => actions.modes.push(ModeChange::Pop),
            }
        }
        actions
    }

    /// The first state of some elements that continue with `next`.
    fn sequence(&mut self, elements: &[Element], next: StateId) -> StateId {
        elements.iter().rev().fold(next, |next, element| self.element(&element.what, next))
    }

    fn element(&mut self, what: &What, next: StateId) -> StateId {
        match what {
            What::Literal(text) => {
                text.chars().rev().fold(next, |next, c| self.take(CharSet::one(c), next))
            }
            What::Set(set) => self.take(set.clone(), next),
            What::Any => self.nfa.add(State::Take(Set::Characters(CharSet::all()), next)),
            What::Not(elements) => {
                let inner = elements.iter().fold(CharSet::default(), |set, each| {
                    set.with(&self.characters(&each.what, 0))
                });
                let set = self.cased(inner).negated();
                self.nfa.add(State::Take(Set::Characters(set), next))
            }
            What::Reference(name) if name == "EOF" => self.nfa.add(State::Take(Set::End, next)),
            What::Reference(name) => match self.numbers.get(name.as_str()) {
                Some(rule) => self.nfa.add(State::Call(*rule, next)),
                None => next,
            },
            What::Block(alternatives) => {
                let start = self.nfa.split(true);
                for alternative in alternatives {
                    let first = self.sequence(&alternative.elements, next);
                    self.nfa.link(start, first);
                }
                start
            }
            What::Repeat(element, times) => self.repeat(element, *times, next),
        }
    }

    fn repeat(&mut self, element: &Element, times: Times, next: StateId) -> StateId {
        let decision = self.nfa.split(times.is_greedy);
        let behind = if times.more_than_once { decision } else { next };
        let first = self.element(&element.what, behind);
        let order = if times.is_greedy { [first, next] } else { [next, first] };
        order.into_iter().for_each(|state| self.nfa.link(decision, state));
        if times.at_least_once { first } else { decision }
    }

    fn take(&mut self, set: CharSet, next: StateId) -> StateId {
        let set = self.cased(set);
        self.nfa.add(State::Take(Set::Characters(set), next))
    }

    fn cased(&self, set: CharSet) -> CharSet {
        if self.rule.is_case_insensitive { set.case_insensitive() } else { set }
    }

    /// The characters of an element after `~`.
    fn characters(&self, what: &What, depth: usize) -> CharSet {
        let all = |alternatives: &[Alternative]| {
            let elements = alternatives.iter().flat_map(|each| &each.elements);
            elements.fold(CharSet::default(), |set, each| {
                set.with(&self.characters(&each.what, depth + 1))
            })
        };
        match what {
            // A rule that uses itself has no set of characters.
            _ if depth > 50 => CharSet::default(),
            What::Literal(text) => CharSet::of(text.chars().map(|c| (c.into(), c.into()))),
            What::Set(set) => set.clone(),
            What::Any => CharSet::all(),
            What::Not(elements) => {
                let sets = elements.iter().map(|each| self.characters(&each.what, depth + 1));
                sets.fold(CharSet::default(), |all, set| all.with(&set)).negated()
            }
            What::Block(alternatives) => all(alternatives),
            What::Repeat(element, _) => self.characters(&element.what, depth + 1),
            What::Reference(name) => {
                self.numbers.get(name.as_str()).map_or(CharSet::default(), |rule| {
                    all(&self.grammar.lexer_rules[*rule].alternatives)
                })
            }
        }
    }
}
