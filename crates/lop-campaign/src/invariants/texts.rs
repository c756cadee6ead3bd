//! Runs of the library over texts and over several files in one text.

use std::fs;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use lop::algorithms::ALGORITHMS;
use lop::passes::PASSES;
use lop::reducers::REDUCERS;
use lop::strategy::default_for;
use lop::tree::{Format, Tree};
use lop::units::UNITS;
use lop::{
    BestFile, Bundle, Cancel, End, Error, Event, InputFile, Journal, Layout, Place, Reduction,
    Report, Size, Strategy, Text, Turn,
};

use super::inputs::KINDS;
use super::oracles::{Manner, PROPERTIES, Predicate, Witness};
use crate::table::Trial;
use crate::watcher::Watcher;

/// No run takes longer, on a busy machine either.
pub(super) const LONGEST: Duration = Duration::from_secs(120);

/// What is reduced, by which strategy, for which property.
struct Problem {
    text: Text,
    format: Format,
    bundle: Option<Bundle>,
    strategy: Strategy,
    seed: u64,
    layout: bool,
    predicate: Predicate,
}

/// Runs random strategies on a random input.
pub(super) fn run(random: &mut fastrand::Rng, directory: &Path) -> io::Result<Trial> {
    let manner = Manner::random(random);
    let property = &PROPERTIES[random.usize(..PROPERTIES.len())];
    let (of, text, format, bundle) = input(random);
    let problem = Problem {
        predicate: property.make(random, &text),
        text,
        format,
        bundle,
        strategy: strategy(random),
        seed: if random.bool() { 0 } else { random.u64(..) },
        layout: random.bool(),
    };
    let mut trial = Trial { row: format!("{of}, {}", manner.name()), ..Trial::default() };
    let mut wrong = |problem: String| trial.problems.push(problem);
    let name = format!("{}, {}, {} bytes", problem.strategy, property.name, problem.text.len());

    let workers = random.usize(1..=8);
    let oracle = Witness::new(&problem.predicate, manner, random.u64(..));
    let one = problem
        .watched(&oracle, workers, directory, &mut |what| wrong(format!("{name}: {what}")))?;
    let one = match one {
        Ok(report) => report,
        Err(Error::Broken(why))
            if matches!(manner, Manner::Panics(_)) && why.contains("panicked") =>
        {
            trial.ending = "the oracle panicked".into();
            return Ok(trial);
        }
        Err(Error::Broken(_)) if matches!(manner, Manner::Loses(_)) => {
            trial.ending = "the executor is broken".into();
            return Ok(trial);
        }
        Err(error) => {
            wrong(format!("{name}: {error}"));
            return Ok(trial);
        }
    };
    trial.ending = format!("{:?}", one.end);
    let mut wrong = |what: &str| trial.problems.push(format!("{name}: {what}"));
    if one.end != End::Complete {
        wrong("it did not come to its end");
    }
    if !manner.is_deterministic() {
        return Ok(trial);
    }
    let others = (workers + random.usize(..7)) % 8 + 1;
    let oracle = Witness::new(&problem.predicate, manner, random.u64(..));
    match problem.reduction(&oracle, others).run() {
        Ok(other) if other.best.text != one.best.text => {
            wrong(&format!("{workers} and {others} workers have different results"));
        }
        Ok(other) if other.counts.tests != one.counts.tests => {
            wrong(&format!("{workers} and {others} workers ran different numbers of tests"));
        }
        Ok(_) => {}
        Err(error) => wrong(&format!("with {others} workers: {error}")),
    }
    let stop_at = random.u64(1..=oracle.asked().max(1));
    match problem.resumed(manner, stop_at, others, directory)? {
        Ok(other) if other.best.text != one.best.text => {
            wrong(&format!("stopped at question {stop_at} and resumed, it has another result"));
        }
        Ok(_) => {}
        Err(error) => wrong(&format!("resumed: {error}")),
    }
    if manner != Manner::TimesOut && is_fixed_point(&problem, &one.best.text) && !problem.layout {
        let again = Problem { text: one.best.text.clone(), ..problem };
        let oracle = Witness::new(&again.predicate, manner, 0);
        match again.reduction(&oracle, workers).run() {
            // What is a token follows from the original; of a result with mistakes, something else may.
            Ok(other) if one.best.nearly(other.best.text.clone()) < one.best => {
                let shown =
                    [&one, &other].map(|it| String::from_utf8_lossy(&it.best.text).into_owned());
                wrong(&format!("a second run makes progress: {shown:?}"));
            }
            Ok(_) => {}
            Err(error) => wrong(&format!("again: {error}")),
        }
    }
    Ok(trial)
}

/// An input with its kind, its format, and how it is separated into files.
fn input(random: &mut fastrand::Rng) -> (&'static str, Text, Format, Option<Bundle>) {
    let most = if random.u8(..8) == 0 { 80 } else { 25 };
    let parts = random.usize(1..most);
    let kind = &KINDS[random.usize(..KINDS.len())];
    if random.u8(..6) > 0 {
        let mut text = kind.make(random, parts);
        text.extend(text.is_empty().then_some(b'x'));
        return (kind.name, Arc::new(text), kind.format(), None);
    }
    let file = |random: &mut fastrand::Rng, number: usize| {
        let kind = &KINDS[random.usize(..KINDS.len())];
        let name = format!("{number}.{}", kind.language.unwrap_or("txt"));
        InputFile::new(name, kind.make(random, parts))
    };
    let number = random.usize(2..5);
    let files: Vec<InputFile> = (0..number).map(|number| file(random, number)).collect();
    let (bundle, text) = Bundle::pack(None, &files);
    ("several files", text, Format::default(), Some(bundle))
}

/// Any strategy.
pub(super) fn strategy(random: &mut fastrand::Rng) -> Strategy {
    fn phase(random: &mut fastrand::Rng) -> String {
        match random.u8(..10) {
            0..=3 => {
                let algorithm = ALGORITHMS[random.usize(..ALGORITHMS.len())].name;
                format!("{algorithm}:{}", UNITS[random.usize(..UNITS.len())].name)
            }
            4..=6 => REDUCERS[random.usize(..REDUCERS.len())].name.to_owned(),
            _ => PASSES[random.usize(..PASSES.len())].name.to_owned(),
        }
    }
    let text = match random.u8(..10) {
        0..=2 => phase(random),
        3..=4 => format!("{}*", phase(random)),
        5 => format!("({}+{})*", phase(random), phase(random)),
        6 => format!("[{}|{}|{}]", phase(random), phase(random), phase(random)),
        7 => format!("{{{}}}", phase(random)),
        8 => ["default", "fast", "thorough"][random.usize(..3)].to_owned(),
        _ => "default".to_owned(),
    };
    text.parse().unwrap_or_else(|error| panic!("`{text}` isn't a strategy: {error}"))
}

/// Whether a strategy ends only when all of it has found nothing in its result. What the default is depends on what a text looks
/// like, so it may be another one for the result.
fn is_fixed_point(problem: &Problem, result: &[u8]) -> bool {
    let of_files = |bundle| Format::of_files(bundle, &problem.text, Turn::Later);
    let format = problem.bundle.as_ref().map_or(problem.format.clone(), of_files);
    let default = |text: &[u8], effort| default_for(text, &format, effort).to_string();
    match &problem.strategy {
        Strategy::Star(_) => true,
        Strategy::Default(effort) => default(&problem.text, *effort) == default(result, *effort),
        _ => false,
    }
}

impl Problem {
    fn reduction<'r>(&self, oracle: &'r Witness, workers: usize) -> Reduction<'r> {
        let mut reduction = Reduction::new(self.text.clone(), oracle);
        reduction.format = self.format.clone();
        reduction.bundle = self.bundle.clone();
        reduction.strategy = self.strategy.clone();
        reduction.seed = self.seed;
        reduction.layout = if self.layout { Layout::AsOriginal } else { Layout::AsFound };
        reduction.workers = workers;
        reduction.max_time = Some(LONGEST);
        reduction
    }

    /// Runs it while the file on disk is watched, and checks every step.
    fn watched(
        &self,
        oracle: &Witness,
        workers: usize,
        directory: &Path,
        wrong: &mut dyn FnMut(String),
    ) -> io::Result<Result<Report, Error>> {
        let path = directory.join("best");
        let place = Place::File(path.clone(), None);
        let best = BestFile::create(place, &self.text)
            .map_err(|error| io::Error::other(error.to_string()))?;
        let mut steps = Vec::new();
        let mut observer = |event: &Event| {
            if let Event::Improved { size, text, .. } = event {
                steps.push((*size, text.clone()));
            }
        };
        let is_over = AtomicBool::new(false);
        let result = thread::scope(|scope| {
            let watching = scope.spawn(|| {
                Watcher::look(&path, &is_over, |content| {
                    let is_good = *content == **self.text || oracle.vouches_for(content);
                    (!is_good)
                        .then(|| format!("not interesting: {:?}", String::from_utf8_lossy(content)))
                })
            });
            let mut reduction = self.reduction(oracle, workers);
            reduction.best_file = Some(best);
            let result = panic::catch_unwind(AssertUnwindSafe(|| {
                reduction.observed_by(&mut observer).run()
            }));
            is_over.store(true, Ordering::Relaxed);
            watching.join().expect("the watcher does not panic").into_iter().for_each(&mut *wrong);
            result.unwrap_or_else(|panic| panic::resume_unwind(panic))
        });
        for (before, after) in steps.iter().zip(steps.iter().skip(1)) {
            if after.0 > before.0 && !self.is_mended(before, after) {
                wrong(format!("a step grows from {:?} to {:?}", before.0, after.0));
            }
        }
        if let Some((_, text)) = steps.iter().find(|(_, text)| !oracle.vouches_for(text)) {
            wrong(format!("a step isn't interesting: {:?}", String::from_utf8_lossy(text)));
        }
        if let Ok(report) = &result {
            if report.best.size > report.original {
                wrong(format!("it grew from {:?} to {:?}", report.original, report.best.size));
            }
            if fs::read(&path)? != **report.best.text {
                wrong("the file isn't the result".into());
            }
        }
        Ok(result)
    }

    /// Whether a text of as many tokens parses as the original does, and the one before does not: it may have more characters.
    fn is_mended(&self, before: &(Size, Text), after: &(Size, Text)) -> bool {
        let parses = |text: &Text| !Tree::parse(text, &self.format).has_errors();
        let are_files = self.bundle.is_some();
        before.0.tokens == after.0.tokens
            && (are_files || parses(&self.text) && !parses(&before.1) && parses(&after.1))
    }

    /// Runs it, stops it at a question, and resumes it.
    fn resumed(
        &self,
        manner: Manner,
        stop_at: u64,
        workers: usize,
        directory: &Path,
    ) -> io::Result<Result<Report, Error>> {
        let path = directory.join("journal");
        let _ = fs::remove_file(&path);
        let stop = Cancel::default();
        let oracle = Witness::new(&self.predicate, manner, stop_at).stopping(stop_at, &stop);
        let mut first = self.reduction(&oracle, workers);
        first.journal = Some(Journal::create(&path, &())?);
        first.stop = stop;
        let first = match first.run() {
            Ok(report) if report.end == End::Complete => return Ok(Ok(report)),
            Ok(report) => report,
            Err(error) => return Ok(Err(error)),
        };
        let oracle = Witness::new(&self.predicate, manner, stop_at + 1);
        let mut second = self.reduction(&oracle, workers % 8 + 1);
        second.journal = Some(Journal::resume(&path)?);
        second.reached = Some(first.best.text);
        Ok(second.run())
    }
}
