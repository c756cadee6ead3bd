//! Builds the oracle of a question: runs the test on the original, and checks before anything is written that the
//! original is interesting, the test is not flaky, and the empty file is boring.

use std::cell::OnceCell;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use lop::oracle::command::{CommandOracle, Supervisor};
use lop::oracle::execute::{self, Beside, Local};
use lop::oracle::{
    Aside, Confirm, Oracle, Outcome, Property, Reason, Requirement, Signature, Verdict, clues,
};
use lop::preflight::{Agreement, Preflight};
use lop::{Cancel, Candidate, Clues, Event, Observer, Status, Strategy, Text};

use crate::args::{Also, PropertyArgs};
use crate::by_hand;
use crate::executor::{executor, local_executor, setup, supervisor};
use crate::exit::{Code, Failure};
use crate::neighbours;
use crate::question::Question;
use crate::reading::cure;
use crate::sandbox;
use crate::signals::interrupted;
use crate::unsuited::{
    BY_HAND, cannot_run, flaky, has_usual_property, names_line, trivial, unresolved, weak,
};
use crate::view::View;
use crate::watched::Watch;

/// The help text for a result that is not interesting in every run.
pub(crate) const HAVE_SEVERAL_AGREE: &str =
    "the test is flaky: require several interesting runs with --confirm 3";

/// How long the test runs on the original before lop shows what it is waiting for.
const PATIENCE: Duration = Duration::from_secs(5);

/// The failure for an error that ended a reduction.
pub(crate) fn broken(question: &Question, error: &lop::Error) -> Failure {
    match error {
        lop::Error::Broken(why) => cannot_run(question, why),
        lop::Error::Write(error) => {
            Failure::new(Code::Output, error.to_string()).help(cure(&error.source))
        }
        error => Failure::new(Code::Test, error.to_string()).help(BY_HAND),
    }
}

/// The oracle of a question.
pub(crate) struct Judge {
    oracle: Arc<dyn Oracle>,
    /// The oracle that it asks, once or several times.
    command: Arc<CommandOracle>,
    clues: Clues,
    /// The clues with those of a watched run, once they were requested.
    watched: OnceCell<Clues>,
    /// The time of the test on the original.
    elapsed: Duration,
}

impl Deref for Judge {
    type Target = dyn Oracle;

    fn deref(&self) -> &Self::Target {
        &*self.oracle
    }
}

/// The oracle of a question, once its original has been checked.
pub(crate) fn oracle(
    question: &Question,
    stop: &Cancel,
    view: &mut View,
) -> Result<Judge, Failure> {
    check_measures(question, view)?;
    sandbox::check(&question.args.test, view)?;
    if let Some(server) = question.args.test.server() {
        view.status(&format!("trying the workers of {server}"));
    }
    let supervisor = supervisor(question, executor(question, stop)?);
    if cfg!(target_os = "linux") && !Local::leaves_nothing_behind() {
        view.note(
            "without /proc, lop cannot find all processes that a test leaves behind: mount it",
        );
    }
    let (outcome, oracle) = first_run(question, supervisor, stop, view)?;
    view.event(&Event::Property {
        test: question.test.clone(),
        property: oracle.property().to_string(),
        time_limit: oracle.supervisor().time_limit(),
    });
    let judge: Arc<dyn Oracle> = match question.args.property.votes() {
        Some(votes) => Arc::new(Confirm::new(oracle.clone(), votes)),
        None => oracle.clone(),
    };
    check(question, &oracle, &*judge, &outcome, stop, view)?;
    let Question { text, bundle, .. } = question;
    let (property, name) = (oracle.property(), question.name());
    let clues = clues(&outcome, property, Path::new(&name), text, bundle.as_ref());
    let (watched, elapsed) = (OnceCell::new(), outcome.elapsed);
    let judge = Judge { oracle: judge, command: oracle, clues, watched, elapsed };
    judge.check_here(question, &question.text, "the original", stop)?;
    Ok(judge)
}

impl Judge {
    /// Forgets how fast tests have become: another run begins with the original.
    pub(crate) fn begin_again(&self) {
        self.command.supervisor().adapt(self.elapsed);
    }

    /// The clues from the run of the test on the original, for a strategy that uses them.
    pub(crate) fn clues(
        &self,
        question: &Question,
        strategy: &Strategy,
        stop: &Cancel,
        view: &mut View,
    ) -> Clues {
        if !strategy.has("slice", &question.text, &question.format_of_all()) {
            return self.clues.clone();
        }
        let watched = self.watched.get_or_init(|| {
            self.watched(question, stop, view).ok().flatten().unwrap_or_else(|| self.clues.clone())
        });
        watched.clone()
    }

    /// The clues of a watched run, if it may yield any.
    fn watched(
        &self,
        question: &Question,
        stop: &Cancel,
        view: &mut View,
    ) -> Result<Option<Clues>, execute::Error> {
        let has_places = !self.clues.places(&question.text).is_empty();
        let Some(watch) = Watch::new(question, has_places)? else { return Ok(None) };
        view.status(&format!("running the test on the original, to see {}", watch.told()));
        let command = watch.around(&question.command);
        let executor = Local::new(&command, setup(question, Vec::new(), 1))?;
        let supervisor = supervisor(question, Arc::new(executor));
        supervisor.adapt(self.elapsed);
        supervisor.run(0, &Candidate::whole(&question.text), false, stop)?;
        Ok(Some(watch.clues(question, &self.clues)))
    }

    /// Tests a text on this machine, if only others have tested it so far: their programs may differ from those here,
    /// and results that a server remembers come from other machines.
    pub(crate) fn check_here(
        &self,
        question: &Question,
        text: &Text,
        what: &str,
        stop: &Cancel,
    ) -> Result<(), Failure> {
        let Some(server) = question.args.test.server() else { return Ok(()) };
        if !question.args.test.has_local_check() {
            return Ok(());
        }
        let supervisor = supervisor(question, local_executor(question, Vec::new(), 1)?);
        let oracle = CommandOracle::new(supervisor, self.command.property().clone());
        let candidate = Candidate::whole(text);
        let verdict = match question.args.property.votes() {
            Some(votes) => Confirm::new(Arc::new(oracle), votes).judge(0, &candidate, stop),
            None => oracle.judge(0, &candidate, stop),
        };
        let why = match verdict {
            Verdict::Interesting => return Ok(()),
            Verdict::Unresolved(Reason::Cancelled) => return Ok(()),
            Verdict::Boring => "it is not interesting here".to_owned(),
            Verdict::Unresolved(reason) => format!("the test gives no answer here: {reason}"),
        };
        let message = format!(
            "{what} is interesting on the workers of `{server}`, but not on this machine: {why}"
        );
        Err(Failure::new(Code::Flaky, message).help(
            "use the same programs here and there; if only the workers can run the test, leave this check out with \
             --no-local-check",
        ))
    }
}

/// A test that takes this long to open the candidate starts slowly.
const SLOW_START: Duration = Duration::from_millis(200);

/// Checks that no limit hides the property, and notes limits that may distort it.
fn check_measures(question: &Question, view: &mut View) -> Result<(), Failure> {
    let (property, limits) = (&question.args.property, &question.args.limits);
    let hidden = |limit: &str, property: &str| {
        let message = format!("{limit} is not above {property}, so no test can have the property");
        Err(Failure::new(Code::Usage, message).help(format!("raise {limit}, or leave it out")))
    };
    if let (Some(slower), Some(timeout)) = (property.slower_than, limits.timeout)
        && timeout <= slower
    {
        return hidden("--timeout", "--slower-than");
    }
    if let (Some(more), Some(memory)) = (property.more_memory_than, limits.memory)
        && memory <= more
    {
        return hidden("--memory", "--more-memory-than");
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if property.slower_than.is_some() && question.workers > cores {
        view.note(&format!(
            "{} tests at the same time on {cores} cores make each other slower: use -j {cores} or less",
            question.workers
        ));
    }
    Ok(())
}

/// Judges test cases before there is an original, to find one.
pub(crate) struct Finder {
    supervisor: Supervisor,
    property: Option<Property>,
}

impl Finder {
    /// Prepares to run the test of a question.
    pub(crate) fn new(question: &Question, stop: &Cancel) -> Result<Finder, Failure> {
        let supervisor = supervisor(question, executor(question, stop)?);
        Ok(Finder { supervisor, property: question.property.clone() })
    }

    /// Whether a case has the property, or, if the user gave none, a failure signature.
    pub(crate) fn is_interesting(
        &self,
        slot: usize,
        case: &[u8],
        stop: &Cancel,
    ) -> Result<bool, execute::Error> {
        let outcome = self.outcome(slot, case, stop)?;
        Ok(outcome.status != Status::Cancelled && self.accepts(&outcome))
    }

    /// How the test ends on a case.
    pub(crate) fn outcome(
        &self,
        slot: usize,
        case: &[u8],
        stop: &Cancel,
    ) -> Result<Outcome, execute::Error> {
        let case = Candidate::whole(&Arc::new(case.to_vec()));
        self.supervisor.run(slot, &case, true, stop)
    }

    /// Whether an outcome has the property, or, if the user gave none, a failure signature.
    pub(crate) fn accepts(&self, outcome: &Outcome) -> bool {
        match &self.property {
            Some(property) => property.holds(outcome),
            None => Signature::of(outcome).is_some(),
        }
    }
}

/// Runs the test on the original once. Its time sets the time limit; its failure signature is the property if the
/// user gave none.
fn first_run(
    question: &Question,
    supervisor: Supervisor,
    stop: &Cancel,
    view: &mut View,
) -> Result<(Outcome, Arc<CommandOracle>), Failure> {
    view.status("running the test on the original");
    let outcome = patiently(&question.text, &supervisor, stop, view)
        .map_err(|it| cannot_run(question, &it))?;
    interrupted(stop)?;
    supervisor.adapt(outcome.elapsed);
    if outcome.is_cut {
        let most = execute::OUTPUT >> 20;
        view.note(&format!("the test prints more than {most} MB: the rest is not looked at"));
    }
    if let Some(note) = slow_start(&outcome).filter(|_| !question.args.test.serve) {
        view.note(&note);
    }
    let property = match &question.property {
        Some(property) => {
            let property = property.clone().measured_as(&outcome);
            let property = match keeps_end(question, &property, &outcome) {
                true => property.ending(outcome.status),
                false => property,
            };
            match question.args.property.any_exit {
                true => property,
                false => property.without_syntax_errors(&outcome),
            }
        }
        None => {
            let signature = Signature::of(&outcome).ok_or_else(|| {
                let message = format!(
                    "the command `{}` succeeds on the original and prints no error that lop recognises",
                    question.test
                );
                let help = missing(question, None, &outcome, stop).unwrap_or_else(|| {
                    "define the property: --exit, --signal, --stdout, --stderr or --hang".into()
                });
                Failure::new(Code::NotInteresting, message).help(help)
            })?;
            let weak = signature.is_weak().then(|| weak(&outcome));
            let property = Property::new(vec![Requirement::Signature(signature)]);
            let named = neighbours::mentioned(question, &outcome);
            if !named.is_empty() {
                check_neighbours(question, &property, &named, stop)?;
            }
            if let Some(weak) = weak {
                for name in &named {
                    view.note(&format!(
                        "the output of the test mentions `{name}`, which is beside the input but not beside \
                         the candidate; if the test needs it: --with {name}"
                    ));
                }
                view.note(&weak);
            }
            property
        }
    };
    let mut oracle = CommandOracle::new(supervisor, property);
    if let Some(aside) = aside(&question.args.property) {
        oracle = oracle.with_aside(aside);
    }
    Ok((outcome, Arc::new(oracle)))
}

/// Runs the test on the original, and reports if that takes long: otherwise, with a test that waits for something
/// forever, lop would seem to do nothing.
fn patiently(
    text: &Text,
    supervisor: &Supervisor,
    stop: &Cancel,
    view: &mut View,
) -> Result<Outcome, execute::Error> {
    std::thread::scope(|scope| {
        let (ended, end) = mpsc::channel::<()>();
        let run = scope.spawn(move || {
            let outcome = supervisor.run_watched(0, &Candidate::whole(text), stop);
            drop(ended);
            outcome
        });
        if end.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            let limit = supervisor.time_limit().as_secs_f64();
            view.note(&format!(
                "the test is still running on the original; it may take {limit:.0} s (--timeout)"
            ));
        }
        run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The note about a test that spends most of its time before it opens the candidate.
fn slow_start(outcome: &Outcome) -> Option<String> {
    let opened = outcome.opened.filter(|it| *it >= SLOW_START && *it * 2 > outcome.elapsed)?;
    let (opened, elapsed) = (opened.as_secs_f64(), outcome.elapsed.as_secs_f64());
    Some(format!(
        "the test opens the candidate after {opened:.2} of its {elapsed:.2} s: a test that stays for many candidates \
         would be faster, see --serve"
    ))
}

/// Collects the candidates to be saved besides the result.
fn aside(args: &PropertyArgs) -> Option<Aside> {
    let codes = args.also_interesting.iter().filter_map(|also| match also {
        Also::Exit(code) => Some(i32::from(*code)),
        Also::Crash => None,
    });
    let crashes = args.also_interesting.contains(&Also::Crash);
    (!args.also_interesting.is_empty()).then(|| Aside::new(codes.collect(), crashes))
}

/// Whether candidates must end as the original did, though the user did not require that: if a file that compiles has
/// the property, one that does not compile is something else.
fn keeps_end(question: &Question, property: &Property, outcome: &Outcome) -> bool {
    let ended = matches!(outcome.status, Status::Exit(_) | Status::Signal(_));
    ended && !question.args.property.any_exit && !property.is_about_end()
}

/// Checks that the original is interesting, the test is not flaky, and the empty file is boring.
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
    if let Verdict::Unresolved(reason) = &first {
        return Err(unresolved(question, reason));
    }
    let Question { text, bundle, workers, .. } = question;
    let preflight = Preflight::ask(oracle, text, bundle.as_ref(), Some(first), *workers, stop);
    interrupted(stop)?;
    match (preflight.agreement(), question.args.property.confirm) {
        (Agreement::Interesting, _) => {}
        (Agreement::Unresolved(reason), _) => return Err(unresolved(question, &reason)),
        (Agreement::Boring, None) => {
            let failure = not_interesting(question, oracle, outcome, stop);
            return Err(match (preflight.is_trivial(), outcome.status) {
                (true, Status::Exit(code)) if has_usual_property(question) => failure.help(format!(
                    "exit 0 means interesting, and this test exits with 0 on the empty file: if it means the \
                     opposite,\nuse --exit {code}"
                )),
                _ => failure,
            });
        }
        (Agreement::Flaky { interesting }, None) => {
            return Err(Failure::new(Code::Flaky, flaky(question, interesting)).help(
                "fix the test, or use several runs per candidate: --confirm 3 if it sometimes \
                 succeeds by mistake,\n--confirm 2/6 if it sometimes fails by mistake",
            ));
        }
        (agreement, Some(votes)) => {
            if let Agreement::Flaky { interesting } = agreement {
                view.note(&format!(
                    "{}; a candidate needs {votes} interesting runs",
                    flaky(question, interesting)
                ));
            }
            if judge.judge(0, &Candidate::whole(&question.text), stop) != Verdict::Interesting {
                interrupted(stop)?;
                let message = format!("the original does not reach {votes} interesting runs");
                return Err(Failure::new(Code::Flaky, message)
                    .help("require fewer interesting runs, or allow more runs: --confirm N/M"));
            }
        }
    }
    if !preflight.is_trivial() {
        if let Some(note) = names_line(question) {
            view.note(&note);
        }
        return Ok(());
    }
    let failure = trivial(question, outcome);
    if question.args.property.allow_trivial {
        view.note(&failure.to_string());
        return Ok(());
    }
    Err(failure)
}

fn not_interesting(
    question: &Question,
    oracle: &CommandOracle,
    outcome: &Outcome,
    stop: &Cancel,
) -> Failure {
    let mut how = outcome.status.to_string();
    if question.args.property.slower_than.is_some() {
        how.push_str(&format!(", {:.2} s", outcome.elapsed.as_secs_f64()));
    }
    if question.args.property.more_memory_than.is_some() {
        how.push_str(&format!(", {} MB", outcome.memory >> 20));
    }
    let mut message = format!(
        "the test `{}` does not accept the original input `{}` ({how})",
        question.test,
        question.input.display(),
    );
    if !question.args.command.is_empty() {
        message.push_str(&format!("; the property: {}", oracle.property()));
    }
    for (name, output) in
        [("standard error", &outcome.stderr), ("standard output", &outcome.stdout)]
    {
        let lines: Vec<_> =
            output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
        if !lines.is_empty() {
            message.push_str(&format!("\n  end of {name}:"));
        }
        for line in &lines[lines.len().saturating_sub(5)..] {
            let line: String = String::from_utf8_lossy(line).chars().take(200).collect();
            message.push_str(&format!("\n    | {line}"));
        }
    }
    let missing = missing(question, Some(oracle.property()), outcome, stop);
    let failure = Failure::new(Code::NotInteresting, message).help(missing.unwrap_or_else(|| {
        format!(
            "run the test by hand in an empty directory with only that file:\n{}; echo $?",
            by_hand::command(question)
        )
    }));
    match question.args.test.server() {
        Some(_) => failure.also_help(
            "workers have other files and variables than this machine: send them with --with and --remote-env",
        ),
        None => failure,
    }
}

/// Checks whether the original fails in the same way with the files next to it that the output mentions: if it does
/// not, the test misses them.
fn check_neighbours(
    question: &Question,
    property: &Property,
    named: &[String],
    stop: &Cancel,
) -> Result<(), Failure> {
    let is_remote = question.args.test.server().is_some();
    if is_remote || fails_with(question, Some(property), neighbours::of(question), stop) {
        return Ok(());
    }
    let message = format!(
        "the test `{}` does not find `{}`, which is beside the input but not beside the candidate",
        question.test, named[0]
    );
    let with: Vec<String> = named.iter().map(|name| format!("--with {name}")).collect();
    Err(Failure::new(Code::NotInteresting, message).help(format!(
        "the original does not fail in this way with the files beside it: name those that the test needs, {},\n\
         or say what is to be kept: --stderr REGEX",
        with.join(" ")
    )))
}

/// Whether the test fails on the original with these files next to it: with a property, or in any way.
fn fails_with(
    question: &Question,
    property: Option<&Property>,
    beside: Vec<Beside>,
    stop: &Cancel,
) -> bool {
    let Ok(executor) = local_executor(question, beside, 1) else { return false };
    let original = Candidate::whole(&question.text);
    let outcome = supervisor(question, executor).run(0, &original, true, stop);
    outcome.is_ok_and(|outcome| match property {
        Some(property) => property.holds(&outcome),
        None => Signature::of(&outcome).is_some(),
    })
}

/// The cure if the test accepts the original with other files next to it.
fn missing(
    question: &Question,
    property: Option<&Property>,
    outcome: &Outcome,
    stop: &Cancel,
) -> Option<String> {
    let accepts = |beside: Vec<Beside>| fails_with(question, property, beside, stop);
    // If it accepts the original here, a worker lacks something.
    if question.args.test.server().is_some() && accepts(Vec::new()) {
        return None;
    }
    neighbours::missing(question, outcome, &accepts)
}
