//! The atoms of several parts of a text, such as files, in one list: a cut may span several parts.

use std::ops::Range;

use crate::search::Subset;
use crate::text::{Candidate, Edit, Text};

use super::{Atoms, Unit, some};

struct Parts(Vec<Part>);

struct Part {
    start: usize,
    text: Text,
    atoms: Box<dyn Atoms>,
    /// The numbers of its atoms in the list of all.
    numbers: Range<usize>,
}

/// The atoms of one level in some parts of a text, given from left to right.
pub(crate) fn atoms_of_parts(
    unit: &Unit,
    level: usize,
    text: &[u8],
    parts: impl Iterator<Item = Range<usize>>,
) -> Option<Box<dyn Atoms>> {
    let mut number = 0;
    let part = |range: Range<usize>| {
        let text: Text = text[range.clone()].to_vec().into();
        let atoms = (unit.atoms)(&text, level)?;
        let numbers = number..number + atoms.len();
        number = numbers.end;
        Some(Part { start: range.start, text, atoms, numbers })
    };
    some(Parts(parts.filter_map(part).collect()))
}

impl Atoms for Parts {
    fn len(&self) -> usize {
        self.0.last().map_or(0, |last| last.numbers.end)
    }

    fn keep(&self, text: &Text, kept: &Subset) -> Candidate {
        let edits = self.0.iter().flat_map(|part| {
            let Range { start, end } = part.numbers;
            let clip = |run: &Range<usize>| {
                run.start.clamp(start, end) - start..run.end.clamp(start, end) - start
            };
            let kept: Subset = kept.runs().iter().map(clip).collect();
            let edits = part.atoms.keep(&part.text, &kept).edits().to_vec();
            edits.into_iter().map(|Edit { range, with }| Edit {
                range: part.start + range.start..part.start + range.end,
                with,
            })
        });
        Candidate::new(text, edits.collect())
    }

    fn weight(&self, _: &[u8], atom: usize) -> usize {
        let part = &self.0[self.0.partition_point(|part| part.numbers.end <= atom)];
        part.atoms.weight(&part.text, atom - part.numbers.start)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::reduce::units::UNITS;

    #[test]
    fn the_atoms_of_all_parts_are_one_list_and_all_else_stays() {
        let text: Text = Arc::new(b"<<a\nb\n>>c\n<<d(e)\n>>".to_vec());
        let left = |unit: &str, level: usize, gone: &[usize]| {
            let unit = UNITS.iter().find(|each| each.name == unit).unwrap();
            let atoms = atoms_of_parts(unit, level, &text, [2..6, 12..17].into_iter())?;
            let kept = Subset::all(atoms.len()).without_elements(gone);
            Some(String::from_utf8(atoms.keep(&text, &kept).bytes()).unwrap())
        };
        assert_eq!(left("lines", 0, &[1, 2]).unwrap(), "<<a\n>>c\n<<>>");
        assert_eq!(left("pairs", 0, &[0]).unwrap(), "<<a\nb\n>>c\n<<d e\n>>");
        assert_eq!(left("lines", 1, &[]), None);
        let atoms = atoms_of_parts(&UNITS[0], 0, &text, [2..6, 12..17].into_iter()).unwrap();
        assert_eq!([0, 1, 2].map(|atom| atoms.weight(&text, atom)), [1, 1, 4]);
    }
}
