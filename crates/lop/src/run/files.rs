//! Reduces several files: all together, as one tree whose topmost nodes are the files (see `tree/files.rs`).
//!
//! So every phase of a strategy runs over all files before the next one starts, and a strategy that begins with the big cuts
//! makes them in every file before it polishes any. The lists of lines, tokens and so on are those of all files. Whole files, with the
//! parts of other files that mention them, are tried before the strategy, and again after it while it finds anything. Only a slice comes
//! before them, since no smaller text has clues.
//!
//! The files that come first are reduced to the end while the others stay unchanged; then all are reduced.

use crate::reduce::passes::{FILES, PPR, SLICE, is_pair};
use crate::run::strategy::Strategy;
use crate::text::{Bundle, Text, Turn};
use crate::tree::{Format, Tree};

use super::engine::Engine;

pub(crate) fn reduce(engine: &mut Engine, strategy: &Strategy, bundle: &Bundle, input: &[u8]) {
    let round = Strategy::Then(vec![Strategy::Pass(&FILES), strategy.clone()]);
    let rounds = Strategy::Star(Box::new(round));
    for turn in bundle.turns() {
        let format = Format::of_files(bundle, input, turn).with_learned_of(engine.format());
        engine.take_turn(bundle, turn, format);
        if strategy.has(SLICE.name, engine.best(), engine.format()) {
            Strategy::Pass(&SLICE).run(engine);
        }
        rounds.run(engine);
    }
}

/// A note if a strategy has a pass over two versions of a program, and the input isn't one.
pub(crate) fn unpaired(
    strategy: &Strategy,
    bundle: Option<&Bundle>,
    input: &Text,
) -> Option<String> {
    let is_meant = strategy.phases().iter().any(|phase| phase == PPR.name);
    let parse = |bundle| Tree::parse(input, &Format::of_files(bundle, input, Turn::Later));
    let is_fit =
        || input.len() <= Tree::LONGEST && bundle.map(parse).is_some_and(|it| is_pair(&it));
    (is_meant && !is_fit()).then(|| {
        let name = PPR.name;
        format!("`{name}` finds nothing here: it needs exactly two files of one language that have much in common")
    })
}
