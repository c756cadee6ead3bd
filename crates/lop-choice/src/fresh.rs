//! Fresh choices: random, but not uniformly distributed.
//!
//! Small cases come first, since they take the fewest calls to reduce. The size of a case, from
//! 0 to 1, limits how far numbers are from the simplest one and how long lists are. Values that often reveal bugs
//! are more likely: the ends of a range, numbers that are equal or close to earlier ones, and spans that repeat an earlier one, but for a few choices.

use std::mem;
use std::ops::Range;

use crate::choice::{Choice, Kind};
use crate::float;
use crate::record::{Label, Recorder};

/// The number of choices after which small cases draw only simplest numbers.
const FEW: f64 = 24.0;
/// The size from which on cases have that many choices. Smaller ones have fewer, down to one.
const SMALL: f64 = 0.2;

/// Makes fresh choices.
pub(crate) struct Fresh {
    random: fastrand::Rng,
    size: f64,
    /// The number of choices after which all are the simplest.
    enough: usize,
    /// The number of choices that were made.
    made: usize,
    repeated: Option<Repeated>,
}

/// An earlier span that is repeated.
struct Repeated {
    /// Its choices that come next.
    left: Range<usize>,
    /// The number of open spans around the one that repeats it.
    depth: usize,
}

/// One of how many spans repeats an earlier one.
const REPEATS: u8 = 8;
/// One of how many lists and items does: there are many of them, and few are alike.
const LISTED: u8 = 64;
/// One of how many choices of such a span is made anew.
const DIFFERS: u8 = 8;
/// How many spans back one is repeated at most.
const BACK: usize = 64;

impl Fresh {
    pub(crate) fn new(seed: u64, size: f64, most: usize) -> Fresh {
        let few = 1.0 + FEW * (size / SMALL).min(1.0);
        let enough = few + size * size * (most as f64) / 2.0;
        Fresh {
            random: fastrand::Rng::with_seed(seed),
            size,
            enough: (enough as usize).min(most / 2),
            made: 0,
            repeated: None,
        }
    }

    /// A span begins that includes the last `made` choices. Now and then it repeats an earlier one of its label, but not inside of one: trees would only
    /// become larger.
    pub(crate) fn begin(&mut self, label: Label, made: usize, recorder: &Recorder) {
        let is_listed = matches!(label, Label::LIST | Label::ITEM | Label::OPTION);
        let repeats = if is_listed { LISTED } else { REPEATS };
        if self.repeated.is_some() || self.random.u8(..repeats) > 0 || recorder.is_within(label) {
            return;
        }
        let alike = recorder.ended(label, BACK).filter(|range| range.len() > made);
        let alike: Vec<Range<usize>> = alike.collect();
        if let Some(range) = self.random.choice(alike) {
            let depth = recorder.depth() - 1;
            self.repeated = Some(Repeated { left: range.start + made..range.end, depth });
        }
    }

    /// A span ends, and this many are still open.
    pub(crate) fn end(&mut self, depth: usize) {
        self.repeated.take_if(|repeated| depth <= repeated.depth);
    }

    /// The next number of the span that is repeated, if it fits.
    pub(crate) fn repeat(&mut self, kind: &Kind, before: &[Choice]) -> Option<i128> {
        let repeated = self.repeated.as_mut()?;
        let next = repeated.left.next().map(|at| &before[at]);
        let is_alike = |next: &&Choice| {
            mem::discriminant(&next.kind) == mem::discriminant(kind) && kind.allows(next.value)
        };
        let Some(next) = next.filter(is_alike) else {
            self.repeated = None;
            return None;
        };
        if self.random.u8(..DIFFERS) == 0 {
            return None;
        }
        self.made += 1;
        Some(next.value)
    }

    /// A random number of a kind; `before` are the choices so far.
    pub(crate) fn choose(&mut self, kind: &Kind, before: &[Choice]) -> i128 {
        self.made += 1;
        // A generator that would not end by itself ends with the simplest choices, if it ends at all.
        if self.made > self.enough {
            return kind.simplest();
        }
        let value = match *kind {
            Kind::Boolean { odds } => return i128::from(self.random.f64() < odds),
            Kind::Integer { low, high, target } => match self.random.u8(..20) {
                0 if self.size > 0.1 => *self.random.choice(&[low, high]).expect("two ends"),
                1..=6 => self.earlier(before).unwrap_or_else(|| self.near(low, high, target)),
                _ => self.near(low, high, target),
            },
            Kind::Float { low, high } => match self.random.u8(..20) {
                1..=6 => {
                    self.earlier(before).unwrap_or_else(|| float::to_place(self.real(low, high)))
                }
                _ => float::to_place(self.real(low, high)),
            },
        };
        kind.realised(value)
    }

    /// A random number of a kind; all numbers are equally likely.
    #[cfg(feature = "rand")]
    pub(crate) fn evenly(&mut self, kind: &Kind) -> i128 {
        self.made += 1;
        match *kind {
            Kind::Integer { low, high, .. } => {
                low.wrapping_add(self.random.u128(0..=high.abs_diff(low)) as i128)
            }
            _ => self.choose(kind, &[]),
        }
    }

    /// A random index; each is as likely as its weight says, and all are equally likely if none has any.
    pub(crate) fn weighted(&mut self, weights: &[u32]) -> usize {
        self.made += 1;
        if self.made > self.enough {
            return weights.iter().position(|weight| *weight > 0).unwrap_or_default();
        }
        let all: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
        if all == 0 {
            return self.random.usize(..weights.len());
        }
        let mut left = self.random.u64(..all);
        let is_here = |weight: &u32| match left.checked_sub(u64::from(*weight)) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        };
        weights.iter().position(is_here).unwrap_or_default()
    }

    /// One of the last numbers, or one close to it.
    fn earlier(&mut self, before: &[Choice]) -> Option<i128> {
        let from = before.len().saturating_sub(16);
        let choice = before[from..].iter().rfind(|choice| choice.kind.is_countable())?;
        let mut value = choice.value;
        for other in before[from..].iter().filter(|other| other.kind.is_countable()) {
            if self.random.u8(..3) == 0 {
                value = other.value;
            }
        }
        Some(value.saturating_add(*self.random.choice(&[0, 0, 0, 0, 1, -1, 2, -3]).expect("some")))
    }

    /// A floating-point number of a range: a whole one, one that often reveals bugs, or any other.
    fn real(&mut self, low: f64, high: f64) -> f64 {
        let fits = |it: &f64| float::is_in(*it, low, high);
        let special =
            [-0.0, 0.1, 0.5, 1.5, -0.5, f64::INFINITY, f64::NAN, f64::MAX, 1e-300, low, high];
        let from_all_over = low + self.random.f64() * (high - low);
        let wide = (self.random.f64() - 0.5) * 2f64.powi(self.random.i32(-8..64));
        let whole = self.near(-(1 << 53), 1 << 53, 0) as f64;
        let first = match self.random.u8(..20) {
            0 => special[self.random.usize(..special.len())],
            1..8 => wide,
            8..12 => from_all_over,
            _ => whole,
        };
        // The first of these that is in the range.
        let all = [first, from_all_over, whole, wide];
        all.into_iter().find(fits).unwrap_or(if low.is_finite() { low } else { high })
    }

    /// An integer of a range; the closer to the target, the likelier.
    fn near(&mut self, low: i128, high: i128, target: i128) -> i128 {
        let width = high.abs_diff(low);
        // A choice among few values is more often a selector or an index than a number.
        if width < 16 || width < 1 << 12 && self.random.f64() < 0.5 {
            return low.wrapping_add(self.random.u128(0..=width) as i128);
        }
        // Seldom, any number of the range.
        if self.random.f64() < self.size * self.size / 16.0 {
            return low.wrapping_add(self.random.u128(0..=width) as i128);
        }
        let bits = 128 - width.leading_zeros();
        let most = (3.0 + f64::from(bits) * self.size * 0.7).min(f64::from(bits)) as u32;
        let magnitude = self.random.u32(1..=most).min(126);
        let distance = self.random.u128(..1 << magnitude) as i128;
        let (up, down) = (target.checked_add(distance), target.checked_sub(distance));
        let fits = |it: &i128| (low..=high).contains(it);
        match (up.filter(fits), down.filter(fits)) {
            (Some(up), Some(down)) => {
                if self.random.bool() {
                    up
                } else {
                    down
                }
            }
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => low.wrapping_add(self.random.u128(0..=width) as i128),
        }
    }

    /// The probability that a list of `least` to `most` items has another item at a depth of nesting, if it is `times` as long as usual.
    pub(crate) fn odds_of_more(
        &mut self,
        least: usize,
        most: usize,
        times: f64,
        depth: usize,
    ) -> f64 {
        let room = (most - least) as f64;
        // Seldom, a list is long.
        let long = if self.random.f64() < self.size * self.size / 32.0 { 20.0 } else { 1.0 };
        let wanted = long * times * (1.5 + 4.5 * self.size) / (1.0 + depth as f64 / 8.0);
        let mean = wanted.min(room / 2.0).max(0.2);
        mean / (1.0 + mean)
    }
}
