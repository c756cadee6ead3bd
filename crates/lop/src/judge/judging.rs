//! How candidates are judged: pulled in their order, looked up, handed to workers, committed in their order.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::oracle::{Reason, Verdict};
use crate::search::Answer;
use crate::search::pool::{Ended, Finished, JobId, Pool};
use crate::session::{Session, Standing};
use crate::text::{Key, Measured};

use super::Judge;
use super::bench::{Bench, Job, Judged, Moment, Proposal, Terms};
use super::cache::Cache;
use super::pending::{Ahead, Pending, State};
use super::refusals::{Change, Refusals};
use super::scouting::Scouting;

/// How many known answers may wait behind one that is still open.
const LOOK_AHEAD: usize = 4096;
/// How many candidates of the next questions are judged ahead while a question is open.
const NEXT: usize = 64;

/// The weight of the last candidate in the estimate of the odds, against all before.
const SAYS: f64 = 0.02;
/// How many candidates are scouted, as a multiple of the number likely to be asked before something is found.
const REACH: f64 = 2.0;

/// How long a search waits before it checks whether its phase is skipped.
const GLANCE: Duration = Duration::from_millis(100);

/// Judges candidates with a panel of workers, and keeps the best.
pub(crate) struct Panel<'b> {
    bench: &'b Bench<'b>,
    pool: Pool<Job, Judged>,
    cache: Cache,
    /// Candidates ahead of the search, by content; those with a certain verdict are in the cache instead.
    ahead: HashMap<Key, Ahead>,
    /// Whether they were judged ahead for an earlier question.
    is_ahead_old: bool,
    best: Arc<Measured>,
    best_key: Key,
    /// Whether tests have a longer limit than usual.
    has_longer_limit: bool,
    /// How often the limit has changed: a job whose answer is no longer needed may still run, with another limit.
    limit_changes: u64,
    refusals: Refusals,
    /// Where a scout leaves its finds, and the finds that workers have.
    scouting: Option<Arc<Scouting>>,
    scouted: HashMap<Key, JobId>,
    /// How likely a candidate is to be better, estimated from the last ones.
    odds: f64,
}

impl<'b> Panel<'b> {
    /// Judges with the workers of a pool, which ask the oracle of a bench.
    pub(crate) fn new(
        bench: &'b Bench<'b>,
        pool: Pool<Job, Judged>,
        cache: Cache,
        best: Arc<Measured>,
    ) -> Self {
        Panel {
            bench,
            pool,
            cache,
            ahead: HashMap::new(),
            is_ahead_old: false,
            best_key: best.key(),
            best,
            has_longer_limit: false,
            limit_changes: 0,
            refusals: Refusals::default(),
            scouting: None,
            scouted: HashMap::new(),
            odds: 0.2,
        }
    }

    /// Lets idle workers test a scout's finds.
    pub(crate) fn set_scouting(&mut self, scouting: Arc<Scouting>) {
        scouting.on_find(self.pool.nudge());
        self.scouting = Some(scouting);
    }

    /// Drops the candidates ahead of the search, except these.
    fn forget_all_but(&mut self, wanted: &HashSet<Key>) {
        self.ahead.retain(|key, _| wanted.contains(key));
        let kept = self.ahead.values().filter_map(Ahead::job).collect();
        self.pool.drop_but(&kept);
    }

    /// What is known of a content regardless of the question; `None` if a worker has to look at it.
    fn look_up(&self, session: &Session<'_>, content: Key) -> Option<State> {
        if content == self.best_key {
            return Some(State::Unchanged);
        }
        session.was_unresolved(content).map(|reason| State::Unresolved(reason.clone(), true))
    }

    /// The job of a worker that gets a candidate now.
    fn job(&self, content: Key, proposal: Proposal, terms: &Terms) -> Job {
        let known = self.cache.get(content).map(|interesting| match interesting {
            true => Verdict::Interesting,
            false => Verdict::Boring,
        });
        Job::new(content, proposal, terms, known, self.moment())
    }

    fn moment(&self) -> Moment {
        Moment { best: self.best_key, limit_changes: self.limit_changes }
    }

    /// The state of a candidate; if nothing is known of it, it is submitted to a worker.
    fn state_of(
        &mut self,
        session: &Session<'_>,
        terms: &Terms,
        content: Key,
        proposal: Proposal,
    ) -> State {
        let scouted = self.scouted.remove(&content);
        if let Some(state) = self.look_up(session, content) {
            return state;
        }
        let job = self.job(content, proposal, terms);
        if job.known == Some(Verdict::Boring) {
            return match job.has_terms() {
                true => State::Recalled(Box::new(job)),
                false => State::Refused(false),
            };
        }
        match self.ahead.remove(&content) {
            Some(Ahead::Unresolved(reason)) if job.terms.must_shrink => {
                let known = Some(Verdict::Unresolved(reason));
                State::Running(self.pool.submit(Job { known, ..job }))
            }
            Some(Ahead::Unresolved(reason)) => State::Unresolved(reason, false),
            Some(Ahead::Vetoed) => State::Unchanged,
            Some(Ahead::Running(id)) => {
                self.pool.catch_up(id);
                State::Running(id)
            }
            None => match scouted {
                Some(id) if self.pool.keep(id) => State::Scouted(id, Box::new(job)),
                _ => State::Running(self.pool.submit(job)),
            },
        }
    }

    /// Drops the candidates that workers test for the scout.
    fn forget_scouted(&mut self) {
        self.scouted.clear();
        self.pool.drop_idle();
    }

    /// Lets idle workers test what will be asked if nothing is found.
    fn scout(&mut self, session: &Session<'_>) {
        let Some(scouting) = self.scouting.clone() else { return };
        // After the next success, the scouted candidates are stale.
        let reach = (REACH / self.odds) as usize;
        while !session.stop().is_cancelled()
            && self.scouted.len() < reach
            && self.pool.has_idle_worker()
            && let Some((content, proposal, terms)) = scouting.next()
        {
            let is_known = self.cache.get(content).is_some()
                || self.look_up(session, content).is_some()
                || self.ahead.contains_key(&content)
                || self.scouted.contains_key(&content);
            if is_known {
                continue;
            }
            let change = self.refusals.change(&self.best.text, &proposal.candidate);
            if change.is_none_or(|change| !self.refusals.has(change)) {
                let job = self.job(content, proposal, &terms);
                self.scouted.insert(content, self.pool.submit_idle(job));
            }
        }
    }

    /// Settles a recalled candidate whose turn has come. If its content was asked for before, it is refused; otherwise
    /// a worker has to check whether it is worth a test.
    fn settle_front(&mut self, pending: &mut VecDeque<Pending>) {
        let Some(front) = pending.front_mut() else { return };
        if !matches!(front.state, State::Recalled(_)) {
            return;
        }
        let State::Recalled(job) = std::mem::replace(&mut front.state, State::Refused(false))
        else {
            return;
        };
        if !self.cache.was_asked(front.content) {
            // A later answer may have settled the question already, so this job is submitted ahead, without a turn. It
            // needs none: the candidate is boring or not worth a test.
            front.state = State::Running(self.pool.submit_ahead(*job));
        }
    }

    /// Has a candidate judged that may be asked for soon.
    fn look_ahead(
        &mut self,
        session: &Session<'_>,
        terms: &Terms,
        content: Key,
        proposal: Proposal,
        pending: &VecDeque<Pending>,
    ) {
        let change = self.refusals.change(&self.best.text, &proposal.candidate);
        let is_known = change.is_some_and(|change| self.refusals.has(change))
            || self.look_up(session, content).is_some()
            || self.ahead.contains_key(&content)
            || self.cache.get(content).is_some()
            || pending.iter().any(|each| each.content == content);
        if !is_known {
            let job = self.job(content, proposal, terms);
            let id = self.pool.submit_ahead(job);
            self.ahead.insert(content, Ahead::Running(id));
        }
    }

    /// Waits for answers and notes them.
    fn wait(&mut self, session: &mut Session<'_>, pending: &mut VecDeque<Pending>) {
        for (id, job, judged) in self.answers(session) {
            let content = job.key;
            if let Some(Ahead::Running(ahead)) = self.ahead.get(&content)
                && *ahead == id
            {
                match judged {
                    Judged::Vetoed => self.ahead.insert(content, Ahead::Vetoed),
                    Judged::Judged(Verdict::Unresolved(reason), _) => {
                        self.ahead.insert(content, Ahead::Unresolved(reason))
                    }
                    Judged::Judged(..) => self.ahead.remove(&content),
                };
                continue;
            }
            let asked = |each: &Pending| each.job() == Some(id);
            let Some(first) = pending.iter().position(asked) else { continue };
            if let State::Scouted(_, own) = &mut pending[first].state {
                let known = match judged {
                    Judged::Judged(verdict, _) => Some(verdict),
                    Judged::Vetoed => None,
                };
                let own = Job { known, ..(**own).clone() };
                pending[first].state = State::Running(self.pool.submit_ahead(own));
                continue;
            }
            if let Judged::Judged(verdict, _) = &judged
                && job.terms.must_shrink
                && job.moment.best != self.best_key
            {
                // It was worth a test when another text was the best, and which text that was depends on how far
                // workers were ahead. So it is checked again, ahead and without a turn: a later answer may have settled
                // the question already.
                let known = Some(verdict.clone());
                let again = self.pool.submit_ahead(Job { known, moment: self.moment(), ..job });
                pending[first].state = State::Running(again);
                continue;
            }
            let state = self.judged(&judged);
            if matches!(state, State::Better(_)) {
                // All later candidates are stale, and the pool has dropped them.
                pending.truncate(first + 1);
            }
            pending[first].state = state;
        }
    }

    /// Waits for answers, and notes verdicts that are certain.
    fn answers(&mut self, session: &mut Session<'_>) -> Vec<(JobId, Job, Judged)> {
        let glance = Instant::now() + GLANCE;
        let until = session.deadline().map_or(glance, |deadline| deadline.min(glance));
        let finished = self.pool.wait(Some(until), session.stop());
        if finished.is_empty() {
            return Vec::new();
        }
        let mut answers = Vec::with_capacity(finished.len());
        for Finished { id, job, ended } in finished {
            let judged = match ended {
                Ended::Done(judged) => judged,
                Ended::Cancelled => continue,
                Ended::Panicked(why) => {
                    let why = format!("the oracle panicked: {why}");
                    Judged::Judged(Verdict::Unresolved(Reason::Broken(why)), None)
                }
            };
            if let Judged::Judged(verdict, _) = &judged
                && let (Some(interesting), None) = (verdict.certain(), &job.known)
            {
                if job.moment.limit_changes != self.limit_changes {
                    continue;
                }
                // With the longer limit, candidates get certain verdicts that would have timed out, so these are
                // recorded when their turn comes.
                if !self.has_longer_limit {
                    session.record(job.key, verdict);
                }
                self.cache.put(job.key, interesting);
            }
            answers.push((id, job, judged));
        }
        session.tell_findings(self.bench.oracle());
        session.progress();
        answers
    }

    /// The state that an answer means now. The candidate may have been judged while another text was the best.
    fn judged(&self, judged: &Judged) -> State {
        match judged {
            Judged::Vetoed => State::Unchanged,
            Judged::Judged(Verdict::Unresolved(reason), _) => {
                State::Unresolved(reason.clone(), false)
            }
            Judged::Judged(Verdict::Boring, _) => State::Refused(false),
            Judged::Judged(Verdict::Interesting, measured) => {
                let better = measured.as_ref().filter(|measured| **measured < *self.best);
                better.cloned().map_or(State::Refused(true), State::Better)
            }
        }
    }

    /// Counts an answer whose turn has come; `false` if the run has to stop instead.
    fn commit(
        &mut self,
        session: &mut Session<'_>,
        content: Key,
        change: Option<Change>,
        state: &State,
    ) -> bool {
        if let (Some(change), State::Refused(_) | State::Unresolved(..)) = (change, state) {
            self.refusals.add(change);
        }
        match state {
            State::Unchanged => true,
            State::Repeated if !self.cache.was_asked(content) => true,
            State::Repeated => session.commit(Standing::Asked, None),
            State::Unresolved(reason, true) => {
                session.pass_unresolved(content);
                session.commit(Standing::Past, Some(reason))
            }
            State::Unresolved(reason, false) => {
                let counts = session.commit(self.cache.ask(content, None), Some(reason));
                if counts {
                    session.record(content, &Verdict::Unresolved(reason.clone()));
                }
                counts
            }
            state => {
                let verdict = state.verdict();
                let is_new = self.has_longer_limit && !self.cache.was_asked(content);
                let counts = session.commit(self.cache.ask(content, verdict), None);
                if let Some(interesting) = verdict.filter(|_| is_new && counts) {
                    let verdict = if interesting { Verdict::Interesting } else { Verdict::Boring };
                    session.record(content, &verdict);
                }
                counts
            }
        }
    }

    fn accept(&mut self, session: &mut Session<'_>, better: Measured) {
        session.became_smaller(self.best.size, better.size);
        self.set_best(Arc::new(better));
        if self.has_longer_limit {
            // The longer limit is for the end of a run, when nothing else can be tried; now there is more to try.
            self.set_longer_limit(false);
            session.end_retries();
        }
    }
}

impl Judge for Panel<'_> {
    fn best(&self) -> &Arc<Measured> {
        &self.best
    }

    fn best_key(&self) -> Key {
        self.best_key
    }

    fn set_best(&mut self, best: Arc<Measured>) {
        self.best_key = best.key();
        self.bench.set_best(&best);
        self.refusals.improved(&best.text);
        self.best = best;
        // The scout's finds belong to the text before.
        self.forget_scouted();
    }

    fn leave_out_refused(&mut self, leave_out: bool) {
        self.refusals.leave_out(leave_out);
    }

    fn set_longer_limit(&mut self, longer: bool) -> bool {
        let differs = self.bench.oracle().set_longer_limit(longer);
        self.has_longer_limit = longer && differs;
        self.limit_changes += 1;
        // The candidates ahead were judged with another limit, and how many there are depends on the number of workers.
        self.forget_ahead();
        self.forget_scouted();
        self.cache.forget_early();
        differs
    }

    fn first(
        &mut self,
        session: &mut Session<'_>,
        terms: &Terms,
        proposals: &mut dyn Iterator<Item = Proposal>,
        next: &mut dyn Iterator<Item = Proposal>,
    ) -> Answer {
        let keyed = |proposal: Proposal| (proposal.candidate.key(), proposal);
        let mut proposals = proposals.map(keyed);
        let mut next = next.take(NEXT).map(keyed);
        // Of the candidates judged ahead for earlier questions, only those that will be asked for soon are kept.
        let mut soon: [Vec<(Key, Proposal)>; 2] = Default::default();
        if std::mem::take(&mut self.is_ahead_old) && !self.ahead.is_empty() {
            let most = 2 * self.pool.workers();
            soon[0].extend(proposals.by_ref().take(most));
            soon[1].extend(next.by_ref().take(most - soon[0].len()));
            let wanted = soon.iter().flatten().map(|(key, _)| *key).collect();
            self.forget_all_but(&wanted);
        }
        let [soon, soon_next] = soon;
        let mut proposals = soon.into_iter().chain(proposals);
        let mut next = soon_next.into_iter().chain(next);
        let mut pending: VecDeque<Pending> = VecDeque::new();
        let mut changes: HashSet<Change> = HashSet::new();
        let mut contents: HashSet<Key> = HashSet::new();
        let mut committed = 0;
        let mut exhausted = false;
        let answer = loop {
            // The budget is checked first, so that an answer that has just arrived cannot extend it.
            if session.is_out_of_budget() {
                break Answer::Stop;
            }
            self.settle_front(&mut pending);
            if pending.front().is_some_and(Pending::is_known)
                && let Some(Pending { content, change, state }) = pending.pop_front()
            {
                if !self.commit(session, content, change, &state) {
                    break Answer::Stop;
                }
                let is_better = matches!(state, State::Better(_));
                self.odds += SAYS * (f64::from(is_better) - self.odds);
                if let State::Better(better) = state {
                    self.accept(session, better);
                    break Answer::Found(committed);
                }
                committed += 1;
                continue;
            }
            if session.is_over() {
                break Answer::Stop;
            }
            // The first one is always pulled: jobs that are ahead may have taken all the room.
            while !exhausted
                && !pending.back().is_some_and(Pending::is_better)
                && pending.len() < LOOK_AHEAD
                && (pending.is_empty() || self.pool.has_room())
                && !session.stop().is_cancelled()
            {
                let Some((content, proposal)) = proposals.next() else {
                    exhausted = true;
                    break;
                };
                let change = self.refusals.change(&self.best.text, &proposal.candidate);
                // A change that occurs twice in one question is asked for once, whenever the first answer comes.
                let was_refused = change
                    .is_some_and(|change| self.refusals.has(change) || !changes.insert(change));
                let state = match was_refused {
                    true => State::Unchanged,
                    false if !contents.insert(content) => State::Repeated,
                    false => self.state_of(session, terms, content, proposal),
                };
                pending.push_back(Pending { content, change, state });
            }
            match pending.front() {
                None => break Answer::Nothing,
                Some(front) if front.is_known() => {}
                Some(_) => {
                    while exhausted
                        && !pending.back().is_some_and(Pending::is_better)
                        && self.pool.has_room()
                        && !session.stop().is_cancelled()
                    {
                        let Some((content, proposal)) = next.next() else { break };
                        self.look_ahead(session, terms, content, proposal, &pending);
                    }
                    self.scout(session);
                    self.wait(session, &mut pending);
                }
            }
        };
        if session.is_over() || session.is_out_of_budget() {
            self.forget_ahead();
        } else {
            // The candidates judged ahead of time may be asked for next.
            if answer.found().is_some() {
                let ahead = self.ahead.values().filter_map(Ahead::job).collect();
                self.pool.drop_but(&ahead);
            }
            self.is_ahead_old = true;
        }
        answer
    }

    fn each(
        &mut self,
        session: &mut Session<'_>,
        terms: &Terms,
        proposals: &mut dyn ExactSizeIterator<Item = Proposal>,
    ) -> Vec<bool> {
        self.forget_ahead();
        let count = proposals.len();
        let mut asked: VecDeque<Pending> = VecDeque::with_capacity(count);
        // The places of the candidates that workers have.
        let mut running: HashMap<JobId, usize> = HashMap::new();
        let mut contents: HashSet<Key> = HashSet::new();
        loop {
            while self.pool.has_room() && !session.is_over() && !session.is_skipped() {
                let Some(proposal) = proposals.next() else { break };
                let content = proposal.candidate.key();
                let place = asked.len();
                let change = self.refusals.change(&self.best.text, &proposal.candidate);
                if change.is_some_and(|change| self.refusals.has(change)) {
                    asked.push_back(Pending { content, change, state: State::Unchanged });
                    continue;
                }
                if !contents.insert(content) {
                    asked.push_back(Pending { content, change, state: State::Repeated });
                    continue;
                }
                let job = self.job(content, proposal, terms);
                let state = match self.look_up(session, content) {
                    Some(state) => state,
                    None if job.known == Some(Verdict::Boring) && !job.has_terms() => {
                        State::Refused(false)
                    }
                    None => {
                        let id = self.pool.submit_ahead(job);
                        running.insert(id, place);
                        State::Running(id)
                    }
                };
                asked.push_back(Pending { content, change, state });
            }
            if asked.len() == count && running.is_empty()
                || session.is_over()
                || session.is_skipped()
            {
                break;
            }
            self.scout(session);
            for (id, _, judged) in self.answers(session) {
                if let Some(place) = running.remove(&id) {
                    asked[place].state = self.judged(&judged);
                }
            }
        }
        let mut verdicts = Vec::with_capacity(count);
        for Pending { content, change, state } in asked {
            if session.is_over()
                || session.is_out_of_budget()
                || !self.commit(session, content, change, &state)
            {
                break;
            }
            let interesting = match state {
                State::Repeated => self.cache.get(content) == Some(true),
                state => state.verdict() == Some(true),
            };
            verdicts.push(interesting);
        }
        verdicts.resize(count, false);
        verdicts
    }

    fn forget_ahead(&mut self) {
        self.pool.drop_all();
        self.ahead.clear();
    }
}
