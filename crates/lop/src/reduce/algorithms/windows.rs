//! Windows that slide over a list: every run of up to n neighbours.
//!
//! The token slicer of Perses and Vulcan: first all runs of the greatest length, from the last element to the
//! first, then the shorter ones, down to single elements. Unlike chunks, windows overlap, so a
//! run is found wherever it begins.
//!
//! Guarantee: none by itself; at the fixed point, no run of up to the greatest length can be removed. Cost: |c| tests for
//! each length, and a few more after each success, since windows that overlap the cut are tried again.

use crate::search::{Answer, Search, Subset};

/// Removes runs of at most `longest` neighbours from an interesting configuration.
pub fn windows(mut c: Subset, longest: usize, search: &mut dyn Search<Subset>) -> Subset {
    let mut at = Window { size: longest, end: c.len() };
    loop {
        let mut candidates = at.slide(c.len()).map(|window| window.removed_from(&c));
        let Answer::Found(index) = search.first(&mut candidates) else { return c };
        let removed = at.slide(c.len()).nth(index).expect("the index is one of the windows");
        c = removed.removed_from(&c);
        // Elements after the cut may be removable together with those before it.
        at = Window { size: removed.size, end: removed.end.min(c.len()) };
    }
}

/// The elements of ranks `end - size..end`.
#[derive(Clone, Copy)]
struct Window {
    size: usize,
    end: usize,
}

impl Window {
    fn removed_from(self, c: &Subset) -> Subset {
        c.without(self.end - self.size..self.end)
    }

    /// This window and all later ones, in a list of this length.
    fn slide(self, len: usize) -> impl Iterator<Item = Window> {
        let rest = (self.size..=self.end).rev().map(move |end| Window { end, ..self });
        let shorter = (1..self.size).rev();
        rest.chain(
            shorter.flat_map(move |size| (size..=len).rev().map(move |end| Window { size, end })),
        )
        // The caller tries the empty subset.
        .filter(move |window| window.size < len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Inline;

    #[test]
    fn runs_that_must_go_together_are_found_wherever_they_begin() {
        let interesting = |kept: &Subset| {
            let kept: Vec<usize> = kept.iter().collect();
            let run = [4, 5, 6].iter().filter(|element| kept.contains(element)).count();
            kept.contains(&0) && (run == 0 || run == 3)
        };
        let left = windows(Subset::all(9), 3, &mut Inline(interesting));
        assert_eq!(left.iter().collect::<Vec<_>>(), [0]);
        let left = windows(Subset::all(9), 2, &mut Inline(interesting));
        assert_eq!(left.iter().collect::<Vec<_>>(), [0, 4, 5, 6]);
    }
}
