//! The shortlex reducer: runs passes until none of them finds anything better.
//!
//! The paper: MacIver and Donaldson, *Test-Case Reduction via Test-Case Generation* (ECOOP 2020). Contract of a pass: when it is
//! run again on the choices on which it found nothing, it finds nothing. So the reducer is done when every
//! pass has found nothing on the same choices.
//!
//! Passes have their turn in three groups. As long as there are many choices, those that make them fewer go on by themselves; then all others
//! that cost little join in, and when all of these are dry it is the turn of the rest, until one of them finds something; of
//! these the one comes first that found most for its calls. A pass that fails several times in a row has to make room
//! for the others, and goes on where it stopped when its turn comes again.

use std::sync::Arc;

use crate::passes::{Pass, Turn};
use crate::record::Record;
use crate::trials::{Attempt, Trials};

/// Runs passes and answers their questions.
pub struct Reducer<'t> {
    trials: &'t mut dyn Trials,
    /// How many attempts in a row may fail before a pass has to make room for the others.
    patience: u64,
    /// Where the pass begins.
    from: usize,
    /// How far it has come.
    at: usize,
    /// Whether only what makes choices fewer counts as a success.
    shortens: bool,
}

/// What a pass took and what it brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
    /// Where it had to make room for the others.
    stopped: Option<usize>,
}

/// How many attempts in a row may fail at first.
const PATIENCE: u64 = 16;
/// After how many rounds of small steps the others have a turn.
const ROUNDS: u32 = 12;
/// How many of them may fail at most as long as there are many choices.
const MOST: u64 = 256;
/// With more choices than these it is worth it to make them fewer before they are made simpler.
const MANY: usize = 100;

/// Reduces with these passes, as far as they go; says what each of them took and brought.
pub fn reduce(trials: &mut dyn Trials, passes: &[&'static Pass]) -> Vec<Effort> {
    let mut reducer = Reducer { trials, patience: PATIENCE, from: 0, at: 0, shortens: false };
    let form = |pass: &&'static Pass| {
        let effort = Effort { pass: pass.name, calls: 0, found: 0 };
        Form { pass, dry: None, effort, stopped: None }
    };
    let mut forms: Vec<Form> = passes.iter().map(form).collect();
    let mut rounds = 0;
    while !reducer.trials.is_over() {
        reducer.shorten(&mut forms);
        // Small steps may go on for ever: then the others have a turn as well, one of which may see where they lead.
        rounds += 1;
        let is_slow = rounds % ROUNDS == 0 && reducer.run_until_found(&mut forms);
        if is_slow
            || reducer.run_all(&mut forms, |turn| matches!(turn, Turn::Shorten | Turn::Simplify))
            || reducer.run_until_found(&mut forms)
        {
            continue;
        }
        // Whoever had to make room may go on for longer.
        if forms.iter().all(|form| form.stopped.is_none()) {
            break;
        }
        reducer.patience *= 4;
    }
    forms.iter().map(|form| form.effort).collect()
}

impl Reducer<'_> {
    /// The best choices so far.
    pub fn best(&self) -> Arc<Record> {
        self.trials.best().clone()
    }

    /// Where a pass begins, which is the first thing it looks at or where it stopped the last time.
    pub fn from(&self) -> usize {
        self.from
    }

    /// How far a pass has come.
    pub fn reach(&mut self, at: usize) {
        self.at = at;
    }

    /// The first of these that is better than the best, which it then is, by its number.
    pub fn first(&mut self, mut attempts: impl Iterator<Item = Attempt>) -> Option<usize> {
        let before = self.trials.best().choices.len();
        let index = self.trials.first(&mut attempts).found()?;
        if !self.shortens || self.trials.best().choices.len() < before {
            self.trials.grant(self.patience);
        }
        Some(index)
    }

    /// The first of these that is better than the best, which it then is, by the place where it was found.
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

    /// Whether this one is better than the best, which it then is.
    pub fn is_better(&mut self, attempt: impl Into<Attempt>) -> bool {
        self.first(std::iter::once(attempt.into())).is_some()
    }

    /// Does something for each choice, to the last there is by then, except for those that only say whether a list
    /// goes on.
    pub fn for_each_choice(&mut self, mut work: impl FnMut(&mut Reducer<'_>, usize)) {
        let mut best = self.best();
        let mut flags = best.flags();
        let mut at = self.from;
        while at < best.choices.len() && !self.is_tired() {
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

    /// Whether the pass should make room for others.
    pub fn is_tired(&self) -> bool {
        self.trials.is_spent()
    }

    /// As long as there are many choices, only makes them fewer.
    fn shorten(&mut self, forms: &mut [Form]) {
        let patience = self.patience;
        self.shortens = true;
        while self.trials.best().choices.len() > MANY
            && self.patience <= MOST
            && !self.trials.is_over()
        {
            if !self.run_all(forms, |turn| matches!(turn, Turn::Shorten | Turn::Coarse)) {
                self.patience *= 4;
            }
        }
        self.shortens = false;
        self.patience = patience;
    }

    /// Runs all passes of some turns; says whether one of them found something.
    fn run_all(&mut self, forms: &mut [Form], is_their: impl Fn(Turn) -> bool) -> bool {
        forms
            .iter_mut()
            .filter(|form| is_their(form.pass.turn))
            .fold(false, |found, form| self.run(form) | found)
    }

    /// Runs those passes that come last, until one of them finds something.
    fn run_until_found(&mut self, forms: &mut [Form]) -> bool {
        let is_last = |form: &&mut Form| matches!(form.pass.turn, Turn::Coarse | Turn::Last);
        let mut last: Vec<&mut Form> = forms.iter_mut().filter(is_last).collect();
        // The one that found most for its calls; at first, in the order in which they are listed.
        last.sort_by_key(|form| {
            std::cmp::Reverse(1000 * (form.effort.found + 1) / (form.effort.calls / PATIENCE + 1))
        });
        last.into_iter().any(|form| self.run(form))
    }

    /// Runs a pass; says whether it found something.
    fn run(&mut self, form: &mut Form) -> bool {
        let before = self.best();
        if self.trials.is_over() || form.dry.as_ref().is_some_and(|dry| Arc::ptr_eq(dry, &before)) {
            return false;
        }
        let calls = self.trials.calls();
        self.trials.grant(self.patience);
        self.from = form.stopped.take().unwrap_or(0);
        self.at = self.from;
        (form.pass.run)(self);
        // From its beginning to where it began.
        if self.from > 0 && !self.is_tired() {
            self.from = 0;
            self.at = 0;
            (form.pass.run)(self);
        }
        let has_found = match self.shortens {
            true => self.trials.best().choices.len() < before.choices.len(),
            false => !Arc::ptr_eq(&before, self.trials.best()),
        };
        form.stopped = self.is_tired().then_some(self.at);
        form.effort.calls += self.trials.calls() - calls;
        form.effort.found += u64::from(has_found);
        let is_same = Arc::ptr_eq(&before, self.trials.best());
        form.dry = (is_same && form.stopped.is_none()).then_some(before);
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
            let mut reducer =
                Reducer { trials: &mut judge, patience: 3, from: 0, at: 0, shortens: false };
            let attempts = (0..100).map(|at| (at, Attempt::from(vec![at as i128])));
            assert_eq!(reducer.find(attempts), None);
            assert_eq!(reducer.at, 3, "{ahead} ahead");
        }
    }
}
