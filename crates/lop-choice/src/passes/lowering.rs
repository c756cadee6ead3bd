//! How far a distance can be lowered: the search that all passes share which make numbers simpler.

use crate::record::Record;
use crate::shortlex::Shortlex;
use crate::trials::Attempt;

/// How many halves may fail in a row before it is taken for granted that the least is close.
const HALVES: usize = 6;

/// Lowers a distance as far as it goes, and says how far it went.
///
/// Most often it can become 0 or nothing at all. If it can neither become 0 nor 1, but one less than it is, then the least is looked
/// for between these, by its magnitude first: limits in programs are small numbers more often than large ones. So a
/// distance of n is found with about log n attempts, however far away the start is. Where halves fail several times,
/// it goes down from the top in ever larger steps, so that what can go down by little costs little.
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

/// What is tried between two distances, each time between the last and the upper one.
fn halves(bad: u128, good: u128) -> Vec<u128> {
    let mut halves = Vec::new();
    let mut below = bad;
    while below + 1 < good && halves.len() < HALVES {
        below = middle(below, good);
        halves.push(below);
    }
    halves
}

/// What lies between two numbers, by magnitude if they are far apart.
fn middle(low: u128, high: u128) -> u128 {
    let (small, large) = (low.ilog2(), high.ilog2());
    if large > small + 2 { 1 << (small + large).div_ceil(2) } else { low + (high - low) / 2 }
}
