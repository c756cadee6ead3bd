//! Collects candidates that fail in other ways than the one that is reduced, for users who want to see them.
//!
//! One candidate is kept of each way to fail, the smallest. Workers run ahead of the search, and their findings count
//! even if the search never asks for these candidates. So the findings may depend on the number of workers; the result
//! of the run does not.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::{Outcome, Signature};
use crate::process::Status;
use crate::text::{Candidate, Text};

/// The most ways to fail that are collected, since a reduction may come across any number. After that, only smaller
/// candidates for known ones are reported.
const MOST: usize = 20;

/// A candidate that fails in another way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// How it fails.
    pub signature: String,
    /// The candidate.
    pub text: Text,
}

/// Collects candidates that are boring but fail in certain ways.
#[derive(Debug, Default)]
pub struct Aside {
    codes: Vec<i32>,
    crashes: bool,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    /// The length of the smallest candidate, by signature.
    lengths: BTreeMap<String, usize>,
    /// Findings that were not reported yet, by signature.
    untold: BTreeMap<String, Text>,
}

impl Aside {
    /// Collects candidates that exit with one of these codes, and, if wanted, those that crash.
    pub fn new(codes: Vec<i32>, crashes: bool) -> Self {
        Aside { codes, crashes, found: Mutex::default() }
    }

    /// Whether a boring candidate that ended like this is collected.
    pub(super) fn wants(&self, outcome: &Outcome) -> bool {
        let has_code = matches!(outcome.status, Status::Exit(code) if self.codes.contains(&code));
        let is_crash = || Signature::of(outcome).is_some_and(|it| it.is_crash());
        has_code || self.crashes && is_crash()
    }

    /// Collects a boring candidate if its failure is wanted and it is the smallest that fails so.
    pub(super) fn look(&self, candidate: &Candidate, outcome: &Outcome) {
        if !self.wants(outcome) {
            return;
        }
        let signature = Signature::of(outcome);
        let signature = signature.map_or_else(|| outcome.status.to_string(), |it| it.to_string());
        let text = candidate.text();
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let is_wanted = match found.lengths.get(&signature) {
            Some(length) => text.len() < *length,
            None => found.lengths.len() < MOST,
        };
        if is_wanted {
            found.lengths.insert(signature.clone(), text.len());
            found.untold.insert(signature, text.clone());
        }
    }

    /// The findings since the last call.
    pub(super) fn take(&self) -> Vec<Finding> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let untold = std::mem::take(&mut found.untold);
        untold.into_iter().map(|(signature, text)| Finding { signature, text }).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;

    fn look(aside: &Aside, text: &str, status: Status, stderr: &str) {
        let outcome = Outcome::new(status, Duration::ZERO);
        let candidate = Candidate::whole(&Arc::new(text.as_bytes().to_vec()));
        aside.look(&candidate, &Outcome { stderr: stderr.into(), ..outcome });
    }

    fn taken(aside: &Aside) -> Vec<(String, usize)> {
        aside.take().into_iter().map(|found| (found.signature, found.text.len())).collect()
    }

    #[test]
    fn the_smallest_candidate_of_each_crash_is_told_once_and_errors_are_not() {
        let aside = Aside::new(vec![], true);
        let panic = "thread 'x' panicked at a.rs:1:1:\nboom\n";
        look(&aside, "aaaa", Status::Signal(libc::SIGSEGV), "");
        look(&aside, "aaa", Status::Signal(libc::SIGSEGV), "");
        look(&aside, "aaaaa", Status::Signal(libc::SIGSEGV), "");
        look(&aside, "aa", Status::Exit(101), panic);
        look(&aside, "a", Status::Exit(1), "a.c:1:1: error: no\n");
        look(&aside, "a", Status::Exit(0), "");
        let crash = "exit 101, “thread 'x' panicked at PATH: boom”".to_owned();
        assert_eq!(taken(&aside), [("SIGSEGV".to_owned(), 3), (crash, 2)]);
        look(&aside, "aaaaa", Status::Signal(libc::SIGSEGV), "");
        assert_eq!(taken(&aside), []);
        look(&aside, "aa", Status::Signal(libc::SIGSEGV), "");
        assert_eq!(taken(&aside), [("SIGSEGV".to_owned(), 2)]);
    }

    #[test]
    fn a_code_is_enough_and_the_number_of_findings_is_bounded() {
        let aside = Aside::new(vec![7], false);
        look(&aside, "aa", Status::Exit(7), "");
        look(&aside, "aa", Status::Exit(8), "");
        look(&aside, "aa", Status::Signal(libc::SIGSEGV), "");
        assert_eq!(taken(&aside), [("exit 7".to_owned(), 2)]);
        for letter in 'a'..='z' {
            look(&aside, "aa", Status::Exit(7), &format!("x.c:1:1: error: {letter}\n"));
        }
        assert_eq!(taken(&aside).len(), MOST - 1);
        look(&aside, "a", Status::Exit(7), "");
        assert_eq!(taken(&aside).len(), 1, "a smaller one of a known kind still counts");
    }
}
