//! One choice of a generator: a number, and its kind.
//!
//! Every choice is a number with a [`Kind`], so that all passes of the reducer work on all kinds.
//! A kind says which numbers are allowed and which one is *simplest*; the further a number is from the
//! simplest, the higher its rank. Invariant: the simplest number of a kind is allowed and has rank 0.

use crate::float;

/// The numbers among which a choice is made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// An integer in a range; the closer to the target, the simpler.
    Integer {
        /// The least number that is allowed.
        low: i128,
        /// The greatest number that is allowed.
        high: i128,
        /// The simplest number, which is in the range.
        target: i128,
    },
    /// 1 for yes or 0 for no; no is simpler, unless only yes is possible.
    Boolean {
        /// The probability of yes.
        odds: f64,
    },
    /// A floating-point number, as its place in the order of simplicity (`float.rs`).
    Float {
        /// The least number that is allowed.
        low: f64,
        /// The greatest number that is allowed.
        high: f64,
    },
}

/// A number that was drawn, and its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The number.
    pub value: i128,
    /// The numbers that were possible.
    pub kind: Kind,
}

impl Kind {
    /// An integer in a range; a target outside of the range is moved to its nearer end.
    pub fn integer(low: i128, high: i128, target: i128) -> Kind {
        Kind::Integer { low, high, target: target.clamp(low, high) }
    }

    /// Whether a number may be chosen.
    pub fn allows(&self, value: i128) -> bool {
        match *self {
            Kind::Integer { low, high, .. } => (low..=high).contains(&value),
            Kind::Boolean { odds } => value == 0 && odds < 1.0 || value == 1 && odds > 0.0,
            Kind::Float { low, high } => {
                float::from_place(value).is_some_and(|it| float::is_in(it, low, high))
            }
        }
    }

    /// The simplest number that may be chosen.
    pub fn simplest(&self) -> i128 {
        match *self {
            Kind::Integer { target, .. } => target,
            Kind::Boolean { odds } => i128::from(odds >= 1.0),
            Kind::Float { low, high } => float::to_place(float::simplest(low, high)),
        }
    }

    /// The number that a source draws for a given number: itself if it is allowed, otherwise the simplest one. So every
    /// sequence of numbers is meaningful, whatever kinds they were drawn for.
    pub fn realised(&self, value: i128) -> i128 {
        if self.allows(value) { value } else { self.simplest() }
    }

    /// The place of a number in the order of simplicity, from 0. The closer to the simplest number, the lower; of two at the
    /// same distance, the greater number is simpler.
    pub fn rank(&self, value: i128) -> u128 {
        let simplest = self.simplest();
        let distance = value.abs_diff(simplest).saturating_mul(2);
        distance.saturating_sub(u128::from(value > simplest))
    }

    /// Whether there are more than two numbers, so that they can be lowered step by step.
    pub fn is_countable(&self) -> bool {
        match *self {
            Kind::Integer { low, high, .. } => low.saturating_add(1) < high,
            Kind::Boolean { .. } => false,
            Kind::Float { .. } => true,
        }
    }

    /// The least and the greatest number. For floating-point numbers, these are the least and the greatest place.
    pub fn ends(&self) -> (i128, i128) {
        match *self {
            Kind::Integer { low, high, .. } => (low, high),
            Kind::Boolean { .. } => (0, 1),
            Kind::Float { .. } => (-float::LAST, float::LAST),
        }
    }
}

impl Choice {
    /// Whether it is the simplest of its kind.
    pub fn is_simplest(&self) -> bool {
        self.value == self.kind.simplest()
    }

    /// Its place in the order of simplicity, from 0.
    pub fn rank(&self) -> u128 {
        self.kind.rank(self.value)
    }

    /// The difference between its number and the simplest one.
    pub fn distance(&self) -> u128 {
        self.value.abs_diff(self.kind.simplest())
    }

    /// The number as far from the simplest one on the other side of it, if it is allowed. Above it is simpler.
    pub fn mirrored(&self) -> Option<i128> {
        let simplest = self.kind.simplest();
        let mirrored = simplest.checked_add(simplest.checked_sub(self.value)?)?;
        Some(mirrored).filter(|mirrored| self.kind.allows(*mirrored))
    }

    /// The number at this distance from the simplest one, on the same side of it.
    pub fn at_distance(&self, distance: u128) -> Option<i128> {
        let (simplest, distance) = (self.kind.simplest(), i128::try_from(distance).ok()?);
        match self.value >= simplest {
            true => simplest.checked_add(distance),
            false => simplest.checked_sub(distance),
        }
    }
}
