//! Clues: places of a text that the run of a test reveals, such as the line of an error, the calls of a stack trace, or
//! the lines that ran.

use std::ops::Range;

use super::Text;

/// Places of one text. They say nothing about any other text.
#[derive(Clone, Debug, Default)]
pub struct Clues {
    text: Text,
    places: Vec<Range<usize>>,
    reached: Vec<Range<usize>>,
}

impl Clues {
    /// Places of a text that the output of its test names.
    pub fn new(text: &Text, places: Vec<Range<usize>>) -> Self {
        Clues { text: text.clone(), places, reached: Vec::new() }
    }

    /// Adds the places that the test has run, in any order.
    pub fn with_reached(mut self, mut reached: Vec<Range<usize>>) -> Self {
        reached.sort_by_key(|place| place.start);
        self.reached.clear();
        for place in reached.into_iter().filter(|place| !place.is_empty()) {
            match self.reached.last_mut() {
                Some(last) if place.start <= last.end => last.end = last.end.max(place.end),
                _ => self.reached.push(place),
            }
        }
        self
    }

    /// The places in a text that the output names, if the clues are about this text.
    pub fn places(&self, text: &Text) -> &[Range<usize>] {
        if self.text == *text { &self.places } else { &[] }
    }

    /// The places in a text that the test has run, from left to right, if the clues are about this text; none if they
    /// are unknown.
    pub fn reached(&self, text: &Text) -> &[Range<usize>] {
        if self.text == *text { &self.reached } else { &[] }
    }
}
