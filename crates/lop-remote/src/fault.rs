//! The meaning of a server's error for a run.

use tonic::{Code, Status};

use crate::access::causes;

/// Why an action has no outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The server does not answer, or has no capacity: it may be back soon.
    Away(String),
    /// The server lacks contents that it had.
    Missing(String),
    /// The action is lost: its worker died, or did not run the test. Another try may succeed.
    Lost(String),
    /// The server does not recognise the client.
    Unknown(String),
    /// The server refuses: no action can succeed.
    Refused(String),
}

impl Fault {
    /// The fault of a request that failed.
    pub(crate) fn of_call(status: &Status) -> Fault {
        let words = in_words(status.code(), status.message());
        // An error with a source comes from a connection that broke on this machine; the server did not send the code.
        let source = std::error::Error::source(status);
        if let Some(source) = source {
            return Fault::Away(format!("{words} ({})", causes(source)));
        }
        match status.code() {
            Code::Unavailable
            | Code::Unknown
            | Code::Cancelled
            | Code::DeadlineExceeded
            | Code::ResourceExhausted => Fault::Away(words),
            code => Fault::of_code(code, words),
        }
    }

    /// The fault of an action whose status isn't OK.
    pub(crate) fn of_action(code: i32, message: &str) -> Fault {
        let code = Code::from(code);
        Fault::of_code(code, in_words(code, message))
    }

    fn of_code(code: Code, words: String) -> Fault {
        match code {
            Code::Unauthenticated => Fault::Unknown(words),
            Code::PermissionDenied | Code::Unimplemented | Code::InvalidArgument => {
                Fault::Refused(words)
            }
            Code::FailedPrecondition | Code::NotFound => Fault::Missing(words),
            _ => Fault::Lost(words),
        }
    }

    /// The server's explanation.
    pub(crate) fn why(&self) -> &str {
        match self {
            Fault::Away(why)
            | Fault::Missing(why)
            | Fault::Lost(why)
            | Fault::Unknown(why)
            | Fault::Refused(why) => why,
        }
    }
}

fn in_words(code: Code, message: &str) -> String {
    match message.is_empty() {
        true => code.description().to_owned(),
        false => message.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_waited_for_and_a_lost_action_is_tried_again() {
        let call = |code| Fault::of_call(&Status::new(code, "why"));
        assert_eq!(call(Code::Unavailable), Fault::Away("why".into()));
        assert_eq!(call(Code::Unknown), Fault::Away("why".into()));
        assert_eq!(call(Code::Internal), Fault::Lost("why".into()));
        assert_eq!(call(Code::PermissionDenied), Fault::Refused("why".into()));
        assert_eq!(call(Code::FailedPrecondition), Fault::Missing("why".into()));
        let action = |code: Code| Fault::of_action(code as i32, "");
        assert!(matches!(action(Code::Internal), Fault::Lost(_)));
        assert!(matches!(action(Code::Unavailable), Fault::Lost(_)), "its worker is away");
        assert!(matches!(action(Code::Cancelled), Fault::Lost(_)), "another client cancelled it");
        assert!(matches!(action(Code::InvalidArgument), Fault::Refused(_)));
    }

    #[test]
    fn a_connection_that_breaks_is_an_outage_whatever_its_code_is() {
        let broken = std::io::Error::new(std::io::ErrorKind::BrokenPipe, "broken pipe");
        let mut status = Status::new(Code::Internal, "h2 protocol error");
        status.set_source(std::sync::Arc::new(broken));
        assert_eq!(Fault::of_call(&status), Fault::Away("h2 protocol error (broken pipe)".into()));
    }
}
