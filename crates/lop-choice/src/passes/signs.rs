//! Replaces a character by a simpler one with the same properties, as far as the standard library tells them.
//!
//! Not all simpler characters are of the same use: a failure may need a letter, an upper case one, one of several bytes, or one whose upper case has two
//! characters. So the first character of each class is tried, those that have most in common with it first.

use std::sync::OnceLock;

use crate::choice::{Choice, Kind};
use crate::draw::{LAST_CHARACTER, character};
use crate::record::Record;
use crate::shortlex::{Pass, Shortlex, Turn};
use crate::trials::Attempt;

pub(super) const PASS: Pass = Pass {
    name: "signs",
    about: "replaces a character by a simpler one with the same properties",
    turn: Turn::Simplify,
    run,
};

/// How many classes are tried for a character.
const FEW: usize = 6;
/// The place of the last digit; digits are lowered like numbers.
const LAST_DIGIT: i128 = 9;
/// There are characters of every class below this place, but for those of four bytes.
const PLACES: u32 = 0x2100;
/// The place of the first character of four bytes.
const WIDEST: u32 = 0x1_0000 - 0x800;

fn run(shortlex: &mut Shortlex<'_>) {
    let mut from = shortlex.from();
    loop {
        let best = shortlex.best();
        let all = (from..best.choices.len()).flat_map(|at| simpler(&best, at));
        let Some(at) = shortlex.find(all) else { return };
        from = at + 1;
    }
}

/// The attempts for a character, together with all that are equal, and for itself.
fn simpler(best: &Record, at: usize) -> Vec<(usize, Attempt)> {
    let Choice { value, kind } = best.choices[at];
    if kind != Kind::integer(0, LAST_CHARACTER, 0) || value <= LAST_DIGIT {
        return Vec::new();
    }
    let wanted = class(character(value as u32));
    let mut all: Vec<&(u32, Class)> =
        firsts().iter().filter(|first| i128::from(first.0) < value).collect();
    // A stable sort: of those with as much in common, the simplest first.
    all.sort_by_key(|first| wanted.iter().zip(&first.1).filter(|(one, two)| one != two).count());
    let equal: Vec<usize> =
        (0..best.choices.len()).filter(|other| best.choices[*other] == best.choices[at]).collect();
    let groups = if equal.len() > 1 { vec![equal, vec![at]] } else { vec![equal] };
    let instead = |places: &[usize], first: &(u32, Class)| {
        let mut values = best.values();
        places.iter().for_each(|at| values[*at] = i128::from(first.0));
        (at, values.into())
    };
    let few = || all.iter().take(FEW);
    groups.iter().flat_map(|places| few().map(|first| instead(places, first))).collect()
}

/// What the standard library tells of a character.
type Class = [usize; 9];

fn class(sign: char) -> Class {
    let upper: Vec<char> = sign.to_uppercase().collect();
    let again = upper.iter().flat_map(|it| it.to_lowercase());
    [
        usize::from(sign.is_alphabetic()),
        usize::from(sign.is_uppercase()),
        usize::from(sign.is_lowercase()),
        usize::from(sign.is_numeric()),
        usize::from(sign.is_whitespace()),
        usize::from(sign.is_control()),
        sign.len_utf8(),
        upper.len().max(sign.to_lowercase().count()),
        usize::from(again.eq([sign])),
    ]
}

/// The first character of each class, by its place.
fn firsts() -> &'static [(u32, Class)] {
    static FIRSTS: OnceLock<Vec<(u32, Class)>> = OnceLock::new();
    FIRSTS.get_or_init(|| {
        let mut firsts: Vec<(u32, Class)> = Vec::new();
        for place in (0..PLACES).chain([WIDEST]) {
            let class = class(character(place));
            if firsts.iter().all(|first| first.1 != class) {
                firsts.push((place, class));
            }
        }
        firsts
    })
}
