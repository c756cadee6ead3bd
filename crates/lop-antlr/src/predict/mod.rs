//! Decides which alternative a parser takes: adaptive prediction.
//!
//! T. Parr, S. Harwell and K. Fisher, "Adaptive LL(*) Parsing: The Power of Dynamic Analysis", OOPSLA 2014. All
//! alternatives are followed at the same time, as configurations: a state, the alternative, and the calls that it is
//! in. The parser takes the one that survives the next tokens. If several will always survive, it takes the first of
//! them: the text is ambiguous.
//!
//! There are two stages. The first one (SLL) does not know the calls that the parser itself is in: at the end of the
//! rule it continues after all calls of that rule. So its sets of configurations depend on the next tokens only, and
//! are the states of a DFA that all texts share. If it finds a conflict, the second stage (LL) starts again with the
//! real calls.
//!
//! Departures: precedences are part of a configuration, so they are checked wherever they are known, not only in the
//! rule that decides. The second stage also has a DFA: where a configuration leaves the rule that decides, the next
//! state depends on the parser's innermost call that was not used yet. So its results hold wherever the near calls are
//! the same.

mod calls;
mod stage;

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::atn::{Atn, Edge, Precedence, StateId};
use crate::grammar::{EOF, TokenType};

pub(crate) use calls::Caller;
use calls::{Frame, Outer};
use stage::{Stage, Verdict};

/// The number of an alternative of a decision, from 0.
pub(crate) type Alternative = u16;

/// The most steps after the end of the text: a loop over it would run for ever.
const MOST_ENDS: usize = 1_000;

/// The parser's knowledge about texts so far. Only one thread can use it at a time.
#[derive(Debug)]
pub(crate) struct Cache {
    /// The decision by the next token alone, by the state that decides and the precedence; `None` if more is needed.
    first: HashMap<(StateId, Precedence, TokenType), Option<Alternative>, FixedState>,
    any: Stage,
    exact: Stage,
}

impl Default for Cache {
    fn default() -> Self {
        Cache { first: HashMap::default(), any: Stage::new(false), exact: Stage::new(true) }
    }
}

/// Follows alternatives over the tokens of one text.
pub(crate) struct Predictor<'p> {
    pub(crate) atn: &'p Atn,
    pub(crate) tokens: &'p [TokenType],
    pub(crate) cache: &'p mut Cache,
    /// The number of tokens that were looked at, and of configurations made for that.
    pub(crate) work: u64,
    /// The limit on work. Beyond it, predictions are guesses.
    pub(crate) limit: u64,
    /// Whether the first rule could have ended where no alternative was found.
    pub(crate) could_end: bool,
}

impl Predictor<'_> {
    fn token(&self, at: usize) -> TokenType {
        self.tokens.get(at).copied().unwrap_or(EOF)
    }

    /// The alternative to take in a state, with the tokens from a place on; `None` if no alternative fits. The precedence is that of
    /// the rule, and the callers are those around it, the outermost first.
    pub(crate) fn predict(
        &mut self,
        state: StateId,
        at: usize,
        precedence: Precedence,
        callers: &[Caller],
    ) -> Option<Alternative> {
        let key = (state, precedence, self.token(at));
        let quick = match self.cache.first.get(&key) {
            Some(known) => *known,
            None => {
                let quick = self.by_first_token(state, key.2, precedence);
                self.cache.first.insert(key, quick);
                quick
            }
        };
        if quick.is_some() {
            return quick;
        }
        let mut verdict = self.cache.any.start(self.atn, state, precedence, &mut self.work);
        let mut ahead = at;
        let mut frames: Vec<Frame> = Vec::new();
        loop {
            let dfa = match verdict {
                Verdict::Take(alternative) => return Some(alternative),
                // If the start rule does not require the end of the text, only LL knows that it may end here.
                Verdict::Conflict | Verdict::Nothing => {
                    return self.predict_exactly(state, at, precedence, callers);
                }
                Verdict::GoOn(dfa) => dfa,
                Verdict::GoIn(frame, dfa) => {
                    frames.push(frame);
                    dfa
                }
            };
            self.work += 1;
            let any = &mut self.cache.any;
            if any.waits(dfa)
                && let Some(frame) = frames.pop()
            {
                verdict = any.behind(self.atn, dfa, Outer::Frame(frame), &mut self.work);
                continue;
            }
            if self.is_over(ahead) {
                return Some(self.cache.any.least(dfa));
            }
            verdict = self.cache.any.next(self.atn, dfa, self.token(ahead), &mut self.work);
            ahead += 1;
        }
    }

    /// Whether looking further ahead would be too much work.
    fn is_over(&self, ahead: usize) -> bool {
        self.work > self.limit || ahead > self.tokens.len() + MOST_ENDS
    }

    /// The alternative that alone can take the next token, or that alone can end the rule before it. It is that of the
    /// first stage, and most states need no configurations for it.
    fn by_first_token(
        &self,
        state: StateId,
        token: TokenType,
        precedence: Precedence,
    ) -> Option<Alternative> {
        let atn = self.atn;
        let rule = usize::from(atn.states[state as usize].rule);
        let mut only = None;
        for (index, edge) in atn.states[state as usize].edges.iter().enumerate() {
            let Edge::To(to) = edge else { return None };
            let to = *to as usize;
            if let [Edge::If(least, _)] = atn.states[to].edges[..]
                && least < precedence
            {
                continue;
            }
            let fits = atn.first[to].has(token) || atn.may_end[to] && atn.follow[rule].has(token);
            if fits && only.replace(index as Alternative).is_some() {
                return None;
            }
        }
        only
    }

    /// The second stage, with the calls that the parser is in.
    fn predict_exactly(
        &mut self,
        state: StateId,
        at: usize,
        precedence: Precedence,
        callers: &[Caller],
    ) -> Option<Alternative> {
        let mut callers = callers.iter().rev();
        let mut verdict = self.cache.exact.start(self.atn, state, precedence, &mut self.work);
        let mut ahead = at;
        // The first of the alternatives that came this far: it is taken if an error is ahead.
        let mut least = None;
        let mut could_end = false;
        let mut frames: Vec<Frame> = Vec::new();
        loop {
            let dfa = match verdict {
                Verdict::Take(alternative) => return Some(alternative),
                Verdict::Nothing | Verdict::Conflict => {
                    self.could_end = could_end;
                    return least;
                }
                Verdict::GoOn(dfa) => dfa,
                Verdict::GoIn(frame, dfa) => {
                    frames.push(frame);
                    dfa
                }
            };
            self.work += 1;
            let exact = &mut self.cache.exact;
            if exact.waits(dfa) {
                let outer = match frames.pop() {
                    Some(frame) => Outer::Frame(frame),
                    None => callers.next().copied().map_or(Outer::End, Outer::Caller),
                };
                verdict = exact.behind(self.atn, dfa, outer, &mut self.work);
                continue;
            }
            if self.is_over(ahead) {
                return Some(self.cache.exact.least(dfa));
            }
            least = (ahead > at).then(|| self.cache.exact.least(dfa));
            could_end = ahead == at && self.cache.exact.can_end(self.atn, dfa);
            verdict = self.cache.exact.next(self.atn, dfa, self.token(ahead), &mut self.work);
            ahead += 1;
        }
    }
}
