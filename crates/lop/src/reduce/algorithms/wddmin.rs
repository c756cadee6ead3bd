//! Weighted minimising delta debugging.
//!
//! X. Zhou, Z. Xu, M. Zhang, Y. Tian, C. Sun, "WDD: Weighted Delta Debugging", ICSE 2025: Wddmin. Parts have about
//! the same weight instead of the same number of elements, since a heavy element is more likely to be needed: it is soon
//! alone, and light ones stay together.
//!
//! ```text
//! P ← [c]
//! while P is not empty
//!     P ← each part of P split in two of about the same weight; parts of one element are left out
//!     if some part p is interesting             c ← p; P ← [c]
//!     while c ∖ p is interesting for some p     c ← c ∖ p; P ← P without p
//! while c without some element is interesting, remove the element
//! ```
//!
//! The last line is needed since a part of one element is tried once, and later removals might have freed it.
//!
//! Guarantee: the result is 1-minimal, as for ddmin. Cost: at worst O(|c|²) tests. If one element is enough, about
//! 2·log₂(W / w), where W is the weight of the list and w that of the element.
//!
//! Departures: a part is split at the place that is nearest to half of its weight, at the first of two that are equally
//! near; the paper leaves ties open. After a complement the parts alone are not tried again, since they are the same
//! sets. As in `ddmin.rs`, all attempts up to the next success are one stream.

use std::ops::Range;
use std::rc::Rc;

use crate::search::{Answer, Search, Subset};

/// Minimises an interesting configuration. `weights` has the weight of each element of the whole list.
pub fn wddmin(mut c: Subset, weights: &[usize], search: &mut dyn Search<Subset>) -> Subset {
    let mut at = Stage::first(&Sums::of(&c, weights));
    while c.len() >= 2 {
        let sums = Sums::of(&c, weights);
        let attempts = || at.clone().and_later(&sums).flat_map(|stage| stage.attempts(c.len()));
        let mut candidates = attempts().map(|attempt| attempt.of(&c));
        let Answer::Found(index) = search.first(&mut candidates) else { break };
        let found = attempts().nth(index).expect("the index is one of the attempts");
        c = found.of(&c);
        at = found.next(&Sums::of(&c, weights));
    }
    c
}

/// The attempts at one granularity. A part is a range of ranks.
#[derive(Clone)]
enum Stage {
    /// Each part alone.
    Parts(Rc<[Range<usize>]>),
    /// The list without each part.
    Complements(Rc<[Range<usize>]>),
    /// The list without each element: the pass that makes the result 1-minimal.
    Elements,
}

impl Stage {
    /// The two halves of the whole list.
    fn first(sums: &Sums) -> Stage {
        let whole = 0..sums.len();
        Stage::Parts(sums.split(std::slice::from_ref(&whole)))
    }

    /// This stage and all later ones.
    fn and_later(self, sums: &Sums) -> impl Iterator<Item = Stage> + '_ {
        std::iter::successors(Some(self), |stage| match stage {
            Stage::Parts(parts) => Some(Stage::Complements(parts.clone())),
            Stage::Complements(parts) => {
                let finer = sums.split(parts);
                Some(if finer.is_empty() { Stage::Elements } else { Stage::Parts(finer) })
            }
            Stage::Elements => None,
        })
    }

    fn attempts(self, len: usize) -> impl Iterator<Item = Attempt> {
        let count = match &self {
            Stage::Parts(parts) | Stage::Complements(parts) => parts.len(),
            Stage::Elements => len,
        };
        (0..count).map(move |i| Attempt { stage: self.clone(), i })
    }
}

/// The i-th attempt of a stage.
struct Attempt {
    stage: Stage,
    i: usize,
}

impl Attempt {
    fn of(&self, c: &Subset) -> Subset {
        match &self.stage {
            Stage::Parts(parts) => c.only(parts[self.i].clone()),
            Stage::Complements(parts) => c.without(parts[self.i].clone()),
            Stage::Elements => c.without(self.i..self.i + 1),
        }
    }

    /// The stage that follows in the list to which the attempt led.
    fn next(self, sums: &Sums) -> Stage {
        match self.stage {
            Stage::Parts(_) => Stage::first(sums),
            Stage::Complements(parts) => {
                let (before, behind) = (&parts[..self.i], &parts[self.i + 1..]);
                // The ranks after the removed part have become smaller.
                let shift = parts[self.i].len();
                let behind = behind.iter().map(|part| part.start - shift..part.end - shift);
                Stage::Complements(before.iter().cloned().chain(behind).collect())
            }
            Stage::Elements => Stage::Elements,
        }
    }
}

/// The sum of the weights before each rank, and of all weights.
struct Sums(Vec<usize>);

impl Sums {
    fn of(c: &Subset, weights: &[usize]) -> Sums {
        let mut sum = 0;
        let up_to = c.iter().map(|element| {
            sum += weights[element];
            sum
        });
        Sums(std::iter::once(0).chain(up_to).collect())
    }

    /// The number of elements.
    fn len(&self) -> usize {
        self.0.len() - 1
    }

    /// The halves of the parts that have more than one element.
    fn split(&self, parts: &[Range<usize>]) -> Rc<[Range<usize>]> {
        let parts = parts.iter().filter(|part| part.len() > 1);
        let halves = parts.flat_map(|part| {
            let cut = self.middle(part);
            [part.start..cut, cut..part.end]
        });
        halves.collect()
    }

    /// The place in a part of several elements that is nearest to half of its weight.
    fn middle(&self, part: &Range<usize>) -> usize {
        let Sums(sums) = self;
        let twice_half = sums[part.start] + sums[part.end];
        let cuts = &sums[part.start + 1..part.end];
        let behind = cuts.partition_point(|sum| 2 * sum < twice_half).min(cuts.len() - 1);
        let distance = |cut: usize| (2 * cuts[cut]).abs_diff(twice_half);
        let before = behind.saturating_sub(1);
        part.start + 1 + if distance(before) <= distance(behind) { before } else { behind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Inline;

    /// The subsets that are tried, as strings of their elements.
    fn trace(weights: &[usize], interesting: impl Fn(&str) -> bool) -> String {
        let mut tried = Vec::new();
        let mut search = Inline(|subset: &Subset| {
            let text: String =
                subset.iter().map(|element| char::from(b'a' + element as u8)).collect();
            tried.push(text.clone());
            interesting(&text)
        });
        wddmin(Subset::all(weights.len()), weights, &mut search);
        tried.join(" ")
    }

    #[test]
    fn parts_have_about_the_same_weight() {
        let split = |weights: &[usize]| {
            let sums = Sums::of(&Subset::all(weights.len()), weights);
            sums.middle(&(0..weights.len()))
        };
        // An element with half of the weight is a part by itself.
        assert_eq!(split(&[50, 10, 10, 10, 10, 10]), 1);
        assert_eq!(split(&[10, 10, 10, 10, 10, 50]), 5);
        assert_eq!(split(&[1, 1, 1, 1]), 2);
        assert_eq!(split(&[1, 1, 1]), 1);
        assert_eq!(split(&[1, 9, 1]), 1);
        assert_eq!(split(&[1, 9]), 1);
        assert_eq!(split(&[1, 2, 3, 5, 10]), 4);
    }

    #[test]
    fn the_middle_is_the_nearest_place_of_all() {
        let mut random = lop_testing::random();
        for _ in 0..300 {
            let weights: Vec<usize> =
                (0..random.usize(2..20)).map(|_| random.usize(1..100)).collect();
            let sums = Sums::of(&Subset::all(weights.len()), &weights);
            let difference = |cut: usize| {
                let (left, right) = weights.split_at(cut);
                left.iter().sum::<usize>().abs_diff(right.iter().sum())
            };
            let nearest = (1..weights.len()).min_by_key(|cut| difference(*cut));
            assert_eq!(Some(sums.middle(&(0..weights.len()))), nearest, "{weights:?}");
        }
    }

    #[test]
    fn with_equal_weights_the_same_is_tried_as_in_ddmin_until_the_last_pass() {
        let trace = trace(&[1, 1, 1, 1], |text| text == "abcd");
        assert_eq!(trace, "ab cd cd ab a b c d bcd acd abd abc bcd acd abd abc");
    }

    #[test]
    fn a_heavy_element_is_found_at_once() {
        assert_eq!(trace(&[1, 1, 8, 1, 1], |text| text.contains('c')), "ab cde c");
        assert_eq!(trace(&[1, 1, 1, 1, 9], |text| text.contains('e')), "abcd e");
    }

    #[test]
    fn a_part_of_one_element_is_tried_again_only_at_the_end() {
        // a can be removed once d is, but a is a part by itself from the first split on.
        let interesting = |text: &str| {
            let has = |element: char| text.contains(element);
            has('b') && has('c') && (has('a') || !has('d'))
        };
        let trace = trace(&[9, 3, 3, 3], interesting);
        assert_eq!(trace, "a bcd bcd a b cd acd ab c d abd abc ab bc c b");
    }
}
