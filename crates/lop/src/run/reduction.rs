//! A whole run: from an input and an oracle to the smallest input found.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::judge::{Bench, Cache, Panel, Scouting};
use crate::oracle::Oracle;
use crate::reduce::passes::Lore;
use crate::run::strategy::{Effort, Strategy};
use crate::search::Cancel;
use crate::search::pool::{Clock, Pool};
use crate::session::{
    BestFile, Borrowed, Control, Error, Event, Finished, Journal, Limits, NodeCounts, Observer,
    Pace, Report, Rounds, Session,
};
use crate::text::{Bundle, Candidate, Gauge, Keep, Measured, Member, Text};
use crate::tree::{Format, Tree};

use super::engine::{Engine, Running};
use super::files;
use super::layout::{self, Layout};
use super::packed::{self, Packed};
use super::scout::{Home, Scouts};
use super::subject::Subject;

/// How many verdicts are remembered: some tens of megabytes.
pub(super) const REMEMBERED: usize = 1 << 20;

/// From this number of workers on, a scout finds work for them: fewer have enough to do.
const MANY: usize = 8;

/// A run. The input must be interesting: see [`crate::preflight`].
#[non_exhaustive]
pub struct Reduction<'r> {
    /// The input.
    pub input: Text,
    /// Decides which candidates are interesting.
    pub oracle: &'r dyn Oracle,
    /// The format in which strategies that use trees parse the input.
    pub format: Format,
    /// The bundle that separates the files, if the input is several files in one text. Each file then has its own
    /// format.
    pub bundle: Option<Bundle>,
    /// The protected parts.
    pub keep: Keep,
    /// The knowledge of passes besides the input.
    pub lore: Lore,
    /// Whether every candidate must parse with no more errors than the input, whatever the strategy says. Formats
    /// without a grammar accept any text.
    pub valid: bool,
    /// The strategy.
    pub strategy: Strategy,
    /// The layout of the result.
    pub layout: Layout<'r>,
    /// How many candidates are judged at the same time.
    pub workers: usize,
    /// Runs in simulated time, by a clock that the oracle [advances](Clock::spend): it shows how long the run would
    /// take with this many workers, however many cores there are.
    pub clock: Option<Arc<Clock>>,
    /// The seed that breaks ties where an algorithm leaves a choice.
    pub seed: u64,
    /// The most tests that are run.
    pub max_tests: Option<u64>,
    /// The most time that the run may take.
    pub max_time: Option<Duration>,
    /// How many verdicts are remembered.
    pub remembered: usize,
    /// Where the best is kept.
    pub best_file: Option<BestFile>,
    /// Where verdicts are written, and those of an earlier run.
    pub journal: Option<Journal>,
    /// The best of an earlier run, known to be interesting.
    pub reached: Option<Text>,
    /// Ends the run when it is cancelled.
    pub stop: Cancel,
    /// Pauses the run, skips phases, and shows what workers are doing.
    pub control: Control,
    /// Receives the events of the run.
    pub observer: Option<Box<dyn Observer + 'r>>,
}

impl<'r> Reduction<'r> {
    /// A run with the default strategy, one worker and no limits, for a text in no known language.
    pub fn new(input: impl Into<Text>, oracle: &'r dyn Oracle) -> Self {
        Reduction {
            input: input.into(),
            oracle,
            strategy: Strategy::Default(Effort::Usual),
            format: Format::default(),
            bundle: None,
            keep: Keep::default(),
            lore: Lore::default(),
            valid: false,
            layout: Layout::default(),
            workers: 1,
            clock: None,
            seed: 0,
            max_tests: None,
            max_time: None,
            remembered: REMEMBERED,
            best_file: None,
            journal: None,
            reached: None,
            stop: Cancel::default(),
            control: Control::default(),
            observer: None,
        }
    }

    /// Sends the events of the run to an observer.
    pub fn observed_by(self, observer: &'r mut dyn Observer) -> Self {
        Reduction { observer: Some(Box::new(Borrowed(observer))), ..self }
    }

    /// Runs it.
    pub fn run(self) -> Result<Report, Error> {
        let Reduction { oracle, strategy, bundle, stop, .. } = self;
        let limits = Limits { tests: self.max_tests, time: self.max_time };
        let mut session = Session::new(limits, stop.clone())
            .observed_by(self.observer)
            .controlled_by(self.control)
            .kept_in(self.journal, self.best_file.into_iter().collect());
        let what = (&self.format, bundle.as_ref());
        let packed = Packed::of(&self.input, what, oracle, &self.keep, &stop);
        let unpaired = files::unpaired(&strategy, bundle.as_ref(), &self.input);
        for text in packed::obstacles(&self.input, what).into_iter().chain(unpaired) {
            session.tell(&Event::Note { text });
        }
        let unpack = |text: Text| match &packed {
            Some(packed) => packed.unpack(text),
            None => text,
        };
        let unpacked = unpack(self.input);
        let gauge = gauge(&unpacked, &self.format, bundle.as_ref());
        let input = Arc::new(Measured::by(&gauge, unpacked));
        let reached = self.reached.map(|reached| Arc::new(input.nearly(unpack(reached))));
        let reached = reached.filter(|reached| *reached < input);
        if let Some(packed) = &packed {
            session.tell(&Event::Note { text: packed.to_string() });
        }
        session.start(&input, None, self.workers, &strategy.to_string());
        session.expect(strategy.steps());
        let bench = Bench::new(oracle, &input, session.executed(), session.stop().clone());
        let past = session.take_past_verdicts();
        let cache = Cache::new(self.remembered, past);
        let subject = Subject::new(self.format.clone(), self.keep.clone(), self.lore, self.valid);
        let run = |engine: &mut Engine<'_, '_>| match &bundle {
            None => strategy.run(engine),
            Some(bundle) => files::reduce(engine, &strategy, bundle, &input.text),
        };
        let scouts =
            (self.workers >= MANY).then(|| Scouts::new(Scouting::new(self.clock.is_some())));
        let (mut session, best) = std::thread::scope(|scope| {
            let pool = match self.clock {
                None => Pool::start(scope, self.workers, &bench),
                Some(clock) => Pool::simulate(scope, self.workers, &bench, clock),
            };
            let _wake = stop.on_cancel(pool.waker());
            let mut panel = Panel::new(&bench, pool, cache, input.clone());
            let _home = scouts.as_ref().map(|scouts| {
                panel.set_scouting(scouts.scouting.clone());
                scope.spawn(|| scouts.run(self.seed, &run));
                Home(scouts.scouting.clone())
            });
            let engine = Engine::new(session, subject, Box::new(panel), reached, self.seed);
            let engine = engine.scouted_by(scouts.clone());
            let mut running = Running { engine, run: &run };
            running.run_to_the_end();
            running.engine.finish()
        });
        let mut best = Arc::unwrap_or_clone(best);
        if let Some(text) = packed.as_ref().and_then(|it| it.pack(&best.text, oracle, &stop)) {
            session.keep(&[&text]);
            best = best.nearly(text);
        }
        let mut confirmed = None;
        if !session.has_failed() {
            // Users who stop a run also look at its result, but don't want to wait for it.
            let is_stopped = stop.is_cancelled();
            let own = Cancel::default();
            let soon = own.until(is_stopped.then(|| Instant::now() + PATIENCE));
            let stop = if is_stopped { soon.token() } else { &stop };
            let result = layout::Result {
                text: &best.text,
                original: &input.text,
                format: &self.format,
                bundle: bundle.as_ref(),
                keep: &self.keep,
            };
            let is_interesting = |text: &Text| still_interesting(oracle, text, stop) == Some(true);
            match result.laid_out(self.layout, is_interesting) {
                Some(text) => {
                    session.keep(&[&text]);
                    best = best.nearly(text);
                    confirmed = Some(true);
                }
                None if is_stopped || stop.is_cancelled() => {}
                None => confirmed = still_interesting(oracle, &best.text, stop),
            }
        }
        // Workers may have found something after the last answer that the search waited for.
        session.tell_findings(oracle);
        let Finished { end, skipped, counts, phases, improvements, times } = session.finish()?;
        let original = packed.map_or(input.size, |it| input.nearly(it.original()).size);
        let nodes = nodes(&input.text, &self.format).zip(nodes(&best.text, &self.format));
        let nodes = nodes.map(|(before, after)| NodeCounts { before, after });
        let choices = None;
        let pace = Pace::new(original.tokens, &improvements);
        Ok(Report {
            best,
            original,
            nodes,
            choices,
            counts,
            phases,
            improvements,
            times,
            pace,
            skipped,
            end,
            confirmed,
        })
    }
}

/// The time for laying out the result of a stopped run.
const PATIENCE: Duration = Duration::from_secs(1);
/// The longest text whose nodes are counted: parsing a longer one takes more time than the number is worth.
const LONGEST_COUNTED: usize = 1 << 24;

/// The number of nodes of a text.
fn nodes(text: &Text, format: &Format) -> Option<usize> {
    (text.len() <= LONGEST_COUNTED).then(|| Tree::parse(text, format).abstract_size())
}

/// The gauge of an input.
fn gauge(input: &Text, format: &Format, bundle: Option<&Bundle>) -> Gauge {
    let Some(bundle) = bundle else { return Gauge::of(input, format) };
    let gauge = |member: Member| {
        let content = Text::new(input[member.content].to_vec());
        let format = Format::guess(&member.path, &content);
        (member.path, Gauge::of(&content, &format))
    };
    Gauge::of_several(bundle, bundle.members(input).into_iter().map(gauge).collect())
}

/// Whether a text that was interesting is interesting again; `None` if there is no answer. It may have been found with
/// a longer limit than usual, so that is allowed again.
pub fn still_interesting(oracle: &dyn Oracle, text: &Text, stop: &Cancel) -> Option<bool> {
    oracle.set_longer_limit(true);
    // An oracle that panics gives no answer, and does not invalidate the result.
    let judge = AssertUnwindSafe(|| oracle.judge(0, &Candidate::whole(text), stop));
    let verdict = panic::catch_unwind(judge);
    oracle.set_longer_limit(false);
    verdict.ok()?.certain()
}
