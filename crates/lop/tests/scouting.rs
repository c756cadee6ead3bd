//! Where there are many workers, those that would be idle test what will be asked if nothing is found.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use lop::oracle::{Oracle, Verdict};
use lop::search::pool::Clock;
use lop::tree::Format;
use lop::{Cancel, Candidate, Reduction, Report, Text};

const PROGRAM: &str = include_str!("snippets/c.c");

/// Takes an hour of simulated time to find out whether some words are left and brackets match.
struct Slow(Arc<Clock>);

impl Oracle for Slow {
    fn judge(&self, _slot: usize, candidate: &Candidate, _cancel: &Cancel) -> Verdict {
        self.0.spend(Duration::from_secs(3600));
        let text = String::from_utf8_lossy(candidate.text());
        let count = |sign: char| text.chars().filter(|each| *each == sign).count();
        let words: Vec<&str> = PROGRAM.split_whitespace().step_by(17).collect();
        match words.iter().all(|word| text.contains(word)) && count('(') == count(')') {
            true => Verdict::Interesting,
            false => Verdict::Boring,
        }
    }
}

/// A run, and how many tests it takes one after the other.
fn reduce(workers: usize) -> (Report, u64) {
    let clock = Arc::new(Clock::default());
    let oracle = Slow(clock.clone());
    let text: Text = Arc::new(PROGRAM.into());
    let mut reduction = Reduction::new(text.clone(), &oracle);
    reduction.format = Format::guess(Path::new("c.c"), &text);
    reduction.workers = workers;
    reduction.clock = Some(clock.clone());
    let report = reduction.run().unwrap();
    (report, clock.now().as_secs() / 3600)
}

#[test]
fn many_workers_need_less_than_half_the_time_of_few_and_neither_result_nor_tests_differ() {
    let (one, hours) = reduce(1);
    assert_eq!(hours, one.counts.executed, "a worker does one test after the other");
    let (few, hours_of_few) = reduce(7);
    let (many, hours_of_many) = reduce(64);
    println!("{hours}, {hours_of_few} and {hours_of_many} hours");
    for other in [&few, &many] {
        assert_eq!(other.best.text, one.best.text);
        assert_eq!(other.counts.tests, one.counts.tests);
    }
    // With a scout, about 135 of 335 hours, and a few more or less with the load of the machine; without one, 212.
    assert!(2 * hours_of_many < hours_of_few, "{hours_of_many} of {hours_of_few} hours");
}
