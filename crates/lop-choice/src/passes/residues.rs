//! Replaces a large number by what is left of it when it is divided: programs take `rand() % n` for a number below n.
//!
//! Such a program does not care by how much a number is lowered, only what the remainder is, so `lower` finds nothing. The remainder of a multiple of n
//! has the same remainder. So a few moduli with many divisors are tried first, and then their divisors: what is found in the end is the number
//! that the program made of it, and that is lowered like any other.

use crate::choice::Kind;
use crate::record::Values;
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "residues",
    about: "replaces large numbers by their remainders",
    turn: Turn::Last,
    run,
};

/// Smaller numbers are hardly ever meant to be divided.
const LARGE: i128 = 1 << 16;
/// Multiples of all numbers up to 20, and of the powers of 2 up to 256 and of 10 up to 1000.
const MODULI: [(i128, &[i128]); 3] = [
    (2_016_000, &[2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 5, 5, 5, 7]),
    (232_792_560, &[2, 2, 2, 2, 3, 3, 5, 7, 11, 13, 17, 19]),
    (27_720, &[2, 2, 2, 3, 3, 5, 7, 11]),
];

fn run(shortlex: &mut Shortlex<'_>) {
    shortlex.for_each_choice(|shortlex, at| {
        let choice = shortlex.best().choices[at];
        if matches!(choice.kind, Kind::Integer { .. }) && choice.value >= LARGE {
            divide(shortlex, at);
        }
    });
}

fn divide(shortlex: &mut Shortlex<'_>, at: usize) {
    let value = shortlex.best().choices[at].value;
    let remainder = |shortlex: &Shortlex<'_>, modulus: i128| -> Option<Values> {
        let best = shortlex.best();
        let choice = best.choices.get(at)?;
        let left = value % modulus;
        let mut values = best.values();
        values[at] = left;
        (left < choice.value && choice.kind.allows(left)).then_some(values)
    };
    for (modulus, factors) in MODULI.iter().filter(|(modulus, _)| *modulus <= value) {
        let Some(values) = remainder(shortlex, *modulus) else { continue };
        if !shortlex.is_better(values) {
            continue;
        }
        let mut modulus = *modulus;
        // The largest factors first, since they lower the number most.
        for factor in factors.iter().rev() {
            let smaller = modulus / factor;
            let is_enough = match remainder(shortlex, smaller) {
                Some(values) => shortlex.is_better(values),
                None => smaller > 1,
            };
            if is_enough {
                modulus = smaller;
            }
        }
        return;
    }
}
