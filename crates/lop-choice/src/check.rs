//! Checks a property: tries the kept choices, then random cases, and reduces each failure.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, panic, thread};

use crate::case::{Case, Cases, Here, Limits};
use crate::child::{self, Child, Task};
use crate::climb::Climb;
use crate::explain::without_effect;
use crate::failure::{CaseResult, Failure, Outcome, hidden_panics};
use crate::passes::PASSES;
use crate::record::{Record, Values};
use crate::report::{Found, Report};
use crate::shortlex::{Pass, reduce};
use crate::source::Source;
use crate::store::{Store, is_moved};
use crate::trials::{Ending, Judge, Run, SIMPLEST, Trials};

/// How many cases that did not fail are remembered for the reduction.
const KNOWN: usize = 32;
/// How often a reduced case is run again to find out whether it is flaky.
const AGAIN: usize = 2;
/// How many kinds of failures are reduced and reported.
const FAILURES: usize = 16;
/// The stack of the property, in bytes: a generator may call itself once for each choice.
const STACK: usize = 64 << 20;

/// The settings with which a property is checked.
///
/// Settings will be added, so write `Check { cases: 1000, ..Check::default() }`. [`Check::check`] also reads the environment:
/// `LOP_CASES`, `LOP_SEED`, `LOP_CALLS`, `LOP_TIME` and `LOP_CASE_TIME` (in seconds), `LOP_STATISTICS` (any value) and `LOP_REGRESSIONS` (a directory, or `off`).
#[derive(Clone, Debug)]
pub struct Check {
    /// The number of cases that are tried.
    pub cases: u64,
    /// The seed from which all cases are made. Without one, every check has another.
    pub seed: Option<u64>,
    /// The number of cases over which their size grows to that which the generator makes.
    pub growing: u64,
    /// The choices of the first case after the simplest one. Without them, they are random.
    pub start: Option<Vec<i128>>,
    /// The number of choices that a case may draw. A case that draws more is rejected.
    pub choices: usize,
    /// The number of calls of the property that the reduction of all failures may take.
    pub calls: u64,
    /// The time that the reduction of all failures may take.
    pub time: Duration,
    /// Whether the cases are run in a child process. Then a case that aborts or overflows the stack is a failure, and is reduced. The child is
    /// the test program, asked for the same test, so this works in a `#[test]` only.
    pub in_child: bool,
    /// The time that a case may take. A case that takes longer is a failure, and is reduced. It needs a child process, see [`in_child`](Check::in_child).
    pub case_time: Option<Duration>,
    /// Whether [`Check::check`] prints the number of cases, and of those of each [class](Source::classify).
    pub statistics: bool,
    /// The passes of the reduction.
    #[doc(hidden)]
    pub passes: Vec<&'static Pass>,
    /// The directory in which reduced choices are kept. The next check tries them first.
    pub regressions: Option<PathBuf>,
    /// The name of the property in that directory. Without one, it is the name of the test.
    pub name: Option<String>,
    /// Unlike `#[non_exhaustive]`, this allows `..Check::default()` outside of this crate.
    #[doc(hidden)]
    pub _non_exhaustive: (),
}

impl Default for Check {
    fn default() -> Self {
        Check {
            cases: 256,
            seed: None,
            growing: 128,
            start: None,
            choices: 4096,
            calls: 10_000,
            time: Duration::from_secs(60),
            in_child: false,
            case_time: None,
            statistics: false,
            passes: PASSES.iter().collect(),
            regressions: Some("lop-regressions".into()),
            name: None,
            _non_exhaustive: (),
        }
    }
}

impl Check {
    /// Checks a property with these settings and those of the environment. Panics with a message if it fails, or if too many cases
    /// were rejected.
    pub fn check<R: Outcome>(&self, property: impl FnMut(&mut Source) -> R + Send) {
        self.check_examples(&[], property);
    }

    /// [Checks](Check::check) a property that also knows explicit examples: they come first. [`Source::example`] has the number of
    /// the one that is to be run; `shown` are their texts.
    #[doc(hidden)]
    pub fn check_examples<R: Outcome>(
        &self,
        shown: &[&str],
        property: impl FnMut(&mut Source) -> R + Send,
    ) {
        let check = self.with_environment();
        let report = check.run_as(Manner { is_loud: true, examples: shown.len() }, property);
        if check.statistics {
            // The test harness shows what a test prints only if the test fails, but not what is written to the stream itself.
            let name = thread::current().name().unwrap_or("property").to_owned();
            let _ = writeln!(io::stderr(), "{name}: {}", report.statistics());
        }
        let example = report.example.as_ref().map(|(at, failure)| {
            format!("the example {} fails: {failure}", shown.get(*at).copied().unwrap_or_default())
        });
        if let Some(message) = example.or_else(|| report.error_message(check.cases, check.choices))
        {
            // The location of this panic would help nobody, so no hook is called.
            eprintln!("\n{message}");
            panic::resume_unwind(Box::new(message));
        }
        for (place, message) in hidden_panics() {
            eprintln!("a thread that a property had started panicked at {place}: {message}");
        }
    }

    /// [Checks](Check::check) a property of the values of a generator. The examples come first, as they are. One that fails is not reduced.
    pub fn check_with<T: Debug + Send, R: Outcome>(
        &self,
        examples: impl IntoIterator<Item = T>,
        mut generator: impl FnMut(&mut Source) -> T + Send,
        mut property: impl FnMut(T) -> R + Send,
    ) {
        let mut examples: Vec<Option<T>> = examples.into_iter().map(Some).collect();
        let shown = examples.iter().flatten().map(|example| format!("{example:?}"));
        let shown: Vec<String> = shown.collect();
        let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
        self.check_examples(&shown, |s| {
            // Each example is run once, also in a child, which is started again after one that crashed.
            let example = s.example().and_then(|at| examples.get_mut(at)?.take());
            property(example.unwrap_or_else(|| s.named("case", &mut generator)))
        });
    }

    /// Checks a property with exactly these settings, and returns the report. Nothing is printed.
    pub fn run<R: Outcome>(&self, property: impl FnMut(&mut Source) -> R + Send) -> Report {
        self.run_as(Manner::default(), property)
    }

    fn run_as<R: Outcome>(
        &self,
        manner: Manner,
        property: impl FnMut(&mut Source) -> R + Send,
    ) -> Report {
        let number = CHECKS.replace(CHECKS.get() + 1);
        let task = Task::of_environment();
        if task.as_ref().is_some_and(|task| task.check != number) {
            // This process is the child of another check.
            return Report { cases: self.cases, ..Report::default() };
        }
        let here = thread::current().name().unwrap_or("property").to_owned();
        // The checks of a test have files of their own.
        let name = match (&self.name, number) {
            (Some(name), _) => name.clone(),
            (None, 0) => here.clone(),
            (None, number) => format!("{here}-{}", number + 1),
        };
        let store = self.regressions.as_ref().map(|directory| Store::new(directory, &name));
        thread::scope(|scope| {
            let test = here.clone();
            let work = || match task {
                Some(task) => child::serve(&task, property),
                None if self.in_child || self.case_time.is_some() => {
                    let mut child = Child::new(test, number, self.case_time)
                        .unwrap_or_else(|why| panic!("no child process can be started: {why}"));
                    self.run_cases(manner, store, &mut child)
                }
                None => self.run_cases(manner, store, &mut Here(property)),
            };
            let thread =
                thread::Builder::new().name(here).stack_size(STACK).spawn_scoped(scope, work);
            match thread.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(report)) => report,
                Ok(Err(payload)) => panic::resume_unwind(payload),
                Err(why) => panic!("no thread could be started for the property: {why}"),
            }
        })
    }

    fn run_cases(&self, manner: Manner, store: Option<Store>, cases: &mut dyn Cases) -> Report {
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(..));
        let mut report = Report { seed, ..Report::default() };
        for at in 0..manner.examples {
            if let (_, CaseResult::Failed(failure)) = cases.run(Case::example(at)) {
                return Report { example: Some((at, failure)), ..report };
            }
        }
        let mut known = Vec::new();
        let mut open = kept_failures(store.as_ref(), cases);
        let were_kept = open.len();
        if open.is_empty() {
            open.extend(self.find(&mut report, &mut known, cases));
        }
        let mut limits = Limits { calls: self.calls, until: Instant::now() + self.time };
        let mut seen: Vec<String> = Vec::new();
        let mut reduced = Vec::new();
        while let Some(Open { record, failure, file }) = open.pop() {
            if seen.iter().any(|kind| kind == failure.kind()) {
                continue;
            }
            seen.push(failure.kind().to_owned());
            if reduced.len() == FAILURES {
                report.more += 1;
                continue;
            }
            let (found, others) = self.reduce(record, failure, &known, cases, &mut limits);
            reduced.push((found, file));
            open.extend(others);
        }
        // Explanations come last: for want of the calls that they take, no other failure must stay as it was found.
        for (reduced, file) in reduced {
            let mut found = reduced.explained(cases, &mut limits, manner.is_loud);
            found.is_kept = were_kept > 0;
            if !found.is_flaky {
                let (failure, notes) = (&found.failure, &found.notes);
                let values = found.reduced.clone();
                found.kept =
                    store.as_ref().map(|it| it.keep(failure, notes, values, file.as_deref()));
            }
            report.found.push(found);
        }
        report
    }

    /// The size of a case, from 0 to 1.
    fn grown(&self, case: u64) -> f64 {
        (case as f64 / self.growing.clamp(1, self.cases.max(1)) as f64).min(1.0)
    }

    /// Looks for a failure: the simplest case first, then ever larger ones, and changes of that with the greatest score.
    fn find(
        &self,
        report: &mut Report,
        known: &mut Vec<(Arc<Record>, Ending)>,
        cases: &mut dyn Cases,
    ) -> Option<Open> {
        let mut seeds = fastrand::Rng::with_seed(report.seed);
        let mut climb = Climb::new(report.seed);
        // The search must end even if the generator rejects almost everything.
        let most = self.cases.saturating_mul(20);
        for number in 0..most {
            if report.cases >= self.cases {
                break;
            }
            let seed = seeds.u64(..);
            let size = self.grown(number);
            let random = || Case::random(seed, size, self.choices);
            let case = match (number, &self.start) {
                // If the simplest case fails, no reduction is needed.
                (0, _) => Case::given(vec![SIMPLEST; self.choices]),
                (1, Some(start)) => Case::given(start.clone()),
                (_, _) if number % 2 == 0 => random(),
                _ => match climb.next(size, self.choices) {
                    Some(choices) => Case { choices, ..Case::default() },
                    None => random(),
                },
            };
            let (seen, end) = cases.run(case);
            let ending = match end {
                CaseResult::Failed(failure) => return Some(Open::new(seen.record, failure)),
                CaseResult::Passed => Ending::Boring,
                CaseResult::Rejected => Ending::Rejected,
                CaseResult::TooFew(kind) => Ending::TooFew(kind),
            };
            climb.note(&seen.record, seen.score.filter(|_| ending == Ending::Boring));
            if ending == Ending::Boring {
                report.cases += 1;
                for class in seen.classes {
                    *report.classes.entry(class).or_default() += 1;
                }
            } else {
                report.rejected += 1;
            }
            report.too_long += u64::from(matches!(ending, Ending::TooFew(_)));
            if known.len() < KNOWN {
                known.push((Arc::new(seen.record), ending));
            }
        }
        None
    }

    /// Reduces a case; also returns one case for each other kind of failure that occurs meanwhile.
    fn reduce(
        &self,
        first: Record,
        failure: Failure,
        known: &[(Arc<Record>, Ending)],
        cases: &mut dyn Cases,
        limits: &mut Limits,
    ) -> (Reduced, Vec<Open>) {
        let kind = failure.kind().to_owned();
        let start = Instant::now();
        let fails =
            |end: &CaseResult| matches!(end, CaseResult::Failed(again) if again.kind() == kind);
        let was_flaky = !fails(&cases.run(Case::given(first.values())).1);
        let mut others: BTreeMap<String, Open> = BTreeMap::new();
        let mut trials = Judge::new(first.clone(), limits.calls, |values: Values| {
            let (seen, end) = cases.run(Case::given(values));
            let ending = match end {
                _ if fails(&end) => Ending::Interesting,
                CaseResult::TooFew(kind) => Ending::TooFew(kind),
                CaseResult::Rejected => Ending::Rejected,
                CaseResult::Passed => Ending::Boring,
                CaseResult::Failed(failure) => {
                    if !others.contains_key(failure.kind()) {
                        let kind = failure.kind().to_owned();
                        others.insert(kind, Open::new(seen.record.clone(), failure));
                    }
                    Ending::Boring
                }
            };
            Run { record: seen.record, ending }
        });
        trials.stop_at(limits.until);
        // Longer choices are never tried.
        let short = known.iter().filter(|(record, _)| record.choices.len() <= first.choices.len());
        short.for_each(|(record, ending)| trials.note(record.clone(), *ending));
        let tallies = if was_flaky { Vec::new() } else { reduce(&mut trials, &self.passes) };
        let (reduced, calls) = (trials.best().as_ref().clone(), trials.calls());
        let (is_finished, candidates) = (!trials.is_over(), trials.candidates());
        drop(trials);
        limits.calls -= calls;
        let time = start.elapsed();
        let found = Found {
            failure,
            is_flaky: was_flaky,
            is_finished,
            is_kept: false,
            first: first.values(),
            reduced: reduced.values(),
            notes: Vec::new(),
            any: Vec::new(),
            calls,
            candidates,
            time,
            tallies,
            kept: None,
        };
        (Reduced { found, record: reduced }, others.into_values().collect())
    }

    /// With the settings of the environment.
    fn with_environment(&self) -> Check {
        let mut check = self.clone();
        set("LOP_CASES", |cases| check.cases = cases);
        set("LOP_SEED", |seed| check.seed = Some(seed));
        set("LOP_CALLS", |calls| check.calls = calls);
        set("LOP_TIME", |seconds: f64| check.time = Duration::from_secs_f64(seconds.max(0.0)));
        set("LOP_CASE_TIME", |seconds: f64| {
            check.case_time = Some(Duration::from_secs_f64(seconds.max(0.0)));
        });
        check.statistics |= std::env::var_os("LOP_STATISTICS").is_some();
        if let Some(directory) = std::env::var_os("LOP_REGRESSIONS") {
            check.regressions =
                (directory != "off" && !directory.is_empty()).then(|| directory.into());
        }
        check
    }
}

thread_local! {
    /// The number of checks of this thread, which is that of a test.
    static CHECKS: Cell<u64> = const { Cell::new(0) };
}

/// How a check is run.
#[derive(Clone, Copy, Default)]
struct Manner {
    /// Whether the panic of a reduced case is printed.
    is_loud: bool,
    /// The number of explicit examples.
    examples: usize,
}

/// A failure that is to be reduced.
struct Open {
    record: Record,
    failure: Failure,
    /// The file in which its choices were kept.
    file: Option<PathBuf>,
}

impl Open {
    fn new(record: Record, failure: Failure) -> Open {
        Open { record, failure, file: None }
    }
}

/// A reduced failure that is still to be explained.
struct Reduced {
    found: Found,
    record: Record,
}

impl Reduced {
    /// Confirms the failure, says which named values matter, and runs the reduced case for the last time.
    fn explained(self, cases: &mut dyn Cases, limits: &mut Limits, is_loud: bool) -> Found {
        let Reduced { mut found, record } = self;
        let kind = found.failure.kind().to_owned();
        let fails =
            |end: &CaseResult| matches!(end, CaseResult::Failed(again) if again.kind() == kind);
        // More than once: a case that fails half of the time would often seem to fail always.
        let again = Case { has_notes: true, ..Case::given(record.values()) };
        let runs: Vec<_> = (0..AGAIN).map(|_| cases.run(again.clone())).collect();
        found.is_flaky |= !runs.iter().all(|(_, end)| fails(end));
        if found.is_finished && !found.is_flaky {
            found.any = without_effect(cases, &record, &runs[0].0.notes, &kind, limits);
        }
        // The last run is that of the reduced case, so that what it prints comes last.
        let (seen, end) = cases.run(Case { is_loud, ..again });
        match end {
            CaseResult::Failed(again) if again.kind() == kind => found.failure = again,
            _ => found.is_flaky = true,
        }
        found.notes = seen.notes.into_iter().map(|note| note.text).collect();
        found
    }
}

/// Runs the kept choices, and returns those that fail.
fn kept_failures(store: Option<&Store>, cases: &mut dyn Cases) -> Vec<Open> {
    let kept = store.map(Store::all).unwrap_or_default();
    let failing =
        kept.into_iter().rev().filter_map(|kept| match cases.run(Case::given(kept.values)) {
            (seen, CaseResult::Failed(failure)) => {
                let file = Some(kept.path).filter(|_| is_moved(kept.failure.as_deref(), &failure));
                Some(Open { file, ..Open::new(seen.record, failure) })
            }
            _ => None,
        });
    failing.collect()
}

fn set<T: std::str::FromStr>(name: &str, then: impl FnOnce(T)) {
    if let Ok(text) = std::env::var(name) {
        match text.parse() {
            Ok(value) => then(value),
            Err(_) => panic!(
                "{name} is `{text}`, which isn't a number that can be used: set it to one, or leave it out"
            ),
        }
    }
}

/// Checks a property with the [default settings](Check::default) and those of the environment, and panics if it fails.
pub fn check<R: Outcome>(property: impl FnMut(&mut Source) -> R + Send) {
    Check::default().check(property);
}

/// Checks an asynchronous property with the `block_on` of a runtime: `check_async(|future| block_on(future), async |s| …)`.
/// With other settings, write `Check { … }.check(|s| block_on(async { … }))`.
pub fn check_async<R: Outcome, B>(
    block_on: B,
    mut property: impl AsyncFnMut(&mut Source) -> R + Send,
) where
    B: for<'f> Fn(std::pin::Pin<Box<dyn Future<Output = R> + 'f>>) -> R + Send,
{
    check(move |source| block_on(Box::pin(property(source))));
}
