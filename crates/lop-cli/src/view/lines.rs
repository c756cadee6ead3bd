//! Lines of text: notes and the end of a run. Without a live view also the newest improvement, at most one a second,
//! and now and then the progress if there was none; with `--verbose` everything.

use std::time::{Duration, Instant};

use lop::{Event, Observer, Report};

use super::course::Course;
use super::{clock, columns, number, say, several, summary};

/// The least time between two improvements.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest time without a line.
const SILENCE: Duration = Duration::from_secs(30);

/// Prints lines of text.
pub(super) struct Lines {
    name: String,
    verbose: bool,
    /// Whether a live view shows the course of the run.
    is_shown: bool,
    course: Course,
    /// The newest improvement that was not printed: its sizes, and its cost.
    unsaid: Option<(String, String)>,
    /// The sizes that were printed last.
    figures: String,
    /// Whether the low prospects were reported.
    is_outlook_said: bool,
    said: Duration,
    time: Box<dyn Fn() -> Duration>,
    print: Box<dyn FnMut(&str)>,
}

impl Lines {
    pub(super) fn new(name: String, verbose: bool, is_shown: bool) -> Self {
        let started = Instant::now();
        let time = Box::new(move || started.elapsed());
        Lines {
            name,
            verbose,
            is_shown,
            course: Course::default(),
            unsaid: None,
            figures: String::new(),
            is_outlook_said: false,
            said: Duration::ZERO,
            time,
            print: Box::new(say),
        }
    }

    fn line(&mut self, text: &str) {
        (self.print)(&format!("lop: {text}"));
    }

    /// Prints a line about the run, and restarts the time without lines.
    fn report(&mut self, text: &str) {
        self.said = (self.time)();
        self.line(&format!("{} {text}", self.name));
    }

    /// Whether improvements are printed now and then: if nothing else shows them, and if they are not all printed.
    fn is_log(&self) -> bool {
        !self.is_shown && !self.verbose
    }

    /// Prints the newest improvement if it is time again, or the progress after a long silence.
    fn say_now_and_then(&mut self) {
        let silence = (self.time)().saturating_sub(self.said);
        if silence >= PAUSE || self.figures.is_empty() {
            self.say_unsaid();
        }
        if self.is_shown {
            return;
        }
        let outlook = self.course.outlook();
        if let Some(outlook) = outlook.as_ref().filter(|_| !self.is_outlook_said) {
            self.report(outlook);
        } else if silence >= SILENCE && self.course.original().is_some() {
            self.report(&self.heartbeat());
        }
        self.is_outlook_said = outlook.is_some();
    }

    fn heartbeat(&self) -> String {
        let counts = self.course.counts();
        let (tests, time) = (several(counts.tests, "test"), clock(counts.elapsed));
        let since = match self.course.since_success() {
            Some(since) => format!("the last success {} ago", several(since, "test")),
            None => "no success yet".into(),
        };
        format!("{tests}, {time}, {since}; phase {}", self.course.phase())
    }

    fn say_unsaid(&mut self) {
        let Some((figures, effort)) = self.unsaid.take().filter(|_| self.is_log()) else { return };
        // Many improvements do not change the shown figures.
        if figures != self.figures {
            self.report(&format!("{figures}{effort}"));
            self.figures = figures;
        }
    }

    /// Prints an event in detail.
    fn detail(&mut self, event: &Event) {
        match event {
            Event::Status { text } if !self.is_shown => self.line(text),
            Event::Property { time_limit, .. } => {
                self.line(&format!("a test may take {:.1} s", time_limit.as_secs_f64()));
            }
            Event::Started { strategy, workers, .. } => {
                self.line(&format!("{}, strategy {strategy}", several(*workers as u64, "worker")));
            }
            Event::Phase { .. } => self.line(&format!("phase {}", self.course.phase())),
            Event::Improved { size, choices, phase, .. } => {
                let choices = choices
                    .map_or(String::new(), |choices| several(choices as u64, "choice") + ", ");
                let by = if phase.is_empty() { String::new() } else { format!(" by {phase}") };
                self.line(&format!(
                    "{choices}{}, {}{by}",
                    several(size.bytes as u64, "byte"),
                    several(size.tokens as u64, "token")
                ));
            }
            _ => {}
        }
    }

    fn phases(&mut self, report: &Report) {
        if self.verbose && !report.phases.is_empty() {
            (self.print)(&format!("phases of {}", self.name));
            (self.print)(&summary::phases(report).to_string());
        }
    }
}

impl Observer for Lines {
    fn event(&mut self, event: &Event) {
        self.course.follow(event);
        match event {
            Event::Note { text } => self.line(&format!("note: {text}")),
            Event::Property { test, property, .. } => {
                self.line(&format!("property of `{test}`: {property}"));
            }
            Event::Looking { cases, rejected } => {
                let made = format!(
                    "{} cases made, {} rejected, none interesting yet",
                    number(*cases),
                    number(*rejected)
                );
                self.unsaid = Some((made, String::new()));
            }
            Event::Started { .. } => self.unsaid = None,
            Event::Improved { counts, .. } => {
                let (tests, time) = (several(counts.tests, "test"), clock(counts.elapsed));
                let effort = format!(", {tests}, {time}");
                self.unsaid = Some((self.course.figures(), effort));
            }
            Event::Skipped { phase, .. } => self.line(&format!("skipped the rest of {phase}")),
            Event::Retrying { timed_out, at_most } => self.line(&format!(
                "retrying {} that timed out, with a longer limit, until {at_most} in a row time out again",
                several(*timed_out, "candidate")
            )),
            Event::Compared { report, .. } => {
                self.say_unsaid();
                self.phases(report);
                return;
            }
            Event::Finished { report, .. } => {
                // The last improvement is always printed.
                self.say_unsaid();
                if let Some(text) = summary::of(event, columns()) {
                    (self.print)(text.trim_end());
                }
                self.phases(report);
                return;
            }
            _ => {}
        }
        self.say_now_and_then();
        if self.verbose {
            self.detail(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    use lop::{Counts, Size, Text};

    use super::*;

    /// A log that gets events at given times.
    struct Log {
        lines: Lines,
        seconds: Rc<Cell<u64>>,
        printed: Rc<RefCell<Vec<String>>>,
    }

    fn size(tokens: usize, bytes: usize) -> Size {
        let mut size = Size::default();
        (size.tokens, size.characters, size.bytes) = (tokens, bytes, bytes);
        size
    }

    fn counts(tests: u64, seconds: u64) -> Counts {
        let mut counts = Counts::default();
        (counts.tests, counts.elapsed) = (tests, Duration::from_secs(seconds));
        counts
    }

    impl Log {
        fn new(verbose: bool) -> Log {
            let (seconds, printed) = (Rc::new(Cell::new(0)), Rc::new(RefCell::new(Vec::new())));
            let mut lines = Lines::new("a.c".into(), verbose, false);
            let (time, out) = (seconds.clone(), printed.clone());
            lines.time = Box::new(move || Duration::from_secs(time.get()));
            lines.print = Box::new(move |line| out.borrow_mut().push(line.to_owned()));
            let mut log = Log { lines, seconds, printed };
            let strategy = "default".into();
            log.lines.event(&Event::Started {
                size: size(1000, 5000),
                choices: None,
                workers: 1,
                strategy,
                text: Text::default(),
            });
            log.printed.borrow_mut().clear();
            log
        }

        /// The lines that are printed for an event.
        fn at(&mut self, seconds: u64, event: &Event) -> Vec<String> {
            self.seconds.set(seconds);
            self.lines.event(event);
            std::mem::take(&mut *self.printed.borrow_mut())
        }

        fn improved(&mut self, tests: u64, seconds: u64, size: Size) -> Vec<String> {
            let (choices, phase, text) = (None, "lift".into(), Text::default());
            let counts = counts(tests, seconds);
            self.at(seconds, &Event::Improved { size, choices, phase, text, counts })
        }

        fn phase(&mut self, number: usize, of: usize) {
            let (name, number, of) = ("lift".into(), Some(number), Some(of));
            let (size, counts) = (size(1000, 5000), counts(11, 0));
            self.at(0, &Event::Phase { name, number, of, size, counts });
        }

        fn progress(&mut self, tests: u64, seconds: u64) -> Vec<String> {
            self.at(seconds, &Event::Progress { counts: counts(tests, seconds) })
        }
    }

    const NOTHING: [String; 0] = [];

    #[test]
    fn a_long_silence_is_broken_with_what_happened_meanwhile() {
        for verbose in [false, true] {
            let mut log = Log::new(verbose);
            assert_eq!(log.progress(5, 10), NOTHING);
            let (name, number, of) = ("lift".into(), Some(5), Some(22));
            let (size, counts) = (size(1000, 5000), counts(6, 11));
            log.at(11, &Event::Phase { name, number, of, size, counts });
            let said = "lop: a.c 20 tests, 30.0 s, no success yet; phase lift (5 of 22)";
            assert_eq!(log.progress(20, 30), [said]);
            assert_eq!(log.progress(21, 31), NOTHING);
        }
        let mut log = Log::new(false);
        log.improved(25, 40, size(900, 4500));
        assert_eq!(log.progress(30, 69), NOTHING);
        let said = "lop: a.c 75 tests, 1:10 min, the last success 50 tests ago; phase ";
        assert_eq!(log.progress(75, 70), [said]);
    }

    #[test]
    fn the_newest_improvement_is_printed_once_a_second_and_never_with_the_same_sizes() {
        let mut log = Log::new(false);
        assert_eq!(
            log.improved(1, 0, size(900, 4500)),
            ["lop: a.c 4,500 bytes (10.0 % gone), 900 tokens, 1 test, 0.0 s"]
        );
        assert_eq!(log.improved(2, 0, size(800, 4000)), NOTHING);
        assert_eq!(log.improved(3, 0, size(700, 3500)), NOTHING);
        assert_eq!(
            log.progress(4, 1),
            ["lop: a.c 3,500 bytes (30.0 % gone), 700 tokens, 3 tests, 0.0 s"]
        );
        // Other letters, but the same size.
        assert_eq!(log.improved(9, 5, size(700, 3500)), NOTHING);
        assert_eq!(log.progress(10, 9), NOTHING);
    }

    #[test]
    fn that_little_is_to_be_expected_is_said_once_for_each_plateau() {
        let mut log = Log::new(false);
        log.improved(10, 0, size(400, 2000));
        assert_eq!(log.progress(209, 1), NOTHING);
        let polishing =
            "lop: a.c mostly polishing now: Ctrl-C keeps the result (no token less in 200 tests)";
        // Fewer characters aren't fewer tokens.
        let said = log.improved(210, 2, size(400, 1990));
        assert_eq!(said.last().unwrap(), polishing);
        assert_eq!(log.progress(400, 3), NOTHING);
        log.improved(600, 4, size(300, 1500));
        // Two hundred tests are few after six hundred.
        assert_eq!(log.progress(850, 5), NOTHING);
        assert_eq!(log.progress(900, 6).len(), 1);
    }

    #[test]
    fn a_run_most_of_whose_phases_are_still_to_come_is_not_called_polishing() {
        let mut log = Log::new(false);
        log.improved(10, 0, size(400, 2000));
        (1..=20).for_each(|number| log.phase(number, 28));
        assert_eq!(log.progress(900, 1), NOTHING);
        log.phase(21, 28);
        assert_eq!(log.progress(901, 2).len(), 1);
    }

    #[test]
    fn a_run_that_has_removed_little_is_not_called_polishing() {
        let mut log = Log::new(false);
        assert_eq!(log.progress(900, 1), NOTHING);
        log.improved(901, 2, size(900, 4500));
        assert_eq!(log.progress(5000, 3), NOTHING);
    }
}
