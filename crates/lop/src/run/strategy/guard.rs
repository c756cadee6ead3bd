//! Whether candidates that do not parse are tested.
//!
//! A compiler rejects a text that does not parse, so testing such candidates is a waste; but some oracles do not care,
//! for instance one that searches for a word. A probe finds out which kind an oracle is: it tests a few candidates that
//! do not parse, each without one token of the text.

use crate::judge::Proposal;
use crate::reduce::units::UNITS;
use crate::run::engine::Engine;
use crate::search::{Subset, Survey};
use crate::tree::Tree;

/// A probe tests at most `PROBES` candidates, and stops after `MANY` equal answers. One answer isn't enough: a parser's
/// grammar may be a little narrower than the language, and a reduced text may need all of its tokens.
const PROBES: usize = 3;
const MANY: usize = 2;

/// A decision whether candidates that do not parse are tested.
pub struct Guard {
    /// Its word in a strategy.
    pub name: &'static str,
    /// A line of help.
    pub about: &'static str,
    /// Makes the decision.
    pub(super) set: fn(&mut Engine),
}

/// All decisions.
pub const GUARDS: &[Guard] = &[
    Guard {
        name: "guard",
        about: "from here on, skips candidates that do not parse, unless the test accepts such candidates",
        set: guard,
    },
    Guard {
        name: "no-guard",
        about: "from here on, also tests candidates that do not parse",
        set: |engine| engine.set_guarded(Some(false)),
    },
];

/// Skips candidates that do not parse if the oracle rejects them. The oracle is probed once, since its nature does not
/// change.
fn guard(engine: &mut Engine) {
    if engine.is_valid() {
        return;
    }
    if engine.takes_broken().is_none() {
        let takes = takes_broken(engine);
        // If the budget ran out, the probe is inconclusive: probe again next time.
        let is_conclusive = !engine.is_out_of_budget();
        engine.set_takes_broken(Some(takes).filter(|_| is_conclusive));
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
    let Some(tokens) = engine.atoms(unit, 0) else { return false };
    let all = Subset::all(tokens.len());
    let breaks =
        |token: &usize| !tree.still_parses(&tokens.keep(&text, &all.without(*token..token + 1)));
    // Tokens from the whole text.
    let step = (tokens.len() / (4 * PROBES)).max(1);
    let broken: Vec<usize> = (0..tokens.len()).step_by(step).filter(breaks).collect();
    let step = broken.len().div_ceil(PROBES).max(1);
    let without =
        |token: &usize| Proposal::sure(tokens.keep(&text, &all.without(*token..token + 1)));
    // The tree of a text with an error is worse, so no such candidate becomes the best.
    let (mut asked, mut taken) = (0, 0);
    for token in broken.into_iter().step_by(step) {
        if taken == MANY || asked - taken == MANY {
            break;
        }
        asked += 1;
        taken += usize::from(engine.over(without).each(vec![token]) == [true]);
    }
    taken >= MANY
}
