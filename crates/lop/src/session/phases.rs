//! What each phase of a run has done: the rows of the papers' tables.

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
    /// What was counted in it.
    #[serde(flatten)]
    pub counts: Counts,
    /// What it has taken away.
    pub gone: Size,
    /// What was left after its last run.
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
    // The characters or bytes of a smaller text may be more, if its tokens are fewer.
    phase.gone.tokens += from.tokens.saturating_sub(to.tokens);
    phase.gone.characters += from.characters.saturating_sub(to.characters);
    phase.gone.bytes += from.bytes.saturating_sub(to.bytes);
    phase.size = to;
}
