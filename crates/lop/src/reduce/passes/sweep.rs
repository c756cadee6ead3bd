//! The search of all passes: which of many proposals can be accepted together?
//!
//! The sweep tries proposals one after the other, each on top of the accepted ones; where one of
//! several for the same place is accepted, the others are skipped. While they fail, all workers are
//! busy with the next ones. Once one is accepted, the next ones may be, too: the sweep tries ever more of them
//! at once, so a thousand that all succeed cost ten tests. If several fail together, each of them is tried by itself,
//! by all workers at the same time, and those that succeed are *merged*: all together, or half of them, and so on.
//!
//! Cost: at most one test for each proposal, and a few for each run of accepted ones. The answer depends on the
//! proposals only, not on the number of workers.

use std::collections::HashSet;

use crate::reduce::algorithms::merge::together;
use crate::search::{Answer, Survey};

/// The most proposals that are tried one by one at the same time.
const LONGEST: usize = 32;

/// The accepted proposals, by their numbers. `groups` has the place of each proposal.
/// With `all_first`, all of them together are tried first.
pub fn sweep(groups: &[u32], all_first: bool, search: &mut dyn Survey<Vec<usize>>) -> Vec<usize> {
    let mut sweep = Sweep { groups, accepted: Vec::new(), search };
    let all = sweep.left(0);
    if all_first && all.len() > 1 && sweep.take(&sweep.one_for_each_place(&all)) {
        return sweep.accepted;
    }
    let (mut at, mut width) = (0, 1);
    loop {
        let left = sweep.left(at);
        if width == 1 {
            let accepted = sweep.accepted.clone();
            let mut singles = left.iter().map(|index| [&accepted[..], &[*index]].concat());
            let Answer::Found(index) = sweep.search.first(&mut singles) else {
                return sweep.accepted;
            };
            (at, width) = (left[index] + 1, 2);
            sweep.accepted.push(left[index]);
            continue;
        }
        let run = &left[..left.len().min(width)];
        let Some(last) = run.last() else { return sweep.accepted };
        at = last + 1;
        if sweep.take(&sweep.one_for_each_place(run)) {
            // As long as all succeed, there is no limit.
            width *= 2;
            continue;
        }
        // Many that failed together may be too many to try one by one.
        let run = &run[..run.len().min(LONGEST)];
        at = run[run.len() - 1] + 1;
        let alone = run.iter().map(|index| sweep.with(&[*index])).collect();
        let verdicts = sweep.search.each(alone);
        let good: Vec<usize> =
            run.iter().zip(verdicts).filter(|(_, good)| *good).map(|(index, _)| *index).collect();
        // If few succeed, we go back to searching for the first that does; else we merge larger runs.
        width = if 4 * good.len() < run.len() { 1 } else { (2 * run.len()).min(LONGEST) };
        sweep.merge(&sweep.one_for_each_place(&good));
    }
}

struct Sweep<'s> {
    groups: &'s [u32],
    accepted: Vec<usize>,
    search: &'s mut dyn Survey<Vec<usize>>,
}

impl Sweep<'_> {
    /// The proposals from a number on whose places have no accepted one yet.
    fn left(&self, at: usize) -> Vec<usize> {
        let gone: HashSet<u32> = self.accepted.iter().map(|index| self.groups[*index]).collect();
        (at..self.groups.len()).filter(|index| !gone.contains(&self.groups[*index])).collect()
    }

    fn one_for_each_place(&self, some: &[usize]) -> Vec<usize> {
        let mut seen = HashSet::new();
        some.iter().copied().filter(|index| seen.insert(self.groups[*index])).collect()
    }

    fn with(&self, more: &[usize]) -> Vec<usize> {
        [&self.accepted, more].concat()
    }

    /// Accepts some proposals if they succeed together.
    fn take(&mut self, more: &[usize]) -> bool {
        let is_accepted = self.search.accepts(self.with(more));
        if is_accepted {
            self.accepted.extend(more);
        }
        is_accepted
    }

    /// Accepts as many as possible of some proposals that succeed alone.
    fn merge(&mut self, good: &[usize]) {
        let accepted = std::mem::take(&mut self.accepted);
        let with = |accepted: &Vec<usize>, more: &[usize]| [accepted, more].concat();
        self.accepted = together(good, with, accepted, self.search);
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
        let mut random = lop_testing::random();
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
            // Half of them succeed, so many are merged; that costs at most half as many tests more.
            assert!(2 * tests <= 3 * count + 16, "{tests} tests for {count}");
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
    fn many_that_all_fail_cost_a_test_each() {
        let mut tests = 0;
        let mut search = Inline(|_: &Vec<usize>| {
            tests += 1;
            false
        });
        assert!(sweep(&places(1000), false, &mut search).is_empty());
        assert_eq!(tests, 1000);
    }

    #[test]
    fn those_that_do_not_go_together_are_merged_as_far_as_they_do() {
        // Of each pair of neighbours, only one may be accepted.
        let fits =
            |taken: &Vec<usize>| !taken.iter().any(|it| it % 2 == 0 && taken.contains(&(it + 1)));
        let accepted = sweep(&places(64), false, &mut Inline(fits));
        assert_eq!(accepted.len(), 32);
        assert!(fits(&accepted));
    }

    #[test]
    fn of_several_for_the_same_place_one_is_accepted() {
        let mut search = Inline(|taken: &Vec<usize>| !taken.contains(&0));
        assert_eq!(sweep(&[7, 7, 7, 8, 8], false, &mut search), [1, 3]);
    }
}
