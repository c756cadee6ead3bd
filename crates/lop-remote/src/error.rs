//! Why tests cannot run on a server.

/// Why tests cannot run on a server, and the cure.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: Kind,
    message: String,
    cure: String,
}

/// The subject of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An option, or a file or variable that it names.
    Option,
    /// The server, or the way to it.
    Server,
    /// A worker, which cannot run the test.
    Worker,
    /// The user, who does not want to wait any longer.
    Cancelled,
}

impl Error {
    pub(crate) fn new(kind: Kind, message: impl Into<String>, cure: impl Into<String>) -> Self {
        Error { kind, message: message.into(), cure: cure.into() }
    }

    /// Its subject.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// This error with another cure.
    pub(crate) fn cured_by(self, cure: &str) -> Self {
        Error { cure: cure.into(), ..self }
    }

    /// The cure.
    pub fn cure(&self) -> &str {
        &self.cure
    }
}
