//! The output of a batch: a line for each finished job, and on a terminal a line that shows the progress.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use lop::{Event, Observer, Report};

use crate::view::{clock, number, say, several};

/// The longest pause between lines if there is no terminal.
const SILENCE: Duration = Duration::from_secs(30);

/// Shows the progress of a batch.
pub(super) struct Board {
    quiet: bool,
    bar: Option<ProgressBar>,
    state: Mutex<State>,
}

struct State {
    started: Instant,
    said: Instant,
    /// The present activity, such as `reducing`.
    doing: &'static str,
    done: usize,
    of: usize,
    /// The jobs that are running: their names, sizes and numbers of tests.
    running: Vec<(String, usize, usize, u64)>,
    /// The tests of the jobs that are done.
    tests: u64,
}

impl Board {
    pub(super) fn new(quiet: bool) -> Arc<Self> {
        let is_shown = !quiet && std::io::stderr().is_terminal();
        let style = ProgressStyle::with_template("{spinner:.cyan} {wide_msg}");
        let style = style.expect("the template is well-formed");
        let bar = is_shown.then(|| ProgressBar::new_spinner().with_style(style));
        let (now, running) = (Instant::now(), Vec::new());
        let state = State { started: now, said: now, doing: "", done: 0, of: 0, running, tests: 0 };
        Arc::new(Board { quiet, bar, state: Mutex::new(state) })
    }

    /// Begins an activity over this many jobs.
    pub(super) fn begin(&self, doing: &'static str, of: usize) {
        {
            let mut state = self.state();
            (state.doing, state.done, state.of) = (doing, 0, of);
        }
        self.show();
    }

    /// Counts a finished job.
    pub(super) fn done(&self, name: &str, line: Option<String>) {
        {
            let mut state = self.state();
            state.done += 1;
            let ended = state.running.iter().position(|(each, ..)| each == name);
            if let Some(index) = ended {
                let (.., tests) = state.running.remove(index);
                state.tests += tests;
            }
        }
        if let Some(line) = line {
            self.say(&line);
        }
        self.show();
    }

    /// Prints a line.
    pub(super) fn say(&self, line: &str) {
        if self.quiet {
            return;
        }
        self.state().said = Instant::now();
        let line = format!("lop: {line}");
        match &self.bar {
            Some(bar) => bar.suspend(|| say(&line)),
            None => say(&line),
        }
    }

    /// Removes the progress line.
    pub(super) fn close(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, name: &str, bytes: Option<usize>, tests: u64) {
        {
            let mut state = self.state();
            match state.running.iter_mut().find(|(each, ..)| each == name) {
                Some((_, _, now, count)) => (*now, *count) = (bytes.unwrap_or(*now), tests),
                None => {
                    let bytes = bytes.unwrap_or_default();
                    state.running.push((name.to_owned(), bytes, bytes, tests));
                }
            }
        }
        self.show();
    }

    fn show(&self) {
        let (figures, running, is_silent) = {
            let state = self.state();
            (state.figures(), state.running(), state.said.elapsed() >= SILENCE)
        };
        match &self.bar {
            Some(bar) => {
                bar.set_message(figures + &running);
                bar.tick();
            }
            None if is_silent => self.say(&figures),
            None => {}
        }
    }
}

impl State {
    fn figures(&self) -> String {
        let tests = self.tests + self.running.iter().map(|(.., tests)| tests).sum::<u64>();
        let done =
            format!("{} {} of {}", self.doing, number(self.done as u64), number(self.of as u64));
        match tests {
            0 => done,
            _ => format!("{done}, {} in {}", several(tests, "test"), clock(self.started.elapsed())),
        }
    }

    /// The jobs that are running, with their sizes. Names of crashes are long, and begin with the part that
    /// distinguishes them.
    fn running(&self) -> String {
        let job = |(name, before, now, _): &(String, usize, usize, u64)| {
            let name: String = name.chars().take(12).collect();
            format!(" · {name} {} → {}", number(*before as u64), number(*now as u64))
        };
        self.running.iter().map(job).collect()
    }
}

/// The visible state of a job while it runs.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) report: Option<Report>,
    pub(super) notes: Vec<String>,
}

/// Watches a job.
pub(super) struct Watch {
    pub(super) name: String,
    pub(super) board: Arc<Board>,
    pub(super) seen: Arc<Mutex<Seen>>,
}

impl Observer for Watch {
    fn event(&mut self, event: &Event) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Note { text } => seen.notes.push(text.clone()),
            Event::Started { size, .. } => self.board.update(&self.name, Some(size.bytes), 0),
            Event::Improved { size, counts, .. } => {
                self.board.update(&self.name, Some(size.bytes), counts.tests);
            }
            Event::Progress { counts } => self.board.update(&self.name, None, counts.tests),
            Event::Finished { report, .. } => seen.report = Some((**report).clone()),
            _ => {}
        }
    }
}
