//! Stateful tests: steps on something that remembers, most often next to a model that is known to be right.

use std::ops::RangeBounds;

use crate::source::Source;

/// Something that can be done.
pub struct Step<'a, S> {
    name: &'a str,
    applies: fn(&S) -> bool,
    run: fn(&mut S, &mut Source),
}

impl<'a, S> Step<'a, S> {
    /// Something that can always be done.
    pub fn new(name: &'a str, run: fn(&mut S, &mut Source)) -> Step<'a, S> {
        Step { name, applies: |_| true, run }
    }

    /// Something that can be done when this holds; otherwise the step is left out.
    pub fn when(self, applies: fn(&S) -> bool) -> Step<'a, S> {
        Step { applies, ..self }
    }
}

impl Source {
    /// Does so many steps, each one of these, and notes their names. When a case is reduced, steps go like items of a list.
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
