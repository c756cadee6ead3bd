//! A subset of the elements `0..n` of a list: the papers' *configuration*.
//!
//! Kept as maximal runs, so that the early candidates of a long list, which are a few long runs, cost next to nothing.
//! An element's *rank* is its position among the remaining elements.
//!
//! Invariant: the runs are ascending, not empty, and no two touch.

use std::ops::Range;

/// The remaining elements of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Subset {
    runs: Vec<Range<usize>>,
    len: usize,
}

impl Subset {
    /// All elements of a list of `n`.
    pub fn all(n: usize) -> Self {
        std::iter::once(0..n).collect()
    }

    /// The number of remaining elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no element remains.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The maximal runs of remaining elements.
    pub fn runs(&self) -> &[Range<usize>] {
        &self.runs
    }

    /// The maximal runs that are missing from a list of `n`.
    pub fn gaps(&self, n: usize) -> impl Iterator<Item = Range<usize>> + '_ {
        let starts = std::iter::once(0).chain(self.runs.iter().map(|run| run.end));
        let ends = self.runs.iter().map(|run| run.start).chain([n]);
        starts.zip(ends).map(|(start, end)| start..end).filter(|gap| !gap.is_empty())
    }

    /// The remaining elements.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.runs.iter().cloned().flatten()
    }

    /// Only the elements of these ranks.
    pub fn only(&self, ranks: Range<usize>) -> Subset {
        let mut rank = 0;
        self.runs
            .iter()
            .map(|run| {
                let (low, high) = (rank, rank + run.len());
                rank = high;
                let clip = |at: usize| run.start + at.clamp(low, high) - low;
                clip(ranks.start)..clip(ranks.end)
            })
            .collect()
    }

    /// All except the elements of these ranks.
    pub fn without(&self, ranks: Range<usize>) -> Subset {
        let (left, right) = (self.only(0..ranks.start), self.only(ranks.end..self.len));
        left.runs.into_iter().chain(right.runs).collect()
    }

    /// All except these elements, given in ascending order.
    pub fn without_elements(&self, elements: &[usize]) -> Subset {
        let mut elements = elements.iter().copied().peekable();
        let mut left = Subset::default();
        for run in &self.runs {
            let mut start = run.start;
            while let Some(element) = elements.next_if(|element| *element < run.end) {
                if element >= start {
                    left.push(start..element);
                    start = element + 1;
                }
            }
            left.push(start..run.end);
        }
        left
    }

    fn push(&mut self, run: Range<usize>) {
        if run.is_empty() {
            return;
        }
        self.len += run.len();
        match self.runs.last_mut() {
            Some(last) if last.end == run.start => last.end = run.end,
            _ => self.runs.push(run),
        }
    }
}

/// From ascending, disjoint runs, of which some may be empty or touch.
impl FromIterator<Range<usize>> for Subset {
    fn from_iter<I: IntoIterator<Item = Range<usize>>>(runs: I) -> Self {
        let mut subset = Subset::default();
        runs.into_iter().for_each(|run| subset.push(run));
        subset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(subset: &Subset) -> Vec<usize> {
        subset.iter().collect()
    }

    #[test]
    fn ranks_count_the_elements_that_are_left() {
        let subset: Subset = [2..4, 7..10].into_iter().collect();
        assert_eq!(elements(&subset.only(1..3)), [3, 7]);
        assert_eq!(elements(&subset.without(1..3)), [2, 8, 9]);
        assert_eq!(elements(&subset.only(0..5)), elements(&subset));
        assert!(subset.without(0..5).is_empty());
    }

    #[test]
    fn gaps_are_what_is_missing() {
        let subset: Subset = [2..4, 7..10].into_iter().collect();
        assert_eq!(subset.gaps(12).collect::<Vec<_>>(), [0..2, 4..7, 10..12]);
        assert_eq!(Subset::all(3).gaps(3).count(), 0);
        assert!(Subset::default().gaps(3).eq(std::iter::once(0..3)));
    }

    #[test]
    fn runs_that_touch_become_one() {
        let subset: Subset = [0..2, 2..4, 4..4, 5..6].into_iter().collect();
        assert_eq!(subset.runs(), [0..4, 5..6]);
        assert_eq!(subset.len(), 5);
    }

    #[test]
    fn subsets_agree_with_plain_lists_on_random_operations() {
        let mut random = lop_testing::random();
        for _ in 0..500 {
            let mut subset = Subset::all(random.usize(..40));
            let mut list = elements(&subset);
            for _ in 0..6 {
                let start = random.usize(..=list.len());
                let end = random.usize(start..=list.len());
                if random.bool() {
                    subset = subset.without(start..end);
                    list.drain(start..end);
                } else {
                    let gone: Vec<usize> = (0..40).filter(|_| random.u8(..5) == 0).collect();
                    subset = subset.without_elements(&gone);
                    list.retain(|element| !gone.contains(element));
                }
                assert_eq!(elements(&subset), list);
                assert_eq!(subset.len(), list.len());
                assert!(subset.runs().windows(2).all(|pair| pair[0].end < pair[1].start));
            }
        }
    }
}
