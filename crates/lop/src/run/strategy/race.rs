//! Whatever earns most comes next.
//!
//! Each step is run once, in the order given; from then on the one that took most tokens away for a test when it was
//! last run. One that finds nothing for a while makes room for the others, and has a larger budget when its turn
//! comes again; one that has looked at all there is waits until something else has changed the text. It ends when
//! none of them has anything left to look at.
//!
//! What a step earns is counted by tests, not by seconds: the tests of a run cost about the same, and a
//! clock would make the result depend on how busy the machine is, and on how many workers there are.

use std::cmp::Ordering;

use crate::run::engine::Engine;
use crate::text::Key;
use crate::text::size::Size;

use super::Strategy;

/// How many tests in a row may be in vain at first.
const BUDGET: u64 = 48;

/// What is known of a step.
struct Contender<'s> {
    step: &'s Strategy,
    /// What it took away for a test when it was last run; at first, more than any other.
    rate: f64,
    budget: u64,
    /// The text in which it found nothing.
    idle_at: Option<Key>,
}

pub(super) fn race(steps: &[Strategy], engine: &mut Engine) {
    let new = |step| Contender { step, rate: f64::INFINITY, budget: BUDGET, idle_at: None };
    let mut contenders: Vec<Contender<'_>> = steps.iter().map(new).collect();
    while !engine.is_over() {
        let before = engine.best_key();
        let is_ready = |contender: &&mut Contender<'_>| contender.idle_at != Some(before);
        // Of equals the first, and `max_by` would take the last.
        let ready = contenders.iter_mut().filter(is_ready).rev();
        let Some(contender) = ready.max_by(|left, right| compare(left, right)) else { return };
        let (questions, size) = (engine.questions(), engine.size());
        let finished = engine.with_budget(contender.budget, |engine| contender.step.run(engine));
        let questions = engine.questions() - questions;
        let has_changed = engine.best_key() != before;
        contender.idle_at = (finished && !has_changed).then_some(before);
        if finished {
            contender.rate = gain(size, engine.size()) / (questions + 1) as f64;
        } else {
            // What it found was found before its budget ended.
            contender.rate = 0.0;
            contender.budget *= 2;
        }
    }
}

/// By what they earn; of those that earn nothing, the one with the larger budget has had its turn.
fn compare(left: &Contender<'_>, right: &Contender<'_>) -> Ordering {
    left.rate.total_cmp(&right.rate).then(right.budget.cmp(&left.budget))
}

/// How much less there is: tokens, and for want of them a little for characters.
fn gain(from: Size, to: Size) -> f64 {
    let less = |from: usize, to: usize| from.saturating_sub(to) as f64;
    less(from.tokens, to.tokens) + less(from.characters, to.characters) / 1000.0
}
