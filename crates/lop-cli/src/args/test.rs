//! The options for the test and where it runs.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use crate::template::Template;

/// The options for the test and its directory.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Test")]
pub(crate) struct TestArgs {
    /// File or directory that the test needs: put beside each candidate as it is, under its path relative to FILE's
    /// directory; may be given several times.
    #[arg(long, value_name = "PATH")]
    pub(crate) with: Vec<PathBuf>,

    /// Start the test once per worker, and hand it one candidate after the other: for tests that take long to start. The test
    /// speaks a protocol (docs/src/guides/serve.md), with a module that `lop helpers DIR` writes for Python, JavaScript or Java.
    #[arg(long, conflicts_with_all = ["slower_than", "more_memory_than"])]
    pub(crate) serve: bool,

    /// Run tests in a sandbox: no network, nothing written but in their directory, no keys or passwords read, no other process
    /// seen. `partial` goes on where this machine cannot guard all of it, and says what is not guarded.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "full")]
    pub(crate) sandbox: Option<SandboxMode>,

    /// Directory or file that tests may write to in the sandbox; may be given several times.
    #[arg(long, value_name = "PATH", requires = "sandbox")]
    pub(crate) allow: Vec<PathBuf>,

    /// Launch each test by this command, such as 'srun --overlap -n1 {}': {} is replaced by the test and its arguments. {quoted}
    /// is both as a shell reads them, for ssh and sh -c; {dir} is the directory of the test, {file} the candidate.
    #[arg(long, value_name = "TEMPLATE")]
    pub(crate) launcher: Option<Template>,

    /// Exit code by which the launcher says that it failed itself: the test is run again, and is never taken for boring. May be
    /// given several times; `none` for none [default: 255 for ssh, 125 for docker and podman].
    #[arg(long, value_name = "CODE", value_delimiter = ',', requires = "launcher")]
    pub(crate) launcher_fails: Vec<Fails>,

    #[cfg(feature = "remote")]
    #[command(flatten)]
    pub(crate) remote: super::RemoteArgs,
}

impl TestArgs {
    /// The number of workers, of which some may be on this machine and others elsewhere.
    #[cfg(feature = "remote")]
    pub(crate) fn workers(&self, jobs: usize) -> usize {
        jobs + usize::from(self.remote.local_jobs.unwrap_or(0))
    }

    /// The number of workers.
    #[cfg(not(feature = "remote"))]
    pub(crate) fn workers(&self, jobs: usize) -> usize {
        jobs
    }

    /// The server whose workers run the tests.
    pub(crate) fn server(&self) -> Option<String> {
        #[cfg(feature = "remote")]
        return self.remote.remote.as_ref().map(ToString::to_string);
        #[cfg(not(feature = "remote"))]
        None
    }

    /// Whether what workers say is checked on this machine.
    pub(crate) fn has_local_check(&self) -> bool {
        #[cfg(feature = "remote")]
        return self.remote.remote.is_some() && !self.remote.no_local_check;
        #[cfg(not(feature = "remote"))]
        false
    }
}

/// An exit code of a launcher that failed itself, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fails(pub(crate) Option<u8>);

impl FromStr for Fails {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse()) {
            ("none", _) => Ok(Fails(None)),
            (_, Ok(code @ 1..)) => Ok(Fails(Some(code))),
            _ => Err("write an exit code from 1 to 255, or none".into()),
        }
    }
}

/// What to do where a machine cannot guard everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SandboxMode {
    /// Refuse to run.
    Full,
    /// Go on, and say what is not guarded.
    Partial,
}

/// The arguments of `lop sandbox`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SandboxArgs {
    /// Directory or file that the command may write to, besides the working directory; may be given several times.
    #[arg(long, value_name = "PATH")]
    pub(crate) allow: Vec<PathBuf>,

    /// Go on where this machine cannot guard everything.
    #[arg(long)]
    pub(crate) partial: bool,

    /// The command and its arguments.
    #[arg(required = true, last = true)]
    pub(crate) command: Vec<OsString>,
}
