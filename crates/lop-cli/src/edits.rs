//! The edits that turn one text into another.

use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// An edit: a range of bytes and its replacement.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Edit {
    /// The first byte.
    pub(crate) start: usize,
    /// The index after the last byte.
    pub(crate) end: usize,
    /// The replacement.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) with: Vec<u8>,
}

/// The text after all edits, which are in order; `None` if they belong to another text.
pub(crate) fn applied(text: &[u8], edits: &[Edit]) -> Option<Vec<u8>> {
    let mut made = Vec::with_capacity(text.len());
    let mut at = 0;
    for Edit { start, end, with } in edits {
        made.extend_from_slice(text.get(at..*start)?);
        made.extend_from_slice(with);
        text.get(*start..*end)?;
        at = *end;
    }
    made.extend_from_slice(text.get(at..)?);
    Some(made)
}

/// The edits from one text to another, by words. There are few of them if little has changed, but not always the
/// fewest.
pub(crate) fn between(old: &[u8], new: &[u8]) -> Vec<Edit> {
    let (old_words, new_words) = (words(old), words(new));
    let mut edits: Vec<Edit> = Vec::new();
    let mut differ = |these: Range<usize>, those: Range<usize>| {
        let start = old_words.get(these.start).map_or(old.len(), |word| word.start);
        let end = if these.is_empty() { start } else { old_words[these.end - 1].end };
        let with = match those.is_empty() {
            true => Vec::new(),
            false => new[new_words[those.start].start..new_words[those.end - 1].end].to_vec(),
        };
        match edits.last_mut().filter(|last| last.end == start) {
            Some(last) => {
                last.end = end;
                last.with.extend(with);
            }
            None => edits.push(Edit { start, end, with }),
        }
    };
    let same = |old_at: usize, new_at: usize| {
        old[old_words[old_at].clone()] == new[new_words[new_at].clone()]
    };
    let mut open = vec![(0..old_words.len(), 0..new_words.len())];
    // Parts are popped from the end, so that edits come in order.
    while let Some((mut these, mut those)) = open.pop() {
        while !these.is_empty() && !those.is_empty() && same(these.start, those.start) {
            (these.start, those.start) = (these.start + 1, those.start + 1);
        }
        while !these.is_empty() && !those.is_empty() && same(these.end - 1, those.end - 1) {
            (these.end, those.end) = (these.end - 1, those.end - 1);
        }
        if these.is_empty() && those.is_empty() {
            continue;
        }
        let anchors = match these.is_empty() || those.is_empty() {
            true => Vec::new(),
            false => anchors(old, &old_words, these.clone(), new, &new_words, those.clone()),
        };
        if anchors.is_empty() {
            differ(these, those);
            continue;
        }
        let mut parts = Vec::new();
        let (mut this, mut that) = (these.start, those.start);
        for (old_at, new_at) in anchors {
            parts.push((this..old_at, that..new_at));
            (this, that) = (old_at, new_at);
        }
        parts.push((this..these.end, that..those.end));
        open.extend(parts.into_iter().rev());
    }
    edits
}

/// Words that occur once in each of two parts, in the same order in both: the longest such sequence.
fn anchors(
    old: &[u8],
    old_words: &[Range<usize>],
    these: Range<usize>,
    new: &[u8],
    new_words: &[Range<usize>],
    those: Range<usize>,
) -> Vec<(usize, usize)> {
    let mut seen: HashMap<&[u8], (usize, usize, usize, usize)> = HashMap::new();
    for at in these.clone() {
        let entry = seen.entry(&old[old_words[at].clone()]).or_default();
        (entry.0, entry.1) = (entry.0 + 1, at);
    }
    for at in those.clone() {
        let entry = seen.entry(&new[new_words[at].clone()]).or_default();
        (entry.2, entry.3) = (entry.2 + 1, at);
    }
    let mut once: Vec<(usize, usize)> = seen
        .into_values()
        .filter(|(olds, _, news, _)| *olds == 1 && *news == 1)
        .map(|(_, old, _, new)| (old, new))
        .collect();
    once.sort_unstable();
    // The longest increasing subsequence: for each length the smallest end, and its predecessor.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; once.len()];
    for (at, (_, new)) in once.iter().enumerate() {
        let length = ends.partition_point(|end| once[*end].1 < *new);
        before[at] = length.checked_sub(1).map(|length| ends[length]);
        if length == ends.len() { ends.push(at) } else { ends[length] = at }
    }
    let mut longest = Vec::new();
    let mut at = ends.last().copied();
    while let Some(index) = at {
        longest.push(once[index]);
        at = before[index];
    }
    longest.reverse();
    // A first anchor at both beginnings would make no progress; there is none, since equal beginnings were removed.
    longest
}

/// The words of a text: names, numbers, white space, and each other byte alone.
fn words(text: &[u8]) -> Vec<Range<usize>> {
    let class = |byte: u8| match byte {
        b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | 128.. => 1,
        b' ' | b'\t' => 2,
        _ => 0,
    };
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, byte) in text.iter().enumerate() {
        match words.last_mut() {
            Some(word) if class(*byte) > 0 && class(text[at - 1]) == class(*byte) => {
                word.end = at + 1
            }
            _ => words.push(at..at + 1),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_make_one_text_from_the_other() {
        let mut random = lop_testing::random();
        for _ in 0..2000 {
            let mut text = || -> Vec<u8> {
                (0..random.usize(..40)).map(|_| *random.choice(b"ab(); \n").unwrap()).collect()
            };
            let (old, new) = (text(), text());
            assert_eq!(applied(&old, &between(&old, &new)), Some(new.clone()), "{old:?} {new:?}");
        }
    }

    #[test]
    fn what_was_removed_is_all_that_differs() {
        let old = b"int f() { return g(1); }\nint main() { int x = 2; return f(); }\n";
        let new = b"int f() { return 1; }\nint main() { return f(); }\n";
        let edits = between(old, new);
        let removed: usize = edits.iter().map(|edit| edit.end - edit.start).sum();
        let added: usize = edits.iter().map(|edit| edit.with.len()).sum();
        assert_eq!((removed, added), (old.len() - new.len(), 0), "{edits:?}");
    }
}
