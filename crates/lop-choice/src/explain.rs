//! Which parts of a reduced case matter: a named value does not if the property fails in the same way whatever is drawn instead.

use crate::case::{Case, Cases};
use crate::failure::CaseResult;
use crate::record::Record;
use crate::source::Note;

/// How often a value is drawn anew before it is said not to matter.
const TIMES: usize = 8;
/// How many cases that could not be run, since the generator rejected them or the choices didn't suffice, are drawn in search of those.
const ATTEMPTS: u64 = 24;

/// The indices of the notes whose values do not matter for this kind of failure.
pub(crate) fn without_effect(
    cases: &mut dyn Cases,
    reduced: &Record,
    notes: &[Note],
    kind: &str,
) -> Vec<usize> {
    let spans = notes.iter().enumerate().filter_map(|(at, note)| Some((at, note.span?)));
    spans
        .filter(|(_, span)| reduced.spans.get(*span).is_some_and(|span| !span.is_empty()))
        .filter(|(_, span)| is_without_effect(cases, reduced, *span, kind))
        .map(|(at, _)| at)
        .collect()
}

fn is_without_effect(cases: &mut dyn Cases, reduced: &Record, span: usize, kind: &str) -> bool {
    let mut failed = 0;
    for seed in 0..ATTEMPTS {
        let (seen, end) = cases.run(Case::with_anew(reduced, span, seed));
        match end {
            // The same value again says nothing.
            CaseResult::Failed(failure) if failure.kind() == kind => {
                failed += usize::from(seen.record.values() != reduced.values());
            }
            CaseResult::Rejected | CaseResult::TooFew(_) => {}
            CaseResult::Failed(_) | CaseResult::Passed => return false,
        }
        if failed == TIMES {
            return true;
        }
    }
    false
}
