//! Protected text: regions between two marks, and matches of patterns.
//!
//! A candidate is tested only if it has all protected text, unchanged and in the same order: a region as whole lines, a
//! match where its pattern still matches, so that `^`, `$` and `\b` hold as before.

use std::ops::Range;
use std::path::PathBuf;

use memchr::memmem;
use regex::bytes::Regex;

use crate::text::Bundle;

const BEGIN: &[u8] = b"lop-keep-begin";
const END: &[u8] = b"lop-keep-end";

/// The protected parts of an input.
#[derive(Clone, Debug, Default)]
pub struct Keep {
    patterns: Vec<Regex>,
    /// The bundle that separates several files.
    bundle: Option<Bundle>,
    /// The protected parts of each file that has any; a single file has no path.
    files: Vec<(Option<PathBuf>, Vec<Part>)>,
}

/// A protected part of a text: a region, a match, or several of them that overlap.
#[derive(Clone, Debug)]
struct Part {
    text: Vec<u8>,
    /// Its pieces, by places in its text.
    pieces: Pieces,
}

type Pieces = Vec<(Range<usize>, Piece)>;

#[derive(Clone, Copy, Debug)]
enum Piece {
    /// The lines between two marks.
    Region,
    /// A match of the pattern with this number.
    Match(usize),
}

impl Keep {
    /// The protected parts of a text: the lines from one with `lop-keep-begin` to the next one with `lop-keep-end`, and
    /// the matches of the patterns.
    pub fn of(text: &[u8], patterns: &[Regex]) -> Keep {
        let parts = parts(text, patterns);
        let files = if parts.is_empty() { Vec::new() } else { vec![(None, parts)] };
        Keep { patterns: patterns.to_vec(), bundle: None, files }
    }

    /// The protected parts of several files: those of each file by itself, as [`Keep::of`] finds them.
    pub fn of_several(bundle: &Bundle, text: &[u8], patterns: &[Regex]) -> Keep {
        let members = bundle.members(text).into_iter();
        let files = members
            .map(|member| (Some(member.path), parts(&text[member.content], patterns)))
            .filter(|(_, parts)| !parts.is_empty());
        Keep { files: files.collect(), patterns: patterns.to_vec(), bundle: Some(bundle.clone()) }
    }

    /// Whether nothing is protected.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Whether a text has all protected parts.
    pub fn is_in(&self, text: &[u8]) -> bool {
        let members = self.bundle.as_ref().filter(|_| !self.is_empty());
        let members = members.map_or_else(Vec::new, |bundle| bundle.members(text));
        self.files.iter().all(|(path, parts)| {
            let content = match path {
                None => Some(text),
                Some(path) => members
                    .iter()
                    .find(|member| member.path == *path)
                    .map(|member| &text[member.content.clone()]),
            };
            content.is_some_and(|content| self.has_all(parts, content))
        })
    }

    /// Whether a file has all of its parts, in their order. The first possible place of each leaves the most room for
    /// the others.
    fn has_all(&self, parts: &[Part], text: &[u8]) -> bool {
        let mut from = 0;
        parts.iter().all(|part| {
            let found = self.find(part, text, from);
            from = found.unwrap_or(from);
            found.is_some()
        })
    }

    /// The end of the first place of a part.
    fn find(&self, part: &Part, text: &[u8], from: usize) -> Option<usize> {
        if let [(_, Piece::Match(pattern))] = part.pieces[..] {
            // One pass over the text, even if the same text often occurs where the pattern does not match.
            let mut at = from;
            while let Some(found) = self.patterns[pattern].find_at(text, at) {
                if found.as_bytes() == part.text {
                    return Some(found.end());
                }
                at = found.end().max(found.start() + 1);
                if at > text.len() {
                    break;
                }
            }
            return None;
        }
        let mut places = memmem::find_iter(&text[from..], &part.text).map(|at| from + at);
        let start = places.find(|start| {
            part.pieces.iter().all(|(range, piece)| {
                let (start, end) = (start + range.start, start + range.end);
                match piece {
                    Piece::Region => is_whole_lines(text, start, end),
                    Piece::Match(pattern) => self.patterns[*pattern]
                        .find_at(text, start)
                        .is_some_and(|found| found.range() == (start..end)),
                }
            })
        })?;
        Some(start + part.text.len())
    }
}

/// The protected parts of a file, in their order. Parts that overlap are merged.
fn parts(text: &[u8], patterns: &[Regex]) -> Vec<Part> {
    let mut pieces: Pieces =
        regions(text).into_iter().map(|region| (region, Piece::Region)).collect();
    for (number, pattern) in patterns.iter().enumerate() {
        let matches = pattern.find_iter(text).map(|found| (found.range(), Piece::Match(number)));
        pieces.extend(matches.filter(|(range, _)| !range.is_empty()));
    }
    pieces.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut merged: Vec<(Range<usize>, Pieces)> = Vec::new();
    for (range, piece) in pieces {
        match merged.last_mut() {
            Some((whole, pieces)) if range.start < whole.end => {
                whole.end = whole.end.max(range.end);
                pieces.push((range.start - whole.start..range.end - whole.start, piece));
            }
            _ => merged.push((range.clone(), vec![(0..range.len(), piece)])),
        }
    }
    merged.into_iter().map(|(range, pieces)| Part { text: text[range].to_vec(), pieces }).collect()
}

/// Whether a range begins where a line begins and ends where one ends.
fn is_whole_lines(text: &[u8], start: usize, end: usize) -> bool {
    let begins = start == 0 || text[start - 1] == b'\n';
    let ends =
        text[..end].ends_with(b"\n") || text.get(end).is_none_or(|byte| b"\r\n".contains(byte));
    begins && ends
}

/// The regions between marks, as whole lines; one without an end mark extends to the end of the text.
fn regions(text: &[u8]) -> Vec<Range<usize>> {
    let mut regions = Vec::new();
    let mut open = None;
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let has = |mark: &[u8]| memmem::find(line, mark).is_some();
        if open.is_none() && has(BEGIN) {
            open = Some(start);
        }
        start += line.len();
        if has(END) {
            regions.extend(open.take().map(|from| from..start));
        }
    }
    regions.extend(open.map(|from| from..text.len()));
    regions
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::text::InputFile;

    fn allows(text: &str, patterns: &[&str], candidate: &str) -> bool {
        let patterns: Vec<Regex> = patterns.iter().map(|it| Regex::new(it).unwrap()).collect();
        Keep::of(text.as_bytes(), &patterns).is_in(candidate.as_bytes())
    }

    #[test]
    fn regions_and_matches_stay_in_their_order() {
        let text = "a\n// lop-keep-begin\nb\n// lop-keep-end\nc\n";
        assert!(allows(text, &[], "// lop-keep-begin\nb\n// lop-keep-end\n"));
        assert!(!allows(text, &[], "// lop-keep-begin\n// lop-keep-end\n"));
        assert!(!allows(text, &[], "a\nc\n"));
        assert!(allows("x1 y x2", &[r"x\d"], "x1x2"));
        assert!(!allows("x1 y x2", &[r"x\d"], "x2x1"));
        assert!(allows("abc", &["ab", "bc"], "abc"));
        assert!(!allows("abc", &["ab", "bc"], "ab"));
        assert!(!allows("abc", &["ab", "bc"], "ab c"), "neither of two that overlap is broken");
        assert!(allows("abc", &["z*"], ""));
    }

    #[test]
    fn a_region_that_does_not_end_goes_to_the_end() {
        assert!(!allows("a\n# lop-keep-begin\nb\nc\n", &[], "# lop-keep-begin\nb\n"));
    }

    #[test]
    fn a_match_stays_where_its_pattern_matches() {
        let lines = "39\n40\n41\n42\n";
        assert!(allows(lines, &["(?m)^4[0-1]$"], "40\n41\n"));
        assert!(allows(lines, &["(?m)^4[0-1]$"], "140\n40\n41"));
        assert!(!allows(lines, &["(?m)^4[0-1]$"], "4041"));
        assert!(!allows(lines, &["(?m)^4[0-1]$"], "40\n4142\n"));
        assert!(!allows("a x b", &[r"\bx\b"], "axb"));
        assert!(allows("a x b", &[r"\bx\b"], "x b"));
        assert!(!allows("aa b aa", &["a+"], "aaaa"), "there is one match, and it is longer");
        assert!(!allows("a\nb\n", &[r"\Aa"], "b\na\n"));
        assert!(!allows("a bc", &[r"\bb", "bc"], "abc"), "neither of two that overlap moves");
    }

    #[test]
    fn a_region_stays_whole_lines() {
        let text = "a\n# lop-keep-begin\n# lop-keep-end\nb\n";
        let region = "# lop-keep-begin\n# lop-keep-end\n";
        assert!(allows(text, &[], &format!("a\n{region}")));
        assert!(!allows(text, &[], &format!("a{region}")));
        assert!(allows("a\nb lop-keep-begin", &[], "b lop-keep-begin"));
        assert!(!allows("a\nb lop-keep-begin", &[], "b lop-keep-begin c"));
    }

    #[test]
    fn each_of_several_files_keeps_its_own_text() {
        let files = [("a", "x\ny\n"), ("b", "x\n")];
        let files = files.map(|(path, text)| InputFile::new(path, text));
        let (bundle, text) = Bundle::pack(None, &files);
        let keep = Keep::of_several(&bundle, &text, &[Regex::new(r"\Ax\n").unwrap()]);
        let with = |a: &str, b: &str| {
            let files = [("a", a), ("b", b)];
            keep.is_in(&bundle.join(files.map(|(path, text)| (Path::new(path), text.as_bytes()))))
        };
        assert!(with("x\n", "x\n"));
        assert!(!with("y\nx\n", "x\n"));
        assert!(!with("x\nx\n", ""));
    }
}
