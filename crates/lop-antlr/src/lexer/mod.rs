//! The lexer: the longest match, and of equal ones the first rule.
//!
//! It runs ANTLR's algorithm (`LexerATNSimulator`): a set of configurations, each a state of the automaton with the
//! calls that it is in, follows all rules of the mode at the same time. Their order is that of the grammar. Once a rule
//! has reached its end, later configurations of the same rule that passed a non-greedy loop are dropped, so `.*?` stops
//! as soon as it can. Sets of configurations are the states of a DFA, which is built on demand.

mod nfa;

use std::collections::HashMap;

use crate::grammar::{EOF, Grammar, TokenType};

use nfa::{Actions, END, ModeChange, Nfa, State, StateId};

/// A token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Token {
    /// Its type.
    pub kind: TokenType,
    /// Where it begins, in bytes.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// Whether the parser does not see it: it was skipped, or put on another channel.
    pub is_hidden: bool,
}

/// The type of text that no rule matches.
pub const INVALID: TokenType = TokenType::MAX;

/// The most states of the DFA of all modes; with more, it is built anew. Only recursive rules need many.
const MOST_STATES: usize = 20_000;
/// The most calls that a configuration is in: comments within comments.
const DEEPEST: u32 = 10_000;

/// A compiled lexer.
#[derive(Debug)]
pub(crate) struct Lexer {
    nfa: Nfa,
}

/// The calls that a configuration is in, as a number in [`Cache::calls`]; 0 is none.
type Calls = u32;

/// A state, the calls that it is in, the rule, and whether a non-greedy loop was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Config {
    state: StateId,
    calls: Calls,
    rule: u32,
    is_lazy: bool,
}

/// The lexer's knowledge about texts so far. Only one thread can use it at a time.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    modes: Vec<Mode>,
    states: usize,
    /// The innermost return state, the calls around it, and how many there are.
    calls: Vec<(StateId, Calls, u32)>,
    call_numbers: HashMap<(StateId, Calls), Calls>,
}

/// The DFA of a mode. The first state is the start.
#[derive(Debug, Default)]
struct Mode {
    states: Vec<DfaState>,
    numbers: HashMap<Box<[Config]>, u32>,
}

#[derive(Debug)]
struct DfaState {
    configs: Box<[Config]>,
    /// The action if the match ends here.
    accepts: Option<u32>,
    /// The next states for ASCII; [`UNKNOWN`] or [`NONE`] or a number.
    ascii: Box<[u32; 128]>,
    others: HashMap<u32, u32>,
}

const UNKNOWN: u32 = u32::MAX;
const NONE: u32 = u32::MAX - 1;

impl Lexer {
    /// Compiles the lexer of a grammar.
    pub(crate) fn new(grammar: &Grammar) -> Lexer {
        Lexer { nfa: Nfa::new(grammar) }
    }

    /// The tokens of a text, all of its bytes. Bytes that no rule matches are [`INVALID`] tokens.
    pub(crate) fn run(&self, text: &[u8], cache: &mut Cache) -> Vec<Token> {
        let mut tokens: Vec<Token> = Vec::new();
        let (mut mode, mut stack) = (0, Vec::new());
        let (mut at, mut start) = (0, 0);
        // Empty matches in one place may change the mode, but not for ever.
        let (mut empty_at, mut empties) = (0, 0);
        while at < text.len() {
            let must_move = empty_at == at && empties > self.nfa.modes.len();
            let found = self.longest(text, at, mode, must_move, cache);
            let Some((end, action)) = found else {
                let (_, width) = decode(text, at);
                // The byte order mark of a file belongs to its encoding.
                if at == 0 && text.starts_with("\u{feff}".as_bytes()) {
                    push_unseen(&mut tokens, 0, width as u32);
                    (at, start) = (width, width);
                    continue;
                }
                // A token that `more` began is also lost.
                push_invalid(&mut tokens, start as u32, (at + width) as u32);
                at += width;
                start = at;
                continue;
            };
            if end == at {
                empties = if empty_at == at { empties + 1 } else { 1 };
                empty_at = at;
            }
            at = end;
            let actions = &self.nfa.actions[action as usize];
            for change in &actions.modes {
                match change {
                    ModeChange::To(next) => mode = *next,
                    ModeChange::Push(next) => {
                        stack.push(mode);
                        mode = *next;
                    }
                    ModeChange::Pop => mode = stack.pop().unwrap_or(mode),
                }
            }
            if actions.more {
                continue;
            }
            push(&mut tokens, actions, start as u32, at as u32);
            start = at;
        }
        // At the end of a text, ANTLR asks for a token only if the text is empty, or `more` has begun one. If no rule
        // matches there, the text ends, and the begun token is dropped.
        if start < at || text.is_empty() {
            match self.longest(text, at, mode, false, cache) {
                Some((_, action)) => {
                    push(&mut tokens, &self.nfa.actions[action as usize], start as u32, at as u32)
                }
                None => push_unseen(&mut tokens, start as u32, at as u32),
            }
        }
        tokens
    }

    /// The end of the longest match, and the action there.
    fn longest(
        &self,
        text: &[u8],
        from: usize,
        mode: usize,
        must_move: bool,
        cache: &mut Cache,
    ) -> Option<(usize, u32)> {
        if cache.modes.is_empty() || cache.states > MOST_STATES {
            *cache = Cache::default();
            cache.calls.push((0, 0, 0));
            cache.modes = self.nfa.modes.iter().map(|_| Mode::default()).collect();
        }
        if cache.modes[mode].states.is_empty() {
            let configs = self.start(mode, cache);
            cache.state(mode, configs, &self.nfa);
        }
        let (mut state, mut at, mut best) = (0, from, None);
        loop {
            let dfa = &cache.modes[mode].states[state as usize];
            if let Some(action) = dfa.accepts.filter(|_| at > from || !must_move) {
                best = Some((at.min(text.len()), action));
            }
            if at > text.len() {
                return best;
            }
            let (character, width) = decode(text, at);
            let known = match dfa.ascii.get(character as usize) {
                Some(known) => *known,
                None => dfa.others.get(&character).copied().unwrap_or(UNKNOWN),
            };
            let next = match known {
                UNKNOWN => self.step(mode, state, character, cache),
                known => known,
            };
            if next == NONE {
                return best;
            }
            state = next;
            at += width;
        }
    }

    /// Finds the next state for a character.
    fn step(&self, mode: usize, state: u32, character: u32, cache: &mut Cache) -> u32 {
        let configs = cache.modes[mode].states[state as usize].configs.clone();
        let mut closure = Closure::new(&self.nfa, cache);
        for config in &configs {
            if let State::Take(set, next) = &self.nfa.states[config.state as usize]
                && set.has(character)
            {
                closure.add(Config { state: *next, ..*config });
            }
        }
        let configs = closure.configs;
        let next = if configs.is_empty() { NONE } else { cache.state(mode, configs, &self.nfa) };
        let dfa = &mut cache.modes[mode].states[state as usize];
        match dfa.ascii.get_mut(character as usize) {
            Some(known) => *known = next,
            None => {
                dfa.others.insert(character, next);
            }
        }
        next
    }

    fn start(&self, mode: usize, cache: &mut Cache) -> Vec<Config> {
        let mut closure = Closure::new(&self.nfa, cache);
        for rule in &self.nfa.modes[mode] {
            let state = self.nfa.starts[*rule];
            closure.add(Config { state, calls: 0, rule: *rule as u32, is_lazy: false });
        }
        closure.configs
    }
}

impl Cache {
    fn call(&mut self, returns: StateId, calls: Calls) -> Option<Calls> {
        if let Some(known) = self.call_numbers.get(&(returns, calls)) {
            return Some(*known);
        }
        let depth = self.calls[calls as usize].2 + 1;
        if depth > DEEPEST {
            return None;
        }
        let number = self.calls.len() as Calls;
        self.calls.push((returns, calls, depth));
        self.call_numbers.insert((returns, calls), number);
        Some(number)
    }

    fn state(&mut self, mode: usize, configs: Vec<Config>, nfa: &Nfa) -> u32 {
        let configs: Box<[Config]> = configs.into();
        if let Some(known) = self.modes[mode].numbers.get(&configs) {
            return *known;
        }
        // The first one that has reached its end belongs to the first matching rule.
        let accepts = configs.iter().find_map(|config| match &nfa.states[config.state as usize] {
            State::Stop(action) if config.calls == 0 => *action,
            _ => None,
        });
        let states = &mut self.modes[mode].states;
        let number = states.len() as u32;
        let (ascii, others) = (Box::new([UNKNOWN; 128]), HashMap::new());
        states.push(DfaState { configs: configs.clone(), accepts, ascii, others });
        self.modes[mode].numbers.insert(configs, number);
        self.states += 1;
        number
    }
}

/// The configurations that can be reached without a character, in order.
struct Closure<'c> {
    nfa: &'c Nfa,
    cache: &'c mut Cache,
    configs: Vec<Config>,
    seen: std::collections::HashSet<Config>,
    /// The rule that has reached its end.
    reached: Option<u32>,
}

impl<'c> Closure<'c> {
    fn new(nfa: &'c Nfa, cache: &'c mut Cache) -> Self {
        Closure { nfa, cache, configs: Vec::new(), seen: Default::default(), reached: None }
    }

    fn add(&mut self, config: Config) {
        // A rule that calls itself before it takes a character would never end.
        let deepest = self.cache.calls[config.calls as usize].2 + self.nfa.starts.len() as u32 + 1;
        let mut open = vec![config];
        while let Some(config) = open.pop() {
            let is_late = self.reached == Some(config.rule) && config.is_lazy;
            if is_late || !self.seen.insert(config) {
                continue;
            }
            match &self.nfa.states[config.state as usize] {
                State::Split { to, is_greedy } => {
                    let is_lazy = config.is_lazy || !is_greedy;
                    open.extend(to.iter().rev().map(|state| Config {
                        state: *state,
                        is_lazy,
                        ..config
                    }));
                }
                State::Call(rule, next) => {
                    let calls = self.cache.call(*next, config.calls);
                    if let Some(calls) =
                        calls.filter(|calls| self.cache.calls[*calls as usize].2 <= deepest)
                    {
                        open.push(Config { state: self.nfa.starts[*rule], calls, ..config });
                    }
                }
                State::Stop(_) if config.calls > 0 => {
                    let (state, calls, _) = self.cache.calls[config.calls as usize];
                    open.push(Config { state, calls, ..config });
                }
                State::Stop(_) => {
                    self.configs.push(config);
                    self.reached = Some(config.rule);
                }
                State::Take(..) => self.configs.push(config),
            }
        }
    }
}

/// The character at a place, and its width. A byte that isn't UTF-8 is a replacement character; after the text comes
/// its end.
fn decode(text: &[u8], at: usize) -> (u32, usize) {
    match text.get(at) {
        None => (END, 1),
        Some(byte) if byte.is_ascii() => ((*byte).into(), 1),
        Some(first) => {
            let width = match first {
                0xC0..=0xDF => 2,
                0xE0..=0xEF => 3,
                _ => 4,
            };
            let bytes = &text[at..(at + width).min(text.len())];
            match std::str::from_utf8(bytes).ok().and_then(|text| text.chars().next()) {
                Some(character) => (character.into(), width),
                None => (char::REPLACEMENT_CHARACTER.into(), 1),
            }
        }
    }
}

fn push(tokens: &mut Vec<Token>, actions: &Actions, start: u32, end: u32) {
    let is_hidden = actions.skip || actions.hidden;
    // Empty hidden tokens are left out.
    if start < end || !is_hidden {
        tokens.push(Token { kind: actions.token, start, end, is_hidden });
    }
}

/// Adds text that no rule matches as a hidden token, without an error.
fn push_unseen(tokens: &mut Vec<Token>, start: u32, end: u32) {
    let actions = Actions { token: EOF, skip: true, ..Actions::default() };
    push(tokens, &actions, start, end);
}

fn push_invalid(tokens: &mut Vec<Token>, start: u32, end: u32) {
    match tokens.last_mut() {
        Some(last) if last.kind == INVALID && last.end == start => last.end = end,
        _ => tokens.push(Token { kind: INVALID, start, end, is_hidden: false }),
    }
}
