//! Command lines with a hole for the candidate's path.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::shell::filled;
use crate::process::Launch;

/// A command line; the candidate's path is filled in for each worker.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// An absolute path.
    pub program: PathBuf,
    /// The arguments.
    pub args: Vec<Argument>,
    /// Variables added to its environment, besides those of lop itself.
    pub env: Vec<(OsString, Argument)>,
    /// Whether the candidate's content is its standard input; otherwise that is empty.
    pub reads_candidate: bool,
}

/// An argument of a command line: texts with the candidate's path between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    texts: Vec<OsString>,
    /// Whether the path is quoted, since a shell reads the argument.
    is_script: bool,
}

impl Argument {
    /// An argument that does not depend on the candidate.
    pub fn plain(text: impl Into<OsString>) -> Self {
        Argument::around(vec![text.into()])
    }

    /// The candidate's path.
    pub fn candidate() -> Self {
        Argument::around(vec![OsString::new(), OsString::new()])
    }

    /// Texts with the candidate's path between each two of them.
    pub fn around(texts: Vec<OsString>) -> Self {
        Argument { texts, is_script: false }
    }

    /// A shell script: texts with the candidate's path between each two of them, quoted where it needs to be.
    pub fn script(texts: Vec<OsString>) -> Self {
        Argument { texts, is_script: true }
    }

    /// The text, if the candidate's path is not in it.
    pub fn as_plain(&self) -> Option<&OsStr> {
        self.texts.first().filter(|_| !self.mentions_candidate()).map(OsString::as_os_str)
    }

    /// Whether the candidate's path is in it.
    pub fn mentions_candidate(&self) -> bool {
        self.texts.len() > 1
    }

    /// Whether a shell reads it.
    pub fn is_script(&self) -> bool {
        self.is_script
    }

    /// The argument with the candidate's path filled in.
    pub fn with(&self, path: &Path) -> OsString {
        match self.is_script {
            true => filled(&self.texts, path.as_os_str()),
            false => self.texts.join(path.as_os_str()),
        }
    }
}

impl CommandLine {
    /// This command line with the candidate's path filled in.
    pub(crate) fn with(&self, path: &Path) -> CommandLine {
        let filled = |argument: &Argument| Argument::plain(argument.with(path));
        CommandLine {
            program: self.program.clone(),
            args: self.args.iter().map(filled).collect(),
            env: self.env.iter().map(|(name, value)| (name.clone(), filled(value))).collect(),
            reads_candidate: self.reads_candidate,
        }
    }

    /// A launch of this command: with the candidate's path filled in, in a directory, and with more variables set.
    pub fn launch(
        &self,
        path: &Path,
        dir: &Path,
        set: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Launch {
        let own = self.env.iter().map(|(name, value)| (name.clone(), value.with(path)));
        let own: Vec<(OsString, OsString)> = set.into_iter().chain(own).collect();
        let is_inherited = |name: &OsString| !own.iter().any(|(other, _)| other == name);
        let inherited: Vec<_> =
            std::env::vars_os().filter(|(name, _)| is_inherited(name)).collect();
        Launch {
            program: self.program.clone(),
            args: self.args.iter().map(|argument| argument.with(path)).collect(),
            env: [inherited, own].concat(),
            dir: dir.into(),
        }
    }
}
