//! A walk over texts of the same size.
//!
//! Where a strategy finds nothing any more, every smaller text that it knows of is boring; a text of the same size may lead further. A walk
//! asks which sidesteps from the best are interesting, runs the strategy from each of them, and stays where that finds something smaller
//! than the best. It ends when no sidestep does.
//!
//! Guarantee: that of the strategy. Cost: a test for each sidestep, and for each that is interesting the tests of what the strategy
//! has not asked for yet.

use std::sync::Arc;

use crate::judge::Proposal;
use crate::reduce::passes::{SIDESTEPS, Sidesteps};
use crate::run::engine::Engine;
use crate::search::Survey;
use crate::text::{Candidate, Text};
use crate::tree::Tree;

use super::Strategy;

/// The name of its phase.
pub(super) const NAME: &str = "walk";

/// The most tokens of a text that is walked from: a larger one has sidesteps without end.
const LARGE: usize = 512;
/// How many sidesteps of a sort are asked about.
const ASKED: usize = 64;
/// How many tests in a row may be in vain on a detour. Most lead nowhere; what leads somewhere is found soon, as all that was refused before is left out.
const IN_VAIN: u64 = 32;
/// How many of them are followed.
const FOLLOWED: usize = 4;

pub(super) fn walk(step: &Strategy, engine: &mut Engine) {
    step.run(engine);
    while engine.size().tokens <= LARGE && !engine.is_over() && !engine.is_out_of_budget() {
        let before = engine.best_key();
        let is_over = |engine: &mut Engine| engine.best_key() != before || engine.is_over();
        for sidesteps in SIDESTEPS {
            let mut ways = Vec::new();
            engine.phase(NAME, |engine| ways = interesting(sidesteps, engine));
            for way in ways {
                if !is_over(engine) {
                    engine.detour(way, |engine| {
                        engine.with_budget(IN_VAIN, |engine| step.run(engine));
                    });
                }
            }
            if is_over(engine) {
                break;
            }
        }
        if engine.best_key() == before {
            return;
        }
    }
}

fn interesting(sidesteps: Sidesteps, engine: &mut Engine) -> Vec<Text> {
    let tree = Arc::new(Tree::parse(engine.best(), engine.format()));
    let parses = |candidate: &Candidate| tree.still_parses(candidate);
    let steps: Vec<Candidate> = sidesteps(&tree).filter(parses).take(ASKED).collect();
    let build = |candidate: &Candidate| Proposal::sure(candidate.clone());
    let interesting = engine.over(build).each(steps.clone());
    let taken = steps.into_iter().zip(interesting).filter(|(_, interesting)| *interesting);
    taken.take(FOLLOWED).map(|(step, _)| step.text().clone()).collect()
}
