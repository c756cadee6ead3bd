//! Stateful tests: steps that change a state, which is often the tested object together with a model of it.

use std::ops::RangeBounds;

use crate::choice::Kind;
use crate::source::Source;

/// How many times as many steps are taken as a list has items: faults of a state often need several.
const STEPS: f64 = 3.0;

type Action<'a, S> = Box<dyn Fn(&mut S, &mut Source) + 'a>;

/// A step of a stateful test, or a condition that holds after each of them, for [`Source::steps`]. Both may borrow what they need.
pub struct Step<'a, S> {
    name: &'a str,
    applies: Box<dyn Fn(&S) -> bool + 'a>,
    run: Action<'a, S>,
    is_invariant: bool,
}

impl<'a, S> Step<'a, S> {
    /// A step that can always be taken. Values that it draws by [`Source::named`] are noted as its arguments: `push(item = 3)`.
    pub fn new(name: &'a str, run: impl Fn(&mut S, &mut Source) + 'a) -> Step<'a, S> {
        Step { name, applies: Box::new(|_| true), run: Box::new(run), is_invariant: false }
    }

    /// This step, but only in states for which the condition holds. Otherwise it is skipped.
    pub fn when(self, applies: impl Fn(&S) -> bool + 'a) -> Step<'a, S> {
        Step { applies: Box::new(applies), ..self }
    }

    /// A condition that holds at the beginning and after each step; `check` panics if it does not.
    pub fn invariant(name: &'a str, check: impl Fn(&S) + 'a) -> Step<'a, S> {
        let run = move |state: &mut S, _: &mut Source| check(state);
        Step { is_invariant: true, ..Step::new(name, run) }
    }
}

impl Source {
    /// Takes a number of steps in this range, each picked from `steps`, and notes them. The reducer removes steps like the items of
    /// a list. If an invariant fails, that is noted after the step.
    #[track_caller]
    pub fn steps<S>(
        &mut self,
        count: impl RangeBounds<usize>,
        state: &mut S,
        steps: &[Step<'_, S>],
    ) {
        let (invariants, steps): (Vec<_>, Vec<_>) =
            steps.iter().partition(|step| step.is_invariant);
        let hold = |s: &mut Source, state: &mut S| {
            for invariant in &invariants {
                if (invariant.applies)(state) {
                    s.begin_step(&format!("invariant: {}", invariant.name));
                    (invariant.run)(state, s);
                    s.drop_step();
                }
            }
        };
        assert!(!steps.is_empty(), "a mistake of the generator: there is no step to take");
        hold(self, state);
        self.each(count, STEPS, |s| {
            let kind = Kind::integer(0, steps.len() as i128 - 1, 0);
            // A random step is one that can be taken, if there is any.
            let taken = s.choose_by(kind, |fresh, _, _| {
                let weights = steps.iter().map(|step| u32::from((step.applies)(state)));
                fresh.weighted(&weights.collect::<Vec<_>>()) as i128
            });
            let step = steps[taken as usize];
            let applies = (step.applies)(state);
            if applies {
                s.begin_step(step.name);
                (step.run)(state, s);
                s.end_step();
                hold(s, state);
            }
            applies
        });
    }
}
