//! What happens in a run. The library tells it to an observer and never prints.

use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::text::size::Size;

/// Learns what happens in a run. A closure over events is one.
pub trait Observer {
    /// Something happened.
    fn event(&mut self, event: &Event);
}

impl<F: FnMut(&Event)> Observer for F {
    fn event(&mut self, event: &Event) {
        self(event);
    }
}

/// Something that happened.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// The reduction begins.
    Started {
        /// The input's size.
        size: Size,
        /// How many candidates are judged at the same time.
        workers: usize,
        /// The strategy, as it can be written on the command line.
        strategy: String,
    },
    /// A phase begins.
    Phase {
        /// Its name.
        name: String,
        /// The size of what it begins with.
        size: Size,
        /// What was counted until now.
        #[serde(flatten)]
        counts: Counts,
    },
    /// A smaller interesting text was found.
    Improved {
        /// Its size.
        size: Size,
        /// The phase that found it.
        phase: String,
        /// What was counted until now.
        #[serde(flatten)]
        counts: Counts,
    },
    /// Nothing is left but candidates that timed out; they are tried again with a longer limit.
    Retrying {
        /// How many there were.
        timed_out: u64,
    },
    /// Some time has passed; sent at most ten times a second.
    Progress {
        /// What was counted until now.
        #[serde(flatten)]
        counts: Counts,
    },
}

/// What is counted in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Counts {
    /// Tests whose verdict the algorithms asked for: what a single worker would have run.
    pub tests: u64,
    /// Questions answered from the cache.
    pub hits: u64,
    /// Tests that remained unresolved.
    pub unresolved: u64,
    /// Tests really run, among them those whose verdict nobody needed in the end.
    pub executed: u64,
    /// Time since the beginning.
    #[serde(serialize_with = "seconds", rename = "seconds")]
    pub elapsed: Duration,
}

impl Counts {
    /// What was counted since an earlier moment.
    pub(crate) fn since(self, earlier: Counts) -> Counts {
        Counts {
            tests: self.tests - earlier.tests,
            hits: self.hits - earlier.hits,
            unresolved: self.unresolved - earlier.unresolved,
            executed: self.executed - earlier.executed,
            elapsed: self.elapsed - earlier.elapsed,
        }
    }

    /// Both together.
    pub(crate) fn plus(self, other: Counts) -> Counts {
        Counts {
            tests: self.tests + other.tests,
            hits: self.hits + other.hits,
            unresolved: self.unresolved + other.unresolved,
            executed: self.executed + other.executed,
            elapsed: self.elapsed + other.elapsed,
        }
    }
}

/// When how much was left: a point of the curve by which a run comes to its result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Improvement {
    /// Tests until then.
    pub tests: u64,
    /// Time since the beginning.
    #[serde(serialize_with = "seconds", rename = "seconds")]
    pub elapsed: Duration,
    /// The tokens that were left.
    pub tokens: usize,
}

fn seconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((duration.as_secs_f64() * 1000.0).round() / 1000.0)
}
