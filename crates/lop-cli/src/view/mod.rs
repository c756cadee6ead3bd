//! The output of a run, for people and programs.
//!
//! Everything for people is written to standard error, everything for programs to standard output. Each consumer of
//! events is a separate [`Observer`]: the live view on a terminal, lines, and JSON. The view passes events on to all of
//! them.

mod course;
mod json;
mod lines;
mod screen;
mod summary;
mod table;
mod words;

use std::io::Write;
use std::time::Duration;

use lop::{Cancel, Control, Event, Observer};

use crate::args::ShowArgs;

use screen::Screen;

pub(crate) use screen::terminal::{leave as restore_terminal, resume, say, suspend};
pub(crate) use table::Table;
pub(crate) use words::{Words, print_strategies, words};

/// Shows a run.
pub(crate) struct View {
    control: Control,
    screen: Option<Screen>,
    others: Vec<Box<dyn Observer>>,
}

impl View {
    /// Chooses the observers of a run. The live view may also stop it, as Ctrl-C does.
    pub(crate) fn new(name: String, args: &ShowArgs, stop: &Cancel) -> Self {
        let control = Control::default();
        let is_shown = !args.no_tui && !args.json && !args.quiet;
        let screen = is_shown.then(|| Screen::open(name.clone(), stop, &control)).flatten();
        let others: Vec<Box<dyn Observer>> = match (args.json, args.quiet) {
            (true, _) => vec![Box::new(json::Json)],
            (_, true) => Vec::new(),
            _ => vec![Box::new(lines::Lines::new(name, args.verbose, screen.is_some()))],
        };
        View { control, screen, others }
    }

    /// The control with which the live view pauses the run and skips its phases.
    pub(crate) fn control(&self) -> Control {
        self.control.clone()
    }

    /// Adds an observer.
    pub(crate) fn add(&mut self, observer: impl Observer + 'static) {
        self.others.push(Box::new(observer));
    }

    /// Ends the live view: the terminal is needed for something else.
    pub(crate) fn close(&mut self) {
        self.screen = None;
    }

    /// Shows a step before the reduction.
    pub(crate) fn status(&mut self, text: &str) {
        self.event(&Event::Status { text: text.into() });
    }

    /// Prints a note for the user.
    pub(crate) fn note(&mut self, text: &str) {
        self.event(&Event::Note { text: text.into() });
    }
}

impl Observer for View {
    fn event(&mut self, event: &Event) {
        // The live view ends before the lines about the end are printed.
        if let Some(screen) = &mut self.screen {
            screen.event(event);
        }
        self.others.event(event);
    }
}

/// Prints a line of JSON.
pub(crate) fn print(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Prints a failure, and sends it as JSON if that is wanted.
pub(crate) fn tell_failure(failure: &crate::exit::Failure, json: bool) {
    say(&format!("lop: {failure}"));
    if json {
        json::Json.event(&failure.to_event());
    }
}

/// A number of things: `1 test`, `1,234 tests`.
pub(crate) fn several(count: u64, thing: &str) -> String {
    format!("{} {thing}{}", number(count), if count == 1 { "" } else { "s" })
}

/// A number with commas between thousands.
pub(crate) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of files.
pub(crate) fn files(count: u64) -> String {
    format!("{} file{}", number(count), if count == 1 { "" } else { "s" })
}

/// The removed share of something; never 100 % while something remains.
fn percent_gone(before: usize, now: usize) -> String {
    let (before, now) = (before.max(1) as i128, now as i128);
    let thousandths = ((before - now) * 1000).div_euclid(before);
    format!("{:.1} %", thousandths as f64 / 10.0)
}

/// The width of the terminal, or a usual one.
fn columns() -> usize {
    let size = console::Term::stderr().size_checked();
    size.map_or(80, |(_, columns)| usize::from(columns)).max(20)
}

/// A text in lines no wider than this, unless a word is; all lines except the first are indented by two.
fn wrapped(text: &str, columns: usize) -> String {
    let mut lines = String::new();
    let mut width = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let length = console::measure_text_width(word);
        if width > 0 && width + 1 + length > columns {
            lines.push_str("\n ");
            width = 1;
        }
        if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += length;
    }
    lines
}

/// A time in a readable form.
pub(crate) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3600 => format!("{}:{:02} min", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02} h", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 80), "one two three");
        assert_eq!(wrapped("one two three four", 8), "one two\n  three\n  four");
        assert_eq!(wrapped("→→→ →→→ enormous x", 7), "→→→ →→→\n  enormous\n  x");
    }

    #[test]
    fn numbers_and_times_read_well() {
        assert_eq!(several(1, "test"), "1 test");
        assert_eq!(several(1234, "test"), "1,234 tests");
        assert_eq!(several(0, "test"), "0 tests");
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(1234567), "1,234,567");
        assert_eq!([0, 1, 2000].map(files), ["0 files", "1 file", "2,000 files"]);
        assert_eq!(percent_gone(200, 1), "99.5 %");
        assert_eq!(percent_gone(204_000, 69), "99.9 %");
        assert_eq!(percent_gone(204_000, 0), "100.0 %");
        assert_eq!(percent_gone(1000, 1000), "0.0 %");
        assert_eq!(percent_gone(100, 130), "-30.0 %");
        assert_eq!(clock(Duration::from_millis(1540)), "1.5 s");
        assert_eq!(clock(Duration::from_secs(125)), "2:05 min");
        assert_eq!(clock(Duration::from_secs(3725)), "1:02:05 h");
    }
}
