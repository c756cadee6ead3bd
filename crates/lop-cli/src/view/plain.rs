//! Lines for logs: improvements, at most one a second.

use std::time::{Duration, Instant};

use lop::{Counts, Event, Size};

use super::{clock, number, percent_gone, say};

const PAUSE: Duration = Duration::from_secs(1);

/// Prints the newest improvement when it is time again.
pub(super) struct Plain {
    name: String,
    original: Size,
    unsaid: Option<(Size, Counts)>,
    said: Option<Instant>,
}

impl Plain {
    pub(super) fn new(name: String) -> Self {
        Plain { name, original: Size::default(), unsaid: None, said: None }
    }

    pub(super) fn event(&mut self, event: &Event) {
        match event {
            Event::Started { size, .. } => self.original = *size,
            Event::Improved { size, counts, .. } => self.unsaid = Some((*size, *counts)),
            _ => {}
        }
        if self.said.is_none_or(|said| said.elapsed() >= PAUSE) {
            self.say();
        }
    }

    /// Says how far it is, if it is time again.
    pub(super) fn progress(&mut self, text: &str) {
        if self.said.is_none_or(|said| said.elapsed() >= PAUSE) {
            self.said = Some(Instant::now());
            say(&format!("lop: {} {text}", self.name));
        }
    }

    /// The last improvement is always said.
    pub(super) fn close(&mut self) {
        self.say();
    }

    fn say(&mut self) {
        if let Some((size, counts)) = self.unsaid.take() {
            self.said = Some(Instant::now());
            say(&format!(
                "lop: {} {} bytes ({} gone), {} tokens, {} tests, {}",
                self.name,
                number(size.bytes as u64),
                percent_gone(self.original.bytes, size.bytes),
                number(size.tokens as u64),
                number(counts.tests),
                clock(counts.elapsed),
            ));
        }
    }
}
