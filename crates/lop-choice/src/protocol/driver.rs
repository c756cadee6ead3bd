//! Lop's half: writes choices, and reads the events and the test case of a generator.

use std::io::{BufRead, Read};

use super::{Case, END, Error, LONGEST};
use crate::choice::{Choice, Kind};
use crate::choices::Choices;
use crate::record::{Label, Record, Recorder};

/// The choices of one case of many, as a generator reads them. The choices of a single case are written without the last line.
pub fn one_of_many(choices: &Choices) -> String {
    format!("{choices}{END}\n")
}

/// Reads events, line by line.
#[derive(Default)]
pub struct Events {
    recorder: Recorder,
    wanted: Option<Kind>,
}

impl Events {
    /// Reads all events of a case.
    pub fn read(text: &[u8]) -> Result<Events, Error> {
        let mut events = Events::default();
        let lines = text.split(|byte| *byte == b'\n').enumerate();
        for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let text = String::from_utf8_lossy(line);
            events.line(&text).map_err(|why| Error::Event {
                line: Some(number + 1),
                text: text.into_owned(),
                why,
            })?;
        }
        Ok(events)
    }

    /// Reads an event.
    pub(crate) fn line(&mut self, line: &str) -> Result<(), &'static str> {
        if let Some(label) = line.strip_prefix("( ") {
            let (name, before) = counted(label)?;
            self.recorder.begin(Label::of(name), before);
            return Ok(());
        }
        if let Some(label) = line.strip_prefix("+ ") {
            let (name, count) = counted(label)?;
            self.recorder.wrap(Label::of(name), count);
            return Ok(());
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match &words[..] {
            [")"] => drop(self.recorder.end(false)),
            ["!"] => drop(self.recorder.end(true)),
            ["?", kind @ ..] => self.wanted = Some(read_kind(kind)?),
            [kind @ .., value] => {
                let kind = read_kind(kind)?;
                let value = value.parse().map_err(|_| "the value isn't a whole number")?;
                if !kind.allows(value) {
                    return Err("the value isn't one of those that it allows");
                }
                self.recorder.push(Choice { value, kind });
            }
            [] => {}
        }
        Ok(())
    }

    /// The kind of the first choice that was missing.
    pub(crate) fn wanted(&self) -> Option<Kind> {
        self.wanted
    }

    /// The record, and the kind of the first choice that was missing.
    pub fn finish(self) -> (Record, Option<Kind>) {
        (self.recorder.finish(), self.wanted)
    }
}

/// Reads the events of one case of many, and the case; `None` at the end of the input.
pub fn read_case(input: &mut impl BufRead) -> Result<Option<(Record, Case)>, Error> {
    let mut events = Events::default();
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let text = line.trim_end_matches('\n');
        let case = match text.split_once(' ') {
            Some(("made", length)) => {
                let length: u64 = length.parse().map_err(|_| Error::NoLength(text.into()))?;
                let mut case = Vec::new();
                input.by_ref().take(length.min(LONGEST)).read_to_end(&mut case)?;
                if case.len() as u64 != length {
                    return Err(Error::OtherLength(text.into()));
                }
                input.read_line(&mut line)?;
                Case::Made(case)
            }
            None if text == "rejected" => Case::Rejected,
            None if text == "out" => {
                let (record, wanted) = events.finish();
                let wanted = wanted.ok_or(Error::NothingWanted)?;
                return Ok(Some((record, Case::TooFew(wanted))));
            }
            _ => {
                let wrong = |why| Error::Event { line: None, text: text.into(), why };
                events.line(text).map_err(wrong)?;
                continue;
            }
        };
        return Ok(Some((events.finish().0, case)));
    }
}

/// A label, and the number of choices after a tab.
fn counted(label: &str) -> Result<(&str, usize), &'static str> {
    match label.split_once('\t') {
        Some((name, count)) => {
            Ok((name, count.parse().map_err(|_| "its number of choices isn't a number")?))
        }
        None => Ok((label, 0)),
    }
}

fn read_kind(words: &[&str]) -> Result<Kind, &'static str> {
    let number =
        |word: &str| word.parse::<i128>().map_err(|_| "an end of the range isn't a whole number");
    let real = |word: &str| word.parse::<f64>().map_err(|_| "this isn't a number");
    match words {
        ["i", low, high, target] => {
            let (low, high) = (number(low)?, number(high)?);
            if low > high {
                return Err("the range is empty");
            }
            Ok(Kind::integer(low, high, number(target)?))
        }
        ["b", odds] => Ok(Kind::Boolean { odds: real(odds)? }),
        ["f", low, high] => Ok(Kind::Float { low: real(low)?, high: real(high)? }),
        _ => Err("no event is written like this; docs/src/reference/protocol.md lists them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_become_choices_and_spans() {
        let text = b"( list\nb 0.5 1\n( item\t1\ni 0 9 0 7\n)\nb 0.5 0\n)\n? f -inf inf\n";
        let (record, wanted) = Events::read(text).unwrap().finish();
        assert_eq!(record.values(), [1, 7, 0]);
        let spans: Vec<_> = record.spans.iter().map(|span| (span.label, span.range())).collect();
        assert_eq!(spans, [(Label::LIST, 0..3), (Label::ITEM, 0..2)]);
        assert_eq!(wanted, Some(Kind::Float { low: f64::NEG_INFINITY, high: f64::INFINITY }));
    }

    #[test]
    fn a_line_that_is_not_an_event_is_named_with_its_number() {
        let wrong = |text: &[u8]| Events::read(text).err().unwrap().to_string();
        assert!(
            wrong(b"i 0 9 0 7\nhello\n").starts_with("line 2 of its events, `hello`: no event")
        );
        assert!(wrong(b"i 0 9 0 12\n").contains("isn't one of those"));
        assert!(wrong(b"i 9 0 0 1\n").contains("empty"));
    }

    #[test]
    fn a_case_that_is_not_as_announced_is_an_error() {
        let wrong = |mut text: &[u8]| read_case(&mut text).unwrap_err().to_string();
        assert!(wrong(b"made\n").contains("no event is written like this"));
        assert!(wrong(b"made many\n").contains("`made many` has no length"));
        assert!(wrong(b"made 9\nshort\n").contains("not followed by as many bytes"));
        assert!(wrong(b"i 0 9 0 1\nout\n").contains("without an event `?`"));
        assert!(wrong(b"hello\n").starts_with("`hello`: no event"));
    }
}
