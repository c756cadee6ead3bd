//! Finds out what will be asked if nothing is found, for workers that would be idle.
//!
//! A question has a few candidates, and the next one depends on its answer, so many workers have little to do. But most
//! candidates are boring. So a *scout* runs the same strategy on the best, in its own thread, as if nothing more were
//! interesting, and idle workers test what it would ask. Their verdicts wait in the cache until the search comes to
//! them, in whatever phase that is; so the result is the same, and the scout may be wrong. When the search finds
//! something, the scout starts anew.
//!
//! The tempting alternative is to ask each algorithm for more candidates ahead of its question. But the question after
//! the last one of a phase belongs to another phase, and near the end of a run, phases have few questions each.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::search::{Answer, Cancel};
use crate::session::{Session, Standing};
use crate::text::{Key, Measured};

use super::Judge;
use super::bench::{Proposal, Terms};

/// The most finds that may wait.
const WAITING: usize = 64;

/// Where a judge and a scout meet.
#[derive(Default)]
pub(crate) struct Scouting {
    state: Mutex<State>,
    news: Condvar,
    on_find: OnceLock<Box<dyn Fn() + Send + Sync>>,
    /// Whether the judge waits for the scout, as it does in simulated time.
    waits: bool,
}

type Find = (Key, Proposal, Terms);

#[derive(Default)]
struct State {
    finds: VecDeque<Find>,
    /// The text from which the scout will start next.
    from: Option<Arc<Measured>>,
    /// Cancels the errand that the scout is on.
    stop: Cancel,
    /// Whether the scout is on an errand.
    is_out: bool,
    is_closed: bool,
}

impl Scouting {
    /// A meeting place for a judge that waits for the scout, or for one that takes the finds that are ready.
    pub(crate) fn new(waits: bool) -> Arc<Self> {
        Arc::new(Scouting { waits, ..Scouting::default() })
    }

    /// Sets a function to call when there are new finds for idle workers.
    pub(super) fn on_find(&self, call: impl Fn() + Send + Sync + 'static) {
        let _ = self.on_find.set(Box::new(call));
    }

    /// Sends the scout out anew, from another text.
    pub(crate) fn send_out(&self, from: &Arc<Measured>) {
        let mut state = self.lock();
        state.stop.cancel();
        state.finds.clear();
        state.from = Some(from.clone());
        self.news.notify_all();
    }

    /// Lets the scout come home.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.stop.cancel();
        state.is_closed = true;
        self.news.notify_all();
    }

    /// Waits for the next errand; `None` if there will be none.
    pub(crate) fn errand(self: &Arc<Self>) -> Option<(Scout, Cancel)> {
        let mut state = self.lock();
        state.is_out = false;
        self.news.notify_all();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(best) = state.from.take() {
                state.is_out = true;
                state.stop = Cancel::default();
                let (scouting, stop) = (self.clone(), state.stop.clone());
                let best_key = best.key();
                let scout =
                    Scout { scouting, stop: stop.clone(), best, best_key, seen: HashSet::new() };
                return Some((scout, stop));
            }
            state = self.wait(state);
        }
    }

    /// The next find, if there is one.
    pub(super) fn next(&self) -> Option<Find> {
        let mut state = self.lock();
        while self.waits && state.finds.is_empty() && (state.is_out || state.from.is_some()) {
            state = self.wait(state);
        }
        let find = state.finds.pop_front();
        self.news.notify_all();
        find
    }

    /// Hands over a find when there is room for it; `false` if the errand is over.
    fn tell(&self, find: Find, stop: &Cancel) -> bool {
        let mut state = self.lock();
        while state.finds.len() >= WAITING && !stop.is_cancelled() {
            state = self.wait(state);
        }
        if stop.is_cancelled() {
            return false;
        }
        state.finds.push_back(find);
        let is_first = state.finds.len() == 1;
        drop(state);
        self.news.notify_all();
        if let Some(call) = self.on_find.get().filter(|_| is_first) {
            call();
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.news.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

/// A judge that considers every candidate boring, and reports what it is asked.
pub(crate) struct Scout {
    scouting: Arc<Scouting>,
    stop: Cancel,
    best: Arc<Measured>,
    best_key: Key,
    /// The contents that it has reported.
    seen: HashSet<Key>,
}

impl Scout {
    /// Reports a question; `false` if the errand is over.
    fn look(&mut self, session: &mut Session<'_>, terms: &Terms, proposal: Proposal) -> bool {
        let content = proposal.candidate.key();
        if content == self.best_key || !self.seen.insert(content) {
            return !self.stop.is_cancelled();
        }
        session.commit(Standing::New, None)
            && self.scouting.tell((content, proposal, terms.clone()), &self.stop)
    }
}

impl Judge for Scout {
    fn best(&self) -> &Arc<Measured> {
        &self.best
    }

    fn best_key(&self) -> Key {
        self.best_key
    }

    fn set_best(&mut self, best: Arc<Measured>) {
        self.best_key = best.key();
        self.best = best;
    }

    fn leave_out_refused(&mut self, _leave_out: bool) {}

    fn set_longer_limit(&mut self, _longer: bool) -> bool {
        false
    }

    fn forget_ahead(&mut self) {}

    fn first(
        &mut self,
        session: &mut Session<'_>,
        terms: &Terms,
        proposals: &mut dyn Iterator<Item = Proposal>,
        _next: &mut dyn Iterator<Item = Proposal>,
    ) -> Answer {
        for proposal in proposals {
            if session.is_out_of_budget() || !self.look(session, terms, proposal) {
                return Answer::Stop;
            }
        }
        Answer::Nothing
    }

    fn each(
        &mut self,
        session: &mut Session<'_>,
        terms: &Terms,
        proposals: &mut dyn ExactSizeIterator<Item = Proposal>,
    ) -> Vec<bool> {
        let count = proposals.len();
        for proposal in proposals {
            if session.is_out_of_budget() || !self.look(session, terms, proposal) {
                break;
            }
        }
        vec![false; count]
    }
}
