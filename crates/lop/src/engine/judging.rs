//! How candidates are judged: pulled in their order, looked up, handed to workers, committed in their order.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cache::Standing;
use crate::candidate::{Candidate, Key};
use crate::event::Event;
use crate::measured::Measured;
use crate::oracle::{Reason, Verdict};
use crate::pool::JobId;
use crate::search::Answer;

use super::{End, Engine, Error};

/// How far known answers may run ahead of one that is still open.
const LOOK_AHEAD: usize = 4096;
/// How many candidates of the next questions are looked at while one is open.
const NEXT: usize = 64;
/// Events of mere progress come at most this often.
const PROGRESS: Duration = Duration::from_millis(100);

impl Engine<'_> {
    /// The first candidate that is interesting and smaller than the best; it becomes the best.
    pub(super) fn first(
        &mut self,
        candidates: &mut dyn Iterator<Item = Option<Candidate>>,
        next: &mut dyn Iterator<Item = Option<Candidate>>,
        rewrites: bool,
    ) -> Answer {
        let around = self.focus.as_ref().map(|focus| focus.around.clone());
        let whole = |candidate: Option<Candidate>| candidate.map(|it| it.within(&around));
        let mut candidates = candidates.map(whole);
        let mut next = next.take(NEXT).map(whole);
        // What was looked at for earlier questions is kept as far as it will be asked for soon.
        let mut soon: [Vec<Option<Candidate>>; 2] = Default::default();
        if std::mem::take(&mut self.is_ahead_old) && !self.ahead.is_empty() {
            let most = 2 * self.pool.workers();
            soon[0].extend(candidates.by_ref().take(most));
            soon[1].extend(next.by_ref().take(most - soon[0].len()));
            let all = soon.iter().flatten().flatten();
            let wanted = all.map(Candidate::key).collect();
            self.forget_all_but(&wanted);
        }
        let [soon, soon_next] = soon;
        let mut candidates = soon.into_iter().chain(candidates);
        let mut next = soon_next.into_iter().chain(next);
        let mut pending: VecDeque<Pending> = VecDeque::new();
        let mut committed = 0;
        let mut exhausted = false;
        let answer = loop {
            // The budget comes first, so that an answer that has just arrived cannot extend it.
            if self.is_tired() {
                break Answer::Stop;
            }
            if pending.front().is_some_and(Pending::is_known)
                && let Some(Pending { content, state }) = pending.pop_front()
            {
                if !self.commit(content, &state) {
                    break Answer::Stop;
                }
                if let State::Better(better) = state {
                    self.accept(better, content);
                    break Answer::Found(committed);
                }
                committed += 1;
                continue;
            }
            if self.is_over() {
                break Answer::Stop;
            }
            let found = |last: &Pending| matches!(last.state, State::Better(_));
            // The first one is always pulled: jobs that are ahead may have taken all the room.
            while !exhausted
                && !pending.back().is_some_and(found)
                && pending.len() < LOOK_AHEAD
                && (pending.is_empty() || self.pool.has_room())
                && !self.stop.is_cancelled()
            {
                let Some(candidate) = candidates.next() else {
                    exhausted = true;
                    break;
                };
                let candidate = candidate.filter(|it| self.is_worth_it(it, rewrites));
                let content = candidate.as_ref().map_or(self.best_key, Candidate::key);
                let state = match candidate {
                    Some(candidate) => self.state_of(content, candidate, &pending),
                    None => State::Unchanged,
                };
                pending.push_back(Pending { content, state });
            }
            match pending.front() {
                None => break Answer::Nothing,
                Some(front) if front.is_known() => {}
                Some(_) => {
                    while exhausted
                        && !pending.back().is_some_and(found)
                        && self.pool.has_room()
                        && !self.stop.is_cancelled()
                    {
                        let Some(candidate) = next.next() else { break };
                        if let Some(candidate) = candidate {
                            self.look_ahead(candidate, &pending);
                        }
                    }
                    self.wait(&mut pending);
                }
            }
        };
        if self.is_over() || self.is_tired() {
            self.forget_ahead();
        } else {
            // What was looked at ahead of time may be what is asked for next.
            if answer.found().is_some() {
                let ahead = self.ahead.values().filter_map(Ahead::job).collect();
                self.pool.drop_but(&ahead);
            }
            self.is_ahead_old = true;
        }
        answer
    }

    /// Which candidates are interesting, each by itself. All of them are asked about, whatever the
    /// answers, so it does not matter when these come.
    pub(super) fn each(
        &mut self,
        candidates: &mut dyn ExactSizeIterator<Item = Option<Candidate>>,
        rewrites: bool,
    ) -> Vec<bool> {
        let around = self.focus.as_ref().map(|focus| focus.around.clone());
        self.forget_ahead();
        let count = candidates.len();
        let mut states: Vec<(Key, State)> = Vec::with_capacity(count);
        let mut nobody: VecDeque<Pending> = VecDeque::new();
        loop {
            while self.pool.has_room() && !self.is_over() {
                let Some(candidate) = candidates.next() else { break };
                let candidate = candidate.map(|it| it.within(&around));
                let candidate = candidate.filter(|it| self.is_worth_it(it, rewrites));
                states.push(match candidate {
                    Some(candidate) => (candidate.key(), self.state_ahead(candidate)),
                    None => (self.best_key, State::Unchanged),
                });
            }
            let is_running =
                |(key, _): &(Key, State)| matches!(self.ahead.get(key), Some(Ahead::Running(_)));
            if states.len() == count && !states.iter().any(is_running) || self.is_over() {
                break;
            }
            self.wait(&mut nobody);
        }
        let mut verdicts = Vec::with_capacity(count);
        for (key, mut state) in states {
            if let Some(Ahead::Unresolved(reason)) = self.ahead.remove(&key) {
                state = State::Unresolved(reason);
            }
            if self.is_over() || self.is_tired() || !self.commit(key, &state) {
                break;
            }
            let is_known = matches!(state, State::Refused);
            let interesting = is_known && self.cache.get(key) == Some(true);
            // What is found is not in vain, though it is not taken yet.
            if interesting {
                self.in_vain = 0;
            }
            verdicts.push(interesting);
        }
        verdicts.resize(count, false);
        verdicts
    }

    /// What is known of a candidate whose turn is none; if nothing is, a worker is asked.
    fn state_ahead(&mut self, candidate: Candidate) -> State {
        let content = candidate.key();
        if content == self.best_key {
            return State::Unchanged;
        }
        if self.was_unresolved(content) {
            return State::Unresolved(Reason::TimedOut);
        }
        if self.cache.get(content).is_none() && !self.ahead.contains_key(&content) {
            let id = self.pool.submit(content, candidate, true);
            self.ahead.insert(content, Ahead::Running(id));
        }
        State::Refused
    }

    /// Whether an earlier run had no answer, this time once more.
    fn was_unresolved(&mut self, content: Key) -> bool {
        match self.unresolved_before.get_mut(&content) {
            Some(times @ 1..) => {
                *times -= 1;
                true
            }
            _ => false,
        }
    }

    /// Whether a candidate is worth a test.
    fn is_worth_it(&self, candidate: &Candidate, rewrites: bool) -> bool {
        self.keep.allows(candidate) && (!rewrites || self.is_smaller(candidate))
    }

    fn is_smaller(&self, candidate: &Candidate) -> bool {
        self.best.nearly(Arc::new(candidate.bytes())) < *self.best
    }

    /// Drops what is ahead of the search: something else will be asked.
    pub(crate) fn forget_ahead(&mut self) {
        self.pool.drop_all();
        self.ahead.clear();
    }

    /// Drops what is ahead of the search and not among these.
    fn forget_all_but(&mut self, wanted: &HashSet<Key>) {
        self.ahead.retain(|key, _| wanted.contains(key));
        let kept = self.ahead.values().filter_map(Ahead::job).collect();
        self.pool.drop_but(&kept);
    }

    /// Has a candidate judged whose turn may come.
    fn look_ahead(&mut self, candidate: Candidate, pending: &VecDeque<Pending>) {
        let content = candidate.key();
        let is_known = content == self.best_key
            || self.ahead.contains_key(&content)
            || self.cache.get(content).is_some()
            || self.unresolved_before.get(&content).is_some_and(|times| *times > 0)
            || pending.iter().any(|each| each.content == content)
            || !self.keep.allows(&candidate);
        if !is_known {
            let id = self.pool.submit(content, candidate, true);
            self.ahead.insert(content, Ahead::Running(id));
        }
    }

    /// What is known of a candidate; if nothing is, a worker is asked.
    fn state_of(
        &mut self,
        content: Key,
        candidate: Candidate,
        pending: &VecDeque<Pending>,
    ) -> State {
        if content == self.best_key {
            return State::Unchanged;
        }
        if let Some(interesting) = self.cache.get(content) {
            let better = interesting
                .then(|| self.best.nearly(Arc::new(candidate.bytes())))
                .filter(|found| *found < *self.best);
            return better.map_or(State::Refused, State::Better);
        }
        if self.was_unresolved(content) {
            return State::Unresolved(Reason::TimedOut);
        }
        // The same content may be asked for twice in a row, as ddmin's halves are.
        let same =
            |each: &&Pending| each.content == content && matches!(each.state, State::Running(_));
        match pending.iter().rev().find(same) {
            Some(Pending { state: State::Running(id), .. }) => State::Running(*id),
            _ => match self.ahead.remove(&content) {
                Some(Ahead::Unresolved(reason)) => State::Unresolved(reason),
                Some(Ahead::Running(id)) => {
                    self.pool.catch_up(id);
                    State::Running(id)
                }
                None => State::Running(self.pool.submit(content, candidate, false)),
            },
        }
    }

    /// Waits for answers and notes them.
    fn wait(&mut self, pending: &mut VecDeque<Pending>) {
        for answer in self.pool.answers(self.deadline, &self.stop) {
            let written = self.journal.as_mut().map(|it| it.write(answer.key, &answer.verdict));
            if let Some(Err(error)) = written {
                self.end = Some(Err(Error::Write(error)));
            }
            let certain = match answer.verdict {
                Verdict::Interesting => Some(true),
                Verdict::Boring => Some(false),
                Verdict::Unresolved(_) => None,
            };
            if let Some(interesting) = certain {
                self.cache.put(answer.key, interesting);
            }
            if let Some(Ahead::Running(id)) = self.ahead.get(&answer.key)
                && *id == answer.id
            {
                match answer.verdict {
                    Verdict::Unresolved(reason) => {
                        self.ahead.insert(answer.key, Ahead::Unresolved(reason))
                    }
                    _ => self.ahead.remove(&answer.key),
                };
                continue;
            }
            let asked =
                |each: &Pending| matches!(each.state, State::Running(id) if id == answer.id);
            // It may have been judged while another one was the best.
            if let Some(better) = answer.better.filter(|better| *better < *self.best) {
                // Whatever comes later is stale, and the pool has dropped it.
                if let Some(index) = pending.iter().position(asked) {
                    pending.truncate(index + 1);
                    pending[index].state = State::Better(better);
                }
                continue;
            }
            for each in pending.iter_mut().filter(|each| asked(each)) {
                each.state = match &answer.verdict {
                    Verdict::Unresolved(reason) => State::Unresolved(reason.clone()),
                    _ => State::Refused,
                };
            }
        }
        if self.last_progress.elapsed() >= PROGRESS {
            self.last_progress = Instant::now();
            let counts = self.counts();
            (self.observer)(&Event::Progress { counts });
        }
    }

    /// Counts an answer whose turn has come; `false` if the run is to stop instead.
    fn commit(&mut self, content: Key, state: &State) -> bool {
        if matches!(state, State::Unchanged) {
            return true;
        }
        let standing = self.cache.ask(content);
        if standing != Standing::Asked {
            self.questions += 1;
            self.in_vain += 1;
        }
        if standing != Standing::New {
            self.counts.hits += 1;
            return true;
        }
        if self.max_tests.is_some_and(|most| self.counts.tests >= most) {
            self.end = Some(Ok(End::MaxTests));
            return false;
        }
        self.counts.tests += 1;
        if let State::Unresolved(reason) = state {
            self.counts.unresolved += 1;
            match reason {
                Reason::TimedOut => self.timed_out += 1,
                Reason::Broken(why) => self.end = Some(Err(Error::Broken(why.clone()))),
                _ => {}
            }
        }
        true
    }
}

/// What is known of a candidate that may be asked for soon.
pub(crate) enum Ahead {
    /// A worker has it.
    Running(JobId),
    /// Nobody knows.
    Unresolved(Reason),
}

impl Ahead {
    fn job(&self) -> Option<JobId> {
        match self {
            Ahead::Running(id) => Some(*id),
            Ahead::Unresolved(_) => None,
        }
    }
}

/// A candidate whose turn has not come yet.
struct Pending {
    content: Key,
    state: State,
}

enum State {
    /// A worker has it.
    Running(JobId),
    /// It is the best itself, or not worth a test.
    Unchanged,
    /// Boring, or interesting but not smaller than the best.
    Refused,
    /// Nobody knows.
    Unresolved(Reason),
    /// Interesting and smaller.
    Better(Measured),
}

impl Pending {
    fn is_known(&self) -> bool {
        !matches!(self.state, State::Running(_))
    }
}
