//! Command lines with a hole for the candidate's path.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A command line; the candidate's path is filled in for each worker.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// An absolute path.
    pub program: PathBuf,
    /// The arguments.
    pub args: Vec<Argument>,
    /// Variables set in its environment, besides those lop was given itself.
    pub env: Vec<(OsString, Argument)>,
}

/// An argument of a command line: texts with the candidate's path between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument(Vec<OsString>);

impl Argument {
    /// An argument that does not depend on the candidate.
    pub fn plain(text: impl Into<OsString>) -> Self {
        Argument(vec![text.into()])
    }

    /// The candidate's path.
    pub fn candidate() -> Self {
        Argument(vec![OsString::new(), OsString::new()])
    }

    /// Texts with the candidate's path between each two of them.
    pub fn around(texts: Vec<OsString>) -> Self {
        Argument(texts)
    }

    /// The text, if the candidate's path is not in it.
    pub fn as_plain(&self) -> Option<&OsStr> {
        self.0.first().filter(|_| !self.mentions_candidate()).map(OsString::as_os_str)
    }

    /// Whether the candidate's path is in it.
    pub fn mentions_candidate(&self) -> bool {
        self.0.len() > 1
    }

    /// The text with a path filled in.
    pub(crate) fn with(&self, path: &Path) -> OsString {
        self.0.join(path.as_os_str())
    }
}

impl CommandLine {
    /// The arguments with a path filled in.
    pub(crate) fn args_with(&self, path: &Path) -> Vec<OsString> {
        self.args.iter().map(|argument| argument.with(path)).collect()
    }

    /// The environment of a process: this one's, but for what is set here or by the command line.
    pub(crate) fn env_with(
        &self,
        path: &Path,
        set: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Vec<(OsString, OsString)> {
        let own: Vec<(OsString, OsString)> = set
            .into_iter()
            .chain(self.env.iter().map(|(name, value)| (name.clone(), value.with(path))))
            .collect();
        let inherited =
            std::env::vars_os().filter(|(name, _)| !own.iter().any(|(other, _)| other == name));
        inherited.chain(own.iter().cloned()).collect()
    }
}
