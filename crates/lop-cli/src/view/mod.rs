//! What people and programs see of a run.
//!
//! Everything for people is written to standard error, everything for programs to standard output. Each consumer of
//! events is an [`Observer`] of its own: the live panel on a terminal, lines, and JSON. The view tells all of them.

mod echo;
mod json;
mod lines;
mod live;
mod summary;
mod table;
mod words;

use std::io::{IsTerminal, Write};
use std::time::Duration;

use lop::{Event, Observer};

use crate::args::ShowArgs;

pub(crate) use table::Table;
pub(crate) use words::print_strategies;

/// Shows what happens.
pub(crate) struct View(Vec<Box<dyn Observer>>);

impl View {
    /// Chooses who is to see a run.
    pub(crate) fn new(name: String, args: &ShowArgs) -> Self {
        let mut observers: Vec<Box<dyn Observer>> = Vec::new();
        if args.json {
            observers.push(Box::new(json::Json));
        } else if !args.quiet {
            let live = std::io::stderr().is_terminal().then(|| live::Live::new(name.clone()));
            let lines =
                lines::Lines::new(name, args.verbose, live.as_ref().map(live::Live::printer));
            observers.extend(live.map(|live| Box::new(live) as Box<dyn Observer>));
            observers.push(Box::new(lines));
        }
        View(observers)
    }

    /// Says what is being done before the reduction starts.
    pub(crate) fn status(&mut self, text: &str) {
        self.event(&Event::Status { text: text.into() });
    }

    /// Says something that the user should know.
    pub(crate) fn note(&mut self, text: &str) {
        self.event(&Event::Note { text: text.into() });
    }
}

impl Observer for View {
    fn event(&mut self, event: &Event) {
        self.0.event(event);
    }
}

/// Prints a line for people. If the reader has gone, that is no reason to stop.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Prints a line for programs.
pub(crate) fn print(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Tells a failure to people, and to programs if they listen.
pub(crate) fn tell_failure(failure: &crate::exit::Failure, json: bool) {
    say(&format!("lop: {failure}"));
    if json {
        json::Json.event(&failure.to_event());
    }
}

/// Leaves the terminal as it was: for a process that ends immediately.
pub(crate) fn restore_terminal() {
    echo::restore();
}

/// A number with commas, as people read it.
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

/// How much of something is gone.
fn percent_gone(before: usize, now: usize) -> String {
    format!("{:.1} %", 100.0 * (1.0 - now as f64 / before.max(1) as f64))
}

/// A time as people read it.
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
    fn numbers_and_times_read_well() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(1234567), "1,234,567");
        assert_eq!(percent_gone(200, 1), "99.5 %");
        assert_eq!(clock(Duration::from_millis(1540)), "1.5 s");
        assert_eq!(clock(Duration::from_secs(125)), "2:05 min");
        assert_eq!(clock(Duration::from_secs(3725)), "1:02:05 h");
    }
}
