//! The events of a run. The library sends them to an observer and never prints.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::Report;

use crate::text::Text;
use crate::text::size::Size;

/// Receives the events of a run. A closure over events is an observer.
pub trait Observer {
    /// An event occurred.
    fn event(&mut self, event: &Event);
}

impl<F: FnMut(&Event)> Observer for F {
    fn event(&mut self, event: &Event) {
        self(event);
    }
}

/// An observer that the caller owns.
pub(crate) struct Borrowed<'b>(pub(crate) &'b mut dyn Observer);

impl Observer for Borrowed<'_> {
    fn event(&mut self, event: &Event) {
        self.0.event(event);
    }
}

/// Sends events to each of several observers.
impl Observer for Vec<Box<dyn Observer + '_>> {
    fn event(&mut self, event: &Event) {
        self.iter_mut().for_each(|observer| observer.event(event));
    }
}

/// An event of a run.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// A step before the reduction.
    Status {
        /// The step.
        text: String,
    },
    /// A note for the user.
    Note {
        /// The note.
        text: String,
    },
    /// The property to keep is determined.
    Property {
        /// The test, as the user wrote it.
        test: String,
        /// The property, in words.
        property: String,
        /// How long a test may take.
        #[serde(serialize_with = "seconds")]
        time_limit: Duration,
    },
    /// A generator makes cases until one is interesting; reported at most ten times a second.
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
        /// The input, or the test case that the choices make.
        #[serde(skip)]
        text: Text,
    },
    /// A phase begins.
    Phase {
        /// Its name.
        name: String,
        /// Its number among the phases of the strategy, in the order in which they are written: some are run again and
        /// again, and those of a race run the most productive first.
        #[serde(skip_serializing_if = "Option::is_none")]
        number: Option<usize>,
        /// The number of phases.
        #[serde(skip_serializing_if = "Option::is_none")]
        of: Option<usize>,
        /// The size of the text at its beginning.
        size: Size,
        /// The counts so far.
        #[serde(flatten)]
        counts: Counts,
    },
    /// The rest of a phase is skipped on request.
    Skipped {
        /// Its name.
        phase: String,
        /// The counts so far.
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
        /// The counts so far.
        #[serde(flatten)]
        counts: Counts,
    },
    /// Only candidates that timed out can still be tried; they are retried with a longer limit.
    Retrying {
        /// The number of these candidates.
        timed_out: u64,
        /// The run ends when this many of them in a row time out again.
        at_most: u64,
    },
    /// A candidate fails in another way that the user wants to see; reported again when a smaller one fails in the same
    /// way.
    AlsoInteresting {
        /// How it fails.
        signature: String,
        /// Its length.
        bytes: usize,
        /// The candidate.
        #[serde(skip)]
        text: Text,
    },
    /// Some time has passed; reported at most ten times a second.
    Progress {
        /// The counts so far.
        #[serde(flatten)]
        counts: Counts,
    },
    /// One of several strategies in a comparison has finished.
    Compared {
        /// Its name in the comparison.
        label: String,
        /// The strategy, as it can be written on the command line.
        strategy: String,
        /// The report.
        #[serde(flatten)]
        report: Box<Report>,
    },
    /// The run has finished.
    Finished {
        /// The file or directory that was reduced.
        input: PathBuf,
        /// The result.
        output: PathBuf,
        /// The test case that the choices make, if choices are reduced.
        #[serde(skip_serializing_if = "Option::is_none")]
        case: Option<PathBuf>,
        /// A command that shows the difference to the original, if there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        difference: Option<String>,
        /// The candidates that fail in other ways, if the user wants them.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        also: Vec<Saved>,
        /// A command that continues the run, if it was stopped.
        #[serde(skip_serializing_if = "Option::is_none")]
        resume: Option<String>,
        /// The option that made the run try less than by default, such as `--fast`.
        #[serde(skip_serializing_if = "Option::is_none")]
        only: Option<String>,
        /// The report.
        #[serde(flatten)]
        report: Box<Report>,
    },
    /// The run could not be started, or could not continue.
    Failed {
        /// The exit code.
        code: u8,
        /// The subject and the cause.
        message: String,
        /// The cure.
        help: Option<String>,
    },
}

/// A candidate that fails in another way, in a file or directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Saved {
    /// How it fails.
    pub signature: String,
    /// The path of the candidate.
    pub path: PathBuf,
}

impl Saved {
    /// A saved candidate.
    pub fn new(signature: String, path: PathBuf) -> Self {
        Saved { signature, path }
    }
}

/// The counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Counts {
    /// Tests whose verdict the algorithms asked for: those that a single worker would have run.
    pub tests: u64,
    /// Questions answered from the cache.
    pub hits: u64,
    /// Tests that remained unresolved.
    pub unresolved: u64,
    /// Tests that were really run, including those whose verdict was not needed in the end.
    pub executed: u64,
    /// The total time of tests that timed out, over all workers.
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
    /// The counts since an earlier moment.
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

    /// The sum of both.
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

/// A point of the curve by which a run comes to its result: the size at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Improvement {
    /// Tests so far.
    pub tests: u64,
    /// Time since the beginning.
    #[serde(serialize_with = "seconds", rename = "seconds")]
    pub elapsed: Duration,
    /// The remaining tokens.
    pub tokens: usize,
    /// The remaining choices, if choices are reduced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<usize>,
}

pub(super) fn seconds<S: Serializer>(
    duration: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((duration.as_secs_f64() * 1000.0).round() / 1000.0)
}
