//! The number of tests of the list algorithms, compared with theory.
//!
//! `cargo bench --bench cost` prints a table for lists of n elements, of which k random ones are needed.
//! Theory for ddmin: at most 2·log₂ n tests for k = 1, and at most n² + 3n for any k. In between, the list is
//! halved log₂(n/k) times; each time ddmin removes about k parts one after the other, and for each of
//! them it runs up to 2k tests on parts that cannot be removed. So tests / (k²·log₂(n/k)) is a small
//! number that does not grow with n.

use std::collections::BTreeSet;

use lop::algorithms::{ALGORITHMS, Algorithm, Elements};
use lop::search::{Inline, Subset};

fn main() {
    let seed = 7;
    println!("tests without a cache, seed {seed}; in brackets: distinct tests");
    print!("{:>7} {:>5} {:>10}", "n", "k", "2·log₂ n");
    for algorithm in algorithms() {
        print!(" {:>18}", algorithm.name);
    }
    println!(" {:>22}", "ddmin / k²·log₂(n/k)");
    let mut random = fastrand::Rng::with_seed(seed);
    for exponent in 2..=5 {
        let n = 10usize.pow(exponent);
        for k in [1, 2, 5, 10, 20, 50] {
            let mut needed = BTreeSet::new();
            while needed.len() < k {
                needed.insert(random.usize(..n));
            }
            let needed: Vec<usize> = needed.into_iter().collect();
            print!("{n:>7} {k:>5} {:>10.1}", 2.0 * (n as f64).log2());
            let mut ratio = 0.0;
            for algorithm in algorithms() {
                let (mut tests, mut seen) = (0u64, std::collections::HashSet::new());
                let mut search = Inline(|subset: &Subset| {
                    tests += 1;
                    seen.insert(subset.clone());
                    has_all(subset, &needed)
                });
                let result = (algorithm.run)(&Elements::new(n), &mut search);
                assert_eq!(result.iter().collect::<Vec<_>>(), needed, "{}", algorithm.name);
                print!(" {:>18}", format!("{tests} ({})", seen.len()));
                if algorithm.name == "ddmin" {
                    let k = k as f64;
                    ratio = tests as f64 / (k * k * (n as f64 / k).log2());
                }
            }
            println!(" {ratio:>22.2}");
        }
    }
}

/// The algorithms that find the needed elements alone, in long lists: not those over windows, which follow others.
fn algorithms() -> impl Iterator<Item = &'static Algorithm> {
    ALGORITHMS.iter().filter(|algorithm| !["windows", "exhaustive"].contains(&algorithm.name))
}

/// Whether a subset contains all needed elements; both are in ascending order.
fn has_all(subset: &Subset, needed: &[usize]) -> bool {
    let mut runs = subset.runs().iter();
    let mut run = runs.next();
    needed.iter().all(|element| {
        while run.is_some_and(|run| run.end <= *element) {
            run = runs.next();
        }
        run.is_some_and(|run| run.contains(element))
    })
}
