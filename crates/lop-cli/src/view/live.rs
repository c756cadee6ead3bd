//! The live panel on a terminal.

use std::fmt::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use console::{style, truncate_str};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use lop::{Counts, Event, Observer};

use super::course::Course;
use super::echo::NoEcho;
use super::{clock, columns, number, percent_gone};

/// A panel of two or three lines that is redrawn ten times a second, whether anything happens or not.
pub(super) struct Live {
    bar: ProgressBar,
    _no_echo: NoEcho,
    shown: Arc<Mutex<Shown>>,
}

/// What the panel shows.
struct Shown {
    name: String,
    status: String,
    course: Course,
    /// When the counts were taken, so that the clock goes on without events.
    counted: Instant,
    last_success: Option<Instant>,
}

impl Live {
    pub(super) fn new(name: String) -> Self {
        let shown = Arc::new(Mutex::new(Shown {
            name,
            status: String::new(),
            course: Course::default(),
            counted: Instant::now(),
            last_success: None,
        }));
        let part = |part: fn(&Shown) -> String| {
            let shown = shown.clone();
            move |_: &ProgressState, out: &mut dyn Write| {
                let text = part(&shown.lock().expect("drawing does not panic"));
                let _ = out.write_str(&truncate_str(&text, columns().saturating_sub(4), "…"));
            }
        };
        // A last line that is empty is not drawn.
        let style = ProgressStyle::with_template("{spinner:.cyan} {sizes}\n  {work}\n{outlook}")
            .expect("the template is well-formed")
            .with_key("sizes", part(Shown::sizes))
            .with_key("work", part(Shown::work))
            .with_key("outlook", part(Shown::outlook));
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
        shown.course.follow(event);
        match event {
            Event::Status { text } => shown.status = text.clone(),
            Event::Looking { cases, rejected } => {
                shown.status = format!(
                    "{} cases made, {} rejected, none interesting yet",
                    number(*cases),
                    number(*rejected)
                );
            }
            Event::Improved { .. } => {
                shown.counted = Instant::now();
                shown.last_success = Some(Instant::now());
            }
            Event::Started { .. } | Event::Phase { .. } | Event::Progress { .. } => {
                shown.counted = Instant::now();
            }
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
    fn sizes(&self) -> String {
        let Some(original) = self.course.original() else {
            return format!("{}  {}", self.name, self.status);
        };
        let now = self.course.now();
        if let Some((before, left)) = self.course.choices() {
            return format!(
                "{}  {} → {} choices  {} → {} bytes",
                style(&self.name).bold(),
                number(before as u64),
                style(number(left as u64)).green().bold(),
                number(original.bytes as u64),
                number(now.bytes as u64),
            );
        }
        format!(
            "{}  {} → {} bytes  {} gone  {} → {} tokens",
            style(&self.name).bold(),
            number(original.bytes as u64),
            style(number(now.bytes as u64)).green().bold(),
            style(percent_gone(original.bytes, now.bytes)).green(),
            number(original.tokens as u64),
            number(now.tokens as u64),
        )
    }

    fn work(&self) -> String {
        if self.course.original().is_none() {
            return String::new();
        }
        let Counts { tests, hits, executed, elapsed, .. } = *self.course.counts();
        let elapsed = elapsed + self.counted.elapsed();
        let rate = executed as f64 / elapsed.as_secs_f64().max(0.001);
        let rate = if rate < 10.0 { format!("{rate:.1}") } else { number(rate as u64) };
        let success = match (self.course.since_success(), self.last_success) {
            (Some(tests), Some(at)) => {
                format!("last success {} tests, {} ago", number(tests), clock(at.elapsed()))
            }
            _ => "no success yet".into(),
        };
        format!(
            "{} · {} tests · {} · {success} · {rate}/s · {} cached",
            style(self.course.phase()).cyan(),
            number(tests),
            clock(elapsed),
            number(hits),
        )
    }

    fn outlook(&self) -> String {
        self.course.outlook().map_or(String::new(), |outlook| format!("  {outlook}"))
    }
}
