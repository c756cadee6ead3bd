//! One choice of a generator: a number, and what it could have been.
//!
//! Everything that is drawn is a number with a [`Kind`], so that all passes of the reducer work on all kinds.
//! A kind says which numbers are allowed and which one is *simplest*; the further a number is from that one, the
//! higher its rank. Invariant: the simplest number of a kind is allowed and has rank 0.

use crate::float;

/// What a choice could have been.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// An integer of a range; the closer to the target, the simpler.
    Integer {
        /// The least that is allowed.
        low: i128,
        /// The greatest that is allowed.
        high: i128,
        /// The simplest one, within the range.
        target: i128,
    },
    /// Yes or no; no is simpler, if it is possible.
    Boolean {
        /// How likely it is.
        odds: f64,
    },
    /// A floating-point number, as its place in the order of simplicity (`float.rs`).
    Float {
        /// The least that is allowed.
        low: f64,
        /// The greatest that is allowed.
        high: f64,
    },
}

/// A number that was drawn, and what it could have been.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The number.
    pub value: i128,
    /// What it could have been.
    pub kind: Kind,
}

impl Kind {
    /// An integer of a range; a target outside of it is moved to its nearer end.
    pub fn integer(low: i128, high: i128, target: i128) -> Kind {
        Kind::Integer { low, high, target: target.clamp(low, high) }
    }

    /// Whether a number may be chosen.
    pub fn allows(&self, value: i128) -> bool {
        match *self {
            Kind::Integer { low, high, .. } => (low..=high).contains(&value),
            Kind::Boolean { odds } => value == 0 && odds < 1.0 || value == 1 && odds > 0.0,
            Kind::Float { low, high } => float::from_place(value).is_some_and(|it| {
                it >= low && it <= high || it.is_nan() && low == f64::NEG_INFINITY
            }),
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

    /// What a given number is taken for: itself if it is allowed, or else the simplest one. So choices that were
    /// meant for something else still mean something.
    pub fn realised(&self, value: i128) -> i128 {
        if self.allows(value) { value } else { self.simplest() }
    }

    /// How far a number is from the simplest one; of two at the same distance, the greater one is simpler.
    pub fn rank(&self, value: i128) -> u128 {
        let simplest = self.simplest();
        let distance = value.abs_diff(simplest).saturating_mul(2);
        distance.saturating_sub(u128::from(value > simplest))
    }

    /// Whether it is more than a switch: numbers that can be counted up and down.
    pub fn is_countable(&self) -> bool {
        match *self {
            Kind::Integer { low, high, .. } => low.saturating_add(1) < high,
            Kind::Boolean { .. } => false,
            Kind::Float { .. } => true,
        }
    }

    /// The least and the greatest number, if these are its ends.
    pub fn ends(&self) -> (i128, i128) {
        match *self {
            Kind::Integer { low, high, .. } => (low, high),
            Kind::Boolean { .. } => (0, 1),
            Kind::Float { .. } => (-float::LAST, float::LAST),
        }
    }
}

impl Choice {
    /// Whether it could not be simpler.
    pub fn is_simplest(&self) -> bool {
        self.value == self.kind.simplest()
    }

    /// How far it is from the simplest one.
    pub fn rank(&self) -> u128 {
        self.kind.rank(self.value)
    }

    /// How many numbers lie between it and the simplest one.
    pub fn distance(&self) -> u128 {
        self.value.abs_diff(self.kind.simplest())
    }

    /// The number at another distance from the simplest one, on the same side of it.
    pub fn at_distance(&self, distance: u128) -> Option<i128> {
        let (simplest, distance) = (self.kind.simplest(), i128::try_from(distance).ok()?);
        match self.value >= simplest {
            true => simplest.checked_add(distance),
            false => simplest.checked_sub(distance),
        }
    }
}
