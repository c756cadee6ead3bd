//! The words of strategies.

use lop::algorithms::ALGORITHMS;
use lop::passes::PASSES;
use lop::reducers::{COMPATIBLE, REDUCERS};
use lop::strategy::{DEFAULTS, GUARDS};
use lop::units::UNITS;

use super::print;

/// Words of one kind, each with its description.
pub(crate) struct Words {
    pub(crate) title: &'static str,
    pub(crate) words: Vec<(&'static str, &'static str)>,
}

/// The syntax of strategies.
const SYNTAX: &str = "A strategy is made of phases, joined by `+`; `*` repeats to the fixed point, brackets group.\n\
     `[A|B]` always runs what gains most; `{A}` runs A again from interesting texts of the same size.\n\
     A phase is ALGORITHM:UNIT over a list, or a REDUCER over the tree of a file in a known language.\n\
     `~` leaves out phases: default~rename, default~opdd (over all units); so does --without.";

/// All words of strategies.
pub(crate) fn words() -> [Words; 7] {
    /// The words of any of the library's lists.
    macro_rules! words {
        ($title:literal, $list:expr) => {
            Words {
                title: $title,
                words: $list.iter().map(|each| (each.name, each.about)).collect(),
            }
        };
    }
    [
        words!("Algorithms", ALGORITHMS),
        words!("Units", UNITS),
        words!("Reducers", REDUCERS),
        words!("What is hoisted, as in `hoist:model`", COMPATIBLE),
        words!("Passes", PASSES),
        words!("Guards", GUARDS),
        words!(
            "Passes over choices (`lop gen`, `lop tmin`), all of which are used",
            lop_choice::engine::PASSES
        ),
    ]
}

/// Lists the words of strategies.
pub(crate) fn print_strategies() {
    print(SYNTAX);
    for Words { title, words } in words() {
        print(&format!("\n{title}:"));
        words.iter().for_each(|(name, about)| print(&format!("  {name:<15} {about}")));
    }
    for each in DEFAULTS {
        print(&format!("\nDefault for {}:\n  {}", each.of, each.usual));
        print(&format!("  at its end, again  {}", each.again));
        print(&format!("  --fast      {}\n  --thorough  {}", each.fast, each.thorough));
    }
}
