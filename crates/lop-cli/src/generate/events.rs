//! What a generator says about what it drew: lines of text, see docs/protocol.md.

use lop_choice::choice::{Choice, Kind};
use lop_choice::record::{Label, Record, Recorder};

/// What a generator has told.
#[derive(Default)]
pub(crate) struct Told {
    recorder: Recorder,
    /// What was to be drawn when there was no choice left.
    wanted: Option<Kind>,
}

impl Told {
    /// Everything in a text.
    pub(crate) fn of(text: &[u8]) -> Result<Told, String> {
        let mut told = Told::default();
        let lines = text.split(|byte| *byte == b'\n').enumerate();
        for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let line = String::from_utf8_lossy(line);
            told.hear(&line)
                .map_err(|why| format!("line {} of its events, `{line}`: {why}", number + 1))?;
        }
        Ok(told)
    }

    /// One line more.
    pub(crate) fn hear(&mut self, line: &str) -> Result<(), &'static str> {
        if let Some(label) = line.strip_prefix("( ") {
            let (name, before) = match label.split_once('\t') {
                Some((name, count)) => {
                    (name, count.parse().map_err(|_| "how many choices belong to it is no number")?)
                }
                None => (label, 0),
            };
            self.recorder.begin(Label::of(name), before);
            return Ok(());
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match &words[..] {
            [")"] => self.recorder.end(false),
            ["!"] => self.recorder.end(true),
            ["?", kind @ ..] => self.wanted = Some(read_kind(kind)?),
            [kind @ .., value] => {
                let kind = read_kind(kind)?;
                let value = value.parse().map_err(|_| "the value is no whole number")?;
                if !kind.allows(value) {
                    return Err("the value is not one of those that it says are allowed");
                }
                self.recorder.push(Choice { value, kind });
            }
            [] => {}
        }
        Ok(())
    }

    /// What was drawn, and what was wanted when nothing was left.
    pub(crate) fn finish(self) -> (Record, Option<Kind>) {
        (self.recorder.finish(), self.wanted)
    }
}

fn read_kind(words: &[&str]) -> Result<Kind, &'static str> {
    let number =
        |word: &str| word.parse::<i128>().map_err(|_| "an end of the range is no whole number");
    let real = |word: &str| word.parse::<f64>().map_err(|_| "this is no number");
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
        _ => Err("no event is written like this; docs/protocol.md lists them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_become_choices_and_spans() {
        let text = b"( list\nb 0.5 1\n( item\t1\ni 0 9 0 7\n)\nb 0.5 0\n)\n? f -inf inf\n";
        let (record, wanted) = Told::of(text).unwrap_or_else(|why| panic!("{why}")).finish();
        assert_eq!(record.values(), [1, 7, 0]);
        let spans: Vec<_> = record.spans.iter().map(|span| (span.label, span.range())).collect();
        assert_eq!(spans, [(Label::LIST, 0..3), (Label::ITEM, 0..2)]);
        assert_eq!(wanted, Some(Kind::Float { low: f64::NEG_INFINITY, high: f64::INFINITY }));
    }

    #[test]
    fn what_is_no_event_is_named_with_its_line() {
        let wrong = |text: &[u8]| Told::of(text).err().unwrap_or_default();
        assert!(
            wrong(b"i 0 9 0 7\nhello\n").starts_with("line 2 of its events, `hello`: no event")
        );
        assert!(wrong(b"i 0 9 0 12\n").contains("not one of those"));
        assert!(wrong(b"i 9 0 0 1\n").contains("empty"));
    }
}
