//! Reads literals and sets of characters, with their escapes.

use crate::charset::CharSet;
use crate::problem::{Place, Problem};
use crate::syntax::What;

use super::{Lost, Read, Reader};

enum Character {
    /// A number, since a range may begin or end at a surrogate, which isn't a character.
    One(u32),
    Class(CharSet),
}

impl Reader<'_> {
    /// The characters of a literal. Two surrogates are one character; a single one does not occur in texts.
    pub(super) fn literal(&mut self) -> Read<String> {
        let numbers = self.numbers()?;
        let halves = numbers.iter().flat_map(|number| match char::from_u32(*number) {
            Some(character) => character.encode_utf16(&mut [0; 2]).to_vec(),
            None => vec![*number as u16],
        });
        Ok(char::decode_utf16(halves).map(|read| read.unwrap_or('\u{fffd}')).collect())
    }

    /// The numbers of the characters of a literal.
    pub(super) fn numbers(&mut self) -> Read<Vec<u32>> {
        let place = self.place();
        let raw = self.text().to_owned();
        let mut numbers = Vec::new();
        let mut rest = raw.get(1..raw.len() - 1).unwrap_or("");
        while !rest.is_empty() {
            let (character, behind) = self.character(rest, &place)?;
            match character {
                Character::One(number) => numbers.push(number),
                Character::Class(_) => {
                    self.problems
                        .push(Problem::error(place, "\\p{…} is only possible in a set: [\\p{…}]"));
                    return Err(Lost);
                }
            }
            rest = behind;
        }
        self.next();
        Ok(numbers)
    }

    /// `[a-z\n\p{Lu}]`
    pub(super) fn set(&mut self) -> Read<What> {
        let place = self.place();
        let raw = self.text().to_owned();
        let mut rest = raw.get(1..raw.len() - 1).unwrap_or("");
        let mut set = CharSet::default();
        while !rest.is_empty() {
            let (first, behind) = self.character(rest, &place)?;
            rest = behind;
            let first = match first {
                Character::Class(class) => {
                    set = set.with(&class);
                    continue;
                }
                Character::One(first) => first,
            };
            let is_range = rest.starts_with('-') && rest.len() > 1;
            if !is_range {
                set = set.with(&CharSet::of([(first, first)]));
                continue;
            }
            let (last, behind) = self.character(&rest[1..], &place)?;
            rest = behind;
            match last {
                Character::One(last) if first <= last => {
                    set = set.with(&CharSet::of([(first, last)]));
                }
                _ => {
                    let message = "a range in a set is from one character to a larger one";
                    self.problems.push(Problem::error(place, message));
                    return Err(Lost);
                }
            }
        }
        self.next();
        Ok(What::Set(set))
    }

    /// The first character of a literal or set, and the text after it.
    fn character<'t>(&mut self, text: &'t str, place: &Place) -> Read<(Character, &'t str)> {
        let mut characters = text.chars();
        let Some(first) = characters.next() else { return Err(Lost) };
        if first != '\\' {
            return Ok((Character::One(first.into()), characters.as_str()));
        }
        let bad = |reader: &mut Self, what: String| {
            reader.problems.push(Problem::error(place.clone(), what));
            Err(Lost)
        };
        let escaped = characters.next().unwrap_or('\\');
        let rest = characters.as_str();
        let one = match escaped {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let (digits, behind) = match rest.strip_prefix('{') {
                    Some(inner) => inner.split_once('}').unwrap_or(("", rest)),
                    None => (rest.get(..4).unwrap_or(""), rest.get(4..).unwrap_or("")),
                };
                let number = u32::from_str_radix(digits, 16).ok();
                return match number.filter(|number| *number <= char::MAX.into()) {
                    Some(number) => Ok((Character::One(number), behind)),
                    None => bad(
                        self,
                        format!(
                            "`\\u{}` is not a character: write \\u00e4 or \\u{{1f600}}",
                            digits
                        ),
                    ),
                };
            }
            'p' | 'P' if rest.starts_with('{') => {
                let (name, behind) = rest[1..].split_once('}').unwrap_or(("", ""));
                return match CharSet::class(name, escaped == 'P') {
                    Some(class) => Ok((Character::Class(class), behind)),
                    None => bad(self, format!("Unicode has no class `{name}`")),
                };
            }
            other => other,
        };
        Ok((Character::One(one.into()), rest))
    }
}
