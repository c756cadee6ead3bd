//! Stateful tests: steps that change a state, which is often the tested object together with a model of it.

use std::ops::RangeBounds;

use crate::source::Source;

/// A step of a stateful test, for [`Source::steps`].
pub struct Step<'a, S> {
    name: &'a str,
    applies: fn(&S) -> bool,
    run: fn(&mut S, &mut Source),
}

impl<'a, S> Step<'a, S> {
    /// A step that can always be taken.
    pub fn new(name: &'a str, run: fn(&mut S, &mut Source)) -> Step<'a, S> {
        Step { name, applies: |_| true, run }
    }

    /// This step, but only in states for which the condition holds. Otherwise it is skipped.
    pub fn when(self, applies: fn(&S) -> bool) -> Step<'a, S> {
        Step { applies, ..self }
    }
}

impl Source {
    /// Takes a number of steps in this range, each picked from `steps`, and notes their names. The reducer removes steps like the items of
    /// a list.
    pub fn steps<S>(
        &mut self,
        count: impl RangeBounds<usize>,
        state: &mut S,
        steps: &[Step<'_, S>],
    ) {
        self.each(count, |s| {
            let step = s.pick(steps);
            let applies = (step.applies)(state);
            if applies {
                s.note(step.name);
                (step.run)(state, s);
            }
            applies
        });
    }
}
