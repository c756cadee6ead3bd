//! A race of steps, of which the most productive one always runs next.
//!
//! Each step is run once, in the given order; from then on, the race runs the step that removed most tokens per test in
//! its last run. A step that removes little is stopped when its budget runs out, and has a larger budget in its next
//! turn; the first step begins with a larger budget than the others. A step that has tried all its candidates waits
//! until another one has changed the text. The race ends when every step has tried all its candidates.
//!
//! The race counts tests, not seconds: the tests of a run cost about the same, and a
//! clock would make the result depend on the load of the machine and on the number of workers.

use std::cmp::Ordering;

use crate::run::engine::Engine;
use crate::text::Key;
use crate::text::size::Size;

use super::Strategy;

/// The budget of the first run of the step that is written first: how many of its tests may be in vain. It removes
/// most, if not immediately.
const FIRST_BUDGET: u64 = 64;
/// The budget of the first run of any other step.
const BUDGET: u64 = 16;

/// A step with its record in the race.
struct Contender<'s> {
    step: &'s Strategy,
    /// The gain per test of its last run; infinite before the first run.
    rate: f64,
    /// Its budget in its first run.
    budget: u64,
    /// How often its budget ran out.
    stops: u32,
    /// The text for which it has tried everything.
    idle_at: Option<Key>,
}

pub(super) fn race(steps: &[Strategy], engine: &mut Engine) {
    let budgets = std::iter::once(FIRST_BUDGET).chain(std::iter::repeat(BUDGET));
    let new =
        |(step, budget)| Contender { step, rate: f64::INFINITY, budget, stops: 0, idle_at: None };
    let mut contenders: Vec<Contender<'_>> = steps.iter().zip(budgets).map(new).collect();
    while !engine.is_over() && !engine.is_out_of_budget() {
        let before = engine.best_key();
        let is_ready = |contender: &&mut Contender<'_>| contender.idle_at != Some(before);
        // Of equals the first one runs, and `max_by` returns the last: hence `rev`.
        let ready = contenders.iter_mut().filter(is_ready).rev();
        let Some(contender) = ready.max_by(|left, right| compare(left, right)) else { return };
        let (questions, size) = (engine.questions(), engine.size());
        let finished = engine.with_budget(contender.budget(), |engine| contender.step.run(engine));
        let questions = engine.questions() - questions;
        let has_changed = engine.best_key() != before;
        contender.idle_at = (finished && !has_changed).then_some(before);
        if finished {
            contender.rate = gain(size, engine.size()) / (questions + 1) as f64;
        } else {
            // A whole budget of tests was in vain; removals before that don't count.
            contender.rate = 0.0;
            contender.stops += 1;
        }
    }
}

impl Contender<'_> {
    /// The budget of its next run: twice that of the last run that was stopped.
    fn budget(&self) -> u64 {
        self.budget.saturating_mul(2_u64.saturating_pow(self.stops))
    }
}

/// The order of contenders: by rate, then those that were stopped less often come first, since the others had their
/// turn.
fn compare(left: &Contender<'_>, right: &Contender<'_>) -> Ordering {
    left.rate.total_cmp(&right.rate).then(right.stops.cmp(&left.stops))
}

/// The gain: the number of removed tokens, and a little for characters, in case no token was removed.
fn gain(from: Size, to: Size) -> f64 {
    let less = |from: usize, to: usize| from.saturating_sub(to) as f64;
    less(from.tokens, to.tokens) + less(from.characters, to.characters) / 1000.0
}
