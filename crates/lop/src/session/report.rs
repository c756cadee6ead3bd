//! The report of a run.

use serde::Serialize;

use crate::text::{Measured, Size};

use super::{Counts, End, Improvement, Pace, Phase, TestTimes};

/// The report of a run.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The smallest interesting text found, laid out if requested; for choices, the test case of the simplest ones.
    #[serde(rename = "size")]
    pub best: Measured,
    /// The input's size.
    pub original: Size,
    /// The number of nodes in the trees of the input and the result, without punctuation; nothing for a text of more
    /// than 16 MB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<NodeCounts>,
    /// The number of choices before and after the run, if choices are reduced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<ChoiceCounts>,
    /// The counts of the run.
    #[serde(flatten)]
    pub counts: Counts,
    /// The counts of each phase, in the order of their first runs.
    pub phases: Vec<Phase>,
    /// The improvements, from the first to the last.
    pub improvements: Vec<Improvement>,
    /// The times of tests, from the shortest to the longest.
    pub times: Vec<TestTimes>,
    /// How fast it approached its result, compared to the least that any run can do.
    pub pace: Pace,
    /// The phases that the user skipped, each once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// Why the run ended.
    pub end: End,
    /// Whether the result was found interesting again; `None` if there was no time to ask.
    pub confirmed: Option<bool>,
}

/// The number of nodes before and after the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct NodeCounts {
    /// Before the run.
    pub before: usize,
    /// After it.
    pub after: usize,
}

/// The number of choices before and after the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ChoiceCounts {
    /// Before the run.
    pub before: usize,
    /// After it.
    pub after: usize,
    /// The number of cases that were made.
    pub cases: u64,
}
