//! The passes of the shortlex reducer, one file each.
//!
//! A pass looks at the best choices and their spans and asks [`Shortlex`] for better ones. It knows nothing of what is
//! generated. When it is run again on choices on which it found nothing, it finds nothing.

mod alike;
mod arrange;
mod chunks;
mod copy;
mod delete;
mod descend;
mod discards;
mod floats;
mod join;
mod length;
mod lower;
mod lowering;
mod pairs;
mod push;
mod renumber;
mod selectors;
mod shift;
mod sort;
mod steps;
mod substitute;
mod tail;
mod together;
mod twins;
mod windows;
mod zero;

use crate::shortlex::Shortlex;

/// A way to make choices fewer or simpler.
pub struct Pass {
    /// What it is called.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// When it has its turn.
    pub turn: Turn,
    /// Does it.
    pub run: fn(&mut Shortlex<'_>),
}

/// When a pass has its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Turn {
    /// First: it makes choices fewer.
    Shorten,
    /// First as long as there are many choices, and last when there are few.
    Coarse,
    /// Then: it makes them simpler.
    Simplify,
    /// When all others found nothing: it costs much, or is seldom of use.
    Last,
}

/// All passes, in the order in which they are run.
pub const PASSES: &[Pass] = &[
    discards::PASS,
    chunks::PASS,
    zero::PASS,
    delete::PASS,
    descend::PASS,
    alike::PASS,
    lower::PASS,
    floats::PASS,
    sort::PASS,
    join::PASS,
    push::PASS,
    substitute::PASS,
    delete::CUT,
    shift::PASS,
    renumber::PASS,
    together::PASS,
    copy::PASS,
    selectors::PASS,
    arrange::PASS,
    length::PASS,
    twins::PASS,
    pairs::PASS,
    steps::PASS,
    windows::PASS,
    tail::PASS,
];
