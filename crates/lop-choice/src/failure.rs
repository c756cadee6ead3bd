//! Failures of a property, and when two of them are of the same kind.
//!
//! A panic is caught and prints nothing: while a case runs, the panic hook only records its place. Two panics are of the same kind if their places
//! are equal, two errors if their types and variants are. Messages don't count, since they may contain the case.

use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Debug};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;

use crate::choice::Kind;
use crate::source::{Seen, Source, Stop};

/// The kind of the failure of a case that takes too long.
pub(crate) const TIME_LIMIT: &str = "time limit";

/// How a property failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The message of the panic or of the error.
    pub message: String,
    /// The place of the panic: `file:line:column`. An error has none.
    pub place: Option<String>,
    /// The kind of a failure that is not a panic, such as the type and the variant of an error.
    pub error: Option<String>,
}

impl Failure {
    /// A failure that is not a panic.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), place: None, error: None }
    }

    /// This failure, with a kind of its own: only failures of the same kind are reduced to each other.
    pub fn of_kind(self, kind: impl Into<String>) -> Failure {
        Failure { error: Some(kind.into()), ..self }
    }

    /// The kind of this failure: the place of the panic, or the type of the error.
    pub fn kind(&self) -> &str {
        self.place.as_deref().or(self.error.as_deref()).unwrap_or("failure")
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
            let kind = format!("{}::{}", std::any::type_name::<E>(), variant(&message));
            // A text is shown without its quotes.
            let text = message.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            Failure::new(text.unwrap_or(&message)).of_kind(kind)
        })
    }
}

/// The name of the variant in the derived debug form of an error; nothing in that of other types, such as texts.
fn variant(shown: &str) -> &str {
    let is_of_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let (name, rest) = shown.split_at(shown.find(|sign| !is_of_name(sign)).unwrap_or(shown.len()));
    let is_variant = name.starts_with(char::is_uppercase)
        && (rest.is_empty() || rest.starts_with('(') || rest.starts_with(" {"));
    if is_variant { name } else { "" }
}

/// How a case ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CaseResult {
    Passed,
    Failed(Failure),
    Rejected,
    TooFew(Kind),
}

/// Runs a property once, and prints no panic.
pub(crate) fn run<R: Outcome>(
    source: Source,
    property: &mut dyn FnMut(&mut Source) -> R,
) -> (Seen, CaseResult) {
    run_as(Quiet::default(), source, property)
}

/// Runs a property once; a panic is printed by the hook that was there before.
pub(crate) fn run_aloud<R: Outcome>(
    source: Source,
    property: &mut dyn FnMut(&mut Source) -> R,
) -> (Seen, CaseResult) {
    run_as(Quiet { is_loud: true, ..Quiet::default() }, source, property)
}

fn run_as<R: Outcome>(
    quiet: Quiet,
    mut source: Source,
    property: &mut dyn FnMut(&mut Source) -> R,
) -> (Seen, CaseResult) {
    install_hook();
    let is_loud = usize::from(quiet.is_loud);
    QUIET.with_borrow_mut(|now| *now = Some(quiet));
    RUNNING.fetch_add(1, Ordering::Relaxed);
    LOUD.fetch_add(is_loud, Ordering::Relaxed);
    let result = panic::catch_unwind(AssertUnwindSafe(|| property(&mut source).failure()));
    LOUD.fetch_sub(is_loud, Ordering::Relaxed);
    RUNNING.fetch_sub(1, Ordering::Relaxed);
    let place = QUIET.with_borrow_mut(Option::take).and_then(|quiet| quiet.place);
    let seen = source.seen();
    // A stop that the property caught is still a stop.
    let end = match (seen.stopped, result) {
        (Some(Stop::Rejected), _) => CaseResult::Rejected,
        (Some(Stop::OutOfChoices), _) => {
            seen.wanted.map_or(CaseResult::Rejected, CaseResult::TooFew)
        }
        (None, Ok(None)) => CaseResult::Passed,
        (None, Ok(Some(failure))) => CaseResult::Failed(failure),
        (None, Err(payload)) => {
            CaseResult::Failed(Failure { message: message(&*payload), place, error: None })
        }
    };
    (seen, end)
}

fn message(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}

/// What the hook does with a panic of a thread in which a case runs.
#[derive(Default)]
struct Quiet {
    is_loud: bool,
    /// The place of the panic, if there was one.
    place: Option<String>,
}

thread_local! {
    /// `Some` while a case runs.
    static QUIET: RefCell<Option<Quiet>> = const { RefCell::new(None) };
}

/// The number of cases that run now, in all threads, and of those whose panics are printed.
static RUNNING: AtomicUsize = AtomicUsize::new(0);
static LOUD: AtomicUsize = AtomicUsize::new(0);

/// The places and messages of panics of threads without a name while no loud case ran: such a thread may panic in thousands of cases.
static HIDDEN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// The names of threads in which no case ran, and the places of their panics, which were printed while one ran in another thread.
static SHOWN: Mutex<BTreeSet<(String, String)>> = Mutex::new(BTreeSet::new());

/// The places and messages of panics that were not printed, of threads that properties started; each is returned once.
pub(crate) fn hidden_panics() -> BTreeMap<String, String> {
    std::mem::take(&mut *locked(&HIDDEN))
}

fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if is_printed(info) {
                before(info);
            }
        }));
    });
}

fn is_printed(info: &PanicHookInfo<'_>) -> bool {
    let place = info.location().map(|it| format!("{}:{}:{}", it.file(), it.line(), it.column()));
    let of_case = QUIET.with_borrow_mut(|quiet| {
        quiet.as_mut().map(|quiet| {
            quiet.place.clone_from(&place);
            quiet.is_loud
        })
    });
    of_case.unwrap_or_else(|| {
        let place = place.unwrap_or_default();
        let is_quiet = RUNNING.load(Ordering::Relaxed) > 0 && LOUD.load(Ordering::Relaxed) == 0;
        // A thread that a property starts has a name only if the property gives it one; those of the test harness always have.
        // The panic of a test without properties must not be lost.
        match thread::current().name() {
            Some(name) if is_quiet => locked(&SHOWN).insert((name.to_owned(), place)),
            None if is_quiet => {
                locked(&HIDDEN).insert(place, message(info.payload()));
                false
            }
            _ => {
                locked(&HIDDEN).remove(&place);
                true
            }
        }
    })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_of_the_same_kind_if_their_types_and_variants_are() {
        #[derive(Debug)]
        #[allow(dead_code)]
        enum Wrong {
            Sign(char),
            End { at: usize },
        }
        let kind = |wrong: Wrong| Err(wrong).failure().unwrap().kind().to_owned();
        assert_eq!(kind(Wrong::Sign('a')), kind(Wrong::Sign('b')));
        assert_ne!(kind(Wrong::Sign('a')), kind(Wrong::End { at: 1 }));
        let text = |text: &str| Err(text.to_owned()).failure().unwrap().kind().to_owned();
        assert_eq!(text("two dots in 1..2"), text("two dots in 3..4"));
        assert_ne!(text("None"), kind(Wrong::Sign('a')));
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
