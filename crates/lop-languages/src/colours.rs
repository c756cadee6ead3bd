//! Syntax colours, by the highlight queries of the tree-sitter packages.

use std::ops::Range;

use tree_sitter::{QueryCursor, StreamingIterator};

use crate::language::{Language, inflated};
use crate::table::TABLE;
use crate::{bundled, find};

/// The kind of a part of a text that decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Colour {
    /// A comment.
    Comment,
    /// A keyword or an operator that is a word.
    Keyword,
    /// A string or a character.
    Text,
    /// A number or another constant.
    Constant,
    /// A type.
    Type,
    /// The name of a function.
    Function,
    /// A directive, an attribute or a tag.
    Directive,
}

impl Colour {
    /// The colour of a capture of a highlight query. Names and punctuation have none.
    fn of(capture: &str) -> Option<Colour> {
        Some(match capture.split('.').next().unwrap_or_default() {
            "comment" => Colour::Comment,
            "keyword" | "conditional" | "repeat" | "include" | "exception" | "storageclass" => {
                Colour::Keyword
            }
            "string" | "character" | "escape" => Colour::Text,
            "number" | "float" | "boolean" | "constant" => Colour::Constant,
            "type" => Colour::Type,
            "function" | "method" | "constructor" => Colour::Function,
            "attribute" | "tag" | "preproc" | "label" => Colour::Directive,
            _ => return None,
        })
    }
}

/// The coloured parts of a text in a bundled language, in order and without overlaps. None if the language has no highlight query.
pub fn colours(name: &str, text: &[u8]) -> Vec<(Range<usize>, Colour)> {
    let Some((language, query)) = find(name).and_then(|it| Some((it.clone(), query(&it)?))) else {
        return Vec::new();
    };
    let Some(tree) = language.parser().parse(text, None) else { return Vec::new() };
    let names = query.capture_names();
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.captures(&query, tree.root_node(), text);
    // If a node has several captures, the last pattern counts; parts inside a part come after it.
    let mut found: Vec<(Range<usize>, usize, Option<Colour>)> = Vec::new();
    while let Some((matched, index)) = matches.next() {
        let capture = matched.captures[*index];
        let colour = Colour::of(names[capture.index as usize]);
        found.push((capture.node.byte_range(), matched.pattern_index, colour));
    }
    found.sort_by_key(|(range, pattern, _)| (range.start, std::cmp::Reverse(range.end), *pattern));
    let mut painted: Vec<Option<Colour>> = vec![None; text.len()];
    for (range, _, colour) in found.into_iter().filter(|(_, _, colour)| colour.is_some()) {
        painted[range].fill(colour);
    }
    let mut parts: Vec<(Range<usize>, Colour)> = Vec::new();
    for (at, colour) in painted.into_iter().enumerate() {
        let Some(colour) = colour else { continue };
        match parts.last_mut() {
            Some((range, before)) if range.end == at && *before == colour => range.end = at + 1,
            _ => parts.push((at..at + 1, colour)),
        }
    }
    parts
}

/// The highlight query of a language, after that of the language which it extends.
fn query(language: &Language) -> Option<tree_sitter::Query> {
    let entry = TABLE.iter().find(|entry| entry.name == language.name())?;
    let stored = |name: &str| bundled(name).map_or(String::new(), |(_, _, query)| inflated(query));
    let own = stored(entry.name);
    let whole = format!("{}\n{own}", stored(entry.extends));
    if whole.trim().is_empty() {
        return None;
    }
    // Some patterns of the other language may not fit.
    language.query(&whole).or_else(|_| language.query(&own)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_colours_of_their_language() {
        let cases = [
            (
                "c",
                "int f() { return 1; } // no",
                vec![
                    ("int", Colour::Type),
                    ("return", Colour::Keyword),
                    ("// no", Colour::Comment),
                ],
            ),
            (
                "cpp",
                "class A { int x = 7; };",
                vec![("class", Colour::Keyword), ("7", Colour::Constant)],
            ),
            (
                "typescript",
                "const a: number = 'x';",
                vec![("const", Colour::Keyword), ("'x'", Colour::Text)],
            ),
            (
                "python",
                "def f():\n    return None\n",
                vec![("def", Colour::Keyword), ("f", Colour::Function)],
            ),
        ];
        for (name, text, expected) in cases {
            if !crate::is_bundled(name) {
                continue;
            }
            let parts = colours(name, text.as_bytes());
            let parts: Vec<(&str, Colour)> =
                parts.into_iter().map(|(range, colour)| (&text[range], colour)).collect();
            for part in expected {
                assert!(parts.contains(&part), "{name}: {part:?} in {parts:?}");
            }
        }
    }

    #[test]
    fn most_languages_have_colours_and_none_panics() {
        let bundled: Vec<_> = TABLE.iter().filter(|entry| crate::is_bundled(entry.name)).collect();
        let with = bundled.iter().filter(|entry| query(&find(entry.name).unwrap()).is_some());
        assert!(4 * with.count() >= 3 * bundled.len());
        bundled.iter().for_each(|entry| drop(colours(entry.name, b"a (1) \"b\" { c }")));
    }
}
