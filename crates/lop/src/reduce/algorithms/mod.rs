//! Algorithms that minimise a list by asking which sublists are interesting.
//!
//! Each reads like its paper and knows nothing of processes, threads, clocks or files. The caller
//! decides what an element is: a line, a token, a byte, a node.
//!
//! Contract: an algorithm returns a subset that was found interesting, or its argument. Run
//! again on its own result it may find more, since it tries larger sets anew: the fixed point is
//! the strategy's `*`.

mod cdd;
pub(crate) mod ddmin;
mod elements;
mod exhaustive;
pub(crate) mod merge;
mod model;
pub(crate) mod opdd;
mod probdd;
mod wddmin;
mod windows;
mod wprobdd;

pub use cdd::cdd;
pub use ddmin::{Manner, Offset, Order, ddmin};
pub use elements::Elements;
pub use exhaustive::exhaustive;
pub use merge::merge;
pub use opdd::opdd;
pub use probdd::probdd;
pub use wddmin::wddmin;
pub use windows::windows;
pub use wprobdd::wprobdd;

use crate::search::{Subset, Survey};

/// A named algorithm over lists.
pub struct Algorithm {
    /// Its word in a strategy.
    pub name: &'static str,
    /// A line of help, with the source.
    pub about: &'static str,
    /// Minimises a list.
    pub run: fn(&Elements, &mut dyn Survey<Subset>) -> Subset,
}

/// All algorithms over lists.
pub const ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "ddmin",
        about: "minimising delta debugging (Zeller and Hildebrandt 2002)",
        run: |list, search| ddmin(list.all(), Manner::FIGURE, search),
    },
    Algorithm {
        name: "ddmin-offset",
        about: "ddmin that continues behind the last removed complement (picire)",
        run: |list, search| ddmin(list.all(), Manner::PICIRE, search),
    },
    Algorithm {
        name: "wddmin",
        about: "ddmin with parts of the same weight instead of the same length (Zhou et al. 2025)",
        run: |list, search| wddmin(list.all(), &list.weights(), search),
    },
    Algorithm {
        name: "opdd",
        about: "one pass over ever smaller chunks, last first (Gharachorlu and Sumner 2018)",
        run: |list, search| opdd(list.all(), search),
    },
    Algorithm {
        name: "probdd",
        about: "probabilistic delta debugging (Wang et al. 2021)",
        run: |list, search| probdd(list.all(), list.seed(), search),
    },
    Algorithm {
        name: "wprobdd",
        about: "probdd that expects to gain weight instead of elements (Zhou et al. 2025)",
        run: |list, search| wprobdd(list.all(), &list.weights(), list.seed(), search),
    },
    Algorithm {
        name: "cdd",
        about: "counter-based delta debugging: probdd with a counter of rounds (Zhang et al. 2025)",
        run: |list, search| cdd(list.all(), search),
    },
    Algorithm {
        name: "merge",
        about: "each element by itself, then as many of these as possible together",
        run: |list, search| merge(list.all(), search),
    },
    Algorithm {
        name: "windows",
        about: "every run of up to eight neighbours (Xu et al. 2023)",
        run: |list, search| windows(list.all(), 8, search),
    },
    Algorithm {
        name: "exhaustive",
        about: "every set of elements among six neighbours (Xu et al. 2023)",
        run: |list, search| exhaustive(list.all(), 6, search),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Inline;

    /// A random problem: some elements must stay, and some only together with others.
    fn random_problem(random: &mut fastrand::Rng) -> (usize, impl Fn(&Subset) -> bool + use<>) {
        let n = random.usize(1..80);
        let needed: Vec<usize> = (0..n).filter(|_| random.u8(..10) == 0).collect();
        let implied: Vec<(usize, usize)> =
            (0..n / 4).map(|_| (random.usize(..n), random.usize(..n))).collect();
        let interesting = move |subset: &Subset| {
            let kept: Vec<usize> = subset.iter().collect();
            let has = |element: &usize| kept.binary_search(element).is_ok();
            needed.iter().all(has) && implied.iter().all(|(a, b)| !has(a) || has(b))
        };
        (n, interesting)
    }

    /// Weights, most of them small.
    fn random_weights(n: usize, random: &mut fastrand::Rng) -> Vec<usize> {
        let weight = |_| {
            let bits = random.u8(..10);
            random.usize(1..=1 << bits)
        };
        (0..n).map(weight).collect()
    }

    #[test]
    fn every_algorithm_returns_an_interesting_subset_and_each_accepted_one_was_interesting() {
        let seed = lop_testing::seed();
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..100 {
            let (n, interesting) = random_problem(&mut random);
            let weights = random_weights(n, &mut random);
            let weight = |element: usize| weights[element];
            let elements = Elements::new(n).weighing(&weight).seeded(seed);
            for algorithm in ALGORITHMS {
                let result = (algorithm.run)(&elements, &mut Inline(&interesting));
                assert!(interesting(&result), "{}", algorithm.name);
            }
        }
    }

    #[test]
    fn ddmin_and_wddmin_are_one_minimal() {
        let mut random = lop_testing::random();
        for _ in 0..100 {
            let (n, interesting) = random_problem(&mut random);
            let weights = random_weights(n, &mut random);
            let mut search = Inline(&interesting);
            let manners = [Manner::FIGURE, Manner::PICIRE, Manner::PARDIS];
            let results = manners.map(|manner| ddmin(Subset::all(n), manner, &mut search));
            let weighted = wddmin(Subset::all(n), &weights, &mut search);
            for result in results.into_iter().chain([weighted]) {
                if result.len() > 1 {
                    for rank in 0..result.len() {
                        assert!(!interesting(&result.without(rank..rank + 1)));
                    }
                }
            }
        }
    }

    #[test]
    fn independent_elements_are_found_exactly_by_every_algorithm() {
        let needed = [3, 17, 18, 64, 99];
        let interesting = |subset: &Subset| {
            let kept: Vec<usize> = subset.iter().collect();
            needed.iter().all(|element| kept.contains(element))
        };
        // Exhaustive deletion leaves single elements to other algorithms.
        for algorithm in ALGORITHMS.iter().filter(|each| each.name != "exhaustive") {
            let result = (algorithm.run)(&Elements::new(100), &mut Inline(interesting));
            assert_eq!(result.iter().collect::<Vec<_>>(), needed, "{}", algorithm.name);
        }
    }

    #[test]
    fn nothing_and_a_single_element_are_left_to_the_caller_or_answered() {
        for Algorithm { name, run, .. } in ALGORITHMS {
            let run = |n: usize, is_interesting: &dyn Fn(&Subset) -> bool| {
                let mut accepted = Vec::new();
                let mut search = Inline(|subset: &Subset| {
                    let is_interesting = is_interesting(subset);
                    accepted.extend(is_interesting.then(|| subset.clone()));
                    is_interesting
                });
                (run(&Elements::new(n), &mut search), accepted)
            };
            assert!(run(0, &|_| true).0.is_empty(), "{name}");
            let (needed, _) = run(1, &|subset| subset.len() == 1);
            assert_eq!(needed, Subset::all(1), "{name}");
            // An algorithm that removes the element must have tried that.
            let (left, accepted) = run(1, &|_| true);
            assert!(left == Subset::all(1) || accepted.contains(&left), "{name}");
        }
    }
}
