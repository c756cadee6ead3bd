//! Counter-based delta debugging.
//!
//! M. Zhang, Z. Xu, Y. Tian, X. Cheng, C. Sun, "Toward a Better Understanding of Probabilistic Delta Debugging", ICSE
//! 2025, first published as "Deep Dive into Probabilistic Delta Debugging: Insights and Simplifications" (2024). In
//! ProbDD, all remaining elements have about the same probability, and every round of failures multiplies it by the
//! same factor. So a counter of rounds replaces all probabilities:
//!
//! ```text
//! r ← 0
//! repeat
//!     s ← size(r)
//!     for each part of c of s elements
//!         if c without the part is interesting, remove the part
//!     r ← r + 1
//! until s = 1
//!
//! size(r) = ⌊−1 / ln(1 − pᵣ)⌋, at least 1, where pᵣ = p₀ / (1 − 1/e)ʳ
//! ```
//!
//! The size is the one whose expected gain s·(1 − pᵣ)ˢ is greatest. With p₀ = 0.1 the sizes are 9, 5, 3 and 1, whatever
//! the length of the list.
//!
//! Guarantee: none by itself; repeated to the fixed point the result is 1-minimal. Where the elements do not depend on
//! each other one run is 1-minimal already. Cost: at most about 1.7·|c| tests.
//!
//! Departures: the parts are taken from last to first, since a use comes after its definition. Perses' implementation
//! counts for each element by itself, and takes the best whole number as the size: 10, 6, 3, 2, 1.

use super::probdd::PRIOR;
use crate::search::{Answer, Search, Subset};

/// Minimises an interesting configuration.
pub fn cdd(mut c: Subset, search: &mut dyn Search<Subset>) -> Subset {
    let mut at = Part { r: 0, end: c.len() };
    loop {
        let mut candidates = at.and_later(c.len()).map(|part| part.removed_from(&c));
        let Answer::Found(index) = search.first(&mut candidates) else { return c };
        let removed = at.and_later(c.len()).nth(index).expect("the index is one of the parts");
        at = Part { end: removed.start(), ..removed };
        c = removed.removed_from(&c);
    }
}

/// About the probability that ProbDD gives to every element in round r.
fn p(r: i32) -> f64 {
    let factor = 1.0 - (-1_f64).exp();
    PRIOR / factor.powi(r)
}

/// The number of elements of a part in round r.
fn size(r: i32) -> usize {
    let p = p(r);
    // From p = 1 on, the logarithm is undefined: single elements.
    if p < 1.0 { ((-1.0 / (1.0 - p).ln()) as usize).max(1) } else { 1 }
}

/// The elements of ranks `start()..end`, in round r.
#[derive(Clone, Copy)]
struct Part {
    r: i32,
    end: usize,
}

impl Part {
    fn start(self) -> usize {
        self.end.saturating_sub(size(self.r))
    }

    fn removed_from(self, c: &Subset) -> Subset {
        c.without(self.start()..self.end)
    }

    /// This part and all later ones of this round and the next ones, in a list of this length.
    fn and_later(self, len: usize) -> impl Iterator<Item = Part> {
        let next = move |part: &Part| Part { end: part.start(), ..*part }.present(len);
        std::iter::successors(self.present(len), next)
    }

    /// This part, or the last one of the next round if this round has reached its end.
    fn present(self, len: usize) -> Option<Part> {
        if self.end > 0 {
            return Some(self);
        }
        (size(self.r) > 1 && len > 0).then_some(Part { r: self.r + 1, end: len })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Inline;

    #[test]
    fn the_sizes_of_the_rounds_are_those_of_the_greatest_expected_gain() {
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(size), [9, 5, 3, 1, 1, 1, 1]);
        for r in 0..5 {
            let p = p(r);
            let gain = |s: usize| s as f64 * (1.0 - p).powi(s as i32);
            let best = (1..20).map(gain).fold(0.0, f64::max);
            // The greatest gain is at a fraction, which is rounded down.
            assert!(gain(size(r)) >= best * 0.8 && best == gain(size(r)).max(gain(size(r) + 1)));
        }
    }

    #[test]
    fn parts_are_tried_from_last_to_first_in_four_rounds() {
        let mut tried = Vec::new();
        cdd(
            Subset::all(10),
            &mut Inline(|kept: &Subset| {
                tried.push(kept.gaps(10).next().unwrap());
                false
            }),
        );
        let first = [1..10, 0..1, 5..10, 0..5, 7..10, 4..7, 1..4, 0..1, 9..10, 8..9];
        assert_eq!(tried[..10], first);
        assert_eq!(tried.len(), 8 + 10);
    }

    #[test]
    fn it_ends_after_linearly_many_tests_when_all_is_needed() {
        for n in [1, 10, 100, 1000] {
            let mut tests = 0;
            let kept = cdd(
                Subset::all(n),
                &mut Inline(|_: &Subset| {
                    tests += 1;
                    false
                }),
            );
            assert_eq!(kept.len(), n);
            assert!(tests <= 17 * n / 10 + 4, "{tests} tests for {n} elements");
        }
    }
}
