//! A walk over texts of the same size.
//!
//! When a strategy finds nothing more, all smaller texts that it can make are boring; a text of the same size may lead
//! further. A walk asks which sidesteps from the best are interesting, runs the strategy from each of them, and stays
//! where that finds something smaller than the best. It ends when no sidestep does.
//!
//! Guarantee: that of the strategy. Cost: a test for each sidestep, and for each interesting one the tests that the
//! strategy has not run yet.

use std::sync::Arc;

use crate::judge::Proposal;
use crate::reduce::passes::{SIDESTEPS, Sidesteps};
use crate::run::engine::Engine;
use crate::search::Survey;
use crate::text::{Candidate, Text};
use crate::tree::Tree;

use super::Strategy;

/// The name of the phase.
pub(super) const NAME: &str = "walk";

/// The most tokens of a text from which a walk starts: a larger one has too many sidesteps.
const LARGE: usize = 512;
/// The most sidesteps of a kind that are tested.
const ASKED: usize = 64;
/// The budget of a detour: how many of its tests may be in vain. Most detours lead nowhere; the others find something
/// soon, since all changes that were refused before are left out.
const IN_VAIN: u64 = 32;
/// The most sidesteps of a kind that are followed.
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
