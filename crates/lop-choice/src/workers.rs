//! Runs choices in several threads, for tests that take long.
//!
//! The judge still takes the answers in their order, so what comes out does not depend on the number of workers: these
//! only run ahead, and what they find waits until its turn comes, or for ever.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::Scope;

use crate::record::Values;
use crate::trials::{Attempt, Ending, Look, Memory, Run, Runner};

/// How many answers that nobody has asked for yet are kept.
const KEPT: usize = 1024;

/// Threads that run choices.
pub struct Workers {
    count: usize,
    queue: Arc<Queue>,
    answers: mpsc::Receiver<(Values, Option<Run>)>,
    /// Answers whose turn has not come.
    early: HashMap<Values, Run>,
    /// What is waiting or running, and how to say that it is no longer wanted.
    open: HashMap<Values, Arc<Stale>>,
}

/// Whether an answer is no longer wanted.
#[derive(Default)]
pub struct Stale {
    is_stale: AtomicBool,
    then: Mutex<Option<Box<dyn Fn() + Send>>>,
}

impl Stale {
    /// Whether it is.
    pub fn is_stale(&self) -> bool {
        self.is_stale.load(Ordering::SeqCst)
    }

    /// Does something as soon as it is; at once if it is already.
    pub fn then(&self, hook: impl Fn() + Send + 'static) {
        let mut then = self.then.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_stale() {
            hook();
        }
        *then = Some(Box::new(hook));
    }

    fn become_stale(&self) {
        let then = self.then.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_stale.store(true, Ordering::SeqCst);
        if let Some(hook) = &*then {
            hook();
        }
    }
}

struct Queue {
    state: Mutex<State>,
    work: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<(Values, Arc<Stale>)>,
    closed: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> Option<(Values, Arc<Stale>)> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.waiting.pop_front() {
                return Some(job);
            }
            if state.closed {
                return None;
            }
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Workers {
    /// Starts so many threads. What runs choices is told when the answer is no longer wanted, and may then give none.
    pub fn start<'scope, 'env, F>(
        scope: &'scope Scope<'scope, 'env>,
        count: usize,
        run: &'scope F,
    ) -> Workers
    where
        F: Fn(usize, &Values, &Stale) -> Option<Run> + Sync,
    {
        let queue = Arc::new(Queue { state: Mutex::default(), work: Condvar::new() });
        let (sender, answers) = mpsc::channel();
        for slot in 0..count.max(1) {
            let (queue, sender) = (queue.clone(), sender.clone());
            scope.spawn(move || {
                while let Some((values, stale)) = queue.next() {
                    let answer = run(slot, &values, &stale);
                    if sender.send((values, answer)).is_err() {
                        break;
                    }
                }
            });
        }
        Workers { count: count.max(1), queue, answers, early: HashMap::new(), open: HashMap::new() }
    }

    /// Puts choices in the queue, unless they are there or their answer is.
    fn submit(&mut self, values: Values, first: bool) {
        if self.early.contains_key(&values) || self.open.contains_key(&values) {
            return;
        }
        let stale = Arc::<Stale>::default();
        self.open.insert(values.clone(), stale.clone());
        let mut state = self.queue.lock();
        match first {
            true => state.waiting.push_front((values, stale)),
            false => state.waiting.push_back((values, stale)),
        }
        drop(state);
        self.queue.work.notify_one();
    }

    fn take(&mut self, (values, answer): (Values, Option<Run>)) {
        self.open.remove(&values);
        if self.early.len() >= KEPT {
            self.early.clear();
        }
        if let Some(run) = answer {
            self.early.insert(values, run);
        }
    }
}

impl Runner for Workers {
    fn ahead(&self) -> usize {
        if self.count > 1 { 4 * self.count } else { 0 }
    }

    fn prepare(&mut self, memory: &Memory, next: &VecDeque<Attempt>) {
        if self.count == 1 {
            return;
        }
        while let Ok(answer) = self.answers.try_recv() {
            self.take(answer);
        }
        for attempt in next {
            // Some wait, so that a worker has something to do while the first answer is awaited.
            if self.open.len() >= 2 * self.count {
                break;
            }
            // What failed ahead of its turn may be repaired ahead of its turn.
            let wanted = match (memory.look(&attempt.values), self.early.get(&attempt.values)) {
                (Look::Refused(drawn), _) => attempt.repaired(drawn.as_deref()),
                (Look::Unknown, None) => Some(attempt.values.clone()),
                (Look::Unknown, Some(run)) => match run.ending {
                    // Whatever comes after it is likely to be stale.
                    Ending::Interesting => break,
                    Ending::TooFew(_) => attempt.repaired(None),
                    _ => attempt.repaired(Some(&run.record)),
                },
            };
            if let Some(values) = wanted.filter(|it| matches!(memory.look(it), Look::Unknown)) {
                self.submit(values, false);
            }
        }
    }

    fn run(&mut self, values: Values) -> Run {
        loop {
            if let Some(run) = self.early.remove(&values) {
                return run;
            }
            self.submit(values.clone(), true);
            match self.answers.recv() {
                Ok(answer) => self.take(answer),
                // All workers are gone, which they are only after the queue was closed.
                Err(_) => return Run { record: Default::default(), ending: Ending::Rejected },
            }
        }
    }

    fn forget(&mut self) {
        let mut state = self.queue.lock();
        for (values, _) in state.waiting.drain(..) {
            self.open.remove(&values);
        }
        drop(state);
        self.open.values().for_each(|stale| stale.become_stale());
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.forget();
        self.queue.lock().closed = true;
        self.queue.work.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::PASSES;
    use crate::reducer::reduce;
    use crate::trials::{Judge, Trials};
    use crate::{Source, failure};

    /// Five numbers of which some pair has a large sum.
    fn property(s: &mut Source) -> bool {
        let list: Vec<u16> = s.list(.., |s| s.integer(0..=1000));
        list.windows(2).all(|pair| pair[0] + pair[1] < 700)
    }

    fn run_values(values: &Values) -> Run {
        let (seen, end) = failure::run(Source::given(values.clone()), &mut property);
        let ending = match end {
            failure::End::Failed(_) => Ending::Interesting,
            failure::End::Passed => Ending::Boring,
            failure::End::Rejected => Ending::Rejected,
            failure::End::TooFew(kind) => Ending::TooFew(kind),
        };
        Run { record: seen.record, ending }
    }

    fn reduced(start: &Run, workers: usize) -> (Values, u64) {
        let passes: Vec<_> = PASSES.iter().collect();
        let run = |_: usize, values: &Values, _: &Stale| Some(run_values(values));
        std::thread::scope(|scope| {
            let mut judge =
                Judge::new(start.record.clone(), 10_000, Workers::start(scope, workers, &run));
            reduce(&mut judge, &passes);
            (judge.best().values(), judge.calls())
        })
    }

    #[test]
    fn the_number_of_workers_changes_neither_the_result_nor_the_calls() {
        for seed in 0..40 {
            let found = (0..)
                .map(|at| failure::run(Source::random(seed * 1000 + at, 1.0, 500), &mut property));
            let (seen, _) =
                found.into_iter().find(|(_, end)| matches!(end, failure::End::Failed(_))).unwrap();
            let start = Run { record: seen.record, ending: Ending::Interesting };
            let one = reduced(&start, 1);
            assert_eq!(one, reduced(&start, 4), "seed {seed}");
            assert_eq!(one, reduced(&start, 13), "seed {seed}");
            assert_eq!(one.0, [1, 0, 1, 700, 0], "seed {seed}");
        }
    }
}
