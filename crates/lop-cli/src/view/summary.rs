//! The end of a run, for people.

use std::fmt::Write;

use lop::{End, Event, Phase, Report};

use super::{Table, clock, number, percent_gone};

/// What is said at the end of a run.
pub(super) fn of(event: &Event) -> Option<String> {
    let Event::Finished { input, output, case, difference, also, resume, report, .. } = event
    else {
        return None;
    };
    let Report { best, original, choices, counts, end, .. } = &**report;
    let why = match end {
        End::Complete => "nothing more can be removed",
        End::MaxTests => "stopped: the limit on tests is reached",
        End::MaxTime => "stopped: the limit on time is reached",
        End::Interrupted => "interrupted",
        _ => "stopped",
    };
    let mut text = format!("{}: ", input.display());
    let (before, now) = (original, best.size);
    let _ = match choices {
        Some(choices) => writeln!(
            text,
            "{} → {} choices, {} → {} bytes; {why}",
            number(choices.before as u64),
            number(choices.after as u64),
            number(before.bytes as u64),
            number(now.bytes as u64),
        ),
        None => writeln!(
            text,
            "{} → {} bytes ({} gone), {} → {} tokens; {why}",
            number(before.bytes as u64),
            number(now.bytes as u64),
            percent_gone(before.bytes, now.bytes),
            number(before.tokens as u64),
            number(now.tokens as u64),
        ),
    };
    let _ = write!(text, "  {} tests in {}", number(counts.tests), clock(counts.elapsed));
    if let Some(choices) = choices {
        let _ = write!(text, ", {} cases made", number(choices.cases));
    }
    let _ = write!(text, ", {} answered from the cache", number(counts.hits));
    if counts.unresolved > 0 {
        let _ = write!(text, ", {} without an answer", number(counts.unresolved));
    }
    let _ = writeln!(text, "\n  result:     {}", output.display());
    for (name, value) in [
        ("test case: ", case.as_ref().map(|case| case.display().to_string())),
        ("difference:", difference.clone()),
        ("go on with:", resume.clone()),
    ] {
        if let Some(value) = value {
            let _ = writeln!(text, "  {name} {value}");
        }
    }
    for saved in also {
        let _ = writeln!(text, "  also saved: {} ({})", saved.path.display(), saved.signature);
    }
    Some(text)
}

/// What each phase has done, for people.
pub(super) fn phases(report: &Report) -> Table {
    let mut table = Table::new([
        "  phase",
        "runs",
        "tests",
        "cached",
        "time",
        "characters gone",
        "left",
        "tokens gone",
        "left",
    ]);
    for Phase { name, runs, counts, gone, size, .. } in &report.phases {
        table.row([
            format!("  {name}"),
            number(*runs),
            number(counts.tests),
            number(counts.hits),
            clock(counts.elapsed),
            number(gone.characters as u64),
            number(size.characters as u64),
            number(gone.tokens as u64),
            number(size.tokens as u64),
        ]);
    }
    table
}
