//! `lop compare`: the same input, reduced by several strategies.

use lop::{Cancel, End, Error, Report, Strategy};
use serde_json::{Value, json};

use crate::args::CompareArgs;
use crate::exit::{Code, Failure};
use crate::oracle::oracle;
use crate::question::Question;
use crate::signals;
use crate::view::{Table, View, clock, number, print};

/// Reduces the input by each of the strategies, and prints a table.
pub(crate) fn compare(args: CompareArgs) -> Result<Code, Failure> {
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
    Ok(outcome(&stop))
}

fn outcome(stop: &Cancel) -> Code {
    if stop.is_cancelled() { Code::Interrupted } else { Code::Done }
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

/// One row for each strategy; what is least in its column is marked.
fn table(done: &[(&Strategy, Report)]) -> Table {
    let mut table =
        Table::new(&["strategy", "characters", "tokens", "bytes", "tests", "cached", "time", ""]);
    for (strategy, report) in done {
        let Report { best, counts, end, confirmed, .. } = report;
        let note = match (end, confirmed) {
            (End::Complete, Some(false)) => "flaky",
            (End::Complete, _) => "",
            (End::MaxTests | End::MaxTime, _) => "stopped by a limit",
            (End::Interrupted, _) => "interrupted",
        };
        table.row([
            strategy.to_string(),
            number(best.size.characters as u64),
            number(best.size.tokens as u64),
            number(best.size.bytes as u64),
            number(counts.tests),
            number(counts.hits),
            clock(counts.elapsed),
            note.into(),
        ]);
    }
    // What was stopped before its end has won nothing.
    let complete = |index: usize| done[index].1.end == End::Complete;
    let least = |key: &dyn Fn(&Report) -> u128| {
        let keys =
            (0..done.len()).filter(|index| complete(*index)).map(|index| key(&done[index].1));
        keys.min()
    };
    let columns: [(usize, &dyn Fn(&Report) -> u128); 5] = [
        (1, &|report| report.best.size.characters as u128),
        (2, &|report| report.best.size.tokens as u128),
        (3, &|report| report.best.size.bytes as u128),
        (4, &|report| report.counts.tests.into()),
        (6, &|report| report.counts.elapsed.as_nanos()),
    ];
    for (column, key) in columns {
        let least = least(key);
        for (index, (_, report)) in done.iter().enumerate() {
            if complete(index) && Some(key(report)) == least {
                table.mark(index, column);
            }
        }
    }
    table
}
