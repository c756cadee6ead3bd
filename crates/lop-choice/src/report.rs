//! The report of a check, and the message of a check that failed.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use crate::failure::Failure;
use crate::shortlex::Tally;
use crate::store::KeepError;

/// How many choices the message shows if there are no notes.
const SHOWN: usize = 40;

/// The result of a check.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The seed from which the cases were made.
    pub seed: u64,
    /// The number of cases that passed.
    pub cases: u64,
    /// The number of cases that were rejected.
    pub rejected: u64,
    /// The number of rejected cases that drew more choices than [`Check::choices`](crate::Check::choices) allows.
    pub too_long: u64,
    /// The number of cases that passed, of each [class](crate::Source::classify).
    pub classes: BTreeMap<String, u64>,
    /// The failures, one of each kind.
    pub found: Vec<Found>,
    /// The explicit example that failed, and how.
    pub(crate) example: Option<(usize, Failure)>,
    /// The number of further kinds of failures, which were not reduced since there were so many.
    pub more: u64,
}

/// A failure, and the simplest case with this failure.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// How the reduced case fails.
    pub failure: Failure,
    /// Whether the same choices failed in one run and passed in another.
    pub is_flaky: bool,
    /// Whether the reduction ended by itself, and not by a limit of calls or time.
    pub is_finished: bool,
    /// Whether the failure was found with choices that an earlier check kept.
    pub is_kept: bool,
    /// The choices with which the failure was found.
    pub first: Vec<i128>,
    /// The reduced choices. [`Check::start`](crate::Check::start) takes them.
    pub reduced: Vec<i128>,
    /// The [notes](crate::Source::note) of the reduced case.
    pub notes: Vec<String>,
    /// The indices of the notes whose values do not matter: the property fails in the same way with others.
    pub any: Vec<usize>,
    /// The number of calls of the property that the reduction took.
    pub calls: u64,
    /// The number of attempts of the reduction, including those whose result was known without a call.
    pub candidates: u64,
    /// The time that the reduction took.
    pub time: Duration,
    /// The tally of each pass.
    #[doc(hidden)]
    pub tallies: Vec<Tally>,
    /// The file in which the reduced choices are kept, or the reason why there is none. `None` if they are not to be kept.
    pub kept: Option<Result<PathBuf, KeepError>>,
}

impl Report {
    /// The message, if the check failed: a case failed, or fewer than `cases` passed; a case may draw `choices`.
    pub(crate) fn error_message(&self, cases: u64, choices: usize) -> Option<String> {
        if !self.found.is_empty() {
            return Some(self.failures());
        }
        if self.cases < cases && 2 * self.too_long > self.rejected {
            return Some(format!(
                "only {} of {} cases could be tested: {} drew more than {} choices. Make smaller cases, or allow more choices with \
                 `Check {{ choices, .. }}`",
                self.cases, cases, self.too_long, choices
            ));
        }
        (self.cases < cases).then(|| {
            format!(
                "only {} of {} cases could be tested, {} were rejected. \
                 Generate valid cases instead of rejecting invalid ones (a range instead of `assume`, `filter` on the part \
                 that matters), or ask for fewer cases",
                self.cases, cases, self.rejected
            )
        })
    }

    /// The number of cases, and of those of each class.
    pub(crate) fn statistics(&self) -> String {
        let mut text = format!("{} cases passed, {} were rejected", self.cases, self.rejected);
        let mut classes: Vec<_> = self.classes.iter().collect();
        classes.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (class, count) in classes {
            let share = 100.0 * *count as f64 / self.cases.max(1) as f64;
            let _ = write!(text, "\n  {share:5.1} % {class}");
        }
        text
    }

    fn failures(&self) -> String {
        let mut text = match self.found.len() {
            1 => String::new(),
            count => format!("the property fails in {count} ways\n\n"),
        };
        for found in &self.found {
            let _ = writeln!(text, "{}", found.message());
        }
        if self.more > 0 {
            let _ = writeln!(text, "{} more kinds of failures were not reduced\n", self.more);
        }
        if !self.found.iter().any(|found| found.is_kept) {
            let _ = write!(
                text,
                "seed {}; LOP_SEED={} makes the same cases again",
                self.seed, self.seed
            );
        }
        text
    }
}

impl Found {
    fn message(&self) -> String {
        let mut text = format!("{}\n\n", self.failure);
        if self.is_flaky {
            text.push_str(
                "It is flaky: the same choices failed once and did not fail the next time. The property depends on something besides its \
                 choices: time, threads, the order of a hash map, state that earlier cases left behind.\n\n",
            );
        }
        let (before, left) = (self.first.len(), self.reduced.len());
        let _ =
            writeln!(text, "the simplest case ({left} of {before} choices, {} calls):", self.calls);
        if !self.is_finished {
            text.push_str(
                "  (the limit of calls or time ended the reduction: there may be simpler cases)\n",
            );
        }
        if self.notes.is_empty() {
            let shown: Vec<String> = self.reduced.iter().take(SHOWN).map(i128::to_string).collect();
            let more = if left > SHOWN { " …" } else { "" };
            let _ = writeln!(
                text,
                "  choices {}{more}; to show values, use `s.named` or `s.note`",
                shown.join(" ")
            );
        }
        for (index, note) in self.notes.iter().enumerate() {
            let any = if self.any.contains(&index) { "   (other values fail as well)" } else { "" };
            let _ = writeln!(text, "  {}{any}", note.lines().collect::<Vec<_>>().join("\n  "));
        }
        match &self.kept {
            Some(Ok(path)) => {
                let _ = writeln!(text, "\nkept in {} and tried first from now on", path.display());
            }
            Some(Err(why)) => {
                let _ = writeln!(text, "\nnot kept: {why}");
            }
            None => {}
        }
        text
    }
}
