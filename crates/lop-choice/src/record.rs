//! What a generator drew, and which draws belong together.

use std::cmp::Ordering;
use std::ops::Range;

use crate::choice::{Choice, Kind};

/// The numbers that a generator is given.
pub type Values = Vec<i128>;

/// Names what a span is for. Spans of the same label make the same kind of thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u64);

impl Label {
    /// A list, with all its items and the choice that ends it.
    pub const LIST: Label = Label::of("list");
    /// An item of a list, with the choice that there is one.
    pub const ITEM: Label = Label::of("item");

    /// The label of this name.
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

    /// A name for it, which is its own only for those that are known everywhere.
    pub fn name(self) -> String {
        match self {
            Label::LIST => "list".into(),
            Label::ITEM => "item".into(),
            Label(number) => format!("{number:x}"),
        }
    }
}

/// Choices that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Span {
    /// What it is for.
    pub label: Label,
    /// Its first choice.
    pub start: usize,
    /// Behind its last choice.
    pub end: usize,
    /// The span around it, by its number.
    pub parent: Option<usize>,
    /// Behind the number of the last span inside of it.
    pub until: usize,
    /// Whether what was made of it was thrown away.
    pub discarded: bool,
}

impl Span {
    /// Its choices.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// How many choices it has.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether it has no choice.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// What a generator drew. Spans are in the order in which they began, so those inside of one come right after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The choices, in the order in which they were made.
    pub choices: Vec<Choice>,
    /// Which of them belong together.
    pub spans: Vec<Span>,
}

impl Record {
    /// The numbers alone.
    pub fn values(&self) -> Values {
        self.choices.iter().map(|choice| choice.value).collect()
    }

    /// Shortlex: what has fewer choices comes first, then what has simpler ones, the earlier the more important.
    pub fn order(&self, other: &Record) -> Ordering {
        self.choices.len().cmp(&other.choices.len()).then_with(|| {
            let pairs = self.choices.iter().zip(&other.choices);
            pairs
                .map(|(one, two)| one.rank().cmp(&two.rank()))
                .find(|it| it.is_ne())
                .unwrap_or(Ordering::Equal)
        })
    }

    /// The simplest numbers in place of some choices.
    pub fn simplest(&self, range: Range<usize>) -> impl Iterator<Item = i128> + '_ {
        self.choices[range].iter().map(|choice| choice.kind.simplest())
    }

    /// All numbers, with others in place of some.
    pub fn with(&self, range: Range<usize>, instead: impl IntoIterator<Item = i128>) -> Values {
        let number = |choice: &Choice| choice.value;
        let (before, after) = (&self.choices[..range.start], &self.choices[range.end..]);
        before.iter().map(number).chain(instead).chain(after.iter().map(number)).collect()
    }

    /// The numbers of some choices.
    pub fn values_of(&self, range: Range<usize>) -> impl Iterator<Item = i128> + '_ {
        self.choices[range].iter().map(|choice| choice.value)
    }

    /// Whether some choices could not be simpler.
    pub fn is_simplest(&self, range: Range<usize>) -> bool {
        self.choices[range].iter().all(Choice::is_simplest)
    }

    /// All numbers but those of several rows.
    pub fn without_all(&self, gone: &[Range<usize>]) -> Values {
        let stays = |at: &usize| !gone.iter().any(|row| row.contains(at));
        (0..self.choices.len()).filter(stays).map(|at| self.choices[at].value).collect()
    }

    /// All numbers but some.
    pub fn without(&self, range: Range<usize>) -> Values {
        self.with(range, [])
    }

    /// Which choices only say whether a list goes on. Lists are made shorter by removing items, so nobody else needs to
    /// look at these.
    pub fn flags(&self) -> Vec<bool> {
        let mut flags = vec![false; self.choices.len()];
        for span in self.spans.iter().filter(|span| !span.is_empty()) {
            match span.label {
                Label::ITEM => flags[span.start] = true,
                Label::LIST if self.choices[span.end - 1].value == 0 => {
                    flags[span.end - 1] |=
                        matches!(self.choices[span.end - 1].kind, Kind::Boolean { .. });
                }
                _ => {}
            }
        }
        flags
    }

    /// The innermost span around each choice.
    pub fn owners(&self) -> Vec<Option<usize>> {
        let mut owners = vec![None; self.choices.len()];
        for (number, span) in self.spans.iter().enumerate() {
            owners[span.range()].fill(Some(number));
        }
        owners
    }

    /// Whether a span is all of an item but the choice that there is one: what can be done to it is done to the item.
    pub fn is_body(&self, span: &Span) -> bool {
        let item = span.parent.map(|parent| &self.spans[parent]);
        item.is_some_and(|item| {
            item.label == Label::ITEM && span.start == item.start + 1 && span.end == item.end
        })
    }

    /// The spans inside of one, whatever their depth.
    pub fn inside(&self, span: usize) -> Range<usize> {
        span + 1..self.spans[span].until
    }
}

/// Makes a record while things are drawn.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    record: Record,
    open: Vec<usize>,
}

impl Recorder {
    /// One that is likely to have so many choices.
    pub fn with_room(choices: usize) -> Recorder {
        let record =
            Record { choices: Vec::with_capacity(choices), spans: Vec::with_capacity(choices) };
        Recorder { record, open: Vec::with_capacity(8) }
    }

    /// What was drawn so far.
    pub fn choices(&self) -> &[Choice] {
        &self.record.choices
    }

    /// How many spans have begun and not ended.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Something was drawn.
    pub fn push(&mut self, choice: Choice) {
        self.record.choices.push(choice);
    }

    /// A span begins, to which some choices belong that were made before.
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

    /// The span ends that was begun last.
    pub fn end(&mut self, discarded: bool) {
        let (end, until) = (self.record.choices.len(), self.record.spans.len());
        if let Some(number) = self.open.pop() {
            let span = &mut self.record.spans[number];
            (span.end, span.until, span.discarded) = (end, until, discarded);
        }
    }

    /// The whole record; spans that were left in the middle end here.
    pub fn finish(mut self) -> Record {
        while !self.open.is_empty() {
            self.end(false);
        }
        // Thousands of them are remembered.
        self.record.choices.shrink_to_fit();
        self.record.spans.shrink_to_fit();
        self.record
    }
}
