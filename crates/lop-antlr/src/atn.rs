//! The automaton of the parser rules.
//!
//! Each rule is a graph of states, with calls between them. A rule that begins with itself is rewritten as ANTLR does it: first
//! its other alternatives, then a loop over those that begin with the rule, each with a precedence. The first alternative binds
//! tightest. `e : e '*' e | e '+' e | INT` becomes
//!
//! ```text
//! e[p] : INT ( {3 ≥ p}? '*' e[4] | {2 ≥ p}? '+' e[3] )*
//! ```
//!
//! where `<assoc=right>` calls with the operator's own precedence, and prefix operators, too.

use crate::grammar::{EOF, Grammar, TokenType};
use crate::problem::Problem;
use crate::syntax::{Alternative, Element, Rule, Times, What, is_token};

pub(crate) type StateId = u32;

/// The precedence of a rule; 0 accepts all operators.
pub(crate) type Precedence = u16;

#[derive(Debug)]
pub(crate) enum Edge {
    /// Continues without a token.
    To(StateId),
    /// Continues if the rule was called with at most this precedence.
    If(Precedence, StateId),
    /// Turns the rule's node so far into the first child of a new node of the rule.
    Wrap(StateId),
    /// Takes a token of a set.
    Take(u32, StateId),
    /// Goes through another rule.
    Call { rule: u16, precedence: Precedence, back: StateId },
}

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) edges: Vec<Edge>,
    pub(crate) rule: u16,
    /// Whether it is the end of its rule.
    pub(crate) is_stop: bool,
    /// Whether an edge takes a token.
    pub(crate) takes: bool,
    /// The field of the token or the rule that its edge takes.
    pub(crate) field: u16,
}

/// A set of token types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TokenSet(Vec<u64>);

impl TokenSet {
    pub(crate) fn has(&self, token: TokenType) -> bool {
        let index = usize::from(token);
        self.0.get(index / 64).is_some_and(|bits| bits >> (index % 64) & 1 == 1)
    }

    /// The first of them.
    pub(crate) fn first(&self) -> Option<TokenType> {
        let index = self.0.iter().position(|bits| *bits != 0)?;
        Some((index * 64) as TokenType + self.0[index].trailing_zeros() as TokenType)
    }

    fn none(count: usize) -> TokenSet {
        TokenSet(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, token: TokenType) {
        self.0[usize::from(token) / 64] |= 1 << (token % 64);
    }

    /// Adds another set; returns whether that made a difference.
    fn extend(&mut self, other: &TokenSet) -> bool {
        let mut grows = false;
        for (bits, more) in self.0.iter_mut().zip(&other.0) {
            grows |= *more & !*bits != 0;
            *bits |= more;
        }
        grows
    }

    /// All tokens except these and the end of the text.
    fn negated(&self, count: usize) -> TokenSet {
        let mut rest = TokenSet::none(count);
        (1..count as TokenType)
            .filter(|token| !self.has(*token))
            .for_each(|token| rest.insert(token));
        rest
    }
}

#[derive(Debug)]
pub(crate) struct Atn {
    pub(crate) states: Vec<State>,
    pub(crate) starts: Vec<StateId>,
    pub(crate) stops: Vec<StateId>,
    pub(crate) sets: Vec<TokenSet>,
    /// The states after all calls of each rule, each once.
    pub(crate) followers: Vec<Vec<StateId>>,
    /// The tokens that a state may take next within its rule, and whether the rule may end there.
    pub(crate) first: Vec<TokenSet>,
    pub(crate) may_end: Vec<bool>,
    /// The tokens that may come after each rule, wherever it is called. After a rule that is never called comes the end
    /// of the text.
    pub(crate) follow: Vec<TokenSet>,
    /// The names of the fields; number 0 is no field.
    pub(crate) fields: Vec<String>,
}

impl Atn {
    /// Builds the automaton.
    ///
    /// # Errors
    ///
    /// If rules call each other, or themselves, before they take a token, other than directly.
    pub(crate) fn new(grammar: &Grammar) -> Result<Atn, Vec<Problem>> {
        let count = grammar.rules.len();
        let mut atn = Atn {
            states: Vec::new(),
            starts: Vec::new(),
            stops: Vec::new(),
            sets: Vec::new(),
            followers: vec![Vec::new(); count],
            first: Vec::new(),
            may_end: Vec::new(),
            follow: Vec::new(),
            fields: vec![String::new()],
        };
        for rule in 0..count {
            let (start, stop) = (atn.state(rule), atn.state(rule));
            atn.starts.push(start);
            atn.stops.push(stop);
        }
        for (number, rule) in grammar.rules.iter().enumerate() {
            Builder { atn: &mut atn, grammar, rule, number }.rule();
        }
        atn.shorten();
        atn.analyse(grammar.tokens.names.len());
        let circles = atn.left_recursion(grammar);
        if circles.is_empty() { Ok(atn) } else { Err(circles) }
    }

    fn state(&mut self, rule: usize) -> StateId {
        let (edges, rule) = (Vec::new(), rule as u16);
        self.states.push(State { edges, rule, is_stop: false, takes: false, field: 0 });
        (self.states.len() - 1) as StateId
    }

    fn edge(&mut self, from: StateId, edge: Edge) {
        self.states[from as usize].edges.push(edge);
    }

    fn set(&mut self, set: TokenSet) -> u32 {
        let known = self.sets.iter().position(|known| *known == set);
        known.unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        }) as u32
    }

    fn field(&mut self, name: Option<&str>) -> u16 {
        let Some(name) = name else { return 0 };
        let known = self.fields.iter().position(|known| known == name);
        known
            .unwrap_or_else(|| {
                self.fields.push(name.to_owned());
                self.fields.len() - 1
            })
            .min(u16::MAX.into()) as u16
    }

    /// Leads all edges past the states that only continue to another one: prediction would visit each of them.
    fn shorten(&mut self) {
        let only = |state: &State| match state.edges[..] {
            [Edge::To(to)] => Some(to),
            _ => None,
        };
        let next: Vec<Option<StateId>> = self.states.iter().map(only).collect();
        let last = |from: StateId| {
            let mut at = from;
            // A cycle of such states would be a rule that never ends.
            for _ in 0..next.len() {
                let Some(to) = next[at as usize] else { break };
                at = to;
            }
            at
        };
        for state in &mut self.states {
            for edge in &mut state.edges {
                match edge {
                    Edge::To(to) | Edge::If(_, to) | Edge::Wrap(to) | Edge::Take(_, to) => {
                        *to = last(*to);
                    }
                    Edge::Call { back, .. } => *back = last(*back),
                }
            }
            state.takes = state.edges.iter().any(|edge| matches!(edge, Edge::Take(..)));
        }
        self.starts.iter_mut().for_each(|start| *start = last(*start));
        self.stops.iter().for_each(|stop| self.states[*stop as usize].is_stop = true);
        for followers in &mut self.followers {
            followers.iter_mut().for_each(|state| *state = last(*state));
            followers.sort_unstable();
            followers.dedup();
        }
    }

    /// Finds the first tokens of all states, and those from which a rule may end, by fix-point.
    fn analyse(&mut self, tokens: usize) {
        self.first = vec![TokenSet::none(tokens); self.states.len()];
        self.may_end = vec![false; self.states.len()];
        self.stops.iter().for_each(|stop| self.may_end[*stop as usize] = true);
        let count = self.states.len();
        // Rules that begin with others may be in any order, so sweeps run in both directions: a chain of rules takes a
        // few sweeps, not one for each rule.
        for sweep in 0.. {
            let mut has_changed = false;
            for index in 0..count {
                let state = if sweep % 2 == 0 { count - 1 - index } else { index };
                let (mut first, mut may_end) = (self.first[state].clone(), self.may_end[state]);
                for edge in &self.states[state].edges {
                    match edge {
                        Edge::To(to) | Edge::If(_, to) | Edge::Wrap(to) => {
                            has_changed |= first.extend(&self.first[*to as usize]);
                            may_end |= self.may_end[*to as usize];
                        }
                        Edge::Take(set, _) => {
                            has_changed |= first.extend(&self.sets[*set as usize])
                        }
                        Edge::Call { rule, back, .. } => {
                            let start = self.starts[usize::from(*rule)] as usize;
                            has_changed |= first.extend(&self.first[start]);
                            if self.may_end[start] {
                                has_changed |= first.extend(&self.first[*back as usize]);
                                may_end |= self.may_end[*back as usize];
                            }
                        }
                    }
                }
                has_changed |= may_end != self.may_end[state];
                (self.first[state], self.may_end[state]) = (first, may_end);
            }
            if !has_changed {
                break;
            }
        }
        self.follow = vec![TokenSet::none(tokens); self.followers.len()];
        let count = self.followers.len();
        for sweep in 0.. {
            let mut has_changed = false;
            for index in 0..count {
                let rule = if sweep % 2 == 0 { count - 1 - index } else { index };
                let followers = &self.followers[rule];
                let mut follow = self.follow[rule].clone();
                if followers.is_empty() {
                    has_changed |= !follow.has(EOF);
                    follow.insert(EOF);
                }
                for state in followers.iter().map(|state| *state as usize) {
                    has_changed |= follow.extend(&self.first[state]);
                    if self.may_end[state] {
                        let outer = usize::from(self.states[state].rule);
                        has_changed |= follow.extend(&self.follow[outer]);
                    }
                }
                self.follow[rule] = follow;
            }
            if !has_changed {
                return;
            }
        }
    }

    /// Rules that call themselves before they take a token.
    fn left_recursion(&self, grammar: &Grammar) -> Vec<Problem> {
        let count = self.starts.len();
        let callees: Vec<Vec<usize>> = (0..count).map(|rule| self.leftmost_calls(rule)).collect();
        let mut problems = Vec::new();
        let mut reported = vec![false; count];
        for rule in 0..count {
            // The rules on the path from this rule to itself.
            let mut before: Vec<Option<usize>> = vec![None; count];
            let mut open = vec![rule];
            while let Some(at) = open.pop() {
                for callee in &callees[at] {
                    if before[*callee].is_none() {
                        before[*callee] = Some(at);
                        open.push(*callee);
                    }
                }
            }
            if before[rule].is_none() || reported[rule] {
                continue;
            }
            let mut circle = vec![rule];
            let mut at = before[rule];
            while let Some(outer) = at.filter(|outer| *outer != rule) {
                circle.push(outer);
                at = before[outer];
            }
            circle.iter().for_each(|rule| reported[*rule] = true);
            circle.push(rule);
            circle.reverse();
            let names: Vec<&str> =
                circle.iter().map(|rule| grammar.rules[*rule].name.text.as_str()).collect();
            let message = format!(
                "{} is left-recursive through other rules or behind something optional; only a rule that begins with \
                 itself can be",
                names.join(" → ")
            );
            problems.push(Problem::error(grammar.rules[rule].name.place.clone(), message));
        }
        problems
    }

    /// The rules that a rule may call before it takes a token.
    fn leftmost_calls(&self, rule: usize) -> Vec<usize> {
        let mut seen = vec![false; self.states.len()];
        let mut open = vec![self.starts[rule]];
        let mut calls = Vec::new();
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut seen[state as usize], true) {
                continue;
            }
            for edge in &self.states[state as usize].edges {
                match edge {
                    Edge::To(to) | Edge::If(_, to) | Edge::Wrap(to) => open.push(*to),
                    Edge::Take(..) => {}
                    Edge::Call { rule, back, .. } => {
                        calls.push(usize::from(*rule));
                        if self.may_end[self.starts[usize::from(*rule)] as usize] {
                            open.push(*back);
                        }
                    }
                }
            }
        }
        calls
    }
}

struct Builder<'b> {
    atn: &'b mut Atn,
    grammar: &'b Grammar,
    rule: &'b Rule,
    number: usize,
}

impl Builder<'_> {
    fn rule(&mut self) {
        let (start, stop) = (self.atn.starts[self.number], self.atn.stops[self.number]);
        let alternatives = &self.rule.alternatives;
        if alternatives.iter().any(|alternative| self.begins_with_itself(alternative)) {
            self.left_recursive(start, stop);
        } else {
            self.alternatives(alternatives, start, stop);
        }
    }

    fn is_itself(&self, element: Option<&Element>) -> bool {
        matches!(element.map(|element| &element.what), Some(What::Reference(name)) if *name == self.rule.name.text)
    }

    fn begins_with_itself(&self, alternative: &Alternative) -> bool {
        alternative.elements.len() > 1 && self.is_itself(alternative.elements.first())
    }

    fn left_recursive(&mut self, start: StateId, stop: StateId) {
        let rule = self.rule;
        let hub = self.atn.state(self.number);
        let count = rule.alternatives.len();
        let precedence = |index: usize| (count - index) as Precedence;
        for (index, alternative) in rule.alternatives.iter().enumerate() {
            if self.begins_with_itself(alternative) {
                continue;
            }
            let first = self.atn.state(self.number);
            self.atn.edge(start, Edge::To(first));
            let is_prefix =
                alternative.elements.len() > 1 && self.is_itself(alternative.elements.last());
            self.sequence(&alternative.elements, first, hub, is_prefix.then(|| precedence(index)));
        }
        for (index, alternative) in rule.alternatives.iter().enumerate() {
            if !self.begins_with_itself(alternative) {
                continue;
            }
            let [test, wrapped, back] = std::array::from_fn(|_| self.atn.state(self.number));
            self.atn.edge(hub, Edge::To(test));
            self.atn.edge(test, Edge::If(precedence(index), wrapped));
            let first = self.atn.state(self.number);
            self.atn.edge(wrapped, Edge::Wrap(first));
            let rest = &alternative.elements[1..];
            let own = if alternative.is_right { precedence(index) } else { precedence(index) + 1 };
            let is_binary = self.is_itself(rest.last());
            self.sequence(rest, first, back, is_binary.then_some(own));
            self.atn.edge(back, Edge::To(hub));
        }
        self.atn.edge(hub, Edge::To(stop));
    }

    fn alternatives(&mut self, alternatives: &[Alternative], from: StateId, to: StateId) {
        if let [only] = alternatives {
            return self.sequence(&only.elements, from, to, None);
        }
        for alternative in alternatives {
            let first = self.atn.state(self.number);
            self.atn.edge(from, Edge::To(first));
            self.sequence(&alternative.elements, first, to, None);
        }
    }

    /// Some elements, the last of which calls this rule with a precedence if there is one.
    fn sequence(
        &mut self,
        elements: &[Element],
        from: StateId,
        to: StateId,
        last: Option<Precedence>,
    ) {
        let mut at = from;
        for (index, element) in elements.iter().enumerate() {
            let next = self.atn.state(self.number);
            let precedence = last.filter(|_| index + 1 == elements.len()).unwrap_or(0);
            self.element(element, at, next, precedence);
            at = next;
        }
        self.atn.edge(at, Edge::To(to));
    }

    fn element(&mut self, element: &Element, from: StateId, to: StateId, precedence: Precedence) {
        match &element.what {
            What::Reference(name) if !is_token(name) => {
                let Some(rule) = self.grammar.rule(name) else { return };
                let call = self.taker(element, from);
                self.atn.edge(call, Edge::Call { rule: rule as u16, precedence, back: to });
                self.atn.followers[rule].push(to);
            }
            What::Block(alternatives) => match self.token_set(alternatives) {
                Some(set) => self.take(element, set, from, to),
                None => {
                    let inner = self.atn.state(self.number);
                    self.atn.edge(from, Edge::To(inner));
                    self.alternatives(alternatives, inner, to);
                }
            },
            What::Repeat(inner, times) => self.repeat(inner, *times, from, to),
            _ => {
                let set = self.tokens(element);
                self.take(element, set, from, to);
            }
        }
    }

    /// A state whose only edge takes a token or rule under the element's field.
    fn taker(&mut self, element: &Element, from: StateId) -> StateId {
        let taker = self.atn.state(self.number);
        self.atn.states[taker as usize].field = self.atn.field(element.label.as_deref());
        self.atn.edge(from, Edge::To(taker));
        taker
    }

    fn take(&mut self, element: &Element, set: TokenSet, from: StateId, to: StateId) {
        let taker = self.taker(element, from);
        let set = self.atn.set(set);
        self.atn.edge(taker, Edge::Take(set, to));
    }

    fn repeat(&mut self, inner: &Element, times: Times, from: StateId, to: StateId) {
        let [decision, first, behind] = std::array::from_fn(|_| self.atn.state(self.number));
        self.atn.edge(from, Edge::To(if times.at_least_once { first } else { decision }));
        let order = if times.is_greedy { [first, to] } else { [to, first] };
        order.into_iter().for_each(|state| self.atn.edge(decision, Edge::To(state)));
        self.atn.edge(behind, Edge::To(if times.more_than_once { decision } else { to }));
        self.element(inner, first, behind, 0);
    }

    /// The tokens of a block in which each alternative is one token: ANTLR decides between them by the token itself.
    fn token_set(&self, alternatives: &[Alternative]) -> Option<TokenSet> {
        let mut all = TokenSet::none(self.count());
        for alternative in alternatives {
            let [element] = &alternative.elements[..] else { return None };
            let is_token = match &element.what {
                What::Reference(name) => is_token(name),
                What::Literal(_) => true,
                _ => false,
            };
            if !is_token || alternatives.len() < 2 || element.label.is_some() {
                return None;
            }
            all.extend(&self.tokens(element));
        }
        Some(all)
    }

    fn count(&self) -> usize {
        self.grammar.tokens.names.len()
    }

    /// The tokens that match an element.
    fn tokens(&self, element: &Element) -> TokenSet {
        let mut set = TokenSet::none(self.count());
        match &element.what {
            What::Reference(name) if name == "EOF" => set.insert(EOF),
            What::Reference(name) => {
                if let Some(token) = self.grammar.tokens.named(name) {
                    set.insert(token);
                }
            }
            What::Literal(text) => {
                if let Some(token) = self.grammar.tokens.literal(text) {
                    set.insert(token);
                }
            }
            What::Any => return TokenSet::none(self.count()).negated(self.count()),
            What::Not(elements) => {
                elements.iter().for_each(|element| {
                    set.extend(&self.tokens(element));
                });
                return set.negated(self.count());
            }
            What::Block(alternatives) => {
                for element in alternatives.iter().flat_map(|alternative| &alternative.elements) {
                    set.extend(&self.tokens(element));
                }
            }
            // A set of characters, or a repetition after `~`: no tokens.
            What::Set(_) | What::Repeat(..) => {}
        }
        set
    }
}
