//! Where the output of a test says that the failure is.
//!
//! Compilers name the line of an error, interpreters the calls that led to an exception, databases the line of a
//! statement. If the output has the message of the property, only the places in and around that message count;
//! otherwise all places do: a stack trace often comes before its message. A place is a line of the input, or a column
//! of it if the line is long. If the input has line markers, as preprocessed sources have, places are in the files that
//! these name.

use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::property::{Outcome, Property};
use super::sources::Sources;
use crate::text::{Bundle, Clues, Text};

/// The most places that are used: an output that names more says little about each.
const MOST: usize = 64;
/// A longer line only counts as a place if the column is known.
const LONG: usize = 256;

/// The places that the output of a test names, in the text that it was run on. `name` is the path of the candidate for the test.
pub fn clues(
    outcome: &Outcome,
    property: &Property,
    name: &Path,
    text: &Text,
    bundle: Option<&Bundle>,
) -> Clues {
    if outcome.stderr.is_empty() && outcome.stdout.is_empty() {
        return Clues::default();
    }
    let sources = Sources::new(name, text, bundle);
    let streams = [&outcome.stderr, &outcome.stdout].map(|it| String::from_utf8_lossy(it));
    let streams = streams.each_ref().map(|stream| stream.lines().collect::<Vec<_>>());
    let around = streams.iter().find_map(|lines| {
        let places =
            message(lines, property)?.iter().flat_map(|line| places_in(&sources, text, line));
        Some(places.collect::<Vec<_>>()).filter(|places| !places.is_empty())
    });
    let all =
        || streams.iter().flatten().flat_map(|line| places_in(&sources, text, line)).collect();
    let mut places: Vec<Range<usize>> = around.unwrap_or_else(all);
    places.sort_by_key(|place| (place.start, place.end));
    places.dedup();
    if places.len() > MOST {
        places.clear();
    }
    Clues::new(text, places)
}

/// The lines of the message that the property requires, with the lines that say how the program got there.
fn message<'l>(lines: &'l [&'l str], property: &Property) -> Option<&'l [&'l str]> {
    let at = lines.iter().position(|line| property.is_said_in(line))?;
    let is_end = |line: &&str| line.trim().is_empty() || HEAD.is_match(line);
    let after = lines[at + 1..].iter().take_while(|line| !is_end(line)).count();
    let before = match &lines[..at] {
        [.., place, _, caret, blank] if is_shown(place, caret, blank) => 4,
        before => before.iter().rev().take_while(|line| ON_THE_WAY.is_match(line)).count(),
    };
    Some(&lines[at - before..=at + after])
}

/// Whether the lines before a message show where it comes from, as node does: the place, the code there, a caret, and a
/// blank line.
fn is_shown(place: &str, caret: &str, blank: &str) -> bool {
    let is_caret = !caret.trim().is_empty() && caret.trim().bytes().all(|byte| byte == b'^');
    blank.trim().is_empty() && is_caret && PLACE.is_match(place)
}

/// Another message.
static HEAD: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)\b(error|warning)\b(\[\w+\])?:"));

/// What is printed before a message about a template or an included file.
static ON_THE_WAY: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"\brequired (from|by)\b|\bIn (instantiation|substitution|function|member)\b")
});

/// A path with a line and a column: `a.c:1:2`, `"a.py", line 1`, `a.ts(1,2)`, `a.php on line 1`.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"([^\s"'`(<\[]*?[^\s"'`(<\[:,])["'`]?(?:,? (?:on |at )?line |[:(]|, ?)(\d+)(?:[:,](\d+))?"#,
    )
});

/// A line without a path.
static LINE: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)\bline[ :=#]*(\d+)(?:[,:]? *(?:col(?:umn)?|char(?:acter)?)?[ :=#]*(\d+))?")
});

/// A line of code that is shown with its number.
static SHOWN: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*(\d+)\s*\|\s?(.*)$"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of this file are correct")
}

/// The places that a line of the output names.
fn places_in(sources: &Sources, text: &[u8], line: &str) -> Vec<Range<usize>> {
    let number = |found: Option<regex::Match<'_>>| found?.as_str().parse::<usize>().ok();
    let mut is_of_a_file = false;
    let mut places = Vec::new();
    for found in PLACE.captures_iter(line) {
        let path = &found[1];
        // `line 3`, `at 12:30` and the like do not name a file.
        is_of_a_file |= path.contains(['.', '/']);
        let range = number(found.get(2)).and_then(|it| sources.line_of(path.as_bytes(), it));
        places.extend(range.and_then(|it| place(it, number(found.get(3)))));
    }
    if !sources.is_one() || is_of_a_file || !places.is_empty() {
        return places;
    }
    if let Some(found) = SHOWN.captures(line) {
        let code = found[2].trim().as_bytes();
        let is_shown =
            |at: &Range<usize>| !code.is_empty() && text[at.clone()].trim_ascii() == code;
        let shown = number(found.get(1)).and_then(|line| sources.line(line));
        return shown.filter(is_shown).into_iter().collect();
    }
    let range = LINE
        .captures(line)
        .and_then(|found| place(sources.line(number(found.get(1))?)?, number(found.get(2))));
    range.into_iter().collect()
}

/// The range of a line, or of the column in it if the line is long.
fn place(line: Range<usize>, column: Option<usize>) -> Option<Range<usize>> {
    match column {
        _ if line.is_empty() => None,
        Some(column) if line.len() > LONG => {
            let at = line.start.checked_add(column.saturating_sub(1))?;
            (at < line.end).then_some(at..at + 1)
        }
        _ => (line.len() <= LONG).then_some(line),
    }
}
