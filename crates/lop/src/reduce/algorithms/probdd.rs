//! Probabilistic delta debugging.
//!
//! G. Wang, R. Shen, J. Chen, Y. Xiong, L. Zhang, "Probabilistic Delta Debugging", ESEC/FSE 2021.
//! Every element carries the probability that it is needed. Each test removes the set with the
//! greatest expected gain, |s|·Π(1 − pᵢ); a success removes it for good, a failure raises the
//! probabilities of its elements by Bayes' rule: pᵢ ← pᵢ / (1 − Π(1 − pⱼ)).
//!
//! Guarantee: none by itself (an element is kept for good once it failed alone, and a later removal
//! might have freed it); repeated to the fixed point the result is 1-minimal. Cost: O(|c|)
//! tests.
//!
//! The best set is always a prefix of the elements ordered by probability, and the gain rises
//! exactly as long as the next element's p < 1/(|s| + 1), so it is found without trying all
//! prefixes.
//!
//! Departure: the elements of equal probability are taken from last to first, since a use comes
//! after its definition; a seed other than 0 shuffles them instead.

use std::collections::BTreeSet;

use super::model::{Model, minimise, order};
use crate::search::{Search, Subset};

/// The initial probability: 0.1, as in the paper.
pub(super) const PRIOR: f64 = 0.1;

/// Minimises an interesting configuration.
pub fn probdd(c: Subset, seed: u64, search: &mut dyn Search<Subset>) -> Subset {
    let beliefs = Beliefs::new(&c, seed);
    minimise(c, beliefs, search)
}

/// The probability of each element that it is needed.
#[derive(Clone)]
struct Beliefs {
    /// (bits of p, place): ascending by probability, since positive floats order like their bits.
    believed: BTreeSet<(u64, usize)>,
    /// The element at each place of the tie-breaking order.
    order: std::rc::Rc<Vec<usize>>,
}

impl Beliefs {
    fn new(c: &Subset, seed: u64) -> Self {
        let order = order(c, seed);
        let believed = (0..order.len()).map(|place| (PRIOR.to_bits(), place)).collect();
        Beliefs { believed, order: order.into() }
    }
}

impl Model for Beliefs {
    type Removal = Vec<(u64, usize)>;

    /// The set whose removal has the greatest expected gain.
    fn best_removal(&self) -> Option<Vec<(u64, usize)>> {
        let mut set = Vec::new();
        for &(p, place) in &self.believed {
            if f64::from_bits(p) * (set.len() + 1) as f64 >= 1.0 {
                break;
            }
            set.push((p, place));
        }
        (!set.is_empty()).then_some(set)
    }

    fn elements(&self, set: &Self::Removal) -> Vec<usize> {
        let mut elements: Vec<usize> = set.iter().map(|(_, place)| self.order[*place]).collect();
        elements.sort_unstable();
        elements
    }

    fn failed(&mut self, set: &Self::Removal) {
        let none_needed: f64 = set.iter().map(|(p, _)| 1.0 - f64::from_bits(*p)).product();
        for entry in set {
            self.believed.remove(entry);
            // An element whose removal alone failed is needed: its probability is exactly 1, without rounding.
            let p =
                if set.len() == 1 { 1.0 } else { f64::from_bits(entry.0) / (1.0 - none_needed) };
            self.believed.insert((p.to_bits(), entry.1));
        }
    }

    fn succeeded(&mut self, set: &Self::Removal) {
        for entry in set {
            self.believed.remove(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Inline;

    #[test]
    fn the_first_removal_has_the_greatest_expected_gain() {
        let beliefs = Beliefs::new(&Subset::all(100), 0);
        let size = beliefs.best_removal().unwrap().len();
        let gain = |size: i32| f64::from(size) * (1.0 - PRIOR).powi(size);
        let best = (1..=100).map(gain).fold(0.0, f64::max);
        assert!((gain(size as i32) - best).abs() < 1e-9);
    }

    #[test]
    fn a_failure_raises_probabilities_by_bayes_rule() {
        let mut beliefs = Beliefs::new(&Subset::all(2), 0);
        let set = beliefs.best_removal().unwrap();
        assert_eq!(set.len(), 2);
        beliefs.failed(&set);
        let p = f64::from_bits(beliefs.believed.first().unwrap().0);
        assert!((p - 0.1 / (1.0 - 0.81)).abs() < 1e-12);
    }

    #[test]
    fn it_ends_after_linearly_many_tests_when_all_is_needed() {
        for n in [1, 10, 100, 1000] {
            let mut tests = 0;
            let kept = probdd(
                Subset::all(n),
                0,
                &mut Inline(|_: &Subset| {
                    tests += 1;
                    false
                }),
            );
            assert_eq!(kept.len(), n);
            assert!(tests <= 3 * n, "{tests} tests for {n} elements");
        }
    }
}
