//! The live view's knowledge of a run: events, folded. It knows no terminal.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lop::{Counts, Event, Size, Text};

use super::diff::{self, Line};
use crate::view::course::Course;
use crate::view::{number, several};

/// The number of accepted steps, and of notes, that are kept.
const STEPS: usize = 40;
const NOTES: usize = 20;
/// The curve has at most this many points.
const POINTS: usize = 2000;
/// The time over which the tests per second are averaged.
const RECENT: Duration = Duration::from_secs(5);

/// The live view's knowledge of a run.
#[derive(Default)]
pub(super) struct State {
    pub(super) name: String,
    /// The present step before the reduction.
    pub(super) status: String,
    pub(super) course: Course,
    pub(super) strategy: String,
    pub(super) workers: usize,
    /// The size at each improvement, by seconds: tokens, or choices if these are reduced.
    pub(super) curve: Vec<(f64, f64)>,
    pub(super) phases: Vec<PhaseGain>,
    /// The phase that is running, and the tests when it began.
    phase: Option<(usize, u64)>,
    pub(super) best: Option<Text>,
    pub(super) notes: VecDeque<String>,
    /// The accepted steps, the newest last.
    pub(super) steps: VecDeque<Step>,
    accepted: u64,
    /// The number of executed tests at recent moments.
    samples: VecDeque<(Duration, u64)>,
    /// When the counts were taken, so that the clock runs on without events.
    counted: Option<Instant>,
    success: Option<Instant>,
}

/// The gain of a phase in all its runs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PhaseGain {
    pub(super) name: String,
    pub(super) runs: u64,
    pub(super) tests: u64,
    /// The tokens, or choices, that it removed.
    pub(super) gone: u64,
    pub(super) is_skipped: bool,
}

/// An accepted step.
pub(super) struct Step {
    number: u64,
    /// Its number, phase and gain.
    pub(super) head: String,
    /// Its texts, until they are compared.
    texts: Option<(Text, Text)>,
    pub(super) lines: Vec<Line>,
}

impl State {
    pub(super) fn new(name: String) -> Self {
        State { name, ..State::default() }
    }

    /// Follows an event.
    pub(super) fn event(&mut self, event: &Event) {
        let before = self.left(self.course.now());
        self.course.follow(event);
        match event {
            Event::Status { text } => self.status = text.clone(),
            Event::Looking { cases, rejected } => {
                let (cases, rejected) = (number(*cases), number(*rejected));
                self.status =
                    format!("{cases} cases made, {rejected} rejected, none interesting yet");
            }
            Event::Note { text } => self.note(format!("note: {text}")),
            Event::Retrying { timed_out, .. } => {
                self.note(format!("retrying {} that timed out", several(*timed_out, "candidate")));
            }
            Event::AlsoInteresting { signature, .. } => {
                self.note(format!("also interesting: {signature}"));
            }
            Event::Started { size, workers, strategy, text, .. } => {
                (self.workers, self.strategy) = (*workers, strategy.clone());
                self.best = Some(text.clone());
                self.curve = vec![(0.0, self.left(*size) as f64)];
                self.count(&Counts::default());
            }
            Event::Phase { name, counts, .. } => {
                self.count(counts);
                let index = self.index_of(name);
                self.phases[index].runs += 1;
                self.phase = Some((index, counts.tests));
            }
            Event::Skipped { phase, counts } => {
                self.count(counts);
                let index = self.index_of(phase);
                self.phases[index].is_skipped = true;
            }
            Event::Improved { size, phase, text, counts, .. } => {
                self.count(counts);
                let gone = before.saturating_sub(self.left(*size));
                if !phase.is_empty() {
                    let index = self.index_of(phase);
                    self.phases[index].gone += gone as u64;
                }
                self.accept(phase, gone, text);
                self.success = Some(Instant::now());
                self.curve.push((counts.elapsed.as_secs_f64(), self.left(*size) as f64));
                if self.curve.len() > POINTS {
                    let mut index = 0;
                    self.curve.retain(|_| {
                        index += 1;
                        index % 2 == 1
                    });
                }
            }
            Event::Progress { counts } => self.count(counts),
            _ => {}
        }
    }

    /// The remaining size: choices if these are reduced, otherwise tokens.
    fn left(&self, size: Size) -> usize {
        self.course.choices().map_or(size.tokens, |(_, now)| now)
    }

    /// The unit of the curve and the gains.
    pub(super) fn unit(&self) -> &'static str {
        if self.course.choices().is_some() { "choices" } else { "tokens" }
    }

    /// The original and the present size.
    pub(super) fn sizes(&self) -> (usize, usize) {
        match self.course.choices() {
            Some(choices) => choices,
            None => (self.course.original().unwrap_or_default().tokens, self.course.now().tokens),
        }
    }

    fn note(&mut self, text: String) {
        self.notes.push_back(text);
        if self.notes.len() > NOTES {
            self.notes.pop_front();
        }
    }

    fn index_of(&mut self, name: &str) -> usize {
        let known = self.phases.iter().position(|phase| phase.name == name);
        known.unwrap_or_else(|| {
            let (name, is_skipped) = (name.to_owned(), false);
            self.phases.push(PhaseGain { name, runs: 0, tests: 0, gone: 0, is_skipped });
            self.phases.len() - 1
        })
    }

    fn count(&mut self, counts: &Counts) {
        self.counted = Some(Instant::now());
        if let Some((index, since)) = &mut self.phase {
            self.phases[*index].tests += counts.tests.saturating_sub(*since);
            *since = counts.tests;
        }
        self.samples.push_back((counts.elapsed, counts.executed));
        // One older sample is kept, so that the whole time is covered.
        let is_old = |(at, _): &(Duration, u64)| *at + RECENT < counts.elapsed;
        while self.samples.get(1).is_some_and(is_old) {
            self.samples.pop_front();
        }
        if self.samples.len() > 10 * POINTS {
            self.samples.pop_front();
        }
    }

    fn accept(&mut self, phase: &str, gone: usize, text: &Text) {
        self.accepted += 1;
        let gain = match (gone, self.unit()) {
            (0, _) => "simpler".to_owned(),
            (gone, unit) => format!("−{} {unit}", number(gone as u64)),
        };
        let head = [number(self.accepted), phase.to_owned(), gain].join(" · ");
        let before = self.best.replace(text.clone());
        let texts = before.map(|before| (before, text.clone()));
        let number = self.accepted;
        self.steps.push_back(Step { number, head, texts, lines: Vec::new() });
        if self.steps.len() > STEPS {
            self.steps.pop_front();
        }
    }

    /// Compares the texts of steps, which may take a while; the state is not locked meanwhile.
    pub(super) fn compare(state: &Mutex<State>) {
        let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = |step: &mut Step| Some((step.number, step.texts.take()?));
        let open: Vec<_> = lock().steps.iter_mut().filter_map(texts).collect();
        for (number, (before, after)) in open {
            let lines = diff::lines(&before, &after);
            if let Some(step) = lock().steps.iter_mut().find(|step| step.number == number) {
                step.lines = lines;
            }
        }
    }

    /// The number of lines of the accepted edits, with their heads.
    pub(super) fn edit_lines(&self) -> usize {
        self.steps.iter().map(|step| 1 + step.lines.len()).sum()
    }

    /// The time of the run.
    pub(super) fn elapsed(&self) -> Duration {
        self.course.counts().elapsed + self.counted.map_or(Duration::ZERO, |at| at.elapsed())
    }

    /// The time since the last success.
    pub(super) fn since_success(&self) -> Option<Duration> {
        self.success.map(|at| at.elapsed())
    }

    /// The tests per second of the last seconds.
    pub(super) fn rate(&self) -> f64 {
        let Some((since, executed)) = self.samples.front() else { return 0.0 };
        let time = self.elapsed().saturating_sub(*since).as_secs_f64();
        (self.course.counts().executed - executed) as f64 / time.max(0.001)
    }

    /// The phase that is running.
    pub(super) fn current(&self) -> Option<&PhaseGain> {
        self.phase.map(|(index, _)| &self.phases[index])
    }
}
