//! The search of all passes: which of many proposals can be accepted together?
//!
//! Proposals are asked about one after the other, each on top of those that were accepted; where one of
//! several for the same place is accepted, the others are passed over. Where many in a row are accepted, ever
//! longer runs of them are asked about at once: a thousand that all succeed cost ten tests, and a thousand that
//! all fail a thousand.
//!
//! Cost: at most one test for each proposal, one for all of them together, and two for each run of
//! accepted ones.

use std::collections::HashSet;

use crate::search::Search;

/// How many in a row must have been accepted before several are asked about at once.
const GALLOP: usize = 2;

/// The proposals that were accepted, by their numbers. `groups` has, for each of them, the place that it is for.
/// If it is said so, all of them together are tried first.
pub fn sweep(groups: &[u32], together: bool, search: &mut dyn Search<Vec<usize>>) -> Vec<usize> {
    let count = groups.len();
    let mut accepted: Vec<usize> = Vec::new();
    if together && count > 1 {
        let mut all = std::iter::once((0..count).collect());
        if let Some((_, all)) = search.first(&mut all) {
            return all;
        }
    }
    let (mut at, mut in_a_row) = (0, 0_usize);
    loop {
        let gone: HashSet<u32> = accepted.iter().map(|index| groups[*index]).collect();
        let left: Vec<usize> = (at..count).filter(|it| !gone.contains(&groups[*it])).collect();
        let with = |more: &[usize]| [&accepted, more].concat();
        let length = 1 << (in_a_row + 1).saturating_sub(GALLOP).min(16);
        let mut seen = HashSet::new();
        let mut firsts = left.iter().copied().filter(|it| seen.insert(groups[*it]));
        let run: Vec<usize> = firsts.by_ref().take(length).collect();
        if length > 1 && run.len() > 1 {
            match search.first(&mut std::iter::once(with(&run))) {
                Some((_, more)) => {
                    at = run[run.len() - 1] + 1;
                    accepted = more;
                    in_a_row += 1;
                }
                None => in_a_row = 0,
            }
            continue;
        }
        let mut singles = left.iter().map(|index| with(&[*index]));
        let Some((index, more)) = search.first(&mut singles) else { return accepted };
        in_a_row = if index == 0 { in_a_row + 1 } else { 1 };
        at = left[index] + 1;
        accepted = more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Inline;

    fn places(count: usize) -> Vec<u32> {
        (0..count as u32).collect()
    }

    #[test]
    fn all_that_can_be_accepted_alone_are_accepted_together() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..100 {
            let count = random.usize(..60);
            let good: Vec<bool> = (0..count).map(|_| random.bool()).collect();
            let mut tests = 0;
            let mut search = Inline(|taken: &Vec<usize>| {
                tests += 1;
                taken.iter().all(|index| good[*index])
            });
            let accepted = sweep(&places(count), random.bool(), &mut search);
            let expected: Vec<usize> = (0..count).filter(|index| good[*index]).collect();
            assert_eq!(accepted, expected);
            let runs = good.chunk_by(|left, right| left == right).count();
            assert!(tests <= count + runs + 1, "{tests} tests for {count}");
        }
    }

    #[test]
    fn many_that_all_succeed_cost_few_tests() {
        let mut tests = 0;
        let mut search = Inline(|_: &Vec<usize>| {
            tests += 1;
            true
        });
        assert_eq!(sweep(&places(1000), false, &mut search).len(), 1000);
        assert!(tests <= 12, "{tests}");
    }

    #[test]
    fn of_several_for_the_same_place_one_is_accepted() {
        let mut search = Inline(|taken: &Vec<usize>| !taken.contains(&0));
        assert_eq!(sweep(&[7, 7, 7, 8, 8], false, &mut search), [1, 3]);
    }
}
