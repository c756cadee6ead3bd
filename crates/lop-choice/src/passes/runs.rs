//! Removes several siblings in a row of which none can be removed alone: what opens and what closes, a push and its pop.

use super::delete::groups;
use crate::shortlex::{Pass, Shortlex, Turn};

pub(super) const PASS: Pass = Pass {
    name: "runs",
    about: "removes several neighbours that can only be removed together",
    turn: Turn::Last,
    run,
};

/// The longest run that is tried.
const LONGEST: usize = 4;

fn run(shortlex: &mut Shortlex<'_>) {
    loop {
        let best = shortlex.best();
        let groups = groups(&best);
        let runs = groups.iter().flat_map(|group| {
            let (best, count) = (&best, group.spans.len());
            // Short runs are the likely ones.
            let widths = 2..=LONGEST.min(count);
            let runs = widths.flat_map(move |width| {
                (0..=count - width).rev().map(move |first| first..first + width)
            });
            runs.map(move |run| {
                let gone = run.len();
                let mut values = group.without(best, run);
                // A number before them may count them.
                if let Some(at) = group.spans[0].start.checked_sub(1)
                    && best.choices[at].value == count as i128
                    && best.choices[at].kind.allows(values[at] - gone as i128)
                {
                    values[at] -= gone as i128;
                }
                values.into()
            })
        });
        if shortlex.first(runs).is_none() {
            return;
        }
    }
}
