//! Which alternative a parser takes: adaptive prediction.
//!
//! T. Parr, S. Harwell and K. Fisher, "Adaptive LL(*) Parsing: The Power of Dynamic Analysis", OOPSLA 2014. All alternatives are
//! followed at the same time, as configurations: a state, the alternative, and the calls that it is in. The one that
//! survives the next tokens is taken. If several survive and will always do, the first of them is: the text is ambiguous.
//!
//! It goes in two stages. The first one (SLL) knows nothing of the calls that the parser itself is in: at the end of the rule it goes on behind all calls of
//! that rule. So its sets of configurations depend on the next tokens only, and are the states of a DFA that all texts share. Where it finds a
//! conflict, the second stage (LL) starts again with the real calls.
//!
//! Departures: precedences are part of a configuration, so they are checked everywhere where they are known, not only in
//! the rule that decides. Calls are lists, not graphs: configurations that differ in far calls are not merged; their number is bounded.

use std::collections::{HashMap, HashSet};

use crate::atn::{Atn, Edge, Precedence, StateId};
use crate::grammar::{EOF, TokenType};

/// The number of an alternative of a decision, from 0.
pub(crate) type Alternative = u16;

/// The calls that a configuration is in, as a number in [`Calls`].
pub(crate) type Stack = u32;

/// No calls: the end of the text in LL, any caller in SLL.
pub(crate) const BOTTOM: Stack = 0;

/// A precedence that is not known.
const ANY: Precedence = Precedence::MAX;

/// The most configurations of a set. An ambiguous grammar may have exponentially many; the first ones decide then.
const MOST_CONFIGS: usize = 5_000;
/// The most states of all DFAs; with more, they begin anew.
const MOST_STATES: usize = 200_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Config {
    alternative: Alternative,
    state: StateId,
    stack: Stack,
    /// The precedence with which the rule of the state was called.
    precedence: Precedence,
}

/// Lists of calls, each list once.
#[derive(Debug)]
pub(crate) struct Calls {
    lists: Vec<Call>,
    numbers: HashMap<Call, Stack>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Call {
    /// Where the caller goes on.
    back: StateId,
    /// The precedence with which the caller was called.
    precedence: Precedence,
    outer: Stack,
}

impl Default for Calls {
    fn default() -> Self {
        let bottom = Call { back: 0, precedence: 0, outer: BOTTOM };
        Calls { lists: vec![bottom], numbers: HashMap::new() }
    }
}

impl Calls {
    pub(crate) fn push(&mut self, back: StateId, precedence: Precedence, outer: Stack) -> Stack {
        let call = Call { back, precedence, outer };
        *self.numbers.entry(call).or_insert_with(|| {
            self.lists.push(call);
            (self.lists.len() - 1) as Stack
        })
    }
}

/// What the parser has found out about texts so far. One thread uses it at a time.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// By the state that decides and the precedence.
    starts: HashMap<(StateId, Precedence), u32>,
    states: Vec<DfaState>,
    numbers: HashMap<(StateId, Box<[Config]>), u32>,
    calls: Calls,
}

#[derive(Debug)]
struct DfaState {
    configs: Box<[Config]>,
    verdict: Verdict,
    next: HashMap<TokenType, u32>,
}

/// What a set of configurations says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The next token decides.
    GoOn,
    Take(Alternative),
    /// More tokens will not help without the real calls.
    Conflict,
    /// No alternative is left.
    Nothing,
}

/// The stack of the parser, as prediction needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    pub(crate) stack: Stack,
    pub(crate) precedence: Precedence,
}

/// Follows alternatives over the tokens of one text.
pub(crate) struct Predictor<'p> {
    pub(crate) atn: &'p Atn,
    pub(crate) tokens: &'p [TokenType],
    pub(crate) cache: &'p mut Cache,
    /// The calls of the parser, and of LL.
    pub(crate) calls: Calls,
    /// How many configurations were made so far.
    pub(crate) work: u64,
}

impl Predictor<'_> {
    fn token(&self, at: usize) -> TokenType {
        self.tokens.get(at).copied().unwrap_or(EOF)
    }

    /// The alternative to take in a state, with the tokens from a place on; `None` if no alternative fits.
    pub(crate) fn predict(
        &mut self,
        state: StateId,
        at: usize,
        context: Context,
    ) -> Option<Alternative> {
        if let Some(quick) = self.by_first_token(state, at, context) {
            return Some(quick);
        }
        let mut dfa = self.start(state, context.precedence);
        let mut ahead = at;
        loop {
            match self.cache.states[dfa as usize].verdict {
                Verdict::Take(alternative) => return Some(alternative),
                // Without an end of the text in the start rule, only LL knows that it may end here.
                Verdict::Conflict | Verdict::Nothing => {
                    return self.predict_exactly(state, at, context);
                }
                Verdict::GoOn => {}
            }
            let token = self.token(ahead);
            dfa = match self.cache.states[dfa as usize].next.get(&token) {
                Some(next) => *next,
                None => self.step(state, dfa, token),
            };
            // Behind the end of the text is its end again.
            ahead = (ahead + 1).min(self.tokens.len());
        }
    }

    /// The alternative that alone can take the next token, where no rule needs to be followed to its end.
    fn by_first_token(&self, state: StateId, at: usize, context: Context) -> Option<Alternative> {
        let token = self.token(at);
        let mut only = None;
        for (index, edge) in self.atn.states[state as usize].edges.iter().enumerate() {
            let Edge::To(to) = edge else { return None };
            if let [Edge::If(precedence, _)] = self.atn.states[*to as usize].edges[..]
                && precedence < context.precedence
            {
                continue;
            }
            if self.atn.may_end[*to as usize] {
                return None;
            }
            if self.atn.first[*to as usize].has(token)
                && only.replace(index as Alternative).is_some()
            {
                return None;
            }
        }
        only
    }

    fn start(&mut self, state: StateId, precedence: Precedence) -> u32 {
        if let Some(known) = self.cache.starts.get(&(state, precedence)) {
            return *known;
        }
        if self.cache.states.len() > MOST_STATES {
            *self.cache = Cache::default();
        }
        let seeds = self.seeds(state, Context { stack: BOTTOM, precedence });
        let mut closure = Closure::new(self.atn, &mut self.cache.calls, false);
        closure.add(seeds);
        self.work += closure.seen.len() as u64;
        let configs = closure.configs;
        let number = self.intern(state, configs);
        self.cache.starts.insert((state, precedence), number);
        number
    }

    /// The beginnings of the alternatives.
    fn seeds(&self, state: StateId, context: Context) -> Vec<Config> {
        let edges = self.atn.states[state as usize].edges.iter().enumerate();
        let seed = |(index, edge): (usize, &Edge)| match edge {
            Edge::To(to) => Some(Config {
                alternative: index as Alternative,
                state: *to,
                stack: context.stack,
                precedence: context.precedence,
            }),
            _ => None,
        };
        edges.filter_map(seed).collect()
    }

    fn step(&mut self, state: StateId, from: u32, token: TokenType) -> u32 {
        let configs = self.cache.states[from as usize].configs.clone();
        let (reached, work) = reach(self.atn, &mut self.cache.calls, &configs, token, false);
        self.work += work;
        let number = self.intern(state, reached);
        self.cache.states[from as usize].next.insert(token, number);
        number
    }

    fn intern(&mut self, state: StateId, configs: Vec<Config>) -> u32 {
        let configs: Box<[Config]> = configs.into();
        let key = (state, configs);
        if let Some(known) = self.cache.numbers.get(&key) {
            return *known;
        }
        let verdict = judge(&key.1, false, self.atn);
        let number = self.cache.states.len() as u32;
        self.cache.states.push(DfaState { configs: key.1.clone(), verdict, next: HashMap::new() });
        self.cache.numbers.insert(key, number);
        number
    }

    /// The second stage, with the calls that the parser is in.
    fn predict_exactly(
        &mut self,
        state: StateId,
        at: usize,
        context: Context,
    ) -> Option<Alternative> {
        let seeds = self.seeds(state, context);
        let mut closure = Closure::new(self.atn, &mut self.calls, true);
        closure.add(seeds);
        self.work += closure.seen.len() as u64;
        let mut configs = closure.configs;
        let mut ahead = at;
        loop {
            match judge(&configs, true, self.atn) {
                Verdict::Take(alternative) => return Some(alternative),
                Verdict::Nothing | Verdict::Conflict => return None,
                Verdict::GoOn => {}
            }
            let token = self.token(ahead);
            let (reached, work) = reach(self.atn, &mut self.calls, &configs, token, true);
            self.work += work;
            if reached.is_empty() {
                // An error ahead: of the alternatives that came this far, the first.
                return configs
                    .iter()
                    .map(|config| config.alternative)
                    .min()
                    .filter(|_| ahead > at);
            }
            configs = reached;
            ahead = (ahead + 1).min(self.tokens.len());
        }
    }
}

/// The configurations behind a token.
fn reach(
    atn: &Atn,
    calls: &mut Calls,
    configs: &[Config],
    token: TokenType,
    is_exact: bool,
) -> (Vec<Config>, u64) {
    let mut moved = Vec::new();
    let mut ended = Vec::new();
    for config in configs {
        if atn.is_stop(config.state) {
            // Nothing but the end of the text is behind the first rule.
            if token == EOF {
                ended.push(*config);
            }
            continue;
        }
        for edge in &atn.states[config.state as usize].edges {
            if let Edge::Take(set, to) = edge
                && atn.sets[*set as usize].has(token)
            {
                moved.push(Config { state: *to, ..*config });
            }
        }
    }
    let mut closure = Closure::new(atn, calls, is_exact);
    closure.add(moved);
    let work = closure.seen.len() as u64 + configs.len() as u64;
    let mut reached = closure.configs;
    reached.extend(ended);
    if token == EOF {
        // Behind the end of the text only what is complete is left, if anything is.
        let is_complete = |config: &Config| atn.is_stop(config.state);
        if reached.iter().any(is_complete) {
            reached.retain(is_complete);
        }
    }
    (reached, work)
}

/// What a set of configurations says.
fn judge(configs: &[Config], is_exact: bool, atn: &Atn) -> Verdict {
    let Some(first) = configs.first() else { return Verdict::Nothing };
    if configs.iter().all(|config| config.alternative == first.alternative) {
        return Verdict::Take(first.alternative);
    }
    let least = configs.iter().map(|config| config.alternative).min().unwrap_or(0);
    if configs.len() >= MOST_CONFIGS {
        return Verdict::Take(least);
    }
    // For each state with its calls, the alternatives that lead to it.
    let mut groups: HashMap<(StateId, Stack, Precedence), (Alternative, usize)> = HashMap::new();
    let mut states: HashMap<StateId, (Alternative, bool)> = HashMap::new();
    let mut pairs: HashSet<(StateId, Stack, Precedence, Alternative)> = HashSet::new();
    for config in configs {
        let key = (config.state, config.stack, config.precedence);
        if pairs.insert((key.0, key.1, key.2, config.alternative)) {
            let group = groups.entry(key).or_insert((config.alternative, 0));
            group.0 = group.0.min(config.alternative);
            group.1 += 1;
        }
        let state = states.entry(config.state).or_insert((config.alternative, true));
        state.1 &= state.0 == config.alternative;
    }
    if is_exact {
        // The least alternative of each group is viable; if it is the same for all, more tokens change nothing.
        let mut viable = groups.values().map(|(least, _)| *least);
        let only = viable.next().unwrap_or(least);
        return if viable.all(|each| each == only) { Verdict::Take(only) } else { Verdict::GoOn };
    }
    let has_conflict = groups.values().any(|(_, count)| *count > 1);
    let has_state_of_one = states.values().any(|(_, is_one)| *is_one);
    let all_ended = configs.iter().all(|config| atn.is_stop(config.state));
    if all_ended || has_conflict && !has_state_of_one { Verdict::Conflict } else { Verdict::GoOn }
}

/// The configurations that can be reached without a token.
struct Closure<'c> {
    atn: &'c Atn,
    calls: &'c mut Calls,
    /// Whether the bottom of the stack is the end of the text, not any caller.
    is_exact: bool,
    configs: Vec<Config>,
    seen: HashSet<Config>,
}

impl<'c> Closure<'c> {
    fn new(atn: &'c Atn, calls: &'c mut Calls, is_exact: bool) -> Self {
        Closure { atn, calls, is_exact, configs: Vec::new(), seen: HashSet::new() }
    }

    fn add(&mut self, configs: Vec<Config>) {
        let mut open = configs;
        open.reverse();
        while let Some(config) = open.pop() {
            if self.seen.len() >= MOST_CONFIGS {
                return;
            }
            if !self.seen.insert(config) {
                continue;
            }
            if self.atn.is_stop(config.state) {
                self.leave(config, &mut open);
                continue;
            }
            let mut takes = false;
            for edge in self.atn.states[config.state as usize].edges.iter().rev() {
                match edge {
                    Edge::To(to) | Edge::Wrap(to) => open.push(Config { state: *to, ..config }),
                    Edge::If(precedence, to) => {
                        if config.precedence == ANY || *precedence >= config.precedence {
                            open.push(Config { state: *to, ..config });
                        }
                    }
                    Edge::Take(..) => takes = true,
                    Edge::Call { rule, precedence, back } => {
                        let stack = self.calls.push(*back, config.precedence, config.stack);
                        let state = self.atn.starts[usize::from(*rule)];
                        open.push(Config { state, stack, precedence: *precedence, ..config });
                    }
                }
            }
            if takes {
                self.configs.push(config);
            }
        }
    }

    /// Goes on behind the call that ends.
    fn leave(&mut self, config: Config, open: &mut Vec<Config>) {
        if config.stack != BOTTOM {
            let Call { back, precedence, outer } = self.calls.lists[config.stack as usize];
            open.push(Config { state: back, stack: outer, precedence, ..config });
            return;
        }
        let rule = usize::from(self.atn.states[config.state as usize].rule);
        let followers = &self.atn.followers[rule];
        if self.is_exact || followers.is_empty() {
            self.configs.push(config);
            return;
        }
        let behind = |state: &StateId| Config { state: *state, precedence: ANY, ..config };
        open.extend(followers.iter().rev().map(behind));
    }
}
