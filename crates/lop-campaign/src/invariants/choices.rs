//! Runs of the library over choices, which are bytes here.

use std::fs;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use lop::{BestFile, Bytes, Cancel, ChoiceReduction, End, Error, Journal, Place, Simplest, Text};

use super::inputs::KINDS;
use super::oracles::{Manner, PROPERTIES, Predicate, Witness};
use super::texts::LONGEST;
use crate::table::Trial;
use crate::watcher::Watcher;

/// Reduces random bytes as choices.
pub(super) fn run(random: &mut fastrand::Rng, directory: &Path) -> io::Result<Trial> {
    let manner = Manner::random(random);
    let property = &PROPERTIES[random.usize(..PROPERTIES.len())];
    let parts = random.usize(1..25);
    let mut text = KINDS[random.usize(..KINDS.len())].make(random, parts);
    text.extend(text.is_empty().then_some(b'x'));
    let predicate = property.make(random, &text);
    let text = Text::new(text);
    let name = format!("{}, {} bytes", property.name, text.len());
    let mut trial = Trial { row: format!("choices, {}", manner.name()), ..Trial::default() };
    let mut wrong = |what: String| trial.problems.push(format!("{name}: {what}"));

    let workers = random.usize(1..=8);
    let oracle = Witness::new(&predicate, manner, random.u64(..));
    let one = match watched(&text, &oracle, workers, directory, &mut wrong)? {
        Ok(simplest) => simplest,
        Err(Error::Broken(_)) if matches!(manner, Manner::Panics(_) | Manner::Loses(_)) => {
            trial.ending = "the oracle broke".into();
            return Ok(trial);
        }
        Err(error) => {
            wrong(error.to_string());
            return Ok(trial);
        }
    };
    if one.report.end != End::Complete {
        wrong("it did not come to its end".into());
    }
    if one.record.order(&Bytes::record(&text)).is_gt() {
        wrong("its choices aren't simpler".into());
    }
    if manner.is_deterministic() {
        let others = (workers + random.usize(..7)) % 8 + 1;
        let oracle = Witness::new(&predicate, manner, random.u64(..));
        let stop_at = random.u64(1..=one.report.counts.tests.max(1));
        let trials = [
            (
                format!("with {others} instead of {workers} workers"),
                reduction(&text, &oracle, others).run(),
            ),
            (
                format!("stopped at question {stop_at} and resumed"),
                resumed(&text, &predicate, manner, stop_at, others, directory)?,
            ),
            (
                "again, on the result".to_owned(),
                reduction(&one.report.best.text, &oracle, workers).run(),
            ),
        ];
        for (what, other) in trials {
            match other {
                Ok(other) if other.report.best.text != one.report.best.text => {
                    let (one, other) = (&one.report.best.text, &other.report.best.text);
                    let shown = [one, other].map(|text| String::from_utf8_lossy(text));
                    wrong(format!("{what}, it has another result: {shown:?}"));
                }
                Ok(_) => {}
                Err(error) => wrong(format!("{what}: {error}")),
            }
        }
    }
    trial.ending = format!("{:?}", one.report.end);
    Ok(trial)
}

fn reduction<'r>(text: &Text, oracle: &'r Witness, workers: usize) -> ChoiceReduction<'r> {
    let mut reduction = ChoiceReduction::new(Bytes::record(text), text.clone(), &Bytes, oracle);
    reduction.workers = workers;
    reduction.max_time = Some(LONGEST);
    reduction
}

/// Runs it while the file on disk is watched.
fn watched(
    text: &Text,
    oracle: &Witness,
    workers: usize,
    directory: &Path,
    wrong: &mut dyn FnMut(String),
) -> io::Result<Result<Simplest, Error>> {
    let path = directory.join("best");
    let best = BestFile::create(Place::File(path.clone(), None), text)
        .map_err(|error| io::Error::other(error.to_string()))?;
    let is_over = AtomicBool::new(false);
    let result = thread::scope(|scope| {
        let watching = scope.spawn(|| {
            Watcher::look(&path, &is_over, |content| {
                let is_good = *content == **text || oracle.vouches_for(content);
                (!is_good)
                    .then(|| format!("not interesting: {:?}", String::from_utf8_lossy(content)))
            })
        });
        let mut reduction = reduction(text, oracle, workers);
        reduction.best_case = Some(best);
        let result = panic::catch_unwind(AssertUnwindSafe(|| reduction.run()));
        is_over.store(true, Ordering::Relaxed);
        watching.join().expect("the watcher does not panic").into_iter().for_each(&mut *wrong);
        result.unwrap_or_else(|panic| panic::resume_unwind(panic))
    });
    if let Ok(simplest) = &result
        && fs::read(&path)? != **simplest.report.best.text
    {
        wrong("the file isn't the result".into());
    }
    Ok(result)
}

/// Runs it, stops it at a question, and resumes it.
fn resumed(
    text: &Text,
    predicate: &Predicate,
    manner: Manner,
    stop_at: u64,
    workers: usize,
    directory: &Path,
) -> io::Result<Result<Simplest, Error>> {
    let path = directory.join("journal");
    let _ = fs::remove_file(&path);
    let stop = Cancel::default();
    let oracle = Witness::new(predicate, manner, stop_at).stopping(stop_at, &stop);
    let mut first = reduction(text, &oracle, workers);
    first.journal = Some(Journal::create(&path, &())?);
    first.stop = stop;
    let first = match first.run() {
        Ok(simplest) if simplest.report.end == End::Complete => return Ok(Ok(simplest)),
        Ok(simplest) => simplest,
        Err(error) => return Ok(Err(error)),
    };
    let oracle = Witness::new(predicate, manner, stop_at + 1);
    let mut second = reduction(text, &oracle, workers % 8 + 1);
    second.journal = Some(Journal::resume(&path)?);
    second.reached = Some((first.record, first.report.best.text));
    Ok(second.run())
}
