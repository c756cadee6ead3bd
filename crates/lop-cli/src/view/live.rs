//! The live panel on a terminal.

use std::fmt::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use console::{Term, style, truncate_str};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use lop::{Counts, Event, Observer, Size};

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
    /// How many choices there were and are, if choices are reduced.
    choices: Option<(usize, usize)>,
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
            choices: None,
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

    /// What prints lines above the panel.
    pub(super) fn printer(&self) -> ProgressBar {
        self.bar.clone()
    }
}

impl Observer for Live {
    fn event(&mut self, event: &Event) {
        let mut shown = self.shown.lock().expect("drawing does not panic");
        match event {
            Event::Status { text } => shown.status = text.clone(),
            Event::Looking { cases, rejected } => {
                shown.status = format!(
                    "{} cases made, {} rejected, none interesting yet",
                    number(*cases),
                    number(*rejected)
                );
            }
            Event::Started { size, choices, .. } => {
                shown.original = Some(*size);
                shown.now = *size;
                shown.choices = choices.map(|choices| (choices, choices));
                shown.counted = Instant::now();
            }
            Event::Phase { name, counts, .. } => {
                shown.phase = name.clone();
                shown.count(counts);
            }
            Event::Improved { size, choices, counts, .. } => {
                shown.now = *size;
                if let (Some((_, now)), Some(choices)) = (&mut shown.choices, choices) {
                    *now = *choices;
                }
                shown.last_success = Some(Instant::now());
                shown.count(counts);
            }
            Event::Progress { counts } => shown.count(counts),
            Event::Finished { .. } | Event::Compared { .. } => {
                // Drawing takes the lock.
                drop(shown);
                self.bar.finish_and_clear();
            }
            _ => {}
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
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
        if let Some((before, now)) = self.choices {
            return format!(
                "{}  {} → {} choices  {} → {} bytes",
                style(&self.name).bold(),
                number(before as u64),
                style(number(now as u64)).green().bold(),
                number(original.bytes as u64),
                number(self.now.bytes as u64),
            );
        }
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
