//! What came out of a run.

use serde::Serialize;

use crate::text::{Measured, Size};

use super::{Counts, End, Improvement, Pace, Phase, TestTimes};

/// What came out of a run.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The smallest interesting text found, laid out if that was asked for; of choices, what the simplest of them make.
    #[serde(rename = "size")]
    pub best: Measured,
    /// The input's size.
    pub original: Size,
    /// How many nodes the input's tree and the result's have, without punctuation; nothing for a text of more than 16 MB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<NodeCounts>,
    /// How many choices there were and are, if choices are reduced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<ChoiceCounts>,
    /// What was counted.
    #[serde(flatten)]
    pub counts: Counts,
    /// What was counted in each phase, in the order of their first runs.
    pub phases: Vec<Phase>,
    /// How it came to its result, from the first improvement to the last.
    pub improvements: Vec<Improvement>,
    /// How many tests took how long, from the shortest to the longest.
    pub times: Vec<TestTimes>,
    /// How fast it came near its result, against the least that any run can do.
    pub pace: Pace,
    /// The phases that someone skipped, each once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// Why the run ended.
    pub end: End,
    /// Whether the result was found interesting once more; `None` if there was no time to ask.
    pub confirmed: Option<bool>,
}

/// How many nodes there were and are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NodeCounts {
    /// Before the run.
    pub before: usize,
    /// After it.
    pub after: usize,
}

/// How many choices there were and are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ChoiceCounts {
    /// Before the run.
    pub before: usize,
    /// After it.
    pub after: usize,
    /// How many cases were made in between.
    pub cases: u64,
}
