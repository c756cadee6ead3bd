//! Whether candidates that do not parse are tested.
//!
//! A compiler refuses what does not parse, so testing it is a waste; but some oracles do not care, one that looks
//! for a word for instance. A probe finds out which kind an oracle is: it tests a few candidates that do not
//! parse, each without one token of the text.

use crate::judge::Proposal;
use crate::reduce::units::UNITS;
use crate::run::engine::Engine;
use crate::search::{Search, Subset};
use crate::tree::Tree;

/// How many candidates that do not parse are tested at most, and how many answers of a kind decide: a parser's grammar may
/// be a little narrower than the language, and what is left of the text may be all that is needed.
const PROBES: usize = 3;
const MANY: usize = 2;

/// A named decision.
pub struct Guard {
    /// The word in a strategy.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Makes it.
    pub(super) set: fn(&mut Engine),
}

/// All decisions.
pub const GUARDS: &[Guard] = &[
    Guard {
        name: "guard",
        about: "from here on what does not parse is not tested, unless the test takes such a thing",
        set: guard,
    },
    Guard {
        name: "no-guard",
        about: "from here on what does not parse is tested as well",
        set: |engine| engine.set_guarded(Some(false)),
    },
];

/// Asked once for each file: what an oracle takes of it does not change.
fn guard(engine: &mut Engine) {
    if engine.takes_broken().is_none() {
        let takes = takes_broken(engine);
        // If the budget ran out, the probe is inconclusive: probe again next time.
        engine.set_takes_broken(Some(takes).filter(|_| !engine.is_out_of_budget()));
    }
    engine.set_guarded(engine.takes_broken().map(|takes| !takes));
}

fn takes_broken(engine: &mut Engine) -> bool {
    let text = engine.best().clone();
    let tree = Tree::parse(&text, engine.format());
    let unit = UNITS.iter().find(|unit| unit.name == "tokens").expect("there are tokens");
    if !tree.parser().is_strict() {
        return false;
    }
    let Some(tokens) = (unit.atoms)(&text, 0) else { return false };
    let all = Subset::all(tokens.len());
    let breaks =
        |token: &usize| !tree.still_parses(&tokens.keep(&text, &all.without(*token..token + 1)));
    // From all over the text.
    let step = (tokens.len() / (4 * PROBES)).max(1);
    let broken: Vec<usize> = (0..tokens.len()).step_by(step).filter(breaks).collect();
    let step = broken.len().div_ceil(PROBES).max(1);
    let mut gone: Vec<usize> = Vec::new();
    for (asked, token) in broken.into_iter().step_by(step).enumerate() {
        if gone.len() == MANY || asked - gone.len() == MANY {
            break;
        }
        let more = [gone.as_slice(), &[token]].concat();
        let without =
            |gone: &Vec<usize>| Proposal::sure(tokens.keep(&text, &all.without_elements(gone)));
        if engine.over(without).accepts(more) {
            gone.push(token);
        }
    }
    gone.len() >= MANY
}
