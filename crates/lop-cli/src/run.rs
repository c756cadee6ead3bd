//! One reduction from the command line to its result.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::{fs, process};

use lop::oracle::Oracle;
use lop::{BestFile, Bundle, Cancel, End, Error, Event, Journal, Observer, Report, Saved, Text};

use crate::also::Saving;
use crate::args::Args;
use crate::command::quoted;
use crate::exit::{Code, Failure};
use crate::input;
use crate::oracle::{HAVE_SEVERAL_AGREE, broken, interrupted, oracle};
use crate::plan::{Plan, cannot_write, make_directory, open_journal};
use crate::resume::{self, Header};
use crate::signals;
use crate::view::View;

/// Reduces what the command line asks for.
pub(crate) fn run(args: Args) -> Result<Code, Failure> {
    let plan = Plan::new(args)?;
    let question = &plan.question;
    let stop = signals::stop()?;
    let mut view = View::new(question.name().display().to_string(), &plan.show);
    let judge = oracle(question, &stop, &mut view)?;

    if !plan.resumes() && Header::exists(&plan.journal, &plan.header) {
        view.note("this run was interrupted before and starts anew; lop --resume goes on with it");
    }
    let reached = reached(&plan, &*judge, &stop)?;
    let (best_file, journal) = open_files(&plan, reached.as_ref())?;
    let mut reduction = question.reduction(&*judge, &stop);
    reduction.strategy = plan.strategy.clone().unwrap_or(reduction.strategy);
    reduction.best_file = Some(best_file);
    reduction.journal = Some(journal);
    reduction.reached = reached;
    let mut saving = Saving::new(question, &plan.output, &mut view);
    let report = reduction.observed_by(&mut saving).run();
    let also = saving.into_saved();
    let mut report = report.map_err(|error| match &error {
        Error::Write(error) => cannot_write(&error.path, &error.source),
        _ => broken(question, &error).help(format!(
            "the best so far is in `{}`; lop --resume goes on",
            plan.output.display()
        )),
    });
    if let (Ok(report), Some(command)) = (&mut report, &plan.format) {
        formatted(&plan, report, command, &*judge, &stop, &mut view)?;
    }
    finish(&plan, report?, also, view)
}

/// Pipes the result through a formatter, and keeps what that makes of it if it is interesting.
fn formatted(
    plan: &Plan,
    report: &mut Report,
    command: &str,
    judge: &dyn Oracle,
    stop: &Cancel,
    view: &mut View,
) -> Result<(), Failure> {
    if stop.is_cancelled() {
        return Ok(());
    }
    let text = match pipe(command, &report.best.text) {
        Ok(text) => Arc::new(text),
        Err(why) => {
            view.note(&format!("the formatter `{command}` did not format the result: {why}"));
            return Ok(());
        }
    };
    if !plan.question.keep().is_in(&text)
        || lop::still_interesting(judge, &text, stop) != Some(true)
    {
        view.note(&format!(
            "what `{command}` makes of the result is not interesting: it stays as it was"
        ));
        return Ok(());
    }
    lop::replace(&plan.output, &text, Some(&plan.question.permissions))
        .map_err(|error| cannot_write(&plan.output, &error))?;
    report.best = report.best.nearly(text);
    Ok(())
}

/// What a shell command prints for an input.
fn pipe(command: &str, input: &[u8]) -> Result<Vec<u8>, String> {
    let mut child = process::Command::new("/bin/sh")
        .args(["-c", command])
        .stdin(process::Stdio::piped())
        .stdout(process::Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().expect("it was asked for");
    let output = std::thread::scope(|scope| {
        // A formatter that prints before it has read all would wait for its reader.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output()
    });
    let output = output.map_err(|error| error.to_string())?;
    match output.status.success() && !output.stdout.is_empty() {
        true => Ok(output.stdout),
        false => Err(output.status.to_string()),
    }
}

/// What an earlier run has reached, unless it is no longer interesting.
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

/// From here on there is a result on disk.
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

fn finish(plan: &Plan, report: Report, also: Vec<Saved>, mut view: View) -> Result<Code, Failure> {
    view.event(&Event::Finished {
        input: plan.question.input.clone(),
        output: plan.output.clone(),
        case: None,
        difference: Some(difference(plan)),
        also,
        resume: (report.end != End::Complete).then(resume::command),
        report: Box::new(report.clone()),
    });
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

/// The command that shows the difference between the original and the result.
fn difference(plan: &Plan) -> String {
    let before = plan.backups.first().unwrap_or(&plan.question.input);
    let output = match &plan.question.bundle {
        Some(Bundle { root: None, .. }) if plan.backups.is_empty() => plan.output.join(before),
        _ => plan.output.clone(),
    };
    let is_directory = plan.question.bundle.as_ref().is_some_and(|it| it.root.is_some());
    let diff = if is_directory { "diff -r" } else { "diff" };
    let before: PathBuf = before.components().collect();
    format!("{diff} {} {}", quoted(before), quoted(output))
}
