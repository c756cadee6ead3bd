//! The pace of a run, compared to the least that any run can do.
//!
//! Singling out k tokens of n takes at least log₂ C(n, k) yes/no answers, since fewer answers cannot distinguish all
//! possible results. A test is one answer.

use serde::Serialize;

use super::Improvement;

/// How many tests a run took to approach its result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Pace {
    /// The information bound: log₂ C(n, k), where n is the number of tokens before the run and k the number after it.
    pub bound: f64,
    /// Tests until it had at most twice the tokens of its result.
    pub twice: u64,
    /// Tests until it had at most 1.25 times the tokens of its result.
    pub near: u64,
    /// Tests until it had the tokens of its result.
    pub last: u64,
}

impl Pace {
    /// The pace of a run. If choices are reduced, they are counted instead of tokens.
    pub(crate) fn new(before: usize, improvements: &[Improvement]) -> Pace {
        let left = |improvement: &Improvement| improvement.choices.unwrap_or(improvement.tokens);
        let end = improvements.last().map_or(before, left);
        let until = |at_most: usize| {
            let found = improvements.iter().find(|improvement| left(improvement) <= at_most);
            found.filter(|_| before > at_most).map_or(0, |improvement| improvement.tests)
        };
        Pace {
            bound: Pace::least_tests(before, end),
            twice: until(2 * end),
            near: until(end * 5 / 4),
            last: until(end),
        }
    }

    /// A number of tests as a multiple of the bound; `None` if the bound is 0.
    pub fn ratio(&self, tests: u64) -> Option<f64> {
        (self.bound > 0.0).then(|| tests as f64 / self.bound)
    }

    /// The least number of tests that single out k of n elements, whatever the algorithm: log₂ C(n, k).
    pub fn least_tests(n: usize, k: usize) -> f64 {
        let (n, k) = (n as f64, k.min(n.saturating_sub(k)) as f64);
        let mut sum = 0.0;
        let mut i = 1.0;
        while i <= k {
            sum += ((n - k + i) / i).log2();
            i += 1.0;
        }
        (sum * 100.0).round() / 100.0
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_bound_is_the_logarithm_of_the_number_of_possible_results() {
        let least_tests = Pace::least_tests;
        // C(10, 3) is 120.
        assert!((least_tests(10, 3) - 120f64.log2()).abs() < 0.01);
        assert_eq!(least_tests(10, 7), least_tests(10, 3));
        assert_eq!([least_tests(8, 0), least_tests(8, 8), least_tests(5, 9)], [0.0; 3]);
        assert!((least_tests(100_000, 20) - 271.1).abs() < 0.1);
    }

    #[test]
    fn the_pace_tells_when_a_run_was_near_its_result() {
        let improvement = |(tests, tokens): (u64, usize)| Improvement {
            tests,
            elapsed: Duration::ZERO,
            tokens,
            choices: None,
        };
        let course = [(3, 50), (7, 25), (9, 16), (20, 12), (40, 12)].map(improvement);
        let pace = Pace::new(100, &course);
        assert_eq!([pace.twice, pace.near, pace.last], [9, 20, 20]);
        assert_eq!(pace.ratio(20), Some(20.0 / pace.bound));
        let idle = Pace::new(12, &[]);
        assert_eq!([idle.twice, idle.near, idle.last], [0, 0, 0]);
        assert_eq!(idle.ratio(5), None);
    }
}
