//! Runs cases in a child process, so that one that hangs, aborts or overflows the stack is a failure like any other.
//!
//! The child is the same test program, asked for the same test. Its check serves the cases of its parent over a socket instead of making its own:
//!
//! ```text
//! parent.rs               case    ──▶   serve.rs
//!                         events  ◀──   while the property draws
//!                         end     ◀──   classes, score, result
//! ```
//!
//! Every choice and every note is sent at once: those of a case that ends its process are known up to then. The child ends when its parent does.

mod parent;
mod serve;

use std::io::{self, BufRead, ErrorKind};
use std::{env, fmt};

use crate::case::Case;
use crate::failure::{CaseResult, Failure};
use crate::protocol::driver::one_of_many;
use crate::protocol::generator::{Written, next_choices};
use crate::source::{Note, Seen};

pub(crate) use parent::Child;
pub(crate) use serve::serve;

/// The environment variable of a child: the port of its parent, a secret, and the number of the check in its test.
const CHILD: &str = "LOP_CHECK_CHILD";

/// What a child is started for.
pub(crate) struct Task {
    port: u16,
    secret: u64,
    pub(crate) check: u64,
}

impl Task {
    /// The task of this process, if it is a child.
    pub(crate) fn of_environment() -> Option<Task> {
        let text = env::var(CHILD).ok()?;
        let mut words = text.split(' ');
        Some(Task {
            port: words.next()?.parse().ok()?,
            secret: words.next()?.parse().ok()?,
            check: words.next()?.parse().ok()?,
        })
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.port, self.secret, self.check)
    }
}

/// The end of what a child prints in a case.
fn mark(secret: u64) -> String {
    format!("\0{secret}\0")
}

fn answer(seen: &Seen, end: &CaseResult) -> String {
    let mut text = String::new();
    for class in &seen.classes {
        text += &format!("class\t{}\n", escaped(class));
    }
    if let Some(score) = seen.score {
        text += &format!("score\t{score}\n");
    }
    text += &match end {
        CaseResult::Passed => "passed\n".to_owned(),
        CaseResult::Rejected => "rejected\n".to_owned(),
        CaseResult::TooFew(kind) => format!("? {}\nout\n", Written(*kind)),
        CaseResult::Failed(Failure { message, place, error }) => {
            let escaped = |text: &Option<String>| escaped(text.as_deref().unwrap_or_default());
            format!("failed\t{}\t{}\t{}\n", self::escaped(message), escaped(place), escaped(error))
        }
    };
    text
}

/// The notes from an index on.
fn noted(from: usize, notes: &[Note]) -> String {
    let line = |note: &Note| {
        let span = note.span.map_or("-".to_owned(), |span| span.to_string());
        format!("note\t{span}\t{}\n", escaped(&note.text))
    };
    format!("notes\t{from}\n{}", notes.iter().map(line).collect::<String>())
}

/// A case as text.
fn written(case: &Case) -> String {
    let (span, rest) = match &case.anew {
        Some((span, rest)) => (span.to_string(), rest.iter().map(i128::to_string).collect()),
        None => ("-".to_owned(), Vec::new()),
    };
    let example = case.example.map_or("-".to_owned(), |at| at.to_string());
    let flags = format!("{} {} {example}", u8::from(case.has_notes), u8::from(case.is_loud));
    format!("case {flags} {span} {}\n{}", rest.join(" "), one_of_many(&case.choices))
}

/// Reads a case; `None` at the end of the input.
fn read_case(input: &mut impl BufRead) -> io::Result<Option<Case>> {
    let mut line = String::new();
    if input.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["case", notes, loud, example, span, rest @ ..] = &words[..] else {
        return Err(io::Error::from(ErrorKind::InvalidData));
    };
    let rest = rest.iter().filter_map(|word| word.parse().ok()).collect();
    let anew = span.parse().ok().map(|span| (span, rest));
    let (has_notes, is_loud) = (*notes == "1", *loud == "1");
    let example = example.parse().ok();
    Ok(next_choices(input)?.map(|choices| Case { choices, anew, example, has_notes, is_loud }))
}

/// A text without tabs and line ends.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\r', "\\r").replace('\n', "\\n")
}

fn unescaped(text: &str) -> String {
    let mut signs = text.chars();
    let mut whole = String::new();
    while let Some(sign) = signs.next() {
        whole.push(match (sign, sign == '\\') {
            (_, true) => match signs.next() {
                Some('t') => '\t',
                Some('r') => '\r',
                Some('n') => '\n',
                _ => '\\',
            },
            _ => sign,
        });
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::parent::{Answer, cause};
    use super::*;
    use crate::choices::Choices;

    #[test]
    fn what_the_parent_writes_the_child_reads() {
        let choices = Choices {
            values: vec![1, -7, i128::MIN],
            most: Some(50),
            fresh: Some((3, 0.5)),
            ..Choices::default()
        };
        let cases = [
            Case::given(vec![]),
            Case {
                choices,
                anew: Some((4, vec![5, 6])),
                example: None,
                has_notes: true,
                is_loud: true,
            },
            Case::example(7),
        ];
        for case in cases {
            let text = written(&case);
            assert_eq!(read_case(&mut text.as_bytes()).unwrap(), Some(case));
        }
    }

    #[test]
    fn crashes_are_told_apart_by_what_they_are_and_not_by_the_case() {
        assert_eq!(cause(&["thread 'a' has overflowed its stack", "fatal runtime error"]), {
            Some("has overflowed its stack")
        });
        assert_eq!(cause(&["memory allocation of 77 bytes failed"]), Some("memory allocation of"));
        let panic = ["thread 'a' (7) panicked at src/lib.rs:1:2:", "not 586", "aborting."];
        assert_eq!(cause(&panic), Some("src/lib.rs:1:2"));
        assert_eq!(cause(&["586 is too large"]), None);
    }

    #[test]
    fn what_the_child_answers_the_parent_reads() {
        let failure = Failure {
            message: "two\nlines\\n".into(),
            place: Some("a.rs:1:2".into()),
            error: None,
        };
        let notes = vec![
            Note { text: "list = [\"\\t\"]\t".into(), span: Some(3) },
            Note { text: "".into(), span: None },
        ];
        let seen = Seen {
            record: Default::default(),
            wanted: None,
            stopped: None,
            notes: Vec::new(),
            classes: vec!["a b".into()],
            score: Some(-0.5),
        };
        let end = CaseResult::Failed(failure);
        let mut read = Answer::default();
        let whole = noted(0, &notes[..1]) + &noted(0, &notes) + &answer(&seen, &end);
        let ends: Vec<_> = whole.lines().filter_map(|line| read.line(line)).collect();
        assert_eq!(ends, [end]);
        assert_eq!((read.notes, read.classes, read.score), (notes, seen.classes, seen.score));
    }
}
