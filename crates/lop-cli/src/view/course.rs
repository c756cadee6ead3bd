//! The progress of a run, according to its events, for the live view and the lines.

use std::collections::BTreeSet;

use lop::{Counts, Event, Size};

use super::{number, percent_gone, several};

/// A run is polishing if this many tests in a row removed no token, these are a third of all tests, and three quarters
/// of the phases have begun meanwhile.
const PLATEAU: u64 = 200;

/// The progress of a run.
#[derive(Default)]
pub(super) struct Course {
    original: Option<Size>,
    now: Size,
    /// The original and the present number of choices, if choices are reduced.
    choices: Option<(usize, usize)>,
    phase: String,
    counts: Counts,
    /// The number of tests at the last success.
    success: Option<u64>,
    /// The number of tests when a token, or a choice, was last removed.
    gain: Option<u64>,
    /// The numbers of the phases that have begun since then, and the number of all phases.
    phases_since: BTreeSet<usize>,
    phases: usize,
}

impl Course {
    /// Follows an event.
    pub(super) fn follow(&mut self, event: &Event) {
        match event {
            Event::Started { size, choices, .. } => {
                let choices = choices.map(|choices| (choices, choices));
                *self = Course { original: Some(*size), now: *size, choices, ..Course::default() };
            }
            Event::Phase { name, number, of, counts, .. } => {
                self.phase = match (number, of) {
                    (Some(number), Some(of)) => format!("{name} ({number} of {of})"),
                    _ => name.clone(),
                };
                self.phases_since.extend(*number);
                self.phases = of.unwrap_or_default();
                self.counts = *counts;
            }
            Event::Improved { size, choices, counts, .. } => {
                let left = |size: &Size, choices: Option<usize>| choices.unwrap_or(size.tokens);
                if left(size, *choices) < left(&self.now, self.choices.map(|(_, now)| now)) {
                    self.gain = Some(counts.tests);
                    self.phases_since.clear();
                }
                if let (Some((_, now)), Some(choices)) = (&mut self.choices, choices) {
                    *now = *choices;
                }
                (self.now, self.counts, self.success) = (*size, *counts, Some(counts.tests));
            }
            Event::Progress { counts } => self.counts = *counts,
            _ => {}
        }
    }

    /// The original's size, once the run has started.
    pub(super) fn original(&self) -> Option<Size> {
        self.original
    }

    /// The size of the best.
    pub(super) fn now(&self) -> Size {
        self.now
    }

    /// The original and the present number of choices, if choices are reduced.
    pub(super) fn choices(&self) -> Option<(usize, usize)> {
        self.choices
    }

    /// The last counts.
    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The current phase, and its number among those of the strategy.
    pub(super) fn phase(&self) -> &str {
        &self.phase
    }

    /// The number of tests since the last success; `None` if there was none.
    pub(super) fn since_success(&self) -> Option<u64> {
        self.success.map(|success| self.counts.tests.saturating_sub(success))
    }

    /// The sizes, for a log.
    pub(super) fn figures(&self) -> String {
        let Size { bytes, tokens, .. } = self.now;
        match (self.choices, self.original) {
            (Some((before, now)), _) => format!(
                "{} → {}, {}",
                number(before as u64),
                several(now as u64, "choice"),
                several(bytes as u64, "byte")
            ),
            (None, original) => format!(
                "{} ({} gone), {}",
                several(bytes as u64, "byte"),
                percent_gone(original.unwrap_or_default().bytes, bytes),
                several(tokens as u64, "token"),
            ),
        }
    }

    /// The prospects after a long time without a gain: that little more can be gained. `None` for a run that has
    /// removed less than a half.
    pub(super) fn outlook(&self) -> Option<String> {
        let (before, now, unit) = match (self.choices, self.original) {
            (Some((before, now)), _) => (before, now, "choice"),
            (None, Some(original)) => (original.tokens, self.now.tokens, "token"),
            (None, None) => return None,
        };
        let tests = self.counts.tests;
        let idle = tests.saturating_sub(self.gain?);
        let is_long = idle >= PLATEAU && 3 * idle >= tests;
        let is_plateau =
            is_long && 2 * now <= before && 4 * self.phases_since.len() >= 3 * self.phases;
        is_plateau.then(|| {
            let idle = number(idle);
            format!(
                "mostly polishing now: Ctrl-C keeps the result (no {unit} less in {idle} tests)"
            )
        })
    }
}
