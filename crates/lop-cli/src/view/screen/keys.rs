//! The keys of the live view, as data: the last line and the help are derived from it.

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Pause,
    Skip,
    Diff,
    Help,
    Quit,
    Back,
    /// Scrolls by this many lines.
    Scroll(isize),
}

/// A key that the help lists.
pub(super) struct Key {
    /// Its name.
    pub(super) name: &'static str,
    /// Its action, in a word or two.
    pub(super) short: &'static str,
    /// Its action.
    pub(super) about: &'static str,
}

/// The keys that the help lists, the most important first.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "q",
        short: "quit, keep the best",
        about: "stop, and keep the best so far; lop --resume goes on",
    },
    Key {
        name: "p",
        short: "pause",
        about: "pause: start no test until p is pressed again; Space does the same",
    },
    Key {
        name: "s",
        short: "skip phase",
        about: "skip the rest of this phase, until the text has changed",
    },
    Key {
        name: "d",
        short: "diff",
        about: "show the accepted edits, the last one first; arrows scroll",
    },
    Key { name: "?", short: "help", about: "show this help; Esc goes back" },
];

/// The actions of keys, by the bytes that terminals send for them.
const BINDINGS: &[(&[u8], Action)] = &[
    (b"p", Action::Pause),
    (b" ", Action::Pause),
    (b"s", Action::Skip),
    (b"d", Action::Diff),
    (b"?", Action::Help),
    (b"h", Action::Help),
    (b"q", Action::Quit),
    (b"\x1b[A", Action::Scroll(-1)),
    (b"\x1bOA", Action::Scroll(-1)),
    (b"k", Action::Scroll(-1)),
    (b"\x1b[B", Action::Scroll(1)),
    (b"\x1bOB", Action::Scroll(1)),
    (b"j", Action::Scroll(1)),
    (b"\x1b[5~", Action::Scroll(-10)),
    (b"\x1b[6~", Action::Scroll(10)),
    (b"\x1b", Action::Back),
];

/// The actions of typed keys. Sequences are not torn: a terminal sends each in one write, and Esc alone.
pub(super) fn actions(mut typed: &[u8]) -> Vec<Action> {
    let mut actions = Vec::new();
    while !typed.is_empty() {
        let is_typed = |(bytes, _): &&(&[u8], Action)| typed.starts_with(bytes);
        // The longest one, since a sequence also begins with Esc.
        let found = BINDINGS.iter().filter(is_typed).max_by_key(|(bytes, _)| bytes.len());
        match found {
            // A sequence of a key without an action.
            Some((b"\x1b", _)) if typed.len() > 1 => {
                let end = typed[2..].iter().position(|byte| (0x40..0x7f).contains(byte));
                typed = end.map_or(&[], |end| &typed[end + 3..]);
            }
            Some((bytes, action)) => {
                actions.push(*action);
                typed = &typed[bytes.len()..];
            }
            None => typed = &typed[1..],
        }
    }
    actions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_apart_however_they_arrive() {
        let check = |typed: &[u8], expected: &[Action]| assert_eq!(actions(typed), expected);
        check(b"p", &[Action::Pause]);
        check(b" x?", &[Action::Pause, Action::Help]);
        check(b"\x1b", &[Action::Back]);
        check(b"\x1b[A\x1b[6~q", &[Action::Scroll(-1), Action::Scroll(10), Action::Quit]);
        // Home and F5 have no action, and aren't mistaken for Esc.
        check(b"\x1b[H\x1b[15~s", &[Action::Skip]);
        check(b"\xc3\xa9\xff", &[]);
    }

    #[test]
    fn every_key_that_people_are_told_about_is_bound() {
        for key in KEYS {
            assert_eq!(actions(key.name.as_bytes()).len(), 1, "{}", key.name);
        }
    }
}
