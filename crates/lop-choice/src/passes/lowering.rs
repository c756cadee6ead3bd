//! The search for the least distance that is still interesting, which all passes that lower numbers share.

use crate::record::Record;
use crate::shortlex::Shortlex;
use crate::trials::Attempt;

/// How many halves may fail in a row before the search assumes that the least distance is close to the upper end.
const HALVES: usize = 6;

/// Lowers a distance as far as possible, and returns the least that was found.
///
/// Most often a distance can become 0, or cannot be lowered. So 0, 1 and one less than it is are tried first. If only the last of these is
/// interesting, the least distance is searched between 1 and there, by its magnitude first: limits in programs are small numbers more often than
/// large ones. So a least distance of n is found with about log n attempts, wherever the search starts. Where several halves fail,
/// the distance is lowered from the top in ever larger steps, so that a small change costs few attempts.
pub(super) fn lower(
    shortlex: &mut Shortlex<'_>,
    from: u128,
    attempt: &dyn Fn(&Record, u128) -> Option<Attempt>,
) -> u128 {
    let try_first = |shortlex: &mut Shortlex<'_>, distances: &[u128]| -> Option<u128> {
        let best = shortlex.best();
        let made: Vec<(u128, Attempt)> = distances
            .iter()
            .filter_map(|distance| Some((*distance, attempt(&best, *distance)?)))
            .collect();
        let index = shortlex.first(made.iter().map(|(_, attempt)| attempt.clone()))?;
        Some(made[index].0)
    };
    let ends: &[u128] = match from {
        0 => return 0,
        1 => &[0],
        2 => &[0, 1],
        _ => &[0, 1, from - 1],
    };
    let Some(mut good) = try_first(shortlex, ends) else { return from };
    let mut bad = 1;
    loop {
        let halves = halves(bad, good);
        let Some(found) = try_first(shortlex, &halves) else {
            bad = halves.last().copied().unwrap_or(bad);
            break;
        };
        bad = halves.iter().take_while(|half| **half != found).last().copied().unwrap_or(bad);
        good = found;
    }
    let mut step = 1;
    while bad + step < good && try_first(shortlex, &[good - step]).is_some() {
        good -= step;
        step *= 2;
    }
    bad = bad.max(good.saturating_sub(step));
    while bad + 1 < good {
        let half = bad + (good - bad) / 2;
        match try_first(shortlex, &[half]) {
            Some(found) => good = found,
            None => bad = half,
        }
    }
    good
}

/// The distances that are tried between two others, each halfway between the one before it and the upper one.
fn halves(bad: u128, good: u128) -> Vec<u128> {
    let mut halves = Vec::new();
    let mut below = bad;
    while below + 1 < good && halves.len() < HALVES {
        below = middle(below, good);
        halves.push(below);
    }
    halves
}

/// The middle between two numbers, by magnitude if they are far apart.
fn middle(low: u128, high: u128) -> u128 {
    let (small, large) = (low.ilog2(), high.ilog2());
    if large > small + 2 { 1 << (small + large).div_ceil(2) } else { low + (high - low) / 2 }
}
