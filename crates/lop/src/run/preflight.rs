//! The checks before a reduction starts: whether the question makes sense.
//!
//! The original must be interesting three times in a row, and the empty file must not be; for several files, neither no
//! files nor empty files may be.

use crate::oracle::{Oracle, Reason, Verdict};
use crate::search::{Cancel, pool};
use crate::text::{Bundle, Candidate, Text};

/// How often the original is judged.
pub const RUNS: usize = 3;

/// The oracle's verdicts before the reduction.
#[derive(Debug)]
#[non_exhaustive]
pub struct Preflight {
    /// Its verdicts on the original.
    pub original: Vec<Verdict>,
    /// Its verdict on the empty file. With several files: interesting if no files are, or if empty files are.
    pub empty: Verdict,
}

/// The combined verdict of several runs on the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// It is interesting.
    Interesting,
    /// It is not.
    Boring,
    /// At least one of them is unresolved.
    Unresolved(Reason),
    /// It is interesting in some runs only.
    Flaky {
        /// The number of those runs.
        interesting: usize,
    },
}

impl Preflight {
    /// Asks the oracle about an input, which is several files if there is a bundle. `first` is a verdict on the original that is known already; the other
    /// questions are asked at the same time if there are workers enough.
    pub fn ask(
        oracle: &dyn Oracle,
        input: &Text,
        bundle: Option<&Bundle>,
        first: Option<Verdict>,
        workers: usize,
        stop: &Cancel,
    ) -> Self {
        let original = Candidate::whole(input);
        let empty = match bundle {
            None => vec![Text::default()],
            Some(bundle) => bundle.emptied(input).into(),
        };
        let mut asked = vec![original.clone(); RUNS - usize::from(first.is_some())];
        let runs = asked.len();
        asked.extend(empty.iter().map(Candidate::whole));
        let judge = |slot: usize, candidate: &Candidate| oracle.judge(slot, candidate, stop);
        let broken = |panic: String| {
            Verdict::Unresolved(Reason::Broken(format!("the oracle panicked: {panic}")))
        };
        let judge_all = |asked: Vec<Candidate>| -> Vec<Verdict> {
            let verdicts = pool::all(asked, workers, judge).into_iter();
            verdicts.map(|verdict| verdict.unwrap_or_else(broken)).collect()
        };
        let mut verdicts = judge_all(asked);
        let mut empty = verdicts.split_off(runs);
        let interesting = empty.iter().position(|verdict| *verdict == Verdict::Interesting);
        let empty = empty.swap_remove(interesting.unwrap_or(0));
        let mut original_verdicts: Vec<Verdict> = first.into_iter().chain(verdicts).collect();
        // The limit follows from a first run that may have been fast by chance; now the machine may be slow.
        let is_late = |verdict: &Verdict| *verdict == Verdict::Unresolved(Reason::TimedOut);
        let late = original_verdicts.iter().filter(|verdict| is_late(verdict)).count();
        if late > 0 && oracle.set_longer_limit(true) {
            original_verdicts.retain(|verdict| !is_late(verdict));
            original_verdicts.extend(judge_all(vec![original; late]));
            oracle.set_longer_limit(false);
        }
        Preflight { original: original_verdicts, empty }
    }

    /// Whether the runs on the original agree.
    pub fn agreement(&self) -> Agreement {
        let unresolved = self.original.iter().find_map(|verdict| match verdict {
            Verdict::Unresolved(reason) => Some(reason.clone()),
            _ => None,
        });
        let interesting =
            self.original.iter().filter(|verdict| **verdict == Verdict::Interesting).count();
        match (interesting, unresolved) {
            (_, Some(reason)) => Agreement::Unresolved(reason),
            (0, None) => Agreement::Boring,
            (all, None) if all == self.original.len() => Agreement::Interesting,
            _ => Agreement::Flaky { interesting },
        }
    }

    /// Whether the empty file is also interesting, so that it is the answer.
    pub fn is_trivial(&self) -> bool {
        self.empty == Verdict::Interesting
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;
    use crate::text::{InputFile, Turn};

    fn ask(oracle: impl Fn(&[u8]) -> bool + Send + Sync) -> Preflight {
        let input: Text = Arc::new(b"input".to_vec());
        Preflight::ask(&oracle, &input, None, None, 1, &Cancel::default())
    }

    #[test]
    fn a_good_question_has_an_interesting_original_and_a_boring_empty_file() {
        let preflight = ask(|text| text.contains(&b'p'));
        assert_eq!(preflight.agreement(), Agreement::Interesting);
        assert!(!preflight.is_trivial());
    }

    #[test]
    fn a_boring_original_a_flaky_test_and_a_trivial_question_are_noticed() {
        assert_eq!(ask(|_| false).agreement(), Agreement::Boring);
        assert!(ask(|_| true).is_trivial());
        let asked = AtomicUsize::new(0);
        let every_other = move |_: &[u8]| asked.fetch_add(1, Ordering::SeqCst).is_multiple_of(2);
        assert_eq!(ask(every_other).agreement(), Agreement::Flaky { interesting: 2 });
    }

    #[test]
    fn several_files_are_trivial_if_nothing_in_those_that_are_reduced_is_needed() {
        let mut files = ["fixed", "open"].map(|path| InputFile::new(path, "text"));
        files[0].turn = Turn::Never;
        let (bundle, text) = Bundle::pack(None, &files);
        let is_trivial = |path: &str, content: &str| {
            let oracle = |text: &[u8]| {
                let members = bundle.members(text).into_iter();
                let mut files = members.map(|it| (it.path, text[it.content].to_vec()));
                files.any(|(own, it)| own == Path::new(path) && it.ends_with(content.as_bytes()))
            };
            let stop = Cancel::default();
            Preflight::ask(&oracle, &text, Some(&bundle), None, 1, &stop).is_trivial()
        };
        assert!(!is_trivial("open", "text"));
        assert!(is_trivial("open", ""));
        assert!(is_trivial("fixed", "text"));
    }

    #[test]
    fn a_run_without_an_answer_is_not_taken_for_a_flaky_test() {
        let original = vec![Verdict::Interesting, Verdict::Unresolved(Reason::TimedOut)];
        let preflight = Preflight { original, empty: Verdict::Boring };
        assert_eq!(preflight.agreement(), Agreement::Unresolved(Reason::TimedOut));
    }

    /// An oracle for which every other run exceeds the usual limit.
    #[derive(Default)]
    struct Stalling {
        asked: AtomicUsize,
        is_longer: AtomicBool,
    }

    impl Oracle for Stalling {
        fn judge(&self, _: usize, candidate: &Candidate, _: &Cancel) -> Verdict {
            let stalls = self.asked.fetch_add(1, Ordering::SeqCst) % 2 == 1;
            match stalls && !self.is_longer.load(Ordering::SeqCst) {
                true => Verdict::Unresolved(Reason::TimedOut),
                false if candidate.text().is_empty() => Verdict::Boring,
                false => Verdict::Interesting,
            }
        }

        fn set_longer_limit(&self, longer: bool) -> bool {
            self.is_longer.store(longer, Ordering::SeqCst);
            true
        }
    }

    #[test]
    fn an_original_that_ran_out_of_time_is_judged_again_under_the_longer_limit() {
        let oracle = Stalling::default();
        let input: Text = Arc::new(b"input".to_vec());
        let preflight = Preflight::ask(&oracle, &input, None, None, 1, &Cancel::default());
        assert_eq!(preflight.original, vec![Verdict::Interesting; RUNS]);
        assert!(!oracle.is_longer.load(Ordering::SeqCst), "the usual limit is set again");
    }

    #[test]
    fn a_verdict_that_is_known_is_not_asked_for_again() {
        let asked = AtomicUsize::new(0);
        let oracle = |text: &[u8]| {
            asked.fetch_add(1, Ordering::SeqCst);
            !text.is_empty()
        };
        let input: Text = Arc::new(b"input".to_vec());
        let first = Some(Verdict::Interesting);
        let preflight = Preflight::ask(&oracle, &input, None, first, 4, &Cancel::default());
        assert_eq!(preflight.original.len(), RUNS);
        assert_eq!(asked.load(Ordering::SeqCst), RUNS);
        assert_eq!(preflight.agreement(), Agreement::Interesting);
    }
}
