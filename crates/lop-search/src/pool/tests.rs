use std::sync::mpsc;
use std::time::Duration;

use super::*;

/// Finds `late`, as soon as it is allowed to.
struct Finder(Mutex<mpsc::Receiver<()>>);

impl Work<&'static str, bool> for Finder {
    fn run(&self, _: usize, job: &&'static str, _: &Cancel) -> Option<bool> {
        if *job == "late" {
            let _ = self.0.lock().unwrap().recv();
        }
        Some(*job == "late")
    }

    fn settles(&self, answer: &bool) -> bool {
        *answer
    }
}

/// The limit is for failing tests, which would wait for ever.
fn wait<J: Send + 'static, A: Send + 'static>(
    pool: &Pool<J, A>,
    count: usize,
) -> Vec<Finished<J, A>> {
    let until = Instant::now() + Duration::from_secs(60);
    let mut finished = Vec::new();
    while finished.len() < count && Instant::now() < until {
        finished.extend(pool.wait(Some(until), &Cancel::default()));
    }
    finished.sort_by_key(|each| each.id);
    finished
}

#[test]
fn jobs_before_one_that_was_ahead_are_done_even_if_that_one_settles_the_question() {
    let (open, gate) = mpsc::channel::<()>();
    let finder = Finder(Mutex::new(gate));
    thread::scope(|scope| {
        let mut pool = Pool::start(scope, 1, &finder);
        let late = pool.submit_ahead("late");
        let early = pool.submit("early");
        pool.catch_up(late);
        open.send(()).unwrap();
        let done: Vec<_> = wait(&pool, 2).into_iter().map(|each| (each.id, each.ended)).collect();
        assert_eq!(done, [(late, Ended::Done(true)), (early, Ended::Done(false))]);
    });
}

#[test]
fn jobs_behind_one_that_settles_the_question_are_dropped() {
    let (open, gate) = mpsc::channel::<()>();
    let finder = Finder(Mutex::new(gate));
    thread::scope(|scope| {
        let mut pool = Pool::start(scope, 1, &finder);
        let late = pool.submit("late");
        pool.submit("behind");
        open.send(()).unwrap();
        assert_eq!(wait(&pool, 1)[0].id, late);
        assert!(!pool.has_room(), "the question is settled");
        pool.drop_all();
        let next = pool.submit("next");
        assert_eq!(wait(&pool, 1)[0].id, next);
    });
}

#[test]
fn an_idle_job_makes_room_for_others_unless_it_is_kept() {
    let (started, has_started) = mpsc::channel();
    let started = Mutex::new(started);
    let run = |_: usize, job: &&'static str, cancel: &Cancel| {
        started.lock().unwrap().send(*job).unwrap();
        while *job == "idle" && !cancel.is_cancelled() {
            thread::yield_now();
        }
        (!cancel.is_cancelled()).then_some(*job)
    };
    thread::scope(|scope| {
        let mut pool = Pool::start(scope, 2, &run);
        let ids = [pool.submit_idle("idle"), pool.submit_idle("idle")];
        (0..2).for_each(|_| assert_eq!(has_started.recv().unwrap(), "idle"));
        assert!(pool.has_room() && !pool.has_idle_worker());
        assert!(pool.keep(ids[0]), "a worker has it");
        let other = pool.submit("other");
        let mut endings: Vec<_> =
            wait(&pool, 2).into_iter().map(|each| (each.id, each.ended)).collect();
        endings.sort_by_key(|(id, _)| *id);
        assert_eq!(endings, [(ids[1], Ended::Cancelled), (other, Ended::Done("other"))]);
        pool.drop_all();
    });
}

#[test]
fn there_is_no_room_for_more_jobs_while_finished_ones_are_not_taken() {
    let run = |_: usize, job: &u32, _: &Cancel| Some(*job);
    thread::scope(|scope| {
        let mut pool = Pool::start(scope, 2, &run);
        let mut submitted = 0;
        while pool.has_room() && submitted < 100 {
            pool.submit(submitted);
            submitted += 1;
        }
        assert_eq!(submitted, 3, "one for each worker, and one ahead");
        wait(&pool, 3);
        assert!(pool.has_room());
    });
}

#[test]
fn a_job_that_panics_is_answered_and_its_worker_goes_on() {
    let run = |_: usize, job: &u32, _: &Cancel| {
        assert!(*job != 1, "one is too many");
        Some(*job)
    };
    thread::scope(|scope| {
        let mut pool = Pool::start(scope, 1, &run);
        pool.submit(1);
        pool.submit(2);
        let endings: Vec<_> = wait(&pool, 2).into_iter().map(|each| each.ended).collect();
        assert_eq!(endings, [Ended::Panicked("one is too many".into()), Ended::Done(2)]);
    });
    assert_eq!(
        all(vec![0, 1, 2], 2, |_, job: &u32| run(0, job, &Cancel::default())),
        [Ok(Some(0)), Err("one is too many".into()), Ok(Some(2))]
    );
}

#[test]
fn a_pool_that_is_dropped_cancels_its_jobs_and_lets_its_workers_end() {
    let (started, has_started) = mpsc::channel();
    let started = Mutex::new(started);
    let run = |_: usize, _: &(), cancel: &Cancel| {
        started.lock().unwrap().send(()).unwrap();
        while !cancel.is_cancelled() {
            thread::yield_now();
        }
        None::<()>
    };
    thread::scope(|scope| {
        let mut pool = Pool::start(scope, 1, &run);
        pool.submit(());
        has_started.recv().unwrap();
    });
}
