//! What runs where.

use lop::oracle::command::CommandLine;
use lop::oracle::execute::Setup;

use crate::access::Access;

/// A test, and where it runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// How the server is reached.
    pub access: Access,
    /// The test.
    pub command: CommandLine,
    /// How candidates are presented to it; `workers` is the number of actions in flight.
    pub setup: Setup,
    /// What workers must be like, in the words of the server.
    pub properties: Vec<(String, String)>,
    /// The environment of the test. Nothing of this machine's is sent but this.
    pub variables: Vec<(String, String)>,
    /// Whether the time limit is the user's, and not one that lop measured.
    pub has_exact_time: bool,
    /// Whether the test does not always answer the same: the server then remembers nothing.
    pub is_flaky: bool,
}

impl Options {
    /// A test on any worker.
    pub fn new(access: Access, command: CommandLine, setup: Setup) -> Self {
        let (properties, variables) = (Vec::new(), Vec::new());
        let (has_exact_time, is_flaky) = (false, false);
        Options { access, command, setup, properties, variables, has_exact_time, is_flaky }
    }
}
