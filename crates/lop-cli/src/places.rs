//! The places that several runs share: as many as tests may run at the same time.
//!
//! Each run has as many workers as if it were alone; each worker asks for a place before it runs a test. If none is
//! free, the run with the fewest tests running gets the next one, and among equals the worker that asked first: so a
//! run with slow tests gets no more places than others, and a single run gets all of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use lop::oracle::Outcome;
use lop::oracle::execute::{Error, Execute, Request};
use lop::{Cancel, Status};

/// Places for tests.
pub(crate) struct Places(Mutex<State>);

#[derive(Default)]
struct State {
    free: usize,
    /// The number of tests that each run has running.
    running: Vec<usize>,
    /// The workers that wait for a place, in the order in which they asked.
    waiting: Vec<Waiter>,
    asked: u64,
}

struct Waiter {
    run: usize,
    ticket: u64,
    wake: mpsc::Sender<Woken>,
}

#[derive(Clone, Copy, PartialEq)]
enum Woken {
    Granted,
    Cancelled,
}

impl Places {
    /// This many places.
    pub(crate) fn new(count: usize) -> Arc<Self> {
        Arc::new(Places(Mutex::new(State { free: count, ..State::default() })))
    }

    /// The share of one more run.
    pub(crate) fn share(self: &Arc<Self>) -> Share {
        let mut state = self.state();
        state.running.push(0);
        Share { run: state.running.len() - 1, places: self.clone() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Gives free places to workers that wait.
    fn grant(&mut self) {
        while self.free > 0 {
            let least = |waiter: &Waiter| (self.running[waiter.run], waiter.ticket);
            let next = (0..self.waiting.len()).min_by_key(|index| least(&self.waiting[*index]));
            let Some(next) = next else { return };
            let Waiter { run, wake, .. } = self.waiting.remove(next);
            self.free -= 1;
            self.running[run] += 1;
            // A worker that is cancelled at this moment returns the place.
            let _ = wake.send(Woken::Granted);
        }
    }

    fn give_back(&mut self, run: usize) {
        self.free += 1;
        self.running[run] -= 1;
        self.grant();
    }
}

/// The share of a run.
#[derive(Clone)]
pub(crate) struct Share {
    places: Arc<Places>,
    run: usize,
}

/// A place, which is returned when this is dropped.
pub(crate) struct Place<'s>(&'s Share);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.places.state().give_back(self.0.run);
    }
}

impl Share {
    /// Waits for a place; `None` if the wait is cancelled.
    fn place(&self, cancel: &Cancel) -> Option<Place<'_>> {
        let (wake, woken) = mpsc::channel();
        let ticket = {
            let mut state = self.places.state();
            if state.free > 0 {
                state.free -= 1;
                state.running[self.run] += 1;
                return Some(Place(self));
            }
            state.asked += 1;
            let ticket = state.asked;
            state.waiting.push(Waiter { run: self.run, ticket, wake: wake.clone() });
            ticket
        };
        let _hook = cancel.on_cancel(move || {
            let _ = wake.send(Woken::Cancelled);
        });
        if woken.recv() == Ok(Woken::Granted) {
            return Some(Place(self));
        }
        let mut state = self.places.state();
        match state.waiting.iter().position(|waiter| waiter.ticket == ticket) {
            Some(index) => drop(state.waiting.remove(index)),
            None => state.give_back(self.run),
        }
        None
    }

    /// An executor that waits for a place before each test.
    pub(crate) fn limit(self, executor: Arc<dyn Execute>) -> Arc<dyn Execute> {
        Arc::new(Limited { share: self, executor })
    }
}

struct Limited {
    share: Share,
    executor: Arc<dyn Execute>,
}

impl Execute for Limited {
    fn execute(
        &self,
        slot: usize,
        request: &Request<'_>,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        let Some(_place) = self.share.place(cancel) else {
            return Ok(Outcome::new(Status::Cancelled, Duration::ZERO));
        };
        self.executor.execute(slot, request, cancel)
    }

    fn take_notes(&self) -> Vec<String> {
        self.executor.take_notes()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    impl Share {
        fn waits(&self) -> usize {
            self.places.state().waiting.iter().filter(|waiter| waiter.run == self.run).count()
        }
    }

    /// Waits until a share has this many waiting workers.
    fn until_waiting(share: &Share, count: usize) {
        while share.waits() < count {
            thread::yield_now();
        }
    }

    /// The runs that get the places, in order, if the workers of these runs ask in this order while another run holds
    /// all places.
    fn served(places: usize, taken_by_first: usize, asking: &[usize]) -> Vec<usize> {
        let shared = Places::new(places);
        let shares: Vec<Share> = (0..4).map(|_| shared.share()).collect();
        let never = Cancel::default();
        let mut held: Vec<Place<'_>> = (0..places)
            .map(|n| shares[usize::from(n >= taken_by_first)].place(&never).unwrap())
            .collect();
        let (served, order) = mpsc::channel();
        thread::scope(|scope| {
            for (index, run) in asking.iter().enumerate() {
                let (share, served, never) = (&shares[*run], served.clone(), &never);
                let (done, hold) = mpsc::channel::<()>();
                scope.spawn(move || {
                    let place = share.place(never).unwrap();
                    served.send((*run, done)).unwrap();
                    // The place is held until the test releases it.
                    let _ = hold.recv();
                    drop(place);
                });
                until_waiting(share, asking[..=index].iter().filter(|each| *each == run).count());
            }
            let mut runs = Vec::new();
            let mut later = Vec::new();
            while runs.len() < asking.len() {
                match held.pop() {
                    Some(place) => drop(place),
                    None => drop(later.remove(0)),
                }
                let (run, done) = order.recv().unwrap();
                runs.push(run);
                later.push(done);
            }
            runs
        })
    }

    #[test]
    fn the_run_with_the_fewest_tests_gets_the_next_place() {
        // Run 0 has both places and asks for two more; run 1 asks later, and is served first.
        assert_eq!(served(2, 2, &[0, 0, 1]), [1, 0, 0]);
        // As places become free, each run gets one before any gets two.
        assert_eq!(served(3, 3, &[1, 1, 1, 2, 3]), [1, 2, 3, 1, 1]);
    }

    #[test]
    fn among_runs_with_as_many_tests_the_first_to_ask_is_served() {
        assert_eq!(served(1, 1, &[2, 1, 3, 1]), [2, 1, 3, 1]);
    }

    #[test]
    fn a_run_that_is_alone_takes_all_places() {
        let shared = Places::new(3);
        let share = shared.share();
        let never = Cancel::default();
        let held: Vec<_> = (0..3).map(|_| share.place(&never).unwrap()).collect();
        assert_eq!(shared.state().free, 0);
        drop(held);
        assert_eq!(shared.state().free, 3);
    }

    #[test]
    fn a_worker_that_is_cancelled_leaves_the_queue_and_no_place_is_lost() {
        let shared = Places::new(1);
        let (first, second) = (shared.share(), shared.share());
        let (never, cancel) = (Cancel::default(), Cancel::default());
        let held = first.place(&never).unwrap();
        thread::scope(|scope| {
            let waiter = scope.spawn(|| second.place(&cancel).is_none());
            until_waiting(&second, 1);
            cancel.cancel();
            assert!(waiter.join().unwrap());
        });
        assert_eq!(second.waits(), 0);
        assert!(second.place(&cancel).is_none(), "it is cancelled already");
        drop(held);
        assert_eq!(shared.state().free, 1);
    }

    #[test]
    fn no_more_tests_than_places_run_at_the_same_time_even_if_some_are_cancelled() {
        let shared = Places::new(2);
        let most = Mutex::new((0, 0));
        thread::scope(|scope| {
            for worker in 0..8 {
                let share = shared.share();
                let most = &most;
                scope.spawn(move || {
                    for round in 0..200 {
                        let cancel = Cancel::default();
                        if (round + worker) % 5 == 0 {
                            let token = cancel.clone();
                            thread::spawn(move || token.cancel());
                        }
                        let Some(_place) = share.place(&cancel) else { continue };
                        let mut now = most.lock().unwrap();
                        now.0 += 1;
                        now.1 = now.0.max(now.1);
                        drop(now);
                        thread::yield_now();
                        most.lock().unwrap().0 -= 1;
                    }
                });
            }
        });
        assert_eq!(shared.state().free, 2);
        assert!(most.into_inner().unwrap().1 <= 2);
    }
}
