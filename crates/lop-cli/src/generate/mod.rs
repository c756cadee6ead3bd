//! `lop gen` and `lop tmin`: the choices of a generator are reduced instead of what it makes.
//!
//! ```text
//! choices ──generator──▶ test case ──▶ oracle
//!    ▲         └──▶ events: what was drawn, and what belongs together
//!    └── passes of lop-choice
//! ```

mod args;
mod find;
mod program;
mod search;
mod tmin;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use lop::generator::{self, Generator, Made, Unmade};
use lop::oracle::{Oracle, Reason, Verdict};
use lop::{Cancel, Candidate};
use lop_choice::choices::Choices;
use lop_choice::record::{Record, Values};
use lop_choice::trials::{Ending, Run};
use xxhash_rust::xxh3::xxh3_128;

use crate::args::ShowArgs;
use crate::exit::{Code, Failure};
use crate::oracle::oracle;
use crate::plan;
use crate::question::Question;
use crate::signals;
use crate::view::{View, clock, number, print, say};

pub(crate) use args::{AskedArgs, GenArgs, TminArgs};
use search::{Reduced, Search};
pub(crate) use tmin::tmin;

/// Reduces choices, or looks for some first.
pub(crate) fn generate(args: &GenArgs) -> Result<Code, Failure> {
    if let Some(directory) = &args.clients {
        let written = generator::write_clients(directory).map_err(|error| {
            Failure::new(
                Code::Output,
                format!("cannot write to `{}`: {error}", directory.display()),
            )
        })?;
        written.iter().for_each(|path| print(&path.display().to_string()));
        return Ok(Code::Done);
    }
    let usage = "usage: lop gen --generator COMMAND TEST CHOICES\n       lop gen --generator COMMAND CHOICES -- COMMAND {}";
    let Some(path) = args.asked.file() else {
        return Err(
            Failure::new(Code::Usage, "a test and a file with choices are needed").help(usage)
        );
    };
    let start = std::time::Instant::now();
    let stop = signals::stop()?;
    let words = args.generator.as_deref().unwrap_or_default();
    let generator = Generator::new(&generator::Setup {
        name: words.into(),
        drive: args.drive.map(Into::into),
        serves: args.server,
        workers: args.asked.search().workers(),
        time: args.asked.limits.timeout,
        ..generator::Setup::new(program::program(words)?)
    })?;
    let mut view = View::new(path.display().to_string(), &args.show);
    if args.find {
        find::find(args, path, &generator, &stop, &mut view)?;
    }
    let (record, case) = first_case(&generator, words, &read(path)?, path, &stop)?;
    let question = question(&args.asked, &args.name, &case)?;
    let judge = oracle(&question, &stop, &mut view)?;

    let output = plan::output_of(args.asked.output.as_deref(), path)?;
    let case_output = case_output(args, &output);
    let verdicts = Verdicts::new(&*judge);
    let made: Mutex<HashMap<Values, Vec<u8>>> = Mutex::default();
    let run = |slot: usize, values: &Values, cancel: &Cancel| {
        let choices = Choices { values: values.clone(), ..Choices::default() };
        let Made { record, result } = generator.make(slot, &choices, cancel)?;
        let ending = match result {
            Err(Unmade::Cancelled) => return Ok(None),
            Err(Unmade::TooFew(kind)) => Ending::TooFew(kind),
            Err(Unmade::Rejected(_)) => Ending::Rejected,
            Ok(case) => match verdicts.of(slot, &case, cancel)? {
                None => return Ok(None),
                Some(false) => Ending::Boring,
                Some(true) => {
                    made.lock()
                        .expect("nothing panics with this lock")
                        .insert(record.values(), case);
                    Ending::Interesting
                }
            },
        };
        Ok(Some(Run { record, ending }))
    };
    let mut smallest = case.clone();
    let keep = |best: &Record, case: &[u8]| {
        let choices = Choices { values: best.values(), ..Choices::default() };
        lop::replace(&output, choices.to_string().as_bytes(), None)?;
        lop::replace(&case_output, case, None)
    };
    let cannot_write = |error: io::Error| plan::cannot_write(&output, &error);
    keep(&record, &case).map_err(cannot_write)?;
    let search = Search {
        start: record.clone(),
        workers: question.workers,
        limits: &args.asked.limits,
        stop: &stop,
    };
    let reduced = search.reduce(&mut view, &run, &mut |best| {
        let at_hand = std::mem::take(&mut *made.lock().expect("nothing panics with this lock"));
        let Some(case) = case_of(&generator, best, at_hand, &stop)? else { return Ok(()) };
        keep(best, &case)?;
        smallest = case;
        Ok(())
    });
    view.close();
    let reduced = reduced.map_err(|error| {
        Failure::new(Code::Test, format!("the reduction could not go on: {error}"))
            .help(format!("the best so far is in `{}`", output.display()))
    })?;
    let account = Account {
        first: (&record, case.len()),
        reduced: &reduced,
        bytes: smallest.len(),
        tests: verdicts.asked(),
        places: &[&output, &case_output],
        time: start.elapsed(),
    };
    account.tell(&args.show);
    Ok(if stop.is_cancelled() { Code::Interrupted } else { Code::Done })
}

/// Where the test case goes: bug.lop.c beside bug.lop.choices. If someone has chosen a name, it is that name with more behind it, so that
/// nothing else is overwritten.
fn case_output(args: &GenArgs, output: &Path) -> PathBuf {
    let extension = args.name.extension().unwrap_or("case".as_ref());
    match args.asked.output {
        None => output.with_extension(extension),
        Some(_) => plan::suffixed(output, &format!(".{}", extension.display())),
    }
}

/// What the best choices make. It is at hand, unless another one was the best meanwhile and all others were forgotten.
fn case_of(
    generator: &Generator,
    best: &Record,
    mut at_hand: HashMap<Values, Vec<u8>>,
    stop: &Cancel,
) -> io::Result<Option<Vec<u8>>> {
    if let Some(case) = at_hand.remove(&best.values()) {
        return Ok(Some(case));
    }
    let choices = Choices { values: best.values(), ..Choices::default() };
    Ok(generator.make(0, &choices, stop)?.result.ok())
}

fn read(path: &Path) -> Result<Choices, Failure> {
    let text = fs::read_to_string(path).map_err(|error| {
        Failure::new(
            Code::Input,
            format!("cannot read the choices in `{}`: {error}", path.display()),
        )
        .help("lop gen --find makes some")
    })?;
    text.parse()
        .map_err(|error| Failure::new(Code::Input, format!("`{}`, {error}", path.display())))
}

/// What the choices make at first.
fn first_case(
    generator: &Generator,
    words: &str,
    choices: &Choices,
    path: &Path,
    stop: &Cancel,
) -> Result<(Record, Vec<u8>), Failure> {
    let made = generator.make(0, choices, stop)?;
    crate::oracle::interrupted(stop)?;
    let shown = path.display();
    let failure = |message: String| Failure::new(Code::Input, message);
    match made.result {
        Ok(_) if made.record.choices.is_empty() => Err(draws_nothing(words)),
        Ok(case) => Ok((made.record, case)),
        Err(Unmade::TooFew(_)) => Err(failure(format!(
            "there are too few choices in `{shown}` for the generator `{words}`"
        ))
        .help("are they for another one? lop gen --find makes some")),
        Err(Unmade::Rejected(why)) => Err(failure(format!(
            "the generator `{words}` makes nothing of the choices in `{shown}`: {why}"
        ))),
        Err(Unmade::Cancelled) => {
            Err(Failure::new(Code::Interrupted, "interrupted before anything was reduced"))
        }
    }
}

fn draws_nothing(words: &str) -> Failure {
    let message = format!(
        "the generator `{words}` made a case but drew nothing, so there is nothing to reduce"
    );
    Failure::new(Code::Input, message)
        .help("does it speak lop's protocol? If it does not, say --drive preload or --drive python")
}

/// The question about a test case that a generator made.
fn question(asked: &AskedArgs, name: &Path, case: &[u8]) -> Result<Question, Failure> {
    let cannot = |error: io::Error| {
        Failure::new(Code::Test, format!("cannot write the test case for a while: {error}"))
    };
    let file = tempfile::NamedTempFile::new().map_err(cannot)?;
    fs::write(file.path(), case).map_err(cannot)?;
    let mut args = asked.about(name.to_owned());
    // What the test thinks of an empty file matters little: no generator has made it.
    args.property.allow_trivial = true;
    Question::new(args, Some(file.path()))
}

/// Asks whether test cases are interesting, about the same one only once.
struct Verdicts<'j> {
    judge: &'j dyn Oracle,
    known: Mutex<HashMap<u128, bool>>,
    asked: AtomicU64,
}

impl<'j> Verdicts<'j> {
    fn new(judge: &'j dyn Oracle) -> Self {
        Verdicts { judge, known: Mutex::default(), asked: AtomicU64::new(0) }
    }

    /// How often the test was run.
    fn asked(&self) -> u64 {
        self.asked.load(Ordering::SeqCst)
    }

    /// Whether a test case is interesting; nothing if nobody waits for the answer.
    fn of(&self, slot: usize, case: &[u8], cancel: &Cancel) -> io::Result<Option<bool>> {
        let key = xxh3_128(case);
        if let Some(known) = self.known.lock().expect("nothing panics with this lock").get(&key) {
            return Ok(Some(*known));
        }
        self.asked.fetch_add(1, Ordering::SeqCst);
        let verdict =
            match self.judge.judge(slot, &Candidate::whole(&Arc::new(case.to_vec())), cancel) {
                Verdict::Interesting => true,
                Verdict::Boring => false,
                Verdict::Unresolved(Reason::Cancelled) => return Ok(None),
                Verdict::Unresolved(Reason::Broken(why)) => return Err(io::Error::other(why)),
                // What takes too long is not what is looked for.
                Verdict::Unresolved(_) => return Ok(Some(false)),
            };
        self.known.lock().expect("nothing panics with this lock").insert(key, verdict);
        Ok(Some(verdict))
    }
}

/// What is said at the end.
struct Account<'t> {
    first: (&'t Record, usize),
    reduced: &'t Reduced,
    bytes: usize,
    tests: u64,
    places: &'t [&'t PathBuf],
    time: std::time::Duration,
}

impl Account<'_> {
    fn tell(&self, show: &ShowArgs) {
        let Account { first, reduced, bytes, tests, places, time } = self;
        let (before, after) = (first.0.choices.len(), reduced.best.choices.len());
        if show.json {
            print(
                &serde_json::json!({
                    "event": "done", "choices_before": before, "choices": after, "bytes_before": first.1, "bytes": bytes,
                    "cases": reduced.calls, "tests": tests, "seconds": time.as_secs_f64(),
                    "output": places.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
                })
                .to_string(),
            );
        }
        if show.json || show.quiet {
            return;
        }
        if show.verbose {
            for effort in reduced.efforts.iter().filter(|effort| effort.calls > 0) {
                say(&format!(
                    "  {:10} {:6} cases, found something in {} turns",
                    effort.pass, effort.calls, effort.found
                ));
            }
        }
        say(&format!(
            "{} → {} choices, {} → {} bytes after {} cases and {} tests in {}",
            number(before as u64),
            number(after as u64),
            number(first.1 as u64),
            number(*bytes as u64),
            number(reduced.calls),
            number(*tests),
            clock(*time),
        ));
        let places: Vec<String> = places.iter().map(|path| path.display().to_string()).collect();
        say(&places.join(", "));
    }
}
