//! Command lines with a hole for the candidate's path.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

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

    fn with(&self, path: &Path) -> OsString {
        self.0.join(path.as_os_str())
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

/// A word, quoted for a shell if it needs to be.
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref().display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%{}".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word;
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("dir/prog.c"), "dir/prog.c");
        assert_eq!(quoted("my file"), "'my file'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
