//! The work of each phase of a run: the rows of the papers' tables.

use serde::Serialize;

use super::event::Counts;
use crate::text::size::Size;

/// A phase, in all its runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// How often it was run.
    pub runs: u64,
    /// The counts of its runs.
    #[serde(flatten)]
    pub counts: Counts,
    /// The size that it removed.
    pub gone: Size,
    /// The size after its last run.
    pub size: Size,
}

/// Adds a run of a phase to those that are known, which stay in the order of their first runs.
pub(crate) fn record(phases: &mut Vec<Phase>, name: &str, counts: Counts, from: Size, to: Size) {
    let index = phases.iter().position(|phase| phase.name == name).unwrap_or_else(|| {
        phases.push(Phase {
            name: name.into(),
            runs: 0,
            counts: Counts::default(),
            gone: Size::default(),
            size: from,
        });
        phases.len() - 1
    });
    let phase = &mut phases[index];
    phase.runs += 1;
    phase.counts = phase.counts.plus(counts);
    // A smaller text may have more characters or bytes, if it has fewer tokens.
    phase.gone.tokens += from.tokens.saturating_sub(to.tokens);
    phase.gone.characters += from.characters.saturating_sub(to.characters);
    phase.gone.bytes += from.bytes.saturating_sub(to.bytes);
    phase.size = to;
}
