//! The source of a generator's choices: first the given choices, then random ones, if it has a seed.
//!
//! A generator is a plain function from a [`Source`] to a value. It may depend on the choices that it draws and on nothing
//! else. The source records every choice, and the spans of choices that belong together. The reducer reduces this
//! record.

use std::fmt::{Debug, Display};
use std::panic;

use crate::choice::{Choice, Kind};
use crate::choices::Choices;
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
    /// The span that is drawn anew, and the choices after it.
    anew: Option<(usize, Values)>,
    /// The example that is run instead of a generated value.
    example: Option<usize>,
    notes: Option<Vec<Note>>,
    /// The note of the step that is being taken: it gets the named values of the step.
    step: Option<usize>,
    classes: Vec<String>,
    score: Option<f64>,
    /// Why the generator was stopped, even if it caught the panic.
    stopped: Option<Stop>,
    watch: Option<Box<dyn Watch>>,
}

/// Watches a generator draw.
pub(crate) trait Watch {
    /// A span begins, and includes the last `before` choices.
    fn begin(&mut self, label: Label, before: usize);
    /// The innermost span ends.
    fn end(&mut self, discarded: bool);
    /// A choice is made.
    fn chose(&mut self, choice: &Choice);
    /// From an index on, these are the notes.
    fn noted(&mut self, from: usize, notes: &[Note]);
}

/// A note of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) text: String,
    /// The span of the value that it shows.
    pub(crate) span: Option<usize>,
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
    pub(crate) notes: Vec<Note>,
    /// The classes to which the case belongs.
    pub(crate) classes: Vec<String>,
    pub(crate) score: Option<f64>,
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
            anew: None,
            example: None,
            notes: None,
            step: None,
            classes: Vec::new(),
            score: None,
            stopped: None,
            watch: None,
        }
    }

    /// A source of at most `most` random choices, which depend on the seed only. The size, from 0 to 1, says how large the
    /// values may become.
    pub fn random(seed: u64, size: f64, most: usize) -> Source {
        Source { fresh: Some(Fresh::new(seed, size, most)), most, ..Source::given([]) }
    }

    /// A source of these choices, followed by random ones if they have a seed.
    pub(crate) fn of(choices: Choices) -> Source {
        let most = choices.most.unwrap_or(usize::MAX);
        let fresh = choices.fresh.map(|(seed, size)| Fresh::new(seed, size, most));
        Source { fresh, most, ..Source::given(choices.values) }
    }

    /// This source, which now records notes as well.
    pub(crate) fn with_notes(self) -> Source {
        Source { notes: Some(Vec::new()), ..self }
    }

    /// This source, with these choices after a span that is drawn anew.
    pub(crate) fn with_anew(self, span: usize, rest: Values) -> Source {
        Source { anew: Some((span, rest)), ..self }
    }

    /// This source, of an example.
    pub(crate) fn with_example(self, at: usize) -> Source {
        Source { example: Some(at), ..self }
    }

    /// The number of the example that is run instead of a generated value.
    #[doc(hidden)]
    pub fn example(&self) -> Option<usize> {
        self.example
    }

    /// This source, watched.
    pub(crate) fn with_watch(self, watch: impl Watch + 'static) -> Source {
        Source { watch: Some(Box::new(watch)), ..self }
    }

    /// Draws from a generator. Its choices are a span: they belong together, and spans of the same function are of the same kind.
    pub fn draw<T, G: FnOnce(&mut Source) -> T>(&mut self, generator: G) -> T {
        self.labelled(Label::of_generator::<G>(), generator)
    }

    /// Draws from a generator. Its choices are a span: they belong together, and spans of the same name are of the same kind.
    pub fn span<T>(&mut self, name: &str, generator: impl FnOnce(&mut Source) -> T) -> T {
        self.labelled(Label::of_user(name), generator)
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
        if let Some(watch) = &mut self.watch {
            watch.begin(label, made);
        }
        self.recorder.begin(label, made);
        let is_given = self.recorder.choices().len() < self.given.len();
        if let Some(fresh) = self.fresh.as_mut().filter(|_| !is_given) {
            fresh.begin(label, made, &self.recorder);
        }
    }

    /// Ends the innermost span.
    pub(crate) fn end(&mut self, discarded: bool) {
        if let Some(watch) = &mut self.watch {
            watch.end(discarded);
        }
        let ended = self.recorder.end(discarded);
        if let Some(fresh) = &mut self.fresh {
            fresh.end(self.recorder.depth());
        }
        if let Some((_, rest)) = self.anew.take_if(|(span, _)| ended == Some(*span)) {
            let drawn = self.recorder.choices().iter().map(|choice| choice.value);
            // What is drawn after these remains random: with another value, more may be drawn.
            self.given = drawn.chain(rest).collect();
        }
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

    /// Chooses a number of a kind; a random one in this way.
    pub(crate) fn choose_by(
        &mut self,
        kind: Kind,
        how: impl FnOnce(&mut Fresh, &Kind, &[Choice]) -> i128,
    ) -> i128 {
        let at = self.recorder.choices().len();
        let value = match (self.given.get(at), &mut self.fresh) {
            (Some(value), _) if at < self.most => kind.realised(*value),
            (None, Some(fresh)) if at < self.most => {
                let before = self.recorder.choices();
                fresh.repeat(&kind, before).unwrap_or_else(|| how(fresh, &kind, before))
            }
            _ => {
                self.wanted = Some(kind);
                self.stop(Stop::OutOfChoices)
            }
        };
        let choice = Choice { value, kind };
        if let Some(watch) = &mut self.watch {
            watch.chose(&choice);
        }
        self.recorder.push(choice);
        value
    }

    /// The probability that a list of `least` to `most` items has another item, if it is `times` as long as usual.
    pub(crate) fn odds_of_more(&mut self, least: usize, most: usize, times: f64) -> f64 {
        let depth = self.recorder.depth();
        self.fresh.as_mut().map_or(0.5, |fresh| fresh.odds_of_more(least, most, times, depth))
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
            notes.push(Note { text: text.to_string(), span: None });
            let last = notes.len() - 1;
            self.noted(last);
        }
    }

    /// The notes from an index on have changed.
    fn noted(&mut self, from: usize) {
        if let (Some(watch), Some(notes)) = (&mut self.watch, &self.notes) {
            watch.noted(from, &notes[from..]);
        }
    }

    /// Draws from a generator, and notes the value under a name: `list = [0, 1]`. In a [step](Source::steps) it is noted as an argument: `push(item = 3)`.
    pub fn named<T: Debug>(&mut self, name: &str, generator: impl FnOnce(&mut Source) -> T) -> T {
        let span = self.recorder.spans();
        let made = self.draw(generator);
        if let Some(notes) = &mut self.notes {
            match self.step.and_then(|step| notes.get_mut(step)) {
                Some(step) => add_argument(&mut step.text, &format!("{name} = {made:?}")),
                None => notes.push(Note { text: format!("{name} = {made:?}"), span: Some(span) }),
            }
            let changed = self.step.unwrap_or(notes.len() - 1);
            self.noted(changed);
        }
        made
    }

    /// Notes a step; the values that are named until [`end_step`](Source::end_step) are its arguments.
    pub(crate) fn begin_step(&mut self, name: &str) {
        self.note(name);
        self.step = self.notes.as_ref().map(|notes| notes.len() - 1);
    }

    pub(crate) fn end_step(&mut self) {
        self.step = None;
    }

    /// Ends a step that is worth no note.
    pub(crate) fn drop_step(&mut self) {
        if let (Some(step), Some(notes)) = (self.step.take(), &mut self.notes) {
            notes.truncate(step);
            self.noted(step);
        }
    }

    /// Puts the case into a class, such as `empty list`. The report has the number of cases of each class, and a check prints them if
    /// `LOP_STATISTICS` is set.
    pub fn classify(&mut self, class: impl Display) {
        let class = class.to_string();
        if !self.classes.contains(&class) {
            self.classes.push(class);
        }
    }

    /// Scores the case: half of the cases that follow are changes of the one with the greatest score. Call it with what comes close to a failure, such
    /// as a length, an error or a time. If it is called more than once, the greatest score counts.
    pub fn target(&mut self, score: f64) {
        if !score.is_nan() {
            self.score = Some(self.score.map_or(score, |before| before.max(score)));
        }
    }

    /// What was recorded; spans that are still open end here.
    pub(crate) fn seen(self) -> Seen {
        Seen {
            record: self.recorder.finish(),
            wanted: self.wanted,
            stopped: self.stopped,
            notes: self.notes.unwrap_or_default(),
            classes: self.classes,
            score: self.score,
        }
    }
}

/// Adds an argument to a step: `insert(at = 0)` becomes `insert(at = 0, item = 1)`.
fn add_argument(step: &mut String, argument: &str) {
    let is_first = !step.ends_with(')');
    if !is_first {
        step.pop();
    }
    step.push_str(if is_first { "(" } else { ", " });
    step.push_str(argument);
    step.push(')');
}
