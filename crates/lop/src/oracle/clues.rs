//! Where the output of a test says that the failure is.
//!
//! Compilers name the line of an error, interpreters the calls that led to an exception, databases the line of a statement. Where the output has
//! the message of the property, the places in and around that message count; else, all places do: a stack trace often comes before its
//! message. A place is a line of the input, or a column of it if the line is long. If the input has line markers, as preprocessed sources
//! have, places are in the files that these name.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::property::{Outcome, Property};
use crate::text::{Bundle, Clues, Text};

/// The most places that are looked at: what names more says little about each.
const MOST: usize = 64;
/// A line that is longer is only a place where the column is known.
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
        let places = message(lines, property)?.iter().flat_map(|line| sources.places_in(line));
        Some(places.collect::<Vec<_>>()).filter(|places| !places.is_empty())
    });
    let all = || streams.iter().flatten().flat_map(|line| sources.places_in(line)).collect();
    let mut places: Vec<Range<usize>> = around.unwrap_or_else(all);
    places.sort_by_key(|place| (place.start, place.end));
    places.dedup();
    if places.len() > MOST {
        places.clear();
    }
    Clues::new(text, places)
}

/// The lines of the message that the property is about, with those that say how the program came there.
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

/// Whether the lines before a message show where it comes from, as node does: the place, the code there, a caret, and nothing.
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

/// The files of the input, with the places of their lines.
struct Sources<'t> {
    text: &'t [u8],
    /// By name: the path, and the range of each line, by its number.
    files: HashMap<Vec<u8>, Vec<(Vec<u8>, Lines)>>,
    /// All lines, if the input is a single file.
    only: Option<Lines>,
}

type Lines = HashMap<usize, Range<usize>>;

impl<'t> Sources<'t> {
    fn new(name: &Path, text: &'t [u8], bundle: Option<&Bundle>) -> Self {
        let mut sources = Sources { text, files: HashMap::new(), only: None };
        match bundle {
            None => {
                let lines = sources.add(name, 0..text.len());
                sources.only = Some(lines);
            }
            Some(bundle) => {
                for member in bundle.members(text).into_iter().filter(|it| it.is_regular()) {
                    sources.add(&member.path, member.content);
                }
            }
        }
        sources
    }

    /// Adds a file, and those that its line markers name.
    fn add(&mut self, path: &Path, content: Range<usize>) -> Lines {
        let mut own = Lines::new();
        let mut marked: HashMap<Vec<u8>, Lines> = HashMap::new();
        let mut current: Option<(Vec<u8>, usize)> = None;
        let mut start = content.start;
        for (number, line) in self.text[content].split_inclusive(|byte| *byte == b'\n').enumerate()
        {
            let range = start..start + line.trim_ascii_end().len();
            start += line.len();
            own.insert(number + 1, range.clone());
            if let Some((line, name)) = marker(line) {
                current = Some((name, line));
            } else if let Some((name, line)) = &mut current {
                marked.entry(name.clone()).or_default().entry(*line).or_insert(range);
                *line = line.saturating_add(1);
            }
        }
        let path = path.as_os_str().as_encoded_bytes().to_vec();
        // What a marker says of a line is what the test says of it.
        marked.entry(path).or_insert_with(|| own.clone());
        for (path, lines) in marked {
            self.files.entry(base(&path).to_vec()).or_default().push((path, lines));
        }
        own
    }

    /// The places that a line of the output names.
    fn places_in(&self, line: &str) -> Vec<Range<usize>> {
        let number = |found: Option<regex::Match<'_>>| found?.as_str().parse::<usize>().ok();
        let mut is_of_a_file = false;
        let mut places = Vec::new();
        for found in PLACE.captures_iter(line) {
            let path = &found[1];
            // `line 3`, `at 12:30` and the like name no file.
            is_of_a_file |= path.contains(['.', '/']);
            let place = |lines| self.place(lines, number(found.get(2))?, number(found.get(3)));
            places.extend(self.lines_of(path.as_bytes()).and_then(place));
        }
        let Some(only) = self.only.as_ref().filter(|_| !is_of_a_file && places.is_empty()) else {
            return places;
        };
        if let Some(found) = SHOWN.captures(line) {
            let code = found[2].trim().as_bytes();
            let is_shown =
                |at: &Range<usize>| !code.is_empty() && self.text[at.clone()].trim_ascii() == code;
            let shown = number(found.get(1)).and_then(|line| only.get(&line));
            return shown.filter(|at| is_shown(at)).cloned().into_iter().collect();
        }
        let found = LINE.captures(line);
        let place =
            |it: regex::Captures<'_>| self.place(only, number(it.get(1))?, number(it.get(2)));
        found.and_then(place).into_iter().collect()
    }

    fn place(&self, lines: &Lines, line: usize, column: Option<usize>) -> Option<Range<usize>> {
        let range = lines.get(&line)?.clone();
        match column {
            _ if range.is_empty() => None,
            Some(column) if range.len() > LONG => {
                let at = range.start.checked_add(column.saturating_sub(1))?;
                (at < range.end).then_some(at..at + 1)
            }
            _ => (range.len() <= LONG).then_some(range),
        }
    }

    /// The lines of the file that a path of the output means: that with the longest common end.
    fn lines_of(&self, path: &[u8]) -> Option<&Lines> {
        let common = |own: &[u8]| {
            own.iter().rev().zip(path.iter().rev()).take_while(|(a, b)| a == b).count()
        };
        let files = self.files.get(base(path))?;
        files.iter().max_by_key(|(own, _)| common(own)).map(|(_, lines)| lines)
    }
}

/// The name at the end of a path, without what some tools put before it, as in `psql:a.sql`, or around it, as in `<stdin>`.
fn base(path: &[u8]) -> &[u8] {
    path.split(|byte| matches!(byte, b'/' | b':' | b'<' | b'>'))
        .rfind(|part| !part.is_empty())
        .unwrap_or(path)
}

/// The line and the file that a line marker of a preprocessor announces: `# 1 "a.h"`, `#line 1 "a.h"`.
fn marker(line: &[u8]) -> Option<(usize, Vec<u8>)> {
    let rest = line.strip_prefix(b"#")?;
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).strip_prefix(b" ")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let name = rest[digits..].trim_ascii_start().strip_prefix(b"\"")?;
    let end = name.iter().position(|byte| *byte == b'"')?;
    Some((number, name[..end].to_vec()))
}
