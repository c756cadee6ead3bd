//! The search of all passes: which of many proposals can be accepted together?
//!
//! The sweep tries proposals one after the other, each on top of the accepted ones; once one of several for the same
//! place is accepted, the others are skipped. While they fail, all workers are busy with the next ones. Once one is
//! accepted, the next ones are likely to be: the sweep tries ever more of them together, so a thousand that all succeed
//! cost ten tests. If several fail together, each of them is tried by itself, by all workers at the same time, and
//! those that succeed are *merged*: all together, or half of them, and so on.
//!
//! The sweep requests a proposal only when it tries it, so passes need not make those after the last test.
//!
//! Cost: at most one test for each proposal, and a few for each run of accepted ones. The answer depends on the
//! proposals only, not on the number of workers.

use std::collections::HashSet;

use crate::reduce::algorithms::merge::together;
use crate::search::Survey;

/// The most proposals that are tried one by one at the same time.
const LONGEST: usize = 32;

/// The accepted proposals, by their numbers. `places` has the place of each proposal; it has none for the number after
/// the last one. With `all_first`, all of them together are tried first.
pub fn sweep(
    places: &dyn Fn(usize) -> Option<u32>,
    all_first: bool,
    search: &mut dyn Survey<Vec<usize>>,
) -> Vec<usize> {
    let mut sweep = Sweep { places, accepted: Vec::new(), gone: HashSet::new(), search };
    if all_first {
        let all: Vec<usize> = sweep.left(0).collect();
        let all = sweep.one_for_each_place(all.into_iter());
        if all.len() > 1 && sweep.take(&all, vec![]) {
            return sweep.accepted;
        }
    }
    let (mut at, mut width) = (0, 1);
    loop {
        if width == 1 {
            let Some(found) = sweep.first(at) else { return sweep.accepted };
            (at, width) = (found + 1, 2);
            sweep.accept(sweep.with(&[found]));
            continue;
        }
        let run: Vec<usize> = sweep.left(at).take(width).collect();
        let Some(last) = run.last() else { return sweep.accepted };
        at = last + 1;
        let together = sweep.one_for_each_place(run.iter().copied());
        let further =
            sweep.one_for_each_place(run.iter().copied().chain(sweep.left(at).take(2 * width)));
        let alone = run.iter().take(LONGEST).map(|index| vec![*index]);
        if sweep.take(&together, std::iter::once(further).chain(alone).collect()) {
            // As long as all succeed, there is no limit.
            width *= 2;
            continue;
        }
        // If many failed together, there may be too many to try one by one.
        let run = &run[..run.len().min(LONGEST)];
        at = run[run.len() - 1] + 1;
        let alone = run.iter().map(|index| sweep.with(&[*index])).collect();
        let verdicts = sweep.search.each(alone);
        let good: Vec<usize> =
            run.iter().zip(verdicts).filter(|(_, good)| *good).map(|(index, _)| *index).collect();
        // If few succeed, the sweep searches for the first that does; else it merges larger runs.
        width = if 4 * good.len() < run.len() { 1 } else { (2 * run.len()).min(LONGEST) };
        sweep.merge(&sweep.one_for_each_place(good.into_iter()));
    }
}

type Places<'s> = &'s dyn Fn(usize) -> Option<u32>;

struct Sweep<'s> {
    places: Places<'s>,
    accepted: Vec<usize>,
    /// The places that have an accepted proposal.
    gone: HashSet<u32>,
    search: &'s mut dyn Survey<Vec<usize>>,
}

impl Sweep<'_> {
    /// The proposals from a number on whose places have no accepted one yet.
    fn left(&self, at: usize) -> impl Iterator<Item = usize> + use<'_> {
        left(self.places, &self.gone, at)
    }

    /// The first of them that succeeds on top of the accepted ones.
    fn first(&mut self, at: usize) -> Option<usize> {
        let Sweep { places, accepted, gone, search } = self;
        let mut asked = Vec::new();
        let singles = left(*places, gone, at).inspect(|index| asked.push(*index));
        let mut singles = singles.map(|index| [&accepted[..], &[index]].concat());
        let found = search.first(&mut singles).found()?;
        drop(singles);
        Some(asked[found])
    }

    fn one_for_each_place(&self, some: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut seen = HashSet::new();
        some.filter(|index| seen.insert((self.places)(*index))).collect()
    }

    fn with(&self, more: &[usize]) -> Vec<usize> {
        [&self.accepted, more].concat()
    }

    /// Accepts some proposals if they succeed together; `next` are those that are likely to be tried next, alone or
    /// together.
    fn take(&mut self, more: &[usize], next: Vec<Vec<usize>>) -> bool {
        let mut next = next.into_iter().map(|next| [&self.accepted[..], &next].concat());
        let mut candidate = std::iter::once([&self.accepted[..], more].concat());
        let is_accepted = self.search.first_before(&mut candidate, &mut next).found().is_some();
        if is_accepted {
            self.accept(self.with(more));
        }
        is_accepted
    }

    fn accept(&mut self, accepted: Vec<usize>) {
        let new = &accepted[self.accepted.len()..];
        self.gone.extend(new.iter().filter_map(|index| (self.places)(*index)));
        self.accepted = accepted;
    }

    /// Accepts as many as possible of some proposals that each succeed alone.
    fn merge(&mut self, good: &[usize]) {
        let with = |accepted: &Vec<usize>, more: &[usize]| [accepted, more].concat();
        let accepted = together(good, with, self.accepted.clone(), self.search);
        self.accept(accepted);
    }
}

fn left<'s>(
    places: Places<'s>,
    gone: &'s HashSet<u32>,
    at: usize,
) -> impl Iterator<Item = usize> + use<'s> {
    let numbers = (at..).map_while(move |index| Some((index, places(index)?)));
    numbers.filter(|(_, place)| !gone.contains(place)).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::search::{Answer, Inline, Search};

    /// Each of some proposals has a place of its own.
    fn places(count: usize) -> impl Fn(usize) -> Option<u32> {
        move |number| (number < count).then_some(number as u32)
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
            // Half of them succeed, so many are merged; that costs at most half as many additional tests.
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
        assert_eq!(
            sweep(&|number| [7, 7, 7, 8, 8].get(number).copied(), false, &mut search),
            [1, 3]
        );
    }

    #[test]
    fn proposals_are_looked_at_when_they_are_tried() {
        let (looked_at, tests) = (Cell::new(0), Cell::new(0));
        let places = |number: usize| {
            looked_at.set(looked_at.get().max(number + 1));
            Some(number as u32)
        };
        let mut search = Stopping { tests: &tests, after: 10 };
        assert!(sweep(&places, false, &mut search).is_empty());
        assert_eq!((tests.get(), looked_at.get()), (10, 10));
    }

    /// A search in which everything fails, and which ends after some tests.
    struct Stopping<'t> {
        tests: &'t Cell<usize>,
        after: usize,
    }

    impl Search<Vec<usize>> for Stopping<'_> {
        fn first_before(
            &mut self,
            candidates: &mut dyn Iterator<Item = Vec<usize>>,
            _next: &mut dyn Iterator<Item = Vec<usize>>,
        ) -> Answer {
            self.tests.set(self.tests.get() + candidates.take(self.after).count());
            Answer::Stop
        }
    }

    impl Survey<Vec<usize>> for Stopping<'_> {
        fn each(&mut self, candidates: Vec<Vec<usize>>) -> Vec<bool> {
            vec![false; candidates.len()]
        }
    }
}
