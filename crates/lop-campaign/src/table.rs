//! What came out of a campaign.

use std::collections::BTreeMap;
use std::fmt;

/// What came out of one trial.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// The row of the table in which it is counted.
    pub row: String,
    /// Why the trial cannot be made on this machine; then it is not counted.
    pub skipped: Option<String>,
    /// What is wrong, as sentences. A result that is lost, and anything that is left over.
    pub problems: Vec<String>,
    /// How lop ended, without what differs from run to run.
    pub ending: String,
}

/// The trials of a campaign, by what was tried.
#[derive(Debug, Default)]
pub struct Table {
    rows: BTreeMap<String, Row>,
    /// The problems, each with the seed that repeats it.
    pub problems: Vec<String>,
}

#[derive(Debug, Default)]
struct Row {
    trials: usize,
    kept: usize,
    skipped: Option<String>,
    endings: BTreeMap<String, usize>,
}

impl Table {
    /// Counts a trial, whose seed is given.
    pub fn add(&mut self, seed: u64, trial: Trial) {
        let row = self.rows.entry(trial.row.clone()).or_default();
        if trial.skipped.is_some() {
            row.skipped = trial.skipped;
            return;
        }
        row.trials += 1;
        row.kept += usize::from(trial.problems.is_empty());
        *row.endings.entry(trial.ending).or_default() += 1;
        let tell = |problem| format!("{} (--runs 1 --seed {seed}): {problem}", trial.row);
        self.problems.extend(trial.problems.into_iter().map(tell));
    }

    /// How many trials were made.
    pub fn trials(&self) -> usize {
        self.rows.values().map(|row| row.trials).sum()
    }

    /// The rows that could not be tried on this machine, with the reasons.
    pub fn skipped(&self) -> Vec<String> {
        let reason = |(name, row): (&String, &Row)| {
            row.skipped.as_ref().map(|reason| format!("{name}: {reason}"))
        };
        self.rows.iter().filter_map(reason).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.keys().map(|name| name.chars().count()).max().unwrap_or(0);
        writeln!(f, "{:width$} {:>6} {:>6} {:>6}  endings", "", "runs", "kept", "wrong")?;
        for (name, row) in &self.rows {
            let wrong = row.trials - row.kept;
            write!(f, "{name:width$} {:>6} {:>6} {wrong:>6}  ", row.trials, row.kept)?;
            let endings: Vec<String> =
                row.endings.iter().map(|(ending, times)| format!("{times} × {ending}")).collect();
            let skipped = row.skipped.iter().map(|reason| format!("skipped: {reason}"));
            writeln!(f, "{}", endings.into_iter().chain(skipped).collect::<Vec<_>>().join("; "))?;
        }
        let wrong: usize = self.rows.values().map(|row| row.trials - row.kept).sum();
        write!(f, "{} runs, {wrong} of them with problems", self.trials())?;
        self.problems.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}
