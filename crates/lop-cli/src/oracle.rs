//! From a question to who answers it: the original is run, and whether the question makes sense is
//! found out before anything is written.

use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use lop::oracle::command::{CommandOracle, Runner, TimeLimit};
use lop::oracle::execute::{self, Execute, Local, Setup};
use lop::oracle::{Confirm, Oracle, Outcome, Property, Reason, Requirement, Signature, Verdict};
use lop::preflight::{Agreement, Preflight, RUNS};
use lop::{Cancel, Candidate, Event, Limits, Observer};

use crate::command::quoted;
use crate::exit::{Code, Failure};
use crate::question::Question;
use crate::view::View;

/// What helps if a result is interesting only now and then.
pub(crate) const HAVE_SEVERAL_AGREE: &str =
    "the test is flaky: have several runs agree with --confirm 3";

/// Why a reduction could not go on.
pub(crate) fn broken(question: &Question, error: &lop::Error) -> Failure {
    match error {
        lop::Error::Broken(why) => Failure::new(
            Code::Test,
            format!("the test `{}` could not be run: {why}", question.test),
        ),
        lop::Error::Write(error) => Failure::new(Code::Output, error.to_string()),
        error => Failure::new(Code::Test, error.to_string()),
    }
}

/// Who answers a question that makes sense.
pub(crate) fn oracle(
    question: &Question,
    stop: &Cancel,
    view: &mut View,
) -> Result<Arc<dyn Oracle>, Failure> {
    let runner = runner(question, executor(question)?);
    if cfg!(target_os = "linux") && !Local::leaves_nothing_behind() {
        view.note("processes that a test leaves behind cannot be found without /proc: mount it");
    }
    let (outcome, oracle) = first_run(question, runner, stop, view)?;
    view.event(&Event::Property {
        test: question.test.clone(),
        property: oracle.property().to_string(),
        time_limit: oracle.runner().time_limit(),
    });
    let judge: Arc<dyn Oracle> = match question.args.property.confirm {
        Some(votes) => Arc::new(Confirm::new(oracle.clone(), votes)),
        None => oracle.clone(),
    };
    check(question, &oracle, &*judge, &outcome, stop, view)?;
    Ok(judge)
}

/// Where the test runs.
fn executor(question: &Question) -> Result<Arc<dyn Execute>, Failure> {
    let setup = Setup {
        name: question.name(),
        executable: question.permissions.mode() & 0o111 != 0,
        bundle: question.bundle.clone(),
        workers: question.workers,
    };
    let local = Local::new(&question.command, setup).map_err(|error| {
        let place = std::env::temp_dir();
        let message =
            format!("cannot make directories for tests in `{}`: {error}", place.display());
        Failure::new(Code::Test, message).help("set TMPDIR to a directory that can be written")
    })?;
    Ok(Arc::new(local))
}

/// The executor within the limits that the user gave.
fn runner(question: &Question, executor: Arc<dyn Execute>) -> Runner {
    let usual = Limits::default();
    let limits = Limits {
        memory: question.args.limits.memory,
        // A test may write files of the usual size, or of a multiple of the input's.
        file_size: usual.file_size.max(10 * question.text.len() as u64),
        ..usual
    };
    let time = question.args.limits.timeout.map_or(TimeLimit::Adaptive, TimeLimit::Fixed);
    Runner::new(executor, limits, time)
}

/// Looks for a first test case that is interesting.
pub(crate) struct Finder {
    runner: Runner,
    property: Option<Property>,
}

impl Finder {
    /// Gets ready to ask a question about other cases than its own.
    pub(crate) fn new(question: &Question) -> Result<Finder, Failure> {
        let runner = runner(question, executor(question)?);
        Ok(Finder { runner, property: question.property.clone() })
    }

    /// Whether a case has what must stay; if nothing was said about that, whether it fails.
    pub(crate) fn is_interesting(
        &self,
        slot: usize,
        case: &[u8],
        stop: &Cancel,
    ) -> Result<bool, execute::Error> {
        let case = Candidate::whole(&Arc::new(case.to_vec()));
        let outcome = self.runner.run(slot, &case, true, stop)?;
        if outcome.status == lop::Status::Cancelled {
            return Ok(false);
        }
        Ok(match &self.property {
            Some(property) => property.holds(&outcome),
            None => Signature::of(&outcome).is_some(),
        })
    }
}

/// Runs the original once: how long it takes sets the time limit, and how it fails is what must
/// stay if nothing else was said.
fn first_run(
    question: &Question,
    runner: Runner,
    stop: &Cancel,
    view: &mut View,
) -> Result<(Outcome, Arc<CommandOracle>), Failure> {
    view.status("running the test on the original");
    let original = Candidate::whole(&question.text);
    let outcome =
        runner.run(0, &original, true, stop).map_err(|error| cannot_run(question, &error))?;
    interrupted(stop)?;
    runner.adapt(outcome.elapsed);
    let property = match &question.property {
        Some(property) => property.clone(),
        None => {
            let signature = Signature::of(&outcome).ok_or_else(|| {
                let message = format!(
                    "the command `{}` succeeds on the original and prints nothing that looks like a failure",
                    question.test
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
    question: &Question,
    oracle: &CommandOracle,
    judge: &dyn Oracle,
    outcome: &Outcome,
    stop: &Cancel,
    view: &mut View,
) -> Result<(), Failure> {
    view.status("running the test again, and on the empty file");
    let first = oracle.verdict(outcome);
    let preflight = Preflight::ask(oracle, &question.text, Some(first), question.workers, stop);
    interrupted(stop)?;
    match (preflight.agreement(), question.args.property.confirm) {
        (Agreement::Interesting, _) => {}
        (Agreement::Unresolved(reason), _) => return Err(unresolved(question, &reason)),
        (Agreement::Boring, None) => return Err(not_interesting(question, oracle, outcome)),
        (Agreement::Flaky { interesting }, None) => {
            return Err(Failure::new(Code::Flaky, flaky(question, interesting)).help(
                "mend the test, or have several runs agree: --confirm 3 if it is wrongly \
                 interesting now and then,\n--confirm 2/6 if it is wrongly boring now and then",
            ));
        }
        (agreement, Some(votes)) => {
            if let Agreement::Flaky { interesting } = agreement {
                view.note(&format!(
                    "{}; a candidate counts with {votes} runs",
                    flaky(question, interesting)
                ));
            }
            if judge.judge(0, &Candidate::whole(&question.text), stop) != Verdict::Interesting {
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
    let message = format!("the test `{}` finds the empty file interesting too", question.test);
    if question.args.property.allow_trivial {
        view.note(&message);
        return Ok(());
    }
    Err(Failure::new(Code::Trivial, message).help(
        "the smallest file is known already; make the test stricter, so that it also checks\n\
         that the input is valid, or use --allow-trivial",
    ))
}

fn flaky(question: &Question, interesting: usize) -> String {
    format!(
        "the test `{}` is flaky: the original was interesting in {interesting} of {RUNS} runs",
        question.test
    )
}

pub(crate) fn interrupted(stop: &Cancel) -> Result<(), Failure> {
    if stop.is_cancelled() {
        return Err(Failure::new(Code::Interrupted, "interrupted before anything was reduced"));
    }
    Ok(())
}

fn cannot_run(question: &Question, error: &execute::Error) -> Failure {
    let failure =
        Failure::new(Code::Test, format!("cannot run the test `{}`: {error}", question.test));
    match error {
        execute::Error::Broken(error) if error.kind() == std::io::ErrorKind::StorageFull => {
            failure.help("the disk is full: free some space, or set TMPDIR to another place")
        }
        _ => failure,
    }
}

fn not_interesting(question: &Question, oracle: &CommandOracle, outcome: &Outcome) -> Failure {
    let mut message = format!(
        "the test `{}` does not accept the original input `{}` ({})",
        question.test,
        question.input.display(),
        outcome.status
    );
    if !question.args.command.is_empty() {
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
        by_hand(question)
    ))
}

/// A shell command that does what lop does for the original.
fn by_hand(question: &Question) -> String {
    let input = std::path::absolute(&question.input).unwrap_or_else(|_| question.input.clone());
    let name = quoted(question.name());
    let test = if question.args.command.is_empty() {
        format!("{} {name}", quoted(&question.command.program))
    } else {
        question.test.replace("{}", &name).replace("@@", &name)
    };
    format!("cd $(mktemp -d) && cp {} . && {test} < {name}", quoted(&input))
}

fn unresolved(question: &Question, reason: &Reason) -> Failure {
    let message = format!("the test `{}` gives no answer on the original: {reason}", question.test);
    let failure = Failure::new(Code::NotInteresting, message);
    match reason {
        Reason::TimedOut => {
            failure.help("give it more time with --timeout, or keep the hang with --hang")
        }
        Reason::Memory => failure.help("give it more with --memory"),
        Reason::Lost(_) => Failure::new(Code::Test, failure.to_string())
            .help("the test is not to blame: look at the machine or the sandbox that runs it"),
        Reason::Broken(why) => Failure::new(Code::Test, why.clone()),
        _ => failure,
    }
}
