//! For programs that make test cases for lop: the choices come from outside, and what is drawn is told.
//!
//! ```no_run
//! use lop_choice::{Source, external};
//!
//! fn expression(s: &mut Source) -> String {
//!     match s.integer(0..=1) {
//!         0 => s.integer(0..=9).to_string(),
//!         _ => format!("({} + {})", s.draw(expression), s.draw(expression)),
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     external::main(|s| expression(s))
//! }
//! ```
//!
//! Run by `lop gen --generator ./target/release/expression TEST CHOICES`; run by hand, it prints a random one. What is written and read is
//! described in lop's docs/protocol.md.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::ExitCode;

use crate::choice::{Choice, Kind};
use crate::choices::Choices;
use crate::failure::{self, End};
use crate::record::Record;
use crate::source::Source;

const TOO_FEW: u8 = 120;
const REJECTED: u8 = 121;
/// How many choices a case may have that is made by hand.
const MOST: usize = 100_000;

/// Makes test cases in whatever way the program was started. A generator that panics makes none.
pub fn main<T: AsRef<[u8]>>(mut generator: impl FnMut(&mut Source) -> T) -> ExitCode {
    match serve(&mut generator) {
        Ok(code) => code,
        Err(why) => {
            eprintln!("the generator could not speak to lop: {why}");
            ExitCode::FAILURE
        }
    }
}

fn serve<T: AsRef<[u8]>>(generator: &mut dyn FnMut(&mut Source) -> T) -> io::Result<ExitCode> {
    let Some(place) = env::var_os("LOP_CHOICES") else {
        let seed = env::var("LOP_SEED")
            .ok()
            .and_then(|seed| seed.parse().ok())
            .unwrap_or_else(|| fastrand::u64(..));
        let choices = Choices { fresh: Some((seed, 1.0)), most: Some(MOST), ..Choices::default() };
        return finish(make(generator, choices).0);
    };
    let mut choices =
        BufReader::new(open(&place.to_string_lossy(), OpenOptions::new().read(true))?);
    let events = env::var("LOP_EVENTS").unwrap_or_else(|_| "/dev/null".into());
    let mut events = BufWriter::new(open(&events, OpenOptions::new().append(true))?);
    if env::var_os("LOP_SERVER").is_none() {
        let (case, record) = make(generator, read(&mut choices)?.unwrap_or_default());
        tell(&mut events, &record, &case)?;
        events.flush()?;
        return finish(case);
    }
    while let Some(choices) = read(&mut choices)? {
        let (case, record) = make(generator, choices);
        tell(&mut events, &record, &case)?;
        match case {
            Case::Made(text) => {
                writeln!(events, "made {}", text.len())?;
                events.write_all(&text)?;
                writeln!(events)?;
            }
            Case::TooFew(_) => writeln!(events, "out")?,
            Case::Rejected => writeln!(events, "rejected")?,
        }
        events.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What came of choices.
enum Case {
    Made(Vec<u8>),
    TooFew(Kind),
    Rejected,
}

fn make<T: AsRef<[u8]>>(
    generator: &mut dyn FnMut(&mut Source) -> T,
    choices: Choices,
) -> (Case, Record) {
    let mut made = None;
    let (seen, end) = failure::run(Source::of(choices), &mut |source: &mut Source| {
        made = Some(generator(source))
    });
    let case = match (end, made) {
        (End::Passed, Some(made)) => Case::Made(made.as_ref().to_vec()),
        (End::TooFew(kind), _) => Case::TooFew(kind),
        _ => Case::Rejected,
    };
    (case, seen.record)
}

fn finish(case: Case) -> io::Result<ExitCode> {
    match case {
        Case::Made(text) => {
            io::stdout().write_all(&text)?;
            Ok(ExitCode::SUCCESS)
        }
        Case::TooFew(_) => Ok(ExitCode::from(TOO_FEW)),
        Case::Rejected => Ok(ExitCode::from(REJECTED)),
    }
}

/// A file by its path or by its number.
fn open(place: &str, options: &OpenOptions) -> io::Result<File> {
    match place.strip_prefix("fd:") {
        Some(number) => options.open(format!("/dev/fd/{number}")),
        None => options.open(place),
    }
}

/// The choices of one case; nothing at the end.
fn read(lines: &mut impl BufRead) -> io::Result<Option<Choices>> {
    let mut text = String::new();
    let is_server = env::var_os("LOP_SERVER").is_some();
    loop {
        let start = text.len();
        if lines.read_line(&mut text)? == 0 {
            break;
        }
        if is_server && text[start..].trim() == "end" {
            text.truncate(start);
            break;
        }
    }
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Tells what was drawn, in the order in which it was.
fn tell(events: &mut impl Write, record: &Record, case: &Case) -> io::Result<()> {
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    for at in 0..=record.choices.len() {
        // Those without a choice of their own begin and end at the same place.
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
            writeln!(events, "{} {value}", Said(*kind))?;
        }
    }
    if let Case::TooFew(kind) = case {
        writeln!(events, "? {}", Said(*kind))?;
    }
    Ok(())
}

/// A kind as it is told.
struct Said(Kind);

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Kind::Integer { low, high, target } => write!(f, "i {low} {high} {target}"),
            Kind::Boolean { odds } => write!(f, "b {odds}"),
            Kind::Float { low, high } => write!(f, "f {low} {high}"),
        }
    }
}
