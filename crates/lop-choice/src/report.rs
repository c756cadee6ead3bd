//! What people are told about what came out.

use std::fmt::Write;

use crate::check::{Check, Found, Report};

/// How many choices are shown if there is nothing else to show.
const SHOWN: usize = 40;

impl Report {
    /// What is wrong, if anything is.
    pub(crate) fn complaint(&self, check: &Check) -> Option<String> {
        if !self.found.is_empty() {
            return Some(self.told());
        }
        if self.cases < check.cases && 2 * self.too_long > self.rejected {
            return Some(format!(
                "only {} of {} cases were of use: {} drew more than {} choices. Make smaller cases, or allow more with \
                 `Check {{ choices, .. }}`",
                self.cases, check.cases, self.too_long, check.choices
            ));
        }
        (self.cases < check.cases).then(|| {
            format!(
                "only {} of {} cases were of use, {} were rejected: that says little. \
                 Make what is needed instead of rejecting what is not (a range instead of `assume`, `filter` on the part \
                 that matters), or ask for fewer cases",
                self.cases, check.cases, self.rejected
            )
        })
    }

    fn told(&self) -> String {
        let mut text = match self.found.len() {
            1 => String::new(),
            count => format!("the property fails in {count} ways\n\n"),
        };
        for found in &self.found {
            let _ = writeln!(text, "{}", found.told());
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
    fn told(&self) -> String {
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
