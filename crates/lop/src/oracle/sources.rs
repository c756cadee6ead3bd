//! The files of an input, by the names that programs give them, with the places of their lines.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use crate::text::Bundle;

/// The files of an input. If a file has line markers, as preprocessed sources have, the files that they name are
/// separate files.
pub struct Sources {
    /// By the last part of the path.
    files: HashMap<Vec<u8>, Vec<Source>>,
    /// All lines, if the input is a single file.
    only: Option<Lines>,
}

struct Source {
    path: Vec<u8>,
    content: Range<usize>,
    lines: Lines,
}

/// The ranges of lines, by their numbers.
type Lines = HashMap<usize, Range<usize>>;

impl Sources {
    /// The files of a text; `name` is the path of the candidate for the test.
    pub fn new(name: &Path, text: &[u8], bundle: Option<&Bundle>) -> Self {
        let mut sources = Sources { files: HashMap::new(), only: None };
        match bundle {
            None => {
                let lines = sources.add(name, text, 0..text.len());
                sources.only = Some(lines);
            }
            Some(bundle) => {
                for member in bundle.members(text).into_iter().filter(|it| it.is_regular()) {
                    sources.add(&member.path, text, member.content);
                }
            }
        }
        sources
    }

    /// Adds a file, and those that its line markers name.
    fn add(&mut self, path: &Path, text: &[u8], content: Range<usize>) -> Lines {
        let mut own = Lines::new();
        let mut marked: HashMap<Vec<u8>, Lines> = HashMap::new();
        let mut current: Option<(Vec<u8>, usize)> = None;
        let mut start = content.start;
        let lines = text[content.clone()].split_inclusive(|byte| *byte == b'\n');
        for (number, line) in lines.enumerate() {
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
        // Tests report lines as the markers number them, so markers that name this file win.
        marked.entry(path).or_insert_with(|| own.clone());
        for (path, lines) in marked {
            let content = content.clone();
            let files = self.files.entry(base(&path).to_vec()).or_default();
            files.push(Source { path, content, lines });
        }
        own
    }

    /// Whether the input is a single file.
    pub(super) fn is_one(&self) -> bool {
        self.only.is_some()
    }

    /// A line of the only file.
    pub(super) fn line(&self, number: usize) -> Option<Range<usize>> {
        self.only.as_ref()?.get(&number).cloned()
    }

    /// A line of the file that a path means, without its line end.
    pub fn line_of(&self, path: &[u8], number: usize) -> Option<Range<usize>> {
        self.find(path)?.lines.get(&number).cloned()
    }

    /// The content of the file that a path means.
    pub fn content_of(&self, path: &[u8]) -> Option<Range<usize>> {
        Some(self.find(path)?.content.clone())
    }

    /// The file that a path means: the one with the longest common end.
    fn find(&self, path: &[u8]) -> Option<&Source> {
        let common = |own: &[u8]| {
            own.iter().rev().zip(path.iter().rev()).take_while(|(a, b)| a == b).count()
        };
        self.files.get(base(path))?.iter().max_by_key(|it| common(&it.path))
    }
}

/// The name at the end of a path, without the prefix that some tools add, as in `psql:a.sql`, or brackets, as in
/// `<stdin>`.
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
