//! Workers in simulated time: how long a search would take with any number of workers.
//!
//! One thread does all jobs, one after the other, and a [`Clock`] computes when each of them would have been done if
//! the workers had done them at the same time. The same code as with threads decides which jobs are started, dropped
//! and cancelled.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::{Ended, Finished, JobId, Shared, State, Work};
use crate::Cancel;

/// A clock that advances only when something is waited for.
#[derive(Debug, Default)]
pub struct Clock {
    /// In nanoseconds, like the others.
    now: AtomicU64,
    /// The time that the present job takes.
    spent: AtomicU64,
    /// The total time of all jobs that were done or cancelled.
    worked: AtomicU64,
    /// The time that the search itself took.
    searched: AtomicU64,
}

impl Clock {
    /// The time since the beginning.
    pub fn now(&self) -> Duration {
        load(&self.now)
    }

    /// The total time that workers were busy.
    pub fn worked(&self) -> Duration {
        load(&self.worked)
    }

    /// The time that the search itself took, measured by the real clock. It is part of the time since the beginning.
    pub fn searched(&self) -> Duration {
        load(&self.searched)
    }

    /// Lets the present job take some time.
    pub fn spend(&self, time: Duration) {
        add(&self.spent, time);
    }

    fn take_spent(&self) -> Duration {
        Duration::from_nanos(self.spent.swap(0, Ordering::Relaxed))
    }

    /// Adds time that the search took while workers continued.
    pub(super) fn search(&self, time: Duration) {
        add(&self.searched, time);
        add(&self.now, time);
    }
}

fn load(nanoseconds: &AtomicU64) -> Duration {
    Duration::from_nanos(nanoseconds.load(Ordering::Relaxed))
}

fn add(nanoseconds: &AtomicU64, time: Duration) {
    nanoseconds.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
}

/// A job that is done already, but not yet in simulated time.
struct Doing<J, A> {
    id: JobId,
    job: J,
    cancel: Cancel,
    ended: Ended<A>,
    since: Duration,
    until: Duration,
}

/// Does the jobs of this many workers until the pool is closed.
pub(super) fn do_jobs<J, A>(
    shared: &Shared<J, A>,
    workers: usize,
    work: &impl Work<J, A>,
    clock: &Clock,
) {
    let mut doing: Vec<Doing<J, A>> = Vec::new();
    let mut state = shared.lock();
    while !state.closed {
        if !state.is_awaited || !state.finished.is_empty() {
            state = shared.wait_for_work(state);
            continue;
        }
        // Cancelled jobs make room immediately.
        let now = clock.now();
        for each in doing.iter_mut().filter(|each| each.cancel.is_cancelled()) {
            each.until = now.min(each.until);
        }
        end_until(shared, &mut state, &mut doing, now, work, clock);
        if !state.finished.is_empty() {
            continue;
        }
        if doing.len() < workers
            && let Some((id, job)) = state.waiting.pop_front()
        {
            let cancel = Cancel::default();
            state.running.push((id, cancel.clone()));
            drop(state);
            let done = panic::catch_unwind(AssertUnwindSafe(|| work.run(0, &job, &cancel)));
            let until = now + clock.take_spent();
            let ended = done.into();
            doing.push(Doing { id, job, cancel, ended, since: now, until });
            state = shared.lock();
            continue;
        }
        match doing.iter().map(|each| each.until).min() {
            Some(next) => {
                clock.now.store(next.max(now).as_nanos() as u64, Ordering::Relaxed);
                end_until(shared, &mut state, &mut doing, next, work, clock);
            }
            None => state = shared.wait_for_work(state),
        }
    }
}

/// Ends the jobs that are done by a time.
fn end_until<J, A>(
    shared: &Shared<J, A>,
    state: &mut State<J, A>,
    doing: &mut Vec<Doing<J, A>>,
    time: Duration,
    work: &impl Work<J, A>,
    clock: &Clock,
) {
    for each in doing.extract_if(.., |each| each.until <= time) {
        add(&clock.worked, each.until - each.since);
        let Doing { id, job, cancel, ended, .. } = each;
        let ended = if cancel.is_cancelled() { Ended::Cancelled } else { ended };
        shared.end(state, Finished { id, job, ended }, &cancel, work);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use std::thread;

    use super::*;
    use crate::pool::Pool;

    const HOUR: u64 = 3600;

    /// Takes as many hours as the number of the job; a job of seven settles the question.
    struct Hours(Arc<Clock>);

    impl Work<u64, u64> for Hours {
        fn run(&self, _: usize, job: &u64, _: &Cancel) -> Option<u64> {
            self.0.spend(Duration::from_secs(*job * HOUR));
            Some(*job)
        }

        fn settles(&self, answer: &u64) -> bool {
            *answer == 7
        }
    }

    /// The duration of some jobs, the time that workers were busy, and the jobs that were answered.
    fn time(workers: usize, jobs: &[u64]) -> (u64, u64, BTreeSet<u64>) {
        let clock = Arc::new(Clock::default());
        let work = Hours(clock.clone());
        let done = thread::scope(|scope| {
            let mut pool = Pool::simulate(scope, workers, &work, clock.clone());
            for job in jobs {
                pool.submit(*job);
            }
            let mut ended = 0;
            let mut done = BTreeSet::new();
            while ended < jobs.len() {
                for finished in pool.wait(None, &Cancel::default()) {
                    ended += 1;
                    if let Ended::Done(answer) = finished.ended {
                        done.insert(answer);
                    }
                }
            }
            done
        });
        // The search itself takes a moment.
        (clock.now().as_secs() / HOUR, clock.worked().as_secs() / HOUR, done)
    }

    #[test]
    fn jobs_take_as_long_as_they_would_with_that_many_workers() {
        let jobs = [1, 2, 3, 4, 5, 6];
        assert_eq!(time(1, &jobs).0, 21);
        assert_eq!(time(6, &jobs).0, 6);
        // Those of 1 and 2 hours are first; then 3 begins at 1, 4 at 2, 5 at 4, 6 at 6.
        assert_eq!(time(2, &jobs).0, 12);
    }

    #[test]
    fn a_job_that_is_stale_makes_room_at_once() {
        let (whole, worked, done) = time(3, &[1, 7, 100]);
        assert_eq!(
            (whole, worked),
            (7, 15),
            "the last one runs until the second has settled the question"
        );
        assert_eq!(done, [1, 7].into());
    }
}
