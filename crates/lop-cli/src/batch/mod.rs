//! `lop batch`: reduces many inputs, which share the places for tests.
//!
//! Each job is an ordinary run, whose tests wait for a place. Before any job starts, the test is run once on each
//! input: how the inputs fail decides which of them are reduced. `results.json` has the current state of each job at
//! any moment, so the same command continues a batch, however it was stopped.

mod board;
mod failing;
mod file;
mod groups;
mod jobs;
mod stack;
mod store;
mod summary;

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lop::{Cancel, End, Report};
use rustix::process::{Resource, getrlimit};

use crate::args::{BatchArgs, ShowArgs};
use crate::exit::{Code, Failure};
use crate::oracle::Finder;
use crate::paths::suffixed;
use crate::places::Places;
use crate::plan::Plan;
use crate::resume::{Word, fingerprint};
use crate::run;
use crate::signals;
use crate::unsuited::cannot_run;
use crate::view::View;
use board::{Board, Seen, Watch};
use failing::Failing;
use jobs::{Job, Jobs};
use store::{Record, Status, Store, Version};

/// The number of jobs that run at the same time, for few and for many places: several, so that one with slow tests does
/// not block the others; not all of them, since each has threads, directories and open files.
const FEWEST: usize = 4;
const MOST: usize = 16;
/// The open files of a worker, rounded up.
const OPEN_FILES: usize = 8;
/// The name of the result of a plan that is never carried out.
const NOWHERE: &str = ".lop-batch";
/// The time between two saves of the state of inputs.
const PAUSE: Duration = Duration::from_secs(2);
/// How often a test is run on an input, at most, until it fails.
const TRIES: usize = 3;

/// Reduces many inputs.
pub(crate) fn batch(args: &BatchArgs) -> Result<Code, Failure> {
    // Reading a file of jobs changes the current directory.
    let output = args.output.as_ref().map(|output| (output, std::path::absolute(output)));
    let jobs = find(args)?;
    let directory = match output {
        Some((_, Ok(absolute))) if !jobs.is_one_test => absolute,
        Some((written, _)) => written.clone(),
        None => suffixed(&jobs.source, ".reduced"),
    };
    if jobs.is_one_test {
        jobs.check_test()?;
    }
    let (store, earlier) = Store::open(&directory)?;
    let stop = signals::stop()?;
    let board = Board::new(args.quiet || args.json);
    let batch = Batch { jobs, store, stop, board, json: args.json, quiet: args.quiet };
    batch.run(earlier, args.all)
}

/// The jobs that the command line asks for.
fn find(args: &BatchArgs) -> Result<Jobs, Failure> {
    let given = jobs::given();
    let jobs = match &args.paths[..] {
        [file] if is_of_jobs(file) && args.command.is_empty() && args.script.is_none() => {
            file::jobs(args, file, &given)?
        }
        _ => jobs::in_directories(args, &given)?,
    };
    if let Some(job) = jobs.list.iter().find(|job| job.name.is_empty()) {
        return Err(no_name(&job.input));
    }
    let mut names = BTreeSet::new();
    if let Some(job) = jobs.list.iter().find(|job| !names.insert(&job.name)) {
        let message = format!("there are two jobs for the input `{}`", job.input.display());
        return Err(Failure::new(Code::Usage, message).help("give each of them a name of its own"));
    }
    jobs.list.iter().try_for_each(Job::check)?;
    Ok(jobs)
}

fn is_of_jobs(file: &Path) -> bool {
    file.extension().is_some_and(|it| it == "toml") && !file.is_dir()
}

fn no_name(input: &Path) -> Failure {
    Failure::new(Code::Usage, format!("the input `{}` has no name of its own", input.display()))
        .help("give its job a name: name = \"…\"")
}

struct Batch {
    jobs: Jobs,
    store: Store,
    stop: Cancel,
    board: Arc<Board>,
    json: bool,
    quiet: bool,
}

impl Jobs {
    /// Refuses a test that is invalid whatever the input.
    fn check_test(&self) -> Result<(), Failure> {
        match self.list.first().map(|job| job.plan(Path::new(NOWHERE), 1, false)) {
            Some(Err(failure)) if matches!(failure.code(), Code::Usage | Code::Test) => {
                Err(failure)
            }
            _ => Ok(()),
        }
    }
}

impl Batch {
    fn run(&self, earlier: Vec<Record>, all: bool) -> Result<Code, Failure> {
        let skipped = self.jobs.skipped.iter().map(|path| path.display().to_string());
        let skipped: Vec<String> = skipped.collect();
        if !skipped.is_empty() {
            self.board.say(&format!("not inputs: {}", summary::list(&skipped)));
        }
        let mut records = self.survey(earlier);
        let mut is_said = false;
        loop {
            groups::choose(&mut records, all);
            groups::number(&mut records);
            self.store.save(&records)?;
            if !std::mem::replace(&mut is_said, true) {
                summary::before(&self.board, &records, self.json);
            }
            if self.stop.is_cancelled() || !records.iter().any(is_open) {
                break;
            }
            // If a job that represents others turns out not to fail every time, another one replaces it.
            records = self.reduce_all(records)?;
        }
        self.board.close();
        match self.json {
            true => summary::counts(&records, &self.store),
            false => summary::table(&records),
        }
        if !self.json && !self.quiet {
            summary::after(&records, &self.store, self.stop.is_cancelled());
        }
        if self.stop.is_cancelled() {
            return Ok(Code::Interrupted);
        }
        summary::code(&records)
    }

    /// Finds out how each input fails.
    fn survey(&self, earlier: Vec<Record>) -> Vec<Record> {
        let mut earlier: HashMap<OsString, Record> =
            earlier.into_iter().map(|record| (record.name.clone().into(), record)).collect();
        let list = &self.jobs.list;
        // Earlier findings are kept even if there is no time to check.
        let fresh = |job: &Job| Record::new(job.name.clone(), &job.input, Status::Waiting);
        let known = list.iter().map(|job| earlier.remove(&job.name).unwrap_or_else(|| fresh(job)));
        let records: Vec<Record> = known.collect();
        let state = Mutex::new((records, Instant::now()));
        let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
        self.board.begin("looked at", list.len());
        each(list.len(), self.jobs.workers, |index| {
            if self.stop.is_cancelled() {
                return;
            }
            let (job, known) = (&list[index], lock().0[index].clone());
            let record = self.look(fresh(&list[index]), job, known);
            self.board.done(&job.name.display().to_string(), None);
            let (records, saved) = &mut *lock();
            records[index] = record;
            if saved.elapsed() >= PAUSE {
                // If saving fails, that is reported before the reduction.
                let _ = self.store.save(records);
                *saved = Instant::now();
            }
        });
        state.into_inner().unwrap_or_else(PoisonError::into_inner).0
    }

    /// Finds out how an input fails, unless that is known.
    fn look(&self, mut record: Record, job: &Job, known: Record) -> Record {
        let mut looked = || -> Result<(), Failure> {
            let mut plan = job.plan(&self.store.directory.join(NOWHERE), 1, false)?;
            record.identity = plan.header.identity(&plan.question.args.limits);
            record.before.bytes = plan.question.text.len() as u64;
            if known.identity == record.identity && is_kept(&known) {
                record = known.clone();
                return Ok(());
            }
            plan.question.workers = 1;
            let finder = match Finder::new(&plan.question, &self.stop) {
                Err(_) if self.stop.is_cancelled() => return Ok(()),
                finder => finder?,
            };
            let mut how = String::new();
            for _ in 0..TRIES {
                let outcome = finder.outcome(0, &plan.question.text, &self.stop);
                let outcome = outcome.map_err(|error| cannot_run(&plan.question, &error))?;
                if self.stop.is_cancelled() {
                    return Ok(());
                }
                if outcome.status == lop::Status::TimedOut && !plan.question.args.property.hang {
                    return Err(runs_out_of_time(&plan));
                }
                if finder.accepts(&outcome) {
                    let name = plan.question.name();
                    record.before.failing = Failing::of(&outcome, &name.to_string_lossy());
                    return Ok(());
                }
                how = outcome.status.to_string();
            }
            record.status = Status::NotReproduced;
            record.message = Some(format!("the test `{}` ends with {how}", plan.question.test));
            Ok(())
        };
        if let Err(failure) = looked() {
            (record.status, record.message) = (Status::Failed, Some(failure.to_string()));
        }
        record
    }

    /// Reduces the chosen inputs, several at the same time.
    fn reduce_all(&self, records: Vec<Record>) -> Result<Vec<Record>, Failure> {
        let mut queue: Vec<usize> =
            (0..records.len()).filter(|it| is_open(&records[*it])).collect();
        queue.sort_by_key(|index| std::cmp::Reverse(self.jobs.list[*index].priority));
        self.board.begin("reduced", queue.len());
        let places = Places::new(self.jobs.workers);
        let records = Mutex::new(records);
        let failure = Mutex::new(None);
        each(queue.len(), self.at_the_same_time(), |index| {
            let index = queue[index];
            if self.stop.is_cancelled() {
                return;
            }
            let job = &self.jobs.list[index];
            let known = records.lock().unwrap_or_else(PoisonError::into_inner)[index].clone();
            let record = self.reduce(job, known, &places);
            let mut records = records.lock().unwrap_or_else(PoisonError::into_inner);
            records[index] = record;
            groups::number(&mut records);
            summary::ended(&self.board, &records[index], self.json);
            if let Err(error) = self.store.save(&records) {
                // Without results.json, the rest would be lost work.
                self.stop.cancel();
                *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        });
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(failure) => Err(failure),
            None => Ok(records.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// The number of jobs that run at the same time.
    fn at_the_same_time(&self) -> usize {
        let files = getrlimit(Resource::Nofile).current.map_or(usize::MAX, |most| most as usize);
        let affordable = files / (OPEN_FILES * self.jobs.workers);
        self.jobs.workers.clamp(FEWEST, MOST).min(affordable.max(1))
    }

    /// Does a job, or continues it.
    fn reduce(&self, job: &Job, mut record: Record, places: &Arc<Places>) -> Record {
        let seen = Arc::new(Mutex::new(Seen::default()));
        let mut done = || -> Result<(), Failure> {
            let mut plan = self.plan(job)?;
            plan.question.share = Some(places.share());
            let show = ShowArgs { quiet: true, ..ShowArgs::default() };
            let name = job.name.display().to_string();
            let mut view = View::new(name.clone(), &show, &self.stop);
            view.add(Watch { name, board: self.board.clone(), seen: seen.clone() });
            let code = run::reduce(&plan, &self.stop, view);
            let report = seen.lock().unwrap_or_else(PoisonError::into_inner).report.take();
            if let Some(report) = report {
                plan.question.workers = 1;
                self.note(&mut record, &plan, &report);
            }
            code.map(drop)
        };
        if let Err(failure) = done() {
            record.status = match failure.code() {
                Code::Interrupted if record.result.is_some() => Status::Interrupted,
                Code::Interrupted => Status::Waiting,
                Code::NotInteresting => Status::NotReproduced,
                Code::Flaky => Status::Flaky,
                _ => Status::Failed,
            };
            record.message = (failure.code() != Code::Interrupted).then(|| failure.to_string());
        }
        record.notes =
            std::mem::take(&mut seen.lock().unwrap_or_else(PoisonError::into_inner).notes);
        record
    }

    /// The plan of a job: that of the stopped run, if it is the same.
    fn plan(&self, job: &Job) -> Result<Plan, Failure> {
        let (output, workers) = (self.store.directory.join(&job.name), self.jobs.workers);
        if suffixed(&output, ".journal").exists()
            && let Ok(plan) = job.plan(&output, workers, true)
        {
            return Ok(plan);
        }
        if output.is_dir() {
            // An earlier result of several files, of another input or test; a single file is overwritten.
            let _ = fs::remove_dir_all(&output);
        }
        job.plan(&output, workers, false)
    }

    /// Notes the result of a job.
    fn note(&self, record: &mut Record, plan: &Plan, report: &Report) {
        record.status = match report.end {
            End::Complete | End::Skipped => Status::Reduced,
            End::Interrupted => Status::Interrupted,
            _ => Status::Stopped,
        };
        record.result = Some(Word::from(plan.output.clone().into_os_string()));
        record.before.tokens = Some(report.original.tokens as u64);
        record.tests = report.counts.tests;
        record.seconds = (report.counts.elapsed.as_secs_f64() * 1000.0).round() / 1000.0;
        record.content = Some(fingerprint(&report.best.text));
        let outcome = Finder::new(&plan.question, &self.stop)
            .ok()
            .filter(|_| record.status != Status::Interrupted)
            .and_then(|finder| finder.outcome(0, &report.best.text, &self.stop).ok());
        let name = plan.question.name();
        let failing = outcome.as_ref().and_then(|it| Failing::of(it, &name.to_string_lossy()));
        let (bytes, tokens) = (report.best.size.bytes as u64, Some(report.best.size.tokens as u64));
        record.after = Some(Version { bytes, tokens, failing });
    }
}

fn runs_out_of_time(plan: &Plan) -> Failure {
    let message = format!("the test `{}` runs out of time on the input", plan.question.test);
    Failure::new(Code::NotInteresting, message)
        .help("allow more time with --timeout, or reduce the hang itself with --hang")
}

/// Whether a job has to be done, or finished.
fn is_open(record: &Record) -> bool {
    matches!(record.status, Status::Waiting | Status::Interrupted)
}

/// Whether the state of a job is final: its input need not be checked again.
fn is_kept(record: &Record) -> bool {
    let has_result = || {
        let result = record.result.clone().map(OsString::from);
        result.is_some_and(|result| fs::exists(result).unwrap_or(false))
    };
    match record.status {
        Status::Reduced | Status::Stopped => has_result(),
        Status::Waiting | Status::Interrupted | Status::Duplicate => {
            record.before.failing.is_some()
        }
        // The test may run this time, and an intermittent crash may occur.
        Status::NotReproduced | Status::Flaky | Status::Failed => false,
    }
}

/// Calls a function with each number, several at the same time.
fn each(count: usize, threads: usize, act: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            scope.spawn(|| {
                while let Some(index) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|it| *it < count)
                {
                    act(index);
                }
            });
        }
    });
}
