//! Sets of characters.

use regex_syntax::hir::{Class, HirKind};

use crate::blocks::block;

/// A set of characters, as ranges in ascending order with gaps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct CharSet {
    ranges: Vec<(u32, u32)>,
}

/// The largest character.
const LAST: u32 = 0x0010_FFFF;

impl CharSet {
    pub(crate) fn of(ranges: impl IntoIterator<Item = (u32, u32)>) -> CharSet {
        let mut ranges: Vec<_> = ranges.into_iter().filter(|(first, last)| first <= last).collect();
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::new();
        for (first, last) in ranges {
            match merged.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last)
                }
                _ => merged.push((first, last)),
            }
        }
        CharSet { ranges: merged }
    }

    pub(crate) fn one(character: char) -> CharSet {
        CharSet::of([(character.into(), character.into())])
    }

    pub(crate) fn all() -> CharSet {
        CharSet::of([(0, LAST)])
    }

    /// A class such as `Lu`, `Script=Greek` or `InBasic_Latin` of `\p{…}`; `None` if no class has that name.
    pub(crate) fn class(name: &str, is_negated: bool) -> Option<CharSet> {
        let name = name.to_lowercase().replace(['-', ' '], "_");
        let named = |name: &str| {
            let (property, value) = name.split_once('=').unwrap_or(("", name));
            match property {
                "block" | "blk" => block(value).map(|range| CharSet::of([range])),
                "" | "emojipresentation" => special(value).or_else(|| unicode(name)),
                _ => unicode(name),
            }
        };
        // The prefixes of scripts and blocks may be omitted, or short.
        let class = named(&name)
            .or_else(|| unicode(&format!("script={name}")))
            .or_else(|| name.strip_prefix("in").and_then(|name| named(&format!("block={name}"))))?;
        Some(if is_negated { class.negated() } else { class })
    }

    pub(crate) fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    pub(crate) fn has(&self, character: u32) -> bool {
        let behind = self.ranges.partition_point(|(_, last)| *last < character);
        self.ranges.get(behind).is_some_and(|(first, _)| *first <= character)
    }

    pub(crate) fn with(&self, other: &CharSet) -> CharSet {
        CharSet::of(self.ranges.iter().chain(&other.ranges).copied())
    }

    pub(crate) fn negated(&self) -> CharSet {
        let mut rest = Vec::new();
        let mut at = 0;
        for (first, last) in &self.ranges {
            if at < *first {
                rest.push((at, first - 1));
            }
            at = last + 1;
        }
        rest.push((at, LAST));
        CharSet::of(rest)
    }

    fn and(&self, other: &CharSet) -> CharSet {
        self.negated().with(&other.negated()).negated()
    }

    /// This set with the small and capital letters of all its letters.
    pub(crate) fn case_insensitive(&self) -> CharSet {
        // Larger sets would be whole alphabets, which have both cases anyway.
        const MOST: u32 = 4096;
        let mut ranges = self.ranges.clone();
        for (first, last) in &self.ranges {
            if last - first > MOST {
                continue;
            }
            for character in (*first..=*last).filter_map(char::from_u32) {
                let simple = |mut cased: Box<dyn Iterator<Item = char>>| match (
                    cased.next(),
                    cased.next(),
                ) {
                    (Some(one), None) => Some((u32::from(one), u32::from(one))),
                    _ => None,
                };
                ranges.extend(simple(Box::new(character.to_lowercase())));
                ranges.extend(simple(Box::new(character.to_uppercase())));
            }
        }
        CharSet::of(ranges)
    }
}

/// A class that regular expressions know by the same name.
fn unicode(name: &str) -> Option<CharSet> {
    let parsed = regex_syntax::Parser::new().parse(&format!("\\p{{{name}}}")).ok()?;
    match parsed.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            Some(CharSet::of(class.iter().map(|range| (range.start().into(), range.end().into()))))
        }
        // A class with one character.
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            Some(CharSet::of(text.chars().map(|c| (c.into(), c.into()))))
        }
        _ => None,
    }
}

/// The classes that only ANTLR has, most of them of emoji.
fn special(name: &str) -> Option<CharSet> {
    let emoji = || unicode("emoji");
    // Single characters in Unicode's table: keycaps, flags, and signs such as ©.
    let others = ['#', '*', '©', '®', '™', '〰', '〽'].map(|sign| (sign.into(), sign.into()));
    let others = CharSet::of(others.into_iter().chain([(0x30, 0x39), (0x1F1E6, 0x1F1FF)]));
    match name {
        // Surrogates do not occur in texts.
        "cs" | "surrogate" => Some(CharSet::of([(0xD800, 0xDFFF)])),
        "emojidefault" => Some(emoji()?.and(&unicode("emoji_presentation")?)),
        "textdefault" => Some(emoji()?.and(&unicode("emoji_presentation")?.negated())),
        "text" => Some(emoji()?.negated()),
        "emojirk" => Some(others),
        "emojinrk" => Some(emoji()?.and(&others.negated())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_and_its_negation_have_all_characters_once() {
        let mut random = lop_testing::random();
        for _ in 0..200 {
            let mut range = |_| {
                let first = random.u32(..300);
                (first, first + random.u32(..9))
            };
            let ranges: Vec<(u32, u32)> = (0..4).map(&mut range).collect();
            let (set, negated) =
                (CharSet::of(ranges.clone()), CharSet::of(ranges.clone()).negated());
            for c in 0..320 {
                let is_in = ranges.iter().any(|(first, last)| (*first..=*last).contains(&c));
                assert_eq!((set.has(c), negated.has(c)), (is_in, !is_in), "{c} in {ranges:?}");
            }
            assert!(negated.has(LAST) && negated.negated() == set);
        }
    }

    #[test]
    fn classes_and_cases() {
        assert!(CharSet::class("Lu", false).unwrap().has('Ä'.into()));
        assert!(!CharSet::class("Lu", true).unwrap().has('Ä'.into()));
        assert!(CharSet::class("Greek", false).unwrap().has('λ'.into()));
        for name in ["InBasic_Latin", "Blk=ASCII", "Block=Basic_Latin", "block=basic-latin"] {
            assert_eq!(CharSet::class(name, false), Some(CharSet::of([(0, 127)])), "{name}");
        }
        let emoji = ["Emoji", "EmojiPresentation=EmojiDefault", "Emoji_Presentation", "EmojiNRK"];
        for name in emoji.iter().chain(&["So", "gc=So", "Other_Symbol", "scx=Common"]) {
            assert!(CharSet::class(name, false).unwrap().has('😀'.into()), "{name}");
        }
        assert!(CharSet::class("Nonsense", false).is_none());
        let both = CharSet::of([('a'.into(), 'c'.into())]).case_insensitive();
        assert!(both.has('B'.into()) && both.has('b'.into()) && !both.has('D'.into()));
    }
}
