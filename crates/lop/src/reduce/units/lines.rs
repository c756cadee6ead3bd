//! Lines, each with its line break; a last line without one is a line too.

use crate::search::Subset;
use crate::text::{Candidate, Text};

use super::{Atoms, some, tokens_in};

pub(super) fn lines(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    (level == 0).then(|| Partition::new(line_ends(text))).and_then(some)
}

/// The end of each line, its line break included.
pub(super) fn line_ends(text: &[u8]) -> Vec<usize> {
    let mut ends: Vec<usize> =
        text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    if ends.last().copied().unwrap_or(0) < text.len() {
        ends.push(text.len());
    }
    ends
}

/// Atoms that cover a text from its first byte to its last, so that only their ends are
/// stored: an input of a hundred megabytes has millions of lines.
struct Partition {
    ends: Vec<usize>,
}

impl Partition {
    fn new(ends: Vec<usize>) -> Self {
        Partition { ends }
    }

    fn start(&self, atom: usize) -> usize {
        if atom == 0 { 0 } else { self.ends[atom - 1] }
    }
}

impl Atoms for Partition {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn keep(&self, text: &Text, kept: &Subset) -> Candidate {
        let gaps = kept.gaps(self.len());
        Candidate::without(text, gaps.map(|gap| self.start(gap.start)..self.ends[gap.end - 1]))
    }

    fn weight(&self, text: &[u8], atom: usize) -> usize {
        tokens_in(text, self.start(atom)..self.ends[atom])
    }
}

#[cfg(test)]
mod tests {
    use crate::reduce::units::tests::check;

    #[test]
    fn a_line_goes_with_its_break() {
        check("lines", 0, "a\nb\nc", &["b\nc", "a\nc", "a\nb\n"]);
        check("lines", 0, "a\r\n\r\n", &["\r\n", "a\r\n"]);
        check("lines", 0, "", &[]);
        check("lines", 1, "a\nb\n", &[]);
    }
}
