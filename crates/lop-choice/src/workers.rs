//! Runs choices on several threads, for tests that take long.
//!
//! The judge takes the answers in the order of the attempts, so the result does not depend on the number of workers: they
//! only run ahead, and their answers wait until their turn comes, which may be never.

use std::collections::{HashMap, VecDeque};
use std::thread::Scope;

use lop_search::Cancel;
use lop_search::pool::{Ended, Finished, JobId, Pool, Work};

use crate::record::Values;
use crate::trials::{Attempt, Ending, Look, Memory, Run, Runner};

/// The number of answers that are kept until their turn comes.
const KEPT: usize = 1024;

/// Threads that run choices. Their answers are runs, or have one.
pub struct Workers<A = Run> {
    pool: Pool<Values, A>,
    /// Answers whose turn has not come.
    early: HashMap<Values, A>,
    /// The choices that wait or run.
    open: HashMap<Values, JobId>,
}

impl<A: AsRef<Run> + Send + 'static> Workers<A> {
    /// Starts `count` threads. A run whose answer is no longer needed is cancelled, and may then return `None`.
    pub fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        count: usize,
        run: &'scope impl Work<Values, A>,
    ) -> Self {
        let pool = Pool::start(scope, count, run);
        Workers { pool, early: HashMap::new(), open: HashMap::new() }
    }

    /// Runs some choices, or waits for the worker that does.
    pub fn answer(&mut self, values: Values) -> A {
        loop {
            if let Some(answer) = self.early.remove(&values) {
                return answer;
            }
            if !self.is_known(&values) {
                let id = self.pool.submit(values.clone());
                self.open.insert(values.clone(), id);
            }
            for finished in self.pool.wait(None, &Cancel::default()) {
                self.take(finished);
            }
        }
    }

    /// Forgets all answers whose turn has not come, since they would be others now.
    pub fn forget_early(&mut self) {
        self.pool.drop_all();
        self.open.clear();
        self.early.clear();
    }

    fn is_known(&self, values: &Values) -> bool {
        self.early.contains_key(values) || self.open.contains_key(values)
    }

    fn take(&mut self, Finished { id, job: values, ended }: Finished<Values, A>) {
        // An answer that was forgotten meanwhile is dropped.
        if self.open.get(&values) != Some(&id) {
            return;
        }
        self.open.remove(&values);
        if self.early.len() >= KEPT {
            self.early.clear();
        }
        match ended {
            Ended::Done(answer) => {
                self.early.insert(values, answer);
            }
            Ended::Cancelled => {}
            // A property or a test that panics is a failure; this is a bug in the code that runs them.
            Ended::Panicked(message) => panic!("a worker panicked: {message}"),
        }
    }
}

impl<A: AsRef<Run> + Into<Run> + Send + 'static> Runner for Workers<A> {
    fn ahead(&self) -> usize {
        match self.pool.workers() {
            1 => 0,
            count => 4 * count,
        }
    }

    fn prepare(&mut self, memory: &Memory, next: &VecDeque<Attempt>) {
        if self.ahead() == 0 {
            return;
        }
        for finished in self.pool.finished() {
            self.take(finished);
        }
        for attempt in next {
            // As many wait as run, so that no worker is idle while the judge awaits the first answer.
            if self.open.len() >= 2 * self.pool.workers() {
                break;
            }
            let early = self.early.get(&attempt.values).map(AsRef::as_ref);
            // An attempt that failed ahead of its turn is repaired ahead of its turn.
            let wanted = match (memory.look(&attempt.values), early) {
                (Look::Refused(drawn), _) => attempt.repaired(drawn.as_deref(), &memory.best),
                (Look::Unknown, None) => vec![attempt.values.clone()],
                (Look::Unknown, Some(run)) => match run.ending {
                    // Attempts after it are likely to be stale.
                    Ending::Interesting => break,
                    ending => attempt.repaired(ending.drawn(&run.record), &memory.best),
                },
            };
            let is_new =
                |it: &Values| matches!(memory.look(it), Look::Unknown) && !self.is_known(it);
            if let Some(values) = wanted.into_iter().find(is_new) {
                let id = self.pool.submit_ahead(values.clone());
                self.open.insert(values, id);
            }
        }
    }

    fn run(&mut self, values: Values) -> Run {
        self.answer(values).into()
    }

    fn forget(&mut self) {
        for finished in self.pool.finished() {
            self.take(finished);
        }
        self.pool.drop_all();
        let pool = &self.pool;
        // A job that runs is still answered.
        self.open.retain(|_, id| pool.is_running(*id));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::passes::PASSES;
    use crate::shortlex::reduce;
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
            failure::CaseResult::Failed(_) => Ending::Interesting,
            failure::CaseResult::Passed => Ending::Boring,
            failure::CaseResult::Rejected => Ending::Rejected,
            failure::CaseResult::TooFew(kind) => Ending::TooFew(kind),
        };
        Run { record: seen.record, ending }
    }

    fn reduced(start: &Run, workers: usize) -> (Values, u64) {
        reduced_with(start, workers, None)
    }

    fn reduced_with(start: &Run, workers: usize, memory: Option<usize>) -> (Values, u64) {
        let passes: Vec<_> = PASSES.iter().collect();
        let run = |_: usize, values: &Values, _: &Cancel| Some(run_values(values));
        std::thread::scope(|scope| {
            let mut judge =
                Judge::new(start.record.clone(), 10_000, Workers::start(scope, workers, &run));
            memory.into_iter().for_each(|bytes| judge.remember_at_most(bytes));
            reduce(&mut judge, &passes);
            (judge.best().values(), judge.calls())
        })
    }

    /// The first random choices of a seed with which the property fails.
    fn failing(seed: u64) -> Run {
        let found =
            (0..).map(|at| failure::run(Source::random(seed * 1000 + at, 1.0, 500), &mut property));
        let (seen, _) = found
            .into_iter()
            .find(|(_, end)| matches!(end, failure::CaseResult::Failed(_)))
            .unwrap();
        Run { record: seen.record, ending: Ending::Interesting }
    }

    #[test]
    fn the_number_of_workers_changes_neither_the_result_nor_the_calls() {
        for seed in 0..40 {
            let start = failing(seed);
            let one = reduced(&start, 1);
            assert_eq!(one, reduced(&start, 4), "seed {seed}");
            assert_eq!(one, reduced(&start, 13), "seed {seed}");
            assert_eq!(one.0, [1, 0, 1, 700, 0], "seed {seed}");
        }
    }

    #[test]
    fn what_is_forgotten_costs_calls_but_changes_neither_the_result_nor_depends_on_the_workers() {
        for seed in 0..20 {
            let start = failing(seed);
            let (result, calls) = reduced(&start, 1);
            for bytes in [0, 8_000, 30_000] {
                let forgetful = reduced_with(&start, 1, Some(bytes));
                assert_eq!(forgetful.0, result, "seed {seed}, {bytes} bytes");
                assert!(forgetful.1 < 10_000, "seed {seed}, {bytes} bytes: it ends by itself");
                assert!(bytes > 0 || forgetful.1 > calls, "seed {seed}: nothing was forgotten");
                assert_eq!(forgetful, reduced_with(&start, 4, Some(bytes)), "seed {seed}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "a worker panicked: out of luck")]
    fn a_worker_that_panics_ends_the_reduction_instead_of_keeping_it_waiting() {
        let start = failing(0);
        let runs = AtomicUsize::new(0);
        let run = |_: usize, values: &Values, _: &Cancel| {
            assert!(runs.fetch_add(1, Ordering::SeqCst) < 5, "out of luck");
            Some(run_values(values))
        };
        std::thread::scope(|scope| {
            let workers = Workers::start(scope, 3, &run);
            let mut judge = Judge::new(start.record.clone(), 10_000, workers);
            reduce(&mut judge, &PASSES.iter().collect::<Vec<_>>());
        });
    }
}
