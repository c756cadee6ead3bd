//! The record of what a generator drew: its choices, and the spans of choices that belong together.

use std::cmp::Ordering;
use std::ops::Range;

use crate::choice::{Choice, Kind};

/// The numbers that a generator is given.
pub type Values = Vec<i128>;

/// The label of a span. Spans with the same label make values of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u64);

impl Label {
    /// The label of a list, with all its items and the choice that ends it.
    pub const LIST: Label = Label::of("list");
    /// The label of an item of a list, with the choice that there is one.
    pub const ITEM: Label = Label::of("item");
    /// The label of an option: a list of at most one item, without a choice that ends it.
    pub const OPTION: Label = Label::of("option");

    /// The label with this name.
    pub const fn of(name: &str) -> Label {
        // Like FNV-1a, but eight bytes at a time: every span has a name, and names of types are long.
        let mut rest = name.as_bytes();
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        while let Some((word, behind)) = rest.split_first_chunk::<8>() {
            hash = (hash ^ u64::from_le_bytes(*word))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29);
            rest = behind;
        }
        while let Some((byte, behind)) = rest.split_first() {
            hash = (hash ^ *byte as u64).wrapping_mul(0x0000_0100_0000_01b3);
            rest = behind;
        }
        Label(hash)
    }

    /// The label that a user calls by this name. It is none of those above, even if its name is theirs.
    pub(crate) fn of_user(name: &str) -> Label {
        Label(!Label::of(name).0)
    }

    /// The label of what a generator makes, whether it is called itself or by reference.
    pub fn of_generator<G>() -> Label {
        let name = std::any::type_name::<G>();
        Label::of(name.trim_start_matches(['&', ' ']).trim_start_matches("mut "))
    }

    /// A name for the protocol. Only lists, options and items have their own name; for others it is a number.
    pub fn name(self) -> String {
        match self {
            Label::LIST => "list".into(),
            Label::ITEM => "item".into(),
            Label::OPTION => "option".into(),
            Label(number) => format!("{number:x}"),
        }
    }
}

/// Choices that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Span {
    /// The kind of value that is made from it.
    pub label: Label,
    /// Its first choice.
    pub start: usize,
    /// The index after its last choice.
    pub end: usize,
    /// The index of the span around it.
    pub parent: Option<usize>,
    /// The index after the last span inside it.
    pub until: usize,
    /// Whether the generator discarded the value that it made from it.
    pub discarded: bool,
}

impl Span {
    /// The indices of its choices.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The number of its choices.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether it has no choices.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// What a generator drew. Spans are in the order in which they began, so the spans inside one follow it immediately.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The choices, in the order in which they were made.
    pub choices: Vec<Choice>,
    /// The spans of choices that belong together.
    pub spans: Vec<Span>,
}

impl Record {
    /// The numbers of all choices.
    pub fn values(&self) -> Values {
        self.choices.iter().map(|choice| choice.value).collect()
    }

    /// Compares in shortlex order: the record with fewer choices comes first, and of equally long ones the record whose first
    /// different choice is simpler.
    pub fn order(&self, other: &Record) -> Ordering {
        self.choices.len().cmp(&other.choices.len()).then_with(|| {
            let pairs = self.choices.iter().zip(&other.choices);
            pairs
                .map(|(one, two)| one.rank().cmp(&two.rank()))
                .find(|it| it.is_ne())
                .unwrap_or(Ordering::Equal)
        })
    }

    /// The simplest numbers for a range of choices.
    pub fn simplest(&self, range: Range<usize>) -> impl Iterator<Item = i128> + '_ {
        self.choices[range].iter().map(|choice| choice.kind.simplest())
    }

    /// The numbers of all choices, with a range of them replaced.
    pub fn with(&self, range: Range<usize>, instead: impl IntoIterator<Item = i128>) -> Values {
        let number = |choice: &Choice| choice.value;
        let (before, after) = (&self.choices[..range.start], &self.choices[range.end..]);
        before.iter().map(number).chain(instead).chain(after.iter().map(number)).collect()
    }

    /// The numbers of a range of choices.
    pub fn values_of(&self, range: Range<usize>) -> impl Iterator<Item = i128> + '_ {
        self.choices[range].iter().map(|choice| choice.value)
    }

    /// Whether each choice of a range is the simplest of its kind.
    pub fn is_simplest(&self, range: Range<usize>) -> bool {
        self.choices[range].iter().all(Choice::is_simplest)
    }

    /// The numbers of all choices outside of several ranges.
    pub fn without_all(&self, gone: &[Range<usize>]) -> Values {
        let stays = |at: &usize| !gone.iter().any(|row| row.contains(at));
        (0..self.choices.len()).filter(stays).map(|at| self.choices[at].value).collect()
    }

    /// The numbers of all choices outside of a range.
    pub fn without(&self, range: Range<usize>) -> Values {
        self.with(range, [])
    }

    /// Whether each choice only says whether a list has another item. Passes that remove items change these choices; no other
    /// pass needs to. Whether there is an option is a choice like others: one may take the place of another.
    pub fn flags(&self) -> Vec<bool> {
        let mut flags = vec![false; self.choices.len()];
        for span in self.spans.iter().filter(|span| !span.is_empty()) {
            match span.label {
                Label::ITEM if !self.is_option(span.parent) => flags[span.start] = true,
                Label::LIST if self.choices[span.end - 1].value == 0 => {
                    flags[span.end - 1] |=
                        matches!(self.choices[span.end - 1].kind, Kind::Boolean { .. });
                }
                _ => {}
            }
        }
        flags
    }

    fn is_option(&self, span: Option<usize>) -> bool {
        span.is_some_and(|span| self.spans[span].label == Label::OPTION)
    }

    /// The index of the innermost span around each choice.
    pub fn owners(&self) -> Vec<Option<usize>> {
        let mut owners = vec![None; self.choices.len()];
        for (number, span) in self.spans.iter().enumerate() {
            owners[span.range()].fill(Some(number));
        }
        owners
    }

    /// Whether a span is a whole item except for the choice that there is one. Passes change the item instead.
    pub fn is_body(&self, span: &Span) -> bool {
        let item = span.parent.map(|parent| &self.spans[parent]);
        item.is_some_and(|item| {
            item.label == Label::ITEM && span.start == item.start + 1 && span.end == item.end
        })
    }

    /// The indices of the spans inside a span, at any depth.
    pub fn inside(&self, span: usize) -> Range<usize> {
        span + 1..self.spans[span].until
    }
}

/// Makes a record while a generator draws.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    record: Record,
    open: Vec<usize>,
}

impl Recorder {
    /// A recorder with room for this number of choices.
    pub fn with_room(choices: usize) -> Recorder {
        let record =
            Record { choices: Vec::with_capacity(choices), spans: Vec::with_capacity(choices) };
        Recorder { record, open: Vec::with_capacity(8) }
    }

    /// The choices so far.
    pub fn choices(&self) -> &[Choice] {
        &self.record.choices
    }

    /// The number of spans so far.
    pub fn spans(&self) -> usize {
        self.record.spans.len()
    }

    /// The number of open spans.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the innermost open span is inside of one with this label.
    pub(crate) fn is_within(&self, label: Label) -> bool {
        let outer = self.open.split_last().map_or(&[][..], |(_, outer)| outer);
        outer.iter().any(|span| self.record.spans[*span].label == label)
    }

    /// The choices of the spans with a label that have ended, of the last `back` spans.
    pub(crate) fn ended(&self, label: Label, back: usize) -> impl Iterator<Item = Range<usize>> {
        let spans = self.record.spans.iter().rev().take(back);
        // The end of an open span is its beginning.
        spans.filter(move |span| span.label == label && !span.is_empty()).map(Span::range)
    }

    /// Adds a choice.
    pub fn push(&mut self, choice: Choice) {
        self.record.choices.push(choice);
    }

    /// Begins a span that includes the last `before` choices.
    pub fn begin(&mut self, label: Label, before: usize) {
        let at = self.record.choices.len().saturating_sub(before);
        let number = self.record.spans.len();
        let parent = self.open.last().copied();
        self.record.spans.push(Span {
            label,
            start: at,
            end: at,
            parent,
            until: number + 1,
            discarded: false,
        });
        self.open.push(number);
    }

    /// Adds a span of the last `count` choices, around the spans of these that have ended. Nothing is added if one of them began before these
    /// choices, or if not all of the choices belong to the innermost open span.
    pub fn wrap(&mut self, label: Label, count: usize) {
        let end = self.record.choices.len();
        let parent = self.open.last().copied();
        let Some(start) = end.checked_sub(count) else { return };
        let spans = &mut self.record.spans;
        let first = parent.map_or(0, |parent| parent + 1);
        // From the last child back, since there may be many before the wrapped ones.
        let mut number = spans.len();
        while number > first {
            let child = child_around(spans, parent, number - 1);
            if spans[child].start < start {
                if spans[child].end > start {
                    return;
                }
                break;
            }
            number = child;
        }
        if parent.is_some_and(|parent| spans[parent].start > start) {
            return;
        }
        for span in &mut spans[number..] {
            span.until += 1;
            span.parent = match span.parent {
                outer if outer == parent => Some(number),
                inner => inner.map(|inner| inner + 1),
            };
        }
        let until = spans.len() + 1;
        let discarded = false;
        spans.insert(number, Span { label, start, end, parent, until, discarded });
    }

    /// Ends the innermost open span, and returns its index.
    pub fn end(&mut self, discarded: bool) -> Option<usize> {
        let (end, until) = (self.record.choices.len(), self.record.spans.len());
        let number = self.open.pop()?;
        let span = &mut self.record.spans[number];
        (span.end, span.until, span.discarded) = (end, until, discarded);
        Some(number)
    }

    /// The record; spans that are still open end here.
    pub fn finish(mut self) -> Record {
        while !self.open.is_empty() {
            self.end(false);
        }
        // Thousands of records are remembered.
        self.record.choices.shrink_to_fit();
        self.record.spans.shrink_to_fit();
        self.record
    }
}

/// The child of `parent` that is, or is around, the span with this number.
fn child_around(spans: &[Span], parent: Option<usize>, mut number: usize) -> usize {
    while spans[number].parent != parent {
        let Some(outer) = spans[number].parent else { break };
        number = outer;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_wrapped_with_the_spans_that_have_ended() {
        let (outer, inner, item) = (Label::of("outer"), Label::of("inner"), Label::ITEM);
        let mut recorder = Recorder::default();
        let push = |recorder: &mut Recorder| {
            recorder.push(Choice { value: 0, kind: Kind::integer(0, 9, 0) });
        };
        recorder.begin(outer, 0);
        push(&mut recorder);
        for _ in 0..2 {
            recorder.begin(inner, 0);
            push(&mut recorder);
            push(&mut recorder);
            recorder.end(false);
        }
        recorder.wrap(item, 3);
        recorder.wrap(item, 9);
        assert_eq!(recorder.spans(), 3, "neither a part of a span, nor more than there is");
        recorder.wrap(item, 4);
        push(&mut recorder);
        recorder.wrap(item, 1);
        let record = recorder.finish();
        let spans: Vec<_> = record
            .spans
            .iter()
            .map(|span| (span.label, span.range(), span.parent, span.until))
            .collect();
        assert_eq!(
            spans,
            [
                (outer, 0..6, None, 5),
                (item, 1..5, Some(0), 4),
                (inner, 1..3, Some(1), 3),
                (inner, 3..5, Some(1), 4),
                (item, 5..6, Some(0), 5),
            ]
        );
    }
}
