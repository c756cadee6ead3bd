//! One reduction from the command line to its result.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use lop::oracle::Oracle;
use lop::tree::Format;
use lop::{BestFile, Bundle, Cancel, End, Error, Event, Journal, Observer, Report, Saved, Text};

use crate::also::Saving;
use crate::args::Args;
use crate::command::quoted;
use crate::exit::{Code, Failure};
use crate::formatter::Formatter;
use crate::history::{self, Follower, Recorder, Sink};
use crate::input;
use crate::mark;
use crate::oracle::{HAVE_SEVERAL_AGREE, broken, oracle};
use crate::plan::{Plan, cannot_write, damage, make_directory, open_journal};
use crate::question::Question;
use crate::report::{Reporting, Timeline};
use crate::resume::{self, Header};
use crate::signals::{self, interrupted};
use crate::view::View;

/// Runs the reduction of the command line.
pub(crate) fn run(args: Args) -> Result<Code, Failure> {
    let mut plan = Plan::new(args)?;
    let stop = signals::stop()?;
    let view = View::new(plan.question.name().display().to_string(), &plan.show, &stop);
    let result = reduce(&plan, &stop, view);
    let is_lost = result.as_ref().is_err_and(|it| matches!(it.code(), Code::Test | Code::Output));
    if let Some(directory) = plan.printed.take_if(|_| is_lost && plan.output.exists()) {
        // The best so far was not printed.
        let _ = directory.keep();
    }
    result
}

/// Carries out a plan, until it is stopped. One process may do several such runs: their views decide what they print.
pub(crate) fn reduce(plan: &Plan, stop: &Cancel, mut view: View) -> Result<Code, Failure> {
    let question = &plan.question;
    let name = question.name().display().to_string();
    let reporting = plan.report.as_deref().map(|path| {
        let timeline = Timeline::new(question.text.len());
        let Question { format, text, bundle, .. } = question;
        let reporting = Reporting::new(path, name, format, text, bundle.as_ref(), timeline.clone());
        view.add(reporting.listener());
        (reporting, timeline)
    });
    if let Some(config) = &plan.config {
        view.note(&format!("with the options of `{}`", config.display()));
    }
    if let Some(note) = question.missing_language() {
        view.note(&note);
    }
    let judge = oracle(question, stop, &mut view).map_err(|failure| match &plan.from {
        Some(_) if failure.code() == Code::NotInteresting => failure.also_help(
            "the text is that of the step of --from, not the original: `lop history` prints it",
        ),
        _ => failure,
    })?;

    for note in &plan.notes {
        view.note(note);
    }
    if !plan.resumes() && Header::exists(&plan.journal, &plan.header) {
        view.note("this run was interrupted before and starts anew; lop --resume goes on with it");
    }
    let reached = reached(plan, &*judge, stop)?;
    let (best_file, journal) = open_files(plan, reached.as_ref())?;
    if let Some(damage) = damage(&journal) {
        view.note(&damage);
    }
    follow(plan, reporting.as_ref().map(|(_, timeline)| timeline.clone()), &mut view);
    let formatter = Formatter::new(&plan.format);
    let by = |format: &Format, text: &[u8]| formatter.format(format, text);
    let mut reduction = question.reduction(&*judge, stop);
    reduction.control = view.control();
    reduction.strategy = plan.strategy.clone().unwrap_or(reduction.strategy);
    reduction.lore.clues = judge.clues(question, &reduction.strategy, stop, &mut view);
    reduction.best_file = Some(best_file);
    reduction.journal = Some(journal);
    reduction.reached = reached;
    reduction.layout = formatter.layout(&by);
    let mut saving = Saving::new(question, &plan.output, &mut view);
    let report = reduction.observed_by(&mut saving).run();
    let also = saving.into_saved();
    let report = report.map_err(|error| match &error {
        Error::Write(error) => cannot_write(&error.path, &error.source),
        _ => broken(question, &error).also_help(&format!(
            "the best so far is in `{}`; lop --resume goes on",
            plan.output.display()
        )),
    });
    let report = report?;
    for note in formatter.notes(&report.best.text) {
        view.note(&note);
    }
    let best = report.best.text.clone();
    if question.no_longer_parses(&best) {
        view.note("the result does not parse, though the original does; if it should: --valid");
    }
    let code = finish(plan, report, also, reporting.map(|(reporting, _)| reporting), view)?;
    let name = match plan.printed {
        Some(_) => "the result".to_owned(),
        None => format!("the result `{}`", plan.output.display()),
    };
    judge.check_here(question, &best, &name, stop).map(|()| code)
}

/// Has the accepted steps written, unless the result is only printed, and noted for the report.
fn follow(plan: &Plan, timeline: Option<Timeline>, view: &mut View) {
    let Question { input, bundle, text, .. } = &plan.question;
    let mut sinks: Vec<Box<dyn Sink>> = Vec::new();
    sinks.extend(timeline.map(|timeline| Box::new(timeline) as Box<dyn Sink>));
    if plan.printed.is_none() && plan.has_history {
        let mark = bundle.as_ref().map(Bundle::mark);
        let path = history::of_run(&plan.output);
        match Recorder::create(&path, input, mark, text, plan.from.as_ref()) {
            Ok(recorder) => sinks.push(Box::new(recorder)),
            Err(error) => {
                view.note(&format!("the history `{}` is not written: {error}", path.display()));
            }
        }
    }
    if sinks.is_empty() {
        return;
    }
    match Follower::start(text.clone(), sinks) {
        Ok(follower) => view.add(follower),
        Err(error) => view.note(&format!("the steps of this run are not recorded: {error}")),
    }
}

/// The best of an earlier run, unless it is no longer interesting.
fn reached(plan: &Plan, judge: &dyn Oracle, stop: &Cancel) -> Result<Option<Text>, Failure> {
    if !plan.resumes() {
        return Ok(None);
    }
    let text: Text = match &plan.question.bundle {
        Some(bundle) => input::gather(bundle, &plan.question.text, &plan.places(bundle))?,
        None => match fs::read(&plan.output) {
            Ok(text) => Arc::new(text),
            Err(_) => return Ok(None),
        },
    };
    let confirmed = lop::still_interesting(judge, &text, stop);
    interrupted(stop)?;
    Ok(Some(text).filter(|_| confirmed != Some(false)))
}

/// Puts the first result on disk, and opens the journal.
fn open_files(plan: &Plan, reached: Option<&Text>) -> Result<(BestFile, Journal), Failure> {
    make_directory(&plan.output)?;
    if !plan.resumes() {
        plan.back_up()?;
    }
    let best = reached.unwrap_or(&plan.question.text);
    let best_file = BestFile::create(plan.place(), best)
        .map_err(|error| cannot_write(&error.path, &error.source))?;
    let journal = open_journal(&plan.journal, &plan.header, plan.earlier.as_ref())?;
    Ok((best_file, journal))
}

fn finish(
    plan: &Plan,
    report: Report,
    also: Vec<Saved>,
    reporting: Option<Reporting>,
    mut view: View,
) -> Result<Code, Failure> {
    let is_printed = plan.printed.is_some();
    match is_printed {
        true => {
            view.close();
            write_out(plan, &report.best.text)?;
        }
        false => mark::set(&plan.output, &report.best.text),
    }
    view.event(&Event::Finished {
        input: plan.question.input.clone(),
        output: if is_printed { "-".into() } else { plan.output.clone() },
        case: None,
        difference: (!plan.question.originals.is_empty() && !is_printed).then(|| difference(plan)),
        also,
        resume: (report.end != End::Complete && !is_printed).then(resume::command),
        only: plan.only().map(str::to_owned),
        report: Box::new(report.clone()),
    });
    if let Some(reporting) = reporting {
        reporting.write(&report)?;
    }
    if report.confirmed == Some(false) {
        let message = format!(
            "the result `{}` was interesting once, but not when it was tested again",
            plan.output.display()
        );
        return Err(Failure::new(Code::Flaky, message).help(HAVE_SEVERAL_AGREE));
    }
    match report.end {
        End::Interrupted => Ok(Code::Interrupted),
        _ => Ok(Code::Done),
    }
}

/// Writes a result to standard output.
fn write_out(plan: &Plan, text: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text).and_then(|()| out.flush());
    written.map_err(|error| {
        let message = format!("cannot write the result to standard output: {error}");
        let place = plan.output.display();
        Failure::new(Code::Output, message).help(format!("the result is in `{place}`"))
    })
}

/// The command that shows the difference between the original and the result.
fn difference(plan: &Plan) -> String {
    let before = plan.backups.first().unwrap_or(&plan.question.input);
    let output = match &plan.question.bundle {
        Some(Bundle { root: None, .. }) if plan.backups.is_empty() => plan.output.join(before),
        _ => plan.output.clone(),
    };
    let is_directory = plan.question.bundle.as_ref().is_some_and(|it| it.root.is_some());
    let diff = if is_directory { "diff -r" } else { "diff" };
    if plan.inputs.len() > 1 && plan.backups.is_empty() {
        let names = plan.inputs.iter().map(quoted).collect::<Vec<_>>().join(" ");
        let results = quoted(&plan.output);
        return format!("for file in {names}; do diff $file {results}/$file; done");
    }
    let before: PathBuf = before.components().collect();
    format!("{diff} {} {}", quoted(before), quoted(output))
}
