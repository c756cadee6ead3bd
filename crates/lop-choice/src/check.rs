//! Looks for cases that fail, and reduces them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::failure::{self, End, Failure, Outcome};
use crate::passes::{PASSES, Pass};
use crate::record::{Record, Values};
use crate::reducer::{Effort, reduce};
use crate::source::Source;
use crate::trials::{SIMPLEST, Ending, Inline, Run, Trials};

/// How many cases that passed are remembered.
const KNOWN: usize = 256;

/// How a property is checked.
#[derive(Clone)]
pub struct Check {
    /// How many cases are tried.
    pub cases: u64,
    /// From what everything random follows.
    pub seed: u64,
    /// How many choices a case may have.
    pub choices: usize,
    /// How often the property may be called to reduce one failure.
    pub calls: u64,
    /// How long it may take to reduce one failure.
    pub time: Duration,
    /// With which passes.
    pub passes: Vec<&'static Pass>,
}

/// What came out.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many cases were tried, without those that were rejected.
    pub cases: u64,
    /// How many were rejected.
    pub rejected: u64,
    /// What failed, each kind of failure once.
    pub found: Vec<Found>,
}

/// A failure, with the simplest case that has it.
#[derive(Clone, Debug)]
pub struct Found {
    /// How it failed at last.
    pub failure: Failure,
    /// What was drawn when it was found.
    pub first: Record,
    /// What is left.
    pub reduced: Record,
    /// What the generator had to say about it.
    pub notes: Vec<String>,
    /// How often the property was called to reduce it.
    pub calls: u64,
    /// How long that took.
    pub time: Duration,
    /// What each pass took and brought.
    pub efforts: Vec<Effort>,
}

impl Default for Check {
    fn default() -> Self {
        Check {
            cases: 256,
            seed: 0,
            choices: 4096,
            calls: 20_000,
            time: Duration::from_secs(120),
            passes: PASSES.iter().collect(),
        }
    }
}

impl Check {
    /// Looks for failures and reduces them; says what came out.
    pub fn run<R: Outcome>(&self, mut property: impl FnMut(&mut Source) -> R) -> Report {
        let mut report = Report::default();
        let mut known = Vec::new();
        let Some((record, failure)) = self.find(&mut report, &mut known, &mut property) else { return report };
        let mut open = vec![(record, failure)];
        let mut seen: Vec<String> = Vec::new();
        while let Some((record, failure)) = open.pop() {
            if seen.contains(&failure.kind()) {
                continue;
            }
            seen.push(failure.kind());
            let (found, others) = self.reduce(record, failure, &known, &mut property);
            report.found.push(found);
            open.extend(others);
        }
        report
    }

    /// How much the size of cases has grown.
    fn grown(&self, case: u64) -> f64 {
        (case as f64 / (self.cases as f64 / 2.0).clamp(1.0, 128.0)).min(1.0)
    }

    /// Looks for a failure: the simplest case first, then ever larger ones.
    fn find<R: Outcome>(
        &self,
        report: &mut Report,
        known: &mut Vec<Run>,
        property: &mut dyn FnMut(&mut Source) -> R,
    ) -> Option<(Record, Failure)> {
        let mut seeds = fastrand::Rng::with_seed(self.seed);
        // A generator that rejects almost everything must come to an end.
        let most = self.cases.saturating_mul(20);
        for case in 0..most {
            if report.cases >= self.cases {
                break;
            }
            // Nothing is simpler than the simplest case.
            let seed = seeds.u64(..);
            let source = match case {
                0 => Source::given(vec![SIMPLEST; self.choices]),
                _ => Source::random(seed, self.grown(case), self.choices),
            };
            let (seen, end) = failure::run(source, property);
            let ending = match end {
                End::Failed(failure) => return Some((seen.record, failure)),
                End::Passed => Ending::Boring,
                End::Rejected => Ending::Rejected,
                End::TooFew(kind) => Ending::TooFew(kind),
            };
            let counted = if ending == Ending::Boring { &mut report.cases } else { &mut report.rejected };
            *counted += 1;
            if known.len() < KNOWN {
                known.push(Run { record: seen.record, ending });
            }
        }
        None
    }

    /// Reduces a case, and says what else failed on the way.
    fn reduce<R: Outcome>(
        &self,
        first: Record,
        failure: Failure,
        known: &[Run],
        property: &mut dyn FnMut(&mut Source) -> R,
    ) -> (Found, Vec<(Record, Failure)>) {
        let kind = failure.kind();
        let start = Instant::now();
        let mut others: BTreeMap<String, (Record, Failure)> = BTreeMap::new();
        let mut trials = Inline::new(first.clone(), self.calls, |values: Values| {
            let (seen, end) = failure::run(Source::given(values), property);
            let ending = match end {
                End::TooFew(kind) => Ending::TooFew(kind),
                End::Rejected => Ending::Rejected,
                End::Passed => Ending::Boring,
                End::Failed(failure) if failure.kind() == kind => Ending::Interesting,
                End::Failed(failure) => {
                    others.entry(failure.kind()).or_insert_with(|| (seen.record.clone(), failure));
                    Ending::Boring
                }
            };
            Run { record: seen.record, ending }
        });
        known.iter().for_each(|run| trials.learn(run.clone()));
        let efforts = reduce(&mut trials, &self.passes);
        let (reduced, calls) = (trials.best().as_ref().clone(), trials.calls());
        drop(trials);
        let time = start.elapsed();
        let (seen, end) = failure::run(Source::given(reduced.values()).with_notes(), property);
        let failure = if let End::Failed(failure) = end { failure } else { failure };
        let found = Found { failure, first, reduced, notes: seen.notes, calls, time, efforts };
        (found, others.into_values().collect())
    }
}
