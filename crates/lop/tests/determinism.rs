//! With a deterministic oracle neither the result nor the number of tests depends on the number of
//! workers.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lop::algorithms::ALGORITHMS;
use lop::oracle::{Oracle, Reason, Verdict};
use lop::{Cancel, Candidate, Event, Reduction, Report};

type Problem = (String, Vec<String>);

/// A random text of words, brackets and lines, and some words that must stay in this order.
fn random_problem(random: &mut fastrand::Rng) -> Problem {
    let mut text = String::new();
    let words = random.usize(10..120);
    for number in 0..words {
        match random.u8(..10) {
            0 => text.push_str("{ "),
            1 => text.push_str("} "),
            2 => text.push_str("(x) "),
            3 => text.push('\n'),
            _ => {}
        }
        text.push_str(&format!("w{number} "));
    }
    let needed = (0..words).filter(|_| random.u8(..12) == 0).map(|number| format!("w{number}"));
    (text, needed.collect())
}

/// A candidate is interesting if it has all needed words and agrees with the original in a second, fickle property.
/// Answers take a random time, so that workers finish in any order.
fn oracle(problem: &Problem, jitter: u64) -> impl Fn(&[u8]) -> bool + Send + Sync + use<> {
    let clock = AtomicU64::new(jitter);
    let (original, needed) = problem.clone();
    move |candidate| {
        let tick = clock.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        std::thread::sleep(Duration::from_micros((tick >> 32) % 300));
        let text = String::from_utf8_lossy(candidate);
        let words: Vec<&str> = text.split_whitespace().collect();
        needed.iter().all(|word| words.contains(&word.as_str()))
            && odd(&words) == odd(&original.split_whitespace().collect::<Vec<_>>())
    }
}

/// A property that is lost and found again as words are removed, so that the order of tests matters.
fn odd(words: &[&str]) -> bool {
    words.iter().filter(|word| word.len() == 2 || **word == "{").count() % 2 == 1
}

fn reduce(problem: &Problem, workers: usize, jitter: u64) -> (Report, Vec<usize>) {
    let text = Arc::new(problem.0.clone().into_bytes());
    let oracle = oracle(problem, jitter);
    let mut reduction = Reduction::new(text, &oracle);
    reduction.workers = workers;
    let improvements = Mutex::new(Vec::new());
    let mut observer = |event: &Event| {
        if let Event::Improved { size, .. } = event {
            improvements.lock().unwrap().push(size.bytes);
        }
    };
    let report = reduction.observed_by(&mut observer).run();
    (report.unwrap(), improvements.into_inner().unwrap())
}

#[test]
fn one_two_and_eight_workers_give_the_same_bytes_with_the_same_tests_on_fifty_problems() {
    let seed = lop_testing::seed();
    let mut random = fastrand::Rng::with_seed(seed);
    for number in 0..50 {
        let problem = random_problem(&mut random);
        let (one, steps) = reduce(&problem, 1, seed);
        for workers in [2, 8] {
            let (many, other_steps) = reduce(&problem, workers, seed ^ number);
            assert_eq!(many.best.text, one.best.text, "problem {number}, {workers} workers");
            assert_eq!(many.counts.tests, one.counts.tests, "problem {number}, {workers} workers");
            assert_eq!(many.counts.hits, one.counts.hits, "problem {number}, {workers} workers");
            assert_eq!(other_steps, steps, "problem {number}, {workers} workers");
        }
        assert_eq!(one.confirmed, Some(true));
    }
}

#[test]
fn every_algorithm_over_lists_gives_the_same_bytes_with_one_two_and_eight_workers() {
    let seed = lop_testing::seed();
    let mut random = fastrand::Rng::with_seed(seed);
    for algorithm in ALGORITHMS {
        let problem = random_problem(&mut random);
        let strategy = format!("{0}:lines+{0}:tokens", algorithm.name);
        let results = [1, 2, 8].map(|workers| {
            let oracle = oracle(&problem, seed ^ workers as u64);
            let text = Arc::new(problem.0.clone().into_bytes());
            let mut reduction = Reduction::new(text, &oracle);
            reduction.workers = workers;
            reduction.strategy = strategy.parse().unwrap();
            // A seed other than 0 shuffles where an algorithm leaves a choice.
            reduction.seed = seed;
            let report = reduction.run().unwrap();
            (report.best.text.clone(), report.counts.tests, report.counts.hits)
        });
        assert_eq!(results[0], results[1], "{strategy}");
        assert_eq!(results[0], results[2], "{strategy}");
    }
}

#[test]
fn a_limit_on_tests_stops_at_the_same_place_with_any_number_of_workers() {
    let seed = lop_testing::seed();
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..10 {
        let problem = random_problem(&mut random);
        let limit = random.u64(1..60);
        let results: Vec<_> = [1, 2, 8]
            .into_iter()
            .map(|workers| {
                let text = Arc::new(problem.0.clone().into_bytes());
                let oracle = oracle(&problem, seed);
                let mut reduction = Reduction::new(text, &oracle);
                reduction.workers = workers;
                reduction.max_tests = Some(limit);
                let report = reduction.run().unwrap();
                assert!(report.counts.tests <= limit);
                (report.best.text.clone(), report.counts.tests)
            })
            .collect();
        assert_eq!(results[0], results[1]);
        assert_eq!(results[0], results[2]);
    }
}

/// Times out on a fifth of all candidates, unless they get the longer limit.
struct TimesOut<F> {
    judge: F,
    has_longer_limit: AtomicBool,
}

impl<F: Fn(&[u8]) -> bool + Send + Sync> Oracle for TimesOut<F> {
    fn judge(&self, _: usize, candidate: &Candidate, _: &Cancel) -> Verdict {
        let is_slow = candidate.key().is_multiple_of(5);
        match (self.judge)(candidate.text()) {
            _ if is_slow && !self.has_longer_limit.load(Ordering::SeqCst) => {
                Verdict::Unresolved(Reason::TimedOut)
            }
            true => Verdict::Interesting,
            false => Verdict::Boring,
        }
    }

    fn set_longer_limit(&self, longer: bool) -> bool {
        self.has_longer_limit.store(longer, Ordering::SeqCst);
        true
    }
}

#[test]
fn what_workers_find_out_ahead_with_the_longer_limit_changes_nothing() {
    let seed = lop_testing::seed();
    let mut random = fastrand::Rng::with_seed(seed);
    for number in 0..10 {
        let problem = random_problem(&mut random);
        let reduce = |workers: usize| {
            let judge = oracle(&problem, seed ^ workers as u64);
            let oracle = TimesOut { judge, has_longer_limit: AtomicBool::new(false) };
            let text = Arc::new(problem.0.clone().into_bytes());
            let mut reduction = Reduction::new(text, &oracle);
            reduction.workers = workers;
            let report = reduction.run().unwrap();
            (report.best.text.clone(), report.counts.tests)
        };
        let alone = reduce(1);
        assert_eq!(alone, reduce(8), "problem {number}");
        assert_eq!(alone, reduce(32), "problem {number}, with a scout that is far ahead");
    }
}

#[test]
fn a_second_run_on_the_result_makes_no_progress() {
    let seed = lop_testing::seed();
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..10 {
        let (text, needed) = random_problem(&mut random);
        let (first, _) = reduce(&(text, needed.clone()), 2, seed);
        let text = String::from_utf8(first.best.text.to_vec()).unwrap();
        let (second, steps) = reduce(&(text, needed), 2, seed);
        assert_eq!(second.best.text, first.best.text);
        assert!(steps.is_empty());
    }
}
