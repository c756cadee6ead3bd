//! The source of a generator's choices: first the given choices, then random ones, if it has a seed.
//!
//! A generator is a plain function from a [`Source`] to a value. It may depend on the choices that it draws and on nothing
//! else. The source records every choice, and the spans of choices that belong together. The reducer reduces this
//! record.

use std::fmt::{Debug, Display};
use std::panic;

use crate::choice::{Choice, Kind};
use crate::fresh::Fresh;
use crate::record::{Label, Record, Recorder, Values};

/// The source of a generator's choices.
///
/// A generator draws values with the methods of its source. Every draw makes choices, and the reducer makes these fewer and simpler.
pub struct Source {
    given: Values,
    fresh: Option<Fresh>,
    most: usize,
    recorder: Recorder,
    wanted: Option<Kind>,
    notes: Option<Vec<String>>,
    /// Why the generator was stopped, even if it caught the panic.
    stopped: Option<Stop>,
}

/// The number of choices for which there is room at first.
const ROOM: usize = 64;

/// Why a generator was stopped before it returned. It is the payload of a panic that prints nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It draws more choices than there are.
    OutOfChoices,
    /// It rejected its choices.
    Rejected,
}

/// What a source recorded.
pub(crate) struct Seen {
    pub(crate) record: Record,
    /// The kind of the first choice that was missing.
    pub(crate) wanted: Option<Kind>,
    pub(crate) stopped: Option<Stop>,
    pub(crate) notes: Vec<String>,
}

impl Source {
    /// A source of these choices. A generator that draws more is stopped.
    pub fn given(choices: impl Into<Vec<i128>>) -> Source {
        let given: Values = choices.into();
        Source {
            recorder: Recorder::with_room(given.len().min(ROOM)),
            given,
            fresh: None,
            most: usize::MAX,
            wanted: None,
            notes: None,
            stopped: None,
        }
    }

    /// A source of at most `most` random choices, which depend on the seed only. The size, from 0 to 1, says how large the
    /// values may become.
    pub fn random(seed: u64, size: f64, most: usize) -> Source {
        Source { fresh: Some(Fresh::new(seed, size, most)), most, ..Source::given([]) }
    }

    /// A source of these choices, followed by random ones if they have a seed.
    pub(crate) fn of(choices: crate::choices::Choices) -> Source {
        let most = choices.most.unwrap_or(usize::MAX);
        let fresh = choices.fresh.map(|(seed, size)| Fresh::new(seed, size, most));
        Source { fresh, most, ..Source::given(choices.values) }
    }

    /// This source, which now records notes as well.
    pub(crate) fn with_notes(self) -> Source {
        Source { notes: Some(Vec::new()), ..self }
    }

    /// Draws from a generator. Its choices are a span: they belong together, and spans of the same function are of the same kind.
    pub fn draw<T, G: FnOnce(&mut Source) -> T>(&mut self, generator: G) -> T {
        self.span(std::any::type_name::<G>(), generator)
    }

    /// Draws from a generator. Its choices are a span: they belong together, and spans of the same name are of the same kind.
    pub fn span<T>(&mut self, name: &str, generator: impl FnOnce(&mut Source) -> T) -> T {
        self.labelled(Label::of(name), generator)
    }

    pub(crate) fn labelled<T>(
        &mut self,
        label: Label,
        generator: impl FnOnce(&mut Source) -> T,
    ) -> T {
        self.begin(label);
        let made = generator(self);
        self.end(false);
        made
    }

    /// Begins a span. Each span must be ended.
    pub(crate) fn begin(&mut self, label: Label) {
        self.begin_before(label, 0);
    }

    /// Begins a span that includes the last `made` choices.
    pub(crate) fn begin_before(&mut self, label: Label, made: usize) {
        self.recorder.begin(label, made);
    }

    /// Ends the innermost span.
    pub(crate) fn end(&mut self, discarded: bool) {
        self.recorder.end(discarded);
    }

    /// Chooses a number of a kind.
    pub(crate) fn choose(&mut self, kind: Kind) -> i128 {
        self.choose_by(kind, Fresh::choose)
    }

    /// Chooses a number of a kind; all numbers are equally likely.
    #[cfg(feature = "rand")]
    pub(crate) fn choose_evenly(&mut self, kind: Kind) -> i128 {
        self.choose_by(kind, |fresh, kind, _| fresh.evenly(kind))
    }

    fn choose_by(
        &mut self,
        kind: Kind,
        how: impl FnOnce(&mut Fresh, &Kind, &[Choice]) -> i128,
    ) -> i128 {
        let at = self.recorder.choices().len();
        let value = match (self.given.get(at), &mut self.fresh) {
            (Some(value), _) if at < self.most => kind.realised(*value),
            (None, Some(fresh)) if at < self.most => how(fresh, &kind, self.recorder.choices()),
            _ => {
                self.wanted = Some(kind);
                self.stop(Stop::OutOfChoices)
            }
        };
        self.recorder.push(Choice { value, kind });
        value
    }

    /// The probability that a list of `least` to `most` items has another item.
    pub(crate) fn odds_of_more(&mut self, least: usize, most: usize) -> f64 {
        let depth = self.recorder.depth();
        self.fresh.as_mut().map_or(0.5, |fresh| fresh.odds_of_more(least, most, depth))
    }

    /// Rejects the choices: they make no useful case. The case counts neither as passed nor as failed.
    pub fn reject(&mut self) -> ! {
        self.stop(Stop::Rejected)
    }

    fn stop(&mut self, why: Stop) -> ! {
        self.stopped.get_or_insert(why);
        // Unlike a panic, this calls no hook: it isn't a failure, so nothing is printed.
        panic::resume_unwind(Box::new(why))
    }

    /// [Rejects](Source::reject) the choices unless a condition holds.
    pub fn assume(&mut self, holds: bool) {
        if !holds {
            self.reject()
        }
    }

    /// Draws until a value is accepted, three times at most; then the choices are [rejected](Source::reject). The choices of a value
    /// that was not accepted are the first that the reducer removes.
    pub fn filter<T>(
        &mut self,
        mut generator: impl FnMut(&mut Source) -> T,
        accepts: impl Fn(&T) -> bool,
    ) -> T {
        for _ in 0..3 {
            self.begin(Label::of("filter"));
            let made = generator(self);
            let accepted = accepts(&made);
            self.end(!accepted);
            if accepted {
                return made;
            }
        }
        self.reject()
    }

    /// Adds a note to the report of the reduced case.
    pub fn note(&mut self, text: impl Display) {
        if let Some(notes) = &mut self.notes {
            notes.push(text.to_string());
        }
    }

    /// Draws from a generator, and notes the value under a name: `list = [0, 1]`.
    pub fn named<T: Debug>(&mut self, name: &str, generator: impl FnOnce(&mut Source) -> T) -> T {
        let made = self.draw(generator);
        if self.notes.is_some() {
            self.note(format_args!("{name} = {made:?}"));
        }
        made
    }

    /// What was recorded; spans that are still open end here.
    pub(crate) fn seen(self) -> Seen {
        Seen {
            record: self.recorder.finish(),
            wanted: self.wanted,
            stopped: self.stopped,
            notes: self.notes.unwrap_or_default(),
        }
    }
}
