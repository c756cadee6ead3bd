//! The minimising delta debugging algorithm.
//!
//! A. Zeller and R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 2002,
//! in the formulation of Figure 1 of R. Hodován and Á. Kiss's papers:
//!
//! ```text
//! ddmin2(c, n) = ddmin2(Δi, 2)               if some Δi is interesting   "reduce to subset"
//!                ddmin2(∇i, max(n − 1, 2))   else if some ∇i is          "reduce to complement"
//!                ddmin2(c, min(|c|, 2n))     else if n < |c|             "increase granularity"
//!                c                           otherwise                   "done"
//! ```
//!
//! Guarantee: the result is 1-minimal with respect to the answers of `Search::first`. The engine accepts only
//! candidates that are smaller in the order of results, which counts tokens first: it keeps the quotes of
//! `"a b"`, one token, though `a b` has fewer bytes.
//!
//! Cost: about 2·log₂|c| tests if one element is enough, at worst |c|² + 3|c|.
//!
//! Departure: the three cases are one stream, from Δ1 at granularity n to ∇|c| at granularity |c|,
//! since "increase granularity" only says what is tried next if everything before failed. The order and
//! the results are the same.

use std::ops::Range;

use crate::search::{Answer, Search, Subset};

/// Choices that the figure leaves open, or that other tools make differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Whether subsets or complements are tried first at each granularity.
    pub order: Order,
    /// Where the complements of the next round start after one was found interesting.
    pub offset: Offset,
}

impl Manner {
    /// As the figure says.
    pub const FIGURE: Manner = Manner { order: Order::Subsets, offset: Offset::Restart };
    /// As picire does.
    pub const PICIRE: Manner = Manner { order: Order::Subsets, offset: Offset::Continue };
    /// As the paper on Pardis describes it.
    pub const PARDIS: Manner = Manner { order: Order::Complements, offset: Offset::Restart };
}

/// Which candidates are tried first at each granularity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// The subsets, as the figure says.
    Subsets,
    /// The complements. The complements of two halves are the halves, which are then not tried again.
    Complements,
}

/// Where the complements of the next round start after one was found interesting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Offset {
    /// With the first, as the figure says.
    Restart,
    /// After the one just removed, as picire does: those before it have just failed.
    Continue,
}

/// Minimises an interesting configuration.
pub fn ddmin(mut c: Subset, manner: Manner, search: &mut dyn Search<Subset>) -> Subset {
    let mut round = Round { n: 2, first: 0 };
    while c.len() >= 2 {
        let attempts = || rounds(round, c.len()).flat_map(|round| round.attempts(manner.order));
        let mut candidates = attempts().map(|attempt| attempt.of(&c));
        let Answer::Found(index) = search.first(&mut candidates) else { break };
        let found = attempts().nth(index).expect("the index is one of the attempts");
        let smaller = found.of(&c);
        round = match found {
            Attempt::Subset { .. } => Round { n: 2, first: 0 },
            Attempt::Complement { i, n } => {
                // The part after part i now has number i; after the last part comes the first.
                let next = if manner.offset == Offset::Continue { i % (n - 1).max(1) } else { 0 };
                Round { n: (n - 1).max(2), first: next }
            }
        };
        c = smaller;
    }
    c
}

/// The subsets that are tried if none is interesting.
pub(crate) fn attempts(c: Subset, manner: Manner) -> impl Iterator<Item = Subset> {
    let all = (c.len() >= 2).then(|| rounds(Round { n: 2, first: 0 }, c.len()));
    let attempts = all.into_iter().flatten().flat_map(move |round| round.attempts(manner.order));
    attempts.map(move |attempt| attempt.of(&c))
}

/// One granularity: n parts, and the complement to begin with.
#[derive(Clone, Copy)]
struct Round {
    n: usize,
    first: usize,
}

impl Round {
    fn attempts(self, order: Order) -> impl Iterator<Item = Attempt> {
        let Round { n, first } = self;
        let subsets = (0..n).map(move |i| Attempt::Subset { i, n });
        let complements = (0..n).map(move |i| Attempt::Complement { i: (first + i) % n, n });
        let (early, late) = match order {
            Order::Subsets => (Some(subsets), None),
            Order::Complements => (None, Some(subsets).filter(|_| n > 2)),
        };
        early.into_iter().flatten().chain(complements).chain(late.into_iter().flatten())
    }
}

/// This granularity and all finer ones, up to single elements.
fn rounds(round: Round, len: usize) -> impl Iterator<Item = Round> {
    std::iter::successors(Some(round), move |&Round { n, first }| {
        let finer = len.min(2 * n);
        (n < len).then(|| Round { n: finer, first: first * finer / n })
    })
}

enum Attempt {
    Subset { i: usize, n: usize },
    Complement { i: usize, n: usize },
}

impl Attempt {
    fn of(&self, c: &Subset) -> Subset {
        match *self {
            Attempt::Subset { i, n } => c.only(part(i, n, c.len())),
            Attempt::Complement { i, n } => c.without(part(i, n, c.len())),
        }
    }
}

/// The ranks of the i-th of n parts of nearly equal size.
fn part(i: usize, n: usize, len: usize) -> Range<usize> {
    i * len / n..(i + 1) * len / n
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records the subsets that are tried, as strings of their elements.
    struct Recorder<F> {
        interesting: F,
        tried: Vec<String>,
    }

    impl<F: Fn(&str) -> bool> Search<Subset> for Recorder<F> {
        fn first_before(
            &mut self,
            candidates: &mut dyn Iterator<Item = Subset>,
            _: &mut dyn Iterator<Item = Subset>,
        ) -> Answer {
            let mut verdicts = candidates.map(|subset| {
                let text: String =
                    subset.iter().map(|element| char::from(b'a' + element as u8)).collect();
                self.tried.push(text.clone());
                (self.interesting)(&text)
            });
            verdicts.position(|it| it).map_or(Answer::Nothing, Answer::Found)
        }
    }

    fn trace(n: usize, manner: Manner, interesting: impl Fn(&str) -> bool) -> String {
        let mut recorder = Recorder { interesting, tried: Vec::new() };
        ddmin(Subset::all(n), manner, &mut recorder);
        recorder.tried.join(" ")
    }

    #[test]
    fn subsets_come_before_complements_and_granularity_doubles() {
        let trace = trace(4, Manner::FIGURE, |text| text == "abcd");
        assert_eq!(trace, "ab cd cd ab a b c d bcd acd abd abc");
    }

    #[test]
    fn complements_can_come_first_and_halves_are_not_tried_twice() {
        let trace = trace(4, Manner::PARDIS, |text| text == "abcd");
        assert_eq!(trace, "cd ab bcd acd abd abc a b c d");
    }

    #[test]
    fn a_subset_starts_again_with_two_parts() {
        let trace = trace(8, Manner::FIGURE, |text| text.contains('g'));
        assert_eq!(trace, "abcd efgh ef gh g");
    }

    #[test]
    fn a_complement_keeps_the_granularity() {
        let both = |text: &str| text.contains('a') && text.contains('d');
        assert_eq!(
            trace(4, Manner::FIGURE, both),
            "ab cd cd ab a b c d bcd acd a c d cd ad a d d a"
        );
    }

    #[test]
    fn the_offset_goes_on_behind_the_complement_that_was_removed() {
        // n = 8 single elements; b is removed first, then the figure starts again at a, picire at c.
        let keep = |text: &str| "acdefgh".chars().all(|c| text.contains(c)) || text == "acdefg";
        let first_after = |manner| {
            let trace = trace(8, manner, keep);
            let tail = trace.split("acdefgh ").nth(1).expect("b is removed").to_owned();
            tail.split(' ').nth(7).map(str::to_owned)
        };
        assert_eq!(first_after(Manner::FIGURE).as_deref(), Some("cdefgh"));
        assert_eq!(first_after(Manner::PICIRE).as_deref(), Some("adefgh"));
    }
}
