//! The passes of the shortlex reducer, one file each.
//!
//! A [`Pass`] looks at the best choices and their spans and asks [`Shortlex`](crate::shortlex::Shortlex) for better ones. It
//! knows nothing of what is generated. When it is run again on choices on which it found nothing, it finds nothing.

mod alike;
mod arrange;
mod chunks;
mod copy;
mod counts;
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
mod runs;
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

use crate::shortlex::Pass;

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
    counts::PASS,
    length::PASS,
    runs::PASS,
    twins::PASS,
    pairs::PASS,
    steps::PASS,
    windows::PASS,
    tail::PASS,
];
