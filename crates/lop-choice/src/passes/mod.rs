//! The passes of the shortlex reducer, one file each.
//!
//! A [`Pass`] looks at the best choices and their spans and asks [`Shortlex`](crate::shortlex::Shortlex) for better ones. It
//! knows nothing of what is generated. When it is run again on choices on which it found nothing, it finds nothing.

mod alike;
mod chunks;
mod copy;
mod counted;
mod counts;
mod delete;
mod descend;
mod discards;
mod ends;
mod floats;
mod groups;
mod join;
mod length;
mod level;
mod lower;
mod lowering;
mod moves;
mod pairs;
mod push;
mod raise;
mod rename;
mod renumber;
mod residues;
mod roots;
mod rows;
mod runs;
mod selectors;
mod shift;
mod signs;
mod sort;
mod steps;
mod substitute;
mod tail;
mod together;
mod twins;
mod windows;
mod worth;
mod zero;

use crate::shortlex::Pass;

/// All passes, in the order in which they are run.
pub const PASSES: &[Pass] = &[
    discards::PASS,
    worth::PASS,
    chunks::PASS,
    zero::PASS,
    delete::PASS,
    counted::PASS,
    descend::PASS,
    roots::PASS,
    signs::PASS,
    alike::PASS,
    lower::PASS,
    floats::PASS,
    sort::PASS,
    join::PASS,
    substitute::PASS,
    delete::CUT,
    renumber::PASS,
    rename::PASS,
    counts::PASS,
    together::PASS,
    level::PASS,
    copy::PASS,
    shift::PASS,
    pairs::PASS,
    push::PASS,
    raise::PASS,
    length::PASS,
    runs::PASS,
    moves::PASS,
    residues::PASS,
    steps::PASS,
    selectors::PASS,
    twins::PASS,
    ends::PASS,
    windows::PASS,
    tail::PASS,
];
