//! What is checked before a reduction starts: whether the question makes sense.
//!
//! The original must be interesting, three times in a row, and the empty file must not be.

use std::sync::Arc;
use std::thread;

use crate::candidate::{Candidate, Text};
use crate::oracle::{Cancel, Oracle, Reason, Verdict};

/// How often the original is judged.
pub const RUNS: usize = 3;

/// What the oracle says before anything is reduced.
#[derive(Debug)]
pub struct Preflight {
    /// Its verdicts on the original.
    pub original: Vec<Verdict>,
    /// Its verdict on the empty file.
    pub empty: Verdict,
}

/// What is wrong with a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The original is not interesting.
    Boring,
    /// The original's verdict is unknown.
    Unresolved(Reason),
    /// The original is interesting in some runs only.
    Flaky {
        /// In how many.
        interesting: usize,
    },
    /// The empty file is interesting too, so it is the answer.
    Trivial,
}

impl Preflight {
    /// Asks the oracle. `first` is a verdict on the original that is known already; the other
    /// questions are asked at the same time if there are workers enough.
    pub fn ask(
        oracle: &dyn Oracle,
        input: &Text,
        first: Option<Verdict>,
        workers: usize,
        stop: &Cancel,
    ) -> Self {
        let original = Candidate::whole(input);
        let empty = Candidate::whole(&Arc::default());
        let mut asked = vec![&original; RUNS - usize::from(first.is_some())];
        asked.push(&empty);
        let mut verdicts = Vec::new();
        for batch in asked.chunks(workers.max(1)) {
            verdicts.extend(thread::scope(|scope| {
                let ask = |(slot, candidate)| scope.spawn(move || oracle.judge(slot, candidate, stop));
                let threads: Vec<_> = batch.iter().copied().enumerate().map(ask).collect();
                let join = |thread: thread::ScopedJoinHandle<'_, Verdict>| thread.join();
                threads.into_iter().map(join).map(|it| it.expect("no oracle panics")).collect::<Vec<_>>()
            }));
        }
        let empty = verdicts.pop().expect("the empty file was asked about");
        Preflight { original: first.into_iter().chain(verdicts).collect(), empty }
    }

    /// What is wrong, the most fundamental first.
    pub fn wrong(&self) -> Option<Wrong> {
        let unresolved = self.original.iter().find_map(|verdict| match verdict {
            Verdict::Unresolved(reason) => Some(reason.clone()),
            _ => None,
        });
        let interesting =
            self.original.iter().filter(|verdict| **verdict == Verdict::Interesting).count();
        match (interesting, unresolved) {
            (0, Some(reason)) => Some(Wrong::Unresolved(reason)),
            (0, None) => Some(Wrong::Boring),
            (some, _) if some < self.original.len() => Some(Wrong::Flaky { interesting }),
            _ if self.empty == Verdict::Interesting => Some(Wrong::Trivial),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn wrong(oracle: impl Fn(&[u8]) -> bool + Send + Sync) -> Option<Wrong> {
        let input: Text = Arc::new(b"input".to_vec());
        Preflight::ask(&oracle, &input, None, 1, &Cancel::default()).wrong()
    }

    #[test]
    fn a_good_question_has_nothing_wrong() {
        assert_eq!(wrong(|text| text.contains(&b'p')), None);
    }

    #[test]
    fn a_boring_original_a_flaky_test_and_a_trivial_question_are_noticed() {
        assert_eq!(wrong(|_| false), Some(Wrong::Boring));
        assert_eq!(wrong(|_| true), Some(Wrong::Trivial));
        let asked = AtomicUsize::new(0);
        let every_other = move |_: &[u8]| asked.fetch_add(1, Ordering::SeqCst).is_multiple_of(2);
        assert_eq!(wrong(every_other), Some(Wrong::Flaky { interesting: 2 }));
    }

    #[test]
    fn a_verdict_that_is_known_is_not_asked_for_again() {
        let asked = AtomicUsize::new(0);
        let oracle = |text: &[u8]| {
            asked.fetch_add(1, Ordering::SeqCst);
            !text.is_empty()
        };
        let input: Text = Arc::new(b"input".to_vec());
        let preflight =
            Preflight::ask(&oracle, &input, Some(Verdict::Interesting), 4, &Cancel::default());
        assert_eq!(preflight.original.len(), RUNS);
        assert_eq!(asked.load(Ordering::SeqCst), RUNS);
        assert_eq!(preflight.wrong(), None);
    }
}
