//! The words of which strategies are made.

use lop::algorithms::ALGORITHMS;
use lop::passes::PASSES;
use lop::reducers::{COMPATIBLE, REDUCERS};
use lop::strategy::{DEFAULTS, GUARDS};
use lop::units::UNITS;

use super::print;

/// Lists the words of which strategies are made.
pub(crate) fn print_strategies() {
    print(
        "A strategy is made of phases, joined by `+`; `*` repeats to the fixed point, brackets group.\n\
         A phase is ALGORITHM:UNIT over a list, or a REDUCER over the tree of a file in a known language.\n\
         `~` leaves out phases: default~rename, default~opdd (over all units); so does --without.",
    );
    print_words("Algorithms", ALGORITHMS.iter().map(|each| (each.name, each.about)));
    print_words("Units", UNITS.iter().map(|each| (each.name, each.about)));
    print_words("Reducers", REDUCERS.iter().map(|each| (each.name, each.about)));
    let compatible = COMPATIBLE.iter().map(|each| (each.name, each.about));
    print_words("What is hoisted, as in `hoist:model`", compatible);
    print_words("Passes", PASSES.iter().map(|each| (each.name, each.about)));
    print_words("Guards", GUARDS.iter().map(|each| (each.name, each.about)));
    let of_choices = lop_choice::engine::PASSES.iter().map(|each| (each.name, each.about));
    print_words("Passes over choices (`lop gen`, `lop tmin`), all of which are used", of_choices);
    for each in DEFAULTS {
        print(&format!("\nDefault for {}:\n  {}", each.of, each.usual));
        print(&format!("  --fast      {}\n  --thorough  {}", each.fast, each.thorough));
    }
}

fn print_words(title: &str, words: impl Iterator<Item = (&'static str, &'static str)>) {
    print(&format!("\n{title}:"));
    words.for_each(|(name, about)| print(&format!("  {name:<15} {about}")));
}
