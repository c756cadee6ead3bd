//! The live panel on a terminal.

use std::fmt::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use console::{Term, style, truncate_str};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use lop::{Counts, Event, Size};

use super::echo::NoEcho;
use super::{clock, number, percent_gone};

/// A panel of two lines that is redrawn ten times a second, whether anything happens or not.
pub(super) struct Live {
    bar: ProgressBar,
    _no_echo: NoEcho,
    shown: Arc<Mutex<Shown>>,
}

/// What the panel shows.
struct Shown {
    name: String,
    status: String,
    original: Option<Size>,
    now: Size,
    phase: String,
    counts: Counts,
    /// When the counts were taken, so that the clock goes on without events.
    counted: Instant,
    last_success: Option<Instant>,
}

impl Live {
    pub(super) fn new(name: String) -> Self {
        let shown = Arc::new(Mutex::new(Shown {
            name,
            status: String::new(),
            original: None,
            now: Size::default(),
            phase: String::new(),
            counts: Counts::default(),
            counted: Instant::now(),
            last_success: None,
        }));
        let first = shown.clone();
        let second = shown.clone();
        let line = |shown: &Arc<Mutex<Shown>>, part: fn(&Shown) -> String, out: &mut dyn Write| {
            let text = part(&shown.lock().expect("drawing does not panic"));
            let width = usize::from(Term::stderr().size().1).saturating_sub(4);
            let _ = out.write_str(&truncate_str(&text, width, "…"));
        };
        let style = ProgressStyle::with_template("{spinner:.cyan} {sizes}\n  {work}")
            .expect("the template is well-formed")
            .with_key("sizes", move |_: &ProgressState, out: &mut dyn Write| {
                line(&first, Shown::sizes, out);
            })
            .with_key("work", move |_: &ProgressState, out: &mut dyn Write| {
                line(&second, Shown::work, out);
            });
        let bar = ProgressBar::new_spinner().with_style(style);
        bar.enable_steady_tick(Duration::from_millis(100));
        Live { bar, _no_echo: NoEcho::new(), shown }
    }

    pub(super) fn status(&self, text: &str) {
        self.shown.lock().expect("drawing does not panic").status = text.into();
    }

    pub(super) fn event(&self, event: &Event) {
        let mut shown = self.shown.lock().expect("drawing does not panic");
        match event {
            Event::Started { size, .. } => {
                shown.original = Some(*size);
                shown.now = *size;
                shown.counted = Instant::now();
            }
            Event::Phase { name, counts, .. } => {
                shown.phase = name.clone();
                shown.count(counts);
            }
            Event::Improved { size, counts, .. } => {
                shown.now = *size;
                shown.last_success = Some(Instant::now());
                shown.count(counts);
            }
            Event::Progress { counts } => shown.count(counts),
            _ => {}
        }
    }

    pub(super) fn line(&self, text: &str) {
        self.bar.println(format!("lop: {text}"));
    }

    pub(super) fn close(&self) {
        self.bar.finish_and_clear();
    }
}

impl Shown {
    fn count(&mut self, counts: &Counts) {
        self.counts = *counts;
        self.counted = Instant::now();
    }

    fn sizes(&self) -> String {
        let Some(original) = self.original else {
            return format!("{}  {}", self.name, self.status);
        };
        format!(
            "{}  {} → {} bytes  {} gone  {} → {} tokens",
            style(&self.name).bold(),
            number(original.bytes as u64),
            style(number(self.now.bytes as u64)).green().bold(),
            style(percent_gone(original.bytes, self.now.bytes)).green(),
            number(original.tokens as u64),
            number(self.now.tokens as u64),
        )
    }

    fn work(&self) -> String {
        if self.original.is_none() {
            return String::new();
        }
        let Counts { tests, hits, executed, elapsed, .. } = self.counts;
        let elapsed = elapsed + self.counted.elapsed();
        let rate = executed as f64 / elapsed.as_secs_f64().max(0.001);
        let rate = if rate < 10.0 { format!("{rate:.1}") } else { number(rate as u64) };
        let success = match self.last_success {
            Some(at) => format!("last success {} ago", clock(at.elapsed())),
            None => "no success yet".into(),
        };
        format!(
            "{} · {} tests · {rate}/s · {} cached · {} · {success}",
            style(&self.phase).cyan(),
            number(tests),
            number(hits),
            clock(elapsed),
        )
    }
}
