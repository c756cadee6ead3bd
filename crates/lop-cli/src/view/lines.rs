//! Lines for people: notes and the end of a run. Without a terminal also the newest improvement, at most one a second; with
//! `--verbose` everything.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use lop::{Counts, Event, Observer, Report, Size};

use super::{clock, number, percent_gone, say, summary};

const PAUSE: Duration = Duration::from_secs(1);

/// Prints lines for people.
pub(super) struct Lines {
    name: String,
    verbose: bool,
    /// The live panel, above which lines are printed.
    panel: Option<ProgressBar>,
    original: Size,
    choices: Option<usize>,
    /// The newest improvement that was not printed.
    unsaid: Option<String>,
    said: Option<Instant>,
}

impl Lines {
    pub(super) fn new(name: String, verbose: bool, panel: Option<ProgressBar>) -> Self {
        let original = Size::default();
        Lines { name, verbose, panel, original, choices: None, unsaid: None, said: None }
    }

    fn line(&self, text: &str) {
        match &self.panel {
            Some(panel) if !panel.is_finished() => panel.println(format!("lop: {text}")),
            _ => say(&format!("lop: {text}")),
        }
    }

    /// Whether improvements are printed now and then: no panel shows them, and not each of them is printed.
    fn is_log(&self) -> bool {
        self.panel.is_none() && !self.verbose
    }

    /// Prints what is unsaid if it is time again.
    fn say_now_and_then(&mut self) {
        if self.is_log() && self.said.is_none_or(|said| said.elapsed() >= PAUSE) {
            self.say_unsaid();
        }
    }

    fn say_unsaid(&mut self) {
        if let Some(text) = self.unsaid.take().filter(|_| self.is_log()) {
            self.said = Some(Instant::now());
            self.line(&format!("{} {text}", self.name));
        }
    }

    /// An improvement, for a log.
    fn improvement(&self, size: Size, choices: Option<usize>, counts: &Counts) -> String {
        let (tests, time) = (number(counts.tests), clock(counts.elapsed));
        match (self.choices, choices) {
            (Some(before), Some(now)) => format!(
                "{} → {} choices, {} bytes, {tests} tests, {time}",
                number(before as u64),
                number(now as u64),
                number(size.bytes as u64),
            ),
            _ => format!(
                "{} bytes ({} gone), {} tokens, {tests} tests, {time}",
                number(size.bytes as u64),
                percent_gone(self.original.bytes, size.bytes),
                number(size.tokens as u64),
            ),
        }
    }

    /// Prints what happened in detail.
    fn detail(&self, event: &Event) {
        match event {
            Event::Status { text } if self.panel.is_none() => self.line(text),
            Event::Property { time_limit, .. } => {
                self.line(&format!("a test may take {:.1} s", time_limit.as_secs_f64()));
            }
            Event::Started { strategy, workers, .. } => {
                self.line(&format!("{workers} workers, strategy {strategy}"));
            }
            Event::Phase { name, .. } => self.line(&format!("phase {name}")),
            Event::Improved { size, choices, phase, .. } => {
                let choices = choices.map_or(String::new(), |choices| {
                    format!("{} choices, ", number(choices as u64))
                });
                let by = if phase.is_empty() { String::new() } else { format!(" by {phase}") };
                self.line(&format!(
                    "{choices}{} bytes, {} tokens{by}",
                    number(size.bytes as u64),
                    number(size.tokens as u64)
                ));
            }
            _ => {}
        }
    }

    fn phases(&self, report: &Report) {
        if self.verbose && !report.phases.is_empty() {
            say(&format!("phases of {}", self.name));
            say(&summary::phases(report).to_string());
        }
    }
}

impl Observer for Lines {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Note { text } => self.line(&format!("note: {text}")),
            Event::Property { test, property, .. } => {
                self.line(&format!("property of `{test}`: {property}"));
            }
            Event::Looking { cases, rejected } => {
                self.unsaid = Some(format!(
                    "{} cases made, {} rejected, none interesting yet",
                    number(*cases),
                    number(*rejected)
                ));
            }
            Event::Started { size, choices, .. } => {
                (self.original, self.choices, self.unsaid) = (*size, *choices, None);
            }
            Event::Improved { size, choices, counts, .. } => {
                self.unsaid = Some(self.improvement(*size, *choices, counts));
            }
            Event::Retrying { timed_out, at_most } => self.line(&format!(
                "retrying {timed_out} candidates that timed out, with a longer limit, until {at_most} in a row \
                 time out again"
            )),
            Event::Compared { report, .. } => {
                self.say_unsaid();
                self.phases(report);
            }
            Event::Finished { report, .. } => {
                // The last improvement is always printed.
                self.say_unsaid();
                if let Some(text) = summary::of(event) {
                    say(text.trim_end());
                }
                self.phases(report);
            }
            _ => {}
        }
        self.say_now_and_then();
        if self.verbose {
            self.detail(event);
        }
    }
}
