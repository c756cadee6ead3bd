//! Clues: places of a text that the output of its test names, such as the line of an error or the calls of a stack trace.

use std::ops::Range;

use super::Text;

/// Places of one text. Of any other text they say nothing.
#[derive(Clone, Debug, Default)]
pub struct Clues {
    text: Text,
    places: Vec<Range<usize>>,
}

impl Clues {
    /// Places of a text.
    pub fn new(text: &Text, places: Vec<Range<usize>>) -> Self {
        Clues { text: text.clone(), places }
    }

    /// The places in a text, if it is the one that the clues are about.
    pub fn places(&self, text: &Text) -> &[Range<usize>] {
        if self.text == *text { &self.places } else { &[] }
    }
}
