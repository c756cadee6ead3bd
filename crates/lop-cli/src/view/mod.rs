//! What people and programs see of a run.
//!
//! Everything for people goes to standard error, everything for programs to standard output. On a
//! terminal there is a live panel, elsewhere a line now and then.

mod echo;
mod live;
mod plain;
mod summary;
mod table;

use std::io::{IsTerminal, Write};
use std::time::Duration;

use lop::algorithms::ALGORITHMS;
use lop::oracle::Property;
use lop::passes::PASSES;
use lop::reducers::{COMPATIBLE, REDUCERS};
use lop::strategy::{DEFAULTS, GUARDS};
use lop::units::UNITS;
use lop::{Event, Report};

use crate::args::ShowArgs;

pub(crate) use summary::{Summary, report_json};
pub(crate) use table::Table;

/// Shows what happens.
pub(crate) struct View {
    kind: Kind,
    json: bool,
    verbose: bool,
}

enum Kind {
    Live(live::Live),
    Plain(plain::Plain),
    Silent,
}

impl View {
    /// Chooses how to show a run.
    pub(crate) fn new(name: String, args: &ShowArgs) -> Self {
        let kind = if args.quiet || args.json {
            Kind::Silent
        } else if std::io::stderr().is_terminal() {
            Kind::Live(live::Live::new(name))
        } else {
            Kind::Plain(plain::Plain::new(name))
        };
        View { kind, json: args.json, verbose: args.verbose }
    }

    /// Says what is being done before the reduction starts.
    pub(crate) fn status(&mut self, text: &str) {
        match &mut self.kind {
            Kind::Live(live) => live.status(text),
            Kind::Plain(_) if self.verbose => say(&format!("lop: {text}")),
            _ => {}
        }
    }

    /// Says how far it is.
    pub(crate) fn progress(&mut self, text: &str) {
        match &mut self.kind {
            Kind::Live(live) => live.status(text),
            Kind::Plain(plain) => plain.progress(text),
            Kind::Silent => {}
        }
    }

    /// Says that there is a better case: how many choices there were, how many are left, after how many cases.
    pub(crate) fn better(&mut self, first: usize, choices: usize, cases: u64) {
        self.json(&serde_json::json!({ "event": "better", "choices": choices, "cases": cases }));
        let (first, choices, cases) = (number(first as u64), number(choices as u64), number(cases));
        self.progress(&format!("{first} → {choices} choices, {cases} cases"));
    }

    /// Says something that should be known.
    pub(crate) fn note(&mut self, text: &str) {
        self.json(&serde_json::json!({ "event": "note", "text": text }));
        self.line(&format!("note: {text}"));
    }

    /// Says what must stay.
    pub(crate) fn property(&mut self, test: &str, property: &Property, limit: Duration) {
        let property = property.to_string();
        self.json(&serde_json::json!({
            "event": "property", "test": test, "property": property, "time_limit": limit.as_secs_f64(),
        }));
        self.line(&format!("what must stay of `{test}`: {property}"));
        if self.verbose {
            self.line(&format!("a test may take {:.1} s", limit.as_secs_f64()));
        }
    }

    /// Shows what happened.
    pub(crate) fn event(&mut self, event: &Event) {
        self.json(event);
        if self.verbose {
            match event {
                Event::Started { strategy, workers, .. } => {
                    self.line(&format!("{workers} workers, strategy {strategy}"));
                }
                Event::Phase { name, .. } => self.line(&format!("phase {name}")),
                Event::Improved { size, phase, .. } => self.line(&format!(
                    "{} bytes, {} tokens by {phase}",
                    number(size.bytes as u64),
                    number(size.tokens as u64)
                )),
                _ => {}
            }
        }
        if let Event::Retrying { timed_out } = event {
            self.line(&format!(
                "retrying {timed_out} candidates that timed out, with a longer limit"
            ));
        }
        match &mut self.kind {
            Kind::Live(live) => live.event(event),
            Kind::Plain(plain) if !self.verbose => plain.event(event),
            _ => {}
        }
    }

    /// Ends the live panel.
    pub(crate) fn close(&mut self) {
        match &mut self.kind {
            Kind::Live(live) => live.close(),
            Kind::Plain(plain) if !self.verbose => plain.close(),
            _ => {}
        }
    }

    /// Says what came out.
    pub(crate) fn summary(&mut self, summary: &Summary) {
        self.json(&summary.to_json());
        if !matches!(self.kind, Kind::Silent) {
            say(summary.to_string().trim_end());
        }
        self.phases(&summary.plan.question.input.display().to_string(), summary.report);
    }

    /// Says what each phase has done, if more is to be said.
    pub(crate) fn phases(&self, name: &str, report: &Report) {
        if self.verbose && !matches!(self.kind, Kind::Silent) {
            say(&format!("phases of {name}"));
            say(&summary::phases(report).to_string());
        }
    }

    fn line(&mut self, text: &str) {
        match &self.kind {
            Kind::Live(live) => live.line(text),
            Kind::Plain(_) => say(&format!("lop: {text}")),
            Kind::Silent => {}
        }
    }

    fn json(&self, value: &impl serde::Serialize) {
        if self.json {
            let line = serde_json::to_string(value).expect("events can be written as JSON");
            print(&line);
        }
    }
}

/// Prints a line for people. Whoever read it may have gone; that is no reason to stop.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Prints a line for programs.
pub(crate) fn print(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Leaves the terminal as it was: for a process that ends at once.
pub(crate) fn restore_terminal() {
    echo::restore();
}

/// Lists the words of which strategies are made.
pub(crate) fn print_strategies() {
    print(
        "A strategy is made of phases, joined by `+`; `*` repeats to the fixed point, brackets group.\n\
         A phase is ALGORITHM:UNIT over a list, or a REDUCER over the tree of a file in a known language.",
    );
    print_words("Algorithms", ALGORITHMS.iter().map(|each| (each.name, each.about)));
    print_words("Units", UNITS.iter().map(|each| (each.name, each.about)));
    print_words("Reducers", REDUCERS.iter().map(|each| (each.name, each.about)));
    let compatible = COMPATIBLE.iter().map(|each| (each.name, each.about));
    print_words("What is hoisted, as in `hoist:model`", compatible);
    print_words("Passes", PASSES.iter().map(|each| (each.name, each.about)));
    print_words("Guards", GUARDS.iter().map(|each| (each.name, each.about)));
    let of_choices = lop_choice::passes::PASSES.iter().map(|each| (each.name, each.about));
    print_words("Passes over choices (`lop gen`, `lop tmin`), all of which are used", of_choices);
    for each in DEFAULTS {
        print(&format!("\nDefault for {}:\n  {}", each.of, each.usual));
        print(&format!("  --fast      {}\n  --thorough  {}", each.fast, each.thorough));
    }
}

fn print_words(title: &str, words: impl Iterator<Item = (&'static str, &'static str)>) {
    print(&format!("\n{title}:"));
    words.for_each(|(name, about)| print(&format!("  {name:<15} {about}")));
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
