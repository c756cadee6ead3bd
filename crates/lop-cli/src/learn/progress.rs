//! The output of `lop learn`: a line that is redrawn on a terminal, else a line now and then; at the end, a summary.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use lop::tree::Usage;

use crate::model::languages;
use crate::view::{clock, files, number, say};

/// The time between two lines if there is no terminal.
const PAUSE: Duration = Duration::from_secs(10);

/// Why a file is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skip {
    Unreadable,
    Large,
    Binary,
    Other,
    Wrong,
    Known,
}

/// The reasons in the order in which they are listed, each with its words.
const SKIPS: &[(Skip, &str)] = &[
    (Skip::Known, "known already"),
    (Skip::Other, "in another language"),
    (Skip::Binary, "binary"),
    (Skip::Large, "larger than 4 MB"),
    (Skip::Wrong, "with many syntax errors"),
    (Skip::Unreadable, "not readable"),
];

/// The counts so far.
#[derive(Debug, Default)]
pub(super) struct Counts {
    files: AtomicU64,
    bytes: AtomicU64,
    skipped: [AtomicU64; SKIPS.len()],
}

impl Counts {
    /// Counts a file that was learned from.
    pub(super) fn learn(&self, bytes: u64) {
        self.files.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Counts a file that was skipped.
    pub(super) fn skip(&self, reason: Skip) {
        self.skipped[reason as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// The number of skipped files, by reason.
    pub(super) fn skipped(&self) -> String {
        let count = |reason: Skip| self.skipped[reason as usize].load(Ordering::Relaxed);
        let reasons = SKIPS.iter().filter(|(reason, _)| count(*reason) > 0);
        let reasons = reasons.map(|(reason, words)| format!("{} {words}", number(count(*reason))));
        match reasons.collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => "there are no files".to_owned(),
            reasons => format!("files skipped: {reasons}"),
        }
    }

    fn is_any_skipped(&self) -> bool {
        self.skipped.iter().any(|count| count.load(Ordering::Relaxed) > 0)
    }

    fn figures(&self, time: Duration) -> String {
        let bytes = self.bytes.load(Ordering::Relaxed) as f64 / 1e6;
        let files = files(self.files.load(Ordering::Relaxed));
        let rate = bytes / time.as_secs_f64().max(0.001);
        format!("{files}, {bytes:.1} MB in {} ({rate:.1} MB/s)", clock(time))
    }
}

/// Shows the progress.
pub(super) struct Progress {
    quiet: bool,
    started: Instant,
    said: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub(super) fn new(quiet: bool) -> Self {
        let is_shown = !quiet && std::io::stderr().is_terminal();
        let style = || ProgressStyle::with_template("{spinner:.cyan} {msg}");
        let style = || style().expect("the template is well-formed");
        let bar = is_shown.then(|| ProgressBar::new_spinner().with_style(style()));
        Progress { quiet, started: Instant::now(), said: Instant::now(), bar }
    }

    /// Shows the counts so far; to be called ten times a second.
    pub(super) fn show(&mut self, counts: &Counts) {
        let figures = counts.figures(self.started.elapsed());
        if let Some(bar) = &self.bar {
            bar.set_message(figures);
            bar.tick();
        } else if !self.quiet && self.said.elapsed() >= PAUSE {
            self.said = Instant::now();
            say(&format!("lop: {figures}"));
        }
    }

    /// Prints the summary.
    pub(super) fn finish(self, counts: &Counts, usage: &Usage, model: &Path, interrupted: bool) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if self.quiet {
            return;
        }
        say(&format!("lop: learned from {}", counts.figures(self.started.elapsed())));
        if counts.is_any_skipped() {
            say(&format!("lop: {}", counts.skipped()));
        }
        let files = files(usage.files());
        say(&format!("lop: {} is a model of {files}: {}", model.display(), languages(usage)));
        if interrupted {
            say("lop: interrupted; the same command goes on");
        }
    }
}
