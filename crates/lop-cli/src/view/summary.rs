//! What came out of a run.

use std::fmt;
use std::path::PathBuf;

use lop::{Bundle, End, Phase, Report};
use serde_json::Value;

use super::{Table, clock, number, percent_gone};
use crate::command::quoted;
use crate::plan::Plan;

/// The end of a run, for people and programs.
pub(crate) struct Summary<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) report: &'a Report,
}

impl Summary<'_> {
    pub(super) fn to_json(&self) -> Value {
        let mut value = report_json("finished", self.report);
        value["output"] = self.plan.output.display().to_string().into();
        value
    }
}

/// What came out of a run, for programs.
pub(crate) fn report_json(event: &str, report: &Report) -> Value {
    let mut value = serde_json::to_value(report).expect("a report can be written as JSON");
    value["event"] = event.into();
    value
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
    for Phase { name, runs, counts, gone, size } in &report.phases {
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

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { best, original, counts, end, .. } = self.report;
        let (plan, now) = (self.plan, best.size);
        let why = match end {
            End::Complete => "nothing more can go",
            End::MaxTests => "stopped: the number of tests is reached",
            End::MaxTime => "stopped: the time is over",
            End::Interrupted => "interrupted",
            _ => "stopped",
        };
        writeln!(
            f,
            "{}: {} → {} bytes ({} gone), {} → {} tokens; {why}",
            plan.question.input.display(),
            number(original.bytes as u64),
            number(now.bytes as u64),
            percent_gone(original.bytes, now.bytes),
            number(original.tokens as u64),
            number(now.tokens as u64),
        )?;
        write!(f, "  {} tests in {}", number(counts.tests), clock(counts.elapsed))?;
        write!(f, ", {} answered from the cache", number(counts.hits))?;
        if counts.unresolved > 0 {
            write!(f, ", {} without an answer", number(counts.unresolved))?;
        }
        writeln!(f, "\n  result:     {}", plan.output.display())?;
        let before = plan.backup.as_ref().unwrap_or(&plan.question.input);
        let output = match &plan.question.bundle {
            Some(Bundle { root: None, .. }) => plan.output.join(before),
            _ => plan.output.clone(),
        };
        let is_directory = plan.question.bundle.as_ref().is_some_and(|it| it.root.is_some());
        let diff = if is_directory { "diff -r" } else { "diff" };
        let before: PathBuf = before.components().collect();
        writeln!(f, "  difference: {diff} {} {}", quoted(before), quoted(output))?;
        if *end != End::Complete {
            let words = std::env::args_os().skip(1).filter(|word| word != "--resume");
            let words: Vec<_> = words.map(|word| quoted(&word)).collect();
            writeln!(f, "  go on with: lop --resume {}", words.join(" "))?;
        }
        Ok(())
    }
}
