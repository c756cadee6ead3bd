//! How inputs fail, which distinguishes those with the same bug from others.

use std::sync::LazyLock;

use lop::oracle::{Outcome, Signature};
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::stack::frames;

/// The most characters of a message that are shown.
const SHORT: usize = 48;

/// How an input fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Failing {
    /// The signature, in words.
    pub(super) signature: String,
    /// The functions in which it fails, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) frames: Vec<String>,
    /// Whether the signature has a message. A signal or an exit code is the same for most bugs of a program.
    pub(super) is_telling: bool,
    /// A short description.
    pub(super) short: String,
}

impl Failing {
    /// How a test ended on a candidate in a file of this name, if that is a failure.
    pub(super) fn of(outcome: &Outcome, candidate: &str) -> Option<Self> {
        let signature = Signature::of(outcome)?;
        let frames = frames(&String::from_utf8_lossy(&outcome.stderr), candidate);
        let message = signature.message();
        let short = match message {
            Some(message) => shortened(message),
            None => signature.to_string(),
        };
        let is_telling = message.is_some();
        Some(Failing { signature: signature.to_string(), frames, is_telling, short })
    }

    /// A key that inputs with the same bug share, as far as can be recognised.
    pub(super) fn key(&self) -> Option<(String, Vec<String>)> {
        static NUMBER: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"-?\b\d+\b").expect("the pattern is correct"));
        // An index or a size belongs to one input.
        let signature = NUMBER.replace_all(&self.signature, "N").into_owned();
        self.is_telling.then(|| (signature, self.frames.clone()))
    }
}

/// A message without what surrounds the kind of a failure.
fn shortened(message: &str) -> String {
    static SANITIZER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(\w+Sanitizer): (?:requested )?([\w-]+)").expect("the pattern is correct")
    });
    if let Some(found) = SANITIZER.captures(message) {
        return format!("{}: {}", &found[1], &found[2]);
    }
    let message = message.trim_start_matches("PATH: ");
    match message.char_indices().nth(SHORT) {
        Some((end, _)) => format!("{}…", message[..end].trim_end()),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::stack::tests::REPORT;

    #[test]
    fn numbers_of_one_input_do_not_tell_bugs_apart() {
        let key = |number: &str| {
            let mut outcome = Outcome::new(lop::Status::Exit(1), std::time::Duration::ZERO);
            outcome.stderr =
                format!("t.c:1:2: runtime error: index {number} out of bounds\n").into();
            Failing::of(&outcome, "in.txt").unwrap().key().unwrap()
        };
        assert_eq!(key("-53"), key("7"));
    }

    #[test]
    fn a_signal_alone_tells_nothing_and_a_message_does() {
        let mut outcome = Outcome::new(lop::Status::Signal(11), std::time::Duration::ZERO);
        assert_eq!(Failing::of(&outcome, "in.txt").unwrap().key(), None);
        outcome.stderr = REPORT.into();
        let failing = Failing::of(&outcome, "in.txt").unwrap();
        assert!(failing.key().is_some());
        assert_eq!(failing.short, "AddressSanitizer: heap-buffer-overflow");
        outcome = Outcome::new(lop::Status::Exit(0), std::time::Duration::ZERO);
        assert_eq!(Failing::of(&outcome, "in.txt"), None);
    }
}
