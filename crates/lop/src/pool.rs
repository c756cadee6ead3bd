//! Workers that judge candidates at the same time.
//!
//! Jobs have turns, in the order in which the search wants their answers. As soon as one is found to be
//! better than the best, all later ones are stale: those that wait are dropped and those that run are
//! cancelled, by the worker itself, so that it does not start another one meanwhile.
//!
//! A job may also be *ahead* of the search: its turn may come, but it has none, and nothing depends on it yet.

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crate::candidate::{Candidate, Key};
use crate::measured::Measured;
use crate::oracle::{Oracle, Reason, Verdict};
use crate::search::Cancel;

/// The number of a job.
pub(crate) type JobId = u64;

/// A candidate to be judged.
struct Job {
    id: JobId,
    key: Key,
    candidate: Candidate,
}

/// What became of a job.
pub(crate) struct Answer {
    pub(crate) id: JobId,
    pub(crate) key: Key,
    pub(crate) verdict: Verdict,
    /// The candidate, if it is interesting and smaller than the best.
    pub(crate) better: Option<Measured>,
}

/// A set of workers.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    next: JobId,
}

struct Shared {
    oracle: Arc<dyn Oracle>,
    state: Mutex<State>,
    /// Something to do, for workers.
    work: Condvar,
    /// Something answered or stopped, for the search.
    news: Condvar,
}

struct State {
    /// What has to be beaten.
    best: Arc<Measured>,
    waiting: VecDeque<Job>,
    running: Vec<(JobId, Cancel)>,
    /// When the search came to which job; on those that are still ahead of it nothing depends.
    turns: HashMap<JobId, u64>,
    answers: Vec<Answer>,
    /// A better one was found: what comes after it need not be judged.
    found: bool,
    next_turn: u64,
    executed: u64,
    closed: bool,
}

impl State {
    /// Notes that the search has come to a job.
    fn take_turn(&mut self, id: JobId) {
        let turn = self.next_turn;
        self.next_turn += 1;
        self.turns.insert(id, turn);
    }

    /// Drops the jobs that come after a turn. A job that was ahead has a smaller number than others that
    /// come before it, so numbers say nothing about that.
    fn drop_after(&mut self, turn: u64) {
        self.found = true;
        let turns = &self.turns;
        // What is ahead may be what is asked for next.
        let is_before = |id: &JobId| turns.get(id).is_none_or(|each| *each < turn);
        self.waiting.retain(|job| is_before(&job.id));
        let stale = self.running.iter().filter(|(id, _)| !is_before(id));
        stale.for_each(|(_, cancel)| cancel.cancel());
    }

    fn drop_all(&mut self) {
        self.drop_but(&HashSet::new());
    }

    fn drop_but(&mut self, kept: &HashSet<JobId>) {
        self.found = false;
        self.waiting.retain(|job| kept.contains(&job.id));
        self.turns.clear();
        let stale = self.running.iter().filter(|(id, _)| !kept.contains(id));
        stale.for_each(|(_, cancel)| cancel.cancel());
    }
}

impl Pool {
    /// Starts workers that ask an oracle.
    pub(crate) fn new(oracle: Arc<dyn Oracle>, workers: usize, best: Arc<Measured>) -> Self {
        let state = State {
            best,
            waiting: VecDeque::new(),
            running: Vec::new(),
            turns: HashMap::new(),
            answers: Vec::new(),
            found: false,
            next_turn: 0,
            executed: 0,
            closed: false,
        };
        let shared = Arc::new(Shared {
            oracle,
            state: Mutex::new(state),
            work: Condvar::new(),
            news: Condvar::new(),
        });
        let worker = |slot| {
            let shared = shared.clone();
            thread::spawn(move || shared.work(slot))
        };
        let workers = (0..workers).map(worker).collect();
        Pool { shared, workers, next: 0 }
    }

    /// Whether a job may be added: as long as a worker could have to wait for the next.
    pub(crate) fn has_room(&self) -> bool {
        let state = self.shared.lock();
        let running = state.running.iter().filter(|(_, cancel)| !cancel.is_cancelled()).count();
        let ahead = 1 + self.workers.len() / 4;
        !state.found && running + state.waiting.len() < self.workers.len() + ahead
    }

    /// How many workers there are.
    pub(crate) fn workers(&self) -> usize {
        self.workers.len()
    }

    /// From here on, something else has to be beaten.
    pub(crate) fn set_best(&self, best: &Arc<Measured>) {
        self.shared.lock().best = best.clone();
    }

    /// Adds a job, unless it is stale already; nothing depends on one that is ahead, so all others go before it.
    pub(crate) fn submit(&mut self, key: Key, candidate: Candidate, ahead: bool) -> JobId {
        let id = self.next;
        self.next += 1;
        let mut state = self.shared.lock();
        if ahead || !state.found {
            let has_turn = |job: &Job| state.turns.contains_key(&job.id);
            let place = match ahead {
                true => state.waiting.len(),
                false => state.waiting.iter().rposition(has_turn).map_or(0, |last| last + 1),
            };
            state.waiting.insert(place, Job { id, key, candidate });
            if !ahead {
                state.take_turn(id);
            }
            self.shared.work.notify_one();
        }
        id
    }

    /// The search has come to a job that was ahead of it.
    pub(crate) fn catch_up(&self, id: JobId) {
        self.shared.lock().take_turn(id);
    }

    /// Waits for answers, until there are some, the time comes, or someone calls the waker.
    pub(crate) fn answers(&self, until: Option<Instant>, stop: &Cancel) -> Vec<Answer> {
        let mut state = self.shared.lock();
        while state.answers.is_empty() && !stop.is_cancelled() {
            state = match until.map(|until| until.saturating_duration_since(Instant::now())) {
                None => self.shared.news.wait(state).expect("no worker panics with the lock"),
                Some(left) if left.is_zero() => break,
                Some(left) => {
                    let waited = self.shared.news.wait_timeout(state, left);
                    waited.expect("no worker panics with the lock").0
                }
            };
        }
        std::mem::take(&mut state.answers)
    }

    /// Something that wakes up whoever waits for answers.
    pub(crate) fn waker(&self) -> impl Fn() + Send + 'static {
        let shared = self.shared.clone();
        move || {
            // With the lock held, the wake-up cannot fall between a check and the wait.
            let mut state = shared.lock();
            state.drop_all();
            shared.news.notify_all();
        }
    }

    /// Drops all jobs, since their answers no longer matter, and is ready for new ones.
    pub(crate) fn drop_all(&self) {
        self.shared.lock().drop_all();
    }

    /// Drops all jobs but these, which are ahead of the search, and is ready for new ones.
    pub(crate) fn drop_but(&self, kept: &HashSet<JobId>) {
        self.shared.lock().drop_but(kept);
    }

    /// How many candidates were really judged, cancelled ones included.
    pub(crate) fn executed(&self) -> u64 {
        self.shared.lock().executed
    }

    /// Who is asked.
    pub(crate) fn oracle(&self) -> &dyn Oracle {
        &*self.shared.oracle
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        {
            let mut state = self.shared.lock();
            state.drop_all();
            state.closed = true;
            self.shared.work.notify_all();
        }
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("no worker panics with the lock")
    }

    fn work(&self, slot: usize) {
        let mut state = self.lock();
        while !state.closed {
            let Some(Job { id, key, candidate }) = state.waiting.pop_front() else {
                state = self.work.wait(state).expect("no worker panics with the lock");
                continue;
            };
            let cancel = Cancel::default();
            state.running.push((id, cancel.clone()));
            state.executed += 1;
            drop(state);
            // Whoever waits for the answer must get one.
            let judge = || self.oracle.judge(slot, &candidate, &cancel);
            let verdict = panic::catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|_| {
                Verdict::Unresolved(Reason::Broken("whoever judges has panicked".into()))
            });
            let mut best = self.lock().best.clone();
            let better = loop {
                let better = (verdict == Verdict::Interesting)
                    .then(|| best.nearly(Arc::new(candidate.bytes())))
                    .filter(|found| found < &*best);
                state = self.lock();
                if Arc::ptr_eq(&best, &state.best) {
                    break better;
                }
                best = state.best.clone();
                drop(state);
            };
            state.running.retain(|(each, _)| *each != id);
            // A job that was cancelled too late to notice is stale: others may run by now that
            // belong to another search.
            let better = better.filter(|_| !cancel.is_cancelled());
            if let Some(turn) = state.turns.remove(&id)
                && better.is_some()
            {
                state.drop_after(turn);
            }
            if verdict != Verdict::Unresolved(Reason::Cancelled) {
                state.answers.push(Answer { id, key, verdict, better });
                self.news.notify_all();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_comes_before_a_job_that_was_ahead_is_judged_even_if_that_one_is_better() {
        let (open, gate) = mpsc::channel::<()>();
        let gate = Mutex::new(gate);
        let oracle = move |text: &[u8]| {
            if text == b"late" {
                let _ = gate.lock().unwrap().recv();
            }
            text == b"late"
        };
        let best = Arc::new(Measured::new(Arc::new(b"the best".to_vec())));
        let mut pool = Pool::new(Arc::new(oracle), 1, best);
        let candidate = |text: &[u8]| Candidate::whole(&Arc::new(text.to_vec()));
        let late = pool.submit(1, candidate(b"late"), true);
        let early = pool.submit(2, candidate(b"early"), false);
        pool.catch_up(late);
        open.send(()).unwrap();
        let mut judged = Vec::new();
        // The limit is for when it fails: it would wait for ever.
        let until = Instant::now() + Duration::from_secs(60);
        while judged.len() < 2 && Instant::now() < until {
            let answers = pool.answers(Some(until), &Cancel::default());
            judged.extend(answers.into_iter().map(|answer| (answer.id, answer.verdict)));
        }
        judged.sort_by_key(|(id, _)| *id);
        assert_eq!(judged, [(late, Verdict::Interesting), (early, Verdict::Boring)]);
    }
}
