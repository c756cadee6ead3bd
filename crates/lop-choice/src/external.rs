//! For programs that make test cases for lop: they get their choices from lop, and report what they draw.
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
//! `lop gen --generator ./target/release/expression TEST CHOICES` runs it. Run by hand, it prints a random case.
//! `docs/src/reference/protocol.md` describes what it reads and writes.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write};
use std::process::ExitCode;

use crate::choices::Choices;
use crate::failure::{self, CaseResult};
use crate::protocol::generator::{next_choices, read_choices, write_case, write_events};
use crate::protocol::{self, Case};
use crate::record::Record;
use crate::source::Source;

/// The number of choices that a case may have if the program is run by hand.
const MOST: usize = 100_000;

/// The `main` of such a program: makes one test case or many, as the environment says. If the generator panics, the choices are
/// rejected.
pub fn main<T: AsRef<[u8]>>(mut generator: impl FnMut(&mut Source) -> T) -> ExitCode {
    match serve(&mut generator) {
        Ok(code) => code,
        Err(why) => {
            eprintln!("the generator could not read its choices or write its events: {why}");
            ExitCode::FAILURE
        }
    }
}

fn serve<T: AsRef<[u8]>>(generator: &mut dyn FnMut(&mut Source) -> T) -> io::Result<ExitCode> {
    let Some(place) = env::var_os(protocol::CHOICES) else {
        let seed = env::var(protocol::SEED)
            .ok()
            .and_then(|seed| seed.parse().ok())
            .unwrap_or_else(|| fastrand::u64(..));
        let choices = Choices { fresh: Some((seed, 1.0)), most: Some(MOST), ..Choices::default() };
        return finish(make(generator, choices).0);
    };
    let mut choices =
        BufReader::new(open(&place.to_string_lossy(), OpenOptions::new().read(true))?);
    let events = env::var(protocol::EVENTS).unwrap_or_else(|_| "/dev/null".into());
    let mut events = BufWriter::new(open(&events, OpenOptions::new().append(true))?);
    if env::var_os(protocol::SERVER).is_none() {
        let (case, record) = make(generator, read_choices(&mut choices)?);
        write_events(&mut events, &record, &case)?;
        events.flush()?;
        return finish(case);
    }
    while let Some(choices) = next_choices(&mut choices)? {
        let (case, record) = make(generator, choices);
        write_events(&mut events, &record, &case)?;
        write_case(&mut events, &case)?;
        events.flush()?;
    }
    Ok(ExitCode::SUCCESS)
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
        (CaseResult::Passed, Some(made)) => Case::Made(made.as_ref().to_vec()),
        (CaseResult::TooFew(kind), _) => Case::TooFew(kind),
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
        Case::TooFew(_) => Ok(ExitCode::from(protocol::TOO_FEW)),
        Case::Rejected => Ok(ExitCode::from(protocol::REJECTED)),
    }
}

/// Opens a file by its path, or by its number as `fd:3`.
fn open(place: &str, options: &OpenOptions) -> io::Result<File> {
    match place.strip_prefix("fd:") {
        Some(number) => options.open(format!("/dev/fd/{number}")),
        None => options.open(place),
    }
}
