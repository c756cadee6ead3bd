//! What happens in a run. The library tells it to an observer and never prints.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::Report;

use crate::text::Text;
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

/// An observer that someone else owns.
pub(crate) struct Borrowed<'b>(pub(crate) &'b mut dyn Observer);

impl Observer for Borrowed<'_> {
    fn event(&mut self, event: &Event) {
        self.0.event(event);
    }
}

/// Tells each of several observers.
impl Observer for Vec<Box<dyn Observer + '_>> {
    fn event(&mut self, event: &Event) {
        self.iter_mut().for_each(|observer| observer.event(event));
    }
}

/// Something that happened.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// Something is done before the reduction begins.
    Status {
        /// What.
        text: String,
    },
    /// Something that the user should know.
    Note {
        /// What.
        text: String,
    },
    /// The property that is kept is known.
    Property {
        /// The test, as the user wrote it.
        test: String,
        /// The property, in words.
        property: String,
        /// How long a test may take.
        #[serde(serialize_with = "seconds")]
        time_limit: Duration,
    },
    /// A generator makes cases until one is interesting; told at most ten times a second.
    Looking {
        /// How many it has made.
        cases: u64,
        /// How many choices it has rejected.
        rejected: u64,
    },
    /// The reduction begins.
    Started {
        /// The input's size.
        size: Size,
        /// How many choices it is made of, if choices are reduced.
        #[serde(skip_serializing_if = "Option::is_none")]
        choices: Option<usize>,
        /// How many candidates are judged at the same time.
        workers: usize,
        /// The strategy, as it can be written on the command line.
        strategy: String,
        /// The input, or what the choices make.
        #[serde(skip)]
        text: Text,
    },
    /// A phase begins.
    Phase {
        /// Its name.
        name: String,
        /// Its number among the phases of the strategy, in the order in which they are written: some are run again and
        /// again, and those of a race in the order of what they earn.
        #[serde(skip_serializing_if = "Option::is_none")]
        number: Option<usize>,
        /// The number of phases.
        #[serde(skip_serializing_if = "Option::is_none")]
        of: Option<usize>,
        /// The size of what it begins with.
        size: Size,
        /// What was counted until now.
        #[serde(flatten)]
        counts: Counts,
    },
    /// The rest of a phase is skipped, since someone wants that.
    Skipped {
        /// Its name.
        phase: String,
        /// What was counted until now.
        #[serde(flatten)]
        counts: Counts,
    },
    /// A smaller interesting text was found, or one that is made of simpler choices.
    Improved {
        /// Its size.
        size: Size,
        /// How many choices it is made of, if choices are reduced.
        #[serde(skip_serializing_if = "Option::is_none")]
        choices: Option<usize>,
        /// The phase that found it.
        phase: String,
        /// The text.
        #[serde(skip)]
        text: Text,
        /// What was counted until now.
        #[serde(flatten)]
        counts: Counts,
    },
    /// Nothing is left but candidates that timed out; they are tried again with a longer limit.
    Retrying {
        /// How many there were.
        timed_out: u64,
        /// How many of them in a row may time out again; then the run ends.
        at_most: u64,
    },
    /// A candidate fails in another way that someone wants to see; told again when a smaller one fails in the same way.
    AlsoInteresting {
        /// How it fails.
        signature: String,
        /// How long it is.
        bytes: usize,
        /// The candidate.
        #[serde(skip)]
        text: Text,
    },
    /// Some time has passed; told at most ten times a second.
    Progress {
        /// What was counted until now.
        #[serde(flatten)]
        counts: Counts,
    },
    /// One of several strategies that are compared has come to its end.
    Compared {
        /// Its name in the comparison.
        label: String,
        /// The strategy, as it can be written on the command line.
        strategy: String,
        /// What came out.
        #[serde(flatten)]
        report: Box<Report>,
    },
    /// The run is at its end.
    Finished {
        /// The file or directory that was reduced.
        input: PathBuf,
        /// The result.
        output: PathBuf,
        /// What choices make, if choices are reduced.
        #[serde(skip_serializing_if = "Option::is_none")]
        case: Option<PathBuf>,
        /// A command that shows the difference to the original, if there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        difference: Option<String>,
        /// The candidates that fail in other ways, where those were wanted.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        also: Vec<Saved>,
        /// A command that goes on with the run, if it was stopped.
        #[serde(skip_serializing_if = "Option::is_none")]
        resume: Option<String>,
        /// The option because of which less was tried than by default, such as `--fast`.
        #[serde(skip_serializing_if = "Option::is_none")]
        only: Option<String>,
        /// What came out.
        #[serde(flatten)]
        report: Box<Report>,
    },
    /// The run could not be started, or could not go on.
    Failed {
        /// The exit code.
        code: u8,
        /// What is wrong, and why.
        message: String,
        /// What helps.
        help: Option<String>,
    },
}

/// A candidate that fails in another way, in a file or directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Saved {
    /// How it fails.
    pub signature: String,
    /// Where it is.
    pub path: PathBuf,
}

impl Saved {
    /// A candidate that is saved.
    pub fn new(signature: String, path: PathBuf) -> Self {
        Saved { signature, path }
    }
}

/// What is counted in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Counts {
    /// Tests whose verdict the algorithms asked for: what a single worker would have run.
    pub tests: u64,
    /// Questions answered from the cache.
    pub hits: u64,
    /// Tests that remained unresolved.
    pub unresolved: u64,
    /// Tests really run, among them those whose verdict nobody needed in the end.
    pub executed: u64,
    /// The time of tests that timed out, of all workers together.
    #[serde(serialize_with = "seconds", rename = "seconds_timed_out")]
    pub timed_out: Duration,
    /// The time in which at least one test was running.
    #[serde(serialize_with = "seconds", rename = "seconds_testing")]
    pub testing: Duration,
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
            timed_out: self.timed_out - earlier.timed_out,
            testing: self.testing - earlier.testing,
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
            timed_out: self.timed_out + other.timed_out,
            testing: self.testing + other.testing,
            elapsed: self.elapsed + other.elapsed,
        }
    }
}

/// When how much was left: a point of the curve by which a run comes to its result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Improvement {
    /// Tests until then.
    pub tests: u64,
    /// Time since the beginning.
    #[serde(serialize_with = "seconds", rename = "seconds")]
    pub elapsed: Duration,
    /// The tokens that were left.
    pub tokens: usize,
    /// The choices that were left, if choices are reduced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<usize>,
}

pub(super) fn seconds<S: Serializer>(
    duration: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((duration.as_secs_f64() * 1000.0).round() / 1000.0)
}
