//! `lop gen --find`: cases from fresh choices, until one is interesting.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use lop::generator::{Generator, Unmade};
use lop::search::pool::{Ended, Finished, Pool, Work};
use lop::{Cancel, Event, Observer};
use lop_choice::engine::{Choices, Record};

use super::faults::{draws_nothing, out_of_time};
use super::question;
use crate::args::GenArgs;
use crate::exit::{Code, Failure};
use crate::oracle::Finder;
use crate::plan;
use crate::reading::read_text;
use crate::signals::interrupted;
use crate::view::View;

/// How many cases are made to see whether the generator makes any.
const SAMPLES: u64 = 20;
/// After this many cases they have the full size.
const GROWING: f64 = 128.0;
/// How often progress is shown.
const PROGRESS: Duration = Duration::from_millis(50);

/// Makes cases until one is interesting, writes its choices, and returns it.
pub(super) fn find(
    args: &GenArgs,
    path: &Path,
    generator: &Generator,
    stop: &Cancel,
    view: &mut View,
) -> Result<Vec<u8>, Failure> {
    let words = args.generator.as_deref().unwrap_or_default();
    let seed = args.seed.unwrap_or_else(random_seed);
    // If cases were numbered from the seeds themselves, neighbouring seeds would have the same cases.
    let first = fastrand::Rng::with_seed(seed).u64(..);
    let fresh = |case: u64| {
        // Small cases come first, since users prefer them.
        let size = (case as f64 / GROWING).min(1.0);
        Choices {
            fresh: Some((first.wrapping_add(case), size)),
            most: Some(args.max_choices),
            ..Choices::default()
        }
    };
    if let Ok(text) = read_text(path)
        && text.parse::<Choices>().is_err()
    {
        let message = format!("`{}` is there already and holds no choices", path.display());
        return Err(Failure::new(Code::Output, message).help("name another file for what is found"));
    }
    view.status("making a first case");
    let deadline = args.asked.limits.deadline();
    let until = stop.until(deadline);
    let sample = sample(args, generator, &fresh, until.token(), stop)?;
    generator.adapt(0);
    let question = question(&args.asked, &args.name, &sample, &[])?;
    let finder = Finder::new(&question, stop)?;

    let look = Look { generator, finder: &finder, fresh: &fresh, stop };
    let Looked { cases, found } =
        look.through(args.asked.search().workers(), args.asked.limits.max_tests, deadline, view)?;
    interrupted(stop)?;
    let Some(Found { case, record, text }) = found else {
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
    Ok(text)
}

/// Makes a case of fresh choices and checks whether it is interesting.
struct Look<'l> {
    generator: &'l Generator,
    finder: &'l Finder,
    fresh: &'l (dyn Fn(u64) -> Choices + Sync),
    stop: &'l Cancel,
}

/// The number of cases made, and the first interesting one.
struct Looked {
    cases: u64,
    found: Option<Found>,
}

/// An interesting case: its number, its choices, and its content.
struct Found {
    case: u64,
    record: Record,
    text: Vec<u8>,
}

/// The outcome of a case.
enum Case {
    Interesting(Record, Vec<u8>),
    Boring,
    Rejected,
    Failed(io::Error),
}

impl Work<u64, Case> for Look<'_> {
    fn run(&self, slot: usize, case: &u64, cancel: &Cancel) -> Option<Case> {
        let token = cancel.clone();
        let _at_stop = self.stop.on_cancel(move || token.cancel());
        let judge = || -> io::Result<Case> {
            let made = self.generator.make(slot, &(self.fresh)(*case), cancel)?;
            let Ok(text) = made.result else { return Ok(Case::Rejected) };
            self.generator.stretch(slot);
            let is_interesting = self.finder.is_interesting(slot, &text, cancel)?;
            Ok(match is_interesting {
                true => Case::Interesting(made.record, text),
                false => Case::Boring,
            })
        };
        let judged = judge().unwrap_or_else(Case::Failed);
        (!cancel.is_cancelled()).then_some(judged)
    }

    fn settles(&self, case: &Case) -> bool {
        matches!(case, Case::Interesting(..) | Case::Failed(_))
    }
}

impl Look<'_> {
    /// Tries cases until one is interesting. The result is the first interesting one, since all cases before it are
    /// also tried, however fast the workers are.
    fn through(
        &self,
        workers: usize,
        most: Option<u64>,
        deadline: Option<Instant>,
        view: &mut View,
    ) -> Result<Looked, Failure> {
        let most = most.unwrap_or(u64::MAX);
        let (mut cases, mut rejected) = (0, 0);
        let mut open = BTreeSet::new();
        let mut found = None;
        thread::scope(|scope| {
            let mut pool = Pool::start(scope, workers, self);
            let _at_stop = self.stop.on_cancel(pool.waker());
            while !self.stop.is_cancelled() && deadline.is_none_or(|it| Instant::now() < it) {
                while found.is_none() && cases < most && pool.has_room() {
                    pool.submit(cases);
                    open.insert(cases);
                    cases += 1;
                }
                if open.is_empty() {
                    break;
                }
                for Finished { job: case, ended, .. } in
                    pool.wait(Some(Instant::now() + PROGRESS), self.stop)
                {
                    if !open.remove(&case) {
                        continue;
                    }
                    match ended {
                        Ended::Done(Case::Interesting(record, text)) => {
                            // Only the cases before it matter now.
                            open.split_off(&case);
                            found = Some(Found { case, record, text });
                        }
                        Ended::Done(Case::Failed(why)) => return Err(could_not_go_on(&why)),
                        Ended::Panicked(why) => return Err(could_not_go_on(&why)),
                        Ended::Done(Case::Rejected) => rejected += 1,
                        Ended::Done(Case::Boring) | Ended::Cancelled => {}
                    }
                }
                view.event(&Event::Looking { cases, rejected });
            }
            Ok(Looked { cases, found })
        })
    }
}

fn could_not_go_on(why: &dyn std::fmt::Display) -> Failure {
    Failure::new(Code::Test, format!("the search could not go on: {why}"))
        .help("run the test by hand on a case that the generator makes")
}

/// Any case, which shows that the generator makes some.
fn sample(
    args: &GenArgs,
    generator: &Generator,
    fresh: &dyn Fn(u64) -> Choices,
    until: &Cancel,
    stop: &Cancel,
) -> Result<Vec<u8>, Failure> {
    let words = args.generator.as_deref().unwrap_or_default();
    let mut why = String::new();
    for case in 0..SAMPLES {
        let made = generator.make(0, &fresh(case), until)?;
        interrupted(stop)?;
        match made.result {
            Ok(_) if made.record.choices.is_empty() => return Err(draws_nothing(words, generator)),
            Ok(text) if !text.is_empty() => return Ok(text),
            Ok(_) => why = "it printed nothing".into(),
            Err(Unmade::Rejected(reason)) => why = reason,
            Err(Unmade::Cancelled) => return Err(out_of_time(words, &args.asked.limits)),
            Err(Unmade::TimedOut(reason)) => return Err(hangs(words, &reason)),
            Err(_) => why = "it drew more choices than --max-choices allows".into(),
        }
    }
    Err(Failure::new(
        Code::Input,
        format!("the generator `{words}` made none of {SAMPLES} cases: {why}"),
    )
    .help("run it by hand; allow it more choices with --max-choices"))
}

fn hangs(words: &str, why: &str) -> Failure {
    Failure::new(Code::Input, format!("the generator `{words}` made no case: {why}"))
        .help("allow it more time with --timeout")
}

fn random_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    // The standard library's own source of randomness; the seed is printed, and fewer digits are easier to type.
    std::collections::hash_map::RandomState::new().build_hasher().finish() % 1_000_000_000
}
