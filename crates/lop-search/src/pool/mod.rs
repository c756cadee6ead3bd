//! Workers that do jobs at the same time.
//!
//! Jobs have turns, in the order in which the search wants their answers. As soon as an answer *settles* the question,
//! all later jobs are stale: those that wait are dropped and those that run are cancelled, by the worker itself, so that
//! it does not start another one meanwhile.
//!
//! A job may also be *ahead* of the search: it may get a turn later, but has none yet, and nothing depends on it. An
//! *idle* job is further ahead: it runs only if a worker has nothing else to do, and is cancelled when there is other
//! work.
//!
//! Invariant: every job that a worker starts is answered, even if it panics.

mod simulated;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet, VecDeque};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::Instant;

pub use simulated::Clock;

use crate::Cancel;

/// The number of a job.
pub type JobId = u64;

/// What workers do.
pub trait Work<J, A>: Sync {
    /// Does a job; `None` if it was cancelled. Each worker has its own slot.
    fn run(&self, slot: usize, job: &J, cancel: &Cancel) -> Option<A>;

    /// Whether an answer settles the question, so that all later jobs are stale. The pool is locked during the call.
    fn settles(&self, _answer: &A) -> bool {
        false
    }
}

impl<J, A, F: Fn(usize, &J, &Cancel) -> Option<A> + Sync> Work<J, A> for F {
    fn run(&self, slot: usize, job: &J, cancel: &Cancel) -> Option<A> {
        self(slot, job, cancel)
    }
}

/// A job that a worker has finished.
#[derive(Debug)]
pub struct Finished<J, A> {
    /// Its number.
    pub id: JobId,
    /// The job.
    pub job: J,
    /// How it ended.
    pub ended: Ended<A>,
}

/// How a job ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended<A> {
    /// It was done.
    Done(A),
    /// It was cancelled, and stopped because of that.
    Cancelled,
    /// It panicked with this message.
    Panicked(String),
}

/// A set of workers. Dropping it cancels all jobs and lets the workers end.
pub struct Pool<J, A> {
    shared: Arc<Shared<J, A>>,
    workers: usize,
    next: JobId,
    /// The time, if it is simulated.
    clock: Option<Arc<Clock>>,
}

struct Shared<J, A> {
    state: Mutex<State<J, A>>,
    /// There is something to do, for workers.
    work: Condvar,
    /// A job was answered or stopped, for the search.
    news: Condvar,
}

struct State<J, A> {
    waiting: VecDeque<(JobId, J)>,
    running: Vec<(JobId, Cancel)>,
    /// The turns of jobs that the search has come to; nothing depends on those still ahead.
    turns: HashMap<JobId, u64>,
    /// The jobs for workers that have nothing else to do.
    idle: HashSet<JobId>,
    workers: usize,
    finished: Vec<Finished<J, A>>,
    /// Whether an answer has settled the question: later jobs need not be done.
    settled: bool,
    next_turn: u64,
    /// Whether the search waits; if not, since when it hasn't.
    is_awaited: bool,
    searches_since: Instant,
    /// Whether a nudge ends the search's wait.
    is_nudged: bool,
    closed: bool,
}

impl<J, A> State<J, A> {
    /// Notes that the search has come to a job.
    fn take_turn(&mut self, id: JobId) {
        let turn = self.next_turn;
        self.next_turn += 1;
        self.turns.insert(id, turn);
    }

    /// Drops the jobs that come after a turn. A job that was ahead has a smaller number than some jobs that come before
    /// it, so numbers do not show the order.
    fn drop_after(&mut self, turn: u64) {
        self.settled = true;
        let turns = &self.turns;
        // A job that is ahead may be asked for next.
        let is_before = |id: &JobId| turns.get(id).is_none_or(|each| *each < turn);
        self.waiting.retain(|(id, _)| is_before(id));
        let stale = self.running.iter().filter(|(id, _)| !is_before(id));
        stale.for_each(|(_, cancel)| cancel.cancel());
    }

    /// Drops all jobs except these and idle ones.
    fn drop_but(&mut self, kept: &HashSet<JobId>) {
        self.settled = false;
        self.turns.clear();
        let idle = std::mem::take(&mut self.idle);
        self.retain(|id| kept.contains(id) || idle.contains(id));
        self.idle = idle;
    }

    fn drop_idle(&mut self) {
        let idle = std::mem::take(&mut self.idle);
        self.retain(|id| !idle.contains(id));
    }

    fn retain(&mut self, is_kept: impl Fn(&JobId) -> bool) {
        self.waiting.retain(|(id, _)| is_kept(id));
        let stale = self.running.iter().filter(|(id, _)| !is_kept(id));
        stale.for_each(|(_, cancel)| cancel.cancel());
    }

    /// The jobs that run and whose answers are needed.
    fn wanted(&self) -> impl Iterator<Item = &(JobId, Cancel)> {
        self.running.iter().filter(|(_, cancel)| !cancel.is_cancelled())
    }

    /// Cancels the youngest idle job if all workers are busy and other jobs wait.
    fn make_room(&mut self) {
        let waiting = self.waiting.iter().filter(|(id, _)| !self.idle.contains(id)).count();
        if self.wanted().count() + waiting > self.workers
            && let Some((id, cancel)) =
                self.wanted().filter(|(id, _)| self.idle.contains(id)).last().cloned()
        {
            cancel.cancel();
            self.idle.remove(&id);
        }
    }
}

impl<J: Send + 'static, A: Send + 'static> Pool<J, A> {
    /// Starts workers, or fewer if the system has no more threads. The pool must be dropped before the scope ends.
    pub fn start<'scope, W: Work<J, A>>(
        scope: &'scope Scope<'scope, '_>,
        workers: usize,
        work: &'scope W,
    ) -> Self {
        let shared = Shared::new(workers.max(1));
        let mut started = 0;
        while started < workers.max(1) {
            let (jobs, slot) = (shared.clone(), started);
            let thread = thread::Builder::new();
            match thread.spawn_scoped(scope, move || jobs.do_jobs(slot, work)) {
                Ok(_) => started += 1,
                // With fewer workers the search only takes longer. A panic would wait for the workers that were
                // started.
                Err(_) if started > 0 => {
                    shared.lock().workers = started;
                    break;
                }
                Err(error) => panic!("cannot start a worker: {error}"),
            }
        }
        Pool { shared, workers: started, next: 0, clock: None }
    }

    /// Starts workers in simulated time. A job takes exactly the time that it [spends](Clock::spend).
    pub fn simulate<'scope, W: Work<J, A>>(
        scope: &'scope Scope<'scope, '_>,
        workers: usize,
        work: &'scope W,
        clock: Arc<Clock>,
    ) -> Self {
        let shared = Shared::new(workers.max(1));
        let (jobs, time) = (shared.clone(), clock.clone());
        scope.spawn(move || simulated::do_jobs(&jobs, workers.max(1), work, &time));
        Pool { shared, workers: workers.max(1), next: 0, clock: Some(clock) }
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Whether a job can be added: as long as a worker might have to wait for the next one.
    pub fn has_room(&self) -> bool {
        let state = self.shared.lock();
        let is_idle = |id: &JobId| state.idle.contains(id);
        let running = state.wanted().filter(|(id, _)| !is_idle(id)).count();
        let waiting = state.waiting.iter().filter(|(id, _)| !is_idle(id)).count();
        let ahead = 1 + self.workers / 4;
        // Finished jobs count until the search takes them: a search slower than its workers would pile them up.
        let open = running + waiting + state.finished.len();
        !state.settled && open < self.workers + ahead
    }

    /// Whether a worker has nothing to do.
    pub fn has_idle_worker(&self) -> bool {
        let state = self.shared.lock();
        state.wanted().count() + state.waiting.len() < self.workers
    }

    /// Adds a job whose turn has come, unless it is stale already.
    pub fn submit(&mut self, job: J) -> JobId {
        self.add(job, false)
    }

    /// Adds a job that is ahead of the search. All jobs with a turn are done before it.
    pub fn submit_ahead(&mut self, job: J) -> JobId {
        self.add(job, true)
    }

    /// Adds a job for a worker that has nothing else to do. It is cancelled when there is other work, unless it is
    /// [kept](Pool::keep).
    pub fn submit_idle(&mut self, job: J) -> JobId {
        let id = self.next;
        self.next += 1;
        let mut state = self.shared.lock();
        state.idle.insert(id);
        state.waiting.push_back((id, job));
        self.shared.work.notify_one();
        id
    }

    /// Makes sure that an idle job is done, if a worker has it; `false` if none has.
    pub fn keep(&self, id: JobId) -> bool {
        let mut state = self.shared.lock();
        let is_running = state.wanted().any(|(each, _)| *each == id);
        is_running && state.idle.remove(&id)
    }

    /// Drops all idle jobs.
    pub fn drop_idle(&self) {
        self.shared.lock().drop_idle();
    }

    /// A hook that wakes up a thread in [`Pool::wait`].
    pub fn nudge(&self) -> impl Fn() + Send + Sync + 'static {
        let shared = self.shared.clone();
        move || {
            shared.lock().is_nudged = true;
            shared.news.notify_all();
        }
    }

    fn add(&mut self, job: J, ahead: bool) -> JobId {
        let id = self.next;
        self.next += 1;
        let mut state = self.shared.lock();
        if ahead || !state.settled {
            let has_turn = |(id, _): &(JobId, J)| state.turns.contains_key(id);
            let is_idle = |(id, _): &(JobId, J)| state.idle.contains(id);
            let place = match ahead {
                true => state.waiting.iter().position(is_idle).unwrap_or(state.waiting.len()),
                false => state.waiting.iter().rposition(has_turn).map_or(0, |last| last + 1),
            };
            state.waiting.insert(place, (id, job));
            if !ahead {
                state.take_turn(id);
            }
            state.make_room();
            self.shared.work.notify_one();
        }
        id
    }

    /// Gives a turn to a job that was ahead of the search.
    pub fn catch_up(&self, id: JobId) {
        self.shared.lock().take_turn(id);
    }

    /// Waits until a job is finished, the time comes, or the token is cancelled and the pool's waker called.
    pub fn wait(&self, until: Option<Instant>, stop: &Cancel) -> Vec<Finished<J, A>> {
        let mut state = self.shared.lock();
        if let Some(clock) = &self.clock {
            clock.search(state.searches_since.elapsed());
            state.is_awaited = true;
            self.shared.work.notify_all();
        }
        while state.finished.is_empty() && !state.is_nudged && !stop.is_cancelled() {
            state = match until.map(|until| until.saturating_duration_since(Instant::now())) {
                None => self.shared.news.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(left) if left.is_zero() => break,
                Some(left) => {
                    let waited = self.shared.news.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        (state.is_awaited, state.searches_since) = (false, Instant::now());
        state.is_nudged = false;
        std::mem::take(&mut state.finished)
    }

    /// The jobs that are finished now.
    pub fn finished(&self) -> Vec<Finished<J, A>> {
        std::mem::take(&mut self.shared.lock().finished)
    }

    /// A hook that drops all jobs and wakes up a thread in [`Pool::wait`].
    pub fn waker(&self) -> impl Fn() + Send + 'static {
        let shared = self.shared.clone();
        move || {
            // With the lock held, the wake-up cannot fall between a check and the wait.
            let mut state = shared.lock();
            state.drop_idle();
            state.drop_but(&HashSet::new());
            shared.news.notify_all();
        }
    }

    /// Drops all jobs except idle ones, since their answers no longer matter, and is ready for new ones.
    pub fn drop_all(&self) {
        self.drop_but(&HashSet::new());
    }

    /// Drops all jobs except idle ones and these, which are ahead of the search, and is ready for new ones.
    pub fn drop_but(&self, kept: &HashSet<JobId>) {
        self.shared.lock().drop_but(kept);
    }

    /// Whether a worker has a job that was dropped, and will still answer it.
    pub fn is_running(&self, id: JobId) -> bool {
        self.shared.lock().running.iter().any(|(each, _)| *each == id)
    }
}

impl<J, A> Drop for Pool<J, A> {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.drop_idle();
        state.drop_but(&HashSet::new());
        state.closed = true;
        self.shared.work.notify_all();
    }
}

impl<J, A> Shared<J, A> {
    fn new(workers: usize) -> Arc<Self> {
        let state = State {
            waiting: VecDeque::new(),
            running: Vec::new(),
            turns: HashMap::new(),
            idle: HashSet::new(),
            workers,
            finished: Vec::new(),
            settled: false,
            next_turn: 0,
            is_awaited: false,
            is_nudged: false,
            searches_since: Instant::now(),
            closed: false,
        };
        Arc::new(Shared { state: Mutex::new(state), work: Condvar::new(), news: Condvar::new() })
    }

    fn lock(&self) -> MutexGuard<'_, State<J, A>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for_work<'s>(&self, state: MutexGuard<'s, State<J, A>>) -> MutexGuard<'s, State<J, A>> {
        self.work.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn do_jobs(&self, slot: usize, work: &impl Work<J, A>) {
        let mut state = self.lock();
        while !state.closed {
            let Some((id, job)) = state.waiting.pop_front() else {
                state = self.wait_for_work(state);
                continue;
            };
            let cancel = Cancel::default();
            state.running.push((id, cancel.clone()));
            drop(state);
            let done = panic::catch_unwind(AssertUnwindSafe(|| work.run(slot, &job, &cancel)));
            state = self.lock();
            self.end(&mut state, Finished { id, job, ended: done.into() }, &cancel, work);
        }
    }

    /// Notes that a job has ended.
    fn end(
        &self,
        state: &mut State<J, A>,
        finished: Finished<J, A>,
        cancel: &Cancel,
        work: &impl Work<J, A>,
    ) {
        state.running.retain(|(each, _)| *each != finished.id);
        state.idle.remove(&finished.id);
        // A job that was cancelled too late to notice is stale: by now, jobs of another question may be running.
        let settles = |answer: &A| !cancel.is_cancelled() && work.settles(answer);
        if let Some(turn) = state.turns.remove(&finished.id)
            && let Ended::Done(answer) = &finished.ended
            && settles(answer)
        {
            state.drop_after(turn);
        }
        state.finished.push(finished);
        self.news.notify_all();
    }
}

impl<A> From<thread::Result<Option<A>>> for Ended<A> {
    fn from(done: thread::Result<Option<A>>) -> Self {
        match done {
            Ok(Some(answer)) => Ended::Done(answer),
            Ok(None) => Ended::Cancelled,
            Err(panic) => Ended::Panicked(message(&*panic)),
        }
    }
}

/// The message of a panic.
pub fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}

/// Does some jobs with several workers, and returns their answers in the order of the jobs. A job that panics is
/// answered with the panic's message.
pub fn all<J, A>(
    jobs: Vec<J>,
    workers: usize,
    run: impl Fn(usize, &J) -> A + Sync,
) -> Vec<Result<A, String>>
where
    J: Send + 'static,
    A: Send + 'static,
{
    let count = jobs.len();
    let run = |slot: usize, job: &J, _: &Cancel| Some(run(slot, job));
    std::thread::scope(|scope| {
        let mut pool = Pool::start(scope, workers.min(count), &run);
        let ids = jobs.into_iter().map(|job| pool.submit(job)).collect::<Vec<_>>();
        let mut answers: HashMap<JobId, Result<A, String>> = HashMap::new();
        while answers.len() < count {
            for Finished { id, ended, .. } in pool.wait(None, &Cancel::default()) {
                let answer = match ended {
                    Ended::Done(answer) => Ok(answer),
                    Ended::Panicked(message) => Err(message),
                    Ended::Cancelled => unreachable!("nothing cancels these jobs"),
                };
                answers.insert(id, answer);
            }
        }
        ids.iter().filter_map(|id| answers.remove(id)).collect()
    })
}
