//! Local exhaustive deletion: every set of elements that are close to each other.
//!
//! As in Vulcan (Z. Xu et al., "Pushing the Limit of 1-Minimality of Language-Agnostic Program Reduction", OOPSLA
//! 2023): a window slides over the list, and the removal of every subset of it is tried, the largest first. `windows`
//! tries the subsets without a gap; those without the last element of the window are tried in another window.
//!
//! Cost: 2^(window - 1) tests for each element, so this is for lists that are already short.

use crate::search::{Answer, Search, Subset};

/// Removes sets of neighbours within a window from an interesting configuration.
pub fn exhaustive(mut c: Subset, window: usize, search: &mut dyn Search<Subset>) -> Subset {
    let mut end = c.len();
    loop {
        let all = (1..=end).rev().flat_map(|end| sets(end, window).map(move |set| (end, set)));
        let mut candidates = all.clone().map(|(_, set)| without(&c, &set));
        let Answer::Found(index) = search.first(&mut candidates) else { return c };
        let (found, set) = all.clone().nth(index).expect("the index is one of the sets");
        c = without(&c, &set);
        end = found.min(c.len());
    }
}

/// The sets of ranks in a window that contain its last one and have a gap, the largest first.
fn sets(end: usize, window: usize) -> impl Iterator<Item = Vec<usize>> + Clone {
    let start = end.saturating_sub(window);
    let width = end - start;
    let mut masks: Vec<u32> =
        (0..1_u32 << (width - 1)).map(|mask| mask | 1 << (width - 1)).collect();
    masks.retain(|mask| mask.count_ones() < width as u32 - mask.trailing_zeros());
    masks.sort_by_key(|mask| std::cmp::Reverse(mask.count_ones()));
    let ranks = move |mask: u32| {
        (0..width).filter(move |bit| mask >> bit & 1 == 1).map(move |bit| start + bit)
    };
    masks.into_iter().map(move |mask| ranks(mask).collect())
}

fn without(c: &Subset, ranks: &[usize]) -> Subset {
    ranks.iter().rev().fold(c.clone(), |left, rank| left.without(*rank..rank + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Inline;

    #[test]
    fn elements_that_go_only_together_are_found_if_they_are_close() {
        let interesting = |kept: &Subset| {
            let kept: Vec<usize> = kept.iter().collect();
            let needed = [0, 1, 3, 4, 6].iter().all(|element| kept.contains(element));
            needed && kept.contains(&2) == kept.contains(&5)
        };
        let left = exhaustive(Subset::all(7), 4, &mut Inline(interesting));
        assert_eq!(left.iter().collect::<Vec<_>>(), [0, 1, 3, 4, 6]);
        let left = exhaustive(Subset::all(7), 3, &mut Inline(interesting));
        assert_eq!(left.len(), 7);
    }

    #[test]
    fn every_set_with_a_gap_is_tried_once() {
        let sets: Vec<Vec<usize>> = sets(5, 4).collect();
        assert_eq!(sets, [vec![1, 2, 4], vec![1, 3, 4], vec![1, 4], vec![2, 4]]);
    }
}
