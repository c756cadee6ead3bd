//! `lop compare`: the same input, reduced by several strategies.

use lop::{End, Error, Report, Strategy};
use serde_json::{Value, json};

use crate::args::CompareArgs;
use crate::exit::{Code, Failure};
use crate::oracle::oracle;
use crate::question::Question;
use crate::signals;
use crate::view::{Table, View, clock, number, print};

/// Reduces the input by each of the strategies, and prints a table.
pub(crate) fn compare(args: &CompareArgs) -> Result<Code, Failure> {
    let question = Question::new(args.question.clone(), None)?;
    for strategy in &args.strategies {
        question.allows(strategy)?;
    }
    let stop = signals::stop()?;
    let name = question.name().display();
    let mut view = View::new(name.to_string(), &args.show);
    let judge = oracle(&question, &stop, &mut view)?;
    view.close();

    let mut done: Vec<(&Strategy, Report)> = Vec::new();
    for (index, strategy) in args.strategies.iter().enumerate() {
        let which = format!("{name}, {} of {}: {strategy}", index + 1, args.strategies.len());
        let mut view = View::new(which, &args.show);
        let mut reduction = question.reduction(judge.clone(), &stop);
        reduction.strategy = strategy.clone();
        let report = reduction.run(&mut |event| view.event(event));
        view.close();
        let report = report.map_err(|error| match error {
            Error::Broken(why) => {
                Failure::new(Code::Test, format!("the test could not be run: {why}"))
            }
            Error::Write(error) => Failure::new(Code::Output, error.to_string()),
        })?;
        if args.show.json {
            print(&to_json(strategy, &report).to_string());
        }
        done.push((strategy, report));
        if stop.is_cancelled() {
            break;
        }
    }
    if !args.show.json {
        let table = table(&done);
        print(&if args.markdown { table.to_markdown() } else { table.to_string() });
    }
    Ok(if stop.is_cancelled() { Code::Interrupted } else { Code::Done })
}

fn to_json(strategy: &Strategy, report: &Report) -> Value {
    let Report { best, original, counts, phases, end, confirmed } = report;
    let mut value = json!({
        "event": "compared",
        "strategy": strategy.to_string(),
        "original": original,
        "size": best.size,
        "end": end,
        "confirmed": confirmed,
        "phases": phases,
    });
    crate::view::extend(&mut value, counts);
    value
}

/// A measure of a run.
struct Column {
    name: &'static str,
    show: fn(&Report) -> String,
    /// What the least of is best.
    key: fn(&Report) -> u128,
}

const COLUMNS: &[Column] = &[
    Column {
        name: "characters",
        show: |report| number(report.best.size.characters as u64),
        key: |report| report.best.size.characters as u128,
    },
    Column {
        name: "tokens",
        show: |report| number(report.best.size.tokens as u64),
        key: |report| report.best.size.tokens as u128,
    },
    Column {
        name: "bytes",
        show: |report| number(report.best.size.bytes as u64),
        key: |report| report.best.size.bytes as u128,
    },
    Column {
        name: "tests",
        show: |report| number(report.counts.tests),
        key: |report| report.counts.tests.into(),
    },
    Column {
        name: "cached",
        show: |report| number(report.counts.hits),
        // Neither many nor few of them are good by themselves.
        key: |_| u128::MAX,
    },
    Column {
        name: "time",
        show: |report| clock(report.counts.elapsed),
        key: |report| report.counts.elapsed.as_nanos(),
    },
];

/// One row for each strategy; the best of each column is marked.
fn table(done: &[(&Strategy, Report)]) -> Table {
    let names = COLUMNS.iter().map(|column| column.name);
    let mut table = Table::new(["strategy"].into_iter().chain(names).chain([""]));
    for (strategy, report) in done {
        let note = match (report.end, report.confirmed) {
            (End::Complete, Some(false)) => "flaky",
            (End::Complete, _) => "",
            (End::MaxTests | End::MaxTime, _) => "stopped by a limit",
            (End::Interrupted, _) => "interrupted",
        };
        let cells = COLUMNS.iter().map(|column| (column.show)(report));
        table.row([strategy.to_string()].into_iter().chain(cells).chain([note.into()]));
    }
    for (index, Column { key, .. }) in COLUMNS.iter().enumerate() {
        // What was stopped before its end has won nothing.
        let complete = |(_, report): &&(&Strategy, Report)| report.end == End::Complete;
        let keys = done.iter().filter(complete).map(|(_, report)| key(report));
        let Some(least) = keys.min().filter(|least| *least < u128::MAX) else { continue };
        for (row, entry) in done.iter().enumerate() {
            if complete(&entry) && key(&entry.1) == least {
                table.mark(row, index + 1);
            }
        }
    }
    table
}
