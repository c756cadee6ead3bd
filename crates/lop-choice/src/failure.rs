//! Failures of a property, and when two of them are of the same kind.
//!
//! A panic is caught and prints nothing: while a case runs, the panic hook only records its place. Two failures are of the same kind if
//! their places are equal, and their messages are equal except for numbers and quoted text.

use std::any::Any;
use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::choice::Kind;
use crate::source::{Seen, Source, Stop};

/// How a property failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The message of the panic or of the error.
    pub message: String,
    /// The place of the panic: `file:line:column`. An error has none.
    pub place: Option<String>,
}

impl Failure {
    /// A failure that is not a panic.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), place: None }
    }

    /// The kind of this failure: its place, and its message without numbers and quoted text.
    pub fn kind(&self) -> String {
        let place = self.place.as_deref().unwrap_or("an error");
        format!("{place}: {}", message_kind(&self.message))
    }
}

impl Failure {
    /// The kind of this failure without its line, which changes whenever a line is added above it.
    pub(crate) fn file_kind(&self) -> String {
        let file =
            self.place.as_deref().and_then(|place| place.split(':').next()).unwrap_or("an error");
        format!("{file}: {}", message_kind(&self.message))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "panicked at {place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// The first line of a message without numbers, quoted text and text in brackets, since these depend on the case.
fn message_kind(message: &str) -> String {
    let mut kind = String::new();
    // The signs that close the open quotes and brackets.
    let mut open: Vec<char> = Vec::new();
    let mut before = ' ';
    for sign in message.lines().next().unwrap_or_default().chars().take(400) {
        let behind_word = std::mem::replace(&mut before, sign).is_alphanumeric();
        if open.last() == Some(&sign) {
            open.pop();
            continue;
        }
        let end = match sign {
            '"' | '`' => Some(sign),
            // Not in "doesn't".
            '\'' if !behind_word => Some(sign),
            '(' => Some(')'),
            '[' => Some(']'),
            '{' => Some('}'),
            _ => None,
        };
        match end {
            Some(end) => open.push(end),
            None if !open.is_empty() => {}
            None if sign.is_ascii_digit() || matches!(sign, '-' | '.') => {
                if !kind.ends_with('#') {
                    kind.push('#');
                }
            }
            None => kind.push(sign),
        }
    }
    kind
}

/// What a property may return: `()`, which fails by panics alone, `bool`, or a `Result`.
pub trait Outcome {
    /// The failure, if the property failed.
    fn failure(self) -> Option<Failure>;
}

impl Outcome for () {
    fn failure(self) -> Option<Failure> {
        None
    }
}

impl Outcome for bool {
    fn failure(self) -> Option<Failure> {
        (!self).then(|| Failure::new("the property does not hold"))
    }
}

impl<E: Debug> Outcome for Result<(), E> {
    fn failure(self) -> Option<Failure> {
        self.err().map(|error| {
            let message = format!("{error:?}");
            // A text is shown without its quotes.
            let text = message.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            Failure::new(text.unwrap_or(&message))
        })
    }
}

/// How a case ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CaseResult {
    Passed,
    Failed(Failure),
    Rejected,
    TooFew(Kind),
}

/// Runs a property once.
pub(crate) fn run<R: Outcome>(
    mut source: Source,
    property: &mut dyn FnMut(&mut Source) -> R,
) -> (Seen, CaseResult) {
    install_hook();
    QUIET.with_borrow_mut(|quiet| *quiet = Some(None));
    let result = panic::catch_unwind(AssertUnwindSafe(|| property(&mut source).failure()));
    let place = QUIET.with_borrow_mut(Option::take).flatten();
    let seen = source.seen();
    // A stop that the property caught is still a stop.
    let end = match (seen.stopped, result) {
        (Some(Stop::Rejected), _) => CaseResult::Rejected,
        (Some(Stop::OutOfChoices), _) => {
            seen.wanted.map_or(CaseResult::Rejected, CaseResult::TooFew)
        }
        (None, Ok(None)) => CaseResult::Passed,
        (None, Ok(Some(failure))) => CaseResult::Failed(failure),
        (None, Err(payload)) => CaseResult::Failed(Failure { message: message(&*payload), place }),
    };
    (seen, end)
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}

thread_local! {
    /// `Some` while a case runs: the place of its panic, if it panicked.
    static QUIET: RefCell<Option<Option<String>>> = const { RefCell::new(None) };
}

fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let is_quiet = QUIET.with_borrow_mut(|quiet| match quiet {
                Some(place) => {
                    *place = info
                        .location()
                        .map(|it| format!("{}:{}:{}", it.file(), it.line(), it.column()));
                    true
                }
                None => false,
            });
            if !is_quiet {
                before(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_the_same_kind_whatever_their_numbers_and_quotes() {
        assert_eq!(message_kind("index 12 of -7.5: \"abc\" is `x`"), "index # of #:  is ");
        assert_eq!(message_kind("the sum of [1, (2)] doesn't fit 'a'"), "the sum of  doesn't fit ");
        assert_eq!(message_kind("one\ntwo"), "one");
        assert_ne!(message_kind("too long"), message_kind("too short"));
    }

    #[test]
    fn a_panic_is_a_failure_with_its_place() {
        let (_, end) = run(Source::given([]), &mut |_| {
            let list: Vec<u8> = Vec::new();
            assert!(!list.is_empty(), "no item");
        });
        let CaseResult::Failed(failure) = end else { panic!("{end:?}") };
        assert_eq!(failure.message, "no item");
        assert!(failure.place.is_some_and(|place| place.contains("failure.rs")));
    }
}
