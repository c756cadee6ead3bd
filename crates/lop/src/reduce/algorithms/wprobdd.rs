//! Weighted probabilistic delta debugging.
//!
//! X. Zhou, Z. Xu, M. Zhang, Y. Tian, C. Sun, "WDD: Weighted Delta Debugging", ICSE 2025: WProbDD. As in ProbDD, every
//! element carries the probability that it is needed, and a failure raises it by Bayes' rule: pᵢ ← pᵢ / (1 − Π(1 −
//! pⱼ)). The gain of a removal is its weight instead of its number of elements:
//!
//! ```text
//! order the elements by their own expected gain, wᵢ·(1 − pᵢ), greatest first
//! remove the prefix s that has the greatest expected gain, Σwᵢ · Π(1 − pᵢ)
//! ```
//!
//! So a heavy element is tried alone or with a few others, and light ones in large sets. If all weights are equal, this is
//! ProbDD.
//!
//! Guarantee: none by itself, as for ProbDD; repeated to the fixed point the result is 1-minimal. Cost: O(|c|) tests.
//!
//! Departures: elements of equal gain are taken from last to first; a seed other than 0 shuffles them. The initial
//! probability is 0.1 for every element, as in the artifact of the paper; later versions of Perses take 0.25 and stop
//! trying elements at 0.8, which isn't in the paper. The prefixes are not all tried: see `best_removal`.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::model::{Model, minimise, order};
use super::probdd::PRIOR;
use crate::search::{Search, Subset};

/// Minimises an interesting configuration. `weights` has the weight of each element of the whole list.
pub fn wprobdd(c: Subset, weights: &[usize], seed: u64, search: &mut dyn Search<Subset>) -> Subset {
    let beliefs = Beliefs::new(&c, weights, seed);
    minimise(c, beliefs, search)
}

/// The model's beliefs about all elements, the greatest own gain first.
#[derive(Clone)]
struct Beliefs {
    believed: BTreeSet<Belief>,
    /// The element at each place of the tie-breaking order, and its weight.
    order: Rc<Vec<(usize, f64)>>,
}

/// The model's beliefs about one element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Belief {
    /// The bits of its own expected gain: positive floats order like their bits.
    gain: Reverse<u64>,
    place: usize,
    /// The bits of the probability that it is needed.
    p: u64,
}

impl Belief {
    fn new(place: usize, weight: f64, p: f64) -> Self {
        let gain = weight * (1.0 - p);
        Belief { gain: Reverse(gain.to_bits()), place, p: p.to_bits() }
    }

    fn gain(&self) -> f64 {
        f64::from_bits(self.gain.0)
    }

    fn p(&self) -> f64 {
        f64::from_bits(self.p)
    }
}

impl Beliefs {
    fn new(c: &Subset, weights: &[usize], seed: u64) -> Self {
        let order = order(c, seed).into_iter().map(|element| (element, weights[element] as f64));
        let order: Vec<(usize, f64)> = order.collect();
        let belief =
            |(place, (_, weight)): (usize, &(usize, f64))| Belief::new(place, *weight, PRIOR);
        Beliefs { believed: order.iter().enumerate().map(belief).collect(), order: order.into() }
    }

    fn weight(&self, belief: &Belief) -> f64 {
        self.order[belief.place].1
    }
}

impl Model for Beliefs {
    type Removal = Vec<Belief>;

    /// The prefix with the greatest expected gain.
    fn best_removal(&self) -> Option<Vec<Belief>> {
        let mut set = Vec::new();
        let (mut weight, mut none_needed) = (0.0, 1.0);
        let (mut best_gain, mut best_len) = (0.0, 0);
        for belief in &self.believed {
            // One more element raises the gain if w·(1 − p) > p·Σw. Own gains only fall from here, the sum only rises,
            // and no p is below the initial one: so no longer prefix is better.
            if belief.gain() <= PRIOR * weight {
                break;
            }
            weight += self.weight(belief);
            none_needed *= 1.0 - belief.p();
            set.push(*belief);
            if weight * none_needed > best_gain {
                (best_gain, best_len) = (weight * none_needed, set.len());
            }
        }
        set.truncate(best_len);
        (!set.is_empty()).then_some(set)
    }

    fn elements(&self, set: &Vec<Belief>) -> Vec<usize> {
        let mut elements: Vec<usize> =
            set.iter().map(|belief| self.order[belief.place].0).collect();
        elements.sort_unstable();
        elements
    }

    fn failed(&mut self, set: &Vec<Belief>) {
        let none_needed: f64 = set.iter().map(|belief| 1.0 - belief.p()).product();
        for belief in set {
            self.believed.remove(belief);
            // An element whose removal alone failed is needed: its probability is exactly 1, without rounding.
            let p = if set.len() == 1 { 1.0 } else { belief.p() / (1.0 - none_needed) };
            self.believed.insert(Belief::new(belief.place, self.weight(belief), p));
        }
    }

    fn succeeded(&mut self, set: &Vec<Belief>) {
        for belief in set {
            self.believed.remove(belief);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::probdd;
    use super::*;
    use crate::search::Inline;

    /// The sets that are removed if every test fails, or until some number of them.
    fn removals(weights: &[usize], most: usize) -> Vec<Vec<usize>> {
        let mut beliefs = Beliefs::new(&Subset::all(weights.len()), weights, 0);
        let next = || {
            let set = beliefs.best_removal()?;
            beliefs.failed(&set);
            Some(beliefs.elements(&set))
        };
        std::iter::from_fn(next).take(most).collect()
    }

    #[test]
    fn the_prefix_has_the_greatest_expected_gain_of_all() {
        let mut random = lop_testing::random();
        for _ in 0..100 {
            let weights: Vec<usize> =
                (0..random.usize(1..40)).map(|_| 1 << random.u8(..9)).collect();
            let mut beliefs = Beliefs::new(&Subset::all(weights.len()), &weights, 0);
            while let Some(set) = beliefs.best_removal() {
                let gain = |beliefs: &Beliefs, len: usize| {
                    let prefix = || beliefs.believed.iter().take(len);
                    let weight: f64 = prefix().map(|belief| beliefs.weight(belief)).sum();
                    weight * prefix().map(|belief| 1.0 - belief.p()).product::<f64>()
                };
                let best = (1..=weights.len()).map(|len| gain(&beliefs, len)).fold(0.0, f64::max);
                assert!(gain(&beliefs, set.len()) >= best * (1.0 - 1e-12));
                beliefs.failed(&set);
            }
            assert!(beliefs.believed.iter().all(|belief| belief.p() == 1.0));
        }
    }

    #[test]
    fn a_heavy_element_is_tried_alone_and_light_ones_together() {
        // Half of the list is one element.
        let mut weights = vec![1; 50];
        weights[20] = 500;
        let removals = removals(&weights, 2);
        assert_eq!(removals[0], [20]);
        assert_eq!(removals[1].len(), 9);
    }

    #[test]
    fn with_equal_weights_it_is_probdd() {
        let mut random = lop_testing::random();
        for seed in 0..50 {
            let n = random.usize(1..100);
            let needed: Vec<usize> = (0..n).filter(|_| random.u8(..8) == 0).collect();
            let tests = |run: &dyn Fn(&mut dyn Search<Subset>) -> Subset| {
                let mut tests = Vec::new();
                run(&mut Inline(|kept: &Subset| {
                    tests.push(kept.clone());
                    needed.iter().all(|element| kept.iter().any(|kept| kept == *element))
                }));
                tests
            };
            let weighted = tests(&|search| wprobdd(Subset::all(n), &vec![1; n], seed, search));
            let plain = tests(&|search| probdd(Subset::all(n), seed, search));
            assert_eq!(weighted, plain);
        }
    }
}
