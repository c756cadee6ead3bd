//! What came of a check, and the message about it.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use crate::failure::Failure;
use crate::record::Record;
use crate::shortlex::Tally;

/// How many choices are shown if there is nothing else to show.
const SHOWN: usize = 40;

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// How many cases passed.
    pub cases: u64,
    /// How many were rejected.
    pub rejected: u64,
    /// How many of these had more choices than are allowed.
    pub too_long: u64,
    /// What failed, each kind of failure once.
    pub found: Vec<Found>,
}

/// A failure, with the simplest case that has it.
#[derive(Clone, Debug)]
pub struct Found {
    /// How it failed at last.
    pub failure: Failure,
    /// Whether the same choices failed once and did not at another time.
    pub is_flaky: bool,
    /// Whether it was reduced as far as it goes, and not only to a limit.
    pub is_finished: bool,
    /// Whether it was found in what was kept of earlier runs.
    pub is_kept: bool,
    /// What was drawn when it was found.
    pub first: Record,
    /// What is left.
    pub reduced: Record,
    /// What the generator had to say about it.
    pub notes: Vec<String>,
    /// How often the property was called to reduce it.
    pub calls: u64,
    /// How many choices were looked at for that, also those of which it was known what would become of them.
    pub candidates: u64,
    /// How long that took.
    pub time: Duration,
    /// What each pass took and brought.
    pub tallies: Vec<Tally>,
    /// Where it is kept, or why it is not.
    pub kept: Option<Result<PathBuf, String>>,
}

impl Report {
    /// The message of a check that failed, if it did; so many cases were to be tried, with at most so many choices.
    pub(crate) fn error_message(&self, cases: u64, choices: usize) -> Option<String> {
        if !self.found.is_empty() {
            return Some(self.failures());
        }
        if self.cases < cases && 2 * self.too_long > self.rejected {
            return Some(format!(
                "only {} of {} cases were of use: {} drew more than {} choices. Make smaller cases, or allow more with \
                 `Check {{ choices, .. }}`",
                self.cases, cases, self.too_long, choices
            ));
        }
        (self.cases < cases).then(|| {
            format!(
                "only {} of {} cases were of use, {} were rejected: that says little. \
                 Make what is needed instead of rejecting what is not (a range instead of `assume`, `filter` on the part \
                 that matters), or ask for fewer cases",
                self.cases, cases, self.rejected
            )
        })
    }

    fn failures(&self) -> String {
        let mut text = match self.found.len() {
            1 => String::new(),
            count => format!("the property fails in {count} ways\n\n"),
        };
        for found in &self.found {
            let _ = writeln!(text, "{}", found.message());
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
                "It is flaky: the same choices failed once and did not fail the next time. It depends on something else than its \
                 choices: time, threads, the order of a hash map, what earlier cases left behind.\n\n",
            );
        }
        let (before, left) = (self.first.choices.len(), self.reduced.choices.len());
        let _ =
            writeln!(text, "the simplest case ({left} choices of {before}, {} calls):", self.calls);
        if !self.is_finished {
            text.push_str(
                "  (as far as the limits of calls and time allow: there may be simpler ones)\n",
            );
        }
        if self.notes.is_empty() {
            let shown: Vec<String> = self
                .reduced
                .choices
                .iter()
                .take(SHOWN)
                .map(|choice| choice.value.to_string())
                .collect();
            let more = if left > SHOWN { " …" } else { "" };
            let _ = writeln!(
                text,
                "  choices {}{more}; say more with `s.note` or `s.named`",
                shown.join(" ")
            );
        }
        for line in self.notes.iter().flat_map(|note| note.lines()) {
            let _ = writeln!(text, "  {line}");
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
