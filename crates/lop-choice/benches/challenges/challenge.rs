//! What a challenge is.

use lop_choice::Source;

/// A generator with a property that fails.
pub(crate) struct Challenge {
    pub(crate) name: &'static str,
    /// Draws a case, notes what it is and its size, and says whether the property holds.
    pub(crate) holds: fn(&mut Source) -> bool,
    /// The simplest case that fails.
    pub(crate) normal: &'static str,
    /// How many calls a reduction should take on average.
    pub(crate) goal: f64,
}

/// Notes a case and its size.
pub(crate) fn note(s: &mut Source, case: impl std::fmt::Display, size: usize) {
    s.note(case);
    s.note(size);
}
