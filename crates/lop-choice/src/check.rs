//! Checks a property: tries the kept choices, then random cases, and reduces each failure.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{panic, thread};

use crate::failure::{self, CaseResult, Failure, Outcome};
use crate::passes::PASSES;
use crate::record::{Record, Values};
use crate::report::{Found, Report};
use crate::shortlex::{Pass, reduce};
use crate::source::Source;
use crate::store::Store;
use crate::trials::{Ending, Judge, Run, SIMPLEST, Trials};

/// How many cases that did not fail are remembered for the reduction.
const KNOWN: usize = 32;
/// How often a reduced case is run again to find out whether it is flaky.
const AGAIN: usize = 2;
/// The stack of the property, in bytes: a generator may call itself once for each choice.
const STACK: usize = 64 << 20;

/// The settings with which a property is checked.
///
/// Settings will be added, so write `Check { cases: 1000, ..Check::default() }`. [`Check::check`] also reads the environment:
/// `LOP_CASES`, `LOP_SEED`, `LOP_CALLS`, `LOP_TIME` (in seconds) and `LOP_REGRESSIONS` (a directory, or `off`).
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
    /// The number of calls of the property that the reduction of one failure may take.
    pub calls: u64,
    /// The time that the reduction of one failure may take.
    pub time: Duration,
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
        let check = self.with_environment();
        let report = check.run(property);
        if let Some(message) = report.error_message(check.cases, check.choices) {
            // The location of this panic would help nobody, so no hook is called.
            eprintln!("{message}");
            panic::resume_unwind(Box::new(message));
        }
    }

    /// Checks a property with exactly these settings, and returns the report.
    pub fn run<R: Outcome>(&self, property: impl FnMut(&mut Source) -> R + Send) -> Report {
        let here = thread::current().name().unwrap_or("property").to_owned();
        let name = self.name.clone().unwrap_or_else(|| here.clone());
        let store = self.regressions.as_ref().map(|directory| Store::new(directory, &name));
        thread::scope(|scope| {
            let work = || self.run_here(store, property);
            let thread =
                thread::Builder::new().name(here).stack_size(STACK).spawn_scoped(scope, work);
            match thread.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(report)) => report,
                Ok(Err(payload)) => panic::resume_unwind(payload),
                Err(why) => panic!("no thread could be started for the property: {why}"),
            }
        })
    }

    fn run_here<R: Outcome>(
        &self,
        store: Option<Store>,
        mut property: impl FnMut(&mut Source) -> R,
    ) -> Report {
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(..));
        let mut report = Report { seed, ..Report::default() };
        let mut known = Vec::new();
        let mut open = kept_failures(store.as_ref(), &mut property);
        let were_kept = open.len();
        if open.is_empty() {
            open.extend(self.find(&mut report, &mut known, &mut property));
        }
        let mut seen: Vec<String> = Vec::new();
        while let Some((record, failure)) = open.pop() {
            if seen.contains(&failure.kind()) {
                continue;
            }
            seen.push(failure.kind());
            let (mut found, others) = self.reduce(record, failure, &known, &mut property);
            found.is_kept = were_kept > 0;
            if !found.is_flaky {
                let keep =
                    |store: &Store| store.keep(&found.failure, &found.notes, found.reduced.clone());
                found.kept = store.as_ref().map(keep);
            }
            report.found.push(found);
            open.extend(others);
        }
        report
    }

    /// The size of a case, from 0 to 1.
    fn grown(&self, case: u64) -> f64 {
        (case as f64 / self.growing.clamp(1, self.cases.max(1)) as f64).min(1.0)
    }

    /// Looks for a failure: the simplest case first, then ever larger ones.
    fn find<R: Outcome>(
        &self,
        report: &mut Report,
        known: &mut Vec<(Arc<Record>, Ending)>,
        property: &mut dyn FnMut(&mut Source) -> R,
    ) -> Option<(Record, Failure)> {
        let mut seeds = fastrand::Rng::with_seed(report.seed);
        // The search must end even if the generator rejects almost everything.
        let most = self.cases.saturating_mul(20);
        for case in 0..most {
            if report.cases >= self.cases {
                break;
            }
            let seed = seeds.u64(..);
            let source = match (case, &self.start) {
                // If the simplest case fails, no reduction is needed.
                (0, _) => Source::given(vec![SIMPLEST; self.choices]),
                (1, Some(start)) => Source::given(start.clone()),
                _ => Source::random(seed, self.grown(case), self.choices),
            };
            let (seen, end) = failure::run(source, property);
            let ending = match end {
                CaseResult::Failed(failure) => return Some((seen.record, failure)),
                CaseResult::Passed => Ending::Boring,
                CaseResult::Rejected => Ending::Rejected,
                CaseResult::TooFew(kind) => Ending::TooFew(kind),
            };
            let counted =
                if ending == Ending::Boring { &mut report.cases } else { &mut report.rejected };
            *counted += 1;
            report.too_long += u64::from(matches!(ending, Ending::TooFew(_)));
            if known.len() < KNOWN {
                known.push((Arc::new(seen.record), ending));
            }
        }
        None
    }

    /// Reduces a case; also returns one case for each other kind of failure that occurs meanwhile.
    fn reduce<R: Outcome>(
        &self,
        first: Record,
        failure: Failure,
        known: &[(Arc<Record>, Ending)],
        property: &mut dyn FnMut(&mut Source) -> R,
    ) -> (Found, Vec<(Record, Failure)>) {
        let kind = failure.kind();
        let start = Instant::now();
        let again = failure::run(Source::given(first.values()), property).1;
        let was_flaky = !matches!(again, CaseResult::Failed(again) if again.kind() == kind);
        let mut others: BTreeMap<String, (Record, Failure)> = BTreeMap::new();
        let mut trials = Judge::new(first.clone(), self.calls, |values: Values| {
            let (seen, end) = failure::run(Source::given(values), property);
            let ending = match end {
                CaseResult::TooFew(kind) => Ending::TooFew(kind),
                CaseResult::Rejected => Ending::Rejected,
                CaseResult::Passed => Ending::Boring,
                // Most often the two failures are equal, and need no kind.
                CaseResult::Failed(failed) if failed == failure || failed.kind() == kind => {
                    Ending::Interesting
                }
                CaseResult::Failed(failure) => {
                    others.entry(failure.kind()).or_insert_with(|| (seen.record.clone(), failure));
                    Ending::Boring
                }
            };
            Run { record: seen.record, ending }
        });
        trials.stop_at(start + self.time);
        // Longer choices are never tried.
        let short = known.iter().filter(|(record, _)| record.choices.len() <= first.choices.len());
        short.for_each(|(record, ending)| trials.note(record.clone(), *ending));
        let tallies = if was_flaky { Vec::new() } else { reduce(&mut trials, &self.passes) };
        let (reduced, calls) = (trials.best().as_ref().clone(), trials.calls());
        let (trials_over, candidates) = (trials.is_over(), trials.candidates());
        drop(trials);
        let time = start.elapsed();
        let is_finished = !trials_over;
        // More than once: a case that fails half of the time would often seem to fail always.
        let again = |property: &mut dyn FnMut(&mut Source) -> R| {
            failure::run(Source::given(reduced.values()).with_notes(), property)
        };
        let fails =
            |end: &CaseResult| matches!(end, CaseResult::Failed(again) if again.kind() == kind);
        let is_steady = (0..AGAIN).all(|_| fails(&again(property).1));
        let (seen, end) = again(property);
        let (failure, is_flaky) = match end {
            CaseResult::Failed(again) if again.kind() == kind => (again, was_flaky || !is_steady),
            _ => (failure, true),
        };
        let found = Found {
            failure,
            is_flaky,
            is_finished,
            is_kept: false,
            first: first.values(),
            reduced: reduced.values(),
            notes: seen.notes,
            calls,
            candidates,
            time,
            tallies,
            kept: None,
        };
        (found, others.into_values().collect())
    }

    /// With the settings of the environment.
    fn with_environment(&self) -> Check {
        let mut check = self.clone();
        set("LOP_CASES", |cases| check.cases = cases);
        set("LOP_SEED", |seed| check.seed = Some(seed));
        set("LOP_CALLS", |calls| check.calls = calls);
        set("LOP_TIME", |seconds: f64| check.time = Duration::from_secs_f64(seconds.max(0.0)));
        if let Some(directory) = std::env::var_os("LOP_REGRESSIONS") {
            check.regressions =
                (directory != "off" && !directory.is_empty()).then(|| directory.into());
        }
        check
    }
}

/// Runs the kept choices, and returns those that fail.
fn kept_failures<R: Outcome>(
    store: Option<&Store>,
    property: &mut dyn FnMut(&mut Source) -> R,
) -> Vec<(Record, Failure)> {
    let kept = store.map(Store::all).unwrap_or_default();
    let failing = kept.into_iter().rev().filter_map(|(_, values)| {
        match failure::run(Source::given(values), property) {
            (seen, CaseResult::Failed(failure)) => Some((seen.record, failure)),
            _ => None,
        }
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
