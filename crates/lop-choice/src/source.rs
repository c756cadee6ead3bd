//! Where a generator's choices come from: given ones first, then fresh ones, if there are any.
//!
//! A generator is a plain function from a [`Source`] to whatever it makes. All that it may depend on are the
//! choices that it draws. Everything that is drawn is recorded, with the spans that say what belongs together, and
//! the record is what is reduced.

use std::fmt::{Debug, Display};
use std::panic;

use crate::choice::{Choice, Kind};
use crate::fresh::Fresh;
use crate::record::{Label, Record, Recorder, Values};

/// Where a generator's choices come from.
pub struct Source {
    given: Values,
    fresh: Option<Fresh>,
    most: usize,
    recorder: Recorder,
    wanted: Option<Kind>,
    notes: Option<Vec<String>>,
    /// Why the generator was left, also if someone has caught that.
    stopped: Option<Stop>,
}

/// How many choices there is room for at first.
const ROOM: usize = 64;

/// Why a generator was left before it was done. It travels as a panic that prints nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It wanted more choices than there are.
    OutOfChoices,
    /// It said that these choices make nothing of use.
    Rejected,
}

/// Everything that a source has seen.
pub(crate) struct Seen {
    pub(crate) record: Record,
    /// What was to be chosen when there was no choice left.
    pub(crate) wanted: Option<Kind>,
    pub(crate) stopped: Option<Stop>,
    pub(crate) notes: Vec<String>,
}

impl Source {
    /// These choices and no other.
    pub fn given(choices: impl Into<Values>) -> Source {
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

    /// Random choices that depend on a seed only, at most so many. The size, from 0 to 1, says how large what is made
    /// may become.
    pub fn random(seed: u64, size: f64, most: usize) -> Source {
        Source { fresh: Some(Fresh::new(seed, size, most)), most, ..Source::given([]) }
    }

    /// These choices, and when they are used up, random ones.
    pub(crate) fn of(choices: crate::choices::Choices) -> Source {
        let most = choices.most.unwrap_or(usize::MAX);
        let fresh = choices.fresh.map(|(seed, size)| Fresh::new(seed, size, most));
        Source { fresh, most, ..Source::given(choices.values) }
    }

    /// The same, with notes to be kept.
    pub(crate) fn with_notes(self) -> Source {
        Source { notes: Some(Vec::new()), ..self }
    }

    /// Draws from a generator; what it draws belongs together.
    pub fn draw<T, G: FnOnce(&mut Source) -> T>(&mut self, generator: G) -> T {
        self.span(std::any::type_name::<G>(), generator)
    }

    /// Draws from a generator; what it draws belongs together, and is of the same kind as other spans of this name.
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

    /// Begins a span; each one must be ended.
    pub(crate) fn begin(&mut self, label: Label) {
        self.begin_before(label, 0);
    }

    /// Begins a span to which some choices belong that were made before.
    pub(crate) fn begin_before(&mut self, label: Label, made: usize) {
        self.recorder.begin(label, made);
    }

    /// Ends the span that was begun last.
    pub(crate) fn end(&mut self, discarded: bool) {
        self.recorder.end(discarded);
    }

    /// Chooses a number of a kind.
    pub(crate) fn choose(&mut self, kind: Kind) -> i128 {
        self.choose_by(kind, Fresh::choose)
    }

    /// Chooses a number of a kind, all being equally likely.
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

    /// How likely a list of some length goes on.
    pub(crate) fn odds_of_more(&mut self, least: usize, most: usize) -> f64 {
        let depth = self.recorder.depth();
        self.fresh.as_mut().map_or(0.5, |fresh| fresh.odds_of_more(least, most, depth))
    }

    /// These choices make nothing of use; others are tried instead.
    pub fn reject(&mut self) -> ! {
        self.stop(Stop::Rejected)
    }

    fn stop(&mut self, why: Stop) -> ! {
        self.stopped.get_or_insert(why);
        // Unlike a panic, this calls no hook: it is no failure and nobody is to read about it.
        panic::resume_unwind(Box::new(why))
    }

    /// Goes on only if this holds; other choices are tried instead.
    pub fn assume(&mut self, holds: bool) {
        if !holds {
            self.reject()
        }
    }

    /// Draws until something is accepted, three times at most; then the choices are rejected. What was not accepted
    /// is known to have been thrown away, and is the first to go when a case is reduced.
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

    /// Something to be told about the reduced case.
    pub fn note(&mut self, text: impl Display) {
        if let Some(notes) = &mut self.notes {
            notes.push(text.to_string());
        }
    }

    /// Draws from a generator and notes what it made, under a name.
    pub fn named<T: Debug>(&mut self, name: &str, generator: impl FnOnce(&mut Source) -> T) -> T {
        let made = self.draw(generator);
        if self.notes.is_some() {
            self.note(format_args!("{name} = {made:?}"));
        }
        made
    }

    /// Everything that was seen; spans that were left in the middle end here.
    pub(crate) fn seen(self) -> Seen {
        Seen {
            record: self.recorder.finish(),
            wanted: self.wanted,
            stopped: self.stopped,
            notes: self.notes.unwrap_or_default(),
        }
    }
}
