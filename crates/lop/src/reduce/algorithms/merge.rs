//! Merging: of all elements that can be removed alone, removes as many together as possible.
//!
//! Each element is tried by itself; since these tests do not depend on each other, all workers run them at the same time. Then the elements
//! that can be removed are tried together; if that fails, one half after the other, and so on.
//!
//! Guarantee: none by itself. Cost: |c| tests, and one more if all elements that can be removed alone can be removed together.

use crate::search::{Answer, Search, Subset, Survey};

/// Minimises an interesting configuration.
pub fn merge(c: Subset, search: &mut dyn Survey<Subset>) -> Subset {
    let elements: Vec<usize> = c.iter().collect();
    let alone = (0..c.len()).map(|rank| c.without(rank..rank + 1)).collect();
    let verdicts = search.each(alone);
    let good: Vec<usize> = elements
        .iter()
        .zip(verdicts)
        .filter(|(_, good)| *good)
        .map(|(element, _)| *element)
        .collect();
    together(&good, |left: &Subset, gone| left.without_elements(gone), c, search)
}

/// Applies as many as possible of some changes that can each be applied alone; `with` applies them to a candidate.
pub(crate) fn together<C>(
    good: &[usize],
    with: fn(&C, &[usize]) -> C,
    mut c: C,
    search: &mut dyn Search<C>,
) -> C {
    let mut open = vec![good];
    while let Some(some) = open.pop() {
        if some.is_empty() {
            continue;
        }
        match search.first(&mut std::iter::once(with(&c, some))) {
            Answer::Found(_) => c = with(&c, some),
            Answer::Nothing if some.len() > 1 => {
                let (left, right) = some.split_at(some.len() / 2);
                open.extend([right, left]);
            }
            Answer::Nothing => {}
            Answer::Stop => break,
        }
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Inline;

    #[test]
    fn of_those_that_exclude_each_other_one_stays() {
        let interesting = |kept: &Subset| {
            let kept: Vec<usize> = kept.iter().collect();
            kept.contains(&7) && (kept.contains(&2) || kept.contains(&3))
        };
        let left = merge(Subset::all(9), &mut Inline(interesting));
        assert_eq!(left.len(), 2);
        assert!(interesting(&left));
    }
}
