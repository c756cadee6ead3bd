//! Typical challenges: what people test in nine fields, written without knowledge of the passes. A third of each field is kept apart.
//! `scripts/typical` has the same for Hypothesis.

mod algorithms;
mod data;
mod languages;
mod platform;
mod products;
mod research;
mod services;
mod storage;
mod tools;

use lop_choice::Source;

use super::challenge::Challenge;

/// A field's challenges.
pub(crate) struct Field {
    pub(crate) seen: &'static [Challenge],
    /// Those that nobody looks at while the reducer is changed.
    pub(crate) apart: &'static [Challenge],
}

pub(crate) const FIELDS: &[Field] = &[
    services::FIELD,
    tools::FIELD,
    data::FIELD,
    products::FIELD,
    platform::FIELD,
    research::FIELD,
    algorithms::FIELD,
    languages::FIELD,
    storage::FIELD,
];

/// A challenge without a goal for its calls.
const fn typical(
    name: &'static str,
    holds: fn(&mut Source) -> bool,
    normal: &'static str,
) -> Challenge {
    Challenge { name, holds, normal, goal: f64::INFINITY }
}
