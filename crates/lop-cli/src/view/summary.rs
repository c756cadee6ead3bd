//! The message at the end of a run.

use std::fmt::Write;
use std::time::Duration;

use lop::{End, Event, Phase, Report};

use super::{Table, clock, number, percent_gone, several, wrapped};

/// A blank at which lines are not broken.
const NO_BREAK: &str = "\u{a0}";

/// The message at the end of a run, in lines of at most this width; paths and commands are not broken.
pub(super) fn of(event: &Event, columns: usize) -> Option<String> {
    let Event::Finished { input, output, case, difference, also, resume, only, report } = event
    else {
        return None;
    };
    let Report { best, original, choices, counts, skipped, end, .. } = &**report;
    let limited = only.as_ref().map(|option| format!("{option} finds nothing more"));
    let why = match end {
        End::Complete => limited.as_deref().unwrap_or("nothing more can be removed"),
        End::Skipped => "ended: phases were skipped",
        End::MaxTests => "stopped: the limit on tests is reached",
        End::MaxTime => "stopped: the limit on time is reached",
        End::Interrupted => "interrupted",
        _ => "stopped",
    };
    let (before, now) = (original, best.size);
    let change = |from: usize, to: usize, unit: &str| {
        format!("{} → {}", number(from as u64), several(to as u64, unit))
    };
    let bytes = change(before.bytes, now.bytes, "byte");
    let parts = match choices {
        Some(choices) => {
            [change(choices.before, choices.after, "choice") + ",", bytes + ";", String::new()]
        }
        None => {
            let gone = format!("({} gone),", percent_gone(before.bytes, now.bytes));
            [bytes, gone, change(before.tokens, now.tokens, "token") + ";"]
        }
    };
    // Each part stays in one line.
    let parts = parts.into_iter().chain([why.to_owned()]).map(|part| part.replace(' ', NO_BREAK));
    let text = format!("{}: {}", input.display(), parts.collect::<Vec<_>>().join(" "));
    let mut work = format!("{} in {}", several(counts.tests, "test"), clock(counts.elapsed));
    if let Some(choices) = choices {
        let _ = write!(work, ", {} made", several(choices.cases, "case"));
    }
    let _ = write!(work, ", {} answered from the cache", number(counts.hits));
    if counts.unresolved > 0 {
        let _ = write!(work, ", {} without an answer", number(counts.unresolved));
    }
    if counts.timed_out > Duration::ZERO {
        let _ = write!(work, ", {} of all workers lost to time-outs", clock(counts.timed_out));
    }
    // A number stays with its unit.
    let work: Vec<String> = work.split(", ").map(|part| part.replace(' ', NO_BREAK)).collect();
    let work = wrapped(&work.join(", "), columns.saturating_sub(2)).replace('\n', "\n  ");
    let [text, work] = [wrapped(&text, columns), work].map(|it| it.replace(NO_BREAK, " "));
    let mut text = format!("{text}\n  {work}\n");
    let result = match output.as_os_str() == "-" {
        true => "standard output".to_owned(),
        false => output.display().to_string(),
    };
    let _ = writeln!(text, "  result:     {result}");
    for (name, value) in [
        ("skipped:   ", (!skipped.is_empty()).then(|| skipped.join(", "))),
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

/// The table of the phases' work.
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
