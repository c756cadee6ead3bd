//! `lop gen --find`: cases from fresh choices, until one is interesting.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Instant;
use std::{fs, io};

use lop::Cancel;
use lop_choice::choices::Choices;
use lop_choice::record::Record;

use super::generator::{Generator, Unmade};
use super::{GenArgs, cannot_run, draws_nothing, question};
use crate::exit::{Code, Failure};
use crate::oracle::{self, Finder};
use crate::plan;
use crate::view::View;

/// How many cases are made to see whether there are any.
const SAMPLES: u64 = 20;
/// After so many cases they are as large as the generator likes.
const GROWING: f64 = 128.0;

/// Makes cases until one is interesting, and writes its choices. Of several, the first one is taken, whoever is faster.
pub(super) fn find(
    args: &GenArgs,
    path: &Path,
    generator: &Generator,
    stop: &Cancel,
    view: &mut View,
) -> Result<(), Failure> {
    let words = args.generator.as_deref().unwrap_or_default();
    let seed = args.seed.unwrap_or_else(random_seed);
    let fresh = |case: u64| {
        // Small cases first: they are what everybody wants to see.
        let size = (case as f64 / GROWING).min(1.0);
        Choices {
            fresh: Some((seed.wrapping_add(case), size)),
            most: Some(args.max_choices),
            ..Choices::default()
        }
    };
    if let Ok(text) = fs::read_to_string(path)
        && text.parse::<Choices>().is_err()
    {
        let message = format!("`{}` is there already and holds no choices", path.display());
        return Err(Failure::new(Code::Output, message).help("name another file for what is found"));
    }
    view.status("making a first case");
    let sample = sample(words, generator, &fresh, stop)?;
    let question = question(&args.asked, &args.name, &sample)?;
    let finder = Finder::new(&question)?;

    let limits = &args.asked.limits;
    let (next, rejected) = (AtomicU64::new(0), AtomicU64::new(0));
    let best: Mutex<Option<(u64, Record)>> = Mutex::default();
    let error: Mutex<Option<io::Error>> = Mutex::default();
    let enough = AtomicBool::new(false);
    let first = |case: u64| {
        best.lock()
            .expect("nothing panics with this lock")
            .as_ref()
            .is_none_or(|(other, _)| case < *other)
    };
    let work = |slot: usize| {
        while !stop.is_cancelled() && !enough.load(Ordering::SeqCst) {
            let case = next.fetch_add(1, Ordering::SeqCst);
            if !first(case) || limits.max_tests.is_some_and(|most| case >= most) {
                return;
            }
            let judged =
                generator.make(slot, &fresh(case), stop).and_then(|made| match made.result {
                    Ok(text) => {
                        Ok(finder.is_interesting(slot, &text, stop)?.then_some(made.record))
                    }
                    Err(_) => {
                        rejected.fetch_add(1, Ordering::SeqCst);
                        Ok(None)
                    }
                });
            match judged {
                Ok(Some(record)) if first(case) => {
                    *best.lock().expect("nothing panics with this lock") = Some((case, record));
                }
                Ok(_) => {}
                Err(why) => {
                    error.lock().expect("nothing panics with this lock").get_or_insert(why);
                    enough.store(true, Ordering::SeqCst);
                }
            }
        }
    };
    let start = Instant::now();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..args.asked.search().workers())
            .map(|slot| scope.spawn(move || work(slot)))
            .collect();
        while threads.iter().any(|thread| !thread.is_finished()) {
            thread::sleep(std::time::Duration::from_millis(50));
            let cases = next.load(Ordering::SeqCst);
            view.progress(&format!(
                "{cases} cases made, {} rejected, none interesting yet",
                rejected.load(Ordering::SeqCst)
            ));
            if limits.max_time.is_some_and(|time| start.elapsed() > time) {
                enough.store(true, Ordering::SeqCst);
            }
        }
    });
    oracle::interrupted(stop)?;
    if let Some(why) = error.into_inner().expect("nothing panics with this lock") {
        return Err(Failure::new(Code::Test, format!("the search could not go on: {why}")));
    }
    let cases = next.load(Ordering::SeqCst);
    let Some((case, record)) = best.into_inner().expect("nothing panics with this lock") else {
        return Err(Failure::new(
            Code::NotInteresting,
            format!("none of {cases} cases is interesting"),
        )
        .help("allow more with --max-tests and --max-time"));
    };
    let comment = format!("made by `{words}`, case {case} of seed {seed}");
    let choices =
        Choices { comments: vec![comment], values: record.values(), ..Choices::default() };
    lop::replace(path, choices.to_string().as_bytes(), None)
        .map_err(|error| plan::cannot_write(path, &error))?;
    view.note(&format!(
        "case {case} of seed {seed} is interesting; its {} choices are in {}",
        record.choices.len(),
        path.display()
    ));
    Ok(())
}

/// Any case, so that it is known whether the generator makes some.
fn sample(
    words: &str,
    generator: &Generator,
    fresh: &dyn Fn(u64) -> Choices,
    stop: &Cancel,
) -> Result<Vec<u8>, Failure> {
    let mut why = String::new();
    for case in 0..SAMPLES {
        let made =
            generator.make(0, &fresh(case), stop).map_err(|error| cannot_run(words, &error))?;
        oracle::interrupted(stop)?;
        match made.result {
            Ok(_) if made.record.choices.is_empty() => return Err(draws_nothing(words)),
            Ok(text) if !text.is_empty() => return Ok(text),
            Ok(_) => why = "it printed nothing".into(),
            Err(Unmade::Rejected(reason)) => why = reason,
            Err(_) => why = "it drew more choices than --max-choices allows".into(),
        }
    }
    Err(Failure::new(
        Code::Input,
        format!("the generator `{words}` made none of {SAMPLES} cases: {why}"),
    ))
}

fn random_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    // The standard library's own source of chance; what is made of it is written down. Fewer digits are easier to type.
    std::collections::hash_map::RandomState::new().build_hasher().finish() % 1_000_000_000
}
