//! One-pass delta debugging.
//!
//! G. Gharachorlu and N. Sumner, "Avoiding the Familiar to Speed Up Test Case Reduction", QRS 2018; the list reduction
//! that the Pardis paper calls OPDD. It tries only complements, and does not return to earlier ones after a success: it
//! sweeps the list once for each chunk size.
//!
//! Guarantee: none by itself; repeated to the fixed point the result is 1-minimal. Where the
//! elements do not depend on each other one pass is 1-minimal already. Cost: at most 2|c| tests.
//!
//! The sweep runs from the last element to the first: a use comes after its definition, and can be removed
//! without it, but not the other way round.

use crate::search::{Answer, Search, Subset};

/// Minimises an interesting configuration in one pass.
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

/// The subsets that are tried if none is interesting.
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

    /// This chunk and all later ones, in a list of this length.
    fn sweep(self, len: usize) -> impl Iterator<Item = Chunk> {
        std::iter::successors(self.present(len), move |chunk| chunk.next().present(len))
    }

    /// This chunk, or the last chunk of half the size if the sweep has reached its end.
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
