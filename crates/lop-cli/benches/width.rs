//! How much a run gains from more workers than there are cores: the real scheduling, in simulated time.
//!
//! `cargo bench --bench width -p lop-cli --features full` prints, for 1 to 1,000 workers and for tests of 50 milliseconds and of 5 seconds, how much sooner the
//! default strategy ends than with one worker; then, for each of its phases, the width of its stream, that is, how many of the tests that count are run at the same time,
//! and its share of the time. What the search itself takes is measured, and part of the time. Arguments choose cases by name.
//!
//! Needs gcc and csmith with its headers (`apt install csmith libcsmith-dev`).

mod cases;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cases::Case;
use lop::oracle::{Oracle, Verdict};
use lop::search::pool::Clock;
use lop::tree::Format;
use lop::{Cancel, Candidate, Counts, Event, Key, Reduction, Text};

const USUAL: [&str; 3] = ["c-uninit", "csmith-30", "csmith-28"];
const WORKERS: [usize; 6] = [1, 4, 16, 64, 256, 1000];

/// How long tests take.
const TESTS: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(5)];

/// A case with its verdicts, which do not depend on how long a test takes.
struct Known<'c> {
    case: &'c Case,
    dir: &'c Path,
    text: Text,
    format: Format,
    verdicts: Mutex<HashMap<Key, bool>>,
}

/// Its test, in simulated time.
struct Timed<'c> {
    known: &'c Known<'c>,
    test: Duration,
    clock: Arc<Clock>,
}

impl Oracle for Timed<'_> {
    fn judge(&self, _slot: usize, candidate: &Candidate, _cancel: &Cancel) -> Verdict {
        self.clock.spend(self.test);
        let Known { case, dir, verdicts, .. } = self.known;
        let mut verdicts = verdicts.lock().expect("no test panics");
        let test = || case.test(dir, candidate.text());
        match *verdicts.entry(candidate.key()).or_insert_with(test) {
            true => Verdict::Interesting,
            false => Verdict::Boring,
        }
    }
}

/// How long something took, and how many tests that count it had.
#[derive(Clone, Copy, Default)]
struct Course {
    time: Duration,
    tests: u64,
}

/// A run: as a whole, by its phases in the order of their first runs, and what workers really did.
struct Run {
    whole: Course,
    phases: Vec<(String, Course)>,
    executed: u64,
    searched: Duration,
    tokens: usize,
}

impl Known<'_> {
    fn run(&self, workers: usize, test: Duration) -> Run {
        let clock = Arc::new(Clock::default());
        let oracle = Timed { known: self, test, clock: clock.clone() };
        let mut phases: Vec<(String, Course)> = Vec::new();
        let mut since: Option<(usize, Duration, u64)> = None;
        let mut enter = |name: Option<&str>, counts: Counts| {
            let (now, tests) = (clock.now(), counts.tests);
            if let Some((phase, time, before)) = since.take() {
                phases[phase].1.time += now - time;
                phases[phase].1.tests += tests - before;
            }
            since = name.map(|name| {
                let known = phases.iter().position(|(each, _)| each == name);
                let phase = known.unwrap_or_else(|| {
                    phases.push((name.to_owned(), Course::default()));
                    phases.len() - 1
                });
                (phase, now, tests)
            });
        };
        let mut observer = |event: &Event| {
            if let Event::Phase { name, counts, .. } = event {
                enter(Some(name), *counts);
            }
        };
        let mut reduction = Reduction::new(self.text.clone(), &oracle);
        reduction.format = self.format.clone();
        reduction.workers = workers;
        reduction.clock = Some(clock.clone());
        let report = reduction.observed_by(&mut observer).run().expect("the input is interesting");
        enter(None, report.counts);
        Run {
            whole: Course { time: clock.now(), tests: report.counts.tests },
            phases,
            executed: report.counts.executed,
            searched: clock.searched(),
            tokens: report.best.size.tokens,
        }
    }
}

impl Course {
    /// How many of the tests that count are run at the same time; `all` if they were run before the phase began.
    fn width(self, test: Duration) -> String {
        let width = self.tests as f64 * test.as_secs_f64() / self.time.as_secs_f64();
        match width <= self.tests as f64 {
            true => format!("{width:.1}"),
            false if self.tests == 0 => "-".into(),
            false => "all".into(),
        }
    }
}

fn main() {
    cases::each(&USUAL, |case, dir| {
        let text = fs::read(dir.join(case.file)).map_err(|error| error.to_string())?;
        let text = Text::new(text);
        let format = Format::guess(Path::new(case.file), &text);
        let known = Known { case, dir, text, format, verdicts: Mutex::default() };
        for test in TESTS {
            show(&known, test);
        }
        Ok(())
    });
}

/// Prints the tables of a case with tests that take this long.
fn show(known: &Known<'_>, test: Duration) {
    let name = known.case.name;
    println!("{name}, tests of {test:?}\n");
    println!("workers  seconds  speed-up  efficiency  tests   executed  search s  tokens");
    let runs = WORKERS.map(|workers| known.run(workers, test));
    for (workers, run) in WORKERS.iter().zip(&runs) {
        let speed_up = runs[0].whole.time.as_secs_f64() / run.whole.time.as_secs_f64();
        println!(
            "{workers:>7}  {:>7.1}  {speed_up:>8.1}  {:>9.1}%  {:>5}  {:>8}  {:>8.1}  {:>6}",
            run.whole.time.as_secs_f64(),
            100.0 * speed_up / *workers as f64,
            run.whole.tests,
            run.executed,
            run.searched.as_secs_f64(),
            run.tokens,
        );
    }
    println!("\nphase                     tests  width and share of the time, by workers");
    print!("{:31}", "");
    WORKERS.iter().for_each(|workers| print!("  {workers:>14}"));
    println!();
    for (index, (phase, course)) in runs[0].phases.iter().enumerate() {
        print!("{phase:24}  {:>5}", course.tests);
        for run in &runs {
            let course = run.phases[index].1;
            let share = course.time.as_secs_f64() / run.whole.time.as_secs_f64();
            print!("  {:>8} {:>4.0}%", course.width(test), 100.0 * share);
        }
        println!();
    }
    println!();
}
