//! Replaces a span by one inside it though that takes more choices, and then another span by one inside it.
//!
//! At its greatest depth, a generator often draws less for each part, so a tree that is higher up may have more choices. Only two replacements together make it smaller.

use super::descend::{hoisted, inner, longer};
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "detours",
    about: "replaces a span by one inside it though that takes more choices, and then another one",
    turn: Turn::Last,
    run,
};

fn run(shortlex: &mut Shortlex<'_>) {
    let best = shortlex.best();
    let pairs = (0..best.spans.len()).flat_map(|outer| inner(&best, outer));
    for detour in pairs.flat_map(|(outer, inner)| longer(&best, outer, inner)) {
        let Some(from) = shortlex.detour(&detour) else { continue };
        let pairs = (0..from.spans.len()).flat_map(|outer| inner(&from, outer));
        let attempts = pairs.flat_map(|(outer, inner)| hoisted(&from, &from, outer, inner));
        if shortlex.first(attempts).is_some() || shortlex.is_out_of_budget() {
            return;
        }
    }
}
