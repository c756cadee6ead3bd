//! Whatever earns most comes next.
//!
//! Each step is run once, in the order given; from then on the one that took most tokens away for a test in its last
//! run. One that found nothing waits until something else has changed the text. It ends when none of them finds
//! anything.
//!
//! What a step earns is counted by tests, not by seconds: the tests of a run cost about the same, and a
//! clock would make the result depend on how busy the machine is, and on how many workers there are.

use std::cmp::Ordering;

use crate::candidate::Key;
use crate::engine::Engine;

use super::Strategy;

/// What is known of a step.
struct Runner<'s> {
    step: &'s Strategy,
    /// What it took away in its last run for a test; at first, more than any other.
    rate: f64,
    /// The text in which it found nothing.
    idle_at: Option<Key>,
}

pub(super) fn race(steps: &[Strategy], engine: &mut Engine) {
    let new = |step| Runner { step, rate: f64::INFINITY, idle_at: None };
    let mut runners: Vec<Runner<'_>> = steps.iter().map(new).collect();
    while !engine.is_over() {
        let before = engine.best_key();
        let is_ready = |runner: &&mut Runner<'_>| runner.idle_at != Some(before);
        // Of equals the first, and `max_by` would take the last.
        let ready = runners.iter_mut().filter(is_ready).rev();
        let Some(runner) = ready.max_by(|left, right| compare(left, right)) else { return };
        let (tests, size) = (engine.counts().tests, engine.size());
        runner.step.run(engine);
        let tests = engine.counts().tests - tests;
        runner.rate = gain(size, engine.size()) / (tests + 1) as f64;
        runner.idle_at = Some(engine.best_key()).filter(|key| *key == before);
    }
}

fn compare(left: &Runner<'_>, right: &Runner<'_>) -> Ordering {
    left.rate.total_cmp(&right.rate)
}

/// How much less there is: tokens, and for want of them a little for characters.
fn gain(from: crate::Size, to: crate::Size) -> f64 {
    let less = |from: usize, to: usize| from.saturating_sub(to) as f64;
    less(from.tokens, to.tokens) + less(from.characters, to.characters) / 1000.0
}
