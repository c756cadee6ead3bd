//! Transformation-based minimisation.
//!
//! D. Vince, R. Hodován, D. Bársony and Á. Kiss, "Extending Hierarchical Delta Debugging with Hoisting",
//! 2021, and "The Effect of Hoisting on Variants of Hierarchical Delta Debugging", 2022, Figure 5:
//!
//! ```text
//! tmin(c)     = tmin2(c, id)
//! tmin2(c, t) = tmin2(c, t[δ ↦ δ'])   if some δ ∈ c and δ' ∈ τ(t(δ)) are such that what t[δ ↦ δ'] makes
//!                                       of c is interesting
//!               t                       otherwise
//! ```
//!
//! Guarantee: t is 1-maximal, that is, no single further replacement is interesting, with respect to the answers of
//! `Search::first`; the engine accepts only smaller candidates. Cost: one test for each candidate if
//! none is interesting; after each success, at worst those of the others once more.
//!
//! The figure leaves open which δ comes first. After a success the search continues with the same δ, and then with
//! those after it: those before it have just failed.

use crate::search::{Answer, Search};

/// Replaces the elements of a configuration, given as `c`, by their candidates `tau(δ, t(δ))`, and
/// returns the replacements: t(δ) for each δ.
pub fn tmin<D: Copy>(
    c: &[D],
    tau: impl Fn(D, D) -> Vec<D>,
    search: &mut dyn Search<Vec<D>>,
) -> Vec<D> {
    let mut t = c.to_vec();
    let mut from = 0;
    loop {
        let attempts = || attempts(c, &t, &tau, from);
        let replaced = |(i, d)| {
            let mut t = t.clone();
            t[i] = d;
            t
        };
        let Answer::Found(index) = search.first(&mut attempts().map(replaced)) else { return t };
        let (i, d) = attempts().nth(index).expect("the index is one of the attempts");
        t[i] = d;
        from = i;
    }
}

/// The replacements that are tried if none is interesting: each element's number with each of its candidates.
fn attempts<D: Copy>(
    c: &[D],
    t: &[D],
    tau: impl Fn(D, D) -> Vec<D>,
    from: usize,
) -> impl Iterator<Item = (usize, D)> {
    let order = (from..c.len()).chain(0..from);
    order.flat_map(move |i| tau(c[i], t[i]).into_iter().map(move |d| (i, d)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Inline;

    /// A number may become any of its proper divisors.
    fn divisors(_: u32, n: u32) -> Vec<u32> {
        (1..n).rev().filter(|d| n.is_multiple_of(*d)).collect()
    }

    #[test]
    fn the_result_is_one_maximal_on_random_problems() {
        let mut random = lop_testing::random();
        for _ in 0..200 {
            let c: Vec<u32> = (0..random.usize(1..8)).map(|_| random.u32(1..60)).collect();
            let modulus = random.u32(2..7);
            let wanted = c.iter().sum::<u32>() % modulus;
            let interesting = |t: &Vec<u32>| t.iter().sum::<u32>() % modulus == wanted;
            let t = tmin(&c, divisors, &mut Inline(interesting));
            assert!(interesting(&t));
            for (i, d) in attempts(&c, &t, divisors, 0) {
                let mut further = t.clone();
                further[i] = d;
                assert!(!interesting(&further), "{c:?} became {t:?}, but {further:?} is less");
            }
        }
    }

    #[test]
    fn replacements_are_transitive_and_a_success_goes_on_where_it_was() {
        let mut asked = Vec::new();
        let halves = |_, n: u32| if n.is_multiple_of(2) { vec![n / 2] } else { vec![] };
        let mut search = Inline(|t: &Vec<u32>| {
            asked.push(t.clone());
            t[0] == 8
        });
        assert_eq!(tmin(&[8, 8, 3], halves, &mut search), [8, 1, 3]);
        let expected = [[4, 8, 3], [8, 4, 3], [8, 2, 3], [8, 1, 3], [4, 1, 3]];
        assert_eq!(asked, expected);
    }

    #[test]
    fn the_first_argument_of_tau_is_what_stood_there_at_first() {
        let tau = |first: u32, now: u32| {
            assert!(now <= first);
            if now + 2 > first { vec![now - 1] } else { vec![] }
        };
        assert_eq!(tmin(&[10, 20], tau, &mut Inline(|_: &Vec<u32>| true)), [8, 18]);
    }
}
