//! Votes for flaky tests: several runs decide whether a candidate is interesting.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::{Finding, Oracle, Verdict};
use crate::search::Cancel;
use crate::text::Candidate;

/// A candidate is interesting if `agreeing` of at most `runs` runs say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Votes {
    agreeing: usize,
    runs: usize,
}

/// The error for a text that isn't a number of runs that agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("say 3 for three runs that all agree, or 2/5 for two of five")]
pub struct InvalidVotes;

impl FromStr for Votes {
    type Err = InvalidVotes;

    fn from_str(text: &str) -> Result<Self, InvalidVotes> {
        let (agreeing, runs) = text.split_once('/').unwrap_or((text, text));
        let number = |part: &str| part.trim().parse::<usize>().ok().filter(|number| *number > 0);
        match (number(agreeing), number(runs)) {
            (Some(agreeing), Some(runs)) if agreeing <= runs => Ok(Votes { agreeing, runs }),
            _ => Err(InvalidVotes),
        }
    }
}

impl fmt::Display for Votes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.agreeing, self.runs)
    }
}

/// Asks another oracle until the vote is decided.
pub struct Confirm {
    oracle: Arc<dyn Oracle>,
    votes: Votes,
}

impl Confirm {
    /// Wraps an oracle.
    pub fn new(oracle: Arc<dyn Oracle>, votes: Votes) -> Self {
        Confirm { oracle, votes }
    }
}

impl Oracle for Confirm {
    fn judge(&self, slot: usize, candidate: &Candidate, cancel: &Cancel) -> Verdict {
        let Votes { agreeing, runs } = self.votes;
        let (mut yes, mut no) = (0, 0);
        loop {
            match self.oracle.judge(slot, candidate, cancel) {
                Verdict::Interesting => yes += 1,
                Verdict::Boring => no += 1,
                unresolved => return unresolved,
            }
            if yes == agreeing {
                return Verdict::Interesting;
            }
            if no > runs - agreeing {
                return Verdict::Boring;
            }
        }
    }

    fn set_longer_limit(&self, longer: bool) -> bool {
        self.oracle.set_longer_limit(longer)
    }

    fn take_findings(&self) -> Vec<Finding> {
        self.oracle.take_findings()
    }

    fn take_notes(&self) -> Vec<String> {
        self.oracle.take_notes()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn judged(answers: &'static [bool], votes: &str) -> (Verdict, usize) {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = asked.clone();
        let oracle = move |_: &[u8]| answers[count.fetch_add(1, Ordering::SeqCst)];
        let confirm = Confirm::new(Arc::new(oracle), votes.parse().unwrap());
        let verdict = confirm.judge(0, &Candidate::whole(&Arc::default()), &Cancel::default());
        (verdict, asked.load(Ordering::SeqCst))
    }

    #[test]
    fn it_asks_until_the_vote_is_decided_and_no_longer() {
        assert_eq!(judged(&[true, true, true], "3"), (Verdict::Interesting, 3));
        assert_eq!(judged(&[true, false], "3"), (Verdict::Boring, 2));
        assert_eq!(judged(&[false, true, false, true], "2/5"), (Verdict::Interesting, 4));
        assert_eq!(judged(&[false, false, false, false], "2/5"), (Verdict::Boring, 4));
    }

    #[test]
    fn impossible_votes_are_refused() {
        for votes in ["0", "4/3", "x", "", "1/", "/2", "-1"] {
            assert!(votes.parse::<Votes>().is_err(), "{votes:?}");
        }
    }
}
