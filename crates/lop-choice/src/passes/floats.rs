//! Makes floating-point numbers that aren't whole simpler: fewer digits behind the point, a smaller whole part, a round
//! magnitude. Other passes make whole ones simpler, like all integers.

use super::lowering;
use crate::choice::{Choice, Kind};
use crate::float::{from_place, is_whole, to_place};
use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::Attempt;

pub(super) const PASS: Pass = Pass {
    name: "floats",
    about: "makes numbers that are not whole simpler",
    turn: Turn::Simplify,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    shortlex.for_each_choice(|shortlex, at| {
        let Choice { value, kind } = shortlex.best().choices[at];
        if matches!(kind, Kind::Float { .. }) && !is_whole(value) {
            round(shortlex, at);
            lower_part(
                shortlex,
                at,
                |number| number.trunc(),
                |whole, number| whole + number.fract(),
            );
            lower_part(shortlex, at, exponent, with_exponent);
        }
    });
}

/// The floating-point number at an index of the best choices, if it is finite and not whole.
fn number(best: &Record, at: usize) -> Option<f64> {
    let Choice { value, kind } = best.choices.get(at)?;
    from_place(*value).filter(|number| {
        matches!(kind, Kind::Float { .. }) && number.is_finite() && !is_whole(*value)
    })
}

fn with(best: &Record, at: usize, number: f64) -> Option<Attempt> {
    let (kind, place) = (best.choices[at].kind, to_place(number));
    let is_simpler = kind.allows(place) && kind.rank(place) < best.choices[at].rank();
    is_simpler.then(|| best.with(at..at + 1, [place]).into())
}

/// Tries the number with as few digits as possible: behind the point, or in its binary form.
fn round(shortlex: &mut Shortlex<'_>, at: usize) {
    let best = shortlex.best();
    let Some(number) = number(&best, at) else { return };
    let behind = (0..=8).flat_map(|digits| {
        let scaled = number * 2f64.powi(digits);
        [scaled.trunc(), scaled.trunc() + scaled.signum()].map(|it| it / 2f64.powi(digits))
    });
    let mantissa = (0..=52)
        .step_by(4)
        .map(|kept| f64::from_bits(number.to_bits() >> (52 - kept) << (52 - kept)));
    shortlex.first(behind.chain(mantissa).filter_map(|number| with(&best, at, number)));
}

/// Lowers a part of a number; the part itself is whole.
fn lower_part(
    shortlex: &mut Shortlex<'_>,
    at: usize,
    part: fn(f64) -> f64,
    join: fn(f64, f64) -> f64,
) {
    let Some(start) = number(&shortlex.best(), at) else { return };
    let (size, sign) = (part(start).abs(), part(start).signum());
    lowering::lower(shortlex, size as u128, &|best, left| {
        let now = number(best, at)?;
        with(best, at, join(sign * left as f64, now))
    });
}

/// The binary exponent of a number.
fn exponent(number: f64) -> f64 {
    number.abs().log2().floor()
}

fn with_exponent(exponent: f64, number: f64) -> f64 {
    number / 2f64.powf(self::exponent(number)) * 2f64.powf(exponent)
}
