//! One reduction from the command line to its result.

use std::fs;
use std::sync::Arc;

use lop::oracle::Oracle;
use lop::{BestFile, Cancel, End, Error, Journal, Reduction, Report, Text};

use crate::args::Args;
use crate::exit::{Code, Failure};
use crate::oracle::{HAVE_SEVERAL_AGREE, broken, interrupted, oracle};
use crate::plan::{Plan, cannot_write};
use crate::resume::Header;
use crate::signals;
use crate::view::{Summary, View};

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
    let defaults = question.reduction(judge, &stop);
    let reduction = Reduction {
        strategy: plan.strategy.clone().unwrap_or(defaults.strategy),
        best_file: Some(best_file),
        journal: Some(journal),
        reached,
        ..defaults
    };
    let report = reduction.run(&mut |event| view.event(event)).map_err(|error| match &error {
        Error::Broken(_) => broken(question, &error).help(format!(
            "the best so far is in `{}`; lop --resume goes on",
            plan.output.display()
        )),
        Error::Write(error) => cannot_write(&plan.output, error),
    });
    view.close();
    finish(&plan, report?, view)
}

/// What an earlier run has reached, unless it is no longer interesting.
fn reached(plan: &Plan, judge: &dyn Oracle, stop: &Cancel) -> Result<Option<Text>, Failure> {
    let Some(text) = fs::read(&plan.output).ok().filter(|_| plan.resumes()) else {
        return Ok(None);
    };
    let text: Text = Arc::new(text);
    let confirmed = lop::still_interesting(judge, &text, stop);
    interrupted(stop)?;
    Ok(Some(text).filter(|_| confirmed != Some(false)))
}

/// From here on there is a result on disk.
fn open_files(plan: &Plan, reached: Option<&Text>) -> Result<(BestFile, Journal), Failure> {
    let wrong = |error| cannot_write(&plan.output, &error);
    if let Some(backup) = plan.backup.as_ref().filter(|_| !plan.resumes()) {
        lop::replace(backup, &plan.question.text, Some(&plan.question.permissions))
            .map_err(|error| cannot_write(backup, &error))?;
    }
    let best = reached.unwrap_or(&plan.question.text);
    let best_file = BestFile::create(&plan.output, best, Some(plan.question.permissions.clone()))
        .map_err(wrong)?;
    let journal = match &plan.earlier {
        Some(earlier) => Journal::resume(&plan.journal).map(|mut journal| {
            if !earlier.has_limits_of(&plan.header) {
                journal.forget_unresolved();
            }
            journal
        }),
        None => Journal::create(&plan.journal, &plan.header),
    };
    let journal = journal.map_err(|error| cannot_write(&plan.journal, &error))?;
    Ok((best_file, journal))
}

fn finish(plan: &Plan, report: Report, mut view: View) -> Result<Code, Failure> {
    view.summary(&Summary { plan, report: &report });
    if report.confirmed == Some(false) {
        let message = format!(
            "the result `{}` was interesting once, but not when it was tested again",
            plan.output.display()
        );
        return Err(Failure::new(Code::Flaky, message).help(HAVE_SEVERAL_AGREE));
    }
    match report.end {
        End::Interrupted => Ok(Code::Interrupted),
        End::Complete | End::MaxTests | End::MaxTime => Ok(Code::Done),
    }
}
