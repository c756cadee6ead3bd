//! An accepted edit as readable lines: the parts that were removed and added, within the lines that it touched.

use std::ops::Range;

use super::text::shown;
use crate::edits::{Edit, between};

/// The most lines of one edit.
const MOST: usize = 200;
/// Texts that differ in more bytes than this are not compared in detail.
const LARGE: usize = 1 << 18;
/// The most unchanged characters that are shown before, between and after changes.
const AROUND: usize = 24;

/// A line that an edit touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) mark: Mark,
    pub(super) parts: Vec<(Part, String)>,
}

/// The change of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Removed,
    Added,
    Changed,
}

/// The change of a part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Kept,
    Removed,
    Added,
}

/// The lines of an edit that turned one text into another.
pub(super) fn lines(before: &[u8], after: &[u8]) -> Vec<Line> {
    let shorter = before.len().min(after.len());
    let same = |(left, right): &(&u8, &u8)| left == right;
    let mut start = before.iter().zip(after).take_while(same).count();
    let most = shorter - start;
    let mut end = before.iter().rev().zip(after.iter().rev()).take(most).take_while(same).count();
    // Whole words are compared.
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    start -= before[..start].iter().rev().take_while(|byte| is_word(byte)).count();
    end -= before[before.len() - end..].iter().take_while(|byte| is_word(byte)).count();
    let (old, new) = (&before[start..before.len() - end], &after[start..after.len() - end]);
    if old.len() + new.len() > LARGE {
        let part = |part: Part, bytes: &[u8]| (part, format!("{} bytes", bytes.len()));
        let parts = vec![part(Part::Removed, old), part(Part::Added, new)];
        return vec![Line { mark: Mark::Changed, parts }];
    }
    let mut edits: Vec<Edit> = between(old, new);
    let mut free = 0;
    for edit in &mut edits {
        (edit.start, edit.end) = (edit.start + start, edit.end + start);
        slide(before, edit, free);
        free = edit.end;
    }
    let mut lines = Vec::new();
    let mut rest = &edits[..];
    while let Some(first) = rest.first()
        && lines.len() < MOST
    {
        let whole = line_start(before, first.start);
        let mut reach = line_end(before, first.end);
        let is_near = |edit: &&Edit| {
            let is_near = edit.start < reach;
            reach = if is_near { line_end(before, edit.end) } else { reach };
            is_near
        };
        let count = 1 + rest[1..].iter().take_while(is_near).count();
        let (group, others) = rest.split_at(count);
        touched(before, whole..line_end(before, group[count - 1].end), group, &mut lines);
        rest = others;
    }
    lines.truncate(MOST);
    lines
}

/// Moves a cut to the beginning of a line, if the result is the same: of two functions that begin with the same words,
/// the whole first one was cut.
fn slide(text: &[u8], edit: &mut Edit, free: usize) {
    if !edit.with.is_empty() || line_start(text, edit.start) == edit.start {
        return;
    }
    if text.get(edit.start) == Some(&b'\n') && text.get(edit.end) == Some(&b'\n') {
        (edit.start, edit.end) = (edit.start + 1, edit.end + 1);
        return;
    }
    let by = edit.start - line_start(text, edit.start);
    let is_same = || (0..by).all(|each| text[edit.start - 1 - each] == text[edit.end - 1 - each]);
    if edit.start - by >= free && edit.end - edit.start >= by && is_same() {
        (edit.start, edit.end) = (edit.start - by, edit.end - by);
    }
}

fn line_start(text: &[u8], at: usize) -> usize {
    text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |index| index + 1)
}

/// The end of the line in which a range ends; if the range ends at a line end, that is the end.
fn line_end(text: &[u8], end: usize) -> usize {
    if end > 0 && text[end - 1] == b'\n' {
        return end;
    }
    text[end..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |index| end + index + 1)
}

/// The lines of a range of a text, with the edits in it.
fn touched(text: &[u8], range: Range<usize>, edits: &[Edit], lines: &mut Vec<Line>) {
    let mut parts = Parts { line: Vec::new(), has_newline_removed: false, lines };
    let mut at = range.start;
    for Edit { start, end, with } in edits {
        parts.push(Part::Kept, &text[at..*start]);
        parts.push(Part::Removed, &text[*start..*end]);
        parts.push(Part::Added, with);
        at = *end;
    }
    parts.push(Part::Kept, &text[at..range.end]);
    parts.end_line();
}

struct Parts<'l> {
    line: Vec<(Part, String)>,
    has_newline_removed: bool,
    lines: &'l mut Vec<Line>,
}

impl Parts<'_> {
    fn push(&mut self, part: Part, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (piece, ends) = match piece.strip_suffix(b"\n") {
                Some(piece) => (piece, true),
                None => (piece, false),
            };
            if !piece.is_empty() {
                self.line.push((part, shown(piece)));
            }
            if ends {
                self.has_newline_removed = part == Part::Removed;
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let mut parts = std::mem::take(&mut self.line);
        let joins = std::mem::take(&mut self.has_newline_removed);
        let has = |part: Part| parts.iter().any(|(each, text)| *each == part && !is_blank(text));
        let (kept, removed, added) = (has(Part::Kept), has(Part::Removed), has(Part::Added));
        let mark = match (kept, removed, added) {
            (false, true, false) => Mark::Removed,
            (false, false, true) => Mark::Added,
            (_, false, false) if !(kept && joins) => return,
            _ => Mark::Changed,
        };
        if mark != Mark::Changed {
            let text: String = parts.drain(..).map(|(_, text)| text).collect();
            let part = if mark == Mark::Removed { Part::Removed } else { Part::Added };
            parts.push((part, text));
        } else if joins {
            parts.push((Part::Removed, "⏎".into()));
        }
        let last = parts.len() - 1;
        for (index, (_, text)) in parts.iter_mut().enumerate().filter(|(_, it)| it.0 == Part::Kept)
        {
            *text = shortened(text, index > 0, index < last);
        }
        self.lines.push(Line { mark, parts });
    }
}

fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// A text of which only the ends next to changes are shown.
fn shortened(text: &str, has_before: bool, has_after: bool) -> String {
    let count = text.chars().count();
    let (first, last) = (AROUND * usize::from(has_before), AROUND * usize::from(has_after));
    if count <= first + last + 1 {
        return text.into();
    }
    let start: String = text.chars().take(first).collect();
    let end: String = text.chars().skip(count - last).collect();
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the lines in wdiff's notation.
    fn check(before: &str, after: &str, expected: &[&str]) {
        let write = |line: &Line| -> String {
            let part = |(part, text): &(Part, String)| match part {
                Part::Kept => text.clone(),
                Part::Removed => format!("[-{text}-]"),
                Part::Added => format!("{{+{text}+}}"),
            };
            let text: String = line.parts.iter().map(part).collect();
            match line.mark {
                Mark::Removed => format!("- {text}"),
                Mark::Added => format!("+ {text}"),
                Mark::Changed => format!("~ {text}"),
            }
        };
        let lines = lines(before.as_bytes(), after.as_bytes());
        assert_eq!(lines.iter().map(write).collect::<Vec<_>>(), expected, "{before:?} {after:?}");
    }

    #[test]
    fn the_lines_that_were_touched_are_shown_with_what_changed_in_them() {
        check("one\ntwo\nthree\n", "one\nthree\n", &["- [-two-]"]);
        check("int f(int x);\n", "int f();\n", &["~ int f([-int x-]);"]);
        check("a = 1 + 2;\n", "a = 2;\n", &["~ a = [-1 + -]2;"]);
        check("call(alpha);\n", "call(beta);\n", &["~ call([-alpha-]{+beta+});"]);
        check("same\n", "same\n", &[]);
        check("", "new\n", &["+ {+new+}"]);
        check("x", "", &["- [-x-]"]);
    }

    #[test]
    fn edits_over_several_lines_show_each_of_them_that_lost_more_than_layout() {
        check(
            "if (x) {\n  f();\n  g();\n}\nend\n",
            "f();\nend\n",
            &["- [-if (x) {-]", "- [-  g();-]", "- [-}-]"],
        );
        // Either `static` may have been cut.
        check(
            "static a() {\n}\nstatic b();\n",
            "static b();\n",
            &["- [-static a() {-]", "- [-}-]"],
        );
        check("a\nb\n", "a b\n", &["~ a[-⏎-]"]);
    }

    #[test]
    fn lines_far_apart_are_shown_without_what_is_between_them() {
        let between = "x\n".repeat(50);
        check(
            &format!("one\n{between}two three\n"),
            &format!("{between}two\n"),
            &["- [-one-]", "~ two[- three-]"],
        );
    }

    #[test]
    fn long_lines_are_shown_around_their_changes() {
        let long = "word ".repeat(100);
        let lines = lines(format!("{long}cut {long}").as_bytes(), long.repeat(2).as_bytes());
        let text: String = lines[0].parts.iter().map(|(_, text)| text.as_str()).collect();
        assert!(text.starts_with('…') && text.contains("word cut word"), "{text}");
        assert!(text.chars().count() < 70, "{text}");
    }

    #[test]
    fn huge_edits_are_only_counted() {
        let before = "x;\n".repeat(200_000);
        check(&before, "", &["~ [-600000 bytes-]{+0 bytes+}"]);
    }

    #[test]
    fn any_two_texts_have_a_difference_that_can_be_shown() {
        let mut random = lop_testing::random();
        for _ in 0..2000 {
            let mut text = || -> Vec<u8> {
                (0..random.usize(..30))
                    .map(|_| *random.choice(b"ab(; \n\t\x00\xff").unwrap())
                    .collect()
            };
            let (before, after) = (text(), text());
            let lines = lines(&before, &after);
            assert!(lines.iter().all(|line| !line.parts.is_empty()), "{before:?} {after:?}");
        }
    }
}
