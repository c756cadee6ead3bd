//! The difference of two lists, as short as possible.
//!
//! E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1986: the greedy algorithm. Memory
//! grows with the square of the difference, and time with the difference times the lengths, so both have a bound. A
//! common beginning or end costs nothing.
//!
//! Invariant: hunks are in order, none is empty on both sides, and there is a common element between any two of them.

use std::ops::Range;

/// A part in which two lists differ. One of its sides may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    /// The part of the first list.
    pub(crate) left: Range<usize>,
    /// The part of the second list.
    pub(crate) right: Range<usize>,
}

/// The limit on common elements that are passed, as a multiple of the length of both lists: if few values occur again
/// and again, every diagonal has long runs of them.
const PATIENCE: usize = 64;

/// The hunks of two lists; `None` if more than `most` elements are in only one of them, or if finding them takes too
/// long.
pub(crate) fn hunks<T: PartialEq>(left: &[T], right: &[T], most: usize) -> Option<Vec<Hunk>> {
    let is_same = |pair: &(&T, &T)| pair.0 == pair.1;
    let head = left.iter().zip(right).take_while(is_same).count();
    let (a, b) = (&left[head..], &right[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(is_same).count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    let mut found = match a.is_empty() || b.is_empty() {
        true if a.len() + b.len() > most => return None,
        true => vec![Hunk { left: 0..a.len(), right: 0..b.len() }],
        false => traced(&furthest(a, b, most)?, (a.len(), b.len())),
    };
    found.retain(|hunk| !hunk.left.is_empty() || !hunk.right.is_empty());
    for Hunk { left, right } in &mut found {
        *left = head + left.start..head + left.end;
        *right = head + right.start..head + right.end;
    }
    Some(found)
}

/// How far each diagonal is reached with d steps, for every d: the x of diagonal k is at k + d.
type Trace = Vec<Vec<isize>>;

/// Walks as far as possible on each diagonal, with one more step each time, until both lists end.
fn furthest<T: PartialEq>(a: &[T], b: &[T], most: usize) -> Option<Trace> {
    let [n, m, most] = [a.len(), b.len(), most].map(usize::cast_signed);
    let mut trace: Trace = Vec::new();
    let mut patience = PATIENCE * (a.len() + b.len());
    for d in 0..=most {
        let mut v = vec![0; 2 * d.cast_unsigned() + 1];
        for k in (-d..=d).step_by(2) {
            let mut x = match trace.last() {
                None => 0,
                Some(before) if goes_down(before, d, k) => at(before, d - 1, k + 1),
                Some(before) => at(before, d - 1, k - 1) + 1,
            };
            let is_same = |x: isize| {
                let y = x - k;
                x < n && y < m && a[x.cast_unsigned()] == b[y.cast_unsigned()]
            };
            while is_same(x) {
                x += 1;
                patience = patience.checked_sub(1)?;
            }
            v[(k + d).cast_unsigned()] = x;
            if x >= n && x - k >= m {
                trace.push(v);
                return Some(trace);
            }
        }
        trace.push(v);
    }
    None
}

fn at(v: &[isize], d: isize, k: isize) -> isize {
    v[(k + d).cast_unsigned()]
}

/// Whether the last of d steps to diagonal k takes an element of the second list.
fn goes_down(before: &[isize], d: isize, k: isize) -> bool {
    k == -d || k != d && at(before, d - 1, k - 1) < at(before, d - 1, k + 1)
}

/// Follows the steps back from the ends of both lists.
fn traced(trace: &Trace, end: (usize, usize)) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut k = end.0.cast_signed() - end.1.cast_signed();
    for (d, before) in trace[..trace.len() - 1].iter().enumerate().rev() {
        let d = d.cast_signed() + 1;
        let is_down = goes_down(before, d, k);
        k += if is_down { 1 } else { -1 };
        let x = at(before, d - 1, k);
        let [x, y] = [x, x - k].map(isize::cast_unsigned);
        let (left, right) = if is_down { (x..x, y..y + 1) } else { (x..x + 1, y..y) };
        match hunks.last_mut() {
            Some(next) if (next.left.start, next.right.start) == (left.end, right.end) => {
                (next.left.start, next.right.start) = (x, y);
            }
            _ => hunks.push(Hunk { left, right }),
        }
    }
    hunks.reverse();
    hunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(left: &str, right: &str, expected: &[(&str, &str)]) {
        let found = hunks(left.as_bytes(), right.as_bytes(), 100).unwrap();
        let sides = found.into_iter().map(|hunk| (&left[hunk.left], &right[hunk.right]));
        assert_eq!(sides.collect::<Vec<_>>(), expected, "{left} {right}");
    }

    #[test]
    fn hunks_are_what_the_lists_do_not_have_in_common() {
        check("", "", &[]);
        check("abc", "abc", &[]);
        check("abc", "", &[("abc", "")]);
        check("abcde", "abxde", &[("c", "x")]);
        check("abcde", "ae", &[("bcd", "")]);
        check("1a2b3", "4a5b6", &[("1", "4"), ("2", "5"), ("3", "6")]);
        check("abcabba", "cbabac", &[("ab", ""), ("", "b"), ("b", ""), ("", "c")]);
        check("xaby", "yabx", &[("x", "y"), ("y", "x")]);
    }

    #[test]
    fn hunks_make_one_list_of_the_other_and_are_as_short_as_possible() {
        let mut random = lop_testing::random();
        for _ in 0..2000 {
            let mut list =
                || -> Vec<u8> { (0..random.usize(..12)).map(|_| random.u8(..4)).collect() };
            let (left, right) = (list(), list());
            let found = hunks(&left, &right, 100).unwrap();
            let (mut made, mut at): (Vec<u8>, usize) = (Vec::new(), 0);
            let mut steps = 0;
            for (index, Hunk { left: these, right: those }) in found.iter().enumerate() {
                assert!(index == 0 || these.start > at, "{left:?} {right:?}: {found:?}");
                made.extend(&left[at..these.start]);
                made.extend(&right[those.clone()]);
                at = these.end;
                steps += these.len() + those.len();
            }
            made.extend(&left[at..]);
            assert_eq!(made, right, "{left:?}: {found:?}");
            let least = left.len() + right.len() - 2 * longest_common(&left, &right);
            assert_eq!(steps, least, "{left:?} {right:?}: {found:?}");
            assert_eq!(hunks(&left, &right, least), Some(found));
            assert!(least == 0 || hunks(&left, &right, least - 1).is_none());
        }
    }

    #[test]
    fn the_search_is_given_up_where_the_same_values_occur_again_and_again() {
        let mut random = lop_testing::random();
        let mut list = || -> Vec<bool> { (0..20_000).map(|_| random.u8(..10) == 0).collect() };
        assert!(hunks(&list(), &list(), 40_000).is_none());
    }

    /// The length of the longest common subsequence, by its definition.
    fn longest_common(left: &[u8], right: &[u8]) -> usize {
        let mut row = vec![0; right.len() + 1];
        for a in left {
            let above = row.clone();
            for (index, b) in right.iter().enumerate() {
                row[index + 1] =
                    if a == b { above[index] + 1 } else { row[index].max(above[index + 1]) };
            }
        }
        row[right.len()]
    }
}
