//! One-pass delta debugging.
//!
//! G. Gharachorlu and N. Sumner, "Avoiding the Familiar to Speed Up Test Case Reduction", QRS
//! 2018; the list reduction that the Pardis paper calls OPDD. Only complements are tried, and none
//! is revisited after a success: the list is swept once for each chunk size.
//!
//! Guarantee: none by itself; repeated to the fixed point the result is 1-minimal. Where the
//! elements do not depend on each other one pass is 1-minimal already. Cost: at most 2|c| tests.
//!
//! The sweep goes from the last element to the first: a use comes after its definition, and can go
//! without it, but not the other way round.

use crate::search::{Answer, Search, Subset};

/// Minimises a configuration that is interesting, in one pass.
pub fn opdd(mut c: Subset, search: &mut dyn Search<Subset>) -> Subset {
    let mut at = Chunk::first(c.len());
    loop {
        let mut candidates = at.sweep(c.len()).map(|chunk| chunk.removed_from(&c));
        let Answer::Found(index) = search.first(&mut candidates) else { return c };
        let removed = at.sweep(c.len()).nth(index).expect("the index is one of the chunks");
        at = Chunk { size: removed.size, end: removed.start() };
        c = removed.removed_from(&c);
    }
}

/// What is tried if nothing is interesting.
pub(crate) fn attempts(c: Subset) -> impl Iterator<Item = Subset> {
    Chunk::first(c.len()).sweep(c.len()).map(move |chunk| chunk.removed_from(&c))
}

/// The elements of ranks `start()..end`.
#[derive(Clone, Copy)]
struct Chunk {
    size: usize,
    end: usize,
}

impl Chunk {
    fn first(len: usize) -> Chunk {
        Chunk { size: (len / 2).max(1), end: len }
    }

    fn start(self) -> usize {
        self.end.saturating_sub(self.size)
    }

    fn next(self) -> Chunk {
        Chunk { size: self.size, end: self.start() }
    }

    fn removed_from(self, c: &Subset) -> Subset {
        c.without(self.start()..self.end)
    }

    /// This chunk and all that come after it, in a list of this length.
    fn sweep(self, len: usize) -> impl Iterator<Item = Chunk> {
        std::iter::successors(self.present(len), move |chunk| chunk.next().present(len))
    }

    /// This chunk, or the last one of half the size where the sweep has come to its end.
    fn present(self, len: usize) -> Option<Chunk> {
        if self.end > 0 {
            return Some(self);
        }
        (self.size > 1 && len > 0)
            .then(|| Chunk { size: (self.size.min(len) / 2).max(1), end: len })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Inline;

    #[test]
    fn no_more_than_two_tests_an_element() {
        for n in [1, 2, 3, 7, 64, 100, 1000] {
            let mut tests = 0;
            let kept = opdd(
                Subset::all(n),
                &mut Inline(|_: &Subset| {
                    tests += 1;
                    false
                }),
            );
            assert_eq!(kept.len(), n);
            assert!(tests <= 2 * n, "{tests} tests for {n} elements");
        }
    }

    #[test]
    fn a_list_where_nothing_is_needed_vanishes() {
        assert!(opdd(Subset::all(100), &mut Inline(|_: &Subset| true)).is_empty());
    }
}
