//! One of the two stages of prediction: sets of configurations as the states of a DFA, which is built on demand.
//!
//! In deeply nested texts, a set with all its calls would hardly ever occur again. But if no configuration can leave
//! its rule before the next token, as after a `(`, the calls do not matter until one can. There they are put aside, as
//! a frame. So the automaton has a stack of frames, and its states do not depend on the depth of that stack.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use foldhash::fast::FixedState;

use super::Alternative;
use super::calls::{BASE, Call, Calls, END, Frame, Outer, Stack, Within};
use crate::atn::{Atn, Edge, Precedence, StateId};
use crate::grammar::{EOF, TokenType};

/// The most configurations of a set. No sane grammar has so many; beyond it, the first ones decide.
const MOST_CONFIGS: usize = 50_000;
/// The work of a configuration. The work of a token is 1, some 10 ns.
const CONFIG: u64 = 6;
/// The most configurations and calls that are kept, some 100 MB; beyond it, the stage begins anew.
const MOST_KEPT: usize = 3_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Config {
    state: StateId,
    /// The precedence with which the rule of the state was called.
    precedence: Precedence,
    stack: Stack,
    alternative: Alternative,
}

/// In two words: sets are hashed for each state of the DFA.
impl Hash for Config {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(u64::from(self.state) << 32 | u64::from(self.stack));
        hasher.write_u32(u32::from(self.precedence) << 16 | u32::from(self.alternative));
    }
}

/// The verdict of a set of configurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The next token decides: the number of the DFA's state.
    GoOn(u32),
    /// The same, with the calls put aside.
    GoIn(Frame, u32),
    Take(Alternative),
    /// More tokens will not help without the real calls.
    Conflict,
    /// No alternative remains.
    Nothing,
}

#[derive(Debug)]
struct DfaState {
    configs: Arc<[Config]>,
    /// The first alternative.
    least: Alternative,
    /// Whether some configurations have left the rule, and wait for its surroundings.
    waits: bool,
    /// Whether the end of the text was taken.
    is_behind_end: bool,
    /// The verdicts by token, in ascending order.
    next: Vec<(TokenType, Verdict)>,
    /// The verdicts by the surroundings, in order.
    behind: Vec<(Outer, Verdict)>,
}

#[derive(Debug)]
pub(super) struct Stage {
    /// Whether the real callers are used instead of all possible ones.
    is_exact: bool,
    starts: HashMap<(StateId, Precedence), Verdict, FixedState>,
    states: Vec<DfaState>,
    /// The states before the end of the text was taken, and those after it.
    numbers: [HashMap<Arc<[Config]>, u32, FixedState>; 2],
    calls: Calls,
    closure: Closure,
    /// The configurations of all states.
    size: usize,
}

impl Stage {
    pub(super) fn new(is_exact: bool) -> Self {
        Stage {
            is_exact,
            starts: HashMap::default(),
            states: Vec::new(),
            numbers: Default::default(),
            calls: Calls::new(!is_exact),
            closure: Closure::default(),
            size: 0,
        }
    }

    /// The verdict at the beginning of a prediction. Kept states may be forgotten here.
    pub(super) fn start(
        &mut self,
        atn: &Atn,
        state: StateId,
        precedence: Precedence,
        work: &mut u64,
    ) -> Verdict {
        if let Some(known) = self.starts.get(&(state, precedence)) {
            return *known;
        }
        if self.size + self.calls.size > MOST_KEPT {
            *self = Stage::new(self.is_exact);
        }
        for (index, edge) in atn.states[state as usize].edges.iter().enumerate().rev() {
            if let Edge::To(to) = edge {
                let alternative = index as Alternative;
                self.closure.open.push(Config { state: *to, precedence, stack: BASE, alternative });
            }
        }
        let verdict = self.close(atn, false, work);
        self.starts.insert((state, precedence), verdict);
        verdict
    }

    /// The first alternative of a state of the DFA.
    pub(super) fn least(&self, dfa: u32) -> Alternative {
        self.states[dfa as usize].least
    }

    /// Whether the first rule may end here.
    pub(super) fn can_end(&self, atn: &Atn, dfa: u32) -> bool {
        let configs = self.states[dfa as usize].configs.iter();
        configs
            .into_iter()
            .any(|config| atn.states[config.state as usize].is_stop && config.stack == END)
    }

    /// Whether [`Stage::behind`] comes before the next token.
    pub(super) fn waits(&self, dfa: u32) -> bool {
        self.states[dfa as usize].waits
    }

    /// The verdict after a token.
    pub(super) fn next(
        &mut self,
        atn: &Atn,
        dfa: u32,
        token: TokenType,
        work: &mut u64,
    ) -> Verdict {
        let next = &self.states[dfa as usize].next;
        let at = match next.binary_search_by_key(&token, |(token, _)| *token) {
            Ok(at) => return next[at].1,
            Err(at) => at,
        };
        let configs = Arc::clone(&self.states[dfa as usize].configs);
        for config in configs.iter().rev() {
            let state = &atn.states[config.state as usize];
            // After the first rule comes only the end of the text.
            if state.is_stop && token == EOF {
                self.closure.open.push(*config);
            }
            for edge in state.edges.iter().rev() {
                if let Edge::Take(set, to) = edge
                    && atn.sets[*set as usize].has(token)
                {
                    self.closure.open.push(Config { state: *to, ..*config });
                }
            }
        }
        *work += CONFIG * configs.len() as u64;
        let open = &mut self.closure.open;
        let is_inner = open.iter().all(|config| !atn.may_end[config.state as usize])
            && !open.iter().all(|config| self.calls.is_slot(config.stack));
        let frame =
            is_inner.then(|| self.calls.frame(open.iter_mut().map(|config| &mut config.stack)));
        let verdict = match (self.close(atn, token == EOF, work), frame) {
            (Verdict::GoOn(dfa), Some(frame)) => Verdict::GoIn(frame, dfa),
            (verdict, _) => verdict,
        };
        self.states[dfa as usize].next.insert(at, (token, verdict));
        verdict
    }

    /// The verdict after the rule, in its surroundings.
    pub(super) fn behind(&mut self, atn: &Atn, dfa: u32, outer: Outer, work: &mut u64) -> Verdict {
        let behind = &self.states[dfa as usize].behind;
        let at = match behind.binary_search_by_key(&outer, |(outer, _)| *outer) {
            Ok(at) => return behind[at].1,
            Err(at) => at,
        };
        let configs = Arc::clone(&self.states[dfa as usize].configs);
        let mut found = Within::default();
        for config in configs.iter().rev() {
            let stack = self.calls.within(config.stack, outer, &mut found);
            self.closure.open.push(Config { stack, ..*config });
        }
        *work += CONFIG * (configs.len() + found.len()) as u64;
        let is_behind_end = self.states[dfa as usize].is_behind_end;
        let verdict = self.close(atn, is_behind_end, work);
        self.states[dfa as usize].behind.insert(at, (outer, verdict));
        verdict
    }

    /// The verdict of the open configurations, with all that they reach without a token.
    fn close(&mut self, atn: &Atn, is_behind_end: bool, work: &mut u64) -> Verdict {
        let is_whole = self.closure.run(atn, &mut self.calls, self.is_exact, work);
        let (is_exact, calls) = (self.is_exact, &mut self.calls);
        let kept = self.closure.reached.drain(..).filter_map(|config| {
            let state = &atn.states[config.state as usize];
            if !state.is_stop {
                return state.takes.then_some(config);
            }
            // After a rule that is never called comes only the end of the text.
            let goes_on = !is_exact && !atn.followers[usize::from(state.rule)].is_empty();
            let stack = calls.empty(config.stack)?;
            (stack != BASE || !goes_on).then_some(Config { stack, ..config })
        });
        let mut configs: Vec<Config> = kept.collect();
        let calls = &self.calls;
        let is_stop = |config: &Config| atn.states[config.state as usize].is_stop;
        let is_complete = |config: &Config| {
            is_stop(config) && (config.stack == END || !is_exact && config.stack == BASE)
        };
        if is_behind_end && configs.iter().any(is_complete) {
            // Only complete configurations remain.
            configs.retain(is_complete);
        }
        configs.sort_unstable();
        let Some(least) = configs.iter().map(|config| config.alternative).min() else {
            return Verdict::Nothing;
        };
        if !is_whole || configs.iter().all(|config| config.alternative == least) {
            return Verdict::Take(least);
        }
        let waits = configs.iter().any(|config| {
            is_stop(config) && (calls.is_slot(config.stack) || is_exact && config.stack == BASE)
        });
        if is_exact && is_ambiguous(&configs, least, &mut self.calls) {
            return Verdict::Take(least);
        }
        if !is_exact
            && !waits
            && (configs.iter().all(is_complete) || is_in_conflict(&configs, &mut self.calls))
        {
            return Verdict::Conflict;
        }
        let numbers = &mut self.numbers[usize::from(is_behind_end)];
        if let Some(known) = numbers.get(&configs[..]) {
            return Verdict::GoOn(*known);
        }
        let configs: Arc<[Config]> = configs.into();
        let number = self.states.len() as u32;
        self.size += configs.len();
        numbers.insert(Arc::clone(&configs), number);
        let (next, behind) = (Vec::new(), Vec::new());
        self.states.push(DfaState { configs, least, waits, is_behind_end, next, behind });
        Verdict::GoOn(number)
    }
}

/// Whether the first alternative is everywhere where another one is: then more tokens change nothing.
fn is_ambiguous(configs: &[Config], least: Alternative, calls: &mut Calls) -> bool {
    configs.chunk_by(is_same_place).all(|place| {
        let first = place.iter().find(|config| config.alternative == least);
        first.is_some_and(|first| place.iter().all(|other| contains(first, other, calls)))
    })
}

/// Whether alternatives have reached the same place, and none is alone in a state.
fn is_in_conflict(configs: &[Config], calls: &mut Calls) -> bool {
    let is_of_one =
        |state: &[Config]| state.iter().all(|config| config.alternative == state[0].alternative);
    !configs.chunk_by(|one, other| one.state == other.state).any(is_of_one)
        && configs.chunk_by(is_same_place).any(|place| {
            let (first, others) = (&place[0], &place[1..]);
            others
                .iter()
                .any(|other| contains(first, other, calls) || contains(other, first, calls))
        })
}

fn is_same_place(one: &Config, other: &Config) -> bool {
    (one.state, one.precedence) == (other.state, other.precedence)
}

/// Whether this configuration has all stacks of the other one.
fn contains(one: &Config, other: &Config, calls: &mut Calls) -> bool {
    calls.merge(one.stack, other.stack) == one.stack
}

/// Finds the configurations that can be reached without a token. Those that differ only in their stacks are merged.
#[derive(Debug, Default)]
struct Closure {
    open: Vec<Config>,
    reached: Vec<Config>,
    /// The places of configurations in `reached`, by everything except their stacks.
    places: HashMap<u64, u32, FixedState>,
}

impl Closure {
    /// Finds all of them; returns `false` if they are too many.
    fn run(&mut self, atn: &Atn, calls: &mut Calls, is_exact: bool, work: &mut u64) -> bool {
        self.reached.clear();
        self.places.clear();
        let mut is_whole = true;
        while let Some(mut config) = self.open.pop() {
            *work += CONFIG;
            let state = &atn.states[config.state as usize];
            if state.is_stop {
                // The precedence has no further use.
                config.precedence = 0;
            }
            let key = u64::from(config.state) << 32
                | u64::from(config.precedence) << 16
                | u64::from(config.alternative);
            match self.places.get(&key) {
                Some(place) => {
                    let known = &mut self.reached[*place as usize].stack;
                    let merged = calls.merge(*known, config.stack);
                    if *known == merged {
                        continue;
                    }
                    *known = merged;
                }
                None if self.reached.len() >= MOST_CONFIGS => {
                    is_whole = false;
                    continue;
                }
                None => {
                    self.places.insert(key, self.reached.len() as u32);
                    self.reached.push(config);
                }
            }
            if state.is_stop {
                self.leave(config, atn, calls, is_exact);
                continue;
            }
            for edge in state.edges.iter().rev() {
                match edge {
                    Edge::To(to) | Edge::Wrap(to) => {
                        self.open.push(Config { state: *to, ..config });
                    }
                    Edge::If(precedence, to) => {
                        if config.precedence == ANY || *precedence >= config.precedence {
                            self.open.push(Config { state: *to, ..config });
                        }
                    }
                    Edge::Take(..) => {}
                    Edge::Call { rule, precedence, back } => {
                        let stack = calls.push(*back, config.precedence, config.stack);
                        let (state, precedence) = (atn.starts[usize::from(*rule)], *precedence);
                        self.open.push(Config { state, precedence, stack, ..config });
                    }
                }
            }
        }
        is_whole
    }

    /// Continues after the calls that end.
    fn leave(&mut self, config: Config, atn: &Atn, calls: &Calls, is_exact: bool) {
        let (inner, _) = calls.split(config.stack);
        let behind = |call: &Call| Config {
            state: call.back,
            precedence: call.precedence,
            stack: call.outer,
            ..config
        };
        self.open.extend(inner.iter().rev().map(behind));
        if config.stack == BASE && !is_exact {
            let rule = usize::from(atn.states[config.state as usize].rule);
            let behind =
                |state: &StateId| Config { state: *state, precedence: ANY, stack: BASE, ..config };
            self.open.extend(atn.followers[rule].iter().rev().map(behind));
        }
    }
}

/// An unknown precedence.
const ANY: Precedence = Precedence::MAX;
