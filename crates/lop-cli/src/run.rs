//! One reduction from the command line to its result.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use lop::oracle::command::{CommandOracle, Patience, Runner, Setup};
use lop::oracle::{Confirm, Oracle, Outcome, Property, Reason, Requirement, Signature, Verdict};
use lop::preflight::{Agreement, Preflight, RUNS};
use lop::{BestFile, Cancel, Candidate, End, Error, Journal, Limits, Reduction, Report, Text};

use crate::args::Args;
use crate::command::quoted;
use crate::exit::{Code, Failure};
use crate::plan::{Plan, cannot_write};
use crate::resume::Header;
use crate::signals;
use crate::view::{Summary, View};

/// How many processes a test may have at the same time.
const PROCESSES: usize = 2000;
/// A test may write files of this size, or of a multiple of the input's.
const FILE_SIZE: u64 = 1 << 30;

/// Reduces what the command line asks for.
pub(crate) fn run(args: Args) -> Result<Code, Failure> {
    let plan = Plan::new(args)?;
    let stop = Cancel::default();
    signals::listen(&stop)
        .map_err(|error| Failure::new(Code::Usage, format!("cannot listen to Ctrl-C: {error}")))?;
    let mut view = View::new(&plan);

    let runner = runner(&plan)?;
    let (outcome, oracle) = first_run(&plan, runner, &stop, &mut view)?;
    view.property(&plan.test, oracle.property(), oracle.runner().time_limit());
    let judge: Arc<dyn Oracle> = match plan.args.property.confirm {
        Some(votes) => Arc::new(Confirm::new(oracle.clone(), votes)),
        None => oracle.clone(),
    };
    check(&plan, &oracle, &*judge, &outcome, &stop, &mut view)?;

    if !plan.resumes() && Header::exists(&plan.journal, &plan.header) {
        view.note("this run was interrupted before and starts anew; lop --resume goes on with it");
    }
    let reached = reached(&plan, &*judge, &stop)?;
    let (best_file, journal) = open_files(&plan, reached.as_ref())?;
    let defaults = Reduction::new(plan.text.clone(), judge);
    let reduction = Reduction {
        strategy: plan.args.search.strategy.clone().unwrap_or(defaults.strategy),
        workers: plan.workers,
        seed: plan.args.search.seed,
        max_tests: plan.args.limits.max_tests,
        max_time: plan.args.limits.max_time,
        best_file: Some(best_file),
        journal: Some(journal),
        reached,
        stop,
        ..defaults
    };
    let report = reduction.run(&mut |event| view.event(event)).map_err(|error| match error {
        Error::Broken(why) => Failure::new(Code::Test, format!("the test could not be run: {why}"))
            .help(format!(
                "the best so far is in `{}`; lop --resume goes on",
                plan.output.display()
            )),
        Error::Write(error) => cannot_write(&plan.output, &error),
    });
    view.close();
    finish(&plan, report?, view)
}

fn runner(plan: &Plan) -> Result<Runner, Failure> {
    let limits = Limits {
        time: std::time::Duration::MAX,
        memory: plan.args.limits.memory,
        processes: PROCESSES,
        file_size: FILE_SIZE.max(10 * plan.text.len() as u64),
    };
    let patience = plan.args.limits.timeout.map_or(Patience::Adaptive, Patience::Fixed);
    let setup = Setup {
        name: plan.name().to_owned(),
        executable: plan.permissions.mode() & 0o111 != 0,
        workers: plan.workers,
        limits,
        patience,
    };
    Runner::new(&plan.command, setup).map_err(|error| {
        let place = std::env::temp_dir();
        let message =
            format!("cannot make directories for tests in `{}`: {error}", place.display());
        Failure::new(Code::Test, message).help("set TMPDIR to a directory that can be written")
    })
}

/// Runs the original once: how long it takes sets the time limit, and how it fails is what must
/// stay if nothing else was said.
fn first_run(
    plan: &Plan,
    runner: Runner,
    stop: &Cancel,
    view: &mut View,
) -> Result<(Outcome, Arc<CommandOracle>), Failure> {
    view.status("running the test on the original");
    let original = Candidate::whole(&plan.text);
    let (outcome, elapsed) =
        runner.run(0, &original, true, stop).map_err(|error| cannot_run(plan, &error))?;
    interrupted(stop)?;
    runner.adapt(elapsed);
    let property = match &plan.property {
        Some(property) => property.clone(),
        None => {
            let signature = Signature::of(&outcome).ok_or_else(|| {
                let message = format!(
                    "the command `{}` succeeds on the original and prints nothing that looks like a failure",
                    plan.test
                );
                Failure::new(Code::NotInteresting, message)
                    .help("say what must stay: --exit, --signal, --stdout, --stderr or --hang")
            })?;
            Property::new(vec![Requirement::Signature(signature)])
        }
    };
    Ok((outcome, Arc::new(CommandOracle::new(runner, property))))
}

/// Finds out whether the question makes sense before anything is written.
fn check(
    plan: &Plan,
    oracle: &CommandOracle,
    judge: &dyn Oracle,
    outcome: &Outcome,
    stop: &Cancel,
    view: &mut View,
) -> Result<(), Failure> {
    view.status("running the test again, and on the empty file");
    let first = oracle.verdict(outcome);
    let preflight = Preflight::ask(oracle, &plan.text, Some(first), plan.workers, stop);
    interrupted(stop)?;
    match (preflight.agreement(), plan.args.property.confirm) {
        (Agreement::Interesting, _) => {}
        (Agreement::Unresolved(reason), _) => return Err(unresolved(plan, &reason)),
        (Agreement::Boring, None) => return Err(not_interesting(plan, oracle, outcome)),
        (Agreement::Flaky { interesting }, None) => {
            return Err(Failure::new(Code::Flaky, flaky(plan, interesting)).help(
                "mend the test, or have several runs agree: --confirm 3 if it is wrongly \
                 interesting now and then,\n--confirm 2/6 if it is wrongly boring now and then",
            ));
        }
        (agreement, Some(votes)) => {
            if let Agreement::Flaky { interesting } = agreement {
                view.note(&format!(
                    "{}; a candidate counts with {votes} runs",
                    flaky(plan, interesting)
                ));
            }
            if judge.judge(0, &Candidate::whole(&plan.text), stop) != Verdict::Interesting {
                interrupted(stop)?;
                let message = format!("the original does not reach {votes} interesting runs");
                return Err(Failure::new(Code::Flaky, message)
                    .help("lower the number that must agree, or allow more runs: --confirm N/M"));
            }
        }
    }
    if !preflight.is_trivial() {
        return Ok(());
    }
    let message = format!("the test `{}` finds the empty file interesting too", plan.test);
    if plan.args.property.allow_trivial {
        view.note(&message);
        return Ok(());
    }
    Err(Failure::new(Code::Trivial, message).help(
        "the smallest file is known already; make the test stricter, so that it also checks\n\
         that the input is valid, or use --allow-trivial",
    ))
}

fn flaky(plan: &Plan, interesting: usize) -> String {
    format!(
        "the test `{}` is flaky: the original was interesting in {interesting} of {RUNS} runs",
        plan.test
    )
}

fn interrupted(stop: &Cancel) -> Result<(), Failure> {
    if stop.is_cancelled() {
        return Err(Failure::new(Code::Interrupted, "interrupted before anything was reduced"));
    }
    Ok(())
}

fn cannot_run(plan: &Plan, error: &std::io::Error) -> Failure {
    let failure = Failure::new(Code::Test, format!("cannot run the test `{}`: {error}", plan.test));
    match error.kind() {
        std::io::ErrorKind::StorageFull => {
            failure.help("the disk is full: free some space, or set TMPDIR to another place")
        }
        _ => failure,
    }
}

fn not_interesting(plan: &Plan, oracle: &CommandOracle, outcome: &Outcome) -> Failure {
    let mut message = format!(
        "the test `{}` does not accept the original input `{}` ({})",
        plan.test,
        plan.input.display(),
        outcome.status
    );
    if !plan.args.command.is_empty() {
        message.push_str(&format!("; what must stay: {}", oracle.property()));
    }
    for (name, output) in
        [("standard error", &outcome.stderr), ("standard output", &outcome.stdout)]
    {
        let lines: Vec<_> =
            output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
        if !lines.is_empty() {
            message.push_str(&format!("\n  the end of its {name}:"));
        }
        for line in &lines[lines.len().saturating_sub(5)..] {
            let line: String = String::from_utf8_lossy(line).chars().take(200).collect();
            message.push_str(&format!("\n    | {line}"));
        }
    }
    Failure::new(Code::NotInteresting, message).help(format!(
        "run it by hand in an empty directory with only that file:\n{}; echo $?",
        by_hand(plan)
    ))
}

/// A shell command that does what lop does for the original.
fn by_hand(plan: &Plan) -> String {
    let input = std::path::absolute(&plan.input).unwrap_or_else(|_| plan.input.clone());
    let name = quoted(plan.name());
    let test = if plan.args.command.is_empty() {
        format!("{} {name}", quoted(&plan.command.program))
    } else {
        plan.test.replace("{}", &name).replace("@@", &name)
    };
    format!("cd $(mktemp -d) && cp {} . && {test} < {name}", quoted(&input))
}

fn unresolved(plan: &Plan, reason: &Reason) -> Failure {
    let message = format!("the test `{}` gives no answer on the original: {reason}", plan.test);
    let failure = Failure::new(Code::NotInteresting, message);
    match reason {
        Reason::TimedOut => {
            failure.help("give it more time with --timeout, or keep the hang with --hang")
        }
        Reason::Memory => failure.help("give it more with --memory"),
        Reason::Broken(why) => Failure::new(Code::Test, why.clone()),
        _ => failure,
    }
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
        lop::replace(backup, &plan.text, Some(&plan.permissions))
            .map_err(|error| cannot_write(backup, &error))?;
    }
    let best = reached.unwrap_or(&plan.text);
    let best_file =
        BestFile::create(&plan.output, best, Some(plan.permissions.clone())).map_err(wrong)?;
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
        return Err(Failure::new(Code::Flaky, message)
            .help("the test is flaky: have several runs agree with --confirm 3"));
    }
    match report.end {
        End::Interrupted => Ok(Code::Interrupted),
        End::Complete | End::MaxTests | End::MaxTime => Ok(Code::Done),
    }
}
