//! The parts of a message that change from candidate to candidate, and the words that replace them.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Parts that change from run to run.
const MASKS: &[(&str, &str)] = &[
    (r"0[xX][0-9a-fA-F]+", "ADDRESS"),
    (r"==\d+==", "==PID=="),
    (r"\b(pid|PID|process|thread)( ?[:=#]? ?)\d+", "${1}${2}N"),
    (r"(?:[\w.+~-]*/)+[\w.+~-]+|[\w+-]+\.[A-Za-z][A-Za-z0-9]{0,4}\b(?:[:(]\d)", "PATH"),
    (r"(?i)\b(line|column|col)( ?[:=]? ?)\d+", "${1}${2}N"),
    (r"PATH\d*(?:[:,.]\d+)*", "PATH"),
    (r":\d+(?::\d+)?\b", ":N"),
    (r"\(\d+\)", "(N)"),
];

/// Parts that depend on the names and numbers of the input, in messages about it.
const NAMES: &[(&str, &str)] = &[
    // Suggestions of similar names.
    (r" *[;,.(]? *(?i:(?:did you|perhaps you|maybe you) (?:mean|meant|forget)).*$", ""),
    (r" [({]aka [^)}]*[)}]", ""),
    // Names without quotes, in known messages: after some words, before others.
    (r"[\w$.:]+\(\)", "…()"),
    (
        r"(?i)\b(unknown (?:constant|sort)|(?:undefined|undefined (?:variable|symbol)|undeclared name|no such (?:table|column|function|module)|not in scope|declared and not used|unresolved reference|constraint failed):) [\w$.]+",
        "${1} …",
    ),
    (
        r"[\w$.\[\]()]+ (is not (?:defined|a function|a constructor|iterable)|declared (?:and|but) not used)\b",
        "… ${1}",
    ),
    (r"\S+(: (?:command )?not found)$", "…${1}"),
    // Numbers, but not those in codes such as E0505 or GHC-88464.
    (r"(^|[^\w-]|[^A-Za-z]-)\d+(?:\.\d+)?\b", "${1}N"),
];

/// The types of nothing. A missing value is another failure than a wrong one.
const NOTHINGS: &[&str] = &["NoneType", "null", "nil", "undefined", "nullptr"];

/// A message of a program about itself.
pub(super) fn masked(message: &str) -> String {
    static COMPILED: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| compiled(MASKS));
    replaced(message.into(), &COMPILED).into_owned()
}

/// A message about the input.
pub(super) fn without_names(message: &str) -> String {
    static COMPILED: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| compiled(NAMES));
    let message = unquoted(message);
    replaced(masked(&message).into(), &COMPILED).into_owned()
}

fn replaced<'t>(text: Cow<'t, str>, table: &[(Regex, &str)]) -> Cow<'t, str> {
    table.iter().fold(text, |text, (regex, with)| match regex.replace_all(&text, *with) {
        Cow::Borrowed(_) => text,
        Cow::Owned(changed) => changed.into(),
    })
}

/// Replaces text in quotes if it may be a name or a value of the input: it has a letter, or is empty. Operators and
/// brackets belong to the language, so they stay. An apostrophe within a word isn't a quote.
fn unquoted(message: &str) -> Cow<'_, str> {
    static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
        regex(
            r#"(^|[^\w])(?:(')([^']*)(')|(")([^"]*)(")|(`)([^`']*)([`'])|(‘)([^’]*)(’)|(“)([^”]*)(”))"#,
        )
    });
    QUOTED.replace_all(message, |found: &Captures<'_>| {
        let mut parts = found.iter().skip(1).flatten().map(|part| part.as_str());
        let mut next = || parts.next().unwrap_or_default();
        let (before, open, quoted, close) = (next(), next(), next(), next());
        let has_letter = quoted.contains(|c: char| c.is_alphabetic() || c == '_');
        let is_of_input = quoted.is_empty() || has_letter && !NOTHINGS.contains(&quoted);
        format!("{before}{open}{}{close}", if is_of_input { "…" } else { quoted })
    })
}

fn compiled(table: &[(&str, &'static str)]) -> Vec<(Regex, &'static str)> {
    table.iter().map(|(pattern, with)| (regex(pattern), *with)).collect()
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of this table are correct")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_of_the_input_are_masked_and_the_words_of_the_language_are_not() {
        for (message, expected) in [
            ("error: ‘struct p’ has no member named ‘y’", "error: ‘…’ has no member named ‘…’"),
            ("error: expected ';' before '}' token", "error: expected ';' before '}' token"),
            ("error[E0505]: cannot move out of `b`", "error[E0505]: cannot move out of `…`"),
            ("'<' not supported between 'Kind' and 'int'", "'<' not supported between '…' and '…'"),
            ("'NoneType' object has no attribute 'a'", "'NoneType' object has no attribute '…'"),
            ("can't modify frozen String: \"\"", "can't modify frozen String: \"…\""),
            ("can't find 'it' and doesn't 'know'", "can't find '…' and doesn't '…'"),
            ("undefined reference to `main'", "undefined reference to `…'"),
            (
                "f() takes 2 positional arguments but 3 were given",
                "…() takes N positional arguments but N were given",
            ),
            ("error: [GHC-88464] at 12", "error: [GHC-88464] at N"),
            ("x is 0.5 and -7, not 3rd", "x is N and -N, not 3rd"),
            ("‘foo’ undeclared; did you mean ‘fob’?", "‘…’ undeclared"),
            (
                "no viable conversion from 's' (aka 'b<char>') to 'int'",
                "no viable conversion from '…' to '…'",
            ),
            ("ReferenceError: foo.bar is not defined", "ReferenceError: … is not defined"),
            ("TypeError: f(...).g is not a function", "TypeError: … is not a function"),
            ("near line 3: no such table: orders", "near line N: no such table: …"),
            ("unknown constant x17 (Int)", "unknown constant … (Int)"),
            ("frobnicate: command not found", "…: command not found"),
            ("from /usr/include/stdio.h:27:10", "from PATH"),
        ] {
            assert_eq!(without_names(message), expected);
        }
    }

    #[test]
    fn a_program_that_speaks_about_itself_keeps_its_names() {
        let assertion = "cc1: ../x/y.cc:10: int f(): Assertion `a == b' failed.";
        assert_eq!(masked(assertion), "cc1: PATH: int f(): Assertion `a == b' failed.");
        for place in ["x.c:1", "x.c:12", "x.c:1:2", "x.c:12:34", "/a/x.c:1", "/a/x.c:12:34", "a/x"]
        {
            assert_eq!(masked(&format!("at {place}: no")), "at PATH: no");
        }
    }
}
