//! `lop compare`: the same input, reduced by several strategies.

use lop::strategy::GUARDS;
use lop::{End, Event, Observer, Report, Strategy};

use crate::args::CompareArgs;
use crate::exit::{Code, Failure};
use crate::oracle::{HAVE_SEVERAL_AGREE, broken, oracle};
use crate::plot;
use crate::question::Question;
use crate::report::{self, Reporting, Timeline};
use crate::signals;
use crate::view::{Table, View, clock, number, print, say};

/// Reduces the input by each of the strategies, and prints a table.
pub(crate) fn compare(args: &CompareArgs) -> Result<Code, Failure> {
    if !args.question.property.also_interesting.is_empty() {
        let message =
            "--also-interesting cannot be used with `lop compare`, which writes no results";
        return Err(Failure::new(Code::Usage, message).help("leave it out"));
    }
    let question = Question::new(args.question.clone(), &[], &[])?;
    args.plot.as_deref().map_or(Ok(()), plot::check)?;
    args.report.as_deref().map_or(Ok(()), report::check)?;
    let strategies = match args.ablation {
        true => ablation(&question)?,
        false => {
            let left = |named: &Strategy| -> Result<_, Failure> {
                let left = question.strategy(Some(named))?.expect("one is named");
                Ok((left.to_string(), left))
            };
            args.strategies.iter().map(left).collect::<Result<Vec<_>, Failure>>()?
        }
    };
    let stop = signals::stop()?;
    let name = question.name();
    let name = name.display();
    let mut view = View::new(name.to_string(), &args.show, &stop);
    let reporting = args.report.as_deref().map(|path| {
        let Question { format, text, bundle, .. } = &question;
        let timeline = Timeline::default();
        Reporting::new(path, name.to_string(), format, text, bundle.as_ref(), timeline)
    });
    reporting.iter().for_each(|reporting| view.add(reporting.listener()));
    let judge = oracle(&question, &stop, &mut view)?;
    drop(view);

    let mut done: Vec<(String, Report)> = Vec::new();
    let mut failure = None;
    for (index, (label, strategy)) in strategies.iter().enumerate() {
        let which = format!("{name}, {} of {}: {label}", index + 1, strategies.len());
        let mut view = View::new(which, &args.show, &stop);
        judge.begin_again();
        let mut reduction = question.reduction(&*judge, &stop);
        reduction.control = view.control();
        reduction.strategy = strategy.clone();
        reduction.lore.clues = judge.clues(&question, strategy, &stop, &mut view);
        match reduction.observed_by(&mut view).run() {
            Ok(report) => {
                view.event(&Event::Compared {
                    label: label.clone(),
                    strategy: strategy.to_string(),
                    report: Box::new(report.clone()),
                });
                done.push((label.clone(), report));
            }
            Err(error) => failure = Some(broken(&question, &error)),
        }
        if failure.is_some() || stop.is_cancelled() {
            break;
        }
    }
    // The results so far are shown, whatever happened.
    if !args.show.json && !done.is_empty() {
        let table = table(&done);
        print(&if args.markdown { table.to_markdown() } else { table.to_string() });
    }
    if let Some(path) = args.plot.as_deref().filter(|_| !done.is_empty()) {
        let runs: Vec<_> = done.iter().map(|(name, report)| (name.clone(), report)).collect();
        plot::draw(
            path,
            &format!("{name}, {} tokens", number(runs[0].1.original.tokens as u64)),
            &runs,
        )?;
        if !args.show.json && !args.show.quiet {
            say(&format!("plot: {}", path.display()));
        }
    }
    if let Some(reporting) = reporting.filter(|_| !done.is_empty()) {
        reporting.write_comparison(&done)?;
    }
    match failure {
        Some(failure) => Err(failure),
        None if stop.is_cancelled() => Ok(Code::Interrupted),
        None if done.iter().any(|(_, report)| report.confirmed == Some(false)) => {
            let message = "some results were interesting once, but not when they were tested again";
            Err(Failure::new(Code::Flaky, message).help(HAVE_SEVERAL_AGREE))
        }
        None => Ok(Code::Done),
    }
}

/// The default strategy, and versions of it without each of its phases.
fn ablation(question: &Question) -> Result<Vec<(String, Strategy)>, Failure> {
    let effort = question.args.search.effort();
    let whole = question.strategy(Some(&question.default()))?.expect("one is named");
    let phases = whole.phases().into_iter();
    let phases = phases.filter(|phase| !GUARDS.iter().any(|guard| guard.name == phase));
    let parts = phases.filter_map(|phase| {
        let rest = whole.without(&phase)?;
        Some((format!("without {phase}"), rest))
    });
    let parts: Vec<_> = parts.collect();
    Ok(std::iter::once((effort.name().to_owned(), whole)).chain(parts).collect())
}

/// A measure of a run.
struct Column {
    name: &'static str,
    show: fn(&Report) -> String,
    /// The value of which the least is best, if there is one.
    key: Option<fn(&Report) -> u128>,
    /// Whether it measures the result, instead of the search.
    is_of_result: bool,
}

const COLUMNS: &[Column] = &[
    Column {
        name: "characters",
        show: |report| number(report.best.size.characters as u64),
        key: Some(|report| report.best.size.characters as u128),
        is_of_result: true,
    },
    Column {
        name: "tokens",
        show: |report| number(report.best.size.tokens as u64),
        key: Some(|report| report.best.size.tokens as u128),
        is_of_result: true,
    },
    Column {
        name: "nodes",
        show: |report| report.nodes.map_or("–".into(), |nodes| number(nodes.after as u64)),
        key: Some(|report| report.nodes.map_or(0, |nodes| nodes.after as u128)),
        is_of_result: true,
    },
    Column {
        name: "bytes",
        show: |report| number(report.best.size.bytes as u64),
        key: Some(|report| report.best.size.bytes as u128),
        is_of_result: true,
    },
    Column {
        name: "tests",
        show: |report| number(report.counts.tests),
        key: Some(|report| report.counts.tests.into()),
        is_of_result: false,
    },
    Column {
        name: "near",
        show: |report| multiple(report, report.pace.near),
        key: None,
        is_of_result: false,
    },
    Column {
        name: "bound",
        show: |report| multiple(report, report.counts.tests),
        key: None,
        is_of_result: false,
    },
    Column {
        name: "cached",
        show: |report| number(report.counts.hits),
        key: None,
        is_of_result: false,
    },
    Column {
        name: "time",
        show: |report| clock(report.counts.elapsed),
        // As it is shown: runs whose times look the same have won together.
        key: Some(|report| (report.counts.elapsed.as_secs_f64() * 10.0).round() as u128),
        is_of_result: false,
    },
];

/// A number of tests as a multiple of the information bound.
fn multiple(report: &Report, tests: u64) -> String {
    report.pace.ratio(tests).map_or("–".into(), |ratio| format!("{ratio:.1}×"))
}

/// One row for each strategy; the best of each column is marked.
fn table(done: &[(String, Report)]) -> Table {
    let names = COLUMNS.iter().map(|column| column.name);
    let mut table = Table::new(["strategy"].into_iter().chain(names).chain(["note"]));
    for (label, report) in done {
        let note = match (report.confirmed, report.end) {
            (Some(false), _) => "flaky",
            (_, End::Complete) => "",
            (_, End::Skipped) => "phases were skipped",
            (_, End::Interrupted) => "interrupted",
            (_, End::MaxTime) => "stopped by --max-time",
            (_, End::MaxTests) => "stopped by --max-tests",
            _ => "stopped",
        };
        let cells = COLUMNS.iter().map(|column| (column.show)(report));
        table.row([label.clone()].into_iter().chain(cells).chain([note.into()]));
    }
    for (index, column) in COLUMNS.iter().enumerate() {
        let Some(key) = column.key else { continue };
        // A result that is only sometimes interesting wins nothing. A run that was stopped has a result like others,
        // but the cost of a complete run is unknown.
        let competes = |(_, report): &&(String, Report)| {
            let is_complete = report.end == End::Complete;
            report.confirmed != Some(false) && (is_complete || column.is_of_result)
        };
        let least = done.iter().filter(competes).map(|(_, report)| key(report)).min();
        for (row, entry) in done.iter().enumerate() {
            if competes(&entry) && Some(key(&entry.1)) == least {
                table.mark(row, index + 1);
            }
        }
    }
    table
}
