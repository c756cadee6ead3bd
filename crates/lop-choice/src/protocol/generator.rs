//! The generator's half: reads choices, and writes events and test cases.

use std::fmt;
use std::io::{self, BufRead, Write};

use super::{Case, END};
use crate::choice::{Choice, Kind};
use crate::choices::Choices;
use crate::record::Record;

/// Reads the choices of a single case.
pub fn read_choices(input: &mut impl BufRead) -> io::Result<Choices> {
    let mut text = String::new();
    input.read_to_string(&mut text)?;
    if text.is_empty() { Ok(Choices::default()) } else { parsed(&text) }
}

/// Reads the choices of the next case of many; `None` after the last one.
pub fn next_choices(input: &mut impl BufRead) -> io::Result<Option<Choices>> {
    let mut text = String::new();
    loop {
        let start = text.len();
        if input.read_line(&mut text)? == 0 {
            break;
        }
        if text[start..].trim() == END {
            text.truncate(start);
            break;
        }
    }
    if text.is_empty() { Ok(None) } else { parsed(&text).map(Some) }
}

fn parsed(text: &str) -> io::Result<Choices> {
    text.parse().map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Writes the events of a record, in the order in which they happened.
pub fn write_events(events: &mut impl Write, record: &Record, case: &Case) -> io::Result<()> {
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    for at in 0..=record.choices.len() {
        // Spans without a choice of their own begin and end at the same place.
        loop {
            let inner = open.last().map(|span| &record.spans[*span]);
            if let Some(span) = inner.filter(|span| span.end == at && next >= span.until) {
                writeln!(events, "{}", if span.discarded { "!" } else { ")" })?;
                open.pop();
            } else if let Some(span) = record.spans.get(next).filter(|span| span.start == at) {
                writeln!(events, "( {}", span.label.name())?;
                open.push(next);
                next += 1;
            } else {
                break;
            }
        }
        if let Some(Choice { value, kind }) = record.choices.get(at) {
            writeln!(events, "{} {value}", Written(*kind))?;
        }
    }
    if let Case::TooFew(kind) = case {
        writeln!(events, "? {}", Written(*kind))?;
    }
    Ok(())
}

/// Writes one test case of many, after its events.
pub fn write_case(events: &mut impl Write, case: &Case) -> io::Result<()> {
    match case {
        Case::Made(text) => {
            writeln!(events, "made {}", text.len())?;
            events.write_all(text)?;
            writeln!(events)
        }
        Case::TooFew(_) => writeln!(events, "out"),
        Case::Rejected => writeln!(events, "rejected"),
    }
}

/// A kind as it is written in an event.
pub(crate) struct Written(pub(crate) Kind);

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Integer { low, high, target } => write!(f, "i {low} {high} {target}"),
            Kind::Boolean { odds } => write!(f, "b {odds}"),
            Kind::Float { low, high } => write!(f, "f {low} {high}"),
        }
    }
}
