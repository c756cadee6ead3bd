//! A whole run: from an input and an oracle to the smallest input found.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::best::BestFile;
use crate::bundle::Bundle;
use crate::cache::Cache;
use crate::candidate::{Candidate, Text};
use crate::engine::{End, Engine, Error};
use crate::event::{Counts, Event, Improvement};
use crate::files;
use crate::journal::Journal;
use crate::keep::Keep;
use crate::measured::Measured;
use crate::oracle::{Oracle, Verdict};
use crate::passes::Lore;
use crate::phases::Phase;
use crate::pool::Pool;
use crate::search::Cancel;
use crate::size::Size;
use crate::strategy::{Effort, Strategy};
use crate::tree::{FORMATS, Format};

/// Entries of the cache: some tens of megabytes.
const CACHE: usize = 1 << 20;

/// A run to be started. The input must be interesting: see [`crate::preflight`].
pub struct Reduction {
    /// What is reduced.
    pub input: Text,
    /// Who says what is interesting.
    pub oracle: Arc<dyn Oracle>,
    /// What it is taken for by strategies that look at its tree.
    pub format: Format,
    /// If the input is several files in one, how they are told apart. Each then has a format of its own.
    pub bundle: Option<Bundle>,
    /// What must stay as it is.
    pub keep: Keep,
    /// What passes know beside the input.
    pub lore: Lore,
    /// How it is reduced.
    pub strategy: Strategy,
    /// How many candidates are judged at the same time.
    pub workers: usize,
    /// What breaks ties where an algorithm leaves a choice.
    pub seed: u64,
    /// Stop after so many tests.
    pub max_tests: Option<u64>,
    /// Stop after this time.
    pub max_time: Option<Duration>,
    /// Where the best is kept.
    pub best_file: Option<BestFile>,
    /// Where verdicts are written, and those of an earlier run.
    pub journal: Option<Journal>,
    /// The best of an earlier run, known to be interesting.
    pub reached: Option<Text>,
    /// The wish to stop.
    pub stop: Cancel,
}

/// What came out of a run.
#[derive(Debug)]
pub struct Report {
    /// The smallest interesting text found.
    pub best: Measured,
    /// The input's size.
    pub original: Size,
    /// What was counted.
    pub counts: Counts,
    /// The same for each phase, in the order of their first runs.
    pub phases: Vec<Phase>,
    /// How it came to its result, from the first improvement to the last.
    pub improvements: Vec<Improvement>,
    /// Why the run ended.
    pub end: End,
    /// Whether the result was found interesting once more; `None` if there was no time to ask.
    pub confirmed: Option<bool>,
}

impl Reduction {
    /// A run with the default strategy, one worker and no limits, for a text in no known language.
    pub fn new(input: Text, oracle: Arc<dyn Oracle>) -> Self {
        Reduction {
            strategy: Strategy::Default(Effort::Usual),
            format: Format::Plain(&FORMATS[0]),
            bundle: None,
            keep: Keep::default(),
            lore: Lore::default(),
            input,
            oracle,
            workers: 1,
            seed: 0,
            max_tests: None,
            max_time: None,
            best_file: None,
            journal: None,
            reached: None,
            stop: Cancel::default(),
        }
    }

    /// Runs it; whatever happens is told to the observer.
    pub fn run(self, observer: &mut dyn FnMut(&Event)) -> Result<Report, Error> {
        let started = Instant::now();
        let Reduction { oracle, strategy, stop, .. } = self;
        let input = Arc::new(Measured::new(self.input));
        let reached =
            self.reached.map(Measured::new).filter(|reached| *reached < *input).map(Arc::new);
        observer(&Event::Started {
            size: input.size,
            workers: self.workers,
            strategy: strategy.to_string(),
        });

        let mut journal = self.journal;
        let past = journal.as_mut().map(Journal::take_past).unwrap_or_default();
        let mut cache = Cache::new(CACHE.max(4 * past.verdicts.len()));
        for (key, interesting) in past.verdicts {
            cache.put_past(key, interesting);
        }
        let pool = Pool::new(oracle.clone(), self.workers, input.clone());
        let wake = stop.on_cancel(pool.waker());
        let mut engine = Engine {
            pool,
            ahead: HashMap::new(),
            is_ahead_old: false,
            cache,
            unresolved_before: past.unresolved,
            best_key: input.key(),
            on_disk: reached.clone().unwrap_or_else(|| input.clone()),
            best: input.clone(),
            best_file: self.best_file,
            journal,
            observer,
            focus: None,
            lore: self.lore,
            keep: self.keep,
            format: self.format,
            phase: String::new(),
            phases: Vec::new(),
            improvements: Vec::new(),
            patience: None,
            in_vain: 0,
            questions: 0,
            is_patient: false,
            guarded: None,
            takes_broken: None,
            seed: self.seed,
            counts: Counts::default(),
            timed_out: 0,
            started,
            last_progress: started,
            max_tests: self.max_tests,
            deadline: self.max_time.map(|time| started + time),
            stop: stop.clone(),
            end: None,
        };
        reduce(&mut engine, &strategy, self.bundle.as_ref(), &*oracle, reached);

        let end = engine.end.take().unwrap_or(Ok(End::Complete))?;
        if let Some(best_file) = &engine.best_file {
            best_file.flush().map_err(Error::Write)?;
        }
        if end == End::Complete
            && let Some(journal) = engine.journal.take()
        {
            journal.remove().map_err(Error::Write)?;
        }
        let best = (*engine.best.clone().min(engine.on_disk.clone())).clone();
        let counts = engine.counts();
        let phases = std::mem::take(&mut engine.phases);
        let improvements = std::mem::take(&mut engine.improvements);
        drop(engine);
        drop(wake);
        let confirmed =
            if stop.is_cancelled() { None } else { still_interesting(&*oracle, &best.text, &stop) };
        let original = input.size;
        Ok(Report { best, original, counts, phases, improvements, end, confirmed })
    }
}

/// Whether a text that was interesting is so once more; `None` if there is no answer. It may have
/// been found with more patience than usual, so it gets it again.
pub fn still_interesting(oracle: &dyn Oracle, text: &Text, stop: &Cancel) -> Option<bool> {
    oracle.set_patient(true);
    let verdict = oracle.judge(0, &Candidate::whole(text), stop);
    oracle.set_patient(false);
    match verdict {
        Verdict::Interesting => Some(true),
        Verdict::Boring => Some(false),
        Verdict::Unresolved(_) => None,
    }
}

/// Runs a strategy on an input, or on each of several files.
fn run(engine: &mut Engine, strategy: &Strategy, bundle: Option<&Bundle>) {
    match bundle {
        None => strategy.run(engine),
        Some(bundle) => files::reduce(engine, strategy, bundle),
    }
}

/// Runs the strategy until nothing is left to try.
fn reduce(
    engine: &mut Engine,
    strategy: &Strategy,
    bundle: Option<&Bundle>,
    oracle: &dyn Oracle,
    mut reached: Option<Arc<Measured>>,
) {
    loop {
        engine.timed_out = 0;
        run(engine, strategy, bundle);
        // An earlier run may have come further, if its verdicts were not all written.
        if let Some(reached) = reached.take().filter(|reached| *reached < engine.best) {
            let key = reached.key();
            engine.set_best(reached, key);
            continue;
        }
        // Nothing is left but what ran out of time. All else is in the cache, so a round with
        // more patience tries just that.
        let timed_out = engine.timed_out;
        if engine.is_over() || timed_out == 0 || !oracle.set_patient(true) {
            break;
        }
        (engine.observer)(&Event::Patience { timed_out });
        engine.forget_ahead();
        engine.is_patient = true;
        let before = engine.best.clone();
        run(engine, strategy, bundle);
        if engine.is_over() || engine.best == before {
            break;
        }
    }
    oracle.set_patient(false);
}
