//! The shortlex reducer: runs passes until none of them finds better choices.
//!
//! The paper: MacIver and Donaldson, *Test-Case Reduction via Test-Case Generation* (ECOOP 2020). Contract of a pass: when it is
//! run again on the choices on which it found nothing, it finds nothing. So the reducer is done when every
//! pass has found nothing on the same choices.
//!
//! Passes run in three groups. While there are many choices, only the passes run that make them fewer, and they race: the one that removed most for its
//! calls runs next. Then all passes
//! that cost little take turns. When these are exhausted, the remaining passes run until one of them finds something;
//! the pass that found most for its calls comes first. A pass has a budget of failed attempts: when it is used up the next
//! pass runs, and the pass continues where it stopped when its turn comes again.
//!
//! Departures from the paper: a choice is a number with a kind, not a row of bits, so shortlex compares the number of choices first
//! (the calls of `getbits` in the paper's Figure 5), and then each choice by its distance from the simplest value of its kind. A value that does not
//! fit what is drawn is taken for the simplest one; the figure masks it. Spans are in the order in which they begin, in the figure in that in which they
//! end. Runs of choices that cross the border of a span are removed only where spans have the labels of lists and their items. Floating-point numbers have an order of their
//! own. The limit of a test case is a number of choices, not of bytes.

use std::sync::Arc;

use crate::record::Record;
use crate::trials::{Attempt, Trials};

/// A way to make choices fewer or simpler.
#[derive(Debug)]
pub struct Pass {
    /// What it is called.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// When it has its turn.
    pub turn: Turn,
    /// Does it.
    pub run: fn(&mut Shortlex<'_>),
}

/// When a pass has its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Turn {
    /// First: it makes choices fewer.
    Shorten,
    /// First as long as there are many choices, and last when there are few.
    Coarse,
    /// Then: it makes them simpler.
    Simplify,
    /// When all others found nothing: it costs much, or is seldom of use.
    Last,
}

/// What a pass is given: the best choices, and answers to its questions.
pub struct Shortlex<'t> {
    trials: &'t mut dyn Trials,
    /// How many attempts of a pass may fail in a row before it is the turn of the next one.
    budget: u64,
    /// Where the pass begins.
    from: usize,
    /// How far the pass has come.
    at: usize,
    /// Whether only what makes choices fewer counts as a success.
    shortens: bool,
}

/// The calls that a pass took, and what it found with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// The name of the pass.
    pub pass: &'static str,
    /// How many calls it took.
    pub calls: u64,
    /// In how many of its turns it found something.
    pub found: u64,
}

/// A pass and how far it has come.
struct Progress {
    pass: &'static Pass,
    /// The choices on which it found nothing.
    exhausted: Option<Arc<Record>>,
    tally: Tally,
    /// Where it stopped when its budget was used up.
    stopped: Option<usize>,
    /// How many choices its last turn removed for a thousandth of a call.
    worth: u64,
}

/// How many attempts in a row may fail at first.
const FIRST_BUDGET: u64 = 16;
/// After how many rounds of small steps the remaining passes have a turn.
const ROUNDS: u32 = 12;
/// How many attempts in a row may fail at most while there are many choices.
const LARGEST_BUDGET: u64 = 256;
/// With more choices than these, it pays to make them fewer before they are made simpler.
const MANY: usize = 100;

/// Reduces with these passes until none of them finds anything; returns a tally of each.
pub fn reduce(trials: &mut dyn Trials, passes: &[&'static Pass]) -> Vec<Tally> {
    let mut shortlex = Shortlex { trials, budget: FIRST_BUDGET, from: 0, at: 0, shortens: false };
    let progress = |pass: &&'static Pass| {
        let tally = Tally { pass: pass.name, calls: 0, found: 0 };
        Progress { pass, exhausted: None, tally, stopped: None, worth: u64::MAX }
    };
    let mut passes: Vec<Progress> = passes.iter().map(progress).collect();
    let mut rounds = 0;
    while !shortlex.trials.is_over() {
        shortlex.shorten(&mut passes);
        // Small steps may go on for ever. One of the remaining passes may reach in one step where they lead.
        rounds += 1;
        let is_slow = rounds % ROUNDS == 0 && shortlex.run_until_found(&mut passes);
        if is_slow
            || shortlex.run_all(&mut passes, |turn| matches!(turn, Turn::Shorten | Turn::Simplify))
            || shortlex.run_until_found(&mut passes)
        {
            continue;
        }
        // A pass that stopped may have more to try than its budget allows.
        if passes.iter().all(|progress| progress.stopped.is_none()) {
            break;
        }
        shortlex.budget *= 4;
    }
    passes.iter().map(|progress| progress.tally).collect()
}

impl Shortlex<'_> {
    /// The best choices so far.
    pub fn best(&self) -> Arc<Record> {
        self.trials.best().clone()
    }

    /// Where the pass begins: at 0, or where it stopped the last time.
    pub fn from(&self) -> usize {
        self.from
    }

    /// Notes how far the pass has come.
    pub fn reach(&mut self, at: usize) {
        self.at = at;
    }

    /// Tries attempts until one is better than the best; this one becomes the best, and its index is returned.
    pub fn first(&mut self, mut attempts: impl Iterator<Item = Attempt>) -> Option<usize> {
        let before = self.trials.best().choices.len();
        let index = self.trials.first(&mut attempts).found()?;
        if !self.shortens || self.trials.best().choices.len() < before {
            self.trials.grant(self.budget);
        }
        Some(index)
    }

    /// Tries attempts until one is better than the best; this one becomes the best, and its place is returned. If the budget
    /// is used up first, the pass continues at the place of the next attempt.
    pub fn find(&mut self, attempts: impl Iterator<Item = (usize, Attempt)>) -> Option<usize> {
        let mut places = Vec::new();
        let index = self.first(attempts.map(|(place, attempt)| {
            places.push(place);
            attempt
        }));
        match index {
            Some(index) => Some(places.swap_remove(index)),
            None => {
                // Attempts are pulled ahead of their turn, but a pass has come only as far as they were tried.
                let reached = self.trials.tried().min(places.len().saturating_sub(1));
                self.at = places.get(reached).copied().unwrap_or(self.at);
                None
            }
        }
    }

    /// Tries an attempt; if it is better than the best, it becomes the best.
    pub fn is_better(&mut self, attempt: impl Into<Attempt>) -> bool {
        self.first(std::iter::once(attempt.into())).is_some()
    }

    /// Does something for each choice of the best, which may change meanwhile, except for those that only say whether a
    /// list has another item.
    pub fn for_each_choice(&mut self, mut work: impl FnMut(&mut Shortlex<'_>, usize)) {
        let mut best = self.best();
        let mut flags = best.flags();
        let mut at = self.from;
        while at < best.choices.len() && !self.is_out_of_budget() {
            self.at = at;
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

    /// Whether the budget of the pass is used up.
    pub fn is_out_of_budget(&self) -> bool {
        self.trials.is_spent()
    }

    /// Makes the choices fewer, while there are many.
    fn shorten(&mut self, passes: &mut [Progress]) {
        let budget = self.budget;
        self.shortens = true;
        while self.trials.best().choices.len() > MANY
            && self.budget <= LARGEST_BUDGET
            && !self.trials.is_over()
        {
            if !self.race(passes) {
                self.budget *= 4;
            }
        }
        self.shortens = false;
        self.budget = budget;
    }

    /// Runs the passes that make choices fewer until none of them finds anything within its budget; returns whether one of them did. The pass whose last turn
    /// removed most choices for its calls runs next; initially, and where they removed nothing, they are in the order of the list.
    fn race(&mut self, passes: &mut [Progress]) -> bool {
        let is_runner = |at: &usize| matches!(passes[*at].pass.turn, Turn::Shorten | Turn::Coarse);
        let runners: Vec<usize> = (0..passes.len()).filter(is_runner).collect();
        let (mut left, mut found) = (runners.clone(), false);
        while self.trials.best().choices.len() > MANY && !self.trials.is_over() {
            // The first of those that are worth the same.
            let Some(at) = left.iter().copied().rev().max_by_key(|at| passes[*at].worth) else {
                break;
            };
            let (before, calls) = (self.trials.best().choices.len(), self.trials.calls());
            let has_found = self.run(&mut passes[at]);
            let removed = before.saturating_sub(self.trials.best().choices.len()) as u64;
            passes[at].worth = 1000 * removed / (self.trials.calls() - calls + 1);
            found |= has_found;
            match has_found {
                true => left = runners.clone(),
                false => left.retain(|other| *other != at),
            }
        }
        found
    }

    /// Runs all passes of some turns; returns whether one of them found something.
    fn run_all(&mut self, passes: &mut [Progress], is_chosen: impl Fn(Turn) -> bool) -> bool {
        passes
            .iter_mut()
            .filter(|progress| is_chosen(progress.pass.turn))
            .fold(false, |found, progress| self.run(progress) | found)
    }

    /// Runs the passes that come last until one of them finds something.
    fn run_until_found(&mut self, passes: &mut [Progress]) -> bool {
        let is_last =
            |progress: &&mut Progress| matches!(progress.pass.turn, Turn::Coarse | Turn::Last);
        let mut last: Vec<&mut Progress> = passes.iter_mut().filter(is_last).collect();
        // The pass that found most for its calls comes first; initially they are in the order of the list.
        last.sort_by_key(|progress| {
            std::cmp::Reverse(
                1000 * (progress.tally.found + 1) / (progress.tally.calls / FIRST_BUDGET + 1),
            )
        });
        last.into_iter().any(|progress| self.run(progress))
    }

    /// Runs a pass; returns whether it found something.
    fn run(&mut self, progress: &mut Progress) -> bool {
        let before = self.best();
        if self.trials.is_over()
            || progress.exhausted.as_ref().is_some_and(|record| Arc::ptr_eq(record, &before))
        {
            return false;
        }
        let calls = self.trials.calls();
        self.trials.grant(self.budget);
        self.from = progress.stopped.take().unwrap_or(0);
        self.at = self.from;
        self.trials.begin(progress.pass.name);
        (progress.pass.run)(self);
        // From its beginning to where it began.
        if self.from > 0 && !self.is_out_of_budget() {
            self.from = 0;
            self.at = 0;
            (progress.pass.run)(self);
        }
        self.trials.end();
        let has_found = match self.shortens {
            true => self.trials.best().choices.len() < before.choices.len(),
            false => !Arc::ptr_eq(&before, self.trials.best()),
        };
        let is_skipped = self.trials.is_skipped();
        progress.stopped = (self.is_out_of_budget() && !is_skipped).then_some(self.at);
        progress.tally.calls += self.trials.calls() - calls;
        progress.tally.found += u64::from(has_found);
        // A pass that is skipped has nothing left to try on the choices that it came to.
        let is_same = Arc::ptr_eq(&before, self.trials.best()) || is_skipped;
        progress.exhausted = (is_same && progress.stopped.is_none()).then(|| self.best());
        has_found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::{Choice, Kind};
    use crate::record::Values;
    use crate::trials::{Ending, Judge, Run, Runner};

    /// Refuses everything, and looks this far ahead.
    struct Refusing(usize);

    impl Runner for Refusing {
        fn ahead(&self) -> usize {
            self.0
        }

        fn run(&mut self, values: Values) -> Run {
            Run { record: record(&values), ending: Ending::Boring }
        }
    }

    fn record(values: &[i128]) -> Record {
        let choice = |value: &i128| Choice { value: *value, kind: Kind::integer(0, 1000, 0) };
        Record { choices: values.iter().map(choice).collect(), spans: Vec::new() }
    }

    #[test]
    fn a_pass_goes_on_where_its_budget_ended_however_far_the_judge_looked_ahead() {
        for ahead in [0, 4, 50] {
            let mut judge = Judge::new(record(&[1000]), 10_000, Refusing(ahead));
            judge.grant(3);
            let mut shortlex =
                Shortlex { trials: &mut judge, budget: 3, from: 0, at: 0, shortens: false };
            let attempts = (0..100).map(|at| (at, Attempt::from(vec![at as i128])));
            assert_eq!(shortlex.find(attempts), None);
            assert_eq!(shortlex.at, 3, "{ahead} ahead");
        }
    }
}
