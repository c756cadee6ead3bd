//! Layout: which white space a cut takes with it, and which white space keeps tokens apart.

use std::ops::Range;

use crate::text::Edit;
use crate::text::{begins_text, ends_text, lexer};

/// A cut extended to its layout, within the edits before and after it: whole lines if nothing else remains on them,
/// else the blanks of one side.
pub(super) fn around(text: &[u8], cut: &Range<usize>, least: usize, most: usize) -> Range<usize> {
    // A whole file has no layout around it.
    if ends_text(text, cut.start) {
        return cut.clone();
    }
    let first = blanks_before(text, cut.start).max(least);
    let after = blanks_after(text, cut.end).min(most);
    // A line after a backslash isn't a separate line.
    let continued = continuation_before(text, first).max(least);
    let is_continued = continued < first;
    let begins_line = !is_continued && (begins_text(text, first) || text[first - 1] == b'\n');
    if begins_line && text[..cut.end].ends_with(b"\n") {
        return first..cut.end;
    }
    if after == most && most < text.len() {
        return if begins_line { cut.start..after } else { cut.clone() };
    }
    let line_end = match &text[after..most] {
        [b'\r', b'\n', ..] => Some(2),
        [b'\n', ..] => Some(1),
        _ if ends_text(&text[..most], after) => Some(0),
        _ => None,
    };
    let is_in = |byte: Option<&u8>, set: &[u8]| byte.is_some_and(|byte| set.contains(byte));
    match line_end {
        Some(length) if begins_line => first..after + length,
        Some(_) => continued.min(first)..after,
        // With blanks on both sides, one is enough, and inside brackets none is needed.
        None if begins_line || is_continued || first < cut.start && after > cut.end => {
            cut.start..after
        }
        None if is_in(text[..first].last(), b"([") => first..after,
        None if is_in(text.get(after), b")],;>") => first..after,
        None => cut.clone(),
    }
}

/// Inserts blanks where two tokens would become one, but not into edits that are bare: there is no layout. `joins` are
/// the characters of words besides letters and digits.
pub(super) fn keep_apart(text: &[u8], edits: &mut [Edit], is_bare: &[bool], joins: &[u8]) {
    for index in (0..edits.len()).filter(|index| !is_bare[*index]) {
        let (done, rest) = edits.split_at_mut(index);
        let Some((edit, later)) = rest.split_first_mut() else { return };
        let before = written_before(text, done, edit.range.start);
        // If the next edit follows immediately, it will look back at this one.
        let kept_to = later.first().map_or(text.len(), |next| next.range.start);
        let after = &text[edit.range.end..kept_to];
        let next = if edit.with.is_empty() { after } else { &edit.with };
        let left = would_glue(before, next, joins);
        let right = !edit.with.is_empty() && would_glue(&edit.with, after, joins);
        if left || right {
            let blank = |wanted: bool| if wanted { &b" "[..] } else { b"" };
            edit.with = [blank(left), &edit.with, blank(right)].concat().into();
        }
    }
}

/// The text immediately before a place after the edits: kept text, or a replacement.
fn written_before<'a>(text: &'a [u8], edits: &'a [Edit], place: usize) -> &'a [u8] {
    let mut end = place;
    for edit in edits.iter().rev() {
        if edit.range.end < end {
            return &text[edit.range.end..end];
        }
        if !edit.with.is_empty() {
            return &edit.with;
        }
        end = edit.range.start;
    }
    &text[..end]
}

/// Whether two tokens would become one without white space between them.
pub(super) fn would_glue(left: &[u8], right: &[u8], joins: &[u8]) -> bool {
    let (Some(last), Some(first)) = (left.last(), right.first()) else { return false };
    let is_word = |byte: u8| lexer::is_word(byte) || joins.contains(&byte);
    let operators = match (last, first) {
        (left, right) if left == right => b"+-&|<>=:/.*".contains(left),
        (left, b'=') => b"+-*/%&|^<>!".contains(left),
        // Comments and arrows.
        (b'/', b'*') | (b'(', b'*') | (b'*', b')') => true,
        (b'-' | b'=', b'>') | (b'<', b'-') => true,
        (_, b'.') => ends_in_number(left),
        _ => false,
    };
    operators || is_word(*last) && is_word(*first)
}

fn ends_in_number(text: &[u8]) -> bool {
    let word = text.iter().rev().take_while(|byte| lexer::is_word(**byte) || **byte == b'.');
    word.last().is_some_and(u8::is_ascii_digit)
}

/// The start of the line of a place.
pub(super) fn line_start(text: &[u8], at: usize) -> usize {
    text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1)
}

/// The end of the blanks after a place.
pub(super) fn blanks_after(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|byte| is_blank(byte)).count()
}

fn blanks_before(text: &[u8], at: usize) -> usize {
    at - text[..at].iter().rev().take_while(|byte| is_blank(byte)).count()
}

/// The start of the blanks, and of the backslashes at line ends, before a place.
fn continuation_before(text: &[u8], at: usize) -> usize {
    let mut at = at;
    loop {
        let before = &text[..at];
        let Some(line) = before.strip_suffix(b"\\\n").or_else(|| before.strip_suffix(b"\\\r\n"))
        else {
            return at;
        };
        at = blanks_before(text, line.len());
    }
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
