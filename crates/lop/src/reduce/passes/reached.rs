//! Keeps the parts of the input that the run of the test reached.
//!
//! An interpreter can report which places of a program it ran. The rest hardly ever matters to a failure at run time,
//! and in a program that includes libraries it is most of the text. But a part that did not run may still be needed: a
//! function that is passed on, a method without which a class is abstract. So there are three ways to keep what ran:
//!
//! 1. nothing else;
//! 2. also the functions that it mentions, and those that are called without a mention, with empty bodies;
//! 3. also all other functions, with empty bodies.

use std::ops::Range;

use crate::tree::ViewId;

use super::needs::Needs;
use super::statements::{Number, Sort, Statements};

/// Which statements ran, by their numbers; all if that is unknown. A function ran if anything in its body did: its
/// definition runs even if nothing calls it.
pub(super) fn ran(statements: &Statements<'_>, reached: &[Range<usize>]) -> Vec<bool> {
    let is_reached = |range: &Range<usize>| {
        let at = reached.partition_point(|place| place.end <= range.start);
        reached.get(at).is_some_and(|place| place.start < range.end)
    };
    let is_run = |number| statements.is_declarative(number) || is_reached(&statements.body(number));
    let mut ran: Vec<bool> =
        statements.numbers().map(|number| reached.is_empty() || is_run(number)).collect();
    ran[0] = true;
    for number in statements.numbers().skip(1) {
        // A function without any `yield` isn't a generator.
        let makes_generator = |function: Number| ran[function] && statements.yields(number);
        if !ran[number] && statements.function(number).is_some_and(makes_generator) {
            statements.with_those_around(number).for_each(|around| ran[around] = true);
        }
        if ran[number] {
            statements.attached(number).for_each(|part| ran[part] = true);
        }
    }
    ran
}

/// The removals that keep what ran, in each of the ways; none if everything ran.
pub(super) fn all_reached(
    statements: &Statements<'_>,
    needs: &Needs<'_, '_>,
    ran: &[bool],
) -> Vec<Vec<ViewId>> {
    let is_function = |number: Number| statements.sort(number) == Sort::Function;
    let with_functions: Vec<bool> =
        statements.numbers().map(|number| ran[number] || is_function(number)).collect();
    let all = [ran, &with_mentioned(statements, needs, ran.to_vec()), &with_functions];
    all.map(|kept| statements.without(kept)).into()
}

/// Adds the functions that kept statements mention, and those in kept types that are called without a mention.
fn with_mentioned(
    statements: &Statements<'_>,
    needs: &Needs<'_, '_>,
    mut kept: Vec<bool>,
) -> Vec<bool> {
    let mut open: Vec<Number> = statements.numbers().filter(|number| kept[*number]).collect();
    while let Some(number) = open.pop() {
        let implicit = statements.children(number).filter(|it| statements.is_implicit(*it));
        let needed = needs.of(number).into_iter().chain(implicit);
        for needed in needed.filter(|it| statements.sort(*it) == Sort::Function) {
            if !kept[needed] && kept[statements.around(needed)] {
                kept[needed] = true;
                open.push(needed);
            }
        }
    }
    kept
}
