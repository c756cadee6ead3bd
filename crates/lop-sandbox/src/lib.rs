//! A sandbox: a command runs that may write to a few directories and reach nothing else.
//!
//! Tests run programs that no person has written. In the sandbox they have no network, not even loopback; the file
//! system is read-only except for the allowed directories; keys, passwords and the sockets of other programs are
//! hidden; they see and signal no other processes, and none of them outlives the command.
//!
//! A process cannot put itself into a sandbox and stay outside to watch. So a caller starts a separate program with the
//! arguments from [`Sandbox::arguments`], and that program calls [`run`] first of all, before it has any thread.
//!
//! On Linux the sandbox consists of user, mount, process and network namespaces, with Landlock and a system call filter
//! on top. A guard that the machine lacks is an [`Error`] or, if the caller accepts [a weaker
//! sandbox](Sandbox::is_partial), a [`Gap`] in a list; it is never left out silently.

#[cfg(target_os = "linux")]
mod linux;
mod secrets;

use std::ffi::OsString;
use std::path::PathBuf;

/// The rights of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// The directories and files that it may write to.
    pub allowed: Vec<PathBuf>,
    /// Whether to continue if the machine cannot guard everything.
    pub is_partial: bool,
}

/// A gap in the protection on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Gap {
    /// There are no user namespaces.
    #[error(
        "other processes can be seen, and keys in the home directory can be read: this machine does not allow user namespaces"
    )]
    Namespaces,
    /// There is no Landlock.
    #[error("there is no second guard of the file system: the kernel has no Landlock")]
    Landlock,
    /// There is no sandbox at all.
    #[error("nothing is guarded: a sandbox is made of what Linux offers")]
    Everything,
}

/// Why a sandbox could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A system call failed.
    #[error("the sandbox cannot {doing}: {why}")]
    System {
        /// Its purpose.
        doing: String,
        /// The kernel's reason.
        why: String,
    },
    /// The machine does not offer enough.
    #[error("{0}")]
    Gap(Gap),
    /// The arguments are not those of a sandbox.
    #[error("the arguments of the sandbox are wrong: they are made by `Sandbox::arguments`")]
    Arguments,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this code.
    Exit(i32),
    /// By this signal.
    Signal(i32),
}

impl Sandbox {
    /// The arguments for [`run`]: the sandbox, then the command.
    pub fn arguments(&self, command: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
        let mut arguments = Vec::new();
        for path in &self.allowed {
            arguments.extend(["--allow".into(), path.into()]);
        }
        if self.is_partial {
            arguments.push("--partial".into());
        }
        arguments.push("--".into());
        arguments.extend(command);
        arguments
    }

    /// Reads the arguments from [`Sandbox::arguments`].
    pub fn parse(
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Result<(Self, Vec<OsString>), Error> {
        let mut sandbox = Sandbox::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            match argument.to_str() {
                Some("--") => return Ok((sandbox, arguments.collect())),
                Some("--partial") => sandbox.is_partial = true,
                Some("--allow") => {
                    sandbox.allowed.push(arguments.next().ok_or(Error::Arguments)?.into())
                }
                _ => break,
            }
        }
        Err(Error::Arguments)
    }

    /// The gaps in the protection on this machine; an error if it guards too little.
    pub fn check(&self) -> Result<Vec<Gap>, Error> {
        let gaps = gaps();
        match gaps.iter().find(|gap| !matches!(gap, Gap::Landlock)) {
            Some(gap) if !self.is_partial || *gap == Gap::Everything => Err(Error::Gap(*gap)),
            _ => Ok(gaps),
        }
    }
}

#[cfg(target_os = "linux")]
pub use linux::{gaps, run};

/// The gaps in the protection on this machine.
#[cfg(not(target_os = "linux"))]
pub fn gaps() -> Vec<Gap> {
    vec![Gap::Everything]
}

/// Runs a command in a sandbox and waits for it.
#[cfg(not(target_os = "linux"))]
pub fn run(_: &Sandbox, _: &[OsString]) -> Result<Ended, Error> {
    Err(Error::Gap(Gap::Everything))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_of_a_sandbox_are_read_as_they_are_written() {
        let sandbox = Sandbox { allowed: vec!["/a b".into(), "--".into()], is_partial: true };
        let command = ["cc", "--", "-x"].map(OsString::from).to_vec();
        let read = Sandbox::parse(sandbox.arguments(command.clone())).unwrap();
        assert_eq!(read, (sandbox, command));
        assert!(Sandbox::parse(["cc".into()]).is_err());
    }
}
