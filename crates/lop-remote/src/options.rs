//! The test and the server on which it runs.

use lop::oracle::command::CommandLine;
use lop::oracle::execute::Setup;

use crate::access::Access;

/// A test, and the server on which it runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The access to the server.
    pub access: Access,
    /// The test.
    pub command: CommandLine,
    /// How candidates are presented to it; `workers` is the number of actions in flight.
    pub setup: Setup,
    /// The required properties of workers, in the server's terms.
    pub properties: Vec<(String, String)>,
    /// The environment of the test. Nothing else of this machine's environment is sent.
    pub variables: Vec<(String, String)>,
    /// Whether the user gave the time limit, instead of lop measuring it.
    pub has_exact_time: bool,
    /// Whether the test is flaky: then the server remembers nothing.
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
