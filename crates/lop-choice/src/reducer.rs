//! The shortlex reducer: runs passes until none of them finds anything better.
//!
//! The paper: MacIver and Donaldson, *Test-Case Reduction via Test-Case Generation* (ECOOP 2020). Contract of a pass: when it is
//! run again on the choices on which it found nothing, it finds nothing. So the reducer is done when every
//! pass has found nothing on the same choices. Those that cost little come first; the others have their turn
//! only when all of these are dry, and after each success of theirs it is the cheap ones' turn again. Within each group
//! the one comes first that found most for its calls.

use std::sync::Arc;

use crate::passes::Pass;
use crate::record::Record;
use crate::trials::{Attempt, Trials};

/// Runs passes and answers their questions.
pub struct Reducer<'t> {
    trials: &'t mut dyn Trials,
    /// How many attempts in a row may fail before a pass has to make room for the others.
    patience: u64,
}

/// What a pass took and what it brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The name of the pass.
    pub pass: &'static str,
    /// How many calls it took.
    pub calls: u64,
    /// In how many of its turns it found something.
    pub found: u64,
}

/// How a pass is doing.
struct Form {
    pass: &'static Pass,
    /// On what it found nothing.
    dry: Option<Arc<Record>>,
    effort: Effort,
    is_tired: bool,
}

/// How many attempts in a row may fail at first.
const PATIENCE: u64 = 16;

/// Reduces with these passes, as far as they go; says what each of them took and brought.
pub fn reduce(trials: &mut dyn Trials, passes: &[&'static Pass]) -> Vec<Effort> {
    let mut reducer = Reducer { trials, patience: PATIENCE };
    let form = |pass: &&'static Pass| {
        let effort = Effort { pass: pass.name, calls: 0, found: 0 };
        Form { pass, dry: None, effort, is_tired: false }
    };
    let (mut cheap, mut costly): (Vec<Form>, Vec<Form>) = passes.iter().map(form).partition(|it| !it.pass.costly);
    while !reducer.trials.is_over() {
        if cheap.iter_mut().fold(false, |found, form| reducer.run(form) | found) {
            continue;
        }
        if costly.iter_mut().any(|form| reducer.run(form)) {
            continue;
        }
        // Whoever had to make room may go on where it stopped: what was tried is known.
        if !cheap.iter().chain(&costly).any(|form| form.is_tired) {
            break;
        }
        reducer.patience *= 4;
    }
    cheap.iter().chain(&costly).map(|form| form.effort).collect()
}

impl Reducer<'_> {
    /// The best choices so far.
    pub fn best(&self) -> Arc<Record> {
        self.trials.best().clone()
    }

    /// The first of these that is better than the best, which it then is, by its number.
    pub fn first(&mut self, mut attempts: impl Iterator<Item = Attempt>) -> Option<usize> {
        let (index, _) = self.trials.first(&mut attempts)?;
        self.trials.grant(self.patience);
        Some(index)
    }

    /// The first of these that is better than the best, which it then is, by its name.
    pub fn find<N>(&mut self, attempts: impl Iterator<Item = (N, Attempt)>) -> Option<N> {
        let mut names = Vec::new();
        let index = self.first(attempts.map(|(name, attempt)| {
            names.push(name);
            attempt
        }))?;
        Some(names.swap_remove(index))
    }

    /// Whether this one is better than the best, which it then is.
    pub fn is_better(&mut self, attempt: impl Into<Attempt>) -> bool {
        self.first(std::iter::once(attempt.into())).is_some()
    }

    /// Does something for each choice, from the first to the last there is by then, except for those that only say whether a list
    /// goes on.
    pub fn for_each_choice(&mut self, mut work: impl FnMut(&mut Reducer<'_>, usize)) {
        let mut best = self.best();
        let mut flags = best.flags();
        let mut at = 0;
        while at < best.choices.len() && !self.is_tired() {
            if !flags[at] {
                work(self, at);
            }
            at += 1;
            if !Arc::ptr_eq(&best, self.trials.best()) {
                best = self.best();
                flags = best.flags();
            }
        }
    }

    /// Whether the pass should make room for others.
    pub fn is_tired(&self) -> bool {
        self.trials.is_spent()
    }

    /// Runs a pass; says whether it found something.
    fn run(&mut self, form: &mut Form) -> bool {
        let before = self.best();
        if form.dry.as_ref().is_some_and(|dry| Arc::ptr_eq(dry, &before)) {
            return false;
        }
        let calls = self.trials.calls();
        self.trials.grant(self.patience);
        (form.pass.run)(self);
        let has_found = !Arc::ptr_eq(&before, self.trials.best());
        form.is_tired = self.is_tired();
        form.effort.calls += self.trials.calls() - calls;
        form.effort.found += u64::from(has_found);
        form.dry = (!has_found && !form.is_tired).then_some(before);
        has_found
    }
}
