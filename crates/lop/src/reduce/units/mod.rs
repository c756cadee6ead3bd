//! Units, which are cut out of a text: lines, tokens, brackets, indentation blocks, bytes.
//!
//! A unit splits a text into *atoms*, each of which is kept or removed. Nested units, such as
//! brackets, are cut level by level from the outside in: the larger the atom, the more a test can
//! gain. All of them work on bytes and assume no encoding.

mod brackets;
mod bytes;
mod characters;
mod indents;
mod items;
mod joints;
mod lines;
mod parts;
mod tokens;

pub(crate) use parts::atoms_of_parts;

use std::ops::Range;

use crate::search::Subset;
use crate::text::{Candidate, Text, lexer};

/// The atoms of a text, each of which is kept or removed.
pub trait Atoms {
    /// The number of atoms.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text with only these atoms kept. Text that belongs to no atom always stays.
    fn keep(&self, text: &Text, kept: &Subset) -> Candidate;

    /// The size of an atom in tokens. By default, all atoms have the same.
    fn weight(&self, _text: &[u8], _atom: usize) -> usize {
        1
    }
}

/// A named way to split a text.
pub struct Unit {
    /// Its word in a strategy.
    pub name: &'static str,
    /// A line of help.
    pub about: &'static str,
    /// The atoms of one level, where 0 is the outermost; `None` below the innermost.
    pub atoms: Split,
}

/// Splits one level of a text into atoms.
pub type Split = fn(&[u8], usize) -> Option<Box<dyn Atoms>>;

/// All units.
pub const UNITS: &[Unit] = &[
    Unit { name: "lines", about: "lines", atoms: lines::lines },
    Unit {
        name: "indents",
        about: "lines with the deeper indented lines below them, outermost first",
        atoms: indents::indents,
    },
    Unit {
        name: "items",
        about: "items between commas and semicolons, outermost brackets first",
        atoms: items::items,
    },
    Unit {
        name: "brackets",
        about: "balanced brackets with their contents, outermost first",
        atoms: brackets::brackets,
    },
    Unit {
        name: "insides",
        about: "the contents of balanced brackets, outermost first",
        atoms: brackets::insides,
    },
    Unit {
        name: "pairs",
        about: "pairs of balanced brackets without their contents",
        atoms: brackets::pairs,
    },
    Unit {
        name: "tokens",
        about: "words, numbers, strings, comments, operators",
        atoms: tokens::tokens,
    },
    Unit {
        name: "joints",
        about: "white space and line ends between words, which are then joined",
        atoms: joints::joints,
    },
    Unit {
        name: "characters",
        about: "single characters, but not white space",
        atoms: characters::characters,
    },
    Unit { name: "bytes", about: "single bytes", atoms: bytes::bytes },
];

/// Atoms that are disjoint ranges, in ascending order.
struct Spans(Vec<Range<usize>>);

impl Atoms for Spans {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn keep(&self, text: &Text, kept: &Subset) -> Candidate {
        let gone = kept.gaps(self.0.len()).flatten();
        Candidate::without(text, gone.map(|atom| self.0[atom].clone()))
    }

    fn weight(&self, text: &[u8], atom: usize) -> usize {
        tokens_in(text, self.0[atom].clone())
    }
}

/// The number of tokens in a range of a text.
fn tokens_in(text: &[u8], range: Range<usize>) -> usize {
    lexer::tokens(&text[range]).count()
}

/// The atoms, unless there are none.
fn some(atoms: impl Atoms + 'static) -> Option<Box<dyn Atoms>> {
    (!atoms.is_empty()).then(|| Box::new(atoms) as Box<dyn Atoms>)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// Checks the atoms of one level: the text without each of them alone.
    pub(super) fn check(unit: &str, level: usize, text: &str, each_gone: &[&str]) {
        let unit = UNITS.iter().find(|each| each.name == unit).unwrap();
        let base: Text = Arc::new(text.into());
        let Some(atoms) = (unit.atoms)(text.as_bytes(), level) else {
            assert!(each_gone.is_empty(), "{} has no level {level}", unit.name);
            return;
        };
        let all = Subset::all(atoms.len());
        let left: Vec<String> = (0..atoms.len())
            .map(|atom| atoms.keep(&base, &all.without(atom..atom + 1)).bytes())
            .map(|bytes| String::from_utf8(bytes).unwrap())
            .collect();
        assert_eq!(left, each_gone);
    }

    #[test]
    fn the_weight_of_an_atom_is_its_number_of_tokens() {
        let weights = |unit: &str, level: usize| {
            let text = b"int x;\n\nf(a, b + 1);\n";
            let unit = UNITS.iter().find(|each| each.name == unit).unwrap();
            let atoms = (unit.atoms)(text, level).unwrap();
            (0..atoms.len()).map(|atom| atoms.weight(text, atom)).collect::<Vec<_>>()
        };
        assert_eq!(weights("lines", 0), [3, 0, 9]);
        assert_eq!(weights("items", 0), [3, 9]);
        assert_eq!(weights("items", 1), [2, 3]);
        assert_eq!(weights("brackets", 0), [7]);
        assert_eq!(weights("pairs", 0), [1]);
        assert_eq!(weights("tokens", 0), [1; 12]);
    }

    #[test]
    fn keeping_every_atom_keeps_every_byte_and_cutting_never_grows_a_text() {
        let mut random = lop_testing::random();
        let alphabet = b"ab1+(){}[]\"'\\ \t\r\n\0\xff\xc3";
        for _ in 0..300 {
            let text: Text = Arc::new(
                (0..random.usize(..80)).map(|_| alphabet[random.usize(..alphabet.len())]).collect(),
            );
            for unit in UNITS {
                for level in 0.. {
                    let Some(atoms) = (unit.atoms)(&text, level) else { break };
                    let all = Subset::all(atoms.len());
                    assert_eq!(atoms.keep(&text, &all).bytes(), *text, "{}", unit.name);
                    let gone: Vec<usize> = (0..atoms.len()).filter(|_| random.bool()).collect();
                    let left = atoms.keep(&text, &all.without_elements(&gone)).bytes();
                    assert!(left.len() <= text.len(), "{}", unit.name);
                    assert_eq!(left == *text, gone.is_empty(), "{}", unit.name);
                }
            }
        }
    }
}
